"""Fixity stale: which records of a site are not what a build of the bundles would serve now."""

from __future__ import annotations

from collections.abc import Iterator

from generator import layout
from generator.fixity import Fault, FaultKind
from generator.fixity_index import FixityIndex
from generator.holdings import Holdings, Side

SIDE = Side.NEW
_HINT = "the next `pith-mirror build` brings it up to date"


def stale_faults(holdings: Holdings, index: FixityIndex) -> Iterator[Fault]:
    """Compare what a site's manifest lists with the bundles as they are now.

    Args:
        holdings: the bundles, on `SIDE`.
        index: what the manifest lists.

    Yields:
        Records that are new or changed, by Pith Number; then those that are gone, by path.
    """
    for number, digest in holdings.served_digests(SIDE):
        suffix = number.rpartition(":")[2]
        index.add_served(suffix)
        path = layout.record_file(suffix, "bundle.json")
        entry = index.find(path)
        if entry is None:
            yield _stale(path, "the record of a bundle", "none; its bundle is new")
        elif entry.sha256 != digest:
            yield _stale(path, digest, f"{entry.sha256}; the bundles of the record changed")
    for entry in index.entries():
        owner = layout.bundle_owner(entry.path)
        if owner is not None and not index.is_served(owner):
            yield _stale(
                entry.path, "no record without a bundle", "one whose bundles are gone or rejected"
            )


def _stale(path: str, expected: str, found: str) -> Fault:
    return Fault(FaultKind.STALE, path, expected, found, _HINT)

"""Fixity walk: read a site against its own manifest, as a stream, without following any link."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from generator import layout
from generator.fixity import BUILD_AGAIN, Fault, FaultKind, OnDisk, compare
from generator.fixity import portability_faults as _portability
from generator.fixity_index import FixityIndex
from generator.fixity_manifest import ManifestReading
from generator.fixity_repair import Repair
from generator.journal import STAGING
from generator.limits import DEFAULT_LIMITS
from generator.plain_files import open_plain
from generator.site_folder import INNOCENT

_PIECE = 1 << 20
_WELL_KNOWN = ".well-known"


class SiteCheck:
    """One reading of a site; `files` and `length` count what was read and found as listed."""

    def __init__(
        self,
        folder: Path,
        *,
        repair: Repair | None = None,
        further: Callable[[FixityIndex], Iterator[Fault]] = lambda _: iter(()),
    ) -> None:
        """Prepare to read.

        Args:
            folder: of the site.
            repair: puts back what can be put back; without it nothing is changed.
            further: finds faults in what the manifest lists, once all of it was read.
        """
        self.folder = folder
        self.files = 0
        self.length = 0
        self._repair = repair
        self._further = further

    def faults(self) -> Iterator[Fault]:
        """Read everything.

        Yields:
            Each fault as it is found: of the manifest; of each listed file, by path; files that
            are not listed, by path; names that are alike; then what `further` finds. Without a
            manifest of ours that is the only one.

        Raises:
            OutputError: a repair is wanted, and the site cannot be written.
        """
        repair = self._repair
        if repair.had_staging if repair else os.path.lexists(self.folder / STAGING):
            yield Fault(
                FaultKind.UNFINISHED, STAGING, "no build that crashed or still runs",
                "its working files", "the next `pith-mirror build` finishes or repairs it",
            )  # fmt: skip
        with closing(FixityIndex()) as index:
            reading = ManifestReading(self.folder, index)
            yield from reading.faults()
            if not reading.is_ours:
                return
            yield from self._compare_all(index)
            yield from _extras(self.folder, index)
            for one, other in index.alike():
                expected = "no name that differs only in case or normalisation"
                yield Fault(FaultKind.PORTABILITY, one, expected, other)
            yield from self._further(index)

    def _compare_all(self, index: FixityIndex) -> Iterator[Fault]:
        for entry in index.entries():
            fault = compare(entry, _read(self.folder, entry.path))
            if fault is not None and self._repair is not None:
                fault = self._repair.mend(
                    fault, entry, index.find(layout.twin_of(entry.path) or "")
                )
            if fault is None or fault.restored_from:
                self.files += 1
                self.length += entry.length
            if fault is not None:
                yield fault
            yield from _portability(entry.path)
            copy = index.find(layout.copy_of(entry.path) or "")
            if copy is not None and copy.sha256 != entry.sha256:
                found = f"other bytes listed for {copy.path}"
                yield Fault(FaultKind.COPIES, entry.path, "the same bytes", found, BUILD_AGAIN)


def _read(folder: Path, path: str) -> OnDisk:
    digest, length = hashlib.sha256(), 0
    try:
        with open_plain(folder, path) as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
                length += len(piece)
    except FileNotFoundError:
        return OnDisk(FaultKind.MISSING, "none")
    except (IsADirectoryError, NotADirectoryError) as error:
        return OnDisk(FaultKind.NOT_PLAIN, str(error))
    except OSError as error:
        return OnDisk(FaultKind.UNREADABLE, error.strerror or "an error")
    return OnDisk(None, "", length, digest.hexdigest())


def _extras(folder: Path, index: FixityIndex) -> Iterator[Fault]:
    yield from _search(folder, "", index, DEFAULT_LIMITS.site_depth_max)
    for path in index.extras():
        yield Fault(FaultKind.EXTRA, path, "a file the manifest lists", "one that it does not")
        yield from _portability(path)


def _search(folder: Path, below: str, index: FixityIndex, depth: int) -> Iterator[Fault]:
    # One open folder a level: no list of names is ever held.
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                path = f"{below}{entry.name}"
                if not below and _is_the_operators(path):
                    continue
                if entry.is_dir(follow_symlinks=False) and depth:
                    yield from _search(folder / entry.name, f"{path}/", index, depth - 1)
                elif index.find(path) is None:
                    index.add_extra(path)
    except OSError as error:
        found = error.strerror or "an error"
        yield Fault(FaultKind.UNREADABLE, below, "a readable folder", found)


def _is_the_operators(name: str) -> bool:
    hidden = name.startswith(".") and name != _WELL_KNOWN
    return hidden or name in INNOCENT or name == layout.MANIFEST

"""Changes: what is different from the last build, found without reading what looks as it did.

A file of bundles that looks as it did before (length, times, inode) holds the same bytes, unless it
was changed while it was being read; so one that is about as new as the build is not trusted the
next time. A file of the site that does not look as it was left is made again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from generator import layout
from generator.bundle_index import KnownInput
from generator.ledger import Ledger
from generator.limits import DEFAULT_LIMITS
from generator.load import FileStamp, InputFile
from generator.plain_files import status_of

# Two clocks may be involved, and some file systems keep even seconds only.
_DOUBT = 2_000_000_000  # nanoseconds


@dataclass(frozen=True, slots=True)
class GoneInput:
    """An input of the last build that is there no more."""

    key: bytes


@dataclass(frozen=True, slots=True)
class Damage:
    """Files of the site that are not as the last build left them; `records` are ids."""

    paths: tuple[layout.SitePath, ...] = ()
    records: frozenset[str] = frozenset()


def find_changes(
    found: Iterable[InputFile], known: Iterable[KnownInput], *, forced: frozenset[bytes]
) -> Iterator[InputFile | GoneInput]:
    """Compare the inputs of this build with those of the last one.

    Args:
        found: by key.
        known: by key.
        forced: keys of inputs that are to be read again whatever they look like.

    Returns:
        Inputs that are new, that look different or nobody can tell, and those that are gone.
    """
    rest = iter(known)
    old = next(rest, None)
    for file in found:
        key = file.key
        while old is not None and old.key < key:
            yield GoneInput(old.key)
            old = next(rest, None)
        is_known = old is not None and old.key == key
        stamp = "" if file.stamp is None else str(file.stamp)
        if not (is_known and old is not None and stamp and old.stamp == stamp) or key in forced:
            yield file
        if is_known:
            old = next(rest, None)
    while old is not None:
        yield GoneInput(old.key)
        old = next(rest, None)


def trusted_stamp(stamp: FileStamp | None, *, started: int) -> FileStamp | None:
    """Give the stamp by which the next build may pass an input over.

    Args:
        stamp: of the file before it was read.
        started: when the build began, in nanoseconds of the file system's clock.

    Returns:
        The stamp; None if the file may have been changed after that without looking different.
    """
    if stamp is None or max(stamp.modified, stamp.changed) + _DOUBT > started:
        return None
    return stamp


def find_damage(folder: Path, ledger: Ledger) -> Damage | None:
    """Look at every file of the site without reading it.

    Args:
        folder: the site's.
        ledger: of the last build.

    Returns:
        What does not look as it was left; None if that is too much to mend in parts.
    """
    paths: list[layout.SitePath] = []
    for row in ledger.rows_and_parts():
        status = status_of(folder / row.path)
        if status is None or (status.st_size, status.st_mtime_ns) != (row.length, row.modified):
            paths.append(row.path)
            if len(paths) > DEFAULT_LIMITS.damaged_max_count:
                return None
    suffixes = (layout.record_of(path) for path in paths)
    return Damage(tuple(paths), frozenset(suffix for suffix in suffixes if suffix is not None))

"""Fixity walk: read a site against its own manifest, as a stream, without following any link."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO

from generator import layout
from generator.errors import FormatError
from generator.fixity import Entry, Fault, FaultKind, OnDisk, compare, parse_entry
from generator.fixity import portability_faults as _portability
from generator.fixity_index import FixityIndex
from generator.journal import STAGING
from generator.limits import DEFAULT_LIMITS
from generator.manifest import is_manifest_head
from generator.site_lock import INNOCENT

_PIECE = 1 << 20
_LINE = DEFAULT_LIMITS.manifest_line_max_length
_WELL_KNOWN = ".well-known"


class SiteCheck:
    """One reading of a site; `files` and `length` count what was read and found as listed."""

    def __init__(self, folder: Path) -> None:
        """Prepare to read.

        Args:
            folder: of the site.
        """
        self.folder = folder
        self.files = 0
        self.length = 0

    def faults(self) -> Iterator[Fault]:
        """Read everything.

        Yields:
            Each fault as it is found; without a manifest of ours that is the only one.
        """
        if os.path.lexists(self.folder / STAGING):
            yield Fault(
                FaultKind.UNFINISHED, STAGING, "no build that crashed or still runs",
                "its working files", "the next `pith-mirror build` finishes or repairs it",
            )  # fmt: skip
        with closing(FixityIndex()) as index:
            try:
                file = _open_manifest(self.folder)
            except OSError as error:
                found = error.strerror or str(error)
                yield Fault(FaultKind.MANIFEST, layout.MANIFEST, "a manifest of ours", found)
                return
            with file:
                yield from _read_lines(file, index)
            yield from self._compare_all(index)
            yield from _extras(self.folder, index)
            for one, other in index.alike():
                expected = "no name that differs only in case or normalisation"
                yield Fault(FaultKind.PORTABILITY, one, expected, other)

    def _compare_all(self, index: FixityIndex) -> Iterator[Fault]:
        for entry in index.entries():
            fault = compare(entry, _read(self.folder, entry.path))
            if fault is None:
                self.files += 1
                self.length += entry.length
            else:
                yield fault
            yield from _portability(entry.path)
            copy = index.find(layout.copy_of(entry.path) or "")
            if copy is not None and copy.sha256 != entry.sha256:
                found = f"other bytes listed for {copy.path}"
                yield Fault(FaultKind.COPIES, entry.path, "the same bytes", found)


def _open_manifest(folder: Path) -> IO[bytes]:
    file = _open_plain(folder, layout.MANIFEST)
    if not is_manifest_head(file.readline(_LINE)):
        file.close()
        raise OSError("something else")
    return file


def _read_lines(file: IO[bytes], index: FixityIndex) -> Iterator[Fault]:
    # `more`: a comma, or the start, is behind us, so that an entry may follow.
    previous, number, more, ended = "", 1, True, False
    while line := file.readline(_LINE):
        number += 1
        subject = f"{layout.MANIFEST}, line {number}"
        if not line.endswith(b"\n"):
            yield _damaged(subject, f"a line of at most {_LINE} bytes", "a longer or a cut one")
            while line and not line.endswith(b"\n"):
                line = file.readline(_LINE)
            continue
        if ended or (line == b"]}\n" and more and previous):
            yield _damaged(subject, "one JSON document", "something behind an entry or the end")
        if line in {b"]}\n", b"\n"}:
            ended = ended or line == b"]}\n"
            continue
        if not more:
            yield _damaged(subject, "a comma before it", "none")
        more = line.endswith(b",\n")
        try:
            entry, media_type = parse_entry(line.rstrip(b"\n").removesuffix(b","), subject=subject)
        except FormatError as error:
            yield _damaged(subject, error.expected, error.found)
            continue
        yield from _entry_faults(entry, media_type, previous, index)
        previous = entry.path
    if not ended:
        yield _damaged(layout.MANIFEST, "an end", "none; the rest of the list is lost")


def _entry_faults(
    entry: Entry, media_type: str, previous: str, index: FixityIndex
) -> Iterator[Fault]:
    if not index.add(entry):
        yield Fault(FaultKind.TWICE, entry.path, "one line in the manifest", "another one")
    elif entry.path < previous:
        yield Fault(FaultKind.ORDER, entry.path, f"a path after {previous}", "one before it")
    expected = layout.media_type(entry.path)
    if media_type != expected:
        yield Fault(FaultKind.MEDIA_TYPE, entry.path, expected, media_type)


def _damaged(subject: str, expected: str, found: str) -> Fault:
    return Fault(FaultKind.MANIFEST, subject, expected, found)


def _open_plain(folder: Path, path: str) -> IO[bytes]:
    """Open a plain file that no link leads to; a `FileNotFoundError` or `OSError` tells others."""
    current = folder
    for step in path.split("/")[:-1]:
        current = current / step
        if not stat.S_ISDIR(current.lstat().st_mode):
            raise IsADirectoryError(f"{step} is no folder")
    before = (folder / path).lstat()
    if not stat.S_ISREG(before.st_mode):
        raise IsADirectoryError("a folder" if stat.S_ISDIR(before.st_mode) else "a link or device")
    file = (folder / path).open("rb")
    after = os.fstat(file.fileno())
    if (before.st_dev, before.st_ino) != (after.st_dev, after.st_ino):
        file.close()
        raise IsADirectoryError("a file that was replaced meanwhile")
    return file


def _read(folder: Path, path: str) -> OnDisk:
    digest, length = hashlib.sha256(), 0
    try:
        with _open_plain(folder, path) as file:
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

"""Staging: files of a build → `site/.staging/`, unless the site has the same bytes already.

A staged file stands in `tree/` at the place it will have, so that a folder that is new is moved in
whole. Several processes may stage at once: where one has staged a file of the same path before, the
next one stands in `again/` under a number. Of a bundle or a graph and its second copy both names
lead to one file, where the file system allows it: no file of a site is ever written in place.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from generator import layout
from generator.journal import AGAIN, STAGING, TREE, require_real_folders
from generator.ledger import LedgerRow
from generator.plain_files import status_of
from generator.render import SiteFile, SiteStream
from generator.sink import FileStager, require_site_path

_FILES_PER_FOLDER = 1_000
# More than one process ever stages in a build; twelve digits in all, which the journal checks.
_NUMBERS_PER_STAGER = 10**9
_CHUNK = 1 << 20  # bytes


class Stager(FileStager):
    """Writes files aside."""

    def __init__(self, folder: Path, *, is_new: bool, stager: int = 0) -> None:
        """Take a site's folder.

        Args:
            folder: with a staging folder that this build holds.
            is_new: that the site has no file of an earlier build.
            stager: tells stagers of one build apart, 0 to 999.
        """
        self.folder = folder
        self.is_new = is_new
        self._workspace = folder / STAGING
        self._next = stager * _NUMBERS_PER_STAGER
        self._real_folder = ""
        # What second copies may follow of: the last bundle and the last graph.
        self._originals: dict[str, LedgerRow] = {}

    def sibling(self, stager: int) -> Stager:
        """Give a stager of the same build for another process.

        Args:
            stager: tells it apart, 1 to 999.

        Returns:
            The stager.
        """
        return Stager(self.folder, is_new=self.is_new, stager=stager)

    def stage(self, file: SiteFile | SiteStream) -> LedgerRow:
        """Write a file aside, unless the site has the same bytes already.

        Args:
            file: path and bytes.

        Returns:
            Its row; a place in it says that the file waits to be moved in.

        Raises:
            OutputError: the path is not one of a site, or leads through a link.
        """
        require_site_path(file.path)
        if isinstance(file, SiteStream):
            return self._stage_stream(file)
        digest = hashlib.sha256(file.data).hexdigest()
        modified = None if self.is_new else self._same(file.path, file.data)
        if modified is not None:
            return LedgerRow(file.path, digest, len(file.data), modified)
        row = self._linked(file.path, digest)
        if row is None:
            place, modified = self._write(file.path, (file.data,))
            row = LedgerRow(file.path, digest, len(file.data), modified, place)
        if layout.copy_of(file.path):
            self._originals[file.path.rpartition("/")[2]] = row
        return row

    def _linked(self, path: layout.SitePath, digest: str) -> LedgerRow | None:
        """Stage a second copy as a second name of the first one, if that was staged just now."""
        original = self._originals.get(path.rpartition("/")[2])
        if original is None or (original.path, original.sha256) != (
            layout.original_of(path),
            digest,
        ):
            return None
        place = f"{TREE}/{path}"
        target = self._workspace / place
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.hardlink_to(self._workspace / (original.staged or ""))
        except OSError:  # no second names here, or one is there already
            return None
        return replace(original, path=path, staged=place)

    def pieces(self, row: LedgerRow) -> Iterator[bytes]:
        """Read a file back that need not fit in memory.

        Args:
            row: as `stage` gave it.

        Yields:
            Its bytes, in pieces of one length but for the last.
        """
        with self.place_of(row).open("rb") as file:
            while piece := file.read(_CHUNK):
                yield piece

    def place_of(self, row: LedgerRow) -> Path:
        """Tell where the bytes of a file are now."""
        return self.folder / row.path if row.staged is None else self._workspace / row.staged

    def discard(self, row: LedgerRow) -> None:
        """Remove a staged file that is not wanted after all.

        Args:
            row: as `stage` gave it.
        """
        if row.staged is not None:
            (self._workspace / row.staged).unlink()

    def _stage_stream(self, file: SiteStream) -> LedgerRow:
        # Written aside first: only then is its digest known, and it need not fit in memory.
        digest, length = hashlib.sha256(), 0

        def pieces() -> Iterable[bytes]:
            nonlocal length
            for piece in file.pieces:
                digest.update(piece)
                length += len(piece)
                yield piece

        place, modified = self._write(file.path, pieces())
        row = LedgerRow(file.path, digest.hexdigest(), length, modified, place)
        if self.is_new:
            return row
        same = self._same_as_staged(file.path, self._workspace / place, length)
        if same is None:
            return row
        self.discard(row)
        return replace(row, modified=same, staged=None)

    def _same(self, path: layout.SitePath, data: bytes) -> int | None:
        """Give the time of change of the site's file, if it holds exactly these bytes."""
        status = self._status(path)
        if status is None or status.st_size != len(data):
            return None
        return status.st_mtime_ns if (self.folder / path).read_bytes() == data else None

    def _same_as_staged(self, path: layout.SitePath, staged: Path, length: int) -> int | None:
        status = self._status(path)
        if status is None or status.st_size != length:
            return None
        with (self.folder / path).open("rb") as old, staged.open("rb") as new:
            while piece := new.read(_CHUNK):
                if old.read(len(piece)) != piece:
                    return None
        return status.st_mtime_ns

    def _status(self, path: layout.SitePath) -> os.stat_result | None:
        folder = path.rpartition("/")[0]
        if folder != self._real_folder:
            require_real_folders(self.folder, path)
            self._real_folder = folder
        return status_of(self.folder / path)

    def _write(self, path: layout.SitePath, pieces: Iterable[bytes]) -> tuple[str, int]:
        """Write a file; returns its place below the staging folder and its time of change."""
        place = f"{TREE}/{path}"
        try:
            descriptor = self._create(place)
        except FileExistsError:
            # Staged before, perhaps by another process that is still writing it.
            self._next += 1
            place = f"{AGAIN}/{self._next // _FILES_PER_FOLDER}/{self._next}"
            descriptor = self._create(place)
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
            file.writelines(pieces)
            file.flush()
            return place, os.fstat(descriptor).st_mtime_ns

    def _create(self, place: str) -> int:
        name = f"{self._workspace}/{place}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            return os.open(name, flags, 0o666)
        except FileNotFoundError:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            return os.open(name, flags, 0o666)

"""Staging: files of a build → `site/.staging/files/`, unless the site has the same bytes already.

Several processes may stage at once, each under numbers of its own.
"""

from __future__ import annotations

import filecmp
import hashlib
import stat
from collections.abc import Iterable
from pathlib import Path

from generator import layout
from generator.errors import OutputError
from generator.formats.digest import sha256
from generator.journal import STAGING, require_real_folders
from generator.ledger import LedgerRow
from generator.limits import shorten
from generator.render import SiteFile, SiteStream

_FILES_PER_FOLDER = 1_000
# More than one process ever stages in a build; twelve digits in all, which the journal checks.
_NUMBERS_PER_STAGER = 10**9


class Stager:
    """Writes files aside under numbers of its own."""

    def __init__(self, folder: Path, *, stager: int = 0) -> None:
        """Take a site's folder.

        Args:
            folder: with a staging folder that this build holds.
            stager: tells stagers of one build apart, 0 to 999.
        """
        self.folder = folder
        self._next = stager * _NUMBERS_PER_STAGER

    def stage(self, file: SiteFile | SiteStream) -> LedgerRow:
        """Write a file aside, unless the site has the same bytes already.

        Args:
            file: path and bytes.

        Returns:
            Its row; a number in it says that the file waits to be moved in.

        Raises:
            OutputError: the path is not one of a site, or leads through a link.
        """
        if not layout.is_site_path(file.path):
            raise OutputError(
                repr(shorten(file.path)), expected="a relative ASCII path", found="another"
            )
        require_real_folders(self.folder, file.path)
        if isinstance(file, SiteStream):
            return self._stage_stream(file)
        target = self.folder / file.path
        number = None
        if length_of(target) != len(file.data) or target.read_bytes() != file.data:
            number = self._number()
            _write(staged_path(self.folder, number), (file.data,))
        return LedgerRow(file.path, str(sha256(file.data)), len(file.data), number)

    def _stage_stream(self, file: SiteStream) -> LedgerRow:
        # Written aside first: only then is its digest known, and it need not fit in memory.
        number = self._number()
        staged, target = staged_path(self.folder, number), self.folder / file.path
        digest, length = _write(staged, file.pieces)
        same = length_of(target) == length and filecmp.cmp(target, staged, shallow=False)
        return LedgerRow(file.path, digest, length, None if same else number)

    def _number(self) -> int:
        self._next += 1
        return self._next


def staged_path(folder: Path, number: int) -> Path:
    """Tell where a staged file waits.

    Args:
        folder: the site's.
        number: of the file.

    Returns:
        Its path.
    """
    return folder / STAGING / "files" / str(number // _FILES_PER_FOLDER) / str(number)


def length_of(path: Path) -> int | None:
    """Give the length of a plain file; None for nothing, and for a link or a folder."""
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _write(path: Path, pieces: Iterable[bytes]) -> tuple[str, int]:
    """Write a file, with the folder above it if need be; returns its digest (hex) and length."""
    path.parent.mkdir(parents=True, exist_ok=True)
    digest, length = hashlib.sha256(), 0
    with path.open("wb") as file:
        for piece in pieces:
            file.write(piece)
            digest.update(piece)
            length += len(piece)
    return digest.hexdigest(), length

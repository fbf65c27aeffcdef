"""Fixity repair: put back a file whose bytes its copy in the same site still has, and nothing else.

What the manifest lists is what decides: bytes are put back only if digest and length are those. A
file that is not listed, a link or a folder in a file's place is never touched.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from generator import layout
from generator.errors import OutputError
from generator.fixity import Entry, Fault, FaultKind
from generator.journal import STAGING, has_journal, require_real_folders
from generator.limits import shorten
from generator.plain_files import open_plain
from generator.site_lock import lock_site

_MENDED = frozenset((FaultKind.MISSING, FaultKind.LENGTH, FaultKind.CHANGED, FaultKind.UNREADABLE))
_PIECE = 1 << 20


class Repair:
    """A repair under way; made by `open_repair`."""

    def __init__(self, folder: Path, *, had_staging: bool) -> None:
        """Take a site's folder.

        Args:
            folder: that this process holds.
            had_staging: whether working files of a build were there before.
        """
        self.had_staging = had_staging
        self._folder = folder
        self._aside = folder / STAGING / "repair"

    def mend(self, fault: Fault, entry: Entry, twin: Entry | None) -> Fault:
        """Put a file back, if its other copy is whole.

        Args:
            fault: of the file.
            entry: what the manifest says of it.
            twin: what the manifest says of its other copy, if it has one.

        Returns:
            The fault, which says where the bytes came from if they were put back.

        Raises:
            OutputError: the site cannot be written.
        """
        if fault.kind not in _MENDED or twin is None or twin.sha256 != entry.sha256:
            return fault
        try:
            # Nothing that was put in the file's place or above it is overwritten or gone through.
            require_real_folders(self._folder, entry.path)
            if not self._copied(entry, twin):
                return fault
            target = self._folder / entry.path
            target.parent.mkdir(parents=True, exist_ok=True)
            self._aside.replace(target)
        except OSError as error:
            raise OutputError(
                str(self._folder / entry.path),
                expected="a site that can be written",
                found=error.strerror or shorten(str(error)),
            ) from error
        return replace(fault, hint="", restored_from=twin.path)

    def _copied(self, entry: Entry, twin: Entry) -> bool:
        """Write the other copy aside; False if it is damaged, too."""
        try:
            source = open_plain(self._folder, twin.path)
        except OSError:
            return False
        digest, length = hashlib.sha256(), 0
        # Made anew each time: a link that lies there would lead the bytes elsewhere.
        self._aside.unlink(missing_ok=True)
        with source, self._aside.open("xb") as aside:
            while piece := source.read(_PIECE):
                aside.write(piece)
                digest.update(piece)
                length += len(piece)
            aside.flush()
            os.fsync(aside.fileno())
        return (digest.hexdigest(), length) == (entry.sha256, entry.length)


@contextmanager
def open_repair(folder: Path) -> Iterator[Repair]:
    """Hold a site for a repair, as a build holds it.

    Args:
        folder: of a site.

    Returns:
        The repair. What it wrote aside is gone afterwards.

    Raises:
        OutputError: no site, not writable, in use, or a build has to be finished first.
    """
    if not (folder / layout.MANIFEST).is_file():
        raise OutputError(
            str(folder), expected="a site of pith-mirror", found=f"no {layout.MANIFEST}"
        )
    had_staging = os.path.lexists(folder / STAGING)
    try:
        with lock_site(folder):
            if has_journal(folder):
                raise OutputError(
                    str(folder),
                    expected="no build that is half moved in",
                    found="the journal of one",
                    hint="run `pith-mirror build`, which finishes it",
                )
            try:
                yield Repair(folder, had_staging=had_staging)
            finally:
                _leave(folder, had_staging=had_staging)
    except OSError as error:
        raise OutputError(
            str(folder),
            expected="a site that can be written",
            found=error.strerror or shorten(str(error)),
        ) from error


def _leave(folder: Path, *, had_staging: bool) -> None:
    # What a crashed build left there is for the next build to judge.
    (folder / STAGING / "repair").unlink(missing_ok=True)
    if not had_staging:
        shutil.rmtree(folder / STAGING, ignore_errors=True)

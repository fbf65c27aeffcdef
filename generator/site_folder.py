"""Site folder: held for one build, if it is ours, with nothing left undone."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from generator import layout
from generator.errors import OutputError
from generator.journal import STAGING, has_journal, replay_journal
from generator.ledger import DatabaseError
from generator.limits import shorten
from generator.site_lock import LOCK, lock_site, require_real

# What an operator may have put into an empty site/ before the first build.
INNOCENT = frozenset(("README.md", "CNAME"))


@contextmanager
def hold_site(folder: Path) -> Iterator[Path]:
    """Hold a site's folder for one build, and finish what a build that died left undone.

    Args:
        folder: created if missing.

    Yields:
        The staging folder, empty.

    Raises:
        OutputError: not a folder, not ours, not writable, or in use by another build.
    """
    try:
        _require_ours(folder)
        is_new = not folder.exists()
        with lock_site(folder):
            try:
                _clear_staging(folder)
                yield folder / STAGING
            finally:
                _leave(folder, is_new=is_new)
    except DatabaseError as error:
        # The working files in the staging folder: the disk is full, or worse.
        raise OutputError(
            str(folder), expected="a folder that can be written", found=shorten(str(error))
        ) from error
    except OSError as error:
        raise OutputError(
            str(folder),
            expected="a folder that can be written",
            found=shorten(": ".join(filter(None, (error.strerror or str(error), _name_of(error))))),
        ) from error


def time_of(workspace: Path) -> int:
    """Ask the file system of a site what time it is.

    Args:
        workspace: the staging folder.

    Returns:
        Nanoseconds; comparable with the times of files there, and of no meaning to anything else.
    """
    path = workspace / "started"
    path.touch()
    return path.stat().st_mtime_ns


def _leave(folder: Path, *, is_new: bool) -> None:
    # With a journal the moves are not all done: the next build must finish them.
    if has_journal(folder):
        return
    shutil.rmtree(folder / STAGING, ignore_errors=True)
    if is_new:
        # A build that came to nothing leaves no empty folder behind.
        with suppress(OSError):
            folder.rmdir()


def _require_ours(folder: Path) -> None:
    require_real(folder, stat.S_ISDIR, "a folder")
    require_real(folder / STAGING, stat.S_ISDIR, "a folder")
    require_real(folder / layout.MANIFEST, stat.S_ISREG, "a file")
    if folder.resolve() == Path(folder.resolve().anchor):
        raise OutputError(str(folder), expected="a folder of its own", found="the root folder")
    if not folder.exists() or (folder / layout.MANIFEST).exists() or has_journal(folder):
        return
    for name in sorted(entry.name for entry in os.scandir(folder)):
        if name not in INNOCENT and not name.startswith("."):
            raise OutputError(
                str(folder),
                expected="an empty folder or a site of pith-mirror",
                found=f"{shorten(name)!r} and no {layout.MANIFEST}",
                hint="build into another folder",
            )


def _name_of(error: OSError) -> str:
    return os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""


def _clear_staging(folder: Path) -> None:
    """Finish the moves of a build that died with a whole journal; drop what else is left."""
    if has_journal(folder):
        replay_journal(folder, resumed=True)
    for entry in os.scandir(folder / STAGING):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        elif entry.name != LOCK:
            Path(entry.path).unlink()

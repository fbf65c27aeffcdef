"""Site lock: one process at a time works in a site's folder."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from generator.errors import OutputError
from generator.journal import STAGING

LOCK = "lock"


@contextmanager
def lock_site(folder: Path) -> Iterator[None]:
    """Hold a site's folder; its staging folder is made, and left to the caller to remove.

    Args:
        folder: of the site, created if missing.

    Raises:
        OutputError: another process holds it, or a link stands in the staging folder's place.
        OSError: the folder cannot be written.
    """
    # A link in its place would lead what is written there out of the site.
    require_real(folder / STAGING, stat.S_ISDIR, "a folder")
    (folder / STAGING).mkdir(parents=True, exist_ok=True)
    path = folder / STAGING / LOCK
    with _open_lock(path) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever held it may have removed the file meanwhile, and the next one made a new one.
            is_current = os.path.samestat(os.fstat(lock.fileno()), path.lstat())
        except (BlockingIOError, FileNotFoundError):
            is_current = False
        if not is_current:
            raise OutputError(
                str(folder), expected="no other build of this site", found="one that is running"
            )
        yield


def require_real(path: Path, is_kind: Callable[[int], bool], kind: str) -> None:
    """Refuse a link, or anything else than what is meant to stand at a path.

    Args:
        path: may be missing.
        is_kind: judges the mode, as `stat.S_ISDIR` does.
        kind: in words.

    Raises:
        OutputError: something else stands there.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not is_kind(mode):
        raise OutputError(str(path), expected=kind, found="a link or something else")


def _open_lock(path: Path) -> IO[bytes]:
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW
    return open(os.open(path, flags, 0o666), "wb")  # noqa: PTH123 - a descriptor, not a path

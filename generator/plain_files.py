"""Plain files: open what stands below a site's folder, never through a link and never a device."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO


def open_plain(folder: Path, path: str) -> IO[bytes]:
    """Open a plain file that no link leads to.

    Args:
        folder: of the site.
        path: below it.

    Returns:
        The open file.

    Raises:
        FileNotFoundError: there is none.
        IsADirectoryError: something else stands there, or on the way.
        OSError: it cannot be read.
    """
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


def status_of(path: Path) -> os.stat_result | None:
    """Give the status of a plain file; None for nothing, and for a link or a folder."""
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status if stat.S_ISREG(status.st_mode) else None

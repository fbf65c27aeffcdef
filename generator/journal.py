"""Journal: the moves that make staged files the site, so that a crash between them can be mended.

One JSON array a line: `["move", <staged>, <path>]`, `["remove", "", <path>]`, and `["end", "", ""]`
last. A path that is moved is a file, or a folder that is new. The journal lies in a folder anyone
may have edited, so it is read as input: every line is checked before the first one is followed, and
no line can name a place outside the site.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from generator import layout
from generator.errors import OutputError
from generator.limits import DEFAULT_LIMITS

STAGING = ".staging"
# Below it: what waits at the place it will have, and what waits under a number for such a place.
TREE, AGAIN = "tree", "again"
_NAME = "journal"
_MOVE, _REMOVE, _END = "move", "remove", "end"


@dataclass(frozen=True, slots=True)
class Step:
    """One line: move `source` (below the staging folder) to `path`, or remove `path`."""

    action: str
    source: str
    path: layout.SitePath


def move(path: layout.SitePath) -> Step:
    """Make the step that moves a staged file, or a staged folder that is new, into its place."""
    return Step(_MOVE, f"{TREE}/{path}", path)


def remove(path: layout.SitePath) -> Step:
    """Make the step that removes a file which only the previous manifest lists."""
    return Step(_REMOVE, "", path)


def has_journal(folder: Path) -> bool:
    """Tell whether a build of a site stopped between its journal and its last move."""
    return (folder / STAGING / _NAME).exists()


def write_journal(folder: Path, steps: Iterable[Step]) -> int:
    """Write a journal and flush it to the disk; from here on the new site will come about.

    Args:
        folder: the site's folder.
        steps: in the order in which they are to be done. If giving them fails, so does this, and
            there is no journal.

    Returns:
        How many there are.
    """
    path = folder / STAGING / _NAME
    count = 0  # the end is no step, so that counting from 0 gives the steps before it
    try:
        with path.open("wb") as file:
            for count, step in enumerate(chain(steps, (Step(_END, "", ""),))):  # noqa: B007
                file.write(json.dumps([step.action, step.source, step.path]).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return count


def replay_journal(
    folder: Path, *, resumed: bool, on_step: Callable[[int], None] = lambda _: None
) -> int:
    """Do what a journal says, as far as it is not done, and delete it.

    A journal without its end, or with a line that is not ours, is dropped: its build never came to
    moving anything.

    Args:
        folder: the site's folder.
        resumed: after a crash, so that some moves may be done already.
        on_step: called after each step with how many are done.

    Returns:
        How many files were removed.

    Raises:
        OutputError: a link or a file stands where a folder must be.
        OSError: a file cannot be moved, or is missing though nothing was done before; the journal
            stays.
    """
    path = folder / STAGING / _NAME
    removed = 0
    if _is_whole(path):
        for done, step in enumerate(_read(path), start=1):
            if step.action == _MOVE:
                _move_in(folder, folder / STAGING / step.source, step.path, resumed=resumed)
            elif step.action == _REMOVE:
                removed += _remove(folder, step.path)
            if step.action != _END:
                on_step(done)
    path.unlink()
    return removed


def require_real_folders(folder: Path, path: layout.SitePath) -> None:
    """Refuse to write through a link: it could lead out of the site.

    Args:
        folder: the site's folder.
        path: a path below it.

    Raises:
        OutputError: a link or a file stands where a folder must be.
    """
    current = folder
    for step in path.split("/")[:-1]:
        current = current / step
        if current.is_symlink():
            raise OutputError(path, expected="a folder above it", found=f"the link {step}")
        if not current.is_dir():
            if current.exists():
                raise OutputError(path, expected="a folder above it", found=f"the file {step}")
            return


def _is_whole(path: Path) -> bool:
    last = None
    try:
        for step in _read(path):
            if last == _END or not _is_ours(step):
                return False
            last = step.action
    except (ValueError, TypeError):
        return False
    return last == _END


def _is_ours(step: Step) -> bool:
    if step.action == _END:
        return True
    source = f"{TREE}/{step.path}" if step.action == _MOVE else ""
    is_known = step.action in {_MOVE, _REMOVE} and step.source == source
    return is_known and layout.is_site_path(step.path)


def _read(path: Path) -> Iterator[Step]:
    with path.open("rb") as file:
        while line := file.readline(DEFAULT_LIMITS.manifest_line_max_length):
            action, source, target = json.loads(line)
            yield Step(str(action), str(source), str(target))


def _move_in(folder: Path, source: Path, path: layout.SitePath, *, resumed: bool) -> None:
    target = folder / path
    require_real_folders(folder, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        source.rename(target)
    except FileNotFoundError:
        # What is gone was moved before the crash, or lost by it. A lost file is no reason to be
        # stuck: the next build compares with the disk and writes it again.
        if not resumed:
            raise
    except OSError as error:
        # Somebody has made a folder of that name meanwhile; nothing of his is replaced but files
        # of the same names.
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST} or not source.is_dir():
            raise
        for inner in sorted(source.iterdir()):
            _move_in(folder, inner, f"{path}/{inner.name}", resumed=resumed)


def _remove(folder: Path, path: layout.SitePath) -> int:
    target = folder / path
    try:
        require_real_folders(folder, path)
        # What is no plain file any more is not ours any more.
        if not stat.S_ISREG(target.lstat().st_mode):
            return 0
        target.unlink()
    except (FileNotFoundError, OutputError):
        return 0
    for parent in target.relative_to(folder).parents[:-1]:
        try:
            (folder / parent).rmdir()
        except OSError:  # not empty
            break
    return 1

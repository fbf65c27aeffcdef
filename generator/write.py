"""Write: rendered files → `site/`, so that a crash at any point leaves a site that serves.

    1. every new or changed file is written aside, into `site/.staging/files/`;
    2. the journal `site/.staging/journal` lists the moves and removals, flushed to the disk;
    3. each file is renamed into its place, the manifest last;
    4. what only the previous manifest lists is removed;
    5. `site/.staging/` goes.

A crash before 2 leaves the old site; after 2 the next build finishes the moves first. Files that no
manifest of ours lists are never overwritten and never removed. Unchanged files are not touched, so
that a later upload stays small.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from generator import layout
from generator.errors import OutputError
from generator.journal import (
    STAGING,
    Step,
    has_journal,
    move,
    remove,
    replay_journal,
    write_journal,
)
from generator.ledger import DatabaseError, Ledger, LedgerRow
from generator.limits import shorten
from generator.manifest import manifest_lines, read_manifest
from generator.progress import OnProgress, Progress, Stage
from generator.render import SiteFile, SiteStream
from generator.staging import Stager, staged_path

# What an operator may have put into an empty site/ before the first build.
INNOCENT = frozenset(("README.md", "CNAME"))


@dataclass(frozen=True, slots=True)
class WriteSummary:
    """What a build did to the site, in files."""

    total: int
    written: int
    removed: int


class SiteWriter:
    """The sink of one build; made by `open_site`."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        """Take a prepared folder.

        Args:
            folder: the site's folder, locked, with an empty staging folder.
            ledger: holding the previous manifest.
        """
        self.folder = folder
        self.workspace = folder / STAGING
        self._ledger = ledger
        self.stager = Stager(folder)

    def stage(self, file: SiteFile | SiteStream) -> None:
        """Write a file aside, unless the site has the same bytes already.

        Args:
            file: path and bytes; a second file of one path replaces the first.

        Raises:
            OutputError: the path is not one of a site, or something else stands there.
        """
        self.add(self.stager.stage(file))

    def add(self, row: LedgerRow) -> None:
        """Take over a file that was staged, here or in another process.

        Args:
            row: as `Stager.stage` gave it; a second one of a path replaces the first.

        Raises:
            OutputError: something that is not ours stands where the file is to go.
        """
        if row.staged is not None:
            self._refuse_foreign(row.path, self.folder / row.path)
        self._ledger.add(row)

    def has(self, path: layout.SitePath) -> bool:
        """Tell whether this build makes a file."""
        return self._ledger.find(path) is not None

    def read(self, path: layout.SitePath) -> bytes:
        """Read back a file of this build.

        Args:
            path: of a file that was staged.

        Returns:
            Its bytes, wherever they are now.
        """
        row = self._ledger.find(path)
        if row is None or row.staged is None:
            return (self.folder / path).read_bytes()
        return staged_path(self.folder, row.staged).read_bytes()

    def commit(
        self,
        *,
        generator: str,
        allow_removal: bool = False,
        on_progress: OnProgress = lambda _: None,
    ) -> WriteSummary:
        """Make the staged files the site.

        Args:
            generator: name and version, for the manifest.
            allow_removal: also if most records of the site would go.
            on_progress: called after each move or removal.

        Returns:
            What was done.

        Raises:
            OutputError: most records would go, and the site is as it was; or a file could not be
                moved in, and the next build finishes the work.
        """
        pages, gone = self._ledger.record_pages()
        if gone * 2 > pages and not allow_removal:
            # A wrong key or a wrong folder takes all records away at once; a wish seldom does.
            raise OutputError(
                str(self.folder),
                expected="at least half of the site's records to stay",
                found=f"{gone} of {pages} would be removed",
                hint="--allow-removal, if that is meant",
            )
        on_progress(Progress(Stage.WRITING, 0))
        with (self.workspace / layout.MANIFEST).open("wb") as manifest:
            for line in manifest_lines(self._ledger.rows(), generator=generator):
                manifest.write(line)
            _flush(manifest)
        total, written = self._ledger.counts()
        steps = write_journal(self.folder, self._steps())
        removed = replay_journal(
            self.folder,
            resumed=False,
            on_step=lambda done: on_progress(Progress(Stage.WRITING, done, steps)),
        )
        return WriteSummary(total=total, written=written, removed=removed)

    def _steps(self) -> Iterator[Step]:
        for row in self._ledger.staged():
            if row.staged is not None:
                staged = staged_path(self.folder, row.staged).relative_to(self.workspace)
                yield move(staged.as_posix(), row.path)
        yield move(layout.MANIFEST, layout.MANIFEST)
        for path in self._ledger.stale():
            yield remove(path)

    def _refuse_foreign(self, path: layout.SitePath, target: Path) -> None:
        if not os.path.lexists(target):
            return
        if target.is_dir() or not self._ledger.was_made_by_us(path):
            raise OutputError(
                path,
                expected="a file this mirror made, or none",
                found="something that no manifest of this site lists",
                hint="move it away, or build into another folder",
            )


@contextmanager
def open_site(folder: Path) -> Iterator[SiteWriter]:
    """Open a site's folder for one build.

    Args:
        folder: created if missing.

    Returns:
        The sink. Leaving without `commit` leaves the site as it was.

    Raises:
        OutputError: not a folder, not ours, not writable, or in use by another build.
    """
    try:
        _require_ours(folder)
        is_new = not folder.exists()
        (folder / STAGING).mkdir(parents=True, exist_ok=True)
        with _open_lock(folder / STAGING / "lock") as lock:
            _lock(lock, folder)
            try:
                _clear_staging(folder)
                yield from _opened(folder)
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


def _leave(folder: Path, *, is_new: bool) -> None:
    # With a journal the moves are not all done: the next build must finish them.
    if has_journal(folder):
        return
    shutil.rmtree(folder / STAGING, ignore_errors=True)
    if is_new:
        # A build that came to nothing leaves no empty folder behind.
        with suppress(OSError):
            folder.rmdir()


def _opened(folder: Path) -> Iterator[SiteWriter]:
    with closing(Ledger(folder / STAGING / "ledger.sqlite")) as ledger:
        for path, digest in read_manifest(folder / layout.MANIFEST):
            ledger.add_previous(path, digest)
        yield SiteWriter(folder, ledger)


def _require_ours(folder: Path) -> None:
    _require_real(folder, stat.S_ISDIR, "a folder")
    # A link in their place would lead the clearing and the writing out of the site.
    _require_real(folder / STAGING, stat.S_ISDIR, "a folder")
    _require_real(folder / layout.MANIFEST, stat.S_ISREG, "a file")
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


def _require_real(path: Path, is_kind: Callable[[int], bool], kind: str) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not is_kind(mode):
        raise OutputError(str(path), expected=kind, found="a link or something else")


def _name_of(error: OSError) -> str:
    return os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""


def _open_lock(path: Path) -> IO[bytes]:
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW
    return open(os.open(path, flags, 0o666), "wb")  # noqa: PTH123 - a descriptor, not a path


def _lock(lock: IO[bytes], folder: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise OutputError(
            str(folder), expected="no other build of this site", found="one that is running"
        ) from error


def _clear_staging(folder: Path) -> None:
    """Finish the moves of a build that died with a whole journal; drop what else is left."""
    if has_journal(folder):
        replay_journal(folder, resumed=True)
    for entry in os.scandir(folder / STAGING):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        elif entry.name != "lock":
            Path(entry.path).unlink()


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())

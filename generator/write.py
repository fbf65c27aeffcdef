"""Write: rendered files → `site/`, so that a crash at any point leaves a site that serves.

    1. every new or changed file is written aside, into `site/.staging/`;
    2. the journal `site/.staging/journal` lists the moves and removals, flushed to the disk;
    3. each is renamed into its place, a new folder as a whole, the manifest behind all others and
       the build state last;
    4. what only the previous manifest lists is removed;
    5. `site/.staging/` goes.

A crash before 2 leaves the old site; after 2 the next build finishes the moves first. Files that no
manifest of ours lists are never overwritten and never removed. Unchanged files are not touched, so
that a later upload stays small.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

from generator import layout
from generator.build_state import BuildState, open_database, spell_seal
from generator.errors import OutputError
from generator.journal import (
    STAGING,
    TREE,
    Step,
    move,
    remove,
    replay_journal,
    require_real_folders,
    write_journal,
)
from generator.ledger import Ledger
from generator.limits import DEFAULT_LIMITS
from generator.manifest import manifest_documents, manifest_letters, read_manifest
from generator.progress import OnProgress, Progress, Stage
from generator.render import SiteStream
from generator.sink import Sink, WriteSummary, require_pages
from generator.site_folder import hold_site
from generator.staging import Stager

_STATE_NAME = "state.sqlite"


class SiteWriter(Sink):
    """The sink that is a folder; made by `open_writer`."""

    stager: Stager

    def __init__(
        self, folder: Path, database: sqlite3.Connection, *, is_resumed: bool = False
    ) -> None:
        """Take a prepared folder.

        Args:
            folder: the site's folder, locked, with an empty staging folder.
            database: of the build; what it says of the site's files is true.
            is_resumed: that it comes from the last build, which the manifest is known to be of.
        """
        self._is_resumed = is_resumed
        self.folder = folder
        self.workspace = folder / STAGING
        self.database = database
        self.ledger = Ledger(database)
        self.stager = Stager(folder, is_new=not (folder / layout.MANIFEST).exists())

    def read(self, path: layout.SitePath) -> bytes:
        """Read back a file of this build.

        Args:
            path: of a file that was staged, or kept.

        Returns:
            Its bytes, wherever they are now.
        """
        row = self.ledger.find(path)
        return (self.folder / path if row is None else self.stager.place_of(row)).read_bytes()

    def commit(
        self,
        *,
        generator: str,
        allow_removal: bool = False,
        context: dict[str, str] | None = None,
        notes: tuple[str, ...] = (),
        part_max_count: int = DEFAULT_LIMITS.manifest_part_max_count,
        on_progress: OnProgress = lambda _: None,
    ) -> WriteSummary:
        """Make the staged files the site; the build's database is closed and kept beside it.

        Args:
            generator: name and version, for the manifest.
            allow_removal: also if most records of the site would go.
            context: under which the site was made, for the next build; without one nothing is kept.
            notes: for the operator, to be told again while nothing changes.
            part_max_count: of files that one document of the manifest lists, on average.
            on_progress: called after each move or removal.

        Returns:
            What was done.

        Raises:
            OutputError: most records would go, or something that is not ours stands where a file
                is to go, and the site is as it was; or a file could not be moved in, and the next
                build finishes the work.
        """
        require_pages(self.ledger, str(self.folder), allow_removal=allow_removal)
        on_progress(Progress(Stage.WRITING, 0))
        for row in self.ledger.forget_dropped():
            self.stager.discard(row)
        self._settle()
        total, written = self.ledger.counts()
        manifest = self.folder / layout.MANIFEST
        if not self._is_resumed or self.ledger.has_changes():
            manifest = self._write_manifest(generator, part_max_count)
        # That are removed, and are none of the site's.
        state_files = 0 if context is not None else len(self._old_state())
        steps = write_journal(self.folder, self._steps(manifest, context, notes))
        removed = replay_journal(
            self.folder,
            resumed=False,
            on_step=lambda done: on_progress(Progress(Stage.WRITING, done, steps)),
        )
        return WriteSummary(total=total, written=written, removed=removed - state_files)

    def _write_manifest(self, generator: str, part_max_count: int) -> Path:
        total, _ = self.ledger.counts()
        letters = manifest_letters(total, part_max_count=part_max_count)
        rows = self.ledger.rows(by_key=letters > 0)
        self.ledger.drop([layout.MANIFEST_PARTS])
        path = self._tree() / layout.MANIFEST
        for name, lines in manifest_documents(rows, generator=generator, letters=letters):
            if name != layout.MANIFEST:
                self._stage_part(SiteStream(name, lines))
                continue
            with path.open("wb") as manifest:
                manifest.writelines(lines)
                _flush(manifest)
        for row in self.ledger.forget_dropped():
            self.stager.discard(row)
        return path

    def _stage_part(self, part: SiteStream) -> None:
        row = self.stager.stage(part)
        if row.staged is not None:
            with (self.workspace / row.staged).open("rb") as file:
                os.fsync(file.fileno())
        self.ledger.add_part(row)

    def _tree(self) -> Path:
        tree = self.workspace / TREE
        tree.mkdir(exist_ok=True)
        return tree

    def _settle(self) -> None:
        """Bring what was staged under a number to the place it will have."""
        for row in self.ledger.staged():
            place = f"{TREE}/{row.path}"
            if row.staged is not None and row.staged != place:
                (self.workspace / place).parent.mkdir(parents=True, exist_ok=True)
                (self.workspace / row.staged).replace(self.workspace / place)

    def _steps(
        self, manifest: Path, context: dict[str, str] | None, notes: tuple[str, ...]
    ) -> Iterator[Step]:
        yield from map(move, self._moves())
        if self.workspace in manifest.parents:
            yield move(layout.MANIFEST)
        for path in self.ledger.stale():
            if layout.is_site_path(path):
                yield remove(path)
        if context is not None:
            self._save_state(manifest, context, notes)
            # The seal last: what it does not fit is not used.
            yield from map(move, layout.STATE_FILES)
        else:
            yield from map(remove, self._old_state())

    def _moves(self) -> Iterator[layout.SitePath]:
        """Give what is to be moved in: files, and folders that are new with all that is in them."""
        whole, real = "", ""
        for row in self.ledger.staged():
            if whole and row.path.startswith(whole):
                continue
            folder = row.path.rpartition("/")[0]
            missing = "" if folder == real else self._first_missing(row.path)
            if missing:
                whole = f"{missing}/"
                yield missing
                continue
            real = folder
            if os.path.lexists(self.folder / row.path):
                self._refuse_foreign(row.path, self.folder / row.path)
            yield row.path

    def _first_missing(self, path: layout.SitePath) -> layout.SitePath:
        """Give the uppermost folder above a path that the site does not have; empty if it has all.

        Raises:
            OutputError: a link or a file stands where a folder must be.
        """
        require_real_folders(self.folder, path)
        at = path.find("/")
        while at >= 0:
            if not (self.folder / path[:at]).exists():
                return path[:at]
            at = path.find("/", at + 1)
        return ""

    def _refuse_foreign(self, path: layout.SitePath, target: Path) -> None:
        if target.is_dir() or not self.ledger.was_made_by_us(path):
            raise OutputError(
                path,
                expected="a file this mirror made, or none",
                found="something that no manifest of this site lists",
                hint="move it away, or build into another folder",
            )

    def _old_state(self) -> list[layout.SitePath]:
        return [path for path in layout.STATE_FILES if (self.folder / path).is_file()]

    def _save_state(self, manifest: Path, context: dict[str, str], notes: tuple[str, ...]) -> None:
        self.database.execute("COMMIT")
        self.database.close()
        path = self._tree() / layout.STATE
        path.parent.mkdir(exist_ok=True)
        (self.workspace / _STATE_NAME).rename(path)
        seal = spell_seal(BuildState(path, context, notes), manifest=manifest)
        (self._tree() / layout.STATE_IGNORE).write_bytes(b"*\n")
        (self._tree() / layout.STATE_SEAL).write_bytes(seal)


@contextmanager
def open_writer(folder: Path, *, previous: Path | None) -> Iterator[SiteWriter]:
    """Open the sink of a site that is locked.

    Args:
        folder: the site's.
        previous: the database of the last build, to go on from; without one the build makes every
            file, and those of the last one that it does not make are removed.

    Yields:
        The sink. Leaving without `commit` leaves the site as it was.

    Raises:
        OutputError: the manifest of the site is none.
    """
    path = folder / STAGING / _STATE_NAME
    with closing(open_database(path, previous=previous)) as database:
        writer = SiteWriter(folder, database, is_resumed=previous is not None)
        if previous is None:
            for listed, _ in read_manifest(folder / layout.MANIFEST):
                writer.ledger.add_previous(listed)
        yield writer


@contextmanager
def open_site(folder: Path) -> Iterator[SiteWriter]:
    """Open a site's folder for a build that makes every file.

    Args:
        folder: created if missing.

    Yields:
        The sink. Leaving without `commit` leaves the site as it was.

    Raises:
        OutputError: not a folder, not ours, not writable, or in use by another build.
    """
    with hold_site(folder), open_writer(folder, previous=None) as writer:
        yield writer


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())

"""Ledger: which files the site has, kept from build to build, and what this build does to them.

`files` is part of the build state. The other tables stand in a working file beside it and are gone
with the build: what waits to be moved in, what is dropped unless somebody makes it again, and what
of the last build was made again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator import layout
from generator.build_state import create_tables
from generator.layout import SitePath
from generator.manifest import manifest_key

# What any working file of a build may raise, the catalogue included.
DatabaseError = sqlite3.Error
# `key` orders a manifest in parts; the parts themselves have none, since no part lists them.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, sha256 TEXT, length INTEGER,
    modified INTEGER, made_from TEXT, key TEXT) WITHOUT ROWID;
CREATE TABLE work.staged (path TEXT PRIMARY KEY, place TEXT) WITHOUT ROWID;
CREATE TABLE work.dropped (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE work.made_again (path TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_COLUMNS = "f.path, f.sha256, f.length, f.modified, s.place, f.made_from"
_ROWS = f"SELECT {_COLUMNS} FROM files f LEFT JOIN work.staged s ON s.path = f.path"  # noqa: S608
# Files of the last build that this one does not make, or makes again, or has not touched.
_OWN = (
    "SELECT 1 FROM work.made_again WHERE path = ?1"
    " UNION ALL SELECT 1 FROM work.dropped WHERE path = ?1"
    " AND NOT EXISTS (SELECT 1 FROM work.staged WHERE path = ?1)"
    " UNION ALL SELECT 1 FROM files WHERE path = ?1"
    " AND NOT EXISTS (SELECT 1 FROM work.staged WHERE path = ?1)"
)
_MADE_AGAIN = f"INSERT OR IGNORE INTO work.made_again SELECT ?1 FROM ({_OWN})"  # noqa: S608


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A file of this build.

    Digest in hex, length in bytes; `modified` is the time of its last change in nanoseconds, as
    the file system tells it; `staged` says where below the staging folder it waits to be moved in,
    if it does; `made_from` is the digest of all that it was made from, or empty.
    """

    path: SitePath
    sha256: str
    length: int
    modified: int
    staged: str | None = None
    made_from: str = ""


class Ledger:
    """The files of one site."""

    def __init__(self, db: sqlite3.Connection) -> None:
        """Take a build's database.

        Args:
            db: as `build_state.open_database` gives it.
        """
        self._db = db
        create_tables(db, _SCHEMA)
        # Of a site that is new nothing needs to be looked up.
        self._has_previous = self._is_any("files")

    def add_previous(self, path: SitePath) -> None:
        """Note a file of the last build of which nothing else is known."""
        self._has_previous = True
        self._db.execute("INSERT OR IGNORE INTO work.dropped VALUES (?)", (path,))

    def was_made_by_us(self, path: SitePath) -> bool:
        """Tell whether the last build made a file."""
        return self._db.execute(_OWN, (path,)).fetchone() is not None

    def drop(self, ranges: Iterable[tuple[str, str]]) -> None:
        """Drop the files in ranges of paths, unless they are made or kept again.

        Args:
            ranges: the first path, and the first one behind the last.
        """
        done = self._db.executemany(
            "INSERT OR IGNORE INTO work.dropped SELECT path FROM files"
            " WHERE path >= ? AND path < ?",
            ranges,
        )
        self._has_previous = self._has_previous or done.rowcount > 0

    def doubt(self, path: SitePath) -> None:
        """Forget what is known of a file, but that it is ours: it is not as it was left."""
        self.add_previous(path)
        self._db.execute("DELETE FROM files WHERE path = ?", (path,))

    def is_made_from(self, path: SitePath, made_from: str) -> bool:
        """Tell whether the site holds a file that was made from exactly this."""
        row = self._db.execute("SELECT made_from FROM files WHERE path = ?", (path,)).fetchone()
        return row is not None and row[0] == made_from

    def keep(self, path: SitePath) -> None:
        """Keep a file as it is."""
        self._db.execute("DELETE FROM work.dropped WHERE path = ?", (path,))

    def keep_all(self, ranges: Iterable[tuple[str, str]]) -> None:
        """Keep the files in ranges of paths as they are.

        Args:
            ranges: the first path, and the first one behind the last.
        """
        self._db.executemany("DELETE FROM work.dropped WHERE path >= ? AND path < ?", ranges)

    def add(self, row: LedgerRow) -> None:
        """Note a file of this build, or replace what is noted of it."""
        self._insert(row, manifest_key(row.path))

    def add_part(self, row: LedgerRow) -> None:
        """Note a part of the manifest, which no manifest lists as a file."""
        self._insert(row, None)

    def _insert(self, row: LedgerRow, key: str | None) -> None:
        if self._has_previous:
            self._db.execute(_MADE_AGAIN, (row.path,))
            self.keep(row.path)
        self._db.execute(
            "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)",
            (row.path, row.sha256, row.length, row.modified, row.made_from, key),
        )
        if row.staged is not None:
            self._db.execute(
                "INSERT OR REPLACE INTO work.staged VALUES (?, ?)", (row.path, row.staged)
            )
        elif self._has_previous:
            self._db.execute("DELETE FROM work.staged WHERE path = ?", (row.path,))

    def has(self, path: SitePath) -> bool:
        """Tell whether the site has a file as this build leaves it."""
        row = self._db.execute(
            "SELECT 1 FROM files WHERE path = ?1 AND path NOT IN work.dropped", (path,)
        ).fetchone()
        return row is not None

    def find(self, path: SitePath) -> LedgerRow | None:
        """Give the row of a file that the site has, dropped or not."""
        row = self._db.execute(f"{_ROWS} WHERE f.path = ?", (path,)).fetchone()
        return LedgerRow(*row) if row else None

    def forget_dropped(self) -> Iterator[LedgerRow]:
        """Take what is dropped out of the files of the site.

        Yields:
            The rows among them that had been staged, by path; their places are free.
        """
        rows = self._db.execute(f"{_ROWS} WHERE f.path IN work.dropped ORDER BY f.path")
        yield from (LedgerRow(*row) for row in rows.fetchall() if row[4] is not None)
        self._db.execute("DELETE FROM files WHERE path IN work.dropped")
        self._db.execute("DELETE FROM work.staged WHERE path IN work.dropped")

    def rows(self, *, by_key: bool = False) -> Iterator[LedgerRow]:
        """Stream every file of the site, by path, or by key and path; parts are left out."""
        order = "f.key, f.path" if by_key else "f.path"
        rows = self._db.execute(f"{_ROWS} WHERE f.key IS NOT NULL ORDER BY {order}")
        return (LedgerRow(*row) for row in rows)

    def rows_and_parts(self) -> Iterator[LedgerRow]:
        """Stream every file of the site, by path, the parts of the manifest among them."""
        return (LedgerRow(*row) for row in self._db.execute(f"{_ROWS} ORDER BY f.path"))

    def staged(self) -> Iterator[LedgerRow]:
        """Stream the files that wait to be moved in, by path, and then the manifest's parts."""
        rows = self._db.execute(
            f"SELECT {_COLUMNS} FROM work.staged s CROSS JOIN files f ON f.path = s.path"  # noqa: S608
            " ORDER BY f.key IS NULL, s.path"
        )
        return (LedgerRow(*row) for row in rows)

    def stale(self) -> Iterator[SitePath]:
        """Stream files of the last build that this one does not make, by path."""
        return (row[0] for row in self._db.execute("SELECT path FROM work.dropped ORDER BY path"))

    def record_pages(self) -> tuple[int, int]:
        """Count the record pages of the last build, and those of them this one does not make."""
        pages = (layout.record_page("*"),)
        gone = self._count("SELECT count(*) FROM work.dropped WHERE path GLOB ?", pages)
        if not gone:
            return 0, 0
        again = self._count(
            "SELECT count(*) FROM files f WHERE path GLOB ? AND path NOT IN work.dropped"
            " AND (path IN work.made_again OR path NOT IN (SELECT path FROM work.staged))",
            pages,
        )
        return gone + again, gone

    def counts(self) -> tuple[int, int]:
        """Count all files of the site, and those that are new or changed."""
        total = self._count("SELECT count(*) FROM files WHERE key IS NOT NULL")
        return total, self._count("SELECT count(*) FROM work.staged")

    def has_changes(self) -> bool:
        """Tell whether any file is new, changed or dropped."""
        return self._is_any("work.staged") or self._is_any("work.dropped")

    def _is_any(self, table: str) -> bool:
        # The name is a constant of this module.
        return self._db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None  # noqa: S608

    def _count(self, query: str, values: tuple[str, ...] = ()) -> int:
        return int(self._db.execute(query, values).fetchone()[0])

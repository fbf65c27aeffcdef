"""Ledger: which files the last build made and which this one makes, in SQLite on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator import layout
from generator.layout import SitePath
from generator.manifest import manifest_key

# What any working file of a build may raise, the catalogue included.
DatabaseError = sqlite3.Error
_ROW = "path, sha256, length, staged"
# `key` orders a manifest in parts; the parts themselves have none, since no part lists them.
_SCHEMA = """
CREATE TABLE previous (path TEXT PRIMARY KEY, sha256 TEXT) WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY, sha256 TEXT, length INTEGER, staged INTEGER, key TEXT)
    WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A file of this build: digest (hex), length (bytes), and number if it waits to be moved in."""

    path: SitePath
    sha256: str
    length: int
    staged: int | None


class Ledger:
    """A working file of one build; after a crash it is thrown away."""

    def __init__(self, path: Path) -> None:
        """Create an empty ledger.

        Args:
            path: a file that does not exist yet.
        """
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_SCHEMA} BEGIN;")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def add_previous(self, path: SitePath, sha256: str) -> None:
        """Note a file of the last build."""
        self._db.execute("INSERT OR REPLACE INTO previous VALUES (?, ?)", (path, sha256))

    def was_made_by_us(self, path: SitePath) -> bool:
        """Tell whether the last build made a file."""
        row = self._db.execute("SELECT 1 FROM previous WHERE path = ?", (path,)).fetchone()
        return row is not None

    def add(self, row: LedgerRow) -> None:
        """Note a file of this build, or replace what is noted of it."""
        self._insert(row, manifest_key(row.path))

    def add_part(self, row: LedgerRow) -> None:
        """Note a part of the manifest, which no manifest lists as a file."""
        self._insert(row, None)

    def find(self, path: SitePath) -> LedgerRow | None:
        """Give the row of a file of this build, if it has one."""
        query = f"SELECT {_ROW} FROM files WHERE path = ?"  # noqa: S608 - names of columns
        row = self._db.execute(query, (path,)).fetchone()
        return LedgerRow(*row) if row else None

    def rows(self, *, by_key: bool = False) -> Iterator[LedgerRow]:
        """Stream every file of this build, by path, or by key and path; parts are left out."""
        return self._rows(f"WHERE key IS NOT NULL ORDER BY {'key, path' if by_key else 'path'}")

    def staged(self) -> Iterator[LedgerRow]:
        """Stream the files that wait to be moved in, by path, and then the manifest's parts."""
        return self._rows("WHERE staged IS NOT NULL ORDER BY key IS NULL, path")

    def _insert(self, row: LedgerRow, key: str | None) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)",
            (row.path, row.sha256, row.length, row.staged, key),
        )

    def _rows(self, which: str) -> Iterator[LedgerRow]:
        query = f"SELECT {_ROW} FROM files {which}"  # noqa: S608 - ours, from above
        return (LedgerRow(*row) for row in self._db.execute(query))

    def stale(self) -> Iterator[SitePath]:
        """Stream files of the last build that this one does not make, by path."""
        rows = self._db.execute(
            "SELECT path FROM previous WHERE path NOT IN (SELECT path FROM files) ORDER BY path"
        )
        return (row[0] for row in rows)

    def record_pages(self) -> tuple[int, int]:
        """Count the record pages of the last build, and those of them this one does not make."""
        row = self._db.execute(
            "SELECT count(*), count(*) - count(f.path) FROM previous p"
            " LEFT JOIN files f ON f.path = p.path WHERE p.path GLOB ?",
            (layout.record_page("*"),),
        ).fetchone()
        return int(row[0]), int(row[1])

    def counts(self) -> tuple[int, int]:
        """Count all files of this build, and those that are new or changed."""
        row = self._db.execute("SELECT count(*), count(staged) FROM files").fetchone()
        return int(row[0]), int(row[1])

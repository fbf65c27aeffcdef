"""Fixity index: what a manifest lists and what else a site holds, in SQLite on disk."""

from __future__ import annotations

import os
import sqlite3
import unicodedata
from collections.abc import Iterator

from generator.fixity import Entry

_SCHEMA = """
CREATE TABLE listed (path TEXT PRIMARY KEY, sha256 TEXT, length INTEGER) WITHOUT ROWID;
CREATE TABLE extra (path BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE served (suffix TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE folded (name TEXT, path BLOB, PRIMARY KEY (name, path)) WITHOUT ROWID;
"""


class FixityIndex:
    """A private working file that is gone when it is closed."""

    def __init__(self) -> None:
        """Open an empty one, in the folder for temporary files."""
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_SCHEMA} BEGIN;")

    def close(self) -> None:
        """Close it and give up its file."""
        self._db.close()

    def add(self, entry: Entry) -> bool:
        """Note a listed file; False if its path was noted before."""
        row = (entry.path, entry.sha256, entry.length)
        done = self._db.execute("INSERT OR IGNORE INTO listed VALUES (?, ?, ?)", row)
        self._fold(entry.path)
        return done.rowcount == 1

    def add_extra(self, path: str) -> None:
        """Note a file that nobody lists; its name may be any bytes."""
        self._db.execute("INSERT OR IGNORE INTO extra VALUES (?)", (os.fsencode(path),))
        self._fold(path)

    def add_served(self, suffix: str) -> None:
        """Note a record that the bundles hold."""
        self._db.execute("INSERT OR IGNORE INTO served VALUES (?)", (suffix,))

    def is_served(self, suffix: str) -> bool:
        """Tell whether a record was noted as one that the bundles hold."""
        row = self._db.execute("SELECT 1 FROM served WHERE suffix = ?", (suffix,)).fetchone()
        return row is not None

    def find(self, path: str) -> Entry | None:
        """Give the entry of a listed path."""
        if not path.isascii():  # as every path of a site is; any other may not even be text
            return None
        row = self._db.execute("SELECT * FROM listed WHERE path = ?", (path,)).fetchone()
        return Entry(*row) if row else None

    def entries(self) -> Iterator[Entry]:
        """Stream the listed files, by path."""
        return (Entry(*row) for row in self._db.execute("SELECT * FROM listed ORDER BY path"))

    def extras(self) -> Iterator[str]:
        """Stream the files that nobody lists, by path."""
        rows = self._db.execute("SELECT path FROM extra ORDER BY path")
        return (os.fsdecode(row[0]) for row in rows)

    def alike(self) -> Iterator[tuple[str, str]]:
        """Stream pairs of paths that differ only in case or in Unicode normalisation."""
        rows = self._db.execute(
            "SELECT min(path), max(path) FROM folded GROUP BY name HAVING count(*) > 1"
        )
        return ((os.fsdecode(row[0]), os.fsdecode(row[1])) for row in rows)

    def _fold(self, path: str) -> None:
        plain = os.fsencode(path).decode("utf-8", "backslashreplace")
        name = unicodedata.normalize("NFC", plain).casefold()
        self._db.execute("INSERT OR IGNORE INTO folded VALUES (?, ?)", (name, os.fsencode(path)))

"""Which word stands in which record, sorted on disk: what the search files ask the catalogue.

Words are spelled as their full codes (see `search_words`): ASCII, and none begins another.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from enum import Enum

from generator.build_state import create_tables

_SCHEMA = """
CREATE TABLE work.tokens (code TEXT, field INTEGER, number INTEGER);
CREATE TABLE work.entries (code TEXT, length INTEGER, spelled TEXT);
CREATE UNIQUE INDEX work.entries_by_code ON entries (code, length);
CREATE TABLE work.shards (code TEXT, length INTEGER);
CREATE UNIQUE INDEX work.shards_by_code ON shards (code, length);
"""


class CodeTable(Enum):
    """Things that stand under codes, each with a length in bytes."""

    ENTRIES = "entries"  # words, under their full codes
    SHARDS = "shards"  # files of words, under what their codes begin with


class WordIndex:
    """The words of a catalogue; memory does not grow with them. Every query is ordered."""

    def __init__(self, db: sqlite3.Connection) -> None:
        """Create the empty index.

        Args:
            db: the catalogue's file.
        """
        self._db = db
        create_tables(db, _SCHEMA)

    def clear(self) -> None:
        """Forget all words."""
        self._db.execute("DELETE FROM work.tokens")
        for table in CodeTable:
            self._db.execute(f"DELETE FROM work.{table.value}")  # noqa: S608 - a constant

    def add(self, tokens: Iterable[tuple[str, int, int]]) -> None:
        """Take in words.

        Args:
            tokens: full code, field and record number; none twice.
        """
        self._db.executemany("INSERT INTO work.tokens VALUES (?, ?, ?)", tokens)

    def tokens(self) -> Iterator[tuple[str, int, int]]:
        """Stream full code, field and record number of every word, sorted by them."""
        return iter(
            self._db.execute(
                "SELECT code, field, number FROM work.tokens ORDER BY code, field, number"
            )
        )

    def add_entry(self, code: str, spelled: str) -> None:
        """Keep what is said of a word.

        Args:
            code: its full code.
            spelled: in ASCII.
        """
        # With the comma between two of them.
        values = (code, len(spelled) + 1, spelled)
        self._db.execute("INSERT INTO work.entries VALUES (?, ?, ?)", values)

    def add_shard(self, key: str) -> None:
        """Keep the key of a shard."""
        self._db.execute("INSERT INTO work.shards VALUES (?, ?)", (key, len(key) + len('"",')))

    def measure(self, table: CodeTable, prefix: str) -> tuple[int, int]:
        """Measure what stands under the codes that begin alike.

        Args:
            table: of what.
            prefix: of the codes; may be empty.

        Returns:
            How many there are, and their length in bytes.
        """
        row = self._db.execute(
            f"SELECT count(*), coalesce(sum(length), 0) FROM work.{table.value}"  # noqa: S608
            " WHERE code >= ? AND code < ?",
            _range(prefix),
        ).fetchone()
        return int(row[0]), int(row[1])

    def longer(self, table: CodeTable, prefix: str) -> tuple[str, ...]:
        """Give the beginnings of codes that are one character longer.

        Args:
            table: of what.
            prefix: of the codes; may be empty.

        Returns:
            Sorted; there are no more than characters that a code is made of.
        """
        rows = self._db.execute(
            f"SELECT DISTINCT substr(code, 1, ?) AS longer FROM work.{table.value}"  # noqa: S608
            " WHERE code >= ? AND code < ? ORDER BY longer",
            (len(prefix) + 1, *_range(prefix)),
        )
        return tuple(row[0] for row in rows)

    def entries(self, prefix: str) -> Iterator[str]:
        """Stream what is said of the words whose codes begin alike, by code."""
        rows = self._db.execute(
            "SELECT spelled FROM work.entries WHERE code >= ? AND code < ? ORDER BY code",
            _range(prefix),
        )
        return (row[0] for row in rows)

    def shards(self, prefix: str) -> Iterator[str]:
        """Stream the keys of shards that begin alike, sorted."""
        rows = self._db.execute(
            "SELECT code FROM work.shards WHERE code >= ? AND code < ? ORDER BY code",
            _range(prefix),
        )
        return (row[0] for row in rows)


def _range(prefix: str) -> tuple[str, str]:
    # Codes are of a-z, digits, `_` and `-`, all of which sort before `~`.
    return prefix, f"{prefix}~"

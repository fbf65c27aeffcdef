"""When each record was received and last changed: what feeds and sitemaps ask the catalogue."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from generator import layout
from generator.build_state import create_tables
from generator.catalogued import CataloguedRecord, parse_catalogued
from generator.formats.instant import Instant, parse_instant

# `changed` and `received` are UTC times whose order as text is that of time (see `_key`).
_SCHEMA = """
CREATE TABLE IF NOT EXISTS changes (suffix TEXT PRIMARY KEY, changed TEXT, received TEXT)
    WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS changes_by_change ON changes (changed, suffix);
CREATE INDEX IF NOT EXISTS changes_by_receipt ON changes (received, suffix);
"""
# Of `listings` and `listed`: see catalogue_listings.
_IN_LISTING = (
    "listed m JOIN changes x ON x.suffix = m.suffix"
    " WHERE m.listing = (SELECT id FROM listings WHERE folder = ?)"
)
_DATE_LENGTH = len("2026-05-18")


class ChangeIndex:
    """The records of a catalogue by the times that trusted keys signed. Every query is ordered."""

    def __init__(self, db: sqlite3.Connection) -> None:
        """Create the empty index.

        Args:
            db: the catalogue's file, with its tables.
        """
        self._db = db
        create_tables(db, _SCHEMA)

    def add(self, record: CataloguedRecord) -> None:
        """Take in a record, or replace what is known of it.

        Args:
            record: as catalogued.
        """
        self._db.execute(
            "INSERT OR REPLACE INTO changes VALUES (?, ?, ?)",
            (
                record.suffix,
                _key(parse_instant(record.changed_at, subject="changed_at")),
                _key(parse_instant(record.receipt_at, subject="receipt_at")),
            ),
        )

    def remove(self, suffix: str) -> None:
        """Forget a record."""
        self._db.execute("DELETE FROM changes WHERE suffix = ?", (suffix,))

    def newest(self, limit: int) -> Iterator[CataloguedRecord]:
        """Stream the records that changed last, the last one first.

        Args:
            limit: how many.

        Returns:
            By time of change, then by id, both falling.
        """
        return self._records(
            "SELECT suffix, changed FROM changes ORDER BY changed DESC, suffix DESC LIMIT ?",
            limit,
        )

    def newest_since_receipt(self, limit: int, *, received: int) -> Iterator[CataloguedRecord]:
        """Stream the records that changed last, and with them those that were received last.

        Args:
            limit: how many of the first kind.
            received: how many of the second.

        Returns:
            Each record once, by time of change, then by id, both falling.
        """
        return self._records(
            "SELECT suffix, changed FROM changes WHERE suffix IN ("
            " SELECT suffix FROM changes ORDER BY changed DESC, suffix DESC LIMIT ?)"
            " OR suffix IN ("
            " SELECT suffix FROM changes ORDER BY received DESC, suffix DESC LIMIT ?)",
            limit,
            received,
        )

    def newest_of_category(self, category: str, limit: int) -> Iterator[CataloguedRecord]:
        """Stream the records of a category that changed last.

        Args:
            category: primary or cross-listed.
            limit: how many.

        Returns:
            By time of change, then by id, both falling.
        """
        return self._records(
            f"SELECT x.suffix, x.changed FROM {_IN_LISTING}"  # noqa: S608 - a constant
            " ORDER BY x.changed DESC, x.suffix DESC LIMIT ?",
            layout.category_folder(category),
            limit,
        )

    def by_receipt(self) -> Iterator[CataloguedRecord]:
        """Stream every record, the one received first first, then by id."""
        rows = self._db.execute(
            "SELECT k.facts FROM changes x CROSS JOIN catalogued k ON k.suffix = x.suffix"
            " ORDER BY x.received, x.suffix"
        )
        return (parse_catalogued(row[0]) for row in rows)

    def count(self) -> int:
        """Count the records."""
        return int(self._db.execute("SELECT count(*) FROM changes").fetchone()[0])

    def counts_by_prefix(self, prefix: str) -> tuple[tuple[str, int], ...]:
        """Count the records whose ids begin alike, one character beyond a prefix.

        Args:
            prefix: of the ids; may be empty.

        Returns:
            Longer prefixes with their counts, sorted; none without a record.
        """
        rows = self._db.execute(
            "SELECT substr(suffix, 1, ?) AS longer, count(*) FROM changes"
            " WHERE suffix >= ? AND suffix < ? GROUP BY longer ORDER BY longer",
            (len(prefix) + 1, *_range(prefix)),
        )
        return tuple((longer, int(count)) for longer, count in rows)

    def days_by_prefix(self, prefix: str) -> Iterator[tuple[str, str]]:
        """Stream the records whose ids begin with a prefix, by id.

        Args:
            prefix: of the ids; may be empty.

        Returns:
            Id and day of the last change (UTC).
        """
        rows = self._db.execute(
            "SELECT suffix, substr(changed, 1, ?) FROM changes WHERE suffix >= ? AND suffix < ?"
            " ORDER BY suffix",
            (_DATE_LENGTH, *_range(prefix)),
        )
        return ((suffix, day) for suffix, day in rows)

    def newest_day(self, prefix: str = "") -> str:
        """Give the day of the last change of records whose ids begin with a prefix; else empty."""
        return self._day(
            "SELECT max(changed) FROM changes WHERE suffix >= ? AND suffix < ?", *_range(prefix)
        )

    def first_day(self) -> str:
        """Give the earliest day on which some record changed last; empty without records."""
        return self._day("SELECT min(changed) FROM changes")

    def newest_day_of_listing(self, folder: str) -> str:
        """Give the day of the last change of the records of a listing; empty without records."""
        return self._day(f"SELECT max(x.changed) FROM {_IN_LISTING}", folder)  # noqa: S608

    def _records(self, chosen: str, *values: object) -> Iterator[CataloguedRecord]:
        # The query is a constant of this module; the facts are read for the chosen records only.
        rows = self._db.execute(
            f"SELECT k.facts FROM ({chosen}) x JOIN catalogued k"  # noqa: S608
            " ON k.suffix = x.suffix ORDER BY x.changed DESC, x.suffix DESC",
            values,
        )
        return (parse_catalogued(row[0]) for row in rows)

    def _day(self, query: str, *values: object) -> str:
        found = self._db.execute(query, values).fetchone()[0]
        return str(found)[:_DATE_LENGTH] if found else ""


def _key(moment: Instant) -> str:
    # Ten digits: a leap second has more than 10^9 nanoseconds (see Instant).
    return f"{moment.utc[:-1]}.{moment.nanoseconds:010}"


def _range(prefix: str) -> tuple[str, str]:
    # Ids are of A-Z and 2-7, so every one of them sorts before `[`.
    return prefix, f"{prefix}["

"""Catalogue: what is listed where, in SQLite on disk; memory does not grow with the records.

It is a part of the build state, and so what the next build goes on from. Every query that leaves
this module is ordered, so that the same records give the same pages.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum

from generator.build_state import create_tables
from generator.bundle_index import BundleIndex
from generator.catalogue_listings import (
    LISTED_COLUMNS,
    ListingIndex,
    listed_record,
    listed_values,
)
from generator.catalogued import CataloguedRecord, parse_catalogued, spell_catalogued
from generator.change_index import ChangeIndex
from generator.citation_index import CitationIndex
from generator.formats.checks import Outcome
from generator.formats.identifiers import PithNumber, parse_pith_number
from generator.listing_pages import ListedRecord
from generator.plan import plan_aliases, plan_memberships
from generator.record_files import RecordUnit
from generator.word_index import WordIndex

_SCHEMA = """
CREATE TABLE IF NOT EXISTS records (
    suffix TEXT PRIMARY KEY, pith_number TEXT, title TEXT, submitted_on TEXT, source TEXT,
    category TEXT, verdict TEXT, authors TEXT, author_count INTEGER, warnings TEXT,
    received_on TEXT, submitted_at TEXT,
    newest_seconds INTEGER, newest_nanoseconds INTEGER, newest TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS records_by_time ON records (submitted_at, suffix);
CREATE TABLE IF NOT EXISTS catalogued (suffix TEXT PRIMARY KEY, facts TEXT);
CREATE TABLE IF NOT EXISTS aliases (path TEXT, kind TEXT, value TEXT, suffix TEXT,
    PRIMARY KEY (path, suffix)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS aliases_by_suffix ON aliases (suffix);
CREATE TABLE work.rebuilt (suffix TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE work.changed (family TEXT PRIMARY KEY) WITHOUT ROWID;
"""


class Family(Enum):
    """Files about all records that are made from a part of what is catalogued."""

    LISTINGS = "listings"  # and alias pages
    SEARCH = "search"


class Catalogue:
    """What is known of the records of a site.

    `bundles` are what they came in, `citations` the links between them.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        """Take a build's database.

        Args:
            db: as `build_state.open_database` gives it.
        """
        self._db = db
        create_tables(db, _SCHEMA)
        self.bundles = BundleIndex(db)
        self.citations = CitationIndex(db)
        self.changes = ChangeIndex(db)
        self.listings = ListingIndex(db)
        self.words = WordIndex(db)

    def pith_number(self, suffix: str) -> PithNumber:
        """Give the Pith Number of a record that is listed.

        Args:
            suffix: the record's id.

        Returns:
            As computed from the record.
        """
        row = self._db.execute(
            "SELECT pith_number FROM records WHERE suffix = ?", (suffix,)
        ).fetchone()
        return parse_pith_number(row[0], subject=suffix)

    def add_record(self, unit: RecordUnit) -> None:
        """List a record, or replace what is listed of it.

        Args:
            unit: what the record contributes to the site.
        """
        record, suffix, newest = unit.record, unit.listed.suffix, unit.newest
        values = (
            *listed_values(unit.listed),
            str(record.submitted_at),
            newest.seconds,
            newest.nanoseconds,
            str(newest),
        )
        old = self._catalogued(suffix)
        self._note_changes(unit, old)
        marks = ", ".join("?" * len(values))
        self._db.execute(f"INSERT OR REPLACE INTO records VALUES ({marks})", values)  # noqa: S608
        self._db.executemany(
            "INSERT OR REPLACE INTO aliases VALUES (?, ?, ?, ?)",
            [(path, kind, value, suffix) for kind, value, path in plan_aliases(record)],
        )
        self.listings.add(unit.catalogued, replaced=old)
        self._db.execute(
            "INSERT OR REPLACE INTO catalogued VALUES (?, ?)",
            (suffix, spell_catalogued(unit.catalogued)),
        )
        self.citations.add(record, unit.cites)
        self.changes.add(unit.catalogued)
        self._db.execute("INSERT OR IGNORE INTO work.rebuilt VALUES (?)", (suffix,))

    def remove_record(self, suffix: str) -> None:
        """List a record no more; nothing happens to one that is not listed.

        Args:
            suffix: the record's id.
        """
        old = self._catalogued(suffix)
        if old is None:
            return
        self._note(*Family)
        self.listings.remove(old)
        self.citations.remove(suffix)
        self.changes.remove(suffix)
        for table in ("records", "catalogued", "aliases"):
            self._db.execute(f"DELETE FROM {table} WHERE suffix = ?", (suffix,))  # noqa: S608

    def is_listed(self, suffix: str) -> bool:
        """Tell whether a record is published."""
        row = self._db.execute("SELECT 1 FROM records WHERE suffix = ?", (suffix,)).fetchone()
        return row is not None

    def is_rebuilt(self, suffix: str) -> bool:
        """Tell whether this build has made the files of a record anew."""
        row = self._db.execute("SELECT 1 FROM work.rebuilt WHERE suffix = ?", (suffix,)).fetchone()
        return row is not None

    def has_changed(self, family: Family) -> bool:
        """Tell whether this build changes anything that the files of a family are made from."""
        row = self._db.execute(
            "SELECT 1 FROM work.changed WHERE family = ?", (family.value,)
        ).fetchone()
        return row is not None

    def _note_changes(self, unit: RecordUnit, old: CataloguedRecord | None) -> None:
        if old is None or _searched(old) != _searched(unit.catalogued):
            self._note(Family.SEARCH)
        row = self._db.execute(
            f"SELECT {LISTED_COLUMNS} FROM records r WHERE r.suffix = ?",  # noqa: S608
            (unit.listed.suffix,),
        ).fetchone()
        is_listed = old is not None and plan_memberships(old) == plan_memberships(unit.catalogued)
        if not is_listed or row != listed_values(unit.listed):
            self._note(Family.LISTINGS)

    def _note(self, *families: Family) -> None:
        self._db.executemany(
            "INSERT OR IGNORE INTO work.changed VALUES (?)", [(f.value,) for f in families]
        )

    def suffixes(self) -> Iterator[str]:
        """Stream the ids of all records, in order."""
        return (row[0] for row in self._db.execute("SELECT suffix FROM records ORDER BY suffix"))

    def record_count(self) -> int:
        """Count published records."""
        return int(self._db.execute("SELECT count(*) FROM records").fetchone()[0])

    def newest(self, limit: int) -> tuple[ListedRecord, ...]:
        """Give the records submitted last.

        Args:
            limit: how many.

        Returns:
            Newest first.
        """
        return tuple(self._records("ORDER BY r.submitted_at DESC, r.suffix DESC LIMIT ?", limit))

    def newest_time(self) -> str:
        """Give the latest time any published record claims, as written; empty without records."""
        row = self._db.execute(
            "SELECT newest FROM records"
            " ORDER BY newest_seconds DESC, newest_nanoseconds DESC, newest LIMIT 1"
        ).fetchone()
        return str(row[0]) if row else ""

    def every_record(self) -> Iterator[CataloguedRecord]:
        """Stream all that is kept of every record, by id."""
        rows = self._db.execute("SELECT facts FROM catalogued ORDER BY suffix")
        return (parse_catalogued(row[0]) for row in rows)

    def aliases(self) -> Iterator[tuple[str, str, str, ListedRecord]]:
        """Stream path, kind, value and record of every alias, by path, then oldest record first."""
        rows = self._db.execute(
            f"SELECT a.path, a.kind, a.value, {LISTED_COLUMNS} FROM aliases a"  # noqa: S608 - a constant
            " JOIN records r ON r.suffix = a.suffix ORDER BY a.path, r.submitted_at, r.suffix"
        )
        return ((row[0], row[1], row[2], listed_record(row[3:])) for row in rows)

    def check_counts(self) -> tuple[tuple[Outcome, int], ...]:
        """Count the checks on the bundles that are served.

        Returns:
            Every outcome with its count.
        """
        row = self._db.execute(
            "SELECT coalesce(sum(json_extract(facts, '$.checks[0]')), 0),"
            " coalesce(sum(json_extract(facts, '$.checks[1]')), 0),"
            " coalesce(sum(json_extract(facts, '$.checks[2]')), 0) FROM catalogued"
        ).fetchone()
        outcomes = (Outcome.VERIFIED, Outcome.NOT_CHECKABLE, Outcome.FAILED)
        return tuple(zip(outcomes, map(int, row), strict=True))

    def event_counts(self) -> Iterator[tuple[str, str, int]]:
        """Stream kind, month and number of the verified events that name a time, in this order."""
        rows = self._db.execute(
            "SELECT json_extract(e.value, '$[0]') AS kind, json_extract(e.value, '$[1]') AS month,"
            " count(*) FROM catalogued, json_each(facts, '$.events') e"
            " GROUP BY kind, month ORDER BY kind, month"
        )
        return ((kind, month, int(count)) for kind, month, count in rows)

    def primary_categories(self) -> tuple[tuple[str, int], ...]:
        """Give primary categories with their counts, the most frequent first, then by name."""
        return tuple(
            self._db.execute(
                "SELECT category, count(*) AS number FROM records GROUP BY category"
                " ORDER BY number DESC, category"
            )
        )

    def _catalogued(self, suffix: str) -> CataloguedRecord | None:
        row = self._db.execute(
            "SELECT facts FROM catalogued WHERE suffix = ?", (suffix,)
        ).fetchone()
        return parse_catalogued(row[0]) if row else None

    def _records(self, clause: str, *values: object) -> Iterator[ListedRecord]:
        # The clause is a constant of this module; values from bundles are always bound.
        query = f"SELECT {LISTED_COLUMNS} FROM records r {clause}"  # noqa: S608
        return map(listed_record, self._db.execute(query, values))


def _searched(record: CataloguedRecord) -> CataloguedRecord:
    """Give a record without what no search file says of it."""
    return replace(
        record,
        authors_known="",
        abstract_known="",
        license="",
        license_url="",
        changed_at="",
        canonical_sha256="",
        bundle_sha256="",
        bundle_length=0,
        checks=(0, 0, 0),
        events=(),
    )

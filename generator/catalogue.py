"""Catalogue: what is listed where, in SQLite on disk; memory does not grow with the records.

It is a working file of one build inside `site/.staging/` and can be deleted at any time. Every
query that leaves this module is ordered, so that the same records give the same pages.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from generator.catalogue_listings import (
    LISTED_COLUMNS,
    ListingIndex,
    listed_record,
    listed_values,
)
from generator.catalogued import CataloguedRecord, parse_catalogued, spell_catalogued
from generator.change_index import ChangeIndex
from generator.citation_index import CitationIndex
from generator.formats.checks import Check, Outcome, Verdict, check_from_json
from generator.formats.identifiers import PithNumber, parse_pith_number
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS
from generator.listing_pages import ListedRecord, ReportEntry
from generator.plan import plan_aliases
from generator.record_files import RecordUnit
from generator.verify import BundleReport
from generator.word_index import WordIndex

_SCHEMA = """
CREATE TABLE bundles (
    seq INTEGER PRIMARY KEY, origin TEXT, digest TEXT, pith_number TEXT, suffix TEXT,
    verdict TEXT, checks TEXT
);
CREATE TABLE records (
    suffix TEXT PRIMARY KEY, pith_number TEXT, title TEXT, submitted_on TEXT, source TEXT,
    category TEXT, verdict TEXT, authors TEXT, author_count INTEGER, warnings TEXT,
    received_on TEXT, submitted_at TEXT, origin TEXT,
    newest_seconds INTEGER, newest_nanoseconds INTEGER, newest TEXT
) WITHOUT ROWID;
CREATE TABLE catalogued (suffix TEXT PRIMARY KEY, facts TEXT);
CREATE TABLE aliases (path TEXT, kind TEXT, value TEXT, suffix TEXT,
    PRIMARY KEY (path, suffix)) WITHOUT ROWID;
CREATE TABLE duplicates (suffix TEXT, data BLOB, origin TEXT, verified INTEGER,
    PRIMARY KEY (suffix, data))
    WITHOUT ROWID;
CREATE INDEX records_by_time ON records (submitted_at, suffix);
CREATE INDEX bundles_by_verdict ON bundles (verdict, seq);
"""
_REPORT_COLUMNS = "b.origin, b.digest, b.pith_number, coalesce(r.suffix, ''), b.verdict, b.checks"
# What an operator must look at.
FAULTY = (Verdict.DISPUTED, Verdict.REJECTED)
# The order in which verdicts are told, best first.
VERDICTS = (Verdict.VERIFIED, Verdict.PARTLY, Verdict.DISPUTED, Verdict.REJECTED)


class Catalogue:
    """The listings of one build; `citations` are the links between its records."""

    def __init__(self, path: Path) -> None:
        """Create an empty catalogue.

        Args:
            path: a file that does not exist yet.
        """
        self._db = sqlite3.connect(path, isolation_level=None)
        self.citations = CitationIndex(self._db)
        self.changes = ChangeIndex(self._db)
        self.listings = ListingIndex(self._db)
        self.words = WordIndex(self._db)
        # A working file needs no journal: after a crash it is thrown away.
        self._db.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_SCHEMA} BEGIN;")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def add_report(self, report: BundleReport) -> None:
        """Note the report of one bundle, in the order of loading.

        Args:
            report: with all its checks.
        """
        rows = [check.as_json() for check in _unverified(report.checks)]
        self._db.execute(
            "INSERT INTO bundles (origin, digest, pith_number, suffix, verdict, checks)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                report.origin,
                str(report.digest or ""),
                str(report.pith_number or ""),
                report.pith_number.suffix if report.pith_number else "",
                report.verdict.value,
                json.dumps(rows),
            ),
        )

    def first_origin(self, suffix: str) -> str | None:
        """Tell where a record already in the catalogue came from.

        Args:
            suffix: the record's id.

        Returns:
            The origin of its first bundle, or None.
        """
        row = self._db.execute("SELECT origin FROM records WHERE suffix = ?", (suffix,)).fetchone()
        return row[0] if row else None

    def add_duplicate(self, suffix: str, raw: RawBundle, *, verified: int) -> None:
        """Keep a bundle of a record that has more than one.

        Args:
            suffix: the record's id.
            raw: an admitted bundle; keeping one twice changes nothing.
            verified: how many of its events verified.
        """
        self._db.execute(
            "INSERT OR IGNORE INTO duplicates VALUES (?, ?, ?, ?)",
            (suffix, raw.data, raw.origin, verified),
        )

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

    def has_duplicates(self, suffix: str) -> bool:
        """Tell whether bundles of a record are kept."""
        row = self._db.execute("SELECT 1 FROM duplicates WHERE suffix = ?", (suffix,)).fetchone()
        return row is not None

    def duplicated(self) -> tuple[tuple[str, str], ...]:
        """Give the records that have more than one bundle, by id, with the first one's origin."""
        rows = self._db.execute(
            "SELECT DISTINCT d.suffix, r.origin FROM duplicates d"
            " JOIN records r ON r.suffix = d.suffix ORDER BY d.suffix"
        )
        return tuple(rows.fetchall())

    def duplicates(self, suffix: str) -> tuple[RawBundle, ...]:
        """Give the bundles of a record that has more than one.

        Args:
            suffix: the record's id.

        Returns:
            The distinct bundles, most verified events first, then by their bytes, as many as fit
            into the bound on a union: nobody can fill the memory with copies of one record.
        """
        rows = self._db.execute(
            "SELECT origin, data FROM duplicates WHERE suffix = ? ORDER BY verified DESC, data",
            (suffix,),
        )
        bundles: list[RawBundle] = []
        room = DEFAULT_LIMITS.united_max_length
        for origin, data in rows:
            room -= len(data)
            if bundles and room < 0:
                break
            bundles.append(RawBundle(origin, data))
        return tuple(bundles)

    def add_record(self, unit: RecordUnit, *, origin: str) -> None:
        """List a record, or replace what is listed of it.

        Args:
            unit: what the record contributes to the site.
            origin: where its bundle came from.
        """
        record, suffix, newest = unit.record, unit.listed.suffix, unit.newest
        values = (
            *listed_values(unit.listed),
            str(record.submitted_at),
            origin,
            newest.seconds,
            newest.nanoseconds,
            str(newest),
        )
        marks = ", ".join("?" * len(values))
        self._db.execute(f"INSERT OR REPLACE INTO records VALUES ({marks})", values)  # noqa: S608
        self._db.executemany(
            "INSERT OR REPLACE INTO aliases VALUES (?, ?, ?, ?)",
            [(path, kind, value, suffix) for kind, value, path in plan_aliases(record)],
        )
        self.listings.add(unit.catalogued, replaced=self._catalogued(suffix))
        self._db.execute(
            "INSERT OR REPLACE INTO catalogued VALUES (?, ?)",
            (suffix, spell_catalogued(unit.catalogued)),
        )
        self.citations.add(record, unit.cites)
        self.changes.add(unit.catalogued)

    def counts(self) -> tuple[tuple[Verdict, int], ...]:
        """Count bundles by verdict.

        Returns:
            Every verdict with its count, best first, zeros included.
        """
        found = dict(self._db.execute("SELECT verdict, count(*) FROM bundles GROUP BY verdict"))
        return tuple((verdict, int(found.get(verdict.value, 0))) for verdict in VERDICTS)

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

    def unpublished(self) -> Iterator[str]:
        """Stream the ids of records whose bytes could be read but which were rejected, by id."""
        rows = self._db.execute(
            "SELECT DISTINCT suffix FROM bundles WHERE verdict = ? AND suffix != ''"
            " AND suffix NOT IN (SELECT suffix FROM records) ORDER BY suffix",
            (Verdict.REJECTED.value,),
        )
        return (row[0] for row in rows)

    def all_reports(self) -> Iterator[ReportEntry]:
        """Stream the report of every bundle, in the order of loading."""
        return self._reports("ORDER BY b.seq")

    def faulty_count(self) -> int:
        """Count bundles that were rejected or in which a check failed."""
        return sum(count for verdict, count in self.counts() if verdict in FAULTY)

    def faulty_reports(self) -> Iterator[ReportEntry]:
        """Stream what `report.html` shows, last entry first: rejected bundles end up on top."""
        values = [verdict.value for verdict in FAULTY]
        return self._reports(
            "WHERE b.verdict IN (?, ?) ORDER BY b.verdict = ?, b.seq DESC",
            *values,
            Verdict.REJECTED.value,
        )

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

    def _reports(self, clause: str, *values: object) -> Iterator[ReportEntry]:
        tables = "bundles b LEFT JOIN records r ON r.suffix = b.suffix"
        query = f"SELECT {_REPORT_COLUMNS} FROM {tables} {clause}"  # noqa: S608 - constants again
        return map(_report_entry, self._db.execute(query, values))


def _unverified(checks: Sequence[Check]) -> list[Check]:
    return [check for check in checks if check.outcome is not Outcome.VERIFIED]


def _report_entry(row: tuple[str, ...]) -> ReportEntry:
    origin, digest, pith_number, suffix, verdict, checks = row
    return ReportEntry(
        origin=origin,
        digest=digest,
        pith_number=pith_number,
        suffix=suffix,
        verdict=Verdict(verdict),
        checks=tuple(check_from_json(check) for check in json.loads(checks)),
    )

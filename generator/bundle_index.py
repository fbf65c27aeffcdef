"""Bundle index: what was read, what came of each bundle, and which records that touches.

A part of the build state. An input is a file that was read; its bundles stand in it by number. Of a
record with several bundles all are kept, since the loss of one must not need the others again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.build_state import create_tables
from generator.formats.checks import Check, Outcome, Verdict, check_from_json
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS
from generator.listing_pages import ReportEntry
from generator.load import FileStamp, Place
from generator.verify import BundleReport

_SCHEMA = """
CREATE TABLE IF NOT EXISTS inputs (input BLOB PRIMARY KEY, stamp TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bundles (input BLOB, member INTEGER, origin TEXT, digest TEXT,
    pith_number TEXT, suffix TEXT, verdict TEXT, checks TEXT, verified INTEGER,
    PRIMARY KEY (input, member)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS bundles_by_suffix ON bundles (suffix);
CREATE INDEX IF NOT EXISTS bundles_by_verdict ON bundles (verdict, input, member);
CREATE TABLE IF NOT EXISTS copies (suffix TEXT, digest TEXT, data BLOB,
    PRIMARY KEY (suffix, digest)) WITHOUT ROWID;
CREATE TABLE work.touched (suffix TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_COLUMNS = "origin, digest, pith_number, suffix, verdict, checks, verified"
_REPORT = (
    "SELECT b.origin, b.digest, b.pith_number, coalesce(r.suffix, ''), b.verdict, b.checks"
    " FROM bundles b LEFT JOIN records r ON r.suffix = b.suffix"
)
# Admitted, so that its events were counted.
_ADMITTED = "b.verified IS NOT NULL"
# Of equal copies the first one gives its name.
_FIRST_COPY = (
    "(SELECT {column} FROM bundles b WHERE b.suffix = c.suffix"  # noqa: S608 - constants
    f" AND b.digest = c.digest AND {_ADMITTED} ORDER BY b.input, b.member LIMIT 1)"
)
# What an operator must look at.
FAULTY = (Verdict.DISPUTED, Verdict.REJECTED)
# The order in which verdicts are told, best first.
VERDICTS = (Verdict.VERIFIED, Verdict.PARTLY, Verdict.DISPUTED, Verdict.REJECTED)


@dataclass(frozen=True, slots=True)
class KnownInput:
    """An input of the last build, and how its file looked then; empty if nobody could tell."""

    key: bytes
    stamp: str


class BundleIndex:
    """The bundles of one site. Every query is ordered as the inputs are loaded."""

    def __init__(self, db: sqlite3.Connection) -> None:
        """Take a build's database.

        Args:
            db: as `build_state.open_database` gives it.
        """
        self._db = db
        create_tables(db, _SCHEMA)

    def put(self, place: Place, report: BundleReport, *, verified: int | None) -> None:
        """Note what came of a bundle, in place of what stood there.

        Args:
            place: where it was read.
            report: with all its checks.
            verified: how many of its events verified; None for a rejected bundle.
        """
        row = (*_report_row(report), verified)
        old = self._row(place)
        if row == old and verified is None:
            return
        if old is not None:
            self._forget(place, old)
        self._db.execute(
            "INSERT INTO bundles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (place.input, place.member, *row),
        )
        self._touch(str(row[3]))

    def known(self, place: Place) -> tuple[str, str, str] | None:
        """Give origin, digest and id of what stood in a place in the last build."""
        row = self._row(place)
        return (str(row[0]), str(row[1]), str(row[3])) if row else None

    def forget_from(self, place: Place) -> None:
        """Forget the bundles of an input from a place on: it holds fewer than it did."""
        rows = self._db.execute(
            f"SELECT member, {_COLUMNS} FROM bundles WHERE input = ? AND member >= ?",  # noqa: S608
            (place.input, place.member),
        )
        for member, *row in rows.fetchall():
            self._forget(Place(place.input, member), tuple(row))

    def forget_input(self, key: bytes) -> None:
        """Forget an input that is gone."""
        self.forget_from(Place(key, 0))
        self._db.execute("DELETE FROM inputs WHERE input = ?", (key,))

    def note_input(self, key: bytes, stamp: FileStamp | None) -> None:
        """Note how the file of an input looked before it was read."""
        text = "" if stamp is None else str(stamp)
        self._db.execute("INSERT OR REPLACE INTO inputs VALUES (?, ?)", (key, text))

    def inputs(self) -> Iterator[KnownInput]:
        """Stream the inputs of the last build, by key."""
        rows = self._db.execute("SELECT input, stamp FROM inputs ORDER BY input")
        return (KnownInput(*row) for row in rows)

    def inputs_of(self, suffix: str) -> tuple[bytes, ...]:
        """Give the keys of the inputs that hold bundles of a record."""
        rows = self._db.execute(
            "SELECT DISTINCT input FROM bundles WHERE suffix = ? ORDER BY input", (suffix,)
        )
        return tuple(row[0] for row in rows)

    def is_held_elsewhere(self, suffix: str, place: Place) -> bool:
        """Tell whether another place holds an admitted bundle of a record too."""
        row = self._db.execute(
            f"SELECT 1 FROM bundles b WHERE b.suffix = ? AND {_ADMITTED}"  # noqa: S608
            " AND NOT (b.input = ? AND b.member = ?)",
            (suffix, place.input, place.member),
        ).fetchone()
        return row is not None

    def add_copy(self, suffix: str, digest: str, data: bytes) -> None:
        """Keep a bundle of a record that has more than one; keeping one twice changes nothing."""
        self._db.execute("INSERT OR IGNORE INTO copies VALUES (?, ?, ?)", (suffix, digest, data))

    def has_copies(self, suffix: str) -> bool:
        """Tell whether the bundles of a record are kept; if so, then all that are admitted."""
        row = self._db.execute("SELECT 1 FROM copies WHERE suffix = ?", (suffix,)).fetchone()
        return row is not None

    def copies(self, suffix: str) -> tuple[RawBundle, ...]:
        """Give the bundles of a record that has more than one.

        Args:
            suffix: the record's id.

        Returns:
            The distinct bundles, most verified events first, then by their bytes, as many as fit
            into the bound on a union: nobody can fill the memory with copies of one record.
        """
        rows = self._db.execute(
            f"SELECT {_FIRST_COPY.format(column='b.origin')}, c.data,"  # noqa: S608 - constants
            f" {_FIRST_COPY.format(column='b.verified')} AS verified"
            " FROM copies c WHERE c.suffix = ? ORDER BY verified DESC, c.data",
            (suffix,),
        )
        bundles: list[RawBundle] = []
        room = DEFAULT_LIMITS.united_max_length
        for origin, data, _ in rows:
            room -= len(data)
            if bundles and room < 0:
                break
            bundles.append(RawBundle(origin, data))
        return tuple(bundles)

    def drop_single_copies(self) -> None:
        """Stop keeping the bundles of records that have only one any more."""
        self._db.execute(
            "DELETE FROM copies WHERE suffix IN work.touched AND 1 = (SELECT count(*)"  # noqa: S608
            f" FROM bundles b WHERE b.suffix = copies.suffix AND {_ADMITTED})"
        )

    def is_touched(self) -> bool:
        """Tell whether this build changes what is known of any bundle."""
        return self._db.execute("SELECT 1 FROM work.touched LIMIT 1").fetchone() is not None

    def to_unite(self) -> Iterator[str]:
        """Stream the touched records whose bundles are kept, by id."""
        rows = self._db.execute(
            "SELECT t.suffix FROM work.touched t"
            " WHERE EXISTS (SELECT 1 FROM copies c WHERE c.suffix = t.suffix) ORDER BY t.suffix"
        )
        return (row[0] for row in rows)

    def gone(self) -> Iterator[str]:
        """Stream the touched ids of which no bundle is admitted (any more), by id."""
        rows = self._db.execute(
            "SELECT t.suffix FROM work.touched t WHERE t.suffix != ''"  # noqa: S608
            f" AND NOT EXISTS (SELECT 1 FROM bundles b WHERE b.suffix = t.suffix AND {_ADMITTED})"
            " ORDER BY t.suffix"
        )
        return (row[0] for row in rows)

    def counts(self) -> tuple[tuple[Verdict, int], ...]:
        """Count bundles by verdict.

        Returns:
            Every verdict with its count, best first, zeros included.
        """
        found = dict(self._db.execute("SELECT verdict, count(*) FROM bundles GROUP BY verdict"))
        return tuple((verdict, int(found.get(verdict.value, 0))) for verdict in VERDICTS)

    def faulty_count(self) -> int:
        """Count bundles that were rejected or in which a check failed."""
        return sum(count for verdict, count in self.counts() if verdict in FAULTY)

    def unpublished(self) -> Iterator[str]:
        """Stream the ids of records whose bytes could be read but which were rejected, by id."""
        rows = self._db.execute(
            "SELECT DISTINCT suffix FROM bundles WHERE verdict = ? AND suffix != ''"
            " AND suffix NOT IN (SELECT suffix FROM records) ORDER BY suffix",
            (Verdict.REJECTED.value,),
        )
        return (row[0] for row in rows)

    def reports(self) -> Iterator[ReportEntry]:
        """Stream the report of every bundle, in the order of loading."""
        return self._reports("ORDER BY b.input, b.member")

    def faulty_reports(self) -> Iterator[ReportEntry]:
        """Stream the reports of faulty bundles, in the order of loading."""
        values = [verdict.value for verdict in FAULTY]
        return self._reports("WHERE b.verdict IN (?, ?) ORDER BY b.input, b.member", *values)

    def shown_reports(self) -> Iterator[ReportEntry]:
        """Stream what `report.html` shows, last entry first: rejected bundles end up on top."""
        values = [verdict.value for verdict in FAULTY]
        return self._reports(
            "WHERE b.verdict IN (?, ?) ORDER BY b.verdict = ?, b.input DESC, b.member DESC",
            *values,
            Verdict.REJECTED.value,
        )

    def _row(self, place: Place) -> tuple[object, ...] | None:
        row: tuple[object, ...] | None = self._db.execute(
            f"SELECT {_COLUMNS} FROM bundles WHERE input = ? AND member = ?",  # noqa: S608
            (place.input, place.member),
        ).fetchone()
        return row

    def _forget(self, place: Place, row: tuple[object, ...]) -> None:
        digest, suffix = row[1], str(row[3])
        self._db.execute(
            "DELETE FROM bundles WHERE input = ? AND member = ?", (place.input, place.member)
        )
        self._db.execute(
            "DELETE FROM copies WHERE suffix = ?1 AND digest = ?2 AND NOT EXISTS (SELECT 1"  # noqa: S608
            f" FROM bundles b WHERE b.suffix = ?1 AND b.digest = ?2 AND {_ADMITTED})",
            (suffix, digest),
        )
        self._touch(suffix)

    def _touch(self, suffix: str) -> None:
        self._db.execute("INSERT OR IGNORE INTO work.touched VALUES (?)", (suffix,))

    def _reports(self, clause: str, *values: object) -> Iterator[ReportEntry]:
        # The clause is a constant of this module; values from bundles are always bound.
        return map(_report_entry, self._db.execute(f"{_REPORT} {clause}", values))


def _report_row(report: BundleReport) -> tuple[str, ...]:
    rows = [check.as_json() for check in _unverified(report.checks)]
    return (
        report.origin,
        str(report.digest or ""),
        str(report.pith_number or ""),
        report.pith_number.suffix if report.pith_number else "",
        report.verdict.value,
        json.dumps(rows),
    )


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

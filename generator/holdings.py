"""Holdings: two collections of bundles side by side, in SQLite on disk, and what differs.

Bytes that both sides hold are verified once and never compared; the other records are compared one
at a time, so memory does not grow with the number of records. The file has no name and is gone when
it is closed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from generator.compare import RecordDiff, compare_record, gained_record, lost_record
from generator.config import Configuration
from generator.formats.checks import Check, Outcome
from generator.formats.digest import sha256
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS
from generator.load import Loaded
from generator.record_files import check_raw_bundle, known_record, report_served, served_bundle
from generator.seen import Seen, seen_record
from generator.verify import BundleReport

_SCHEMA = """
CREATE TABLE bundles (digest BLOB PRIMARY KEY, pith_number TEXT, verified INTEGER, data BLOB,
    admitted INTEGER);
CREATE TABLE held (side INTEGER, pith_number TEXT, digest BLOB, origin TEXT,
    PRIMARY KEY (side, pith_number, digest)) WITHOUT ROWID;
CREATE TABLE nameless (side INTEGER, count INTEGER);
"""
# Records of which the two sides hold other bytes.
_DIFFERING = """
SELECT pith_number FROM (
    SELECT pith_number, digest FROM held GROUP BY pith_number, digest HAVING count(*) = 1
) GROUP BY pith_number ORDER BY pith_number
"""
_EQUAL = f"""
SELECT count(DISTINCT pith_number) FROM held WHERE pith_number NOT IN ({_DIFFERING})
"""  # noqa: S608 - a constant
# What each record of a side has; the digest tells only where it is the only one.
_RECORDS = """
SELECT h.pith_number, min(h.digest), count(*), max(b.admitted)
FROM held h JOIN bundles b ON b.digest = h.digest
WHERE h.side = ? GROUP BY h.pith_number ORDER BY h.pith_number
"""
_BUNDLES = """
SELECT h.origin, b.data FROM held h JOIN bundles b ON b.digest = h.digest
WHERE h.side = ? AND h.pith_number = ? ORDER BY b.verified DESC, b.data
"""


class Side(IntEnum):
    """Which of two collections."""

    OLD = 0
    NEW = 1


@dataclass(frozen=True, slots=True)
class _Served:
    """What a side makes of a record: `seen` is None where it publishes none, `reason` says why."""

    seen: Seen | None
    reason: str = ""


class Holdings:
    """Two collections of bundles."""

    def __init__(self, configuration: Configuration) -> None:
        """Open an empty store.

        Args:
            configuration: the mirror's; both sides are verified under it.
        """
        self._configuration = configuration
        # An empty name is a private file of SQLite's own, in the folder for temporary files.
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_SCHEMA} BEGIN;")

    def close(self) -> None:
        """Close the store and give up its file."""
        self._db.close()

    def add(self, side: Side, loaded: Loaded) -> None:
        """Take in a bundle of one side.

        Args:
            side: whose it is.
            loaded: the bundle, or what could not be read; such things are only counted.
        """
        if not isinstance(loaded, RawBundle):
            self._add_nameless(side)
            return
        digest = sha256(loaded.data).raw
        row = self._db.execute(
            "SELECT pith_number FROM bundles WHERE digest = ?", (digest,)
        ).fetchone()
        number = str(row[0]) if row else self._add_bundle(digest, loaded)
        if not number:
            self._add_nameless(side)
            return
        self._db.execute(
            "INSERT OR IGNORE INTO held VALUES (?, ?, ?, ?)", (side, number, digest, loaded.origin)
        )

    def nameless_count(self, side: Side) -> int:
        """Count what could not be read as a bundle of any record.

        Args:
            side: whose.

        Returns:
            How many files, members and lines.
        """
        return self._count("SELECT count(*) FROM nameless WHERE side = ?", side)

    def bundle_count(self, side: Side) -> int:
        """Count the distinct bundles of a side.

        Args:
            side: whose.

        Returns:
            How many, rejected ones included.
        """
        return self._count("SELECT count(*) FROM held WHERE side = ?", side)

    def equal_count(self) -> int:
        """Count the records of which both sides hold the same bytes.

        Returns:
            How many; whether they are published was not looked at.
        """
        return self._count(_EQUAL)

    def differences(self) -> Iterator[RecordDiff]:
        """Compare the records of which the sides hold other bytes.

        Yields:
            Their differences, by Pith Number; a record that is equal after all is among them, one
            that neither side publishes is not.
        """
        for (number,) in self._db.execute(_DIFFERING):
            old, new = self._served(Side.OLD, number), self._served(Side.NEW, number)
            if old.seen is not None and new.seen is not None:
                yield compare_record(old.seen, new.seen)
            elif old.seen is not None:
                yield lost_record(old.seen, reason=new.reason)
            elif new.seen is not None:
                yield gained_record(new.seen)

    def served_digests(self, side: Side) -> Iterator[tuple[str, str]]:
        """Tell what a build would serve of each record of a side.

        Args:
            side: whose.

        Yields:
            Pith Number and digest (hex) of the bundle, by Pith Number; a record of which every
            bundle is rejected is left out.
        """
        for number, digest, count, admitted in self._db.execute(_RECORDS, (side,)):
            if admitted and count == 1:
                yield number, digest.hex()
            elif admitted:
                reports = [r for r in self._reports(side, number) if r.verified is not None]
                report = report_served(reports, self._configuration)
                yield number, str(sha256(served_bundle(report).raw.data))

    def _add_nameless(self, side: Side) -> None:
        self._db.execute("INSERT INTO nameless VALUES (?, 1)", (side,))

    def _add_bundle(self, digest: bytes, raw: RawBundle) -> str:
        report = check_raw_bundle(raw, self._configuration)
        number = "" if report.pith_number is None else str(report.pith_number)
        events = report.verified.events if report.verified else ()
        verified = sum(1 for event in events if event.outcome is Outcome.VERIFIED)
        self._db.execute(
            "INSERT INTO bundles VALUES (?, ?, ?, ?, ?)",
            (digest, number, verified, raw.data if number else b"", report.verified is not None),
        )
        return number

    def _served(self, side: Side, number: str) -> _Served:
        reports = self._reports(side, number)
        admitted = [report for report in reports if report.verified is not None]
        if admitted:
            served = report_served(admitted, self._configuration)
            return _Served(seen_record(known_record(served, self._configuration)))
        return _Served(None, _rejection(reports[0]) if reports else "")

    def _reports(self, side: Side, number: str) -> list[BundleReport]:
        return [check_raw_bundle(raw, self._configuration) for raw in self._raws(side, number)]

    def _raws(self, side: Side, number: str) -> Iterator[RawBundle]:
        # The same bound, in the same order, as on the union that a build makes of copies.
        room = DEFAULT_LIMITS.united_max_length
        for index, (origin, data) in enumerate(self._db.execute(_BUNDLES, (side, number))):
            room -= len(data)
            if index and room < 0:
                return
            yield RawBundle(origin, data)

    def _count(self, query: str, *values: int) -> int:
        return int(self._db.execute(query, values).fetchone()[0])


def _rejection(report: BundleReport) -> str:
    failed: Check = next(c for c in report.checks if c.outcome is not Outcome.VERIFIED)
    return (
        f"its bundle {report.origin} is rejected: {failed.step} {failed.name}: "
        f"expected {failed.expected}, found {failed.found}"
    )

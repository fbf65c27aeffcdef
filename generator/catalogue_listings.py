"""Which record stands in which listing: the part of the catalogue that browsing needs.

Every query that leaves this module is ordered, so that the same records give the same pages.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

from generator.build_state import create_tables
from generator.catalogued import CataloguedRecord
from generator.formats.checks import Verdict
from generator.listing_pages import ListedRecord
from generator.plan import ListingKind, author_sort_key, plan_memberships

_SCHEMA = """
CREATE TABLE IF NOT EXISTS listings (id INTEGER PRIMARY KEY, folder TEXT UNIQUE, kind TEXT,
    sort TEXT);
CREATE INDEX IF NOT EXISTS listings_by_kind ON listings (kind, sort, folder);
CREATE TABLE IF NOT EXISTS listed (listing INTEGER, moment TEXT, suffix TEXT, name TEXT,
    PRIMARY KEY (listing, moment, suffix)) WITHOUT ROWID;
"""
# The columns of `records` that `listed_record` reads.
LISTED_COLUMNS = (
    "r.suffix, r.pith_number, r.title, r.submitted_on, r.source, r.category, r.verdict, r.authors,"
    " r.author_count, r.warnings, r.received_on"
)


class ListingIndex:
    """The listings of one build."""

    def __init__(self, db: sqlite3.Connection) -> None:
        """Create the empty index.

        Args:
            db: the catalogue's file, with its tables.
        """
        self._db = db
        create_tables(db, _SCHEMA)

    def add(self, record: CataloguedRecord, *, replaced: CataloguedRecord | None) -> None:
        """List a record.

        Args:
            record: as catalogued.
            replaced: what was listed of the same record before; no longer what its pages say.
        """
        if replaced is not None:
            self.remove(replaced)
        rows = plan_memberships(record)
        # The smaller key of two names that share a folder, whichever came first.
        self._db.executemany(
            "INSERT INTO listings (folder, kind, sort) VALUES (?, ?, ?)"
            " ON CONFLICT (folder) DO UPDATE SET sort = excluded.sort WHERE excluded.sort < sort",
            [(row.folder, row.kind.value, row.sort) for row in rows],
        )
        self._db.executemany(
            "INSERT INTO listed SELECT id, ?, ?, ? FROM listings WHERE folder = ?",
            [(row.moment, record.suffix, row.name, row.folder) for row in rows],
        )

    def remove(self, record: CataloguedRecord) -> None:
        """List a record no more.

        Args:
            record: as it was catalogued.
        """
        for row in plan_memberships(record):
            self._db.execute(
                "DELETE FROM listed WHERE moment = ? AND suffix = ?"
                " AND listing = (SELECT id FROM listings WHERE folder = ?)",
                (row.moment, record.suffix, row.folder),
            )
            self._set_sort(row.folder, row.kind)

    def _set_sort(self, folder: str, kind: ListingKind) -> None:
        """Drop a listing that is empty, and let the names that are left decide on its order."""
        if kind is ListingKind.AUTHOR:
            names = self._db.execute(
                "SELECT DISTINCT m.name FROM listed m JOIN listings l ON l.id = m.listing"
                " WHERE l.folder = ?",
                (folder,),
            )
            sort = min((author_sort_key(row[0]) for row in names), default="")
            self._db.execute("UPDATE listings SET sort = ? WHERE folder = ?", (sort, folder))
        self._db.execute(
            "DELETE FROM listings WHERE folder = ?"
            " AND NOT EXISTS (SELECT 1 FROM listed m WHERE m.listing = listings.id)",
            (folder,),
        )

    def records(self, folder: str) -> Iterator[ListedRecord]:
        """Stream the records of a listing, oldest first.

        Args:
            folder: the listing's; one that nothing stands in has no records.

        Returns:
            By the listing's own moment, then by id.
        """
        rows = self._db.execute(
            f"SELECT {LISTED_COLUMNS} FROM listed m CROSS JOIN records r"  # noqa: S608 - constants
            " ON r.suffix = m.suffix WHERE m.listing = (SELECT id FROM listings WHERE folder = ?)"
            " ORDER BY m.moment, m.suffix",
            (folder,),
        )
        return map(listed_record, rows)

    def count(self, folder: str) -> int:
        """Count the records of a listing."""
        row = self._db.execute(
            "SELECT count(*) FROM listed"
            " WHERE listing = (SELECT id FROM listings WHERE folder = ?)",
            (folder,),
        ).fetchone()
        return int(row[0])

    def groups(self, kind: ListingKind) -> Iterator[tuple[str, str, bool, int]]:
        """Stream the listings of a kind that hold records.

        Args:
            kind: by what records are listed.

        Returns:
            Folder, name, whether other names share the folder, and number of records; by the kind's
            own order.
        """
        rows = self._db.execute(
            "SELECT l.folder, min(m.name), min(m.name) <> max(m.name), count(*)"
            " FROM listings l JOIN listed m ON m.listing = l.id WHERE l.kind = ?"
            " GROUP BY l.sort, l.folder ORDER BY l.sort, l.folder",
            (kind.value,),
        )
        return ((folder, name, bool(several), count) for folder, name, several, count in rows)

    def years(self) -> tuple[tuple[int, int], ...]:
        """Give years with their counts, newest first."""
        groups = tuple(self.groups(ListingKind.YEAR))
        return tuple((int(name), count) for _, name, _, count in reversed(groups))

    def categories(self) -> tuple[tuple[str, int], ...]:
        """Give categories with their counts, by name."""
        return tuple((name, count) for _, name, _, count in self.groups(ListingKind.CATEGORY))

    def author_count(self, prefix: str | None = None) -> int:
        """Count the authors whose sort keys begin alike.

        Args:
            prefix: of the keys; empty for those without a key; None for all authors.

        Returns:
            How many have records.
        """
        first, last = ("", "~") if prefix is None else _range(prefix)
        row = self._db.execute(
            "SELECT count(*) FROM listings l WHERE l.kind = ? AND l.sort >= ? AND l.sort <= ?"
            " AND EXISTS (SELECT 1 FROM listed m WHERE m.listing = l.id)",
            (ListingKind.AUTHOR.value, first, last),
        ).fetchone()
        return int(row[0])

    def author_prefixes(self, prefix: str) -> tuple[tuple[str, int], ...]:
        """Count the authors whose sort keys begin alike, one character beyond a prefix.

        Args:
            prefix: of the keys; may be empty.

        Returns:
            Longer prefixes with their counts, sorted; the empty one, of authors without a key, is
            among them where the prefix is empty.
        """
        first, last = _range(prefix) if prefix else ("", "~")
        rows = self._db.execute(
            "SELECT substr(l.sort, 1, ?) AS longer, count(*) FROM listings l"
            " WHERE l.kind = ? AND l.sort >= ? AND l.sort <= ?"
            " AND EXISTS (SELECT 1 FROM listed m WHERE m.listing = l.id)"
            " GROUP BY longer ORDER BY longer",
            (len(prefix) + 1, ListingKind.AUTHOR.value, first, last),
        )
        return tuple((longer, int(count)) for longer, count in rows)

    def authors(self, prefix: str | None = None) -> Iterator[tuple[str, str, int]]:
        """Stream the authors whose sort keys begin alike.

        Args:
            prefix: of the keys; empty for those without a key; None for all authors.

        Returns:
            Folder, name and number of records; by key, then by name, those without a key last.
        """
        first, last = ("", "~") if prefix is None else _range(prefix)
        rows = self._db.execute(
            "SELECT l.folder, min(m.name) AS name, count(*) FROM listings l"
            " JOIN listed m ON m.listing = l.id"
            " WHERE l.kind = ? AND l.sort >= ? AND l.sort <= ?"
            " GROUP BY l.id ORDER BY l.sort = '', l.sort, name, l.folder",
            (ListingKind.AUTHOR.value, first, last),
        )
        return ((folder, name, count) for folder, name, count in rows)


def listed_record(row: tuple[str, ...]) -> ListedRecord:
    """Read the columns of LISTED_COLUMNS."""
    suffix, pith_number, title, submitted_on, source, category, verdict, *more = row
    authors, author_count, warnings, received_on = more
    return ListedRecord(
        suffix=suffix,
        pith_number=pith_number,
        title=title,
        submitted_on=submitted_on,
        source=source,
        category=category,
        verdict=Verdict(verdict),
        authors=tuple(json.loads(authors)),
        author_count=int(author_count),
        warnings=tuple(warnings.split()),
        received_on=received_on,
    )


def listed_values(listed: ListedRecord) -> tuple[object, ...]:
    """Spell the columns of LISTED_COLUMNS, in their order."""
    return (
        listed.suffix,
        listed.pith_number,
        listed.title,
        listed.submitted_on,
        listed.source,
        listed.category,
        listed.verdict.value,
        json.dumps(listed.authors),
        listed.author_count,
        " ".join(listed.warnings),
        listed.received_on,
    )


def _range(prefix: str) -> tuple[str, str]:
    # Keys are of a-z, digits and hyphens, all of which sort before `~`.
    return (prefix, f"{prefix}~") if prefix else ("", "")

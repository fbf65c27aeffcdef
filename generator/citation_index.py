"""Citation index: every link of one build, in the catalogue's SQLite file, joined at the end.

Links are kept by the work they name, and only once all records are known it is decided which of
them lead to a record of this mirror. So neither the order of the input nor the number of links in
memory matters.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from types import MappingProxyType

from generator.citations import IncomingLink, Neighbour, OutgoingLink, RecordLinks, Via, paper_of
from generator.formats.record import CanonicalRecord
from generator.formats.works import ARXIV_ID, PITH_NUMBER, Work

_SCHEMA = """
CREATE TABLE papers (name TEXT, version INTEGER, suffix TEXT,
    PRIMARY KEY (name, version, suffix)) WITHOUT ROWID;
CREATE TABLE links (source TEXT, via TEXT, relation TEXT, signer_id TEXT,
    kind TEXT, name TEXT, version INTEGER,
    seconds INTEGER, nanoseconds INTEGER, created_at TEXT, event_id TEXT,
    PRIMARY KEY (source, via, relation, signer_id, kind, name, version)) WITHOUT ROWID;
CREATE TABLE crossings (source TEXT, target TEXT, via TEXT, relation TEXT, signer_id TEXT,
    kind TEXT, name TEXT, version INTEGER,
    seconds INTEGER, nanoseconds INTEGER, created_at TEXT, event_id TEXT, place INTEGER);
"""
# A work without a version is every version of the paper. Two names of one record in the references
# of another are one link: the one with place 1.
_RESOLVE = f"""
INSERT INTO crossings
SELECT source, target, via, relation, signer_id, kind, name, version,
    seconds, nanoseconds, created_at, event_id,
    row_number() OVER (
        PARTITION BY source, target, via, relation, signer_id
        ORDER BY seconds DESC, nanoseconds DESC, event_id, kind, name, version)
FROM (
    SELECT l.*, r.suffix AS target FROM links l
        JOIN records r ON r.suffix = substr(l.name, {len("pith:2026:") + 1})
            AND r.pith_number = l.name
        WHERE l.kind = '{PITH_NUMBER}'
    UNION ALL
    SELECT l.*, p.suffix AS target FROM links l
        JOIN papers p ON p.name = l.name AND l.version IN (0, p.version)
        WHERE l.kind = '{ARXIV_ID}'
) WHERE source != target
"""  # noqa: S608 - constants of the formats
_INDEXES = (
    "CREATE INDEX crossings_by_target ON crossings (target, place, seconds DESC, nanoseconds DESC)",
    "CREATE INDEX crossings_by_source ON crossings (source)",
)
_INCOMING = (
    "SELECT r.suffix, r.pith_number, r.title, c.via, c.relation, c.signer_id, c.created_at,"
    " c.event_id FROM crossings c JOIN records r ON r.suffix = c.source"
    " WHERE c.target = ? AND c.place = 1"
    " ORDER BY c.seconds DESC, c.nanoseconds DESC, c.source, c.via, c.relation, c.signer_id"
    " LIMIT ?"
)
_LINKED = "SELECT source FROM crossings UNION SELECT target FROM crossings"
_ALL = -1


class CitationIndex:
    """The links of one build."""

    def __init__(self, db: sqlite3.Connection) -> None:
        """Add the index to a catalogue.

        Args:
            db: the catalogue's file, with its table of records.
        """
        self._db = db
        db.executescript(_SCHEMA)

    def add(self, record: CanonicalRecord, links: tuple[OutgoingLink, ...]) -> None:
        """Keep the links of a record, in place of those kept of it before.

        Args:
            record: the citing record.
            links: what it cites.
        """
        suffix, paper = record.pith_number.suffix, paper_of(record)
        if paper is not None:
            self._db.execute(
                "INSERT OR IGNORE INTO papers VALUES (?, ?, ?)", (paper.name, paper.version, suffix)
            )
        self._db.execute("DELETE FROM links WHERE source = ?", (suffix,))
        self._db.executemany(
            "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    suffix,
                    link.via.value,
                    link.relation,
                    link.signer_id,
                    link.work.kind,
                    link.work.name,
                    link.work.version,
                    link.created_at.seconds,
                    link.created_at.nanoseconds,
                    str(link.created_at),
                    link.event_id,
                )
                for link in links
            ],
        )

    def resolve(self) -> None:
        """Find the links that lead to a record of this mirror; called once, when all are there."""
        for statement in (_RESOLVE, *_INDEXES):
            self._db.execute(statement)

    def linked(self) -> Iterator[str]:
        """Stream the ids of records at either end of a link, each once, in order."""
        rows = self._db.execute(f"{_LINKED} ORDER BY 1")
        return (row[0] for row in rows)

    def linked_count(self) -> int:
        """Count the records at either end of a link."""
        row = self._db.execute(f"SELECT count(*) FROM ({_LINKED})").fetchone()  # noqa: S608
        return int(row[0])

    def links_of(self, suffix: str, *, limit: int) -> RecordLinks:
        """Give the links of a record.

        Args:
            suffix: the record's id.
            limit: how many incoming links.

        Returns:
            The records it names, and the newest links to it.
        """
        targets: dict[Work, list[Neighbour]] = {}
        rows = self._db.execute(
            "SELECT DISTINCT c.kind, c.name, c.version, r.suffix, r.pith_number, r.title"
            " FROM crossings c JOIN records r ON r.suffix = c.target WHERE c.source = ?"
            " ORDER BY c.kind, c.name, c.version, r.submitted_at, r.suffix",
            (suffix,),
        )
        for kind, name, version, *record in rows:
            targets.setdefault(Work(kind, name, version), []).append(Neighbour(*record))
        incoming, citing = self._db.execute(
            "SELECT count(*), count(DISTINCT source) FROM crossings WHERE target = ? AND place = 1",
            (suffix,),
        ).fetchone()
        return RecordLinks(
            targets=MappingProxyType({work: tuple(ends) for work, ends in targets.items()}),
            cited_by=tuple(self._incoming(suffix, limit)),
            incoming_count=int(incoming),
            citing_count=int(citing),
        )

    def cited_by(self, suffix: str) -> Iterator[IncomingLink]:
        """Stream every link to a record, newest first."""
        return self._incoming(suffix, _ALL)

    def _incoming(self, suffix: str, limit: int) -> Iterator[IncomingLink]:
        for row in self._db.execute(_INCOMING, (suffix, limit)):
            via, relation, signer_id, created_at, event_id = row[3:]
            yield IncomingLink(
                Neighbour(*row[:3]), Via(via), relation, signer_id, created_at, event_id
            )

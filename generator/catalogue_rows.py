"""A row of the catalogue that machines read: `catalogue.ndjson` and `catalogue.parquet`."""

from __future__ import annotations

from dataclasses import dataclass

from generator import layout
from generator.catalogued import CataloguedRecord
from generator.config import Configuration
from generator.formats.canonical import JsonObject
from generator.formats.instant import parse_instant
from generator.profiles import is_written


@dataclass(frozen=True, slots=True)
class EventCount:
    """How many verified events of one kind a record has in one month."""

    event_type: str
    month: str  # `2026-05`
    count: int


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """A record in the catalogue; the fields are those of the file, in its order.

    None stands for what is not known. Times are UTC to the second, so that their order as text is
    that of time. Paths are relative to the site's root.
    """

    suffix: str
    pith_number: str
    title: str | None
    title_known: str | None
    authors: tuple[str, ...]
    authors_known: str | None
    abstract: str | None
    abstract_known: str | None
    arxiv_id: str
    version: int
    doi: str | None
    submitted_at: str
    categories: tuple[str, ...]
    license: str | None
    verdict: str
    withdrawn: bool
    contradicted: bool
    received_at: str
    changed_at: str
    canonical_sha256: str
    bundle_sha256: str
    bundle_length: int
    checks_verified: int
    checks_not_checkable: int
    checks_failed: int
    events: tuple[EventCount, ...]
    page_path: str
    bundle_path: str
    state_path: str | None  # None where no state is written

    def as_json(self) -> JsonObject:
        """Spell the row as a JSON object.

        Returns:
            The fields by name, in order.
        """
        row: JsonObject = {
            name: list(value) if isinstance(value := getattr(self, name), tuple) else value
            for name in COLUMNS
        }
        row["events"] = [
            {"event_type": event.event_type, "month": event.month, "count": event.count}
            for event in self.events
        ]
        return row


COLUMNS: tuple[str, ...] = tuple(CatalogueRow.__dataclass_fields__)


def catalogue_row(record: CataloguedRecord, configuration: Configuration) -> CatalogueRow:
    """Spell a record for the catalogue.

    Args:
        record: as catalogued.
        configuration: says which files there are.

    Returns:
        Its row.
    """
    verified, not_checkable, failed = record.checks
    state = layout.record_file(record.suffix, "state.json")
    return CatalogueRow(
        suffix=record.suffix,
        pith_number=record.pith_number,
        title=record.title or None,
        # A title that no digest proves is in no catalogue.
        title_known="proven" if record.title else None,
        authors=record.authors,
        authors_known=record.authors_known or None,
        abstract=record.abstract or None,
        abstract_known=record.abstract_known or None,
        arxiv_id=record.arxiv_id,
        version=record.version,
        doi=record.doi or None,
        submitted_at=_utc(record.submitted_at),
        categories=record.categories,
        license=record.license or None,
        verdict=record.verdict.value,
        withdrawn=record.is_withdrawn,
        contradicted="contradicted" in record.warnings,
        received_at=_utc(record.receipt_at),
        changed_at=_utc(record.changed_at),
        canonical_sha256=record.canonical_sha256,
        bundle_sha256=record.bundle_sha256,
        bundle_length=record.bundle_length,
        checks_verified=verified,
        checks_not_checkable=not_checkable,
        checks_failed=failed,
        events=_count_events(record.events),
        page_path=layout.record_page(record.suffix),
        bundle_path=layout.record_file(record.suffix, "bundle.json"),
        state_path=state if is_written(state, configuration) else None,
    )


def _count_events(events: tuple[tuple[str, str], ...]) -> tuple[EventCount, ...]:
    counts: dict[tuple[str, str], int] = {}
    for event in events:
        counts[event] = counts.get(event, 0) + 1
    return tuple(EventCount(kind, month, counts[kind, month]) for kind, month in sorted(counts))


def _utc(text: str) -> str:
    return parse_instant(text, subject="time").utc

"""What the catalogue keeps of a record: all that listings, feeds, exports and search say of it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from generator.authors import split_authors
from generator.display import is_plain_url, shown_text
from generator.facts import KnownRecord
from generator.formats.checks import Outcome, Verdict
from generator.formats.digest import sha256
from generator.formats.instant import Instant
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS


@dataclass(frozen=True, slots=True)
class CataloguedRecord:
    """A record, for lists of records. Texts are decoded and made visible, never yet escaped.

    `title` is proven or empty. `authors_known` and `abstract_known` are words of `HowKnown`, empty
    where there is nothing. `changed_at` is the latest time that a trusted key signed in the record.
    `events` holds kind and month (`2026-05`) of each verified event that names a time.
    """

    suffix: str
    pith_number: str
    title: str
    authors: tuple[str, ...]
    authors_known: str
    abstract: str
    abstract_known: str
    arxiv_id: str  # without version
    version: int
    doi: str
    submitted_at: str  # RFC 3339
    categories: tuple[str, ...]  # the primary one first
    license: str
    license_url: str  # empty where the licence is no plain http(s) address
    verdict: Verdict
    warnings: tuple[str, ...]  # `withdrawn`, `contradicted`
    receipt_at: str  # RFC 3339; the registry's word
    changed_at: str  # RFC 3339
    canonical_sha256: str
    bundle_sha256: str
    bundle_length: int  # bytes
    checks: tuple[int, int, int]  # verified, not checkable, failed
    events: tuple[tuple[str, str], ...]

    @property
    def is_withdrawn(self) -> bool:
        """Whether a counting event withdraws the record itself."""
        return "withdrawn" in self.warnings


def catalogue_record(known: KnownRecord, *, raw: RawBundle, newest: Instant) -> CataloguedRecord:
    """Say what the catalogue keeps of a record.

    Args:
        known: what is known of it.
        raw: the bundle that is served.
        newest: the latest time signed in it.

    Returns:
        The row.
    """
    state, paper, limits = known.state, known.paper, DEFAULT_LIMITS
    record = state.record
    title = paper.title and shown_text(paper.title.raw, limit=limits.shown_title_max_length)
    abstract = paper.abstract and shown_text(
        paper.abstract.raw, limit=limits.shown_abstract_max_length
    )
    return CataloguedRecord(
        suffix=known.suffix,
        pith_number=str(state.pith_number),
        title=title or "",
        authors=split_authors(paper.authors.raw) if paper.authors else (),
        authors_known=paper.authors.known.value if paper.authors else "",
        abstract=abstract or "",
        abstract_known=paper.abstract.known.value if paper.abstract else "",
        arxiv_id=record.source.id,
        version=record.source.version,
        doi=next((alias.value for alias in state.aliases if alias.kind == "doi"), ""),
        submitted_at=str(record.submitted_at),
        categories=(record.primary_category, *record.cross_categories),
        license=record.license,
        license_url=record.license if is_plain_url(record.license) else "",
        verdict=known.verdict,
        warnings=known.warnings,
        receipt_at=str(state.receipt.signed_at),
        changed_at=str(newest),
        canonical_sha256=str(record.digest),
        bundle_sha256=str(sha256(raw.data)),
        bundle_length=len(raw.data),
        checks=_count_checks(known),
        events=tuple(
            (event.event_type, str(event.created_at)[:7])
            for event in state.events
            if event.outcome is Outcome.VERIFIED and event.created_at
        ),
    )


def _count_checks(known: KnownRecord) -> tuple[int, int, int]:
    outcomes = [check.outcome for check in known.checks]
    return (
        outcomes.count(Outcome.VERIFIED),
        outcomes.count(Outcome.NOT_CHECKABLE),
        outcomes.count(Outcome.FAILED),
    )


def spell_catalogued(record: CataloguedRecord) -> str:
    """Spell a row for the catalogue's file."""
    return json.dumps({**asdict(record), "verdict": record.verdict.value})


def parse_catalogued(text: str) -> CataloguedRecord:
    """Read a row that `spell_catalogued` wrote."""
    row = json.loads(text)
    return CataloguedRecord(
        **{
            **row,
            "verdict": Verdict(row["verdict"]),
            "authors": tuple(row["authors"]),
            "categories": tuple(row["categories"]),
            "warnings": tuple(row["warnings"]),
            "checks": tuple(row["checks"]),
            "events": tuple((kind, month) for kind, month in row["events"]),
        }
    )

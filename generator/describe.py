"""A merged state as the values of its record page (design, "What a page says")."""

from __future__ import annotations

import json

from generator import layout, snippets
from generator.config import Configuration
from generator.display import make_visible, shown_text
from generator.documents import verification_status
from generator.facts import KnownText, PaperFacts
from generator.formats.checks import Check, Outcome, Verdict
from generator.formats.event import RECORD_CREATED
from generator.limits import DEFAULT_LIMITS
from generator.merge import RecordState
from generator.pages import (
    AliasRow,
    Chip,
    CompletenessRow,
    EventRow,
    Fact,
    HowKnown,
    Link,
    ListedRecord,
    RecordPage,
)
from generator.verify_events import JudgedEvent

_ARXIV_ABSTRACT = "https://arxiv.org/abs/"
_VERDICT_TEXT = {
    Verdict.VERIFIED: "Every check on this record's bundle was made here and verified.",
    Verdict.PARTLY: (
        "The record, its identifiers and the registry's receipt verified. "
        "Some other parts of the bundle cannot be checked here; each is marked."
    ),
    Verdict.DISPUTED: (
        "The record, its identifiers and the registry's receipt verified, but another part of the "
        "bundle "
        "failed its check; it is listed below and changes nothing on this page."
    ),
    Verdict.REJECTED: "Not published.",
}


def describe_record(
    state: RecordState,
    facts: PaperFacts,
    checks: tuple[Check, ...],
    verdict: Verdict,
    *,
    configuration: Configuration,
) -> RecordPage:
    """Say everything a record page says.

    Args:
        state: the merged state.
        facts: what is known of the paper.
        checks: the checks of the bundle that is served, in order.
        verdict: drawn from them.
        configuration: the mirror's; gives base URL and the registry to link to.

    Returns:
        The page's values; texts are decoded and made visible, never yet escaped.
    """
    record, suffix = state.record, state.pith_number.suffix
    limits = DEFAULT_LIMITS
    base_url = configuration.base_url
    return RecordPage(
        pith_number=str(state.pith_number),
        short_pith_number=state.pith_number.short,
        suffix=suffix,
        verdict=verdict,
        verdict_text=_VERDICT_TEXT[verdict],
        title=_fact(facts.title, limits.shown_title_max_length),
        title_missing=facts.title_missing,
        authors=_fact(facts.authors, limits.shown_authors_max_length),
        abstract=_fact(facts.abstract, limits.shown_abstract_max_length),
        source_line=Fact(
            f"{record.source.kind}:{record.source.id} v{record.source.version}", HowKnown.PROVEN
        ),
        arxiv_id=record.source.id,
        submitted_on=Fact(record.submitted_at.date, HowKnown.PROVEN),
        year=state.pith_number.year,
        categories=(record.primary_category, *record.cross_categories),
        license=Fact(record.license or "none stated", HowKnown.PROVEN),
        license_url=record.license,
        chips=_chips(state),
        links=_links(state),
        latex=snippets.latex_snippet(suffix),
        badge_snippets=snippets.badge_snippets(suffix, str(state.pith_number), base_url=base_url),
        completeness=_completeness(state, configuration),
        bundle_note=_bundle_note(state),
        cited_by=(),
        receipt=_receipt(state, facts),
        canonical_sha256=str(record.digest),
        aliases=_aliases(state),
        api=_api(state, facts),
        verify_command=snippets.verify_command(suffix, str(record.digest), base_url=base_url),
        canonical_record=json.dumps(record.json, indent=2, sort_keys=True),
        checks=checks,
        events=_event_rows(state),
        equivocations=_equivocations(state),
    )


def list_record(state: RecordState, facts: PaperFacts, verdict: Verdict) -> ListedRecord:
    """Say what a listing says of a record.

    Args:
        state: the merged state.
        facts: what is known of the paper.
        verdict: this mirror's verdict.

    Returns:
        The row; its title is proven or empty.
    """
    title = _fact(facts.title, DEFAULT_LIMITS.listed_title_max_length)
    return ListedRecord(
        suffix=state.pith_number.suffix,
        pith_number=str(state.pith_number),
        title=title.text if title else "",
        submitted_on=state.record.submitted_at.date,
        source=state.record.source.versioned_id,
        category=state.record.primary_category,
        verdict=verdict,
    )


def _fact(text: KnownText | None, limit: int) -> Fact | None:
    return None if text is None else Fact(shown_text(text.raw, limit=limit), text.known, text.note)


def _chips(state: RecordState) -> tuple[Chip, ...]:
    status = verification_status(state)
    words = (
        ("author_attested", "attested"),
        ("externally_anchored", "anchored"),
        ("storage_verified", "stored"),
    )
    return (
        *(
            Chip(word if status[key] else f"not {word}", positive=bool(status[key]))
            for key, word in words
        ),
        Chip(
            "refs resolved" if status["references_resolved"] else "refs pending",
            positive=bool(status["references_resolved"]),
        ),
    )


def _links(state: RecordState) -> tuple[Link, ...]:
    suffix = state.pith_number.suffix
    return (
        Link(
            "Open paper page", f"{_ARXIV_ABSTRACT}{state.record.source.versioned_id}", external=True
        ),
        Link("JSON", layout.resolver(suffix)),
        Link("Open Graph Bundle", layout.record_file(suffix, "bundle.json")),
        Link("Merged state", layout.record_file(suffix, "state.json")),
        Link("Verification badge", layout.record_file(suffix, "badge.svg")),
        Link("What is a Pith Number?", f"{layout.ABOUT}#pith-number"),
    )


def _api(state: RecordState, facts: PaperFacts) -> tuple[Link, ...]:
    suffix = state.pith_number.suffix
    graph = (
        (Link("Graph JSON", layout.record_file(suffix, "graph.json")),) if facts.snapshot else ()
    )
    return (
        Link("Resolver JSON", layout.resolver(suffix)),
        *graph,
        Link("Events JSON", layout.record_file(suffix, "events.json")),
        Link("Schema", layout.schema("pith-number/v1.json")),
        Link("Signing key", layout.SIGNING_KEY),
    )


def _completeness(state: RecordState, configuration: Configuration) -> tuple[CompletenessRow, ...]:
    status = verification_status(state)
    claims = (status["weak_author_claims"], status["strong_author_claims"])
    claim = next(
        (
            Link(
                f"sign in to claim at {upstream.name}",
                _registry_page(state, upstream.base_url),
                external=True,
            )
            for upstream in configuration.upstreams
        ),
        None,
    )
    return (
        CompletenessRow(1, "Bitcoin timestamp", _proof_status(state, "timestamp_anchored")),
        CompletenessRow(2, "Internet Archive", _proof_status(state, "storage_attested")),
        CompletenessRow(
            3,
            "Author claim",
            f"{claims[1]} strong, {claims[0]} weak" if any(claims) else "open",
            claim,
        ),
        CompletenessRow(4, "Citations", _count(status["citation_signatures"])),
        CompletenessRow(5, "Replications", _count(status["replication_records"])),
    )


def _registry_page(state: RecordState, base_url: str) -> str:
    return f"{base_url}pith/{state.pith_number.suffix}"


def _proof_status(state: RecordState, event_type: str) -> str:
    events = [event for event in state.events if event.event_type == event_type]
    if not events:
        return "no proof in the bundle"
    return f"{len(events)} in the bundle, proof not checked here"


def _count(value: object) -> str:
    return str(value) if value else "open"


def _bundle_note(state: RecordState) -> str:
    count = len(state.events)
    words = [
        f"{len(found)} {outcome.value}"
        for outcome in Outcome
        if (found := state.of_outcome(outcome))
    ]
    return f"{count} {'event' if count == 1 else 'events'}: {', '.join(words)}."


def _receipt(state: RecordState, facts: PaperFacts) -> tuple[tuple[str, Fact], ...]:
    builder = facts.snapshot.json.get("builder_version") if facts.snapshot else None
    word = (
        HowKnown.REPORTED
        if facts.judged and facts.judged.outcome is Outcome.VERIFIED
        else HowKnown.CARRIED
    )
    limit = DEFAULT_LIMITS.token_max_length
    return (
        (
            "First computed",
            Fact(
                str(state.receipt.signed_at),
                HowKnown.REPORTED,
                "the receipt's signature covers the canonical digest, not this time",
            ),
        ),
        *(
            (("Builder", Fact(shown_text(builder, limit=limit), word)),)
            if isinstance(builder, str) and builder
            else ()
        ),
        ("Signature", Fact(f"Ed25519 by {state.receipt.key_id}", HowKnown.PROVEN)),
        ("Schema", Fact("pith-number/v1.0", HowKnown.PROVEN)),
    )


def _aliases(state: RecordState) -> tuple[AliasRow, ...]:
    return tuple(
        AliasRow(alias.kind, alias.value, layout.alias_page(alias.kind, alias.value))
        for alias in state.aliases
    )


def _event_rows(state: RecordState) -> tuple[EventRow, ...]:
    snapshot = state.current_snapshot
    return tuple(_event_row(state, event, snapshot) for event in state.events)


def _event_row(state: RecordState, judged: JudgedEvent, snapshot: JudgedEvent | None) -> EventRow:
    check = judged.check
    reason = f"expected {check.expected}, found {check.found}"
    why = (
        check.note
        if judged.outcome is Outcome.VERIFIED
        else "; ".join(filter(None, (check.note, reason)))
    )
    return EventRow(
        event_type=make_visible(judged.event_type) or "(none)",
        created_at=str(judged.created_at or ""),
        signer=make_visible(judged.signer.signer_id) if judged.signer else "",
        outcome=judged.outcome.value,
        why=make_visible(why),
        effect=_effect(state, judged, snapshot),
    )


def _effect(state: RecordState, judged: JudgedEvent, snapshot: JudgedEvent | None) -> str:
    if judged.outcome is Outcome.FAILED:
        return "set aside"
    if not state.admits(judged):
        return "carried, changes nothing"
    if state.equivocates(judged):
        return "contradicted by another event of its signer"
    if judged.event_type == RECORD_CREATED:
        return "gives the record"
    if judged.snapshot is not None:
        return "current snapshot" if judged is snapshot else "superseded"
    accepted = judged.outcome is Outcome.NOT_CHECKABLE
    return "accepted by this mirror's operator, unverified" if accepted else "part of the state"


def _equivocations(state: RecordState) -> tuple[str, ...]:
    return tuple(
        make_visible(
            f"{group.signer_id} signed {len(group.identities)} different {group.event_type} events "
            f"for "
            f"{group.target} at {group.created_at}: {', '.join(group.identities)}"
        )
        for group in state.equivocations
    )

"""The JSON files of one record, spelled as the registry does where it does (protocol part 7)."""

from __future__ import annotations

from generator.facts import KnownText, PaperFacts
from generator.formats.canonical import JsonObject, JsonValue
from generator.formats.checks import Outcome, Verdict
from generator.merge import RecordState
from generator.verify_events import JudgedEvent

RESOLVER_TYPE = "pith_number_record"
# The registry's own identifier of its schema; a name, not an address this mirror would fetch.
RESOLVER_SCHEMA_URL = "https://pith.science/schemas/pith-number/v1.json"
EVENTS_TYPE = "pith_mirror_events"
VERSION = "1.0"


def resolver_json(state: RecordState, facts: PaperFacts, verdict: Verdict) -> JsonObject:
    """Spell the resolver record: `/pith/<suffix>.json` (protocol part 7).

    Args:
        state: the merged state.
        facts: what is known of the paper.
        verdict: this mirror's verdict on the bundle.

    Returns:
        The registry's fields in its order, then `source_aliases`, `receipt` and `mirror`, which are
        ours.
    """
    record = state.record
    return {
        "record_type": RESOLVER_TYPE,
        "schema_url": RESOLVER_SCHEMA_URL,
        "pith_number": str(state.pith_number),
        "short_pith_number": state.pith_number.short,
        "schema_version": "1.0",
        "canonical_sha256": str(record.digest),
        "source": {
            "kind": record.source.kind,
            "id": record.source.id,
            "version": record.source.version,
        },
        "attestation_state": "computed",
        "paper": _paper(state, facts),
        "verification_status": verification_status(state),
        "canonical_record": record.json,
        "source_aliases": [
            {"alias_kind": alias.kind, "alias_value": alias.value} for alias in state.aliases
        ],
        "receipt": state.receipt.json,
        "mirror": {
            "verdict": verdict.value,
            "paper_known": {
                "title": _word(facts.title),
                "authors_text": _word(facts.authors),
                "abstract": _word(facts.abstract),
            },
        },
    }


def verification_status(state: RecordState) -> JsonObject:
    """Spell the status block from what entered the state (protocol part 7).

    A timestamp or a stored copy counts only once its proof has been checked, which nothing here
    does
    yet: both stay false whatever an event says.

    Args:
        state: the merged state.

    Returns:
        The registry's twelve fields in its order.
    """
    claims = _payloads(state, "author_claim")
    strong = sum(1 for payload in claims if payload.get("strength") == "strong")
    references = _section(state, "references")
    formal = _section(state, "formal_canon")
    return {
        "content_addressed": True,
        "pith_receipt": True,
        "author_attested": bool(_payloads(state, "author_attestation")),
        "weak_author_claims": len(claims) - strong,
        "strong_author_claims": strong,
        "externally_anchored": False,
        "storage_verified": False,
        "citation_signatures": len(_payloads(state, "citation")),
        "replication_records": len(_payloads(state, "replication")),
        "graph_snapshot": state.current_snapshot is not None,
        "references_resolved": _positive(references.get("resolved_work")),
        "formal_links_present": _positive(formal.get("evidence_count")),
    }


def events_json(state: RecordState) -> JsonObject:
    """Spell the events with this mirror's verdict on each: `/pith/<suffix>/events.json`.

    Args:
        state: the merged state.

    Returns:
        Every distinct event, as received, in merge order.
    """
    return {
        "events_type": EVENTS_TYPE,
        "events_version": VERSION,
        "pith_number": str(state.pith_number),
        "events": [_event(state, event) for event in state.events],
    }


def _event(state: RecordState, judged: JudgedEvent) -> JsonObject:
    check = judged.check
    return {
        "identity": judged.identity,
        "event_type": judged.event_type,
        "outcome": judged.outcome.value,
        "expected": check.expected,
        "found": check.found,
        "note": check.note,
        "in_state": state.admits(judged),
        "equivocates": state.equivocates(judged),
        "event": judged.json,
    }


def _paper(state: RecordState, facts: PaperFacts) -> JsonValue:
    if facts.snapshot is None:
        return None
    received = facts.snapshot.json["paper"]
    paper = dict(received) if isinstance(received, dict) else {}
    paper["title"] = facts.title.raw if facts.title else None
    # What the digest contradicts is left out; what the record proves replaces what the snapshot
    # says.
    if facts.abstract is None:
        paper.pop("abstract", None)
        paper.pop("abstract_excerpt", None)
    proven: JsonObject = {
        "license": state.record.license,
        "cross_cats": list(state.record.cross_categories),
        "primary_cat": state.record.primary_category,
        "submitted_at": str(state.record.submitted_at),
    }
    return {key: proven.get(key, value) for key, value in paper.items()}


def _word(text: KnownText | None) -> str | None:
    return None if text is None else text.known.value


def _payloads(state: RecordState, event_type: str) -> list[JsonObject]:
    # Counts speak of verified events only, also where the operator accepts others into the state.
    return [
        judged.event.payload
        for judged in state.of_outcome(Outcome.VERIFIED)
        if judged.event is not None and judged.event_type == event_type
    ]


def _section(state: RecordState, name: str) -> JsonObject:
    current = state.current_snapshot
    section = current.snapshot.json.get(name) if current and current.snapshot else None
    return section if isinstance(section, dict) else {}


def _positive(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0

"""The JSON files of one record, spelled as the registry does where it does (protocol part 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.citations import IncomingLink, OutgoingLink, RecordLinks
from generator.facts import KnownRecord, KnownText, PaperFacts
from generator.formats.canonical import JsonObject, JsonValue, compact_json
from generator.formats.checks import Outcome
from generator.formats.identifiers import PithNumber
from generator.formats.payloads import AuthorClaim, Payload
from generator.limits import DEFAULT_LIMITS
from generator.merge import RecordState
from generator.timestamps import AnchoredTimestamp, is_anchored
from generator.verify_events import JudgedEvent

RESOLVER_TYPE = "pith_number_record"
# The registry's own identifier of its schema; a name, not an address this mirror would fetch.
RESOLVER_SCHEMA_URL = "https://pith.science/schemas/pith-number/v1.json"
EVENTS_TYPE = "pith_mirror_events"
CITED_BY_TYPE = "pith_mirror_cited_by"
VERSION = "1.0"


def resolver_json(known: KnownRecord) -> JsonObject:
    """Spell the resolver record: `/pith/<suffix>.json` (protocol part 7).

    Args:
        known: what is known of the record.

    Returns:
        The registry's fields in its order, then `source_aliases`, `receipt` and `mirror`, which are
        ours.
    """
    state, facts = known.state, known.paper
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
        "verification_status": verification_status(known),
        "canonical_record": record.json,
        "source_aliases": [
            {"alias_kind": alias.kind, "alias_value": alias.value} for alias in state.aliases
        ],
        "receipt": state.receipt.json,
        "mirror": {
            "verdict": known.verdict.value,
            "paper_known": {
                "title": _word(facts.title),
                "authors_text": _word(facts.authors),
                "abstract": _word(facts.abstract),
            },
            "timestamps": [_timestamp(timestamp) for timestamp in known.timestamps],
            "cites": _cites(known),
            "cited_by": _cited_by(known),
        },
    }


def verification_status(known: KnownRecord) -> JsonObject:
    """Spell the status block from what counts in the state (protocol part 7).

    A timestamp counts only with the block header that proves it. A stored copy never does: nothing
    here can look into a store without a network, so that field stays false whatever an event says.

    Args:
        known: what is known of the record.

    Returns:
        The registry's twelve fields in its order.
    """
    state = known.state
    claims = [c for c in _payloads(state, "author_claim") if isinstance(c, AuthorClaim)]
    # Two claims of one person are one.
    strong = {_claimant(claim) for claim in claims if claim.strength == "strong"}
    weak = {_claimant(claim) for claim in claims} - strong
    references = _section(state, "references")
    formal = _section(state, "formal_canon")
    return {
        "content_addressed": True,
        "pith_receipt": True,
        "author_attested": bool(_payloads(state, "author_attestation")),
        "weak_author_claims": len(weak),
        "strong_author_claims": len(strong),
        "externally_anchored": is_anchored(known.timestamps),
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


def cited_by_lines(
    number: PithNumber, links: RecordLinks, incoming: Iterable[IncomingLink]
) -> Iterator[bytes]:
    """Spell every link to a record: `/pith/<suffix>/cited-by.json`.

    Args:
        number: the record's.
        links: gives the counts.
        incoming: all of them, newest first.

    Returns:
        The pieces of one JSON document, a link a line.
    """
    head: JsonObject = {
        "cited_by_type": CITED_BY_TYPE,
        "cited_by_version": VERSION,
        "pith_number": str(number),
        "count": links.incoming_count,
        "record_count": links.citing_count,
    }
    yield compact_json(head)[:-1] + b',"items":[\n'
    separator = b""
    for link in incoming:
        yield separator + compact_json(_incoming(link))
        separator = b",\n"
    yield b"\n]}\n"


def _event(state: RecordState, judged: JudgedEvent) -> JsonObject:
    check = judged.check
    return {
        "identity": judged.identity,
        "event_type": judged.event_type,
        "outcome": judged.outcome.value,
        "expected": check.expected,
        "found": check.found,
        "note": check.note,
        "reason": None if judged.reason is None else judged.reason.value,
        "standing": state.standing(judged).value,
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


def _payloads(state: RecordState, event_type: str) -> list[Payload]:
    # Counts speak of verified events only, also where the operator accepts others into the state.
    return [
        event.payload
        for event in state.counting(event_type)
        if event.payload is not None and event.outcome is Outcome.VERIFIED
    ]


def _claimant(claim: AuthorClaim) -> str:
    return claim.orcid or claim.fingerprint or ""


def _timestamp(timestamp: AnchoredTimestamp) -> JsonObject:
    return {
        "event_id": timestamp.event.identity,
        "pending": list(timestamp.pending),
        "bitcoin": [
            {
                "height": height,
                "outcome": check.finding.outcome.value,
                "block_time": None if check.block_time is None else str(check.block_time),
                "note": check.finding.note,
            }
            for height, check in timestamp.bitcoin
        ],
        "unknown": list(timestamp.unknown),
    }


def _cites(known: KnownRecord) -> JsonObject:
    shown = known.cites[: DEFAULT_LIMITS.shown_links_max_count]
    return {"count": len(known.cites), "items": [_outgoing(known, link) for link in shown]}


def _cited_by(known: KnownRecord) -> JsonObject:
    links = known.links
    return {
        "count": links.incoming_count,
        "record_count": links.citing_count,
        "items": [_incoming(link) for link in links.cited_by],
    }


def _outgoing(known: KnownRecord, link: OutgoingLink) -> JsonObject:
    return {
        "relation": link.relation,
        "via": link.via.value,
        link.work.kind: str(link.work),
        "records": [target.pith_number for target in known.links.targets.get(link.work, ())],
        "signer_id": link.signer_id,
        "created_at": str(link.created_at),
        "event_id": link.event_id,
    }


def _incoming(link: IncomingLink) -> JsonObject:
    return {
        "pith_number": link.source.pith_number,
        "relation": link.relation,
        "via": link.via.value,
        "signer_id": link.signer_id,
        "created_at": link.created_at,
        "event_id": link.event_id,
    }


def _section(state: RecordState, name: str) -> JsonObject:
    current = state.current_snapshot
    section = current.snapshot.json.get(name) if current and current.snapshot else None
    return section if isinstance(section, dict) else {}


def _positive(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0

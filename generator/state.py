"""`state.json`: the merged state, the registry's fields first and in its order (protocol 5)."""

from __future__ import annotations

from generator.formats import mirror1
from generator.formats.canonical import JsonObject, JsonValue
from generator.formats.checks import Outcome
from generator.formats.digest import canonical_digest
from generator.formats.event import GRAPH_SNAPSHOT, RECORD_CREATED
from generator.merge import Equivocation, RecordState
from generator.verify_events import JudgedEvent

STATE_TYPE = "pith_open_graph_state"
STATE_VERSION = "1.0"
MERGE_VERSION = "pith-open-graph-merge-v1"

# Under `current`, in this order. `graph_snapshots` is the registry's; the rest is ours.
COLLECTIONS = (
    "graph_snapshots",
    "timestamps",
    "storage",
    "author_claims",
    "citations",
    "replications",
    "integrity",
    "other_events",
)
COLLECTION_OF = {
    "graph_snapshot": "graph_snapshots",
    "timestamp_anchored": "timestamps",
    "storage_attested": "storage",
    "author_claim": "author_claims",
    "citation": "citations",
    "replication": "replications",
    "pith.integrity.v1": "integrity",
}


def state_json(state: RecordState) -> JsonObject:
    """Spell a merged state.

    `valid_event_count` counts the events that make the state; with `uncheckable_events: accept`
    that includes events nobody here could check, which `uncheckable_event_count` counts apart in
    any case.

    Args:
        state: the merged state.

    Returns:
        The object in its final key order; `state_sha256` is over the canonical JSON of the rest.
    """
    result: JsonObject = {
        "state_type": STATE_TYPE,
        "state_version": STATE_VERSION,
        "pith_number": str(state.pith_number),
        "merge_version": MERGE_VERSION,
        "event_count": len(state.events),
        "valid_event_count": len(state.admitted),
        "invalid_event_count": len(state.of_outcome(Outcome.FAILED)),
        "equivocation_count": len(state.equivocations),
        "current": _current(state),
        "uncheckable_event_count": len(state.of_outcome(Outcome.NOT_CHECKABLE)),
        "uncheckable_events": state.policy.value,
        "profile": mirror1.PROFILE,
        "equivocations": [_equivocation(group) for group in state.equivocations],
        "rejected_events": [_set_aside(e) for e in state.of_outcome(Outcome.FAILED)],
        "carried_events": [
            _set_aside(e) for e in state.of_outcome(Outcome.NOT_CHECKABLE) if not state.admits(e)
        ],
    }
    result["state_sha256"] = str(canonical_digest(result))
    return result


def sorted_keys(value: JsonValue) -> JsonValue:
    """Give a value with all keys sorted by code point, as the registry's state has them.

    Args:
        value: any JSON value; it is not changed.

    Returns:
        An equal value in canonical key order.
    """
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [sorted_keys(item) for item in value]
    return value


def _current(state: RecordState) -> JsonObject:
    snapshot = state.current_snapshot
    collections: dict[str, list[JsonValue]] = {name: [] for name in COLLECTIONS}
    for event in state.admitted:
        if event.event_type != RECORD_CREATED:
            name = COLLECTION_OF.get(event.event_type, "other_events")
            collections[name].append(_entry(state, event, snapshot))
    return {
        "canonical_record": sorted_keys(state.record.json),
        "source_aliases": [
            {
                "alias_kind": alias.kind,
                "alias_value": alias.value,
                "created_at": None if alias.created_at is None else str(alias.created_at),
            }
            for alias in state.aliases
        ],
        **{name: list(items) for name, items in collections.items()},
    }


def _entry(state: RecordState, judged: JudgedEvent, snapshot: JudgedEvent | None) -> JsonObject:
    entry: JsonObject = {}
    if judged.event is not None:
        event = judged.event
        entry = {
            "event_id": event.event_id or judged.identity,
            "target": event.target,
            "created_at": None if event.created_at is None else str(event.created_at),
            "signer": None if event.signer is None else sorted_keys(event.signer.json),
            "payload": sorted_keys(event.payload),
        }
    elif judged.integrity is not None:
        finding = judged.integrity
        entry = {
            "event_id": judged.identity,
            "signing_key_id": finding.key_id,
            "payload": sorted_keys(finding.payload),
            "rescinded": judged.identity in state.rescinded,
        }
    if judged.event_type == GRAPH_SNAPSHOT:
        entry["superseded"] = judged is not snapshot
    elif judged.event is not None:
        entry["event_type"] = judged.event_type
    entry["verification"] = judged.outcome.value
    entry["equivocates"] = state.equivocates(judged)
    return entry


def _equivocation(group: Equivocation) -> JsonObject:
    return {
        "signer_id": group.signer_id,
        "event_type": group.event_type,
        "target": group.target,
        "created_at": str(group.created_at),
        "event_ids": list(group.identities),
    }


def _set_aside(event: JudgedEvent) -> JsonObject:
    check = event.check
    return {
        "identity": event.identity,
        "event_type": event.event_type,
        "expected": check.expected,
        "found": check.found,
        "note": check.note,
    }

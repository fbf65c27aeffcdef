"""`state.json`: the merged state, the registry's fields first and in its order (protocol 5)."""

from __future__ import annotations

from generator.formats import mirror1
from generator.formats.canonical import JsonObject, JsonValue
from generator.formats.checks import Outcome
from generator.formats.digest import canonical_digest
from generator.formats.event import RECORD_CREATED, claimed_type
from generator.formats.kinds import COLLECTIONS, collection_of
from generator.merge import RecordState
from generator.standing import Equivocation, Standing
from generator.verify_events import JudgedEvent

STATE_TYPE = "pith_open_graph_state"
STATE_VERSION = "1.0"
MERGE_VERSION = "pith-open-graph-merge-v1"


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
        "uncheckable_events": state.policy.uncheckable.value,
        "thresholds": dict(state.policy.thresholds),
        "profile": mirror1.PROFILE,
        "equivocations": [_equivocation(group) for group in state.equivocations],
        "rejected_events": [_set_aside(e) for e in state.of_outcome(Outcome.FAILED)],
        "carried_events": [_set_aside(e) for e in state.of_standing(Standing.CARRIED)],
        "waiting_events": [_entry(state, e) for e in state.of_standing(Standing.WAITING)],
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
    collections: dict[str, list[JsonValue]] = {name: [] for name in COLLECTIONS}
    for event in state.admitted:
        if event.event_type != RECORD_CREATED:
            name = collection_of(event.event_type)
            collections[name].append(_entry(state, event))
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


def _entry(state: RecordState, judged: JudgedEvent) -> JsonObject:
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
        }
    entry["event_type"] = judged.event_type
    entry["verification"] = judged.outcome.value
    entry["standing"] = state.standing(judged).value
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
    # A word of a closed list and none of our prose: mirrors of other versions have to agree.
    return {
        "identity": event.identity,
        "event_type": claimed_type(event.json),
        "reason": None if event.reason is None else event.reason.value,
    }

"""state.py: the spelling of state.json, the registry's fields first."""

from __future__ import annotations

import hashlib
import json

import pytest

from generator.formats.canonical import JsonObject, JsonValue, compact_json
from generator.merge import UncheckableEvents
from generator.state import COLLECTIONS, sorted_keys, state_json
from tests.factories import LATER, state_of
from tests.vectors.builders import (
    CREATED_AT,
    PAPER,
    REGISTRY,
    STRANGER,
    Json,
    aliases_of,
    bundle_of,
    bundle_with,
    canonical,
    creation_of,
    event_of,
    record_of,
    signed,
    snapshot_of,
)
from tests.vectors.cases_integrity import integrity_event, payload_of

RECORD = record_of(PAPER)
# Protocol part 5: these first, in this order; then ours.
REGISTRY_FIELDS = [
    "state_type",
    "state_version",
    "pith_number",
    "merge_version",
    "event_count",
    "valid_event_count",
    "invalid_event_count",
    "equivocation_count",
    "current",
]
OUR_FIELDS = [
    "uncheckable_event_count",
    "uncheckable_events",
    "profile",
    "equivocations",
    "rejected_events",
    "carried_events",
    "state_sha256",
]
TYPES = {
    "timestamp_anchored": "timestamps",
    "storage_attested": "storage",
    "author_claim": "author_claims",
    "citation": "citations",
    "replication": "replications",
    "anything_else": "other_events",
}


def spelled(*events: Json, policy: UncheckableEvents = UncheckableEvents.CARRY) -> JsonObject:
    """Spell the state of a whole bundle with further events."""
    return state_json(state_of(bundle_of(PAPER, *events), policy=policy))


def current(state: JsonObject, name: str) -> list[Json]:
    """Give a collection of a state."""
    collections = state["current"]
    assert isinstance(collections, dict)
    found = collections[name]
    assert isinstance(found, list)
    return found


def test_fields_stand_in_the_registrys_order() -> None:
    """The registry's nine fields come first and in its order, ours follow."""
    assert list(spelled()) == REGISTRY_FIELDS + OUR_FIELDS


def test_current_starts_as_the_registrys() -> None:
    """Under `current`: record, aliases, snapshots, then our collections, empty ones included."""
    state = spelled()
    assert isinstance(state["current"], dict)
    assert list(state["current"]) == ["canonical_record", "source_aliases", *COLLECTIONS]


def test_counts_are_those_of_the_outcomes() -> None:
    """All, valid, invalid, contradicting and uncheckable events are counted apart."""
    note = event_of(RECORD, "note", {"n": 1})
    rivals = [signed(note), signed(event_of(RECORD, "note", {"n": 2}))]
    failed = {**signed(event_of(RECORD, "x", {})), "payload": {"y": 1}}
    state = spelled(*rivals, note, failed)
    names = [name for name in state if name.endswith("_count")]
    assert {name: state[name] for name in names} == {
        "event_count": 6,
        "valid_event_count": 4,
        "invalid_event_count": 1,
        "equivocation_count": 1,
        "uncheckable_event_count": 1,
    }
    (group,) = _list(state["equivocations"])
    assert group["event_ids"] == sorted(rival["event_id"] for rival in rivals)
    assert group["created_at"] == CREATED_AT
    assert [row["event_type"] for row in _list(state["rejected_events"])] == ["x"]
    assert [row["event_type"] for row in _list(state["carried_events"])] == ["note"]


def _list(value: JsonValue) -> list[Json]:
    assert isinstance(value, list)
    return value


def test_accepted_events_are_counted_as_valid_and_marked() -> None:
    """With `accept` an uncheckable event is in the state, valid by policy, marked as unchecked."""
    state = spelled(event_of(RECORD, "note", {}), policy=UncheckableEvents.ACCEPT)
    assert (state["valid_event_count"], state["uncheckable_event_count"]) == (3, 1)
    assert state["uncheckable_events"] == "accept"
    assert state["carried_events"] == []
    (entry,) = current(state, "other_events")
    assert entry["verification"] == "not checkable"
    assert entry["created_at"] is entry["signer"] is None
    assert entry["event_id"].startswith("content:")


def test_snapshot_entry_has_the_registrys_fields_first() -> None:
    """An entry of graph_snapshots starts as the registry's, keys inside sorted, ours behind."""
    state = spelled()
    (entry,) = current(state, "graph_snapshots")
    assert list(entry) == [
        "event_id",
        "target",
        "created_at",
        "signer",
        "payload",
        "superseded",
        "verification",
        "equivocates",
    ]
    assert list(entry["signer"]) == sorted(entry["signer"])
    assert entry["signer"]["public_key_fingerprint"] == REGISTRY.fingerprint
    assert json.dumps(entry["payload"]) == json.dumps(entry["payload"], sort_keys=True)
    assert entry["payload"]["graph_snapshot"] == snapshot_of(PAPER)
    assert (entry["superseded"], entry["verification"]) == (False, "verified")


def test_superseded_snapshot_is_marked() -> None:
    """Of several snapshots the newest counts; the others stay, marked."""
    newer = event_of(RECORD, "graph_snapshot", {"graph_snapshot": snapshot_of(PAPER)})
    state = spelled(signed(newer, created_at=LATER))
    assert [e["superseded"] for e in current(state, "graph_snapshots")] == [True, False]


@pytest.mark.parametrize(("event_type", "collection"), list(TYPES.items()))
def test_event_stands_in_the_collection_of_its_type(event_type: str, collection: str) -> None:
    """Each type has its collection; types without a rule are kept apart, not dropped."""
    state = spelled(signed(event_of(RECORD, event_type, {"a": 1}, target="t")))
    (entry,) = current(state, collection)
    assert (entry["event_type"], entry["target"], entry["payload"]) == (event_type, "t", {"a": 1})
    filled = [name for name in COLLECTIONS if current(state, name)]
    assert filled == ["graph_snapshots", collection]


def test_creation_stands_in_no_collection() -> None:
    """The creation gives the record and is not listed again."""
    state = state_json(state_of(bundle_with(RECORD, [creation_of(RECORD)])))
    assert [name for name in COLLECTIONS if current(state, name)] == []


def test_integrity_entry_says_what_is_signed() -> None:
    """A finding stands under the digest of its signed payload, with the key that signed it."""
    finding = integrity_event(payload_of())
    (entry,) = current(spelled(finding), "integrity")
    assert entry == {
        "event_id": f"sha256:{finding['payload_sha256']}",
        "signing_key_id": REGISTRY.key_id,
        "payload": payload_of(),
        "rescinded": False,
        "verification": "verified",
        "equivocates": False,
    }


def test_accepted_finding_of_a_stranger_is_marked() -> None:
    """A finding by a key that is not pinned is in an accepting state only, as not checkable."""
    finding = integrity_event(payload_of(), key=STRANGER)
    assert current(spelled(finding), "integrity") == []
    (entry,) = current(spelled(finding, policy=UncheckableEvents.ACCEPT), "integrity")
    assert entry["verification"] == "not checkable"


def test_aliases_keep_order_and_time() -> None:
    """The six aliases stand as in the bundle; an unknown time is null."""
    assert current(spelled(), "source_aliases") == aliases_of(RECORD)
    bundle = bundle_of()
    bundle["source_aliases"][0]["created_at"] = None
    state = state_json(state_of(bundle))
    assert [alias["created_at"] for alias in current(state, "source_aliases")][:2] == [
        None,
        CREATED_AT,
    ]


def test_record_is_spelled_with_sorted_keys() -> None:
    """Inside a state the registry sorts the record's keys, unlike inside a bundle."""
    text = compact_json(spelled()).decode()
    assert f'"current":{{"canonical_record":{canonical(RECORD).decode()},' in text


def test_state_sha256_is_over_the_rest() -> None:
    """The digest at the end is SHA-256 of the canonical JSON of all fields before it."""
    state = spelled(integrity_event(payload_of()))
    rest = {key: value for key, value in state.items() if key != "state_sha256"}
    assert state["state_sha256"] == hashlib.sha256(canonical(rest)).hexdigest()


def test_sorted_keys_changes_order_and_nothing_else() -> None:
    """Keys are sorted by code point at every depth; values, lists and the input stay."""
    value: JsonValue = {"b": [{"z": 1, "a": None}], "\U00010000": 1, "\uffff": 2, "a": "x"}
    before = compact_json(value)
    found = sorted_keys(value)
    assert found == value
    assert compact_json(found).decode().replace(" ", "") == (
        '{"a":"x","b":[{"a":null,"z":1}],"\\uffff":2,"\\ud800\\udc00":1}'
    )
    assert compact_json(value) == before

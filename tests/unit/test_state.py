"""state.py: the spelling of state.json, the registry's fields first."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from generator.formats.canonical import JsonObject, JsonValue, compact_json
from generator.formats.kinds import COLLECTIONS
from generator.standing import MergePolicy
from generator.state import sorted_keys, state_json
from tests.factories import ACCEPT, CARRY, LATER, state_of
from tests.vectors.builders import (
    AUTHOR,
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
from tests.vectors.kinds import KINDS, KindCase

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
    "thresholds",
    "profile",
    "equivocations",
    "rejected_events",
    "carried_events",
    "waiting_events",
    "state_sha256",
]
ANYTHING_ELSE = KindCase(
    "anything_else", "other_events", frozenset(("registry",)), {"a": 1}, {}, target="t"
)


def spelled(*events: Json, policy: MergePolicy = CARRY) -> JsonObject:
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
    assert [row["reason"] for row in _list(state["rejected_events"])] == ["wrong event id"]
    assert [row["reason"] for row in _list(state["carried_events"])] == ["unsigned"]
    assert state["waiting_events"] == []


def _list(value: JsonValue) -> list[Json]:
    assert isinstance(value, list)
    return value


def test_accepted_events_are_counted_as_valid_and_marked() -> None:
    """With `accept` an uncheckable event is in the state, valid by policy, marked as unchecked."""
    state = spelled(event_of(RECORD, "note", {}), policy=ACCEPT)
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
        "event_type",
        "verification",
        "standing",
    ]
    assert list(entry["signer"]) == sorted(entry["signer"])
    assert entry["signer"]["public_key_fingerprint"] == REGISTRY.fingerprint
    assert json.dumps(entry["payload"]) == json.dumps(entry["payload"], sort_keys=True)
    assert entry["payload"]["graph_snapshot"] == snapshot_of(PAPER)
    assert (entry["standing"], entry["verification"]) == ("counts", "verified")
    assert entry["event_type"] == "graph_snapshot"


def test_superseded_snapshot_is_marked() -> None:
    """Of several snapshots the newest counts; the others stay, marked."""
    newer = event_of(RECORD, "graph_snapshot", {"graph_snapshot": snapshot_of(PAPER)})
    state = spelled(signed(newer, created_at=LATER))
    assert [e["standing"] for e in current(state, "graph_snapshots")] == ["superseded", "counts"]


@pytest.mark.parametrize("case", [*KINDS, ANYTHING_ELSE], ids=lambda case: case.name)
def test_event_stands_in_the_collection_of_its_type(case: KindCase) -> None:
    """Each type has its collection; types without a rule are kept apart, not dropped."""
    event = event_of(RECORD, case.name, dict(case.payload), target=case.target)
    state = spelled(signed(event, key=REGISTRY if "registry" in case.roles else AUTHOR))
    (entry,) = current(state, case.collection)
    assert (entry["event_type"], entry["target"]) == (case.name, case.target)
    assert (entry["payload"], entry["standing"]) == (case.payload, "counts")
    filled = [name for name in COLLECTIONS if current(state, name)]
    assert filled == ["graph_snapshots", case.collection]


def test_contradicting_entries_are_marked() -> None:
    """Events that contradict each other stay in their list and say so."""
    rivals = [signed(event_of(RECORD, "note", {"n": n})) for n in (1, 2)]
    entries = current(spelled(*rivals), "other_events")
    assert [entry["standing"] for entry in entries] == ["contradicted"] * 2


def test_event_below_its_threshold_waits_outside_the_lists() -> None:
    """What waits for signers is listed apart, whole, with the thresholds that make it wait."""
    policy = replace(CARRY, thresholds=(("citation", 2),))
    citation = next(case for case in KINDS if case.name == "citation")
    event = signed(event_of(RECORD, "citation", dict(citation.payload)))
    state = spelled(event, policy=policy)
    assert state["thresholds"] == {"citation": 2}
    assert current(state, "citations") == []
    (entry,) = _list(state["waiting_events"])
    assert (entry["event_id"], entry["standing"]) == (event["event_id"], "waiting for signers")
    assert (entry["payload"], entry["verification"]) == (citation.payload, "verified")
    assert state["valid_event_count"] == 2


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
        "event_type": "pith.integrity.v1",
        "verification": "verified",
        "standing": "counts",
    }


def test_rescinded_finding_is_marked() -> None:
    """A finding that its detector took back stays in the list, and says so."""
    old = integrity_event(payload_of(audited_at="2026-05-18T00:00:00Z"))
    back = integrity_event(payload_of(audited_at=LATER, verdict_class="rescinded"))
    entries = current(spelled(old, back), "integrity")
    assert [entry["standing"] for entry in entries] == ["rescinded", "counts"]


def test_accepted_finding_of_a_stranger_is_marked() -> None:
    """A finding by a key that is not pinned is in an accepting state only, as not checkable."""
    finding = integrity_event(payload_of(), key=STRANGER)
    assert current(spelled(finding), "integrity") == []
    (entry,) = current(spelled(finding, policy=ACCEPT), "integrity")
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

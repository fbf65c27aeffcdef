"""merge.py: the state of a record is a function of the set of its events alone."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from generator.formats.checks import Check, Outcome
from generator.formats.integrity import SEVERITIES
from generator.merge import RecordState, check_claimed_state, merge_bundles
from generator.standing import MergePolicy, Standing
from generator.state import state_json
from tests.factories import ACCEPT, ACCEPTING, CARRY, LATER, report_on, state_of, verified
from tests.vectors.builders import (
    AUTHOR,
    CREATED_AT,
    OTHER,
    PAPER,
    REGISTRY,
    SILENT,
    STRANGER,
    Json,
    bundle_of,
    bundle_with,
    creation_of,
    edited,
    event_of,
    receipt_of,
    record_of,
    signed,
    snapshot_event,
    snapshot_of,
)
from tests.vectors.cases_integrity import integrity_event, payload_of

RECORD = record_of(PAPER)


def note(text: str, *, created_at: str = CREATED_AT, target: str = "graph") -> Json:
    """A signed event of a type that has no rule of its own."""
    event = event_of(RECORD, "note", {"text": text}, target=target)
    return signed(event, created_at=created_at)


def snapshot(number: int, *, created_at: str = CREATED_AT) -> Json:
    """A signed snapshot that differs from others by a number."""
    event = snapshot_event(RECORD, {**snapshot_of(PAPER), "builder_version": f"b{number}"})
    return signed(event, created_at=created_at)


def bundle(*events: Json) -> Json:
    """A bundle of a creation and the given events."""
    return bundle_with(RECORD, [creation_of(RECORD), *events])


def builders_of(state: RecordState) -> list[str]:
    """Name the snapshots of a state in its order."""
    snapshots = [event.snapshot for event in state.events if event.snapshot is not None]
    return [str(snapshot.json["builder_version"]) for snapshot in snapshots]


def claimed_check(claim: Json, *events: Json) -> tuple[Check, ...]:
    """Check the state that a bundle claims."""
    part = verified({**bundle(*events), "state": claim})
    state = merge_bundles([part], policy=CARRY)
    return check_claimed_state(part, state, state_json(state))


def test_events_are_ordered_by_time_and_identity() -> None:
    """Moments order events, not their spelling; at one moment the identity decides."""
    late = note("late", created_at="2026-05-18T03:00:00+00:00")
    early = note("early", created_at="2026-05-18T04:30:00+02:00")
    same = sorted((note("x", target="a"), note("x", target="b")), key=lambda e: str(e["event_id"]))
    state = state_of(bundle(late, same[1], early, same[0]))
    found = [event.event.json for event in state.events if event.event is not None]
    assert found == [creation_of(RECORD), *same, early, late]


def test_event_without_a_time_comes_first() -> None:
    """The creation has no envelope in most bundles and still stands before everything."""
    bare = [event_of(RECORD, f"bare{number}", {}) for number in range(4)]
    state = state_of(bundle_with(RECORD, [note("x"), *bare, creation_of(RECORD)]))
    types = [event.event_type for event in state.events]
    assert types[0] == "record_created"
    assert types[-1] == "note"


def test_duplicates_are_one_event() -> None:
    """An event that stands twice, or in two bundles, counts once."""
    one, two = note("one"), note("two")
    twice = state_of(bundle(one, one), bundle(two, one))
    assert state_json(twice) == state_json(state_of(bundle(one, two)))


def test_copy_without_envelope_is_another_event() -> None:
    """A copy without id and signature is carried beside the signed event, which stays verified."""
    event = note("one")
    bare = {key: event[key] for key in event if key not in {"event_id", "signature_b64"}}
    outcomes = {e.outcome for e in state_of(bundle(event, bare)).events if e.event_type == "note"}
    assert outcomes == {Outcome.VERIFIED, Outcome.NOT_CHECKABLE}


def test_bare_payload_does_not_hide_an_integrity_event() -> None:
    """The payload of a finding, repeated as an event, fails alone; the finding stays verified."""
    finding = integrity_event(payload_of())
    state = state_of(bundle(finding, payload_of()))
    assert len(state.events) == 3
    assert [e.outcome for e in state.events if e.integrity is not None] == [Outcome.VERIFIED]


def test_claim_of_an_id_displaces_nothing() -> None:
    """A forged event with the id of a genuine one is set aside; the genuine one stays."""
    genuine = note("genuine")
    forged = {**genuine, "payload": {"aaa": "forged"}}
    state = state_of(bundle(forged, genuine), bundle(forged))
    assert [e.event.payload for e in state.admitted if e.event and e.event_type == "note"] == [
        {"text": "genuine"}
    ]
    assert len(state.of_outcome(Outcome.FAILED)) == 1


def test_two_envelopes_of_one_finding_are_one_event() -> None:
    """An integrity event is its signed payload; envelope fields nobody signs make no second one."""
    finding = integrity_event(payload_of())
    again = edited(finding, ("event_id", 1), ("created_at", "2030-01-01T00:00:00+00:00"))
    state = state_of(bundle(finding, again))
    assert len(state.events) == 2
    assert state_json(state) == state_json(state_of(bundle(again), bundle(finding)))


def test_two_receipts_of_one_record_are_one_creation() -> None:
    """Two genuine creations with another reported time are one event, whatever their order."""
    first = creation_of(RECORD)
    second = creation_of(RECORD, receipt=receipt_of(RECORD, signed_at=LATER))
    forth = state_of(bundle_with(RECORD, [first, second]))
    back = state_of(bundle_with(RECORD, [second, first]))
    assert len(forth.events) == 1
    assert forth.events[0].json == back.events[0].json
    assert state_json(forth) == state_json(back)


def test_equivocation_is_listed_and_counted() -> None:
    """Two verified events of one signer, type, target and moment contradict each other."""
    one, two = note("one"), note("two", created_at="2026-05-18T04:28:13+02:00")
    third = note("elsewhere", target="record")
    state = state_of(bundle(one, two, third))
    (group,) = state.equivocations
    assert group.identities == tuple(sorted((one["event_id"], two["event_id"])))
    assert (group.signer_id, group.event_type, group.target) == ("registry.test", "note", "graph")
    equivocating = [event.identity for event in state.of_standing(Standing.CONTRADICTED)]
    assert sorted(equivocating) == list(group.identities)


def test_what_is_not_signed_makes_no_equivocation() -> None:
    """Carried, failed and receipt-only events cannot make a signer look contradictory."""
    genuine = note("genuine")
    carried = event_of(RECORD, "note", {"text": "carried"}, target="graph")
    carried = {**carried, "created_at": genuine["created_at"], "signer": genuine["signer"]}
    failed = {**genuine, "payload": {"text": "failed"}}
    finding = integrity_event(payload_of())
    other = integrity_event(payload_of(note="other"))
    creation = creation_of(RECORD, receipt=receipt_of(RECORD, signed_at=LATER))
    state = state_of(bundle(genuine, carried, failed, finding, other, creation))
    assert state.equivocations == ()


def test_other_signer_type_or_time_is_no_equivocation() -> None:
    """Events that differ in who, what or when may both be meant."""
    by_author = signed(event_of(RECORD, "note", {"text": "author"}), key=AUTHOR)
    other_type = signed(event_of(RECORD, "remark", {"text": "type"}))
    state = state_of(bundle(note("a"), note("b", created_at=LATER), by_author, other_type))
    assert state.equivocations == ()


def test_policy_decides_on_uncheckable_events() -> None:
    """Carried events change nothing; accepted ones enter the state; failed ones never do."""
    carried = event_of(RECORD, "note", {"text": "carried"})
    failed = {**note("x"), "payload": {}}
    whole = bundle(carried, failed)
    assert [e.event_type for e in state_of(whole).admitted] == ["record_created"]
    accepted = state_of(whole, policy=ACCEPT)
    assert {e.event_type for e in accepted.admitted} == {"record_created", "note"}
    assert {e.outcome for e in accepted.admitted} == {Outcome.VERIFIED, Outcome.NOT_CHECKABLE}
    assert len(accepted.events) == 3


def test_current_snapshot_is_the_newest() -> None:
    """The last snapshot in the order counts."""
    state = state_of(bundle(snapshot(2, created_at=LATER), snapshot(1)))
    assert builders_of(state) == ["b1", "b2"]
    assert state.current_snapshot is state.events[-1]


def test_equivocating_snapshot_never_wins() -> None:
    """Of two snapshots that contradict each other neither is current; an older one is."""
    rivals = [snapshot(2, created_at=LATER), snapshot(3, created_at=LATER)]
    state = state_of(bundle(*rivals, snapshot(1)))
    assert state.current_snapshot is not None
    assert state.current_snapshot.json == snapshot(1)
    assert state_of(bundle(*rivals)).current_snapshot is None


def test_carried_snapshot_is_current_only_where_accepted() -> None:
    """A snapshot that nobody can check counts only by the operator's policy."""
    whole = bundle(snapshot_event(RECORD, snapshot_of(PAPER)))
    assert state_of(whole).current_snapshot is None
    assert state_of(whole, policy=ACCEPT).current_snapshot is not None


def rescinded_rows(*events: Json, policy: MergePolicy = CARRY) -> dict[str, bool]:
    """Say of each finding, by its note, whether it is rescinded."""
    state = state_of(bundle(*events), policy=policy)
    return {
        str(e.integrity.payload["note"]): state.standing(e) is Standing.RESCINDED
        for e in state.events
        if e.integrity is not None
    }


def finding(name: str, **changes: Json) -> Json:
    """A signed finding with a name."""
    return integrity_event(payload_of(note=name, **changes))


def test_rescinded_finding_is_marked() -> None:
    """A later word of the same detector on the same place takes a finding back."""
    back = finding("back", verdict_class="rescinded", audited_at=LATER)
    newest = finding("newest", audited_at="2026-05-21T00:00:00Z")
    old = finding("old", audited_at="2026-05-18T00:00:00Z")
    elsewhere = finding("elsewhere", ref_index=20, audited_at="2026-05-18T00:00:00Z")
    other = finding("other", detector="other", audited_at="2026-05-18T00:00:00Z")
    kind = finding("kind", finding_type="other", audited_at="2026-05-18T00:00:00Z")
    assert rescinded_rows(newest, back, old, elsewhere, other, kind) == {
        "old": True,
        "elsewhere": False,
        "other": False,
        "kind": False,
        "back": False,
        "newest": False,
    }


def test_only_a_verified_word_rescinds() -> None:
    """A key that is not pinned takes no finding back, accepted or not, nor does a forged event."""
    old = finding("old", audited_at="2026-05-18T00:00:00Z")
    payload = payload_of(note="back", verdict_class="rescinded", audited_at=LATER)
    stranger = integrity_event(payload, key=STRANGER)
    forged = {**integrity_event(payload), "signature_b64": old["signature_b64"]}
    for policy in (CARRY, ACCEPT):
        assert rescinded_rows(old, stranger, forged, policy=policy)["old"] is False


def test_severity_does_not_matter_to_rescission() -> None:
    """A finding is taken back whatever its severity."""
    for severity in SEVERITIES:
        old = finding("old", severity=severity, audited_at="2026-05-18T00:00:00Z")
        back = finding("back", verdict_class="rescinded", audited_at=LATER)
        assert rescinded_rows(old, back)["old"] is True


def test_bundles_of_different_records_are_the_callers_mistake() -> None:
    """A merge takes one record; none and two are refused loudly."""
    with pytest.raises(ValueError, match="exactly one record"):
        merge_bundles([], policy=CARRY)
    with pytest.raises(ValueError, match="exactly one record"):
        merge_bundles([verified(bundle_of()), verified(bundle_of(OTHER))], policy=CARRY)


def test_claimed_state_that_agrees_is_verified() -> None:
    """A bundle that carries the right state gets one verified row."""
    state = state_json(state_of(bundle(note("x"))))
    (check,) = claimed_check(state, note("x"))
    assert (check.step, check.outcome) == ("V11", Outcome.VERIFIED)


def test_claimed_state_may_have_other_fields() -> None:
    """Fields that only one side writes are no contradiction."""
    (check,) = claimed_check({"state_version": "1.0", "extra": 1, "current": {"more": []}})
    assert check.outcome is Outcome.VERIFIED


@pytest.mark.parametrize(
    ("claim", "subject"),
    [
        ({"event_count": 9}, "state.event_count"),
        ({"current": []}, "state.current"),
        ({"current": {"graph_snapshots": [1]}}, "state.current.graph_snapshots"),
        ({"current": {"canonical_record": {"source": {"version": 9}}}},
         "state.current.canonical_record.source.version"),
        ({"merge_version": "v2", "event_count": 9}, "state.merge_version"),
        ({"valid_event_count": True}, "state.valid_event_count"),
    ],
)  # fmt: skip
def test_claimed_state_that_differs_fails(claim: Json, subject: str) -> None:
    """The first field that differs is named, with what was recomputed and what was claimed."""
    (check,) = claimed_check(claim)
    assert (check.outcome, check.subject) == (Outcome.FAILED, subject)


def test_claim_on_uncheckable_events_is_not_checkable() -> None:
    """Where an event cannot be checked here, a claim that counts on it may be right."""
    carried = event_of(RECORD, "note", {})
    (check,) = claimed_check({"valid_event_count": 2}, carried)
    assert check.outcome is Outcome.NOT_CHECKABLE
    (check,) = claimed_check({"pith_number": "pith:1999:x", "valid_event_count": 2}, carried)
    assert (check.outcome, check.subject) == (Outcome.FAILED, "state.pith_number")


def test_bundle_without_a_claimed_state_has_no_row() -> None:
    """No check mark for a check that had nothing to check."""
    report = report_on(bundle())
    assert {check.step for check in report.checks} == {f"V{n}" for n in range(1, 9)}
    state = state_of(bundle())
    assert check_claimed_state(verified(bundle()), state, state_json(state)) == ()


def test_hostile_claim_is_quoted_printable_and_short() -> None:
    """Whatever a claimed state holds, the row about it is printable text of bounded length."""
    event = note("x")
    event = signed(edited(event, ("payload", {"\u202e\x9b31m" + "k" * 5000: "\x1b" + "v" * 5000})))
    state = state_json(state_of(bundle(event)))
    hostile = edited(dict(state), ("current.other_events", "\u202e\x9b\x1b[31mé" * 500))
    (check,) = claimed_check(hostile, event)
    assert check.outcome is Outcome.FAILED
    for text in (check.subject, check.expected, check.found):
        assert text.isprintable()
        assert len(text) < 400


@pytest.mark.parametrize("policy", [CARRY, ACCEPT], ids=["carry", "accept"])
@pytest.mark.parametrize("kind", ["snapshots", "findings", "rivals"])
def test_ten_thousand_events_are_merged_in_seconds(kind: str, policy: MergePolicy) -> None:
    """As many events as a bundle may hold cost seconds, not hours, under either policy."""
    made: dict[str, Callable[[int], Json]] = {
        "snapshots": lambda n: snapshot_event(RECORD, {"paper": {"title": PAPER.title, "n": n}}),
        "findings": lambda n: {**FINDING, "payload_sha256": f"{n:064}"},
        "rivals": lambda n: {**event_of(RECORD, "note", {}), "event_id": f"sha256:{n:064}"},
    }
    whole = verified(bundle(*(made[kind](number) for number in range(5000))))
    started = time.process_time()
    state_json(merge_bundles([whole], policy=policy))
    assert time.process_time() - started < 5


FINDING = integrity_event(payload_of(), key=STRANGER)


def test_accepting_configuration_is_told_apart() -> None:
    """The policy is part of the state, so that two mirrors can see why they differ."""
    assert ACCEPTING.policy is ACCEPT
    assert state_of(bundle(), policy=ACCEPT).policy is ACCEPT
    assert REGISTRY.profile != SILENT.profile

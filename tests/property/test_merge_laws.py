"""The laws of a merge: it is a union of sets, whatever the order, the grouping and the copies."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from generator.documents import events_json
from generator.facts import paper_facts
from generator.formats.bundle import unite_bundles
from generator.formats.checks import Outcome
from generator.merge import RecordState, UncheckableEvents, merge_bundles
from generator.record_files import published_bundle
from generator.state import state_json
from generator.verify import VerifiedBundle
from tests.factories import LATER, verified
from tests.vectors.builders import (
    AUTHOR,
    CREATED_AT,
    PAPER,
    STRANGER,
    Json,
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
EARLIER = "2026-05-17T00:00:00Z"
SNAPSHOTS = [{**snapshot_of(PAPER), "builder_version": f"b{number}"} for number in range(3)]
NOTE = event_of(RECORD, "note", {"text": "x"})
GENUINE = signed(NOTE)
FINDING = integrity_event(payload_of())
PROOFS = ("event_id", "signature_b64")

# One of everything that can meet in a merge: verified, rival, carried, failed, malformed, forged.
EVENTS: tuple[Json, ...] = (
    GENUINE,
    signed(event_of(RECORD, "note", {"text": "rival"})),
    signed(event_of(RECORD, "note", {"text": "late"}), created_at=LATER),
    signed(event_of(RECORD, "author_claim", {"strength": "strong"}), key=AUTHOR),
    signed(event_of(RECORD, "author_claim", {"strength": "weak"}), key=STRANGER),
    signed(snapshot_event(RECORD, SNAPSHOTS[0])),
    signed(snapshot_event(RECORD, SNAPSHOTS[1]), created_at=LATER),
    signed(snapshot_event(RECORD, SNAPSHOTS[2]), created_at=LATER),
    snapshot_event(RECORD, SNAPSHOTS[0]),
    {**snapshot_event(RECORD, SNAPSHOTS[1]), "created_at": "9999-01-01T00:00:00Z"},
    NOTE,
    {key: value for key, value in GENUINE.items() if key not in PROOFS},
    {**GENUINE, "payload": {"text": "forged"}},
    {**NOTE, "event_id": GENUINE["event_id"], "created_at": GENUINE["created_at"]},
    FINDING,
    edited(FINDING, ("event_id", 7), ("created_at", "1970-01-01T00:00:00+00:00")),
    payload_of(),
    integrity_event(payload_of(verdict_class="rescinded", audited_at=LATER)),
    integrity_event(payload_of(note="other"), key=STRANGER),
    {**FINDING, "signature_b64": GENUINE["signature_b64"]},
    None,
    {"event_type": "graph_snapshot"},
    "x",
    [1, 2],
)
CREATIONS: tuple[Json, ...] = (
    creation_of(RECORD),
    creation_of(RECORD, receipt=receipt_of(RECORD, signed_at=LATER)),
    creation_of(RECORD, receipt=receipt_of(RECORD, signed_at=EARLIER)),
    {**creation_of(RECORD), "created_at": CREATED_AT},
    signed(creation_of(RECORD)),
)
POLICIES = st.sampled_from(UncheckableEvents)


@st.composite
def _bundles(draw: st.DrawFn) -> Json:
    """A bundle of the one record: some events in some order, some reported times."""
    creations = draw(st.lists(st.sampled_from(CREATIONS), min_size=1, max_size=2))
    events = draw(st.lists(st.sampled_from(EVENTS), max_size=8))
    bundle = bundle_with(RECORD, draw(st.permutations([*creations, *events])))
    times = draw(st.lists(st.sampled_from([CREATED_AT, LATER, None]), min_size=6, max_size=6))
    for alias, time in zip(bundle["source_aliases"], times, strict=True):
        alias["created_at"] = time
    return bundle | draw(st.sampled_from([{}, {"extra": 1}, {"zzz": [None]}]))


BUNDLES = _bundles()
SETS = st.lists(BUNDLES, min_size=1, max_size=4)


def merged(parts: Sequence[VerifiedBundle], policy: UncheckableEvents) -> RecordState:
    """Merge bundles."""
    return merge_bundles(parts, policy=policy)


def said(state: RecordState) -> str:
    """Everything that a state puts into the site's files."""
    facts = paper_facts(state)
    shown = [facts.title, facts.authors, facts.abstract, facts.snapshot and facts.snapshot.json]
    files = [state_json(state), events_json(state), state.receipt.json]
    return json.dumps([*files, repr(shown)])


@given(SETS, POLICIES, st.randoms(use_true_random=False))
def test_order_of_bundles_and_events_changes_nothing(
    bundles: list[Json], policy: UncheckableEvents, chance: random.Random
) -> None:
    """Merging is commutative, and the order of events inside a bundle is of no importance."""
    forth = merged([verified(bundle) for bundle in bundles], policy)
    mixed = [{**b, "events": chance.sample(b["events"], len(b["events"]))} for b in bundles]
    back = merged([verified(bundle) for bundle in chance.sample(mixed, len(mixed))], policy)
    assert said(forth) == said(back)


@given(SETS, POLICIES)
def test_copies_change_nothing(bundles: list[Json], policy: UncheckableEvents) -> None:
    """Merging is idempotent: a bundle twice, and an event twice, are as once."""
    once = merged([verified(bundle) for bundle in bundles], policy)
    doubled = [{**bundle, "events": bundle["events"] * 2} for bundle in bundles]
    twice = merged([verified(bundle) for bundle in [*bundles, *doubled]], policy)
    assert said(once) == said(twice)


@given(SETS, SETS, POLICIES)
def test_union_of_bundles_is_the_merge(
    first: list[Json], second: list[Json], policy: UncheckableEvents
) -> None:
    """Merging is associative through the union: united parts merge to what all of them merge to."""
    parts = [verified(bundle) for bundle in first]
    others = [verified(bundle) for bundle in second]
    united = verified(unite_bundles(part.bundle for part in parts))
    assert said(merged([united], policy)) == said(merged(parts, policy))
    assert said(merged([united, *others], policy)) == said(merged([*parts, *others], policy))


@given(SETS, st.randoms(use_true_random=False))
def test_union_has_one_spelling(bundles: list[Json], chance: random.Random) -> None:
    """The union's bytes depend on the set of bundles, and uniting it again changes no byte."""
    parts = [verified(bundle).bundle for bundle in bundles]
    united = unite_bundles(parts)
    assert unite_bundles(chance.sample(parts, len(parts)) + parts) == united
    assert unite_bundles([verified(united).bundle]) == united
    assert unite_bundles([verified(united).bundle, *parts]) == united


@given(SETS, st.randoms(use_true_random=False))
def test_served_bundle_does_not_depend_on_the_order(
    bundles: list[Json], chance: random.Random
) -> None:
    """Which bytes are served is decided by the bundles, not by which came first."""
    parts = [verified(bundle) for bundle in bundles]
    served = published_bundle(parts)
    assert published_bundle(chance.sample(parts, len(parts))).data == served.data
    assert published_bundle([*parts, verified(served.data)]).data == served.data


@given(BUNDLES, st.lists(st.sampled_from(EVENTS), max_size=6), POLICIES)
def test_no_event_displaces_a_verified_one(
    bundle: Json, more: list[Json], policy: UncheckableEvents
) -> None:
    """Whatever is added, each verified event stays verified and in the state."""
    before = merged([verified(bundle)], policy)
    after = merged([verified({**bundle, "events": [*bundle["events"], *more]})], policy)
    kept = {e.identity for e in before.events if e.outcome is Outcome.VERIFIED}
    assert kept <= {e.identity for e in after.admitted if e.outcome is Outcome.VERIFIED}


@given(BUNDLES, st.lists(st.sampled_from(EVENTS[8:14] + EVENTS[18:]), max_size=6))
def test_unverified_events_change_nothing_but_their_own_lists(
    bundle: Json, more: list[Json]
) -> None:
    """Events that are carried or failed move no collection, no count of valid ones, no rival."""
    before = state_json(merged([verified(bundle)], UncheckableEvents.CARRY))
    grown = {**bundle, "events": [*bundle["events"], *more]}
    after = state_json(merged([verified(grown)], UncheckableEvents.CARRY))
    for field in ("current", "valid_event_count", "equivocation_count", "equivocations"):
        assert before[field] == after[field]


@given(st.sets(st.integers(0, 5), min_size=1), st.randoms(use_true_random=False))
def test_every_contradiction_is_listed_once(numbers: set[int], chance: random.Random) -> None:
    """Of n different signed events of one place all n are listed, whatever else is there."""
    rivals = [signed(event_of(RECORD, "note", {"n": number})) for number in sorted(numbers)]
    noise = [event for event in EVENTS if event not in (EVENTS[0], EVENTS[1])]
    events = [creation_of(RECORD), *chance.sample(rivals + noise, len(rivals) + len(noise))]
    state = merged([verified(bundle_with(RECORD, events))], UncheckableEvents.CARRY)
    groups = [g.identities for g in state.equivocations if g.event_type == "note"]
    expected = sorted(rival["event_id"] for rival in rivals)
    assert groups == ([tuple(expected)] if len(expected) > 1 else [])


def test_merge_of_another_record_is_no_part() -> None:
    """The strategies above speak of one record; its state is that of the record."""
    other = replace(PAPER, version=3)
    assert record_of(other) != RECORD
    state = merged([verified(bundle_with(RECORD, [creation_of(RECORD)]))], UncheckableEvents.CARRY)
    assert state.record.json == RECORD

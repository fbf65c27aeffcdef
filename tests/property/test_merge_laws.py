"""Laws of merging: the state is a function of the set of events, and the set only grows.

`tests/mutation/mutate_laws.py` breaks the merge on purpose, once for each law here.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.formats.bundle import Bundle, parse_bundle, unite_bundles
from generator.formats.canonical import canonical_json, parse_json_object
from generator.formats.checks import Outcome
from generator.formats.digest import sha256
from generator.merge import RecordState, merge_bundles
from generator.standing import MergePolicy, Standing
from generator.state import state_json
from tests.factories import verified
from tests.property.merge_pool import (
    EXAMPLES,
    FEW_PARTS,
    PARTS,
    POLICIES,
    SOME_POLICY,
    Part,
    identities,
    merged,
    shown,
    shuffled,
)

SEEDS = st.integers(0, 2**32 - 1)
COUNTERS = (
    "event_count",
    "invalid_event_count",
    "uncheckable_event_count",
    "equivocation_count",
)


def joined(*parts: Part) -> Part:
    """One bundle with the events of several, as they came, copies included."""
    return Part(tuple(name for part in parts for name in part.names), parts[0].base)


def fields(state: RecordState) -> dict[str, Any]:
    """The state as its file has it."""
    return dict(state_json(state))


def listed(state: RecordState) -> set[str]:
    """The events in the lists of the state, and those that wait."""
    found = {event.identity for event in state.admitted}
    return found | {event.identity for event in state.of_standing(Standing.WAITING)}


def united(*bundles: Bundle) -> Bundle:
    """The union of bundles, read back from its bytes."""
    return parse_bundle(parse_json_object(unite_bundles(bundles), subject="union"))


@settings(max_examples=EXAMPLES)
@given(FEW_PARTS, SOME_POLICY, SEEDS)
def test_order_of_bundles_changes_nothing(
    parts: tuple[Part, ...], policy: MergePolicy, seed: int
) -> None:
    """Bundles of one record merge to one state, whichever comes first."""
    order = shuffled([str(index) for index in range(len(parts))], seed)
    turned = [parts[int(index)] for index in order]
    expected = shown(merged(*parts, policy=policy))
    assert shown(merged(*turned, policy=policy)) == expected
    assert shown(merged(*reversed(parts), policy=policy)) == expected


@settings(max_examples=EXAMPLES)
@given(PARTS, SOME_POLICY, SEEDS)
def test_order_of_events_changes_nothing(part: Part, policy: MergePolicy, seed: int) -> None:
    """Events of a bundle make one state, whether they come late, early or twice."""
    turned = replace(part, names=shuffled(part.names, seed))
    assert shown(merged(turned, policy=policy)) == shown(merged(part, policy=policy))


@settings(max_examples=EXAMPLES)
@given(PARTS, PARTS, PARTS, SOME_POLICY)
def test_grouping_changes_nothing(
    first: Part, second: Part, third: Part, policy: MergePolicy
) -> None:
    """Uniting two mirrors' bundles and then a third's gives what any other grouping gives."""
    second, third = replace(second, base=first.base), replace(third, base=first.base)
    expected = shown(merged(first, second, third, policy=policy))
    assert shown(merged(joined(first, second), third, policy=policy)) == expected
    assert shown(merged(first, joined(second, third), policy=policy)) == expected
    assert shown(merged(joined(first, second, third), policy=policy)) == expected


@settings(max_examples=EXAMPLES // 4)
@given(PARTS, PARTS, PARTS)
def test_union_of_bundles_is_one_file_in_any_grouping(
    first: Part, second: Part, third: Part
) -> None:
    """Three bundles unite to the same bytes in any grouping, with the state of the three."""
    one, two, three = (part.bundle.bundle for part in (first, second, third))
    expected = unite_bundles([one, two, three])
    assert unite_bundles([three, united(two, one)]) == expected
    assert unite_bundles([united(three, two), one]) == expected
    state = merge_bundles([verified(expected)], policy=POLICIES[0])
    assert shown(state) == shown(merged(first, second, third))


@settings(max_examples=EXAMPLES)
@given(PARTS, PARTS, SOME_POLICY)
def test_repetition_changes_nothing(part: Part, other: Part, policy: MergePolicy) -> None:
    """A bundle united with itself, or with a part of itself, is itself."""
    alone = merged(part, policy=policy)
    assert shown(merged(part, part, policy=policy)) == shown(alone)
    both = replace(joined(part, other), base=part.base)
    expected = shown(merged(both, policy=policy))
    assert shown(merged(both, part, policy=policy)) == expected
    assert len(set(identities(alone))) == len(alone.events)


@settings(max_examples=EXAMPLES)
@given(PARTS, PARTS, SOME_POLICY)
def test_events_are_never_lost(part: Part, other: Part, policy: MergePolicy) -> None:
    """More events never take one away, nor change its outcome, nor the order of those there."""
    alone, united = merged(part, policy=policy), merged(part, other, policy=policy)
    kept = set(identities(alone))
    assert tuple(name for name in identities(united) if name in kept) == identities(alone)
    outcomes = {event.identity: event.outcome for event in united.events}
    assert all(outcomes[event.identity] is event.outcome for event in alone.events)


@settings(max_examples=EXAMPLES)
@given(PARTS, PARTS, SOME_POLICY)
def test_listed_events_stay_listed(part: Part, other: Part, policy: MergePolicy) -> None:
    """An event in the lists of a state stays there or among the waiting, whatever else comes."""
    alone, united = merged(part, policy=policy), merged(part, other, policy=policy)
    assert listed(alone) <= listed(united)


@settings(max_examples=EXAMPLES)
@given(PARTS, PARTS, SOME_POLICY)
def test_counters_only_grow(part: Part, other: Part, policy: MergePolicy) -> None:
    """With more events no counter falls; the valid ones may, where some wait for signers again."""
    alone, united = fields(merged(part, policy=policy)), fields(merged(part, other, policy=policy))
    assert all(alone[name] <= united[name] for name in COUNTERS)
    assert standing_or_waiting(alone) <= standing_or_waiting(united)
    if not policy.thresholds:
        assert alone["valid_event_count"] <= united["valid_event_count"]


def standing_or_waiting(state: dict[str, Any]) -> int:
    """The events that make a state or will once they have their signers."""
    return int(state["valid_event_count"]) + len(state["waiting_events"])


@settings(max_examples=EXAMPLES)
@given(FEW_PARTS, SOME_POLICY)
def test_counters_agree_with_the_lists(parts: tuple[Part, ...], policy: MergePolicy) -> None:
    """Every event is counted once and listed once, and the digest is of what is written."""
    merged_state = merged(*parts, policy=policy)
    state = fields(merged_state)
    lists = {k: v for k, v in state["current"].items() if isinstance(v, list)}
    del lists["source_aliases"]
    creations = [e for e in merged_state.admitted if e.event_type == "record_created"]
    assert sum(map(len, lists.values())) + len(creations) == state["valid_event_count"]
    assert len(state["rejected_events"]) == state["invalid_event_count"]
    assert len(state["equivocations"]) == state["equivocation_count"]
    apart = sum(len(state[f"{name}_events"]) for name in ("rejected", "carried", "waiting"))
    assert state["valid_event_count"] + apart == state["event_count"] == len(merged_state.events)
    unchecked = [e for e in merged_state.events if e.outcome is Outcome.NOT_CHECKABLE]
    assert len(unchecked) == state["uncheckable_event_count"]
    digest = state.pop("state_sha256")
    assert str(sha256(canonical_json(state))) == digest


@settings(max_examples=EXAMPLES)
@given(FEW_PARTS)
def test_events_stand_in_the_order_of_their_moments(parts: tuple[Part, ...]) -> None:
    """Times are compared as moments, whatever their offset, fraction or leap second."""
    events = merged(*parts).events
    for earlier, later in pairwise(events):
        if earlier.created_at is None:
            continue
        assert later.created_at is not None
        assert earlier.created_at <= later.created_at
        if earlier.created_at == later.created_at:
            assert earlier.identity < later.identity

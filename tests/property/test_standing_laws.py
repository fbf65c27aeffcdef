"""Laws of what an event counts for, each said from the set of events and not from the program.

`tests/mutation/mutate_laws.py` breaks the rules on purpose, once for each law here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import given, settings

from generator.formats.checks import Outcome
from generator.formats.payloads import Endorsement, Withdrawal
from generator.merge import RecordState
from generator.standing import MergePolicy, Standing, UncheckableEvents
from generator.verify_events import JudgedEvent
from tests.property.merge_pool import (
    EXAMPLES,
    JUDGED,
    PARTS,
    POLICIES,
    SOME_POLICY,
    Part,
    identities,
    merged,
)

# Events in these act on no other.
INERT = frozenset(
    (
        Standing.SET_ASIDE,
        Standing.CARRIED,
        Standing.WAITING,
        Standing.RESCINDED,
        Standing.SUPERSEDED,
    )
)
AT_WORK = frozenset((Standing.COUNTS, Standing.SUPERSEDED, Standing.RESCINDED))


def by_signer(event: JudgedEvent) -> str:
    """Who proved to have signed an event; empty for nobody."""
    return event.signer.signer_id if event.signed and event.signer else ""


def place_of(event: JudgedEvent) -> tuple[object, ...] | None:
    """Signer, type, target and moment of a signed event: two of one place contradict."""
    if event.event is None or event.created_at is None or not event.signed:
        return None
    moment = (event.created_at.seconds, event.created_at.nanoseconds)
    return by_signer(event), event.event_type, event.event.target, moment


def contradicting(events: Iterable[JudgedEvent]) -> set[str]:
    """The events that share their place with another."""
    places: dict[object, list[str]] = {}
    for event in events:
        place = place_of(event)
        if place is not None:
            places.setdefault(place, []).append(event.identity)
    return {name for names in places.values() if len(names) > 1 for name in names}


def without(part: Part, gone: set[str]) -> Part:
    """The part without events of these identities."""
    return replace(part, names=tuple(n for n in part.names if JUDGED[n].identity not in gone))


def standings_of(state: RecordState, names: Iterable[str]) -> dict[str, Standing]:
    """The standings of some events."""
    return {name: state.standings[name] for name in names}


@settings(max_examples=EXAMPLES)
@given(PARTS, SOME_POLICY)
def test_outcome_decides_who_takes_part(part: Part, policy: MergePolicy) -> None:
    """Failed events are set aside, and those not checkable are carried or, if so told, accepted."""
    state = merged(part, policy=policy)
    carrying = policy.uncheckable is UncheckableEvents.CARRY
    assert set(state.standings) == set(identities(state))
    for event in state.events:
        standing = state.standing(event)
        assert (standing is Standing.SET_ASIDE) == (event.outcome is Outcome.FAILED)
        unchecked = event.outcome is Outcome.NOT_CHECKABLE
        assert (standing is Standing.CARRIED) == (unchecked and carrying)


@settings(max_examples=EXAMPLES)
@given(PARTS, SOME_POLICY)
def test_contradictions_are_found_and_settle_nothing(part: Part, policy: MergePolicy) -> None:
    """Exactly the events that share a place are in an equivocation, and none of them counts."""
    state = merged(part, policy=policy)
    expected = contradicting(state.events)
    assert {name for group in state.equivocations for name in group.identities} == expected
    for event in state.events:
        standing = state.standing(event)
        allowed = {Standing.CONTRADICTED, Standing.WITHDRAWN}
        assert (standing in allowed) or event.identity not in expected
        assert standing is not Standing.CONTRADICTED or event.identity in expected


@settings(max_examples=EXAMPLES)
@given(PARTS, SOME_POLICY)
def test_one_snapshot_of_a_target_is_current(part: Part, policy: MergePolicy) -> None:
    """Of the snapshots of a target that nothing else voids, the last counts and no other."""
    state = merged(part, policy=policy)
    targets: dict[str, list[Standing]] = {}
    for event in state.events:
        standing = state.standing(event)
        if event.event_type == "graph_snapshot" and event.event and standing in AT_WORK:
            targets.setdefault(event.event.target, []).append(standing)
        else:
            assert standing is not Standing.SUPERSEDED
    for found in targets.values():
        assert found == [Standing.SUPERSEDED] * (len(found) - 1) + [Standing.COUNTS]


@settings(max_examples=EXAMPLES)
@given(PARTS, SOME_POLICY)
def test_signers_take_back_their_own_events_only(part: Part, policy: MergePolicy) -> None:
    """An event is withdrawn where its own signer's withdrawal counts, and nowhere else."""
    state = merged(part, policy=policy)
    taken_back = {
        (event.payload.about, by_signer(event))
        for event in state.events
        if isinstance(event.payload, Withdrawal)
        and event.signed
        and state.standing(event) is Standing.COUNTS
    }
    for event in state.events:
        named = (event.identity, by_signer(event)) in taken_back and event.signed
        expected = named and not isinstance(event.payload, Withdrawal)
        assert (state.standing(event) is Standing.WITHDRAWN) == expected


@settings(max_examples=EXAMPLES)
@given(PARTS, SOME_POLICY)
def test_newest_word_of_a_detector_counts(part: Part, policy: MergePolicy) -> None:
    """A finding is rescinded where a verified rescission of its place, as late or later, counts."""
    state = merged(part, policy=policy)
    findings = [
        (event.integrity, state.standing(event), event.outcome)
        for event in state.events
        if event.integrity is not None
    ]
    for finding, standing, _ in findings:
        later = [
            other
            for other, its, outcome in findings
            if other.verdict_class == "rescinded"
            and its is Standing.COUNTS
            and outcome is Outcome.VERIFIED
            and other.place == finding.place
            and other.audited_at >= finding.audited_at
        ]
        if finding.verdict_class == "rescinded":
            assert standing is not Standing.RESCINDED
        elif standing in AT_WORK:
            assert (standing is Standing.RESCINDED) == bool(later)


@settings(max_examples=EXAMPLES)
@given(PARTS, SOME_POLICY)
def test_thresholds_count_signers_and_not_events(part: Part, policy: MergePolicy) -> None:
    """An event waits where fewer signers than its kind asks for stand behind it."""
    state = merged(part, policy=policy)
    double = contradicting(state.events)
    for event in state.events:
        endorsements = [
            other
            for other in state.events
            if isinstance(other.payload, Endorsement)
            and other.signed
            and other.payload.endorses == event.identity
            and other.identity not in double
            # A withdrawal is decided before any endorsement is taken back.
            and (
                isinstance(event.payload, Withdrawal)
                or state.standing(other) is not Standing.WITHDRAWN
            )
        ]
        signers = {by_signer(other) for other in (event, *endorsements)} - {""}
        enough = len(signers) >= dict(policy.thresholds).get(event.event_type, 0)
        standing = state.standing(event)
        assert standing is not Standing.WAITING or not enough
        assert standing not in AT_WORK or enough


@settings(max_examples=EXAMPLES)
@given(PARTS, SOME_POLICY)
def test_void_events_act_on_no_other(part: Part, policy: MergePolicy) -> None:
    """Taking out what is set aside, carried, waiting or overtaken changes nothing for the rest."""
    state = merged(part, policy=policy)
    gone = {name for name, standing in state.standings.items() if standing in INERT}
    rest = merged(without(part, gone), policy=policy)
    kept = [name for name in state.standings if name not in gone]
    assert standings_of(rest, kept) == standings_of(state, kept)


@settings(max_examples=EXAMPLES)
@given(PARTS, PARTS)
def test_unproven_events_change_nothing(part: Part, other: Part) -> None:
    """Whoever can add only events that do not verify changes the standing of none that does."""
    genuine = {e.identity for e in JUDGED.values() if e.outcome is Outcome.VERIFIED}
    unproven = without(other, genuine)
    for policy in (POLICIES[0], POLICIES[1]):
        alone = merged(part, policy=policy)
        beside = merged(part, unproven, policy=policy)
        names = identities(alone)
        assert standings_of(beside, names) == standings_of(alone, names)
        assert beside.equivocations == alone.equivocations

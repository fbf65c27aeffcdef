"""Merge: the state of a record as a function of the set of its events alone (protocol part 8).

`pith-open-graph-merge-v1` as read here. Order of events, duplicates, and the order in which bundles
of one record are united change nothing: events are a set keyed by identity, ordered by
(`created_at`, identity), and every rule below looks at that set only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from generator.formats.bundle import ClaimedAlias
from generator.formats.canonical import JsonObject, JsonValue, canonical_json, compact_json
from generator.formats.checks import Check, Outcome
from generator.formats.event import GRAPH_SNAPSHOT, GRAPH_TARGET, RECORD_CREATED
from generator.formats.identifiers import PithNumber
from generator.formats.instant import Instant
from generator.formats.receipt import Receipt
from generator.formats.record import CanonicalRecord
from generator.limits import shorten
from generator.standing import (
    IN_STATE,
    Equivocation,
    MergePolicy,
    Standing,
    find_equivocations,
    find_standings,
)
from generator.verify import VerifiedBundle
from generator.verify_events import JudgedEvent


@dataclass(frozen=True, slots=True)
class RecordState:
    """The merged state of one record.

    `events` holds every distinct event in order; `equivocations` are in the order of their first
    event.
    """

    pith_number: PithNumber
    record: CanonicalRecord
    receipt: Receipt
    aliases: tuple[ClaimedAlias, ...]
    policy: MergePolicy
    events: tuple[JudgedEvent, ...]
    equivocations: tuple[Equivocation, ...]
    standings: Mapping[str, Standing]

    def standing(self, event: JudgedEvent) -> Standing:
        """Say what an event counts for.

        Args:
            event: one of `events`.

        Returns:
            Its standing.
        """
        return self.standings[event.identity]

    @property
    def admitted(self) -> tuple[JudgedEvent, ...]:
        """The events that make the state, in order, those that no longer count included."""
        return tuple(event for event in self.events if self.standing(event) in IN_STATE)

    def counting(self, event_type: str) -> tuple[JudgedEvent, ...]:
        """Give the events of a kind that count.

        Args:
            event_type: the kind.

        Returns:
            Those events, in order.
        """
        return tuple(
            event
            for event in self.events
            if event.event_type == event_type and self.standing(event) is Standing.COUNTS
        )

    def of_outcome(self, outcome: Outcome) -> tuple[JudgedEvent, ...]:
        """Give the events of one outcome.

        Args:
            outcome: the outcome of check V8.

        Returns:
            Those events, in order.
        """
        return tuple(event for event in self.events if event.outcome is outcome)

    def of_standing(self, standing: Standing) -> tuple[JudgedEvent, ...]:
        """Give the events of one standing.

        Args:
            standing: what they count for.

        Returns:
            Those events, in order.
        """
        return tuple(event for event in self.events if self.standing(event) is standing)

    @property
    def current_snapshot(self) -> JudgedEvent | None:
        """The snapshot that counts: the newest admitted one of the record's graph.

        One of another target is listed beside it and never shown in its place: of two that one
        signer dates alike under two names, the order of their ids must not choose.
        """
        snapshots = [
            event
            for event in self.counting(GRAPH_SNAPSHOT)
            if event.event is not None and event.event.target == GRAPH_TARGET
        ]
        return snapshots[-1] if snapshots else None


def merge_bundles(bundles: Sequence[VerifiedBundle], *, policy: MergePolicy) -> RecordState:
    """Merge the verified bundles of one record.

    Args:
        bundles: one or more, all of one record, in any order.
        policy: the operator's.

    Returns:
        The state.

    Raises:
        ValueError: no bundle, or bundles of different records: the caller's mistake, not the
        input's.
    """
    if len({bundle.pith_number for bundle in bundles}) != 1:
        raise ValueError("merge_bundles takes bundles of exactly one record")
    events = _event_set(event for bundle in bundles for event in bundle.events)
    equivocations = find_equivocations(events)
    # The time in a receipt and those of the aliases are signed by nobody. The smallest spelling
    # decides, as in the union of the bundles, so that every mirror decides alike.
    first, receipt = bundles[0], bundles[0].receipt
    if len(bundles) > 1:
        first = min(bundles, key=lambda bundle: canonical_json(bundle.bundle.without_events))
        receipts = (bundle.receipt for bundle in bundles)
        receipt = min(receipts, key=lambda receipt: canonical_json(receipt.json))
    return RecordState(
        pith_number=first.pith_number,
        record=first.bundle.record,
        receipt=receipt,
        aliases=first.bundle.aliases,
        policy=policy,
        events=events,
        equivocations=equivocations,
        standings=find_standings(events, equivocations, policy),
    )


def _event_set(events: Iterable[JudgedEvent]) -> tuple[JudgedEvent, ...]:
    # Two spellings of one identity differ only in what is not signed; the smallest one decides.
    chosen: dict[str, JudgedEvent] = {}
    for event in events:
        present = chosen.get(event.identity)
        if present is None or _spelling(event) < _spelling(present):
            chosen[event.identity] = event
    return tuple(sorted(chosen.values(), key=_event_order))


def _spelling(event: JudgedEvent) -> tuple[bytes, bytes]:
    return canonical_json(event.json), compact_json(event.json)


def _event_order(event: JudgedEvent) -> tuple[bool, Instant, bool, str]:
    # Events without a time come first, and of these the creation.
    moment = event.created_at
    later = event.event_type != RECORD_CREATED
    return (
        moment is not None,
        moment or Instant(0, 0, ""),
        moment is None and later,
        event.identity,
    )


# What a claimed state says of these does not depend on any event.
_OF_THE_RECORD = ("state_type", "state_version", "pith_number", "merge_version")
_OF_THE_RECORD_CURRENT = ("canonical_record", "source_aliases")


def check_claimed_state(
    bundle: VerifiedBundle, state: RecordState, recomputed: JsonObject
) -> tuple[Check, ...]:
    """Compare the state a bundle claims with the one recomputed here (check V11).

    Fields that only we or only another mirror writes are no contradiction; every shared one must
    agree. Where some event cannot be checked here, a difference that depends on events is not
    checkable: the claim may well be right.

    Args:
        bundle: the bundle; without a claimed state there is nothing to check, and no row.
        state: the state merged from this bundle alone.
        recomputed: the same as JSON.

    Returns:
        No row or one: the first claimed field that differs, or that all agree.
    """
    claimed = bundle.bundle.claimed_state
    if claimed is None:
        return ()
    fault = _first_difference(_record_part(claimed), _record_part(recomputed), "state")
    outcome = Outcome.FAILED
    if fault is None:
        fault = _first_difference(claimed, recomputed, "state")
        if state.of_outcome(Outcome.NOT_CHECKABLE):
            outcome = Outcome.NOT_CHECKABLE
    if fault is None:
        agreed = "the state recomputed here"
        return (Check("V11", "claimed state", "state", Outcome.VERIFIED, agreed, agreed),)
    return (Check("V11", "claimed state", fault[0], outcome, fault[1], fault[2]),)


def _record_part(state: JsonObject) -> JsonObject:
    current = state.get("current")
    kept = {key: state[key] for key in _OF_THE_RECORD if key in state}
    if isinstance(current, dict):
        kept["current"] = {key: current[key] for key in _OF_THE_RECORD_CURRENT if key in current}
    return kept


def _first_difference(
    claimed: JsonValue, recomputed: JsonValue, path: str
) -> tuple[str, str, str] | None:
    if isinstance(claimed, dict) and isinstance(recomputed, dict):
        for key in sorted(claimed.keys() & recomputed.keys()):
            below = shorten(f"{path}.{key}")
            fault = _first_difference(claimed[key], recomputed[key], below)
            if fault is not None:
                return fault
        return None
    if canonical_json(claimed) == canonical_json(recomputed):
        return None
    expected, found = (shorten(canonical_json(value).decode()) for value in (recomputed, claimed))
    return path, expected, found

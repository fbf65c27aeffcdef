"""Standing: what each admitted event counts for, as a function of the set of events alone.

Rules of merge (protocol part 8, ours where the registry is silent, `docs/formats/state.md`).
None of them looks at the order of arrival, so late and out-of-order events end in the same state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from generator.formats.checks import Outcome
from generator.formats.event import GRAPH_SNAPSHOT
from generator.formats.instant import Instant
from generator.formats.payloads import Endorsement, Withdrawal
from generator.verify_events import JudgedEvent


class UncheckableEvents(Enum):
    """What an operator does with events that cannot be checked: `mirror.toml`, `[build]`."""

    CARRY = "carry"
    ACCEPT = "accept"


@dataclass(frozen=True, slots=True)
class MergePolicy:
    """What the operator decides about merging; two mirrors compare states under equal policies.

    `thresholds` gives, for an event kind, how many different signers must stand behind an event.
    """

    uncheckable: UncheckableEvents = UncheckableEvents.CARRY
    thresholds: tuple[tuple[str, int], ...] = ()


class Standing(Enum):
    """What an event counts for. The value is the word in `state.json` and on pages."""

    COUNTS = "counts"
    SUPERSEDED = "superseded"  # a newer snapshot of the same target
    RESCINDED = "rescinded"  # a finding that its detector took back
    WITHDRAWN = "withdrawn"  # taken back by its own signer
    CONTRADICTED = "contradicted"  # part of an equivocation
    WAITING = "waiting for signers"  # below the threshold of its kind
    CARRIED = "carried"  # not checkable, and the operator does not accept such events
    SET_ASIDE = "set aside"  # failed


# In these the event stands in the lists under `current`; in the others it does not.
IN_STATE = frozenset(
    (
        Standing.COUNTS,
        Standing.SUPERSEDED,
        Standing.RESCINDED,
        Standing.WITHDRAWN,
        Standing.CONTRADICTED,
    )
)


@dataclass(frozen=True, slots=True)
class Equivocation:
    """Two or more verified events of one signer that cannot both be meant (protocol part 8)."""

    signer_id: str
    event_type: str
    target: str
    created_at: Instant
    identities: tuple[str, ...]


def find_equivocations(events: Sequence[JudgedEvent]) -> tuple[Equivocation, ...]:
    """Find events that contradict each other.

    Args:
        events: distinct events in merge order.

    Returns:
        One row per contradiction, in the order of its first event.
    """
    groups: dict[tuple[str, str, str, Instant], list[str]] = {}
    for judged in events:
        # Only a signed envelope can contradict another: else anyone could make a signer look false.
        event = judged.event
        if not judged.signed or event is None or event.created_at is None or event.signer is None:
            continue
        place = (event.signer.signer_id, event.event_type, event.target, event.created_at)
        groups.setdefault(place, []).append(judged.identity)
    return tuple(
        Equivocation(*place, identities=tuple(sorted(identities)))
        for place, identities in groups.items()
        if len(identities) > 1
    )


def find_standings(
    events: Sequence[JudgedEvent], equivocations: Sequence[Equivocation], policy: MergePolicy
) -> Mapping[str, Standing]:
    """Decide what each event counts for.

    Args:
        events: distinct events in merge order.
        equivocations: of these events.
        policy: the operator's.

    Returns:
        The standing of each event by its identity.
    """
    contradicted = {identity for group in equivocations for identity in group.identities}
    standings = {
        event.identity: Standing.CONTRADICTED
        if event.identity in contradicted
        else _admission(event, policy)
        for event in events
    }
    # Each rule below takes away from what still counts, so that no rule acts through a void event.
    # Withdrawals come first: one that has its signers voids an endorsement like any other event.
    _wait(events, standings, policy, withdrawals=True)
    _withdraw(events, standings)
    _wait(events, standings, policy, withdrawals=False)
    _rescind(events, standings)
    _supersede(events, standings)
    return standings


def _admission(event: JudgedEvent, policy: MergePolicy) -> Standing:
    if event.outcome is Outcome.FAILED:
        return Standing.SET_ASIDE
    if (
        event.outcome is Outcome.NOT_CHECKABLE
        and policy.uncheckable is not UncheckableEvents.ACCEPT
    ):
        return Standing.CARRIED
    return Standing.COUNTS


def _counting(
    events: Sequence[JudgedEvent], standings: Mapping[str, Standing]
) -> list[JudgedEvent]:
    return [event for event in events if standings[event.identity] is Standing.COUNTS]


def _wait(
    events: Sequence[JudgedEvent],
    standings: dict[str, Standing],
    policy: MergePolicy,
    *,
    withdrawals: bool,
) -> None:
    """Let events below the threshold of their kind wait: a signer and all endorsers count once."""
    thresholds = dict(policy.thresholds)
    if not thresholds:
        return
    signers: dict[str, set[str]] = {}
    for event in _counting(events, standings):
        if event.signer is not None and event.signed:
            about = event.identity
            if isinstance(event.payload, Endorsement):
                about = event.payload.endorses
            signers.setdefault(about, set()).add(event.signer.signer_id)
    for event in _counting(events, standings):
        if isinstance(event.payload, Withdrawal) is not withdrawals:
            continue
        if len(signers.get(event.identity, ())) < thresholds.get(event.event_type, 0):
            standings[event.identity] = Standing.WAITING


def _withdraw(events: Sequence[JudgedEvent], standings: dict[str, Standing]) -> None:
    """Let a signer take back own events; a withdrawal itself cannot be taken back."""
    by_identity = {event.identity: event for event in events}
    for event in _counting(events, standings):
        if not isinstance(event.payload, Withdrawal) or event.signer is None or not event.signed:
            continue
        target = by_identity.get(event.payload.about)
        if (
            target is not None
            and not isinstance(target.payload, Withdrawal)
            and target.signer is not None
            and target.signed
            and target.signer.signer_id == event.signer.signer_id
            and standings[target.identity] in IN_STATE
        ):
            standings[target.identity] = Standing.WITHDRAWN


def _rescind(events: Sequence[JudgedEvent], standings: dict[str, Standing]) -> None:
    """Let a detector take back its finding about one place: the newest word of it counts."""
    newest: dict[tuple[object, ...], Instant] = {}
    for event in _counting(events, standings):
        finding = event.integrity
        # Only a verified word: else, where unchecked events count, anyone could take one back.
        verified = event.outcome is Outcome.VERIFIED
        if finding is not None and verified and finding.verdict_class == "rescinded":
            place = finding.place
            newest[place] = max(newest.get(place, finding.audited_at), finding.audited_at)
    for event in _counting(events, standings):
        finding = event.integrity
        if (
            finding is not None
            and finding.verdict_class != "rescinded"
            and finding.place in newest
            and finding.audited_at <= newest[finding.place]
        ):
            standings[event.identity] = Standing.RESCINDED


def _supersede(events: Sequence[JudgedEvent], standings: dict[str, Standing]) -> None:
    """Let the newest snapshot of a target count; `events` are in merge order, so it is the last."""
    last: dict[str, str] = {}
    for event in _counting(events, standings):
        if event.event_type == GRAPH_SNAPSHOT and event.event is not None:
            earlier = last.get(event.event.target)
            if earlier is not None:
                standings[earlier] = Standing.SUPERSEDED
            last[event.event.target] = event.identity

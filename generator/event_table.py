"""The tables of a record page: its events and checks, as many as a page can hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from generator.display import make_visible
from generator.event_words import kind_words
from generator.facts import KnownRecord
from generator.formats.checks import ADMISSION_STEPS, Check, Outcome
from generator.formats.event import RECORD_CREATED
from generator.formats.kinds import KINDS
from generator.formats.payloads import Endorsement, KeyRotation
from generator.limits import DEFAULT_LIMITS
from generator.merge import RecordState
from generator.messages import message, message_list
from generator.pages import EquivocationRow, EventMention, EventRow
from generator.standing import Equivocation, Standing
from generator.verify_events import JudgedEvent

_EFFECTS = {
    Standing.SUPERSEDED: message("superseded by a newer snapshot"),
    Standing.RESCINDED: message("taken back by its detector"),
    Standing.WITHDRAWN: message("withdrawn by its signer"),
    Standing.CONTRADICTED: message("contradicted by another event of its signer"),
    Standing.CARRIED: message("carried, changes nothing"),
    Standing.SET_ASIDE: message("set aside"),
}
# What a reader of a cut table must not miss, first.
_RANK = {Outcome.VERIFIED: 0, Outcome.FAILED: 1, Outcome.NOT_CHECKABLE: 2}
_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class EventTable:
    """The events of a record and how a page names each; `rows` leaves out what a page cannot hold.

    Nobody can hide a verified event behind a thousand unsigned ones: those are left out first.
    """

    rows: tuple[EventRow, ...]
    left_out: int
    mentions: Mapping[str, EventMention]

    def mention(self, identity: str) -> EventMention:
        """Name an event.

        Args:
            identity: as an event of this or of no bundle has it.

        Returns:
            Its number and kind, with the place of its row if there is one.
        """
        absent = EventMention(
            message("{identity}, which is not in this bundle", identity=identity), ""
        )
        return self.mentions.get(identity, absent)


def event_table(known: KnownRecord) -> EventTable:
    """Describe the events of a record.

    Args:
        known: what is known of it.

    Returns:
        Rows in merge order.
    """
    state = known.state
    limit = DEFAULT_LIMITS.shown_events_max_count
    numbered = tuple(enumerate(state.events, start=1))
    shown = _most_telling(numbered, lambda row: _RANK[row[1].outcome], limit)
    places = {number for number, _ in shown}
    return EventTable(
        rows=tuple(_row(state, number, event) for number, event in shown),
        left_out=len(numbered) - len(shown),
        mentions={
            event.identity: EventMention(
                message(
                    "event {number}, {kind}", number=number, kind=kind_words(event.event_type, 1)
                ),
                f"event-{number}" if number in places else "",
                message("event {number}", number=number),
            )
            for number, event in numbered
        },
    )


def shown_checks(checks: Sequence[Check]) -> tuple[Check, ...]:
    """Choose the checks that a page shows.

    Args:
        checks: all of them, in the order of the steps.

    Returns:
        Those that admit the record, then as many of the others as a page can hold, in their order.
    """
    limit = DEFAULT_LIMITS.shown_checks_max_count
    return _most_telling(
        checks, lambda c: -1 if c.step in ADMISSION_STEPS else _RANK[c.outcome], limit
    )


def standing_words(state: RecordState, judged: JudgedEvent) -> str:
    """Say in words what an event counts for.

    Args:
        state: the merged state.
        judged: one of its events.

    Returns:
        A short phrase.
    """
    standing = state.standing(judged)
    if standing is Standing.WAITING:
        return _waiting_words(state, judged)
    if standing is not Standing.COUNTS:
        return _EFFECTS[standing]
    return _counting_words(judged)


def _counting_words(judged: JudgedEvent) -> str:
    if judged.outcome is Outcome.NOT_CHECKABLE:
        return message("accepted by this mirror’s operator, unverified")
    if judged.event_type == RECORD_CREATED:
        return message("gives the record")
    if judged.snapshot is not None:
        return message("current snapshot")
    if isinstance(judged.payload, KeyRotation):
        return message("announced, changes no trust here")
    if judged.event_type in KINDS:
        return message("part of the state")
    return message("of a kind not known here")


def equivocation_rows(state: RecordState, table: EventTable) -> tuple[EquivocationRow, ...]:
    """Describe the equivocations of a record.

    Args:
        state: the merged state.
        table: of its events.

    Returns:
        A row each, in order.
    """
    limit = DEFAULT_LIMITS.shown_statements_max_count
    rows = tuple(_equivocation(group, table) for group in state.equivocations[:limit])
    more = len(state.equivocations) - len(rows)
    return (
        (
            *rows,
            EquivocationRow(message("and {number} more, in state.json", number=more), ()),
        )
        if more
        else rows
    )


def signed_words(judged: JudgedEvent) -> str:
    """Say who signed an event, with which key, and when; a claim where it did not verify.

    Args:
        judged: the event.

    Returns:
        A phrase.
    """
    who = _signer(judged) or message("no signer named")
    if judged.signer is not None and judged.vouches:
        who = message("{signer}, key {key_id}", signer=who, key_id=judged.signer.key_id)
    time = _time(judged) or message("no time given")
    return make_visible(message_list((who, time)))


def _most_telling(
    rows: Iterable[_Row], rank: Callable[[_Row], int], limit: int
) -> tuple[_Row, ...]:
    """Keep the rows of the lowest ranks, at most `limit`, in their order."""
    numbered = list(enumerate(rows))
    if len(numbered) <= limit:
        return tuple(row for _, row in numbered)
    chosen = sorted(numbered, key=lambda item: (rank(item[1]), item[0]))[:limit]
    return tuple(row for _, row in sorted(chosen, key=lambda item: item[0]))


def _row(state: RecordState, number: int, judged: JudgedEvent) -> EventRow:
    check = judged.check
    # What checks say is what events.json says, in English whatever the language of the page.
    reason = f"expected {check.expected}, found {check.found}"
    if judged.outcome is Outcome.VERIFIED:
        why = check.note
    else:
        why = f"{check.note}; {reason}" if check.note else reason
    return EventRow(
        number=number,
        event_type=_kind(judged),
        created_at=_time(judged),
        signer=make_visible(_signer(judged)),
        outcome=judged.outcome.value,
        why=make_visible(why),
        effect=standing_words(state, judged),
    )


def _time(judged: JudgedEvent) -> str:
    return str(judged.created_at) if judged.created_at is not None and judged.vouches else ""


def _signer(judged: JudgedEvent) -> str:
    if not judged.vouches:
        return ""
    if judged.signer is not None:
        return judged.signer.signer_id
    # An integrity event names its key and nobody beside it.
    return (
        "" if judged.integrity is None else message("key {key_id}", key_id=judged.integrity.key_id)
    )


def _kind(judged: JudgedEvent) -> str:
    return make_visible(judged.event_type) or message("(none)")


def _waiting_words(state: RecordState, judged: JudgedEvent) -> str:
    needed = dict(state.policy.thresholds).get(judged.event_type, 0)
    signers = {
        event.signer.signer_id
        for event in state.counting("endorsement")
        if event.signer is not None
        and event.signed
        and isinstance(event.payload, Endorsement)
        and event.payload.endorses == judged.identity
    }
    if judged.signer is not None and judged.signed:
        signers.add(judged.signer.signer_id)
    return message("waits for signers: {count} of {needed}", count=len(signers), needed=needed)


def _equivocation(group: Equivocation, table: EventTable) -> EquivocationRow:
    limit = DEFAULT_LIMITS.shown_statement_lines_max_count
    text = message(
        "{signer} signed {number} different {kind} events for {target} at {time}",
        signer=group.signer_id,
        number=len(group.identities),
        kind=group.event_type,
        target=group.target,
        time=str(group.created_at),
    )
    return EquivocationRow(
        text=make_visible(text),
        events=tuple((table.mention(identity), identity) for identity in group.identities[:limit]),
    )

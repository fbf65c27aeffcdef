"""Statements: what each event says, in words, with its signer, its standing and how it is known.

A statement is its signer's word: *reported* where the event verified, *carried* where the operator
accepts events that nobody here can check. Events that failed or are only carried along say nothing
here; they stand in the table of events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.display import make_visible, shown_text
from generator.event_table import EventTable, signed_words, standing_words
from generator.facts import KnownRecord
from generator.formats.checks import Outcome
from generator.formats.payloads import RECORD, Response, Withdrawal
from generator.limits import DEFAULT_LIMITS
from generator.messages import message
from generator.pages import HowKnown, Statement, StatementGroup
from generator.phrases import phrase_of
from generator.standing import IN_STATE, Standing
from generator.verify_events import JudgedEvent


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the page for events of some kinds."""

    anchor: str
    heading: str
    intro: str
    kinds: tuple[str, ...]


_SECTIONS = (
    _Section(
        "withdrawals",
        message("Withdrawals"),
        message(
            "A signer may take back what the same signer said; the registry or an author may "
            "withdraw the record. What is withdrawn stays on this page, marked."
        ),
        ("withdrawal",),
    ),
    _Section(
        "timestamps",
        message("Timestamps"),
        message(
            "Each proof commits to the canonical SHA-256. A check mark stands only where this "
            "mirror compared the proof with the block’s header; the block’s time is then proven, "
            "within the two hours that Bitcoin allows."
        ),
        ("timestamp_anchored",),
    ),
    _Section(
        "storage",
        message("Stored copies"),
        message("Where a signer says a copy is kept. Nothing here looks into a store."),
        ("storage_attested",),
    ),
    _Section(
        "author-claims",
        message("Author claims"),
        message(
            "Who says to be an author. A strong claim is made by the registry or signed by the "
            "claimed key itself; a weak one is only said."
        ),
        ("author_claim",),
    ),
    _Section(
        "attestations",
        message("Author statements"),
        message("What authors signed about the record."),
        ("author_attestation",),
    ),
    _Section(
        "citation-events",
        message("Citations that make no link"),
        message("These citations do not count, or were not verified."),
        ("citation",),
    ),
    _Section(
        "replications",
        message("Replications"),
        message(
            "Attempts to repeat, refute or formalise the result. This mirror repeats none of them."
        ),
        ("replication",),
    ),
    _Section(
        "integrity",
        message("Integrity findings"),
        message(
            "What the registry’s detectors reported about the paper. The signature shows who "
            "reported it, not that it is right."
        ),
        ("pith.integrity.v1",),
    ),
    _Section(
        "challenges",
        message("Challenges"),
        message(
            "Doubts about the record or one of its events, with the answers that are in the bundle."
        ),
        ("challenge",),
    ),
    _Section(
        "responses",
        message("Responses"),
        message("Their challenge is not in the bundle or does not count."),
        ("response",),
    ),
    _Section(
        "corrections",
        message("Corrections"),
        message("They change neither the record nor any event."),
        ("correction",),
    ),
    _Section(
        "added-names",
        message("Added names"),
        message(
            "Further names of the record, as a signer reports them; they lead to no page here."
        ),
        ("alias_added",),
    ),
    _Section(
        "announced-keys",
        message("Announced keys"),
        message(
            "A rotation in a bundle changes no trust: which keys count is for this mirror’s "
            "operator to say."
        ),
        ("key_rotation",),
    ),
    _Section(
        "endorsements",
        message("Endorsements"),
        message("Signers who stand behind an event of another."),
        ("endorsement",),
    ),
)
_OTHER = _Section(
    "other-events",
    message("Events of kinds not known here"),
    message(
        "Their signatures were checked like any other. What they mean is not known here, so their "
        "payloads are not shown; the bundle holds them."
    ),
    (),
)
# What needs no words of its own: the page is made of it.
_SAID_ELSEWHERE = frozenset(("record_created", "graph_snapshot"))
_KNOWN = frozenset(kind for section in _SECTIONS for kind in section.kinds)


@dataclass(frozen=True, slots=True)
class _Telling:
    """What every statement of one page is told from; `answers` by the identity of a challenge."""

    known: KnownRecord
    table: EventTable
    answers: Mapping[str, Sequence[JudgedEvent]]


def describe_statements(known: KnownRecord, table: EventTable) -> tuple[StatementGroup, ...]:
    """Say what the events of a record say.

    Args:
        known: what is known of the record.
        table: its events, as the page names them.

    Returns:
        A group for each kind that has a statement. Citations that make a link and responses to a
        challenge stand with what they are about.
    """
    events = [event for event in known.state.events if _speaks(known, event)]
    answers = _answers(known, events)
    placed = {event.identity for responses in answers.values() for event in responses}
    placed |= {link.event_id for link in known.cites}
    telling = _Telling(known, table, answers)
    groups = []
    for section in (*_SECTIONS, _OTHER):
        chosen = [e for e in events if _belongs(e, section) and e.identity not in placed]
        if chosen:
            groups.append(_group(section, chosen, telling))
    return tuple(groups)


def record_withdrawals(known: KnownRecord, table: EventTable) -> tuple[Statement, ...]:
    """Give the withdrawals of the record itself that count.

    Args:
        known: what is known of the record.
        table: its events.

    Returns:
        Statements, oldest first, no more than a page can hold.
    """
    events = [
        event
        for event in known.state.counting("withdrawal")
        if isinstance(event.payload, Withdrawal) and event.payload.about == RECORD
    ]
    telling = _Telling(known, table, {})
    limit = DEFAULT_LIMITS.shown_statements_max_count
    return tuple(_statement(event, telling) for event in events[-limit:])


def _speaks(known: KnownRecord, event: JudgedEvent) -> bool:
    standing = known.state.standing(event)
    return event.event_type not in _SAID_ELSEWHERE and (
        standing in IN_STATE or standing is Standing.WAITING
    )


def _belongs(event: JudgedEvent, section: _Section) -> bool:
    if section is _OTHER:
        return event.event_type not in _KNOWN
    return event.event_type in section.kinds


def _answers(known: KnownRecord, events: Sequence[JudgedEvent]) -> dict[str, list[JudgedEvent]]:
    """Give the responses to each challenge that counts, by the challenge's identity."""
    answers: dict[str, list[JudgedEvent]] = {
        event.identity: [] for event in known.state.counting("challenge")
    }
    for event in events:
        if isinstance(event.payload, Response) and event.payload.challenge in answers:
            answers[event.payload.challenge].append(event)
    return answers


def _group(section: _Section, events: Sequence[JudgedEvent], telling: _Telling) -> StatementGroup:
    limit = DEFAULT_LIMITS.shown_statements_max_count
    shown = events[-limit:]
    return StatementGroup(
        anchor=section.anchor,
        heading=section.heading,
        intro=section.intro,
        statements=tuple(_statement(event, telling) for event in shown),
        left_out=len(events) - len(shown),
    )


def _statement(event: JudgedEvent, telling: _Telling) -> Statement:
    known, table = telling.known, telling.table
    phrase, standing = phrase_of(event, known, table), known.state.standing(event)
    verified = event.outcome is Outcome.VERIFIED
    limit = DEFAULT_LIMITS.shown_statements_max_count
    answers = telling.answers.get(event.identity, ())[-limit:]
    return Statement(
        heading=phrase.heading,
        quote=shown_text(phrase.quote, limit=DEFAULT_LIMITS.shown_statement_max_length),
        lines=phrase.lines,
        signed=signed_words(event),
        event=table.mention(event.identity),
        known=HowKnown.REPORTED if verified else HowKnown.CARRIED,
        standing=make_visible(standing_words(known.state, event)),
        counts=standing is Standing.COUNTS,
        taken_back=standing in {Standing.WITHDRAWN, Standing.RESCINDED},
        answers=tuple(_statement(answer, telling) for answer in answers),
    )

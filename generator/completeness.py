"""How far a record has come: status chips and the completeness list of its page."""

from __future__ import annotations

from collections.abc import Sequence

from generator.config import Configuration
from generator.display import make_visible
from generator.documents import verification_status
from generator.event_words import OUTCOME_WORDS
from generator.facts import KnownRecord
from generator.formats.checks import Outcome
from generator.formats.payloads import StoredCopy
from generator.merge import RecordState
from generator.messages import message, message_list, messages
from generator.pages import Chip, CompletenessRow, Link, StatementGroup
from generator.standing import Standing

_SHOWN_STORES = 3


def status_chips(known: KnownRecord, *, withdrawn: bool) -> tuple[Chip, ...]:
    """Say in four words how far a record has come, and what speaks against it.

    Args:
        known: what is known of the record.
        withdrawn: whether it was withdrawn.

    Returns:
        The registry's four chips in its order, then one for each thing that speaks against it.
    """
    status, state = verification_status(known), known.state
    # "Not anchored" and "not stored" would deny what only nobody here could look at.
    anchored = message("anchor not checked") if known.timestamps else message("not anchored")
    if any(
        check.finding.outcome is Outcome.FAILED
        for timestamp in known.timestamps
        for _, check in timestamp.bitcoin
    ):
        anchored = message("anchor failed")
    copies = state.counting("storage_attested")
    stored = message("copy reported") if copies else message("not stored")
    contradicted = "contradicted" in known.warnings
    against = (
        (message("withdrawn"), withdrawn),
        (message("contradicted"), contradicted),
        (message("challenged"), _challenged(state)),
    )
    return (
        _chip(status["author_attested"], message("attested"), message("not attested")),
        _chip(status["externally_anchored"], message("anchored"), anchored),
        _chip(status["storage_verified"], message("stored"), stored),
        _chip(status["references_resolved"], message("refs resolved"), message("refs pending")),
        *(Chip(word, positive=False, alarm=True) for word, true in against if true),
    )


def completeness_rows(
    known: KnownRecord, configuration: Configuration, groups: Sequence[StatementGroup]
) -> tuple[CompletenessRow, ...]:
    """Describe the five steps of a record, as on the registry's page.

    Args:
        known: what is known of the record.
        configuration: gives the registry, which alone can take a claim.
        groups: the statements of the page, to lead there.

    Returns:
        Rows 1 to 5.
    """
    status, state = verification_status(known), known.state
    shown = {group.anchor for group in groups}
    claims = message(
        "{strong} strong, {weak} weak",
        strong=status["strong_author_claims"],
        weak=status["weak_author_claims"],
    )
    claimed = status["strong_author_claims"] or status["weak_author_claims"]
    rows = (
        (
            message("Bitcoin timestamp"),
            _timestamp_status(known),
            "timestamp_anchored",
            "timestamps",
        ),
        (message("Internet Archive"), _storage_status(state), "storage_attested", "storage"),
        (
            message("Author claim"),
            claims if claimed else message("open"),
            "author_claim",
            "author-claims",
        ),
        (message("Citations"), _count(status["citation_signatures"]), "citation", "cites"),
        (
            message("Replications"),
            _count(status["replication_records"]),
            "replication",
            "replications",
        ),
    )
    return tuple(
        CompletenessRow(
            number=number,
            label=label,
            status=message_list((words, *_unchecked(state, kind))),
            link=_claim_link(state, configuration) if kind == "author_claim" else None,
            section=anchor if anchor in shown or (anchor == "cites" and known.cites) else "",
        )
        for number, (label, words, kind, anchor) in enumerate(rows, start=1)
    )


def bundle_note(state: RecordState) -> str:
    """Count the events of a bundle by outcome.

    Args:
        state: the merged state.

    Returns:
        A sentence.
    """
    words = [
        message("{number} {outcome}", number=len(found), outcome=OUTCOME_WORDS[outcome])
        for outcome in Outcome
        if (found := state.of_outcome(outcome))
    ]
    return messages(
        "{number} event: {outcomes}.",
        "{number} events: {outcomes}.",
        len(state.events),
        outcomes=message_list(words),
    )


def _chip(reached: object, positive: str, negative: str) -> Chip:
    return Chip(positive if reached else negative, positive=bool(reached))


def _challenged(state: RecordState) -> bool:
    challenges = state.counting("challenge")
    return any(event.outcome is Outcome.VERIFIED for event in challenges)


def _claim_link(state: RecordState, configuration: Configuration) -> Link | None:
    upstream = next(iter(configuration.upstreams), None)
    if upstream is None:
        return None
    href = f"{upstream.base_url}pith/{state.pith_number.suffix}"
    label = message("sign in to claim at {registry}", registry=upstream.name)
    return Link(label, href, external=True)


def _timestamp_status(known: KnownRecord) -> str:
    if not known.timestamps:
        return message("no proof that counts in the bundle")
    blocks = [block for timestamp in known.timestamps for block in timestamp.bitcoin]
    checks = [check for _, check in blocks]
    times = [check.block_time for check in checks if check.block_time is not None]
    if times:
        return message("in a Bitcoin block of {time}", time=str(min(times)))
    if any(check.finding.outcome is Outcome.FAILED for check in checks):
        return message("the proof failed against the block header")
    if checks:
        return message("not checkable here: needs block header {height}", height=blocks[0][0])
    if any(timestamp.pending for timestamp in known.timestamps):
        return message("waiting for a Bitcoin block")
    return message("of a kind that is not checked here")


def _storage_status(state: RecordState) -> str:
    copies = [
        event.payload.store
        for event in state.counting("storage_attested")
        if isinstance(event.payload, StoredCopy)
    ]
    if not copies:
        return message("no copy reported")
    stores = sorted(set(copies))
    more = len(stores) - _SHOWN_STORES
    names = [
        *stores[:_SHOWN_STORES],
        *([message("{number} more", number=more)] if more > 0 else []),
    ]
    return make_visible(
        messages(
            "{number} copy reported ({stores}), not checkable offline",
            "{number} copies reported ({stores}), not checkable offline",
            len(copies),
            stores=message_list(names),
        )
    )


def _count(value: object) -> str:
    return str(value) if value else message("open")


def _unchecked(state: RecordState, kind: str) -> tuple[str, ...]:
    """Tell of events that may well be right but change nothing here."""
    carried = sum(1 for e in state.of_standing(Standing.CARRIED) if e.event_type == kind)
    waiting = sum(1 for e in state.of_standing(Standing.WAITING) if e.event_type == kind)
    words = (
        (carried, message("and {number} carried unchecked", number=carried)),
        (waiting, message("and {number} waiting for signers", number=waiting)),
    )
    return tuple(word for count, word in words if count)

"""How far a record has come: status chips and the completeness list of its page."""

from __future__ import annotations

from collections.abc import Sequence

from generator.config import Configuration
from generator.display import make_visible
from generator.documents import verification_status
from generator.facts import KnownRecord
from generator.formats.checks import Outcome
from generator.formats.payloads import StoredCopy
from generator.merge import RecordState
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
    anchored = "anchor not checked" if known.timestamps else "not anchored"
    if any(
        check.finding.outcome is Outcome.FAILED
        for timestamp in known.timestamps
        for _, check in timestamp.bitcoin
    ):
        anchored = "anchor failed"
    stored = "copy reported" if state.counting("storage_attested") else "not stored"
    contradicted = "contradicted" in known.warnings
    against = (
        ("withdrawn", withdrawn),
        ("contradicted", contradicted),
        ("challenged", _challenged(state)),
    )
    return (
        _chip(status["author_attested"], "attested", "not attested"),
        _chip(status["externally_anchored"], "anchored", anchored),
        _chip(status["storage_verified"], "stored", stored),
        _chip(status["references_resolved"], "refs resolved", "refs pending"),
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
    claims = f"{status['strong_author_claims']} strong, {status['weak_author_claims']} weak"
    claimed = status["strong_author_claims"] or status["weak_author_claims"]
    rows = (
        ("Bitcoin timestamp", _timestamp_status(known), "timestamp_anchored", "timestamps"),
        ("Internet Archive", _storage_status(state), "storage_attested", "storage"),
        ("Author claim", claims if claimed else "open", "author_claim", "author-claims"),
        ("Citations", _count(status["citation_signatures"]), "citation", "cites"),
        ("Replications", _count(status["replication_records"]), "replication", "replications"),
    )
    return tuple(
        CompletenessRow(
            number=number,
            label=label,
            status=words + _unchecked(state, kind),
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
    count = len(state.events)
    words = [
        f"{len(found)} {outcome.value}"
        for outcome in Outcome
        if (found := state.of_outcome(outcome))
    ]
    return f"{count} {'event' if count == 1 else 'events'}: {', '.join(words)}."


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
    return Link(f"sign in to claim at {upstream.name}", href, external=True)


def _timestamp_status(known: KnownRecord) -> str:
    if not known.timestamps:
        return "no proof that counts in the bundle"
    checks = [check for timestamp in known.timestamps for _, check in timestamp.bitcoin]
    times = [check.block_time for check in checks if check.block_time is not None]
    if times:
        return f"in a Bitcoin block of {min(times)}"
    if any(check.finding.outcome is Outcome.FAILED for check in checks):
        return "the proof failed against the block header"
    if checks:
        return f"not checkable here: {checks[0].finding.note}"
    if any(timestamp.pending for timestamp in known.timestamps):
        return "waiting for a Bitcoin block"
    return "of a kind that is not checked here"


def _storage_status(state: RecordState) -> str:
    copies = [
        event.payload.store
        for event in state.counting("storage_attested")
        if isinstance(event.payload, StoredCopy)
    ]
    if not copies:
        return "no copy reported"
    stores = sorted(set(copies))
    more = len(stores) - _SHOWN_STORES
    names = [*stores[:_SHOWN_STORES], *([f"{more} more"] if more > 0 else [])]
    reported = "1 copy" if len(copies) == 1 else f"{len(copies)} copies"
    return make_visible(f"{reported} reported ({', '.join(names)}), not checkable offline")


def _count(value: object) -> str:
    return str(value) if value else "open"


def _unchecked(state: RecordState, kind: str) -> str:
    """Tell of events that may well be right but change nothing here."""
    carried = sum(1 for e in state.of_standing(Standing.CARRIED) if e.event_type == kind)
    waiting = sum(1 for e in state.of_standing(Standing.WAITING) if e.event_type == kind)
    return "".join(
        f", and {count} {word}"
        for count, word in ((carried, "carried unchecked"), (waiting, "waiting for signers"))
        if count
    )

"""What is known of a paper, and how: the table of protocol part 2 applied to a merged state.

A title or an abstract whose digest contradicts the record is not shown as such. Authors are in no
record: they are the snapshot signer's word where that event verifies, else carried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.citations import UNLINKED, OutgoingLink, RecordLinks
from generator.formats.checks import Check, Outcome, Verdict
from generator.formats.event import GRAPH_SNAPSHOT
from generator.formats.payloads import RECORD, Withdrawal
from generator.formats.snapshot import EXCERPT_LENGTH, Paper, Snapshot
from generator.formats.text import text_digest
from generator.merge import RecordState
from generator.messages import message
from generator.pages import HowKnown
from generator.standing import Standing
from generator.timestamps import AnchoredTimestamp
from generator.verify_events import JudgedEvent

_NO_SNAPSHOT = message(
    "The bundle holds no snapshot of the paper, so its title is not known here. The record itself "
    "holds only the title's digest."
)
_TITLE_REFUSED = message(
    "The title in the bundle does not have the digest that the signed record holds, so it is not "
    "shown."
)


@dataclass(frozen=True, slots=True)
class KnownText:
    """A text as received, and how it is known."""

    raw: str
    known: HowKnown
    note: str = ""


@dataclass(frozen=True, slots=True)
class PaperFacts:
    """What a page may say of a paper. `snapshot` is the one shown, `judged` its event."""

    title: KnownText | None
    title_missing: str
    authors: KnownText | None
    abstract: KnownText | None
    snapshot: Snapshot | None
    judged: JudgedEvent | None


@dataclass(frozen=True, slots=True)
class KnownRecord:
    """All that the pages and files of one record are made from.

    `checks` are those of the bundle that is served, in order, and `verdict` is drawn from them.
    `links` says which ends of `cites` are in this mirror, and who cites the record; all records
    have to be known for it, so at first there are none.
    """

    state: RecordState
    paper: PaperFacts
    timestamps: tuple[AnchoredTimestamp, ...]
    checks: tuple[Check, ...]
    verdict: Verdict
    cites: tuple[OutgoingLink, ...] = ()
    links: RecordLinks = UNLINKED

    @property
    def suffix(self) -> str:
        """The record's id."""
        return self.state.pith_number.suffix

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a short word on the record, such as a badge, must not leave out."""
        withdrawn = any(
            isinstance(event.payload, Withdrawal) and event.payload.about == RECORD
            for event in self.state.counting("withdrawal")
        )
        words = (("withdrawn", withdrawn), ("contradicted", bool(self.state.equivocations)))
        return tuple(word for word, true in words if true)


def paper_facts(state: RecordState) -> PaperFacts:
    """Choose what to show of a paper.

    Args:
        state: the merged state of its record.

    Returns:
        The facts. The snapshot is the state's current one; where none entered the state, the newest
        carried one, one with a bound title before others.
    """
    offered = tuple(_snapshots(state))
    if not offered:
        return PaperFacts(None, _NO_SNAPSHOT, None, None, None, None)
    # A title that the record's digest binds is proven whoever says it; anything else is somebody's
    # word, and of two words that one signer set against each other neither may win.
    titles = (snapshot.paper.title for _, snapshot in offered)
    title = next((t for t in titles if text_digest(t) == state.record.title_digest), None)
    known_title = None if title is None else KnownText(title, HowKnown.PROVEN)
    missing = _TITLE_REFUSED if title is None else ""
    judged, snapshot = next(
        (item for item in offered if state.standing(item[0]) is not Standing.CONTRADICTED),
        (None, None),
    )
    if judged is None or snapshot is None:
        return PaperFacts(known_title, missing, None, None, None, None)
    word = HowKnown.REPORTED if judged.outcome is Outcome.VERIFIED else HowKnown.CARRIED
    authors = snapshot.paper.authors_text
    return PaperFacts(
        title=known_title,
        title_missing=missing,
        authors=KnownText(authors, word, _other_authors(offered, authors)) if authors else None,
        abstract=_abstract(state, snapshot.paper, word),
        snapshot=snapshot,
        judged=judged,
    )


def _other_authors(offered: Sequence[tuple[JudgedEvent, Snapshot]], authors: str) -> str:
    # Of snapshots that nobody can check, one is shown; that others contradict it must be said.
    others = {snapshot.paper.authors_text for judged, snapshot in offered if not judged.signed}
    if others - {authors, None}:
        return message("another snapshot, which cannot be checked either, names other authors")
    return ""


def _snapshots(state: RecordState) -> Iterator[tuple[JudgedEvent, Snapshot]]:
    """Give the snapshots that may be shown, the one to show first; failed ones never."""
    current = state.current_snapshot
    if current is not None and current.snapshot is not None:
        yield current, current.snapshot
    others = [
        (event, event.snapshot)
        for event in reversed(state.events)
        if event.event_type == GRAPH_SNAPSHOT
        and event.snapshot is not None
        and event.outcome is not Outcome.FAILED
        and event is not current
    ]
    bound = state.record.title_digest
    yield from sorted(others, key=lambda item: text_digest(item[1].paper.title) != bound)


def _abstract(state: RecordState, paper: Paper, word: HowKnown) -> KnownText | None:
    bound = state.record.abstract_digest
    for text in (paper.abstract, paper.abstract_excerpt):
        if text and text_digest(text) == bound:
            return KnownText(text, HowKnown.PROVEN)
    excerpt = paper.abstract_excerpt
    # A whole abstract with another digest failed check V10; an excerpt can only be taken at its
    # word.
    if paper.abstract is not None or excerpt is None or len(excerpt) < EXCERPT_LENGTH:
        return None
    return KnownText(excerpt, word, message("only the beginning is in the bundle"))

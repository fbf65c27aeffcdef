"""V9 and V10: the digests inside a snapshot, and what of it is bound to the signed record."""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.bundle import Bundle
from generator.formats.checks import Check, Outcome
from generator.formats.snapshot import EXCERPT_LENGTH, Paper, Section, Snapshot
from generator.formats.text import canonical_text, text_digest
from generator.limits import shorten
from generator.verify_events import JudgedEvent

DIGEST_STEP = "V9"
BINDING_STEP = "V10"


def check_snapshots(bundle: Bundle, events: tuple[JudgedEvent, ...]) -> tuple[Check, ...]:
    """Check every snapshot whose event did not fail.

    Args:
        bundle: the admitted bundle.
        events: its judged events.

    Returns:
        V9 of all snapshots, then V10 of all, each in received order.
    """
    kept = [
        (index, judged.snapshot)
        for index, judged in enumerate(events)
        if judged.snapshot is not None and judged.outcome is not Outcome.FAILED
    ]
    digests = (
        _check_section(section, f"events[{index}] graph_snapshot.{section.name}")
        for index, snapshot in kept
        for section in snapshot.sections
    )
    bindings = (
        check
        for index, snapshot in kept
        for check in _bindings(bundle, snapshot, f"events[{index}] graph_snapshot.paper")
    )
    return (*digests, *bindings)


def title_is_bound(bundle: Bundle, snapshot: Snapshot) -> bool:
    """Tell whether a snapshot's title is the one the receipt signs (protocol part 2).

    Args:
        bundle: the admitted bundle.
        snapshot: one of its snapshots.

    Returns:
        True if the title's canonical digest is the record's.
    """
    return text_digest(snapshot.paper.title) == bundle.record.title_digest


def abstract_is_bound(bundle: Bundle, text: str) -> bool:
    """Tell whether a text is the whole abstract the receipt signs (protocol part 2).

    Args:
        bundle: the admitted bundle.
        text: a whole abstract or an excerpt.

    Returns:
        True if its canonical digest is the record's.
    """
    return text_digest(text) == bundle.record.abstract_digest


def _check_section(section: Section, subject: str) -> Check:
    name = "snapshot digest"
    if section.listed > section.count:
        return Check(
            DIGEST_STEP,
            name,
            subject,
            Outcome.FAILED,
            f"a count of {section.listed}, as listed",
            str(section.count),
        )
    if section.listed < section.count:
        return Check(
            DIGEST_STEP,
            name,
            subject,
            Outcome.NOT_CHECKABLE,
            "the list the digest is taken over",
            "only its length",
            str(section.claimed),
        )
    computed, claimed = section.computed, section.claimed
    if computed == claimed:
        outcome, note = Outcome.VERIFIED, ""
    elif section.count:
        # The rule is known for the empty list and for integrity (protocol part 6). Another digest
        # of a list that is not empty may as well be taken over something we are not shown.
        outcome, note = Outcome.NOT_CHECKABLE, "what is digested of such a list is not published"
    else:
        outcome, note = Outcome.FAILED, ""
    return Check(DIGEST_STEP, name, subject, outcome, str(computed), str(claimed), note)


def _bindings(bundle: Bundle, snapshot: Snapshot, subject: str) -> Iterator[Check]:
    paper = snapshot.paper
    yield Check(
        BINDING_STEP,
        "title binding",
        f"{subject}.title",
        Outcome.VERIFIED if title_is_bound(bundle, snapshot) else Outcome.FAILED,
        f"title_canon_sha256 {bundle.record.title_digest}",
        str(text_digest(paper.title)),
    )
    if paper.abstract is not None:
        yield _abstract_check(bundle, paper.abstract, f"{subject}.abstract", whole=True)
    if paper.abstract_excerpt:
        yield _excerpt_check(bundle, paper, f"{subject}.abstract_excerpt")


def _excerpt_check(bundle: Bundle, paper: Paper, subject: str) -> Check:
    excerpt = paper.abstract_excerpt or ""
    if paper.abstract is None or not abstract_is_bound(bundle, paper.abstract):
        whole = len(excerpt) < EXCERPT_LENGTH
        return _abstract_check(bundle, excerpt, subject, whole=whole)
    # Beside a bound abstract the excerpt can be checked whatever its length: it must be its
    # beginning.
    begins = canonical_text(paper.abstract).startswith(canonical_text(excerpt))
    return Check(
        BINDING_STEP,
        "abstract binding",
        subject,
        Outcome.VERIFIED if begins else Outcome.FAILED,
        "the beginning of the bound abstract",
        "the beginning of the bound abstract" if begins else shorten(excerpt, limit=60),
    )


def _abstract_check(bundle: Bundle, text: str, subject: str, *, whole: bool) -> Check:
    name = "abstract binding"
    expected = f"abstract_canon_sha256 {bundle.record.abstract_digest}"
    if abstract_is_bound(bundle, text):
        return Check(
            BINDING_STEP, name, subject, Outcome.VERIFIED, expected, str(text_digest(text))
        )
    if whole:
        return Check(BINDING_STEP, name, subject, Outcome.FAILED, expected, str(text_digest(text)))
    return Check(
        BINDING_STEP,
        name,
        subject,
        Outcome.NOT_CHECKABLE,
        expected,
        f"the first {len(text)} characters",
        "an excerpt proves nothing of the whole",
    )

"""facts.py: what is known of a paper, and how."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.facts import PaperFacts, paper_facts
from generator.pages import HowKnown
from generator.standing import MergePolicy
from tests.factories import ACCEPT, CARRY, LATER, state_of
from tests.vectors.builders import (
    GONE,
    PAPER,
    Json,
    Paper,
    bundle_with,
    creation_of,
    edited,
    paper_section,
    record_of,
    signed,
    snapshot_event,
)

LONG = replace(PAPER, abstract="A long abstract of many words. " * 40)


def event(paper: Paper = PAPER, *edits: tuple[str, Json]) -> Json:
    """A snapshot event without envelope, of a paper with changes."""
    return snapshot_event(record_of(paper), {"paper": edited(paper_section(paper), *edits)})


def facts(*events: Json, paper: Paper = PAPER, policy: MergePolicy = CARRY) -> PaperFacts:
    """Give what is known of a paper from the given events."""
    record = record_of(paper)
    bundle = bundle_with(record, [creation_of(record), *events])
    return paper_facts(state_of(bundle, policy=policy))


def test_no_snapshot_means_no_title() -> None:
    """A record without a snapshot is shown without title, and says why."""
    found = facts()
    assert (found.title, found.authors, found.abstract, found.snapshot) == (None,) * 4
    assert "no snapshot" in found.title_missing


def test_bound_title_is_proven_and_authors_are_reported() -> None:
    """In a verified snapshot the title is proven by the record, authors are the signer's word."""
    found = facts(signed(event()))
    assert found.title is not None
    assert found.authors is not None
    assert found.abstract is not None
    assert (found.title.raw, found.title.known) == (PAPER.title, HowKnown.PROVEN)
    assert (found.authors.raw, found.authors.known) == (PAPER.authors, HowKnown.REPORTED)
    assert (found.abstract.raw, found.abstract.known) == (PAPER.abstract, HowKnown.PROVEN)
    assert found.title_missing == ""


def test_carried_snapshot_proves_a_title_but_only_carries_authors() -> None:
    """A digest proves a title whoever says it; authors that nobody signed are carried."""
    found = facts(event())
    assert found.title is not None
    assert found.authors is not None
    assert found.title.known is HowKnown.PROVEN
    assert found.authors.known is HowKnown.CARRIED


@pytest.mark.parametrize("sign", [signed, lambda e: e], ids=["signed", "carried"])
def test_title_with_another_digest_is_not_shown(sign: Json) -> None:
    """A title that the record contradicts is not shown, even where a pinned key signed it."""
    found = facts(sign(event(PAPER, ("title", "Another title"))))
    assert found.title is None
    assert "does not have the digest" in found.title_missing
    assert found.authors is not None


def test_title_may_differ_in_case_and_white_space() -> None:
    """The title is proven up to letter case and white space, and shown as the snapshot has it."""
    title = PAPER.title.upper().replace(" ", "\n  ")
    found = facts(signed(event(PAPER, ("title", title))))
    assert found.title is not None
    assert (found.title.raw, found.title.known) == (title, HowKnown.PROVEN)


def test_title_is_found_in_an_older_snapshot() -> None:
    """Where the newest snapshot has a wrong title, an older one may still prove the right one."""
    wrong = signed(event(PAPER, ("title", "Wrong"), ("authors_text", "New")), created_at=LATER)
    found = facts(wrong, signed(event()))
    assert found.title is not None
    assert found.authors is not None
    assert found.title.raw == PAPER.title
    assert found.authors.raw == "New"


def test_failed_snapshot_gives_nothing() -> None:
    """A forged snapshot is not even carried onto the page."""
    forged = {**signed(event()), "payload": event(PAPER, ("authors_text", "Eve"))["payload"]}
    found = facts(forged)
    assert (found.title, found.authors, found.snapshot) == (None,) * 3


def test_verified_snapshot_goes_before_carried_ones() -> None:
    """A carried snapshot with a later time does not displace the signer's word."""
    carried = {**event(PAPER, ("authors_text", "Eve")), "created_at": "9999-01-01T00:00:00Z"}
    found = facts(carried, signed(event()))
    assert found.authors is not None
    assert (found.authors.raw, found.authors.known) == (PAPER.authors, HowKnown.REPORTED)


def test_carried_snapshot_with_a_bound_title_goes_before_others() -> None:
    """Of several carried snapshots one that knows the right title is shown."""
    later = {**event(PAPER, ("title", "x"), ("authors_text", "Eve")), "created_at": LATER}
    found = facts(later, event())
    assert found.authors is not None
    assert found.authors.raw == PAPER.authors


def test_contradicting_snapshots_give_no_authors() -> None:
    """Of two snapshots of one signer and moment neither wins; what the record proves stays."""
    rival = signed(event(PAPER, ("authors_text", "Eve")))
    found = facts(signed(event()), rival)
    assert found.authors is None
    assert found.snapshot is None
    assert found.title is not None
    assert (found.title.raw, found.title.known) == (PAPER.title, HowKnown.PROVEN)


def test_accepted_snapshot_is_still_only_carried() -> None:
    """Accepting unchecked events makes them count, not true: authors stay marked as carried."""
    found = facts(event(), policy=ACCEPT)
    assert found.authors is not None
    assert found.authors.known is HowKnown.CARRIED


def test_excerpt_of_a_long_abstract_is_the_signers_word() -> None:
    """A cut abstract proves nothing; it is shown as reported, with a note that it is cut."""
    found = facts(signed(event(LONG)), paper=LONG)
    assert found.abstract is not None
    assert found.abstract.raw == LONG.abstract[:600]
    assert found.abstract.known is HowKnown.REPORTED
    assert "only the beginning" in found.abstract.note


def test_whole_abstract_is_proven() -> None:
    """Where the whole abstract is in the snapshot, its digest proves it."""
    found = facts(event(LONG, ("abstract", LONG.abstract)), paper=LONG)
    assert found.abstract is not None
    assert (found.abstract.raw, found.abstract.known) == (LONG.abstract, HowKnown.PROVEN)


@pytest.mark.parametrize(
    "edits",
    [
        [("abstract", "Another abstract")],
        [("abstract", "Another abstract"), ("abstract_excerpt", "x" * 600)],
        [("abstract_excerpt", "A short one that is not it")],
        [("abstract_excerpt", GONE)],
        [("abstract_excerpt", "")],
    ],
)
def test_abstract_that_is_wrong_or_missing_is_not_shown(edits: list[tuple[str, Json]]) -> None:
    """A whole abstract with another digest is no abstract of this record."""
    assert facts(signed(event(LONG, *edits)), paper=LONG).abstract is None


@pytest.mark.parametrize("authors", [None, ""])
def test_missing_authors_are_not_known(authors: str | None) -> None:
    """A snapshot that names no authors gives none."""
    found = facts(signed(event(PAPER, ("authors_text", GONE if authors is None else authors))))
    assert found.authors is None

"""describe.py: what a record page and a listing say of a merged state."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from generator.config import Configuration, Upstream
from generator.describe import describe_record, list_record
from generator.facts import KnownRecord
from generator.formats.checks import Verdict
from generator.pages import EventRow, HowKnown, RecordPage
from generator.record_files import known_record
from generator.standing import MergePolicy, UncheckableEvents
from tests.factories import LATER, TEST_MIRROR, report_on
from tests.vectors.builders import (
    AUTHOR,
    OLD,
    PAPER,
    REGISTRY,
    SIGNED_AT,
    STRANGER,
    Json,
    Paper,
    SigningKey,
    bundle_of,
    bundle_with,
    creation_of,
    digest,
    edited,
    event_of,
    number_of,
    record_of,
    signed,
    snapshot_event,
    snapshot_of,
)
from tests.vectors.cases_integrity import integrity_event, payload_of
from tests.vectors.kinds import BY_NAME, CLAIM_BY_KEY

RECORD = record_of(PAPER)
MIRROR = replace(
    TEST_MIRROR,
    base_url="https://mirror.example/sub/",
    upstreams=(Upstream("registry.test", "https://registry.test/"),),
)


def known(bundle: Json) -> KnownRecord:
    """Gather what is known of the record of a bundle."""
    return known_record(report_on(bundle), TEST_MIRROR)


def page_of(
    bundle: Json,
    *,
    policy: UncheckableEvents = UncheckableEvents.CARRY,
    configuration: Configuration = MIRROR,
) -> RecordPage:
    """Describe the record of a bundle."""
    configuration = replace(configuration, policy=MergePolicy(policy))
    record = known_record(report_on(bundle, configuration=configuration), configuration)
    return describe_record(record, configuration=configuration)


def rows(*events: Json, policy: UncheckableEvents = UncheckableEvents.CARRY) -> list[EventRow]:
    """Give the event rows of a page, without the creation's."""
    bundle = bundle_with(RECORD, [creation_of(RECORD), *events])
    page = page_of(bundle, policy=policy)
    return [row for row in page.events if row.event_type != "record_created"]


def of_kind(name: str, key: SigningKey) -> Json:
    """A signed event of a kind, right in every field."""
    case = BY_NAME[name]
    return signed(event_of(RECORD, name, dict(case.payload), target=case.target), key=key)


def claim_by_key(key: SigningKey) -> Json:
    """A strong claim of authorship, by the key that signs it."""
    payload = {**CLAIM_BY_KEY, "public_key_fingerprint": key.fingerprint}
    return signed(event_of(RECORD, "author_claim", payload), key=key)


def test_page_names_the_record() -> None:
    """Numbers, source, time, categories and licence are those of the signed record, as proven."""
    page = page_of(bundle_of())
    assert page.pith_number == number_of(RECORD)
    assert page.short_pith_number == f"pith:{page.suffix[:8]}"
    assert page.canonical_sha256 == digest(RECORD).hex()
    assert page.source_line.text == "arxiv:2305.01234 v2"
    assert page.submitted_on.text == "2023-05-02"
    assert page.year == 2023
    assert [link.label for link in page.categories] == ["cs.DC", "cs.AI", "cs.LG"]
    assert page.categories[0].href == "browse/category/cs.DC/index.html"
    assert page.license.text == page.license_url == PAPER.license
    facts = (page.source_line, page.submitted_on, page.license)
    assert {fact.known for fact in facts} == {HowKnown.PROVEN}


def test_title_and_authors_are_decoded_for_people() -> None:
    """TeX is decoded on the page; how each is known stands beside it."""
    page = page_of(bundle_of())
    assert page.title is not None
    assert page.authors is not None
    assert page.title.text.endswith("in the Schrödinger picture")
    assert page.authors.text == "Ada Q. Testova, Hervé Exemplaire, J. M. Sample"
    assert (page.title.known, page.authors.known) == (HowKnown.PROVEN, HowKnown.REPORTED)


def test_record_without_snapshot_says_what_is_missing() -> None:
    """No title is made up, and the page says why there is none."""
    page = page_of(bundle_with(RECORD, [creation_of(RECORD)]))
    assert page.title is page.authors is page.abstract is None
    assert "title is not known" in page.title_missing
    assert "Graph JSON" not in [link.label for link in page.api]


def test_record_without_licence_says_so() -> None:
    """An old record without a licence states none, and there is no link."""
    page = page_of(bundle_of(OLD))
    assert (page.license.text, page.license_url) == ("none stated", "")


def test_links_are_those_of_the_registrys_page() -> None:
    """Paper, resolver record, bundle, merged state, badge: each link of the registry's page."""
    page = page_of(bundle_of())
    assert [(link.label, link.external) for link in page.links] == [
        ("Open paper page", True),
        ("JSON", False),
        ("Open Graph Bundle", False),
        ("Merged state", False),
        ("Verification badge", False),
        ("What is a Pith Number?", False),
    ]
    assert page.links[0].href == "https://arxiv.org/abs/2305.01234v2"
    assert [link.label for link in page.api] == [
        "Resolver JSON",
        "Graph JSON",
        "Events JSON",
        "Schema",
        "Signing key",
    ]


def test_claiming_leads_to_the_registry() -> None:
    """What only the registry can do links there; without an upstream there is no link."""
    link = page_of(bundle_of()).completeness[2].link
    assert link is not None
    assert link.href == f"https://registry.test/pith/{page_of(bundle_of()).suffix}"
    assert link.external
    assert "registry.test" in link.label
    alone = page_of(bundle_of(), configuration=TEST_MIRROR)
    assert [row.link for row in alone.completeness] == [None] * 5


def test_completeness_has_five_rows() -> None:
    """Timestamp, archive, claim, citations and replications, as on the registry's page."""
    page = page_of(bundle_of())
    assert [(row.number, row.label) for row in page.completeness] == [
        (1, "Bitcoin timestamp"),
        (2, "Internet Archive"),
        (3, "Author claim"),
        (4, "Citations"),
        (5, "Replications"),
    ]


def test_verified_claims_and_citations_are_counted() -> None:
    """Counts on the page are of verified events."""
    page = page_of(
        bundle_of(
            PAPER,
            claim_by_key(AUTHOR),
            claim_by_key(STRANGER),
            of_kind("citation", AUTHOR),
        )
    )
    statuses = [row.status for row in page.completeness]
    assert statuses[2:] == ["1 strong, 0 weak, and 1 carried unchecked", "1", "open"]


def test_chips_tell_what_is_there() -> None:
    """Each chip is positive only for what is there."""
    assert [chip for chip in page_of(bundle_of()).chips if chip.positive] == []
    resolved = edited(snapshot_of(PAPER), ("references.resolved_work", 1))
    events = [signed(snapshot_event(RECORD, resolved)), of_kind("author_attestation", AUTHOR)]
    page = page_of(bundle_with(RECORD, [creation_of(RECORD), *events]))
    assert [chip.text for chip in page.chips if chip.positive] == ["attested", "refs resolved"]


def test_receipt_says_what_its_signature_covers() -> None:
    """The time of a receipt is only reported, and the page says why."""
    found = dict(page_of(bundle_of()).receipt)
    assert found["First computed"].text == SIGNED_AT
    assert found["First computed"].known is HowKnown.REPORTED
    assert "not this time" in found["First computed"].note
    assert found["Signature"].text == f"Ed25519 by {REGISTRY.key_id}"
    assert found["Builder"].known is HowKnown.REPORTED


@pytest.mark.parametrize("builder", [None, 3, "", ["x"]])
def test_odd_builder_version_is_left_out(builder: Json) -> None:
    """A builder version that is no text is not shown."""
    event = signed(snapshot_event(RECORD, {**snapshot_of(PAPER), "builder_version": builder}))
    page = page_of(bundle_with(RECORD, [creation_of(RECORD), event]))
    assert [label for label, _ in page.receipt] == ["First computed", "Signature", "Schema"]


def test_canonical_record_is_shown_indented_and_sorted() -> None:
    """The record on the page is the record, with an indent of 2 and sorted keys."""
    shown = page_of(bundle_of()).canonical_record
    assert shown == json.dumps(RECORD, indent=2, sort_keys=True)


def test_aliases_have_pages_where_the_site_has_them() -> None:
    """The six aliases stand in order; the longer short forms have no page of their own."""
    aliases = page_of(bundle_of()).aliases
    assert [(row.kind, bool(row.path)) for row in aliases] == [
        ("arxiv", True),
        ("arxiv_version", True),
        ("doi", True),
        ("pith_short_12", False),
        ("pith_short_16", False),
        ("pith_short_8", True),
    ]


@pytest.mark.parametrize(
    ("events", "policy", "effects"),
    [
        ([signed(event_of(RECORD, "note", {}))], "carry", ["of a kind not known here"]),
        ([event_of(RECORD, "note", {})], "carry", ["carried, changes nothing"]),
        (
            [event_of(RECORD, "note", {})],
            "accept",
            ["accepted by this mirror’s operator, unverified"],
        ),
        ([{**signed(event_of(RECORD, "note", {})), "payload": {"x": 1}}], "accept", ["set aside"]),
        (
            [signed(event_of(RECORD, "note", {"n": n})) for n in (1, 2)],
            "carry",
            ["contradicted by another event of its signer"] * 2,
        ),
        (
            [
                signed(snapshot_event(RECORD, snapshot_of(PAPER))),
                signed(snapshot_event(RECORD, snapshot_of(PAPER)), created_at=LATER),
            ],
            "carry",
            ["superseded by a newer snapshot", "current snapshot"],
        ),
        ([integrity_event(payload_of())], "carry", ["part of the state"]),
    ],
)
def test_effect_of_an_event_is_told(events: list[Json], policy: str, effects: list[str]) -> None:
    """Each event says what it does to the merged state here."""
    found = rows(*events, policy=UncheckableEvents(policy))
    assert [row.effect for row in found] == effects


def test_creation_gives_the_record() -> None:
    """The creation's row says that it gives the record, and through what it verified."""
    row = page_of(bundle_of()).events[0]
    assert (row.event_type, row.effect) == ("record_created", "gives the record")
    assert "receipt" in row.why


def test_failed_event_says_expected_and_found() -> None:
    """Why an event failed stands in its row."""
    event = signed(event_of(RECORD, "note", {}))
    (row,) = rows({**event, "payload": {"x": 1}})
    assert row.outcome == "failed"
    assert "expected event_id sha256:" in row.why


@pytest.mark.parametrize("event", [None, 1, "x", [], {}, {"event_type": "\u202enote\n"}])
def test_event_of_any_shape_has_a_row(event: Json) -> None:
    """Whatever stands in `events` is shown as one visible, failed row."""
    (row,) = rows(event)
    assert row.outcome == "failed"
    assert row.event_type
    assert row.event_type.isprintable()
    assert row.why.isprintable()


def test_equivocations_are_told_in_words() -> None:
    """The page names signer, type, moment and both ids of a contradiction."""
    rivals = [signed(event_of(RECORD, "note", {"n": n})) for n in (1, 2)]
    (row,) = page_of(bundle_of(PAPER, *rivals)).equivocations
    assert row.text.startswith("registry.test signed 2 different note events")
    assert {identity for _, identity in row.events} == {rival["event_id"] for rival in rivals}


@pytest.mark.parametrize(
    ("events", "note"),
    [
        ([], "1 event: 1 verified."),
        ([event_of(RECORD, "n", {})], "2 events: 1 verified, 1 not checkable."),
        ([None], "2 events: 1 verified, 1 failed."),
    ],
)
def test_bundle_note_counts_events_by_outcome(events: list[Json], note: str) -> None:
    """One sentence tells how many events there are and how they ended."""
    assert page_of(bundle_with(RECORD, [creation_of(RECORD), *events])).bundle_note == note


@pytest.mark.parametrize(
    ("bundle", "verdict"),
    [
        (bundle_of(), Verdict.VERIFIED),
        (bundle_of(PAPER, event_of(RECORD, "n", {})), Verdict.PARTLY),
        (bundle_of(PAPER, None), Verdict.DISPUTED),
    ],
)
def test_verdict_has_its_sentence(bundle: Json, verdict: Verdict) -> None:
    """Each verdict that a page can have is told in a sentence of its own."""
    page = page_of(bundle)
    assert page.verdict is verdict
    words = {Verdict.VERIFIED: "Every check", Verdict.PARTLY: "cannot be checked"}
    assert words.get(verdict, "failed its check") in page.verdict_text


def test_listing_row_has_a_proven_title_or_none() -> None:
    """A listing says no title that the record does not prove."""
    paper = Paper()
    row = list_record(known(bundle_of(paper)))
    assert row.title.endswith("in the Schrödinger picture")
    assert (row.source, row.category) == ("2305.01234v2", "cs.DC")
    assert row.submitted_on == "2023-05-02"
    wrong = edited(snapshot_of(paper), ("paper.title", "Wrong"))
    bundle = bundle_with(RECORD, [creation_of(RECORD), signed(snapshot_event(RECORD, wrong))])
    assert list_record(known(bundle)).title == ""


def test_long_texts_are_cut_with_their_length() -> None:
    """A title of a megabyte is cut on the page and shorter in a listing, with its length."""
    paper = replace(PAPER, title="word " * 100_000)
    page, row = page_of(bundle_of(paper)), list_record(known(bundle_of(paper)))
    assert page.title is not None
    assert page.title.text.endswith("(500000 characters in all)")
    assert len(page.title.text) < 1_100
    assert len(row.title) < 400

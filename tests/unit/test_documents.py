"""documents.py: the JSON files of one record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.config import Configuration
from generator.documents import events_json, resolver_json, verification_status
from generator.formats.canonical import JsonObject
from generator.record_files import known_record
from tests.factories import ACCEPTING, LATER, TEST_MIRROR, report_on, state_of
from tests.vectors.builders import (
    AUTHOR,
    PAPER,
    REGISTRY,
    STRANGER,
    Json,
    Paper,
    SigningKey,
    bundle_of,
    bundle_with,
    creation_of,
    edited,
    event_of,
    number_of,
    record_of,
    sealed,
    signed,
    snapshot_event,
    snapshot_of,
)
from tests.vectors.kinds import BY_NAME

RECORD = record_of(PAPER)
# Protocol part 7.
STATUS = {
    "content_addressed": True,
    "pith_receipt": True,
    "author_attested": False,
    "weak_author_claims": 0,
    "strong_author_claims": 0,
    "externally_anchored": False,
    "storage_verified": False,
    "citation_signatures": 0,
    "replication_records": 0,
    "graph_snapshot": True,
    "references_resolved": False,
    "formal_links_present": False,
}


# What this mirror adds, for a record of which nothing more is said.
UNLINKED = {
    "timestamps": [],
    "cites": {"count": 0, "items": []},
    "cited_by": {"count": 0, "record_count": 0, "items": []},
}


def status_of(bundle: Json, *, configuration: Configuration = TEST_MIRROR) -> JsonObject:
    """Give the status block of a bundle."""
    report = report_on(bundle, configuration=configuration)
    return verification_status(known_record(report, configuration))


def status(*events: Json, configuration: Configuration = TEST_MIRROR) -> JsonObject:
    """Give the status block of a whole bundle with further events."""
    return status_of(bundle_of(PAPER, *events), configuration=configuration)


def resolver(*events: Json, paper: Paper = PAPER) -> JsonObject:
    """Give the resolver record of a bundle of the given events."""
    record = record_of(paper)
    report = report_on(bundle_with(record, [creation_of(record), *events]))
    return resolver_json(known_record(report, TEST_MIRROR))


def snapshot(*edits: tuple[str, Json], paper: Paper = PAPER) -> Json:
    """A signed snapshot event with changes."""
    record = record_of(paper)
    return signed(snapshot_event(record, edited(snapshot_of(paper), *edits)))


def claim(strength: str, *, key: SigningKey = AUTHOR) -> Json:
    """A signed claim of authorship by the key that signs, or, if weak, by an ORCID iD."""
    strong = {"method": "key", "public_key_fingerprint": key.fingerprint}
    weak = {"method": "orcid", "orcid": "0000-0002-1694-233X"}
    how = strong if strength == "strong" else weak
    payload = {"strength": strength, "author_name": "Ada Q. Testova", **how}
    return signed(event_of(RECORD, "author_claim", payload, target="record"), key=key)


def test_status_has_the_registrys_fields_in_its_order() -> None:
    """The twelve fields stand in the registry's order, with the values of a fresh record."""
    assert list(status().items()) == list(STATUS.items())


def test_record_without_snapshot_says_so() -> None:
    """No snapshot, no references, no formal links."""
    found = status_of(bundle_with(RECORD, [creation_of(RECORD)]))
    assert found == {**STATUS, "graph_snapshot": False}


def test_verified_claims_are_counted_by_strength() -> None:
    """Only claims whose signature verified are counted."""
    weak = edited(claim("weak"), ("created_at", LATER))
    found = status(claim("strong"), sealed(weak, key=AUTHOR), claim("strong", key=STRANGER))
    assert (found["strong_author_claims"], found["weak_author_claims"]) == (1, 1)


def test_unchecked_claims_are_not_counted_even_where_accepted() -> None:
    """Accepting events into the state does not make anyone attested."""
    found = status(claim("strong", key=STRANGER), configuration=ACCEPTING)
    assert found == STATUS


@pytest.mark.parametrize(
    ("kind", "key", "field", "value"),
    [
        ("author_attestation", AUTHOR, "author_attested", True),
        ("citation", REGISTRY, "citation_signatures", 1),
        ("replication", REGISTRY, "replication_records", 1),
        ("timestamp_anchored", REGISTRY, "externally_anchored", False),
        ("storage_attested", REGISTRY, "storage_verified", False),
    ],
)
def test_status_follows_the_verified_events(
    kind: str, key: SigningKey, field: str, value: object
) -> None:
    """Each kind of event moves its field, but a proof that nobody checked moves nothing."""
    case = BY_NAME[kind]
    event = signed(event_of(RECORD, kind, dict(case.payload), target=case.target), key=key)
    assert status(event) == {**STATUS, field: value}


def test_snapshot_sections_move_their_fields() -> None:
    """Resolved references and formal evidence of the current snapshot are told."""
    record = record_of(PAPER)
    event = snapshot(("references.resolved_work", 3), ("formal_canon.evidence_count", 2))
    found = status_of(bundle_with(record, [creation_of(record), event]))
    assert (found["references_resolved"], found["formal_links_present"]) == (True, True)


@pytest.mark.parametrize("value", [0, -1, "3", None, True, 1.5, [3]])
def test_odd_counts_are_not_believed(value: Json) -> None:
    """A count of another type than a positive integer says nothing."""
    event = snapshot(("references.resolved_work", value))
    found = status_of(bundle_with(RECORD, [creation_of(RECORD), event]))
    assert found["references_resolved"] is False


def test_resolver_has_the_registrys_fields_in_its_order() -> None:
    """The resolver record starts as the registry's; what is ours stands behind."""
    found = resolver(snapshot())
    assert list(found) == [
        "record_type",
        "schema_url",
        "pith_number",
        "short_pith_number",
        "schema_version",
        "canonical_sha256",
        "source",
        "attestation_state",
        "paper",
        "verification_status",
        "canonical_record",
        "source_aliases",
        "receipt",
        "mirror",
    ]
    assert found["pith_number"] == number_of(RECORD)
    assert found["canonical_record"] == RECORD
    assert found["mirror"] == {
        "verdict": "verified",
        "paper_known": {"title": "proven", "authors_text": "reported", "abstract": "proven"},
        **UNLINKED,
    }


def test_resolver_without_snapshot_has_no_paper() -> None:
    """Nothing is made up where the bundle says nothing of the paper."""
    found = resolver()
    assert found["paper"] is None
    assert found["mirror"] == {
        "verdict": "verified",
        "paper_known": {"title": None, "authors_text": None, "abstract": None},
        **UNLINKED,
    }


def test_proven_facts_replace_what_a_snapshot_says() -> None:
    """Category, licence and time in `paper` are those of the signed record."""
    event = snapshot(
        ("paper.license", "http://evil.test/"),
        ("paper.primary_cat", "q-bio.XX"),
        ("paper.cross_cats", ["x"]),
        ("paper.submitted_at", "1970-01-01T00:00:00Z"),
    )
    paper = resolver(event)["paper"]
    assert isinstance(paper, dict)
    assert paper["license"] == PAPER.license
    assert paper["primary_cat"] == PAPER.category
    assert paper["cross_cats"] == list(PAPER.cross)
    assert paper["submitted_at"] == PAPER.submitted_at
    assert list(paper) == list(snapshot_of(PAPER)["paper"])


def test_title_that_the_record_contradicts_is_null() -> None:
    """The resolver record does not repeat a wrong title, nor a wrong abstract."""
    event = snapshot(("paper.title", "Wrong"), ("paper.abstract_excerpt", "Wrong"))
    paper = resolver(event)["paper"]
    assert isinstance(paper, dict)
    assert paper["title"] is None
    assert "abstract_excerpt" not in paper
    assert paper["authors_text"] == PAPER.authors


def test_long_abstract_keeps_its_excerpt() -> None:
    """An excerpt that nothing contradicts is passed on, marked as the signer's word."""
    long = replace(PAPER, abstract="Words and words. " * 60)
    found = resolver(snapshot(paper=long), paper=long)
    assert isinstance(found["paper"], dict)
    assert isinstance(found["mirror"], dict)
    assert found["paper"]["abstract_excerpt"] == long.abstract[:600]
    assert found["mirror"]["paper_known"] == {
        "title": "proven",
        "authors_text": "reported",
        "abstract": "reported",
    }


def test_events_are_given_as_received_with_the_outcome_here() -> None:
    """events.json holds each distinct event as received, and what this mirror says of it."""
    failed = {**signed(event_of(RECORD, "x", {})), "payload": {"y": 1}}
    carried = event_of(RECORD, "note", {})
    found = events_json(state_of(bundle_of(PAPER, failed, carried, carried)))
    assert (found["events_type"], found["events_version"]) == ("pith_mirror_events", "1.0")
    rows = found["events"]
    assert isinstance(rows, list)
    said = {
        (row["event_type"], row["outcome"], row["reason"], row["standing"])
        for row in rows
        if isinstance(row, dict)
    }
    assert said == {
        ("record_created", "verified", None, "counts"),
        ("graph_snapshot", "verified", None, "counts"),
        ("x", "failed", "wrong event id", "set aside"),
        ("note", "not checkable", "unsigned", "carried"),
    }
    received = [row["event"] for row in rows if isinstance(row, dict)]
    assert all(event in received for event in bundle_of(PAPER, failed, carried)["events"])

"""lookup.py: every form of an identifier names the records it should, and no other text does."""

from __future__ import annotations

import pytest

from generator.formats.bundle import parse_bundle
from generator.formats.identifiers import PithNumber
from generator.formats.record import parse_record
from generator.lookup import Identifier, parse_identifier
from tests.statement_bundles import bundle, known, say
from tests.vectors.builders import OLD, OTHER, PAPER, STRANGER, Paper, number_of, record_of

NUMBER = number_of(record_of(PAPER))
SUFFIX = NUMBER.rpartition(":")[2]
JOURNAL = {"alias_kind": "doi", "alias_value": "10.1000/Journal.7"}


def identifier(text: str) -> Identifier:
    """Read an identifier that has a form."""
    found = parse_identifier(text)
    assert found is not None
    return found


def names(text: str, paper: Paper = PAPER) -> bool:
    """Tell whether a text names the record of a paper."""
    return identifier(text).names(parse_record(record_of(paper), subject="record"))


@pytest.mark.parametrize(
    "text",
    [
        NUMBER,
        f" {NUMBER}\n",
        NUMBER.lower(),
        SUFFIX,
        SUFFIX.lower(),
        f"pith:{SUFFIX}",
        SUFFIX[:8],
        SUFFIX[:12],
        SUFFIX[:16],
        f"pith:{SUFFIX[:8]}",
        "2305.01234",
        "2305.01234v2",
        "2305.01234V2",
        "arXiv:2305.01234",
        "https://arxiv.org/abs/2305.01234v2",
        "https://arxiv.org/pdf/2305.01234",
        "10.48550/arXiv.2305.01234",
        "10.48550/arxiv.2305.01234",
        "doi:10.48550/arxiv.2305.01234",
        "https://doi.org/10.48550/arXiv.2305.01234",
    ],
)
def test_every_form_names_the_record(text: str) -> None:
    """Full number, suffix, short forms, arXiv id and DOI lead to the one record they name."""
    assert names(text)
    assert not names(text, OTHER)
    assert not names(text, OLD)


@pytest.mark.parametrize("text", ["hep-th/9704123", "arXiv:hep-th/9704123v1", "HEP-TH/9704123"])
def test_old_arxiv_id_names_the_record(text: str) -> None:
    """Ids from before April 2007 have a slash."""
    assert names(text, OLD)
    assert not names(text)


def test_other_version_is_another_record() -> None:
    """With a version an arXiv id names only the record of that version."""
    assert not names("2305.01234v1")
    assert names("2305.01234v2")


def test_year_of_a_pith_number_is_for_people() -> None:
    """The suffix alone is the id: another year still finds the record."""
    assert names(f"pith:1999:{SUFFIX}")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "bundles",
        "bundle.json",
        SUFFIX[:9],
        SUFFIX[:25],
        f"{SUFFIX}A",
        f"pith:2023:{SUFFIX[:8]}",
        "pith:",
        "0OIL1890",
        "2305.123",
        "2305.01234v0",
        "10.1/x",
        "../../etc/passwd",
        "\u0661\u0662\u0663\u0664.\u0665\u0666\u0667\u0668",
    ],
)
def test_other_text_is_no_identifier(text: str) -> None:
    """A text that no record could have as a name is none, so it may be a file."""
    assert parse_identifier(text) is None


def test_record_of_another_kind_of_source_has_no_arxiv_name() -> None:
    """The alias rules hold for arXiv alone; the suffix holds for every source."""
    record = record_of(PAPER)
    record["source"]["kind"] = "other"
    parsed = parse_record(record, subject="record")
    assert not identifier("2305.01234").names(parsed)
    assert isinstance(parsed.pith_number, PithNumber)
    assert identifier(parsed.pith_number.suffix).names(parsed)


def test_added_doi_names_the_record_once_its_event_counts() -> None:
    """A journal's DOI is a name where the event that adds it is genuine, whatever its case."""
    wanted = identifier("https://doi.org/10.1000/journal.7")
    genuine = bundle(say("alias_added", JOURNAL))
    assert wanted.may_be_added(parse_bundle(genuine))
    assert wanted.is_added(known(genuine).state)
    assert not identifier("10.1000/journal.8").may_be_added(parse_bundle(genuine))


def test_doi_added_by_a_stranger_is_no_name() -> None:
    """An event that nobody could check adds nothing: it is read, and then refused."""
    forged = bundle(say("alias_added", JOURNAL, key=STRANGER))
    wanted = identifier("10.1000/journal.7")
    assert wanted.may_be_added(parse_bundle(forged))
    assert not wanted.is_added(known(forged).state)


@pytest.mark.parametrize("payload", [None, [], {}, {"alias_value": 7}, {"alias_value": "\x1b"}])
def test_malformed_added_alias_is_no_name(payload: object) -> None:
    """Events of any shape can be asked."""
    value = bundle({"event_type": "alias_added", "payload": payload}, 7, None)
    assert not identifier("10.1000/journal.7").may_be_added(parse_bundle(value))

"""formats/works.py: one form for the names of a work."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.formats.works import (
    ARXIV_ID,
    DOI,
    PITH_NUMBER,
    Work,
    work_of_arxiv,
    work_of_doi,
    work_of_reference,
)
from tests.property.strategies import VALUES

NUMBER = "pith:2023:ABCDEFGHIJKLMNOPQRSTUVWX23"


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("2305.01234", Work(ARXIV_ID, "2305.01234")),
        ("2305.01234v2", Work(ARXIV_ID, "2305.01234", 2)),
        ("0704.0001", Work(ARXIV_ID, "0704.0001")),
        ("arXiv:2305.01234v12", Work(ARXIV_ID, "2305.01234", 12)),
        ("hep-th/9704123", Work(ARXIV_ID, "hep-th/9704123")),
        ("hep-th/9704123v1", Work(ARXIV_ID, "hep-th/9704123", 1)),
        ("math.GT/0309136", Work(ARXIV_ID, "math/0309136")),
        ("ARXIV:MATH.GT/0309136V3", Work(ARXIV_ID, "math/0309136", 3)),
    ],
)
def test_spellings_of_an_arxiv_id_become_one(text: str, work: Work) -> None:
    """Prefix, case and subject class make no other paper, a version makes another record."""
    assert work_of_arxiv(text) == work


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2305.123",
        "2305.01234v",
        "2305.01234v0",
        "2305.01234v12345",
        "2305.01234\n",
        " 2305.01234",
        "hep-th/970412",
        "hep--th/9704123",
        "https://arxiv.org/abs/2305.01234",
        "٢٣٠٥.01234",
    ],
)
def test_what_is_no_arxiv_id_names_nothing(text: str) -> None:
    """Nothing near an arXiv id is taken for one."""
    assert work_of_arxiv(text) is None


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("10.1000/182", Work(DOI, "10.1000/182")),
        ("10.1007/978-1-84800-044-5_11.URL", Work(DOI, "10.1007/978-1-84800-044-5_11.url")),
        ("doi:10.1000/ABC", Work(DOI, "10.1000/abc")),
        ("https://doi.org/10.1000/182", Work(DOI, "10.1000/182")),
        ("http://dx.doi.org/10.1000/182", Work(DOI, "10.1000/182")),
        ("10.48550/arXiv.2305.01234", Work(ARXIV_ID, "2305.01234")),
        ("10.48550/arXiv.math.GT/0309136", Work(ARXIV_ID, "math/0309136")),
        ("10.48550/arXiv.nothing", Work(DOI, "10.48550/arxiv.nothing")),
    ],
)
def test_spellings_of_a_doi_become_one(text: str, work: Work) -> None:
    """A DOI does not differ by case or address, and arXiv's own DOIs name arXiv's papers."""
    assert work_of_doi(text) == work


@pytest.mark.parametrize("text", ["", "10.1/x", "10.1000/", "10.1000/a b", "11.1000/1", "10.1000"])
def test_what_is_no_doi_names_nothing(text: str) -> None:
    """Nothing near a DOI is taken for one."""
    assert work_of_doi(text) is None


@pytest.mark.parametrize(
    ("item", "work"),
    [
        ({"pith_number": NUMBER, "arxiv_id": "2305.01234"}, Work(PITH_NUMBER, NUMBER)),
        ({"doi": "10.1000/182", "arxiv_id": "2305.01234"}, Work(ARXIV_ID, "2305.01234")),
        ({"pith_number": NUMBER[:-1], "doi": "10.1000/182"}, Work(DOI, "10.1000/182")),
        ({"pith_number": 7, "arxiv_id": None, "doi": "10.1000/182"}, Work(DOI, "10.1000/182")),
        ({"arxiv_id": "a" * 300 + "/9704123", "doi": "10.1000/1"}, Work(DOI, "10.1000/1")),
    ],
)
def test_reference_is_named_by_its_first_well_formed_name(
    item: dict[str, object], work: Work
) -> None:
    """Pith Number before arXiv id before DOI; what is malformed is passed over."""
    assert work_of_reference(item) == work  # type: ignore[arg-type]


@given(VALUES)
def test_any_value_is_a_reference_or_none(value: object) -> None:
    """Whatever a snapshot lists, reading it ends in a work or in none."""
    work = work_of_reference(value)  # type: ignore[arg-type]
    assert work is None or isinstance(work, Work)


@given(st.from_regex(r"[0-9]{4}\.[0-9]{5}|[a-z]{2,6}/[0-9]{7}", fullmatch=True), st.integers(0, 99))
def test_name_of_a_work_reads_back(name: str, version: int) -> None:
    """The normal form of an arXiv id is read as the same work."""
    work = Work(ARXIV_ID, name, version)
    assert work_of_arxiv(str(work)) == work

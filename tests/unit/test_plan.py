"""plan.py: which pages exist; a full page never changes again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.pages import PageLinks
from generator.plan import LISTING_LENGTH, ListingSlice, plan_aliases, plan_listing
from tests.factories import verified
from tests.vectors.builders import OLD, PAPER, bundle_of


def test_short_listing_is_one_page() -> None:
    """A listing that fits is one page at the folder itself, without neighbours."""
    assert list(plan_listing("f", 7)) == [
        ListingSlice("f/index.html", 0, 7, PageLinks(1, 1, None, None))
    ]


def test_empty_listing_is_one_empty_page() -> None:
    """Nothing to list still gives a page that says so."""
    assert list(plan_listing("f", 0)) == [
        ListingSlice("f/index.html", 0, 0, PageLinks(1, 1, None, None))
    ]


def test_long_listing_is_numbered_from_the_oldest() -> None:
    """Full pages stand under their number, the newest at the folder; links lead both ways."""
    assert list(plan_listing("f", 25, length=10)) == [
        ListingSlice("f/1/index.html", 0, 10, PageLinks(1, 3, "f/2/index.html", None)),
        ListingSlice("f/2/index.html", 10, 10, PageLinks(2, 3, "f/index.html", "f/1/index.html")),
        ListingSlice("f/index.html", 20, 5, PageLinks(3, 3, None, "f/2/index.html")),
    ]


@pytest.mark.parametrize(("total", "pages"), [(99, 1), (100, 1), (101, 2), (200, 2), (201, 3)])
def test_pages_are_full_before_a_new_one_starts(total: int, pages: int) -> None:
    """A listing has no more pages than it needs."""
    assert LISTING_LENGTH == 100
    assert len(list(plan_listing("f", total))) == pages


@given(st.integers(0, 500), st.integers(1, 50))
def test_every_row_stands_on_exactly_one_page(total: int, length: int) -> None:
    """The pages cut the rows without a gap, an overlap or a path used twice."""
    parts = list(plan_listing("f", total, length=length))
    rows = [row for part in parts for row in range(part.start, part.start + part.length)]
    assert rows == list(range(total))
    assert len({part.path for part in parts}) == len(parts)
    assert all(part.length == length for part in parts[:-1])


@given(st.integers(0, 300), st.integers(0, 300), st.integers(1, 50))
def test_full_page_keeps_its_rows(total: int, more: int, length: int) -> None:
    """Records that are added change no page but the newest."""
    before = list(plan_listing("f", total, length=length))[:-1]
    after = {part.path: part for part in plan_listing("f", total + more, length=length)}
    for part in before:
        assert (after[part.path].start, after[part.path].length) == (part.start, part.length)


def test_aliases_of_a_new_style_record() -> None:
    """An arXiv record stands under its id with and without version, its DOI and its short form."""
    record = verified(bundle_of(PAPER)).bundle.record
    assert plan_aliases(record) == (
        ("arxiv", "2305.01234", "arxiv/2305.01234/index.html"),
        ("arxiv_version", "2305.01234v2", "arxiv/2305.01234v2/index.html"),
        ("doi", "10.48550/arxiv.2305.01234", "doi/10.48550/arxiv.2305.01234/index.html"),
        (
            "pith_short_8",
            record.pith_number.suffix[:8],
            f"p/{record.pith_number.suffix[:8]}/index.html",
        ),
    )


def test_aliases_of_an_old_style_record() -> None:
    """The slash of an old id is a folder."""
    record = verified(bundle_of(OLD)).bundle.record
    assert [row[2] for row in plan_aliases(record)][:3] == [
        "arxiv/hep-th/9704123/index.html",
        "arxiv/hep-th/9704123v1/index.html",
        "doi/10.48550/arxiv.hep-th/9704123/index.html",
    ]

"""plan.py: which pages exist and what stands on them; a full page never changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import layout
from generator.listing_pages import PageLinks
from generator.plan import (
    LISTING_LENGTH,
    ListingKind,
    ListingSlice,
    author_sort_key,
    plan_aliases,
    plan_index,
    plan_listing,
    plan_memberships,
)
from generator.slugs import digest_of
from tests.factories import verified
from tests.machine_inputs import unit_of
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


def pages_of(rows: list[int], *, length: int) -> dict[str, tuple[object, ...]]:
    """Give what each page of a listing says: its rows and its neighbours; totals on the newest."""
    return {
        part.path: (
            tuple(rows[part.start : part.start + part.length]),
            part.links if part.links.newer is None else replace(part.links, count=0),
        )
        for part in plan_listing("f", len(rows), length=length)
    }


@given(st.integers(0, 300), st.integers(0, 300), st.integers(1, 50))
def test_rows_at_the_end_change_only_the_newest_pages(total: int, more: int, length: int) -> None:
    """Adding newer rows changes the newest page; where it fills up, also the one before it.

    The page that was newest moves to its number, and so the one before it links there.
    """
    before = pages_of(list(range(total)), length=length)
    after = pages_of(list(range(total + more)), length=length)
    count = len(before)
    changed = {path for path in before if after[path] != before[path]}
    allowed = {"f/index.html"} if more else set()
    if len(after) > count > 1:
        allowed.add(f"f/{count - 1}/index.html")
    assert changed <= allowed
    assert not more or "f/index.html" in changed
    new = {f"f/{number}/index.html" for number in range(count, len(after))}
    assert after.keys() - before.keys() == new


@given(st.integers(1, 300), st.data(), st.integers(1, 50))
def test_row_in_the_middle_changes_no_older_page(
    total: int, data: st.DataObject, length: int
) -> None:
    """A row that belongs earlier shifts what is newer; pages of older rows stay as they are."""
    place = data.draw(st.integers(0, total - 1))
    rows = list(range(total))
    before = pages_of(rows, length=length)
    after = pages_of([*rows[:place], -1, *rows[place:]], length=length)
    for number in range(1, place // length + 1):
        path = f"f/{number}/index.html"
        if path in before and path != f"f/{len(before) - 1}/index.html":
            assert after[path] == before[path]


@given(st.integers(0, 900), st.integers(1, 50))
def test_index_shows_every_link_once(total: int, length: int) -> None:
    """Pages of an ordered list are full but for the last, and linked both ways."""
    pages = list(plan_index("f", total, length=length))
    assert [shown for _, shown, _ in pages[:-1]] == [length] * (len(pages) - 1)
    assert sum(shown for _, shown, _ in pages) == total
    paths = [path for path, _, _ in pages]
    assert paths[0] == "f/index.html"
    assert paths[1:] == [f"f/{number}/index.html" for number in range(2, len(paths) + 1)]
    assert [links.before for _, _, links in pages] == [None, *paths[:-1]]
    assert [links.after for _, _, links in pages] == [*paths[1:], None]
    assert [(links.number, links.count) for _, _, links in pages] == [
        (number, len(paths)) for number in range(1, len(paths) + 1)
    ]


def test_record_stands_in_a_listing_of_each_kind() -> None:
    """Year, month, category, author, licence, status and time of receipt each list the record."""
    record = replace(
        unit_of(bundle_of(PAPER)).catalogued,
        authors=("Ada Example", "李明", "Ada Example"),
        warnings=("withdrawn",),
        receipt_at="2026-05-18T03:36:37.5+02:00",
    )
    rows = plan_memberships(record)
    assert {row.kind for row in rows} == set(ListingKind)
    assert {row.folder for row in rows} == {
        "browse/year/2023",
        "browse/month/2023-05",
        "browse/recent",
        layout.licence_folder(record.license),
        *(f"browse/category/{category}" for category in record.categories),
        "browse/status/verified",
        "browse/status/withdrawn",
        layout.author_folder("Ada Example"),
        layout.author_folder("李明"),
    }
    moments = {row.kind: row.moment for row in rows}
    assert moments[ListingKind.RECENT] == "2026-05-18T01:36:37.0500000000"
    assert {moment for kind, moment in moments.items() if kind is not ListingKind.RECENT} == {
        record.submitted_at
    }


def test_record_without_licence_is_listed_as_such() -> None:
    """No licence is a listing of its own, under a name that no address can have."""
    record = replace(unit_of(bundle_of(PAPER)).catalogued, license="")
    assert "browse/licence/none" in {row.folder for row in plan_memberships(record)}
    assert layout.licence_folder("none") != "browse/licence/none"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Ada Example", "example-ada-"),
        ("Ada B. van Example", "example-ada-b-van-"),
        ("Ben Sample Jr.", "sample-ben-jr-"),
        ("Jr", "jr-"),
        ("Plato", "plato-"),
        ("Zoë Ørsted-Example", "orsted-example-zoe-"),
        ("李明", ""),
        ("Group 42", ""),
        ("", ""),
    ],
)
def test_author_is_found_by_the_last_word(name: str, key: str) -> None:
    """The sort key begins with the last word of a name and ends with the name's own digest."""
    assert author_sort_key(name) == (f"{key}{digest_of(name)}" if key else "")


@given(st.text(), st.text())
def test_no_sort_key_begins_another(one: str, other: str) -> None:
    """Names that differ are told apart by their keys, so an index can always be parted further."""
    first, second = author_sort_key(one), author_sort_key(other)
    if one != other and first and second:
        assert not second.startswith(first)


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

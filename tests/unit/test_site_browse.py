"""site_browse.py: every listing is linked, every link leads somewhere, and no page grows."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from generator import layout
from generator.authors import shorten_name
from generator.display import make_visible
from generator.listing_words import licence_words
from generator.record_files import RecordUnit
from generator.render import PlannedPage
from generator.site_browse import PageLengths, browse_files
from generator.site_inputs import SiteInputs
from tests.machine_inputs import HOSTILE, changed, files_of, inputs_of, units

SMALL = PageLengths(listing=4, index=3)
NAMES = (
    "Ada Wang",
    "Ben Wang",
    "Cy Wang",
    "Di Wangler",
    "Eve Zorn",
    "李明",
    "山田太郎",
    "Ελένη",
    "Омар",
)
ORDERS = (("one", 1), ("other", -1))


def make(lengths: PageLengths = SMALL) -> Callable[[SiteInputs], Iterator[PlannedPage]]:
    """Make the pages with so many rows on each."""
    return lambda inputs: browse_files(inputs, lengths=lengths)


def by_authors(*names: Sequence[str]) -> list[RecordUnit]:
    """Make up records with these authors."""
    return [
        changed(unit, authors=tuple(authors))
        for unit, authors in zip(units(len(names)), names, strict=True)
    ]


def links(files: dict[str, bytes], path: str) -> list[str]:
    """Read where the main part of a page leads inside the site."""
    nodes = LexborHTMLParser(files[path].decode()).css("main a")
    hrefs = [node.attributes["href"] or "" for node in nodes]
    return [posixpath.normpath(posixpath.join(posixpath.dirname(path), href)) for href in hrefs]


def shown(files: dict[str, bytes], path: str) -> list[str]:
    """Read the names of the listings that a page links."""
    nodes = LexborHTMLParser(files[path].decode()).css("main .groups a")
    return [node.text() for node in nodes]


def test_every_listing_is_reached_from_browse(tmp_path: Path) -> None:
    """Following links from the page for browsing visits each page made, and no other."""
    files = files_of(make(), tmp_path, by_authors(*[[name, "Ada Wang"] for name in NAMES]))
    seen, waiting = set(), ["browse/index.html"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        waiting += [
            target
            for target in links(files, path)
            if target.startswith("browse/") and target.endswith(".html") and target not in seen
        ]
    assert seen == files.keys()


def test_no_page_has_more_rows_than_it_may(tmp_path: Path) -> None:
    """Records and links are cut at their lengths, in whatever listing they stand."""
    files = files_of(make(), tmp_path, by_authors(*[[name] for name in NAMES]))
    for path, data in files.items():
        page = LexborHTMLParser(data.decode())
        assert len(page.css("ol.records > li")) <= SMALL.listing, path
        if path != "browse/index.html" and page.css("nav[aria-labelledby=finer]") == []:
            # An inner index has as many links as its names have next characters.
            assert len(page.css(".groups li")) <= SMALL.index, path


def test_authors_are_parted_by_the_beginning_of_their_names(tmp_path: Path) -> None:
    """Where names do not fit on a page it leads to finer ones; the other scripts come last."""
    files = files_of(make(), tmp_path, by_authors(*[[name] for name in NAMES]))
    assert shown(files, "browse/author/index.html") == ["W…", "Z…", "Other letters"]
    assert shown(files, "browse/author/by-z/index.html") == ["Eve Zorn"]
    wang = "browse/author/by-wa/by-wang"
    assert shown(files, f"{wang}/index.html") == ["Wang …", "Wangl…"]
    assert shown(files, f"{wang}-/index.html") == ["Ada Wang", "Ben Wang", "Cy Wang"]
    assert shown(files, "browse/author/other/index.html") == sorted(NAMES[5:])[:3]
    assert shown(files, "browse/author/other/2/index.html") == sorted(NAMES[5:])[3:]


def test_names_that_begin_alike_for_long_are_cut_into_pages(tmp_path: Path) -> None:
    """A thousand names with one beginning make no endless chain of ever finer pages."""
    names = [f"{letter} Wolfeschlegelstein" for letter in "ABCDEFG"]
    files = files_of(make(), tmp_path, by_authors(*[[name] for name in names]))
    folder = "browse/author/by-wo/by-wolfesch"
    pages = [f"{folder}/index.html", f"{folder}/2/index.html", f"{folder}/3/index.html"]
    assert [name for page in pages for name in shown(files, page)] == names
    assert max(len(path) for path in files if "/by-" in path) <= len(pages[-1])


def test_short_index_names_all_authors_at_once(tmp_path: Path) -> None:
    """Few authors stand on one page, by last word, other scripts last, with their counts."""
    units_ = by_authors(["Eve Zorn", "李明"], ["Ben Wang", "Eve Zorn"])
    files = files_of(make(PageLengths()), tmp_path, units_)
    page = LexborHTMLParser(files["browse/author/index.html"].decode())
    rows = [node.text(separator=" ").split() for node in page.css(".groups li")]
    assert rows == [["Ben", "Wang", "1"], ["Eve", "Zorn", "2"], ["李明", "1"]]
    assert not [path for path in files if "/by-" in path]


def test_author_page_lists_exactly_that_spelling(tmp_path: Path) -> None:
    """Spellings that differ have pages of their own, and each says that no name is proven."""
    units_ = by_authors(["Zoë Zorn"], ["Zoe Zorn"], ["Zoë Zorn"])
    files = files_of(make(PageLengths()), tmp_path, units_)
    path = layout.listing_page(layout.author_folder("Zoë Zorn"), None)
    page = LexborHTMLParser(files[path].decode())
    assert len(page.css("ol.records > li")) == 2
    heading = page.css_first("h1")
    assert heading is not None
    assert heading.text() == "Zoë Zorn"
    assert b"No signature proves who wrote a paper" in files[path]
    assert b"2 records, sorted by the time of submission, newest first." in files[path]


def test_names_that_share_a_folder_are_said_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight digits can be forged: then the page lists both names and says that they share it."""
    monkeypatch.setattr("generator.layout.digest_of", lambda _: "0" * 8)
    monkeypatch.setattr("generator.layout.distinct_slug", lambda _: "same-00000000")
    units_ = by_authors(["B Same", "A Same"], ["A Same"], ["B Same"])
    made = [files_of(make(), tmp_path / order, units_[::step]) for order, step in ORDERS]
    assert made[0] == made[1]
    page = made[0]["browse/author/00/same-00000000/index.html"].decode()
    assert "Other names, made so that they share this address" in page
    assert len(LexborHTMLParser(page).css("ol.records > li")) == 3


def test_pages_do_not_depend_on_the_order_of_loading(tmp_path: Path) -> None:
    """The same records give the same bytes, page for page."""
    units_ = by_authors(*[[name, NAMES[0]] for name in NAMES])
    made = [files_of(make(), tmp_path / order, units_[::step]) for order, step in ORDERS]
    assert made[0] == made[1]


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    """Markup, template code, controls and a name of 10,000 characters stay words of a page."""
    names = [
        make_visible(HOSTILE),
        "<img src=x onerror=alert(1)>",
        "x" * 10_000,
        "\u202egnp.exe",
        "CON",
        "a/../b",
    ]
    files = files_of(make(PageLengths()), tmp_path, by_authors(*[[name] for name in names]))
    for path, data in files.items():
        assert layout.is_site_path(path)
        assert len(data) < 100_000, path
        page = LexborHTMLParser(data.decode())
        assert page.css("main img, main script") == []
    for name in names:
        page = LexborHTMLParser(
            files[layout.listing_page(layout.author_folder(name), None)].decode()
        )
        heading = page.css_first("h1 bdi")
        assert heading is not None
        assert heading.text() == shorten_name(name)


def test_older_pages_do_not_state_a_total(tmp_path: Path) -> None:
    """The newest page states total and months; an older one would change with each new record."""
    files = files_of(make(), tmp_path, by_authors(*[["Ada Wang"]] * 9))
    folder = layout.author_folder("Ada Wang")
    assert b"9 records, sorted" in files[f"{folder}/index.html"]
    older = files[f"{folder}/1/index.html"].decode()
    assert "9 records" not in older
    assert "Page 1, counted from the oldest, sorted by the time of submission" in older
    assert f"{folder}/index.html" in links(files, f"{folder}/1/index.html")


@pytest.mark.parametrize("more", [1, 3, 4, 9])
def test_newer_records_change_no_full_page(tmp_path: Path, more: int) -> None:
    """Records received last change of each listing by receipt only the pages that plan allows."""
    all_units = [
        changed(unit, receipt_at=f"2026-05-{number + 1:02}T00:00:00Z")
        for number, unit in enumerate(units(9 + more))
    ]
    before = files_of(make(), tmp_path / "a", all_units[:9])
    after = files_of(make(), tmp_path / "b", all_units)
    folder = "browse/recent/"
    differing = {p for p in before if p.startswith(folder) and after[p] != before[p]}
    # Nine records are two full pages and one of a single record.
    grows = {f"{folder}2/index.html"} if more > 3 else set()
    assert differing == {f"{folder}index.html"} | grows


def test_recent_listing_is_sorted_by_receipt(tmp_path: Path) -> None:
    """The listing by receipt has its own order, shows the day, and says that it is reported."""
    days = ["2026-05-03", "2026-05-01", "2026-05-02"]
    units_ = [
        changed(unit, receipt_at=f"{day}T12:00:00Z")
        for unit, day in zip(units(3), days, strict=True)
    ]
    files = files_of(make(), tmp_path, units_)
    page = files["browse/recent/index.html"].decode()
    found = re.findall(r"pith/([A-Z2-7]{26})/", page)
    assert found == [units_[index].catalogued.suffix for index in (0, 2, 1)]
    assert "receipt of <time" in page
    assert "reported: the signature does not cover it" in page


def test_status_pages_exist_for_every_status(tmp_path: Path) -> None:
    """Each status has a page, if only to say that nothing stands there; warnings are shown."""
    units_ = [changed(units(1)[0], warnings=("withdrawn",))]
    files = files_of(make(), tmp_path, units_)
    for name, count in (("verified", 1), ("withdrawn", 1), ("contradicted", 0)):
        page = files[f"browse/status/{name}/index.html"].decode()
        assert len(LexborHTMLParser(page).css("ol.records > li")) == count


def test_year_leads_to_its_months(tmp_path: Path) -> None:
    """The newest page of a year links the months that hold records, newest first."""
    months = ["2024-03", "2024-11", "2024-03", "2023-12"]
    units_ = [
        changed(unit, submitted_at=f"{month}-01T00:00:00Z")
        for unit, month in zip(units(4), months, strict=True)
    ]
    files = files_of(make(), tmp_path, units_)
    assert shown(files, "browse/year/2024/index.html") == ["November 2024", "March 2024"]
    assert len(re.findall("<li>\n<a class", files["browse/month/2024-03/index.html"].decode())) == 2
    assert "browse/year/2024/index.html" in links(files, "browse/month/2024-03/index.html")


def test_replaced_record_leaves_its_old_listings(tmp_path: Path) -> None:
    """Where a union of bundles names other authors, the first bundle's names are listed no more."""
    first, second = by_authors(["Ada Wang", "Eve Zorn"])[0], by_authors(["Ada Wang"])[0]
    with inputs_of(tmp_path, [first, second]) as inputs:
        listings = inputs.catalogue.listings
        assert [name for _, name, _ in listings.authors()] == ["Ada Wang"]
        assert listings.author_count() == 1
        assert listings.author_prefixes("") == (("w", 1),)
        assert listings.count("browse/recent") == 1


def test_site_without_records_has_its_pages(tmp_path: Path) -> None:
    """Before the first record every page that others link exists and says that there is none."""
    files = files_of(make(), tmp_path, [])
    assert b"No record is published yet." in files["browse/index.html"]
    for path in ("browse/author/index.html", "browse/recent/index.html", "browse/year/index.html"):
        assert path in files


@pytest.mark.parametrize(
    ("licence", "words"),
    [
        ("", "none stated"),
        ("http://creativecommons.org/licenses/by-nc-sa/4.0/", "CC BY-NC-SA 4.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0"),
        ("http://arxiv.org/licenses/nonexclusive-distrib/1.0/", "arXiv, non-exclusive 1.0"),
        ("https://example.org/<x>", "example.org/<x>"),
    ],
)
def test_licences_are_named(licence: str, words: str) -> None:
    """Known licences have short names; any other is its address."""
    assert licence_words(licence) == words


def test_licences_that_differ_in_scheme_are_two(tmp_path: Path) -> None:
    """Addresses of http and https are two licences, and each page says which."""
    addresses = [f"{scheme}://creativecommons.org/licenses/by/4.0/" for scheme in ("http", "https")]
    units_ = [
        changed(unit, license=address) for unit, address in zip(units(2), addresses, strict=True)
    ]
    files = files_of(make(), tmp_path, units_)
    for address in addresses:
        page = files[layout.listing_page(layout.licence_folder(address), None)].decode()
        assert address in page
        assert len(LexborHTMLParser(page).css("ol.records > li")) == 1


def test_rows_show_first_authors_and_warnings(tmp_path: Path) -> None:
    """A row names three authors and how many more there are, and what speaks against the record."""
    unit = units(1)[0]
    with inputs_of(tmp_path, [unit]) as inputs:
        (row,) = inputs.catalogue.listings.records("browse/recent")
    assert row == unit.listed
    assert row.authors == unit.catalogued.authors[:3]
    assert row.author_count == len(unit.catalogued.authors)

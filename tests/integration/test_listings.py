"""Listings of many records: every record once, newest first, and full pages that never change."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.factories import build, put, suffix_of, tree
from tests.vectors.builders import PAPER, Paper, bundle_of, compact

# One worker builds the sites for all tests here.
pytestmark = pytest.mark.xdist_group("listings")

COUNT = 230
PAPERS = tuple(
    replace(
        PAPER,
        source_id=f"2301.{number:05}",
        submitted_at=f"2023-01-{number // 24 + 1:02}T{number % 24:02}:00:00Z",
        category="cs.DC" if number % 2 else "math.CO",
        cross=(),
    )
    for number in range(COUNT)
)
# Two versions of one paper, which share the id without version and the DOI.
VERSIONS = (replace(PAPER, version=1), replace(PAPER, version=2))


def lines(papers: tuple[Paper, ...]) -> bytes:
    """Give bundles of papers, one a line."""
    return b"\n".join(compact(bundle_of(paper)) for paper in papers)


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("listings")
    put(folder / "bundles", {"many.ndjson": lines(PAPERS), "versions.ndjson": lines(VERSIONS)})
    put(folder / "bundles", {"bad.ndjson": b"\n".join(b"{" for _ in range(150))})
    build(folder / "bundles", folder / "site")
    return folder


@pytest.fixture(name="site", scope="module")
def _site(folder: Path) -> dict[str, bytes]:
    return tree(folder / "site")


def suffixes(page: bytes) -> list[str]:
    """Read which records a listing page shows, in its order."""
    links = LexborHTMLParser(page.decode()).css("ol.records a.title")
    return [
        match[1]
        for link in links
        if (match := re.search(r"pith/([A-Z2-7]{26})/", link.attributes["href"] or ""))
    ]


def walk(site: dict[str, bytes], folder: str) -> list[tuple[str, list[str]]]:
    """Follow a listing from its newest page to its oldest by the pages' own links."""
    path, found = f"{folder}/index.html", []
    while path:
        found.append((path, suffixes(site[path])))
        link = LexborHTMLParser(site[path].decode()).css_first('a[rel~="prev"]')
        href = (link.attributes["href"] or "") if link else ""
        path = href.replace("../", "") if href else ""
    return found


def newest_first(papers: list[Paper]) -> list[str]:
    """Sort papers as listings do."""
    rows = sorted(((paper.submitted_at, suffix_of(paper)) for paper in papers), reverse=True)
    return [suffix for _, suffix in rows]


def test_year_lists_every_record_once(site: dict[str, bytes]) -> None:
    """Following the links from the newest page shows all records of a year, newest first."""
    pages = walk(site, "browse/year/2023")
    assert [len(shown) for _, shown in pages] == [32, 100, 100]
    listed = [suffix for _, shown in pages for suffix in shown]
    assert listed == newest_first([*PAPERS, *VERSIONS])


def test_category_lists_its_records(site: dict[str, bytes]) -> None:
    """A category lists the records that have it, primary or cross-listed, over as many pages."""
    pages = walk(site, "browse/category/cs.DC")
    listed = [suffix for _, shown in pages for suffix in shown]
    assert listed == newest_first([p for p in (*PAPERS, *VERSIONS) if p.category == "cs.DC"])
    crossed = [suffix for _, shown in walk(site, "browse/category/cs.AI") for suffix in shown]
    assert crossed == newest_first(list(VERSIONS))


def test_home_page_shows_the_newest(site: dict[str, bytes]) -> None:
    """The home page shows the twenty records submitted last."""
    assert suffixes(site["index.html"]) == newest_first([*PAPERS, *VERSIONS])[:20]


def test_full_pages_do_not_change_when_records_are_added(
    folder: Path, site: dict[str, bytes], tmp_path: Path
) -> None:
    """One more, newer record changes the newest page of a listing and no full one."""
    newer = replace(PAPER, source_id="2312.00001", submitted_at="2023-12-01T00:00:00Z")
    files = {path.name: path.read_bytes() for path in (folder / "bundles").iterdir()}
    put(tmp_path / "bundles", {**files, "newer.json": compact(bundle_of(newer))})
    build(tmp_path / "bundles", tmp_path / "site")
    grown = tree(tmp_path / "site")
    changed = {path for path in site if grown.get(path) != site[path]}
    assert "browse/year/2023/index.html" in changed
    # All receipts here are of one time, so that the listing by receipt is sorted by id: a record
    # in its middle shifts what follows. Every other listing is sorted by submission.
    full = {p for p in changed if re.fullmatch(r"browse/(?!recent/).+/[0-9]{1,3}/index\.html", p)}
    assert full == set()
    assert not {path for path in changed if path.startswith("pith/")}


def test_alias_of_one_record_leads_there_without_a_server(site: dict[str, bytes]) -> None:
    """An alias page of one record is a redirect that works from a disk."""
    page = site["arxiv/2305.01234v1/index.html"].decode()
    target = f"../../pith/{suffix_of(VERSIONS[0])}/index.html"
    assert f'<meta http-equiv="refresh" content="0; url={target}">' in page


@pytest.mark.parametrize("path", ["arxiv/2305.01234", "doi/10.48550/arxiv.2305.01234"])
def test_alias_of_several_records_is_a_choice(path: str, site: dict[str, bytes]) -> None:
    """Where several records share a name, the page lists them and sends nobody anywhere."""
    page = site[f"{path}/index.html"]
    assert b'http-equiv="refresh"' not in page
    assert sorted(suffixes(page)) == sorted(suffix_of(paper) for paper in VERSIONS)


def test_report_lists_every_fault(site: dict[str, bytes]) -> None:
    """More faulty bundles than fit on one page of the report are on several, each once."""
    pages = [site["report/index.html"], site["report/1/index.html"]]
    named = [re.findall(rb"bad\.ndjson:(\d+)", page) for page in pages]
    numbers = [{int(number) for number in found} for found in named]
    assert numbers[0] | numbers[1] == set(range(1, 151))
    assert numbers[0] & numbers[1] == set()
    assert [len(found) for found in numbers] == [50, 100]


def test_full_page_is_small(site: dict[str, bytes]) -> None:
    """A page of a hundred rows with authors and warnings stays below 100 kB."""
    full = [path for path in site if re.fullmatch(r"browse/.+/1/index\.html", path)]
    assert len(full) >= 4
    assert max(len(site[path]) for path in full) < 100_000
    assert {len(suffixes(site[path])) for path in full} == {100}


def test_every_kind_of_listing_has_every_record_once(site: dict[str, bytes]) -> None:
    """Month, licence, status, author and receipt list the same records as the year."""
    everything = sorted(suffix_of(paper) for paper in (*PAPERS, *VERSIONS))
    folders = {path.removesuffix("/index.html") for path in site if path.endswith("index.html")}
    (licence,) = (f for f in folders if re.fullmatch(r"browse/licence/[a-z].*-[0-9a-f]{8}", f))
    authors = [f for f in folders if re.fullmatch(r"browse/author/../[^/]+", f)]
    months = [f for f in folders if re.fullmatch(r"browse/month/[0-9-]+", f)]
    for folder in (licence, "browse/recent", "browse/status/verified", *authors):
        listed = [suffix for _, shown in walk(site, folder) for suffix in shown]
        assert sorted(listed) == everything, folder
    by_month = [suffix for f in months for _, shown in walk(site, f) for suffix in shown]
    assert sorted(by_month) == everything

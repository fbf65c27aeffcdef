"""Search in whole sites: the page, its files, and the description for browsers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import etree

from generator import full_text
from generator.cli import main
from generator.config import Presentation
from generator.errors import ExitCode
from generator.site_search import search_files
from tests.factories import BUNDLES, REAL_MIRROR, ROOT, built, tree
from tests.machine_inputs import BASE_URL, MIRROR, files_of, units
from tests.search_reading import SearchFiles

_OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
# OpenSearch 1.1 draft 6: the elements of a description, and how long their text may be.
_MAXIMA = {
    "ShortName": 16,
    "Description": 1024,
    "LongName": 48,
    "Tags": 256,
    "Contact": 1024,
    "Image": 1024,
    "Url": 0,
    "Query": 0,
    "Language": 64,
    "InputEncoding": 64,
    "OutputEncoding": 64,
}
_QUIET = Presentation(full_text_search=False)


def description_of(folder: Path, title: str) -> etree._Element:
    """Make the description of a mirror with an address and a title."""
    mirror = replace(MIRROR, title=title, presentation=_QUIET)
    return etree.fromstring(files_of(search_files, folder, units(1), mirror)["opensearch.xml"])


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("A library", "A library"),
        ("A title that is longer than 16", "Pith Numbers"),
        ("<&\"'>\x08]]>", "<&\"'>⟨U+0008⟩]]>"),
        ("t" * 500, "Pith Numbers"),
    ],
)
def test_description_is_valid(title: str, short: str, tmp_path: Path) -> None:
    """Known elements within their lengths, one way to search, and an icon of the site."""
    root = description_of(tmp_path, title)
    assert root.tag == f"{_OPENSEARCH}OpenSearchDescription"
    for element in root:
        name = etree.QName(element)
        assert name.namespace == _OPENSEARCH[1:-1]
        assert len(element.text or "") <= _MAXIMA[name.localname]
    assert root.findtext(f"{_OPENSEARCH}ShortName") == short
    assert root.findtext(f"{_OPENSEARCH}Description")
    (way,) = root.findall(f"{_OPENSEARCH}Url[@type='text/html']")
    assert way.get("template") == f"{BASE_URL}search/index.html?q={{searchTerms}}"
    (itself,) = root.findall(f"{_OPENSEARCH}Url[@rel='self']")
    assert itself.get("template") == f"{BASE_URL}opensearch.xml"
    assert itself.get("type") == "application/opensearchdescription+xml"
    assert (root.findtext(f"{_OPENSEARCH}Image") or "").startswith(f"{BASE_URL}assets/icon.")


def _linked(site: Mapping[str, bytes]) -> set[str]:
    return {path for path, data in site.items() if b'href="opensearch.xml"' in data}


def test_site_without_an_address_has_no_description(tmp_path: Path) -> None:
    """A description needs absolute addresses; without it no page names one."""
    bundles = {path.name: path.read_bytes() for path in BUNDLES.glob("*.json")}
    bare = built(tmp_path / "a", bundles, configuration=replace(REAL_MIRROR, presentation=_QUIET))
    addressed = replace(REAL_MIRROR, base_url=BASE_URL, presentation=_QUIET)
    site = built(tmp_path / "b", bundles, configuration=addressed)
    assert "opensearch.xml" not in bare
    assert not _linked(bare)
    assert "opensearch.xml" in site
    assert "index.html" in _linked(site)


def test_search_finds_every_real_record(tmp_path: Path) -> None:
    """Each real record is found by its arXiv id and its id, and leads to its page."""
    bundles = {path.name: path.read_bytes() for path in BUNDLES.glob("*.json")}
    site = built(tmp_path, bundles, configuration=replace(REAL_MIRROR, presentation=_QUIET))
    search = SearchFiles(site)
    assert len(search.rows) == len(bundles)
    for row in search.rows:
        assert f"pith/{row[0]}/index.html" in site
        arxiv_id, _, version = str(row[5]).partition("v")
        assert version.isdigit()
        assert search.suffixes(arxiv_id, "c") == {row[0]}
        assert search.suffixes(str(row[0]), "c") == {row[0]}
        if row[1]:
            assert row[0] in search.suffixes(str(row[1]))
    assert not [path for path in site if path.startswith("pagefind/")]


def test_site_with_full_text_search(tmp_path: Path) -> None:
    """A site that asks for it has Pagefind's files, the same whenever it is built."""
    bundles = {path.name: path.read_bytes() for path in BUNDLES.glob("*.json")}
    mirror = replace(REAL_MIRROR, presentation=Presentation(full_text_search=True))
    first = built(tmp_path / "a", bundles, configuration=mirror)
    assert built(tmp_path / "b", bundles, configuration=mirror) == first
    assert "pagefind/pagefind.js" in first
    assert sum(path.endswith(".pf_fragment") for path in first) == len(bundles)


def test_operator_is_told_why_full_text_search_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without Pagefind the build succeeds, the site is whole, and one line on stderr says so."""
    monkeypatch.setattr(full_text, "_PACKAGES", ())
    paths = ["--bundles", str(BUNDLES), "--site", str(tmp_path / "site")]
    result = CliRunner().invoke(main, ["build", *paths, "--config", str(ROOT / "mirror.toml")])
    assert result.exit_code == ExitCode.OK
    (line,) = result.stderr.splitlines()
    assert line.startswith("full-text search is left out: Pagefind is not installed")
    assert line not in result.stdout
    site = tree(tmp_path / "site")
    assert "search/index.html" in site
    assert not [path for path in site if path.startswith("pagefind/")]

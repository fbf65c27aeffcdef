"""The example registry in other languages: what is translated, what stays, and what is marked."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from tests.factories import TEST_MIRROR, built, tree
from tests.languages.collect import collect
from tests.languages.pseudo import catalogue
from tests.languages.sites import (
    Data,
    data_of,
    found_unmarked,
    is_interface,
    pages,
    site_in,
    unmarked,
)
from tests.languages.visible import pieces_of
from tests.vectors.builders import PAPER, bundle_of, compact

pytestmark = pytest.mark.slow
TITLES = {
    "arabic": ("حول الأعداد الأولية (2026)", "علي مثال"),
    "chinese": ("关于素数的分布", "示例 华"),
    "devanagari": ("अभाज्य संख्याओं का वितरण", "उदाहरण कुमार"),
    "hebrew": ("על התפלגות המספרים הראשוניים", "דוגמה כהן"),
}
_ATOM = "{http://www.w3.org/2005/Atom}"
_CHECK_WORDS = "table.checks tbody bdi, table.checks .note, table.events td .note"


@pytest.fixture(scope="session")
def bundles(demo_site: Path) -> Path:
    """The bundles of the example registry."""
    return demo_site.parent / "bundles"


@pytest.fixture(scope="session")
def english(tmp_path_factory: pytest.TempPathFactory, bundles: Path) -> Path:
    """The site in English."""
    return site_in(tmp_path_factory.mktemp("en"), "en", bundles)


@pytest.fixture(scope="session")
def german(tmp_path_factory: pytest.TempPathFactory, bundles: Path) -> Path:
    """The site in German."""
    return site_in(tmp_path_factory.mktemp("de"), "de", bundles)


@pytest.fixture(scope="session")
def bracketed(tmp_path_factory: pytest.TempPathFactory, bundles: Path) -> Path:
    """The site in the made-up language of tests/languages/pseudo.py."""
    return site_in(tmp_path_factory.mktemp("xx"), "xx", bundles, catalogue=catalogue("xx"))


@pytest.fixture(scope="session")
def data(bundles: Path, english: Path) -> Data:
    """What pages take from bundles and from the configuration."""
    return data_of(bundles, english)


@pytest.fixture(scope="session")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A German site of four records with titles and authors in other scripts."""
    files = {
        f"{script}.json": compact(
            bundle_of(replace(PAPER, source_id=f"2611.0000{number}", title=title, authors=author))
        )
        for number, (script, (title, author)) in enumerate(TITLES.items(), start=1)
    }
    folder = tmp_path_factory.mktemp("scripts")
    presentation = replace(TEST_MIRROR.presentation, language="de", full_text_search=False)
    built(folder, files, configuration=replace(TEST_MIRROR, presentation=presentation))
    return folder / "site"


def test_every_text_of_every_page_is_translated(bracketed: Path, data: Data) -> None:
    """Every text that a page shows or reads out comes from the catalogue, or is data."""
    found = [line for name, html in pages(bracketed) for line in found_unmarked(name, html, data)]
    assert found == [], "\n".join(found[:40])


def test_the_check_for_untranslated_text_finds_some(english: Path, data: Data) -> None:
    """The same check finds texts all over each English page, so it looks where texts are."""
    for name, html in pages(english):
        assert len(list(found_unmarked(name, html, data))) > 3, name


def test_every_word_for_the_scripts_is_translated(bracketed: Path, data: Data) -> None:
    """The files of words that scripts show come from the catalogue."""
    paths = sorted((bracketed / "assets").glob("verify-words.*.js"))
    assert paths
    for path in paths:
        words = json.loads(path.read_text(encoding="utf-8").partition(" = ")[2].rstrip("\n ;"))
        texts = _strings(words)
        assert len(texts) > 5
        assert [text for text in texts if unmarked(text, data)] == [], path.name


def test_feeds_are_translated(bracketed: Path, data: Data) -> None:
    """Titles and summaries of a feed come from the catalogue, or are data; the feed says which."""
    feed = etree.parse(str(bracketed / "feed.atom")).getroot()
    assert {e.get("{http://www.w3.org/XML/1998/namespace}lang") for e in feed.iter()} == {
        None,
        "xx",
    }
    texts = [
        line
        for name in ("title", "subtitle", "summary")
        for element in feed.iter(f"{_ATOM}{name}")
        for line in (element.text or "").splitlines()
    ]
    assert len(texts) > 60
    assert [text for text in texts if unmarked(text, data)] == []


def test_no_bracket_reaches_the_files_for_programs(bracketed: Path) -> None:
    """JSON, badges, citations and texts for programs are English whatever the site's language."""
    files = tree(bracketed)
    spoken = re.compile(r".*\.html|(?:.*/)?feed\.atom|.*/feed/.*\.atom|assets/.*\.js|.*\.parquet")
    quiet = {name: text for name, text in files.items() if not spoken.fullmatch(name)}
    assert len(quiet) > 300
    assert [name for name, text in quiet.items() if "\u27e6".encode() in text] == []


def test_files_for_programs_do_not_change_with_the_language(english: Path, german: Path) -> None:
    """But for pages, feeds, words of scripts and the manifest, both sites are byte-identical."""
    spoken = re.compile(r".*\.html|.*\.atom|assets/verify-words\..*|manifest\.json")
    one, other = (
        {name: text for name, text in tree(site).items() if not spoken.fullmatch(name)}
        for site in (english, german)
    )
    assert sum(name.endswith("/state.json") for name in one) > 20
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


def test_german_pages_say_that_they_are_german(german: Path) -> None:
    """Every page of the German site has lang="de" and is read from left to right."""
    for name, html in pages(german):
        root = LexborHTMLParser(html).css_first("html")
        assert root is not None
        assert (root.attributes["lang"], root.attributes["dir"]) == ("de", "ltr"), name


def test_no_english_sentence_is_left_in_german(german: Path) -> None:
    """No piece of a German page holds three words or more in a row of an English entry."""
    chunks = sorted({chunk for entry in collect() for chunk in _sentences(entry.one)})
    assert len(chunks) > 200
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(chunk)}(?!\w)" for chunk in chunks))
    for name, html in pages(german):
        for piece in filter(is_interface, pieces_of(html)):
            assert not pattern.search(piece.text), f"{name}: {piece.text}"


def test_german_dates_and_numbers(german: Path) -> None:
    """Dates read `1. Juni 2026` beside their ISO form; the English order is nowhere."""
    dates = 0
    for name, html in pages(german):
        for time in LexborHTMLParser(html).css("time"):
            iso = time.attributes["datetime"]
            assert iso is not None
            assert re.match(r"\d{4}-\d{2}", iso), name
            assert re.fullmatch(r"(?:\d{1,2}\. )?[A-Z][a-zä]+ \d{4}", time.text()), name
            dates += 1
    assert dates > 60


def test_german_content_pages_are_german(german: Path) -> None:
    """The pages about the mirror and on verifying are the German ones."""
    for name, heading in (("about", "Über diesen Spiegel"), ("verify", "Einen Datensatz prüfen")):
        page = LexborHTMLParser((german / name / "index.html").read_text(encoding="utf-8"))
        first = page.css_first("h1")
        assert first is not None
        assert first.text().strip() == heading
        assert page.css("article[lang]") == []


def test_an_english_page_on_a_site_in_another_language_says_so(bracketed: Path) -> None:
    """Where a content page is there in English alone, its text is marked as English."""
    page = LexborHTMLParser((bracketed / "about" / "index.html").read_text(encoding="utf-8"))
    assert [node.attributes["lang"] for node in page.css("article[lang]")] == ["en"]


def test_what_checks_say_stays_english_and_is_marked(english: Path, german: Path) -> None:
    """Names, values and notes of checks are report.json's English, in elements that say so."""
    marked = 0
    for name, html in pages(german, lambda name: name.startswith(("pith/", "report/"))):
        words, original = (
            LexborHTMLParser(text).css(_CHECK_WORDS)
            for text in (html, (english / name).read_text(encoding="utf-8"))
        )
        assert [node.text() for node in words] == [node.text() for node in original], name
        for node in words:
            around = [node, node.parent, node.parent.parent if node.parent else None]
            assert "en" in [e.attributes.get("lang") for e in around if e is not None], name
            marked += 1
    assert marked > 1000


def test_english_pages_repeat_no_language(english: Path) -> None:
    """On an English site nothing inside a page says again that it is English."""
    for name, html in pages(english):
        assert html.count('lang="en"') == 1, name


@pytest.mark.parametrize("script", sorted(TITLES))
def test_titles_in_other_scripts_say_no_wrong_language(scripts: Path, script: str) -> None:
    """A title in any script is isolated, has its own direction, and claims no language."""
    title, author = TITLES[script]
    seen = 0
    for name, html in pages(scripts):
        for piece in pieces_of(html):
            if piece.is_inside("head") or not (title in piece.text or author in piece.text):
                continue
            kept = [place for place in ("bdi", "h1", "p", "code") if piece.is_inside(place)]
            assert kept, f"{name}: {piece.inside[-2:]}"
            assert piece.is_inside("[lang=]") or piece.is_inside("code"), f"{name}: {piece.inside}"
            seen += 1
    assert seen > 5


def test_the_heading_takes_its_direction_from_the_title(scripts: Path) -> None:
    """The heading of a record page is dir="auto" and lang="", whatever the title's script."""
    titles = {title for title, _ in TITLES.values()}
    for _, html in pages(scripts, lambda name: name.startswith("pith/")):
        heading = LexborHTMLParser(html).css_first("h1")
        assert heading is not None
        assert (heading.attributes["dir"], heading.attributes["lang"]) == ("auto", "")
        titles.remove(heading.text())
    assert titles == set()


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in items for text in _strings(item)]


def _sentences(text: str) -> list[str]:
    """The parts of an entry between tags and values that are three words or longer."""
    parts = re.split(r"<[^<>]*>|%\(\w+\)s|\{\w+\}", text)
    return [part.strip() for part in parts if len(re.findall(r"[A-Za-z]{2,}", part)) > 2]

"""The search page, from a server and from a disk: what it finds, and what it says of the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect

from generator.lookup import parse_identifier
from generator.search_words import code_of, words_of
from tests.browser.nginx import nginx_serving
from tests.browser.test_every_page import Watch

pytestmark = pytest.mark.browser

ASSETS = Path(__file__).resolve().parents[2] / "templates" / "assets"
GALAXY = "GBVRHPPHVQL7BCWO4WS46S4DLR"
IDENTIFIERS = (
    f"pith:2017:{GALAXY}",
    GALAXY,
    GALAXY.lower(),
    f"pith:{GALAXY}",
    GALAXY[:8],
    GALAXY[:12],
    f"pith:{GALAXY[:16].lower()}",
    f"  {GALAXY} ",
    f"https://mirror.example/some/pith/{GALAXY}/index.html",
    f"https://mirror.example/pith/{GALAXY}",
    "1706.06125",
    "1706.06125v2",
    "arXiv:1706.06125",
    "https://arxiv.org/abs/1706.06125v2",
    "10.48550/arXiv.1706.06125",
    "doi:10.48550/arxiv.1706.06125",
    "https://doi.org/10.48550/arXiv.1706.06125",
)


@pytest.fixture(scope="module")
def origins(built_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Where the site can be opened; with slash."""
    folder = tmp_path_factory.mktemp("nginx")
    with nginx_serving(built_site, folder, below="/below/") as address:
        yield {"server": address, "disk": f"{built_site.as_uri()}/"}


@pytest.fixture
def tab(scripted: object, chromium: Browser) -> Iterator[Page]:
    """A tab of its own."""
    context = chromium.new_context()
    yield context.new_page()
    context.close()


def ask(tab: Page, origin: str, text: str) -> None:
    """Open the page with a question in its address, and wait for the answer."""
    tab.goto(f"{origin}search/index.html?q={quote(text, safe='')}")
    expect(tab.locator("#search-status")).not_to_be_empty()


def found(tab: Page) -> list[str]:
    """The titles of the results, in order."""
    return tab.locator("#search-results .title").all_inner_texts()


@pytest.mark.parametrize("place", ["server", "disk"])
def test_words_find_their_records(tab: Page, origins: dict[str, str], place: str) -> None:
    """Words of a title, their beginnings, categories, and several words together are found."""
    watch = Watch(tab, origins[place])
    title = "The galaxy-subhalo connection in low-redshift galaxy clusters"
    for text in ("galaxy", "GALAXY clusters", "subhal", "lensing galaxy", "astro-ph galaxy"):
        ask(tab, origins[place], text)
        assert any(row.startswith(title) for row in found(tab)), text
    ask(tab, origins[place], "galaxy nothinglikeit")
    assert found(tab) == []
    expect(tab.locator("#search-status")).to_have_text("Records found: 0.")
    assert watch.faults == []


@pytest.mark.parametrize("place", ["server", "disk"])
def test_identifier_leads_to_its_record(tab: Page, origins: dict[str, str], place: str) -> None:
    """Every form of a Pith Number, of an arXiv id and of a DOI names the record."""
    for text in IDENTIFIERS:
        ask(tab, origins[place], text)
        link = tab.locator("#search-named a.title")
        expect(link).to_have_count(1)
        assert GALAXY in (link.get_attribute("href") or ""), text


@pytest.mark.parametrize("text", ["1706.06125v9", "A" * 26, "10.1000/182", "pith:AAAAAAAA"])
def test_identifier_that_is_not_here_is_said_to_be_absent(
    tab: Page, origins: dict[str, str], text: str
) -> None:
    """No link is shown to a record that this mirror does not have."""
    ask(tab, origins["disk"], text)
    expect(tab.locator("#search-named")).to_contain_text("No record of this mirror")
    assert tab.locator("#search-named a.title").count() == 0


def test_search_works_by_keyboard_alone(tab: Page, origins: dict[str, str]) -> None:
    """Slash leads to the box, typing searches, Tab leads to a result, Enter opens it."""
    tab.goto(f"{origins['server']}search/index.html")
    tab.keyboard.press("/")
    tab.keyboard.type("subhalo")
    expect(tab.locator("#search-status")).to_have_text("Records found: 1.")
    assert tab.url.endswith("?q=subhalo")
    tab.keyboard.press("Tab")  # the button
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"**/pith/{GALAXY}/index.html")


@pytest.mark.parametrize("place", ["server", "disk"])
def test_enter_on_an_identifier_opens_the_record(
    tab: Page, origins: dict[str, str], place: str
) -> None:
    """Whoever pastes an identifier and presses Enter is at its record, also from the header."""
    tab.goto(f"{origins[place]}index.html")
    tab.locator("form.find input").fill("arXiv:1706.06125")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search/index.html?q=*")
    expect(tab.locator("#search-named a.title")).to_have_count(1)
    tab.locator("#search-form input").press("Enter")
    tab.wait_for_url(f"**/pith/{GALAXY}/index.html")


def test_abstracts_are_found_where_the_site_is_served(tab: Page, origins: dict[str, str]) -> None:
    """The full-text index adds what only an abstract says, and marks the words as text."""
    watch = Watch(tab, origins["server"])
    ask(tab, origins["server"], "shear measurements")
    hits = tab.locator("#search-abstracts li")
    expect(hits.first).to_be_visible()
    expect(hits.first.locator("mark").first).to_be_visible()
    assert watch.faults == []


def test_page_without_scripts_leads_to_the_lists(
    chromium: Browser, origins: dict[str, str]
) -> None:
    """With JavaScript off the page says so and links to what holds every record."""
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{origins['server']}search/index.html?q=galaxy")
    assert "Searching needs JavaScript" in (page.locator("main noscript").text_content() or "")
    page.locator("main").get_by_role("link", name="Browse").click()
    page.wait_for_url("**/browse/index.html")
    context.close()


def test_hostile_titles_are_text(tab: Page, demo_site: Path) -> None:
    """What a bundle says is shown as it is; nothing of it becomes an element or an address."""
    watch = Watch(tab, demo_site.as_uri())
    table = (demo_site / "search" / "index.js").read_text(encoding="utf-8")
    assert '"records":' in table
    for text in ("script", "img", "a", "e"):
        ask(tab, f"{demo_site.as_uri()}/", text)
        assert tab.locator("#search-results :is(script, img, iframe, b, style)").count() == 0
    assert watch.faults == []


@pytest.fixture(scope="module")
def bench(chromium: Browser) -> Iterator[Page]:
    """A page that holds the pure part of the scripts."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto("about:blank")
    page.evaluate((ASSETS / "search-words.js").read_text(encoding="utf-8"))
    yield page
    context.close()


def test_words_are_those_of_the_index(bench: Page) -> None:
    """Scripts cut texts into the words, and words into the codes, that the index was made with."""
    texts: list[str] = []
    # Letters that both Python's and the browser's tables know.
    letters = st.characters(max_codepoint=0x2FFFF, exclude_categories=("Cn", "Cs", "Co"))

    @settings(max_examples=600)
    @given(st.text(letters, max_size=60))
    def gather(text: str) -> None:
        texts.append(text)

    gather()
    texts += [
        "Straße ΟΔΟΣ İstanbul",
        "量子力学 ab量c",
        "e\u0301te\u0301 ﬁn Ǆ",
        "hep-th/9901001v2",
        "x" * 90,
    ]
    said = bench.evaluate(
        """texts => texts.map(text => {
            const words = PithMirror.search.wordsOf(text);
            return [words, words.map(PithMirror.search.codeOf)];
        })""",
        texts,
    )
    for text, (words, codes) in zip(texts, said, strict=True):
        assert words == list(words_of(text)), json.dumps(text)
        assert codes == [code_of(word) for word in words]


def test_identifiers_are_those_of_the_command_line(bench: Page) -> None:
    """The page reads an identifier exactly where `pith-mirror inspect` does, addresses apart."""
    texts = [text for text in IDENTIFIERS if "/pith/" not in text]
    texts += ["hep-th/9901001", "math.GT/0309136v3", "MATH/0309136", "10.1000/a b", "10.1000/x"]
    texts += ["pith:2017:GBVRHPPH", "GBVRHPP", "17061.06125", "1706.06125v0", "", "pith:", "quant"]
    texts += ["arXiv:hep-th/9901001", "https://arxiv.org/pdf/1706.06125", "doi:10.1/x", "18901234"]
    said = bench.evaluate("texts => texts.map(PithMirror.search.identifierOf)", texts)
    for text, found_here in zip(texts, said, strict=True):
        expected = parse_identifier(text)
        assert (found_here is None) == (expected is None), text
        if expected is not None and expected.work is None:
            assert found_here["name"] == expected.suffix_start
        if expected is not None and expected.work is not None:
            assert (found_here["name"], found_here["version"]) == (
                expected.work.name,
                expected.work.version,
            )

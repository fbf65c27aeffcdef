"""The example registry in Chromium in other languages: right to left, and with scripts on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.page_kinds import pages_of_every_kind
from tests.languages.pseudo import catalogue
from tests.languages.sites import Data, data_of, found_unmarked, site_in

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WIDTHS = (360, 1280)
# How far the page can be scrolled sideways, and what stands beside what.
_MEASURE = """() => {
  const root = document.scrollingElement;
  const box = name => document.querySelector(name)?.getBoundingClientRect().x ?? null;
  return {
    dir: getComputedStyle(document.body).direction,
    over: root.scrollWidth - root.clientWidth,
    brand: box("header.site .brand"), links: box("header.site nav"),
    main: box(".split > :not(.side)"), side: box(".split > .side"),
  };
}"""


@pytest.fixture(scope="session")
def bundles(demo_site: Path) -> Path:
    """The bundles of the example registry."""
    return demo_site.parent / "bundles"


def _hebrew(text: str) -> str:
    """Spell a text in Hebrew letters, its tags and the names of its values as they are."""
    pieces = re.split(r"(<[^<>]*>|%\(\w+\)s|\{\w+\}|&\w+;)", text)
    return "".join(
        piece if place % 2 else re.sub("[A-Za-z]", lambda m: chr(0x5D0 + ord(m[0]) % 27), piece)
        for place, piece in enumerate(pieces)
    )


@pytest.fixture(scope="session")
def hebrew(tmp_path_factory: pytest.TempPathFactory, bundles: Path) -> Path:
    """The site in Hebrew letters, which says that it is Hebrew."""
    folder = tmp_path_factory.mktemp("he")
    return site_in(folder, "he", bundles, catalogue=catalogue("he", _hebrew))


@pytest.fixture(scope="session")
def bracketed(tmp_path_factory: pytest.TempPathFactory, bundles: Path) -> Path:
    """The site in the made-up language of tests/languages/pseudo.py."""
    folder = tmp_path_factory.mktemp("xx")
    return site_in(folder, "xx", bundles, catalogue=catalogue("xx"))


@pytest.fixture(scope="session")
def data(bundles: Path, bracketed: Path) -> Data:
    """What pages take from bundles and from the configuration."""
    return data_of(bundles, bracketed)


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_of_a_right_to_left_language_fit(chromium: Browser, hebrew: Path, width: int) -> None:
    """Each page kind runs from right to left, mirrored, and never scrolls sideways."""
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, java_script_enabled=True
    )
    page = context.new_page()
    kinds = pages_of_every_kind(hebrew)
    assert len(kinds) > 12
    for kind, path in kinds.items():
        if kind == "alias":
            continue  # it leads on at once
        page.goto((hebrew / path).as_uri())
        seen = page.evaluate(_MEASURE)
        assert (seen["dir"], seen["over"]) == ("rtl", 0), kind
        if width > 1000:
            assert seen["brand"] is None or seen["brand"] > seen["links"], kind
            assert seen["side"] is None or seen["side"] < seen["main"], kind
    context.close()


def test_data_keeps_its_direction_in_a_right_to_left_page(chromium: Browser, hebrew: Path) -> None:
    """Code, pictures and a Latin title run from left to right in a page that does not."""
    path = pages_of_every_kind(hebrew)["record, verified"]
    context = chromium.new_context()
    page = context.new_page()
    page.goto((hebrew / path).as_uri())
    direction = "e => getComputedStyle(e).direction"
    assert page.locator("h1").evaluate(direction) == "ltr"
    assert page.locator("#code-record").evaluate(direction) == "ltr"
    assert page.locator("#code-verify").evaluate(direction) == "ltr"
    # Anchors of labels are turned around by direction: they would cover what they name.
    assert page.locator(".picture text").first.evaluate(direction) == "ltr"
    button = page.locator(".copyable > .copy").first.bounding_box()
    block = page.locator(".copyable > pre").first.bounding_box()
    assert button is not None
    assert block is not None
    assert button["x"] > block["x"] + block["width"] / 2  # beside the lines' ends
    context.close()


def _open(chromium: Browser, path: Path) -> Page:
    page = chromium.new_context().new_page()
    page.goto(path.as_uri())
    return page


def test_the_button_speaks_the_page_s_language(
    chromium: Browser, bracketed: Path, data: Data
) -> None:
    """After a check in the browser every text of a record page is still of the catalogue."""
    name = pages_of_every_kind(bracketed)["record, verified"]
    page = _open(chromium, bracketed / name)
    page.locator("#self-check button").first.click()
    expect(page.locator("#self-check ol > li").first).to_be_visible()
    expect(page.locator("#self-check [role=status]")).not_to_have_text(re.compile("…|^$"))
    before = (bracketed / name).read_text(encoding="utf-8")
    after = page.content()
    assert after.count("\u27e6") > before.count("\u27e6") + 5
    assert list(found_unmarked(name, after, data)) == []
    page.context.close()


def test_the_verification_page_speaks_its_language(
    chromium: Browser, bracketed: Path, bundles: Path, data: Data
) -> None:
    """What the page shows of dropped files is of the catalogue, or English that says so."""
    page = _open(chromium, bracketed / "verify" / "index.html")
    names = ["01-complete.json", "04-failed-events.json", "08-altered-record.json"]
    page.locator("#drop-input").set_input_files([bundles / name for name in names])
    expect(page.locator("#drop-status")).to_contain_text("3")
    expect(page.locator("#drop-files table").first).to_be_attached()
    assert list(found_unmarked("verify", page.content(), data)) == []
    page.context.close()

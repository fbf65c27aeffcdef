"""What docs/design.md promises: budgets, contrast, sizes, order, marks and colours of one's own."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext
from selectolax.lexbor import LexborHTMLParser

from generator.resources import read_resources, templates_folder
from tests.browser.test_pages import record_pages
from tests.factories import put

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("built_site")]

DEMO_RECORD = "pith/HB7JDQDHG3Y46RC3YWB4K3E6MC/index.html"
# Pages whose links and buttons are measured.
PRESSED = (
    DEMO_RECORD,
    "index.html",
    "browse/index.html",
    "browse/author/index.html",
    "browse/year/2026/index.html",
    "stats/index.html",
    "report/index.html",
)
TEXT = ("ink", "quiet", "link", "good", "derived", "word", "open", "bad")
SMALL = """() => {
    const seen = (box) => box.width > 0 && box.height > 0;
    const inSentence = (link) => [...link.parentElement.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && /[a-z]/i.test(node.textContent));
    return [...document.querySelectorAll('a[href], button, input, summary')]
        .filter((item) => item.className !== 'skip' && !inSentence(item))
        .map((item) => [item.outerHTML.slice(0, 120), item.getBoundingClientRect()])
        .filter(([, box]) => seen(box) && box.height < 24)
        .map(([text, box]) => `${text}: ${box.height}`);
}"""


def stylesheet() -> str:
    """Read the packaged style sheet."""
    return read_resources([templates_folder()]).assets["site.css"].decode()


def tokens(block: str) -> dict[str, str]:
    """Read the colours that a block of rules sets."""
    return dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", block))


def luminance(colour: str) -> float:
    """Compute the relative luminance (WCAG 2.2, "relative luminance")."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Compute the contrast ratio (WCAG 2.2, "contrast ratio")."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_style_sheet_keeps_its_budget() -> None:
    """All style is one sheet below 20 KB that fetches nothing."""
    css = stylesheet()
    assert len(css.encode()) < 20_000
    assert not re.search(r"url\(|@import|@font-face", css)


def test_record_pages_keep_their_budget(built_site: Path) -> None:
    """The page of each real record is below 30 kB."""
    assert [p for p in record_pages(built_site) if (built_site / p).stat().st_size >= 30_000] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_of_text_can_be_read(scheme: str) -> None:
    """Each colour of text has 4.5 : 1 on both backgrounds; edges have 3 : 1."""
    light, dark = stylesheet().split("@media (prefers-color-scheme: dark)", 1)
    found = tokens(light) | (tokens(dark.split("@media", 1)[0]) if scheme == "dark" else {})
    grounds = [found["paper"], found["panel"]]
    low = [name for name, on in product(TEXT, grounds) if contrast(found[name], on) < 4.5]
    assert low == []
    assert contrast(found["edge"], found["paper"]) >= 3


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["desktop", "phone"])
def test_first_screens_answer_the_first_questions(
    size: tuple[int, int], plain: BrowserContext, demo_site: Path
) -> None:
    """Title, verdict and the four actions are on a desktop's first screen, and on a phone's two."""
    tab = plain.new_page()
    tab.set_viewport_size({"width": size[0], "height": size[1]})
    tab.goto((demo_site / DEMO_RECORD).as_uri())
    screens = 1 if size[0] > 1_000 else 2
    bottoms = []
    for part in ("h1", ".authors", ".verdict", ".actions"):
        box = tab.locator(part).first.bounding_box()
        assert box is not None
        bottoms.append(box["y"] + box["height"])
    assert max(bottoms) < size[1] * screens
    assert tab.locator(".actions a").count() == 4


def test_source_has_the_order_of_reading(demo_site: Path) -> None:
    """Who hears the page gets title, verdict, actions, facts and contents before the abstract."""
    tree = LexborHTMLParser((demo_site / DEMO_RECORD).read_text(encoding="utf-8"))
    wanted = "h1, .authors, section.verdict, ul.actions, .side dl.facts, nav.contents, #abstract"
    order = [node.tag for node in tree.css("main *") if node in tree.css(wanted)]
    assert order == ["h1", "p", "section", "ul", "dl", "nav", "h2"]


def test_contents_lead_to_every_part(demo_site: Path) -> None:
    """Each entry of the list of parts leads to a heading of the page."""
    tree = LexborHTMLParser((demo_site / DEMO_RECORD).read_text(encoding="utf-8"))
    links = [node.attributes["href"] or "" for node in tree.css("nav.contents a")]
    assert len(links) > 8
    assert [link for link in links if not tree.css(f"h2{link}")] == []


def test_first_use_of_a_mark_says_what_it_means(demo_site: Path) -> None:
    """Behind the first "proven" and the first "reported" of a page stands what the word means."""
    tree = LexborHTMLParser((demo_site / DEMO_RECORD).read_text(encoding="utf-8"))
    for word, meaning in (("proven", "bound by digest and signature"), ("reported", "only the")):
        first = tree.css_first(f".known.{word}")
        assert first is not None
        assert first.parent is not None
        assert f"{word}: {meaning}" in first.parent.text()


@pytest.mark.parametrize("width", [320, 1280])
def test_what_can_be_pressed_is_large_enough(
    width: int, scripted: BrowserContext, demo_site: Path
) -> None:
    """Every link that stands alone, every button and field is 24 pixels high (WCAG 2.2, 2.5.8)."""
    tab = scripted.new_page()
    tab.set_viewport_size({"width": width, "height": 800})
    for path in PRESSED:
        tab.goto((demo_site / path).as_uri())
        assert tab.evaluate(SMALL) == [], path


def test_nothing_moves_while_a_page_loads(scripted: BrowserContext, demo_site: Path) -> None:
    """The browser notes no layout shift on a record page, scripts included."""
    tab = scripted.new_page()
    tab.add_init_script(
        """window.shifts = 0; new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.shifts += entry.value;
        }).observe({type: 'layout-shift', buffered: true});"""
    )
    tab.goto((demo_site / DEMO_RECORD).as_uri(), wait_until="load")
    tab.wait_for_timeout(300)
    assert tab.evaluate("window.shifts") == 0


def test_focus_can_be_seen(chromium: Browser, demo_site: Path) -> None:
    """What has the focus has an outline of two pixels."""
    context = chromium.new_context()
    tab = context.new_page()
    tab.goto((demo_site / DEMO_RECORD).as_uri())
    for _ in range(4):
        tab.keyboard.press("Tab")
        style = "getComputedStyle(document.activeElement)"
        assert tab.evaluate(f"{style}.outlineStyle + {style}.outlineWidth") == "solid2px"
    context.close()


def test_theme_counts_only_where_it_has_rules(tmp_path: Path) -> None:
    """An operator's theme.css is an asset; the packaged one, all comment, is not."""
    assert "theme.css" not in read_resources([templates_folder()]).assets
    put(tmp_path, {"assets/theme.css": b"/* mine */ :root { --link: #7a1f3d; }"})
    assert "theme.css" in read_resources([tmp_path, templates_folder()]).assets

"""Badges of every state, measured in Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from generator.formats.checks import Verdict
from generator.pages import SiteFrame
from generator.record_files import badge_file
from generator.render import Renderer
from generator.resources import templates_folder
from tests.browser.conftest import NuChecker

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("built_site")]

# Nobody sees two pixels; a wrong font metric is off by more on every badge.
TOLERANCE = 2.0  # CSS pixels
# Every character that a suffix can have, and the widest and narrowest eight in a row.
SUFFIXES = tuple(
    eight.ljust(26, "A")
    for eight in ("ABCDEFGH", "IJKLMNOP", "QRSTUVWX", "YZ234567", "WWWWWWWW", "IIIIIIII")
)
# What is drawn, without the attribute that stretches it: a reader whose browser ignores textLength,
# and every renderer that is no browser, sees the text at this width.
MEASURE = """
() => [...document.querySelectorAll("text")].map(text => {
    const declared = Number(text.getAttribute("textLength"));
    text.removeAttribute("textLength");
    const drawn = text.getBBox();
    const middle = drawn.x + drawn.width / 2;
    const holder = [...document.querySelectorAll("g rect")].map(rect => rect.getBBox())
        .filter(rect => rect.x <= middle && middle <= rect.x + rect.width)[0];
    return {
        content: text.textContent, declared, width: text.getComputedTextLength(),
        left: drawn.x - holder.x, right: holder.x + holder.width - drawn.x - drawn.width,
        beyond: holder.x + holder.width - document.documentElement.viewBox.baseVal.width,
    };
})
"""


def draw(folder: Path) -> list[Path]:
    """Draw a badge for each state and each of SUFFIXES.

    Args:
        folder: where the files go.

    Returns:
        The files.
    """
    frame = SiteFrame(
        title="",
        operator="",
        base_url="",
        registry_name="",
        registry_url="",
        keys=(),
        generator="",
        example=False,
    )
    renderer = Renderer([templates_folder()], frame)
    files = []
    for verdict in Verdict:
        for suffix in SUFFIXES:
            path = folder / f"{verdict.name}-{suffix}.svg"
            path.write_bytes(badge_file(suffix, verdict, renderer).data)
            files.append(path)
    return files


def test_badge_text_fits_its_box(scripted: BrowserContext, tmp_path: Path) -> None:
    """Each text stands in the middle of its box and has the width that the badge declares."""
    tab = scripted.new_page()
    wrong: list[str] = []
    for path in draw(tmp_path):
        tab.goto(path.as_uri())
        texts = tab.evaluate(MEASURE)
        assert len(texts) == 2
        wrong.extend(
            f"{path.stem}: {text}"
            for text in texts
            if abs(text["width"] - text["declared"]) > TOLERANCE
            or min(text["left"], text["right"]) < TOLERANCE
            or abs(text["left"] - text["right"]) > 2 * TOLERANCE
            or text["beyond"] > 0
        )
    assert wrong == []


def test_badge_says_its_state_to_a_screen_reader(scripted: BrowserContext, tmp_path: Path) -> None:
    """Each badge is one image whose accessible name and title are the record and its state."""
    tab = scripted.new_page()
    for path in draw(tmp_path):
        verdict, suffix = path.stem.split("-")
        tab.goto(path.as_uri())
        name = tab.evaluate("document.documentElement.getAttribute('aria-label')")
        assert name == tab.evaluate("document.querySelector('title').textContent")
        assert suffix[:8] in name
        assert Verdict[verdict].value in name
        assert tab.evaluate("document.documentElement.getAttribute('role')") == "img"


CONTRAST = """
() => {
    const light = color => {
        const [r, g, b] = color.match(/[0-9.]+/g).slice(0, 3).map(Number).map(c => c / 255)
            .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    return [...document.querySelectorAll("g rect")].map(rect => {
        const texts = [...document.querySelectorAll("text")].map(t => getComputedStyle(t).fill);
        const ground = light(getComputedStyle(rect).fill);
        return Math.min(...texts.map(light).map(
            l => (Math.max(l, ground) + 0.05) / (Math.min(l, ground) + 0.05)));
    });
}
"""


def test_badge_text_has_contrast(scripted: BrowserContext, tmp_path: Path) -> None:
    """Text on each box has a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3)."""
    tab = scripted.new_page()
    for path in draw(tmp_path):
        tab.goto(path.as_uri())
        ratios = tab.evaluate(CONTRAST)
        assert len(ratios) == 2
        assert min(ratios) >= 4.5


def test_badges_pass_the_nu_checker(nu_checker: NuChecker, tmp_path: Path) -> None:
    """The Nu HTML checker, told that they are SVG, finds no error in a badge of any state."""
    assert nu_checker.errors("--svg", paths=draw(tmp_path)) == []

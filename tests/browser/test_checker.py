"""The tools of this folder notice what they are there to notice."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.conftest import NuChecker

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("built_site")]

GOOD = '<!doctype html><html lang="en"><head><title>t</title></head><body><h1>t</h1></body></html>'


def test_nu_checker_reports_an_unclosed_element(nu_checker: NuChecker, tmp_path: Path) -> None:
    """A page with a broken element is reported, and the same page without it is not."""
    good, bad = tmp_path / "good.html", tmp_path / "bad.html"
    good.write_text(GOOD)
    bad.write_text(GOOD.replace("</h1>", "<div></h1>"))
    assert nu_checker.errors(paths=[good]) == []
    assert nu_checker.errors(paths=[bad]) != []


def test_nu_checker_reports_a_bad_svg(nu_checker: NuChecker, tmp_path: Path) -> None:
    """An SVG with an element that SVG does not have is reported."""
    bad = tmp_path / "bad.svg"
    bad.write_text('<svg xmlns="http://www.w3.org/2000/svg"><title>t</title><blob/></svg>')
    assert nu_checker.errors("--svg", paths=[bad]) != []


def test_plain_context_runs_no_script(plain: BrowserContext, tmp_path: Path) -> None:
    """The context called plain does not run JavaScript, so a page that needs it fails its test."""
    page = tmp_path / "page.html"
    page.write_text(GOOD.replace("</body>", "<script>document.title = 'ran'</script></body>"))
    tab = plain.new_page()
    tab.goto(page.as_uri())
    assert tab.title() == "t"

"""The site built from the repository's own bundles, as a browser and an HTML checker see it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page
from selectolax.lexbor import LexborHTMLParser

from tests.browser.conftest import NuChecker

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("built_site")]

RECORD_PAGE = re.compile(r"pith/[A-Z2-7]{26}/index\.html")
ALIAS_FOLDERS = ("arxiv", "doi", "p")


def pages_of(site: Path) -> list[str]:
    """List the HTML files.

    Args:
        site: a built site.

    Returns:
        Relative paths, sorted.
    """
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))


def record_pages(site: Path) -> list[str]:
    """List the record pages.

    Args:
        site: a built site.

    Returns:
        Relative paths, sorted; never empty.
    """
    found = [path for path in pages_of(site) if RECORD_PAGE.fullmatch(path)]
    assert found
    return found


def open_and_watch(context: BrowserContext, addresses: Iterable[str]) -> tuple[list[str], set[str]]:
    """Open pages one after another in one tab.

    Args:
        context: the browser context.
        addresses: what to open.

    Returns:
        What is wrong, a line each; and every address that was asked for.
    """
    tab, wrong, asked = context.new_page(), [], set()
    tab.on("request", lambda request: asked.add(request.url))
    tab.on("pageerror", lambda error: wrong.append(f"{tab.url}: {error}"))
    for address in addresses:
        response = tab.goto(address, wait_until="load")
        if response is not None and not response.ok:
            wrong.append(f"{address}: status {response.status}")
        wrong.extend(f"{address}: {what}" for what in faults_of(tab))
    return wrong, asked


def faults_of(tab: Page) -> list[str]:
    """Check what every page must have.

    Args:
        tab: a loaded page.

    Returns:
        The faults, in the order of the checks.
    """
    headings = tab.locator("h1").count()
    checks = {
        f"{headings} h1 elements": headings == 1,
        "the h1 is empty": headings != 1 or tab.locator("h1").inner_text().strip() != "",
        "no title": tab.title().strip() != "",
        "no language": bool(tab.locator("html").get_attribute("lang")),
        "no main": tab.locator("main").count() == 1,
        "scrolls sideways": tab.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        ),
    }
    return [fault for fault, fine in checks.items() if not fine]


def test_every_html_page_passes_the_nu_checker(nu_checker: NuChecker, built_site: Path) -> None:
    """The Nu HTML checker finds no error on any page of the site."""
    assert pages_of(built_site)
    assert nu_checker.errors("--skip-non-html", paths=[built_site]) == []


def test_every_badge_passes_the_nu_checker(nu_checker: NuChecker, built_site: Path) -> None:
    """The Nu HTML checker, told that they are SVG, finds no error in any badge."""
    badges = sorted(built_site.rglob("badge.svg"))
    assert len(badges) == len(record_pages(built_site))
    assert nu_checker.errors("--svg", paths=badges) == []


def without_redirects(site: Path) -> list[str]:
    """List the HTML files that stay where they are.

    Args:
        site: a built site.

    Returns:
        Relative paths, sorted.
    """
    return [p for p in pages_of(site) if 'http-equiv="refresh"' not in (site / p).read_text()]


def test_every_page_opens_without_javascript(
    plain: BrowserContext, served_site: str, built_site: Path
) -> None:
    """Each page has one heading, a title and a language with JavaScript off, and asks no host."""
    paths = without_redirects(built_site)
    wrong, asked = open_and_watch(plain, (urljoin(served_site, path) for path in paths))
    assert wrong == []
    hosts = {urlsplit(address).netloc for address in asked if not address.startswith("data:")}
    assert hosts == {urlsplit(served_site).netloc}
    assert len(asked) >= len(paths)


def test_pages_with_javascript_ask_no_other_host(
    scripted: BrowserContext, served_site: str, built_site: Path
) -> None:
    """With JavaScript on, pages of every kind raise no error and ask no other host."""
    paths = [*record_pages(built_site)[:5], *(p for p in pages_of(built_site) if p.count("/") <= 1)]
    wrong, asked = open_and_watch(scripted, (urljoin(served_site, path) for path in paths))
    assert wrong == []
    assert {urlsplit(a).netloc for a in asked if not a.startswith("data:")} == {
        urlsplit(served_site).netloc
    }


def test_record_page_fits_a_phone(
    plain: BrowserContext, served_site: str, built_site: Path
) -> None:
    """On a screen 320 pixels wide no record or site page has to be scrolled sideways."""
    tab = plain.new_page()
    tab.set_viewport_size({"width": 320, "height": 640})
    paths = [
        *record_pages(built_site)[:10],
        *(p for p in pages_of(built_site) if p.count("/") <= 1),
    ]
    wide = []
    for path in paths:
        tab.goto(urljoin(served_site, path))
        width = tab.evaluate("document.documentElement.scrollWidth")
        if width > 320:
            wide.append(f"{path}: {width}")
    assert wide == []


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_reader_walks_from_home_to_the_bundle(
    scheme: str, plain: BrowserContext, served_site: str, built_site: Path
) -> None:
    """Home, record, bundle: three pages by links alone, without JavaScript or without a server."""
    tab = plain.new_page()
    tab.goto(served_site if scheme == "http" else (built_site / "index.html").as_uri())
    tab.locator('main a[href*="pith/"]').first.click()
    assert re.search(r"/pith/[A-Z2-7]{26}/(index\.html)?$", tab.url)
    suffix = tab.url.split("/pith/")[1].split("/")[0]
    assert suffix[:8] in tab.locator("main").inner_text()
    tab.locator('main a[href$="bundle.json"]').first.click()
    tab.wait_for_url(re.compile(r"bundle\.json$"))
    assert suffix in tab.locator("body").inner_text()


@pytest.mark.parametrize("folder", ALIAS_FOLDERS)
def test_alias_page_lands_on_its_record(
    folder: str, plain: BrowserContext, served_site: str, built_site: Path
) -> None:
    """An alias page forwards to its record without JavaScript, and links to it for who waits."""
    aliases = [path for path in pages_of(built_site) if path.startswith(f"{folder}/")]
    if not aliases and folder == "doi":
        pytest.skip("no record of the sample has a DOI")
    assert aliases
    for path in aliases[:5]:
        tree = LexborHTMLParser((built_site / path).read_text(encoding="utf-8"))
        links = {
            urljoin(path, href)
            for a in tree.css("main a[href*='pith/']")
            if (href := a.attributes["href"])
        }
        tab = plain.new_page()
        tab.goto(urljoin(served_site, path))
        tab.wait_for_url(re.compile(r"/pith/[A-Z2-7]{26}/"))
        landed = urlsplit(tab.url).path.lstrip("/")
        assert landed in links
        assert (built_site / landed / "index.html").is_file() or (built_site / landed).is_file()
        tab.close()

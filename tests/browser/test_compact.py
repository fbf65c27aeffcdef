"""A mirror of the profile `compact` in the browser: records verify, other names lead to them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from generator.config import Profile
from tests.browser.conftest import unavailable
from tests.browser.nginx import nginx_serving
from tests.browser.test_verify_page import check_record, ending, step_of
from tests.factories import BUNDLES, REAL_MIRROR, build, put

pytestmark = [pytest.mark.browser, pytest.mark.loopback]

BASE_URL = "https://mirror.example/a/mirror/"
SUFFIX = "25YK7L2RIECSQVFXE2XY6P4TVQ"
RECORD = f"pith/{SUFFIX}/index.html"


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's own bundles as a compact site that says it is at another host."""
    folder = tmp_path_factory.mktemp("compact")
    put(folder / "bundles", {path.name: path.read_bytes() for path in BUNDLES.glob("*.json")})
    presentation = replace(REAL_MIRROR.presentation, profile=Profile.COMPACT)
    configuration = replace(REAL_MIRROR, presentation=presentation, base_url=BASE_URL)
    build(folder / "bundles", folder / "site", configuration=configuration)
    return folder / "site"


@pytest.fixture(name="served", scope="module")
def _served(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin") is None:
        unavailable("nginx", "apt-get install nginx-light")
    with nginx_serving(site, tmp_path_factory.mktemp("nginx"), below="/a/mirror/") as address:
        yield address


@pytest.fixture(name="page")
def _page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    context.close()
    assert errors == []


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_record_of_a_compact_site_still_verifies(
    page: Page, site: Path, served: str, scheme: str
) -> None:
    """From a disk by the bundle in the page, from a server by bundle.json, to the merged state."""
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    address = served if scheme == "http" else f"{site.as_uri()}/"
    steps = check_record(page, address + RECORD)
    data = page.locator("#self-check-data").text_content() or ""
    assert json.loads(data)["state_sha256"] in step_of(steps, "Merge the events")
    for title in ("Digest it", "Derive the Pith Number", "Merge the events"):
        assert "✓ verified" in step_of(steps, title)
    expect(ending(page)).to_contain_text("Nothing failed in this browser")
    fetched = [url for url in requests if url.endswith(".json")]
    assert fetched == ([f"{served}pith/{SUFFIX}/bundle.json"] if scheme == "http" else [])


def test_a_changed_bundle_fails_on_a_compact_site(page: Page, site: Path, tmp_path: Path) -> None:
    """Without state.json beside it, a bundle that was changed is still found out."""
    shutil.copytree(site / "assets", tmp_path / "site" / "assets")
    text = (site / RECORD).read_text(encoding="utf-8")
    changed, count = re.subn(r'("submitted_at":"20)\d\d', r"\g<1>01", text)
    assert count
    put(tmp_path / "site", {RECORD: changed.encode()})
    check_record(page, f"{(tmp_path / 'site').as_uri()}/{RECORD}")
    expect(ending(page)).not_to_contain_text("Nothing failed")


@pytest.mark.parametrize(
    "name", ["arxiv/1704.05258/", "doi/10.48550/arxiv.1704.05258/", f"p/{SUFFIX[:8]}"]
)
def test_other_names_lead_to_the_search(page: Page, site: Path, name: str) -> None:
    """An address that a full mirror has as an alias page leads on to what the name means."""

    def answer(route: Route) -> None:
        path = site / urlsplit(route.request.url).path.removeprefix("/a/mirror/")
        there = path.is_file()
        route.fulfill(path=path if there else site / "404.html", status=200 if there else 404)

    # Its page for what is missing has absolute links, so it is opened under its own address.
    page.route(f"{BASE_URL}**", answer)
    page.goto(BASE_URL + name)
    page.wait_for_url(re.compile(r"/search/index\.html\?q="), timeout=10_000)
    link = page.locator("#search-named a.title, #search-results a.title").first
    expect(link).to_have_attribute("href", f"../pith/{SUFFIX}/index.html")
    assert page.url.startswith(BASE_URL)

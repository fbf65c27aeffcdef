"""What a page may cost: bytes, requests, elements, and no movement. Never a time.

Times are in benchmarks/RESULTS.md, measured by benchmarks/pages.py.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import unavailable
from tests.browser.nginx import nginx_serving
from tests.browser.page_kinds import VERDICTS, pages_of_every_kind
from tests.browser.page_load import DESKTOP, PHONE, Load, load_page

pytestmark = pytest.mark.browser

HTML_OF_A_RECORD = 30_000
CSS = 20_000
# The scripts that come with a page; what a click loads is not among them.
SCRIPTS = {"verify": 150_000, "search": 60_000}
SCRIPTS_OF_OTHERS = 8_000
# Page, sheet, icon; a record page also shows its badge and has a button that a script makes.
REQUESTS = {"verify": 6, "search": 8, "stats": 4}
REQUESTS_OF_RECORDS, REQUESTS_OF_OTHERS = 6, 3
# Lighthouse calls a page excessive from 1,400 elements on, or from a depth of 32.
ELEMENTS, DEPTH = 1_400, 32


@dataclass(frozen=True, slots=True)
class Loaded:
    """Pages of a site, each loaded once on some devices."""

    site: Path
    address: str
    loads: dict[tuple[str, str], Load]

    def beyond(self, budget: dict[str, int], others: int, measure: str) -> list[str]:
        """Find the loads that cost more than they may.

        Args:
            budget: by kind of page.
            others: for kinds that are not in it.
            measure: `requests`, or the kind of a body.

        Returns:
            One line a load.
        """
        lines = []
        for (kind, device), load in self.loads.items():
            cost = sum(
                1 if measure == "requests" else part.body
                for part in load.transfers
                if measure in {"requests", part.kind}
            )
            if cost > budget.get(kind, others):
                lines.append(f"{kind}, {device}: {cost} {measure}")
        return lines


@pytest.fixture(scope="module", params=["built", "demo"])
def site(request: pytest.FixtureRequest, built_site: Path, demo_site: Path) -> Path:
    """The site of the repository's own bundles, and that of the example registry."""
    return built_site if request.param == "built" else demo_site


@pytest.fixture(scope="module")
def loaded(
    chromium: Browser, site: Path, built_site: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Loaded]:
    """Its pages, with a real nginx before them."""
    if shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin") is None:
        unavailable("nginx", "apt-get install nginx-light")
    kinds = pages_of_every_kind(site)
    del kinds["alias"]  # it leads on at once
    devices = [PHONE]  # what a page brings does not depend on the window
    if site == built_site:  # the example registry has the rest
        kinds = {kind: path for kind, path in kinds.items() if kind.startswith("record")}
        devices = [DESKTOP, PHONE]
    with nginx_serving(site, tmp_path_factory.mktemp("nginx")) as address:
        loads = {
            (kind, device.name): load_page(chromium, device, address + path)
            for kind, path in kinds.items()
            for device in devices
        }
        yield Loaded(site, address, loads)


def test_record_pages_are_small(built_site: Path) -> None:
    """The HTML of every record page of real bundles stays below 30 kB."""
    pages = list(built_site.glob("pith/*/index.html"))
    assert pages
    sizes = {page.parent.name: page.stat().st_size for page in pages}
    assert {name: size for name, size in sizes.items() if size >= HTML_OF_A_RECORD} == {}


def test_sheets_are_small(loaded: Loaded) -> None:
    """All style sheets of a page together stay below 20 kB."""
    assert loaded.beyond({}, CSS - 1, "css") == []


def test_scripts_are_small(loaded: Loaded) -> None:
    """A page brings few scripts before anyone asks for something."""
    assert loaded.beyond(SCRIPTS, SCRIPTS_OF_OTHERS, "js") == []


def test_few_requests(loaded: Loaded) -> None:
    """A page is complete after a handful of requests."""
    budget = REQUESTS | {f"record, {verdict}": REQUESTS_OF_RECORDS for verdict in VERDICTS}
    assert loaded.beyond(budget, REQUESTS_OF_OTHERS, "requests") == []


def test_no_other_host(loaded: Loaded) -> None:
    """Everything a page needs comes from the host it is on, and comes."""
    elsewhere = [
        f"{kind}: {part.url}"
        for (kind, _), load in loaded.loads.items()
        for part in load.transfers
        if not part.url.startswith(loaded.address)
    ]
    assert elsewhere == []
    assert [load.failed for load in loaded.loads.values() if load.failed] == []


def test_nothing_moves(loaded: Loaded) -> None:
    """No part of a page moves after it was painted."""
    moved = {
        where: (load.shift, load.shifted) for where, load in loaded.loads.items() if load.shift
    }
    assert moved == {}


def test_pictures_keep_their_place_free(loaded: Loaded) -> None:
    """Every picture names its width and height, so that nothing moves whenever it arrives."""
    unsized = {where: load.unsized for where, load in loaded.loads.items() if load.unsized}
    assert unsized == {}


def test_few_elements(loaded: Loaded) -> None:
    """No page is excessive by its number of elements or by how deep they are nested."""
    excessive = {
        where: (load.elements, load.depth)
        for where, load in loaded.loads.items()
        if load.elements >= ELEMENTS or load.depth >= DEPTH
    }
    assert excessive == {}

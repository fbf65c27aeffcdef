"""Every kind of page, on a desktop and on a phone, light and dark, with and without JavaScript.

Served by nginx with the documented configuration, at the root of a host and below a path, and
opened from a disk. What is asked of a page here, it must hold in all of these.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

from tests.browser.conftest import HERE, unavailable
from tests.browser.nginx import nginx_serving
from tests.browser.page_kinds import KINDS, VERDICTS, pages_of_every_kind

pytestmark = pytest.mark.browser

DESKTOP, PHONE = (1280, 800), (360, 740)
Scheme = Literal["light", "dark"]
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RUN_AXE = """async tags => {
  const results = await axe.run(document, {runOnly: {type: "tag", values: tags}});
  return results.violations.flatMap(v => v.nodes.map(n =>
    `${v.id} (${v.impact}): ${n.target.join(" ")}: ${n.failureSummary}`));
}"""


@pytest.fixture(scope="module", params=["built", "demo"])
def site(request: pytest.FixtureRequest, built_site: Path, demo_site: Path) -> Path:
    """The site of the repository's own bundles, and that of the example registry."""
    return built_site if request.param == "built" else demo_site


@pytest.fixture(scope="module")
def origins(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Where the site can be opened: `nginx`, `sub-path` and `disk`, addresses with slash."""
    if shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin") is None:
        unavailable("nginx", "apt-get install nginx-light")
    with (
        nginx_serving(site, tmp_path_factory.mktemp("nginx")) as root,
        nginx_serving(site, tmp_path_factory.mktemp("nginx"), below="/some/mirror/") as below,
    ):
        yield {"nginx": root, "sub-path": below, "disk": f"{site.as_uri()}/"}


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core, from the npm package pinned in package.json."""
    path = HERE / "node_modules" / "axe-core" / "axe.min.js"
    if not path.is_file():
        unavailable("axe-core", "make browser-tools")
    return path.read_text(encoding="utf-8")


def context_of(
    chromium: Browser, size: tuple[int, int], scheme: Scheme, *, scripts: bool = True
) -> BrowserContext:
    """Open a browser window.

    Args:
        chromium: the browser.
        size: width and height in CSS pixels.
        scheme: what the reader's system asks for.
        scripts: whether JavaScript is on.

    Returns:
        The context, to be closed.
    """
    width, height = size
    return chromium.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        java_script_enabled=scripts,
        reduced_motion="reduce",
    )


class Watch:
    """Collects what goes wrong in a tab: console errors, failed requests, requests elsewhere."""

    def __init__(self, tab: Page, origin: str) -> None:
        """Begin to watch.

        Args:
            tab: the tab.
            origin: the address below which every request must be.
        """
        self.faults: list[str] = []
        self._origin = origin
        tab.on("console", self._console)
        tab.on("pageerror", lambda error: self.faults.append(f"{tab.url}: {error}"))
        tab.on("request", self._request)
        tab.on("requestfailed", self._failed)
        tab.on(
            "response",
            lambda r: self.faults.append(f"{r.status} {r.url}") if r.status >= 400 else None,
        )

    def _console(self, message: ConsoleMessage) -> None:
        where = message.location["url"]
        # Chromium's own guess, where a page led on before it could name its icon.
        guessed = where.endswith("/favicon.ico")
        if message.type in {"error", "warning"} and not guessed:
            self.faults.append(f"{message.type}: {message.text} ({where})")

    def _failed(self, request: Request) -> None:
        # Chromium drops what a tab still waits for (mostly its icon) when it goes to the next page.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"failed: {request.url} {request.failure}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self._origin, "data:", "blob:")):
            self.faults.append(f"asks elsewhere: {request.url}")


def test_sites_have_every_kind_of_page(built_site: Path, demo_site: Path) -> None:
    """No kind of page is left out of these tests unnoticed."""
    demo = pages_of_every_kind(demo_site)
    assert set(demo) >= {*KINDS, *(f"record, {verdict}" for verdict in VERDICTS)}
    assert set(pages_of_every_kind(built_site)) >= {*KINDS, "record, partly checkable"}


@pytest.mark.parametrize("place", ["nginx", "sub-path", "disk"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_page_loads_clean(
    chromium: Browser, site: Path, origins: dict[str, str], place: str, *, scripts: bool
) -> None:
    """No page logs an error, fails to load a part, asks another host, or scrolls sideways."""
    faults: list[str] = []
    windows: tuple[tuple[tuple[int, int], Scheme], ...] = ((DESKTOP, "light"), (PHONE, "dark"))
    for size, scheme in windows:
        context = context_of(chromium, size, scheme, scripts=scripts)
        tab = context.new_page()
        watch = Watch(tab, origins[place])
        for kind, path in pages_of_every_kind(site).items():
            tab.goto(origins[place] + path, wait_until="load")
            if kind == "alias":  # it leads on at once
                tab.wait_for_url("**/pith/*/index.html")
            else:
                faults += [f"{kind}, {size}: {what}" for what in _faults_of(tab, size)]
        faults += watch.faults
        context.close()
    assert faults == []


def _faults_of(tab: Page, size: tuple[int, int]) -> list[str]:
    width, found = (
        tab.evaluate(
            "() => [document.scrollingElement.scrollWidth, document.querySelectorAll('h1').length]"
        ),
        [],
    )
    if width[0] > size[0]:
        found.append(f"{width[0]} pixels wide")
    if width[1] != 1:
        found.append(f"{width[1]} h1 elements")
    return found


@pytest.mark.parametrize(
    "window", [(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")]
)
def test_page_is_accessible(
    chromium: Browser, demo_site: Path, axe: str, window: tuple[tuple[int, int], Scheme]
) -> None:
    """axe-core finds no violation of WCAG 2.2 AA, nor of its own best practice, on any page."""
    assert violations(chromium, demo_site, axe, window) == []


def test_real_records_are_accessible(chromium: Browser, built_site: Path, axe: str) -> None:
    """Nor on the pages of real records."""
    assert violations(chromium, built_site, axe, (PHONE, "dark")) == []


def violations(
    chromium: Browser, site: Path, axe: str, window: tuple[tuple[int, int], Scheme]
) -> list[str]:
    """Ask axe-core about a page of every kind.

    Args:
        chromium: the browser.
        site: the folder.
        axe: its source.
        window: its size in CSS pixels, and the colours that the reader's system asks for.

    Returns:
        A line for each element that breaks a rule.
    """
    context = context_of(chromium, *window)
    tab = context.new_page()
    faults: list[str] = []
    for kind, path in pages_of_every_kind(site).items():
        if kind == "alias":
            continue
        tab.goto((site / path).as_uri(), wait_until="load")
        tab.evaluate(axe)
        faults += [f"{kind}: {fault}" for fault in tab.evaluate(_RUN_AXE, AXE_TAGS)]
    context.close()
    return faults


def test_headers_are_those_of_the_documentation(
    chromium: Browser, site: Path, origins: dict[str, str]
) -> None:
    """Policy, type and caching come with every file, so the policy was in force above."""
    context = context_of(chromium, DESKTOP, "light")
    tab = context.new_page()
    for kind, path in pages_of_every_kind(site).items():
        response = tab.request.get(origins["nginx"] + path)
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy
        assert ("wasm-unsafe-eval" in policy) == (kind == "search"), kind
        assert response.headers["cache-control"] == "no-cache"
        assert response.headers["content-type"] == "text/html; charset=utf-8"
    for asset in (site / "assets").iterdir():
        response = tab.request.get(f"{origins['nginx']}assets/{asset.name}")
        assert "immutable" in response.headers["cache-control"], asset.name
        assert response.headers["x-content-type-options"] == "nosniff"
    context.close()


def test_policy_stops_a_script_that_is_not_ours(
    chromium: Browser, site: Path, origins: dict[str, str]
) -> None:
    """An inline script, style or handler that got into a page would not run."""
    context = context_of(chromium, DESKTOP, "light")
    tab = context.new_page()
    inline = "<script>document.title='broken in'</script><p onclick='1' style='color:red'>x</p>"
    for path in pages_of_every_kind(site).values():
        original = (site / path).read_text(encoding="utf-8")
        changed = original.replace("</body>", f"{inline}</body>")
        assert changed != original
        tab.route(
            f"**/{path}",
            lambda route, *, body=changed: route.fulfill(body=body, content_type="text/html"),
        )
        tab.goto(origins["nginx"] + path, wait_until="load")
        assert tab.title() != "broken in", path
        tab.unroute_all()
    context.close()

"""What a reader waits for after the page is there: the check of a record, and a search."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Browser

from tests.browser.page_load import SETTLE, Device, Traffic, open_context, open_tab

# Both stop the clock in the page, so that the way to Playwright and back is not measured.
_CHECK = """() => new Promise(done => {
  const place = document.querySelector("#self-check");
  const button = place.querySelector("button");
  const started = performance.now();
  button.click();
  const look = () => {
    if (button.getAttribute("aria-disabled") !== null) return requestAnimationFrame(look);
    const end = place.querySelector("[role=status]").textContent;
    done([performance.now() - started, end, place.querySelectorAll("li").length]);
  };
  look();
})"""
_SEARCH = """query => new Promise((done, refuse) => {
  const field = document.querySelector("main input[type=search], main input[name=q]");
  const links = () => [...document.querySelectorAll('main a[href*="pith/"]')]
    .filter(link => link.checkVisibility());
  const before = new Set(links());
  const started = performance.now();
  field.focus();
  field.value = query;
  field.dispatchEvent(new InputEvent("input", {bubbles: true, data: query}));
  const look = () => {
    const found = links().filter(link => !before.has(link)).length;
    const passed = performance.now() - started;
    if (found) return done([passed, `links to records: ${found}`]);
    if (passed > 20000) return refuse(new Error(`nothing found for ${query}`));
    requestAnimationFrame(look);
  };
  look();
})"""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing done in a page: milliseconds, what came of it, and what it fetched."""

    milliseconds: float
    result: str
    requests: int
    body: int


def check_record(chromium: Browser, device: Device, address: str) -> Action:
    """Press "Check this record in your browser" with an empty cache.

    Args:
        chromium: the browser.
        device: the reader's.
        address: of a record page.

    Returns:
        The way from the click to the last step.
    """
    context = open_context(chromium, device)
    try:
        tab, traffic = open_tab(context, device)
        tab.goto(address, wait_until="load")
        tab.evaluate(SETTLE)
        traffic.taken()
        passed, end, steps = tab.evaluate(_CHECK)
        tab.evaluate(SETTLE)
        return _action(traffic, passed, f"{steps} steps; {end}")
    finally:
        context.close()


def search_twice(
    chromium: Browser, device: Device, address: str, queries: tuple[str, str]
) -> tuple[Action, Action]:
    """Type two words into the search page, the first of them with an empty cache.

    Args:
        chromium: the browser.
        device: the reader's.
        address: of the search page.
        queries: words of titles that are in the site.

    Returns:
        The way from the typed word to the first result, for each.
    """
    context = open_context(chromium, device)
    try:
        tab, traffic = open_tab(context, device)
        tab.goto(address, wait_until="load")
        tab.evaluate(SETTLE)
        traffic.taken()
        actions = []
        for query in queries:
            passed, result = tab.evaluate(_SEARCH, query)
            tab.evaluate(SETTLE)
            actions.append(_action(traffic, passed, result))
        return actions[0], actions[1]
    finally:
        context.close()


def _action(traffic: Traffic, milliseconds: float, result: str) -> Action:
    parts = traffic.taken()
    return Action(milliseconds, result, len(parts), sum(part.body for part in parts))

"""What one page load costs: requests and bytes as Chromium counts them, and what moved.

Used by test_page_budget.py for bytes and counts, and by benchmarks/pages.py for times as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

Kind = Literal["html", "css", "js", "image", "other"]
_KINDS: dict[str, Kind] = {
    "Document": "html",
    "Stylesheet": "css",
    "Script": "js",
    "Image": "image",
}
_PICTURES = (".svg", ".png", ".ico")
# Runs before the page's own scripts; the page's policy does not apply to it.
_OBSERVE = """(() => {
  const seen = {largest: 0, shift: 0, shifted: [], tasks: []};
  const place = r => `${r.x},${r.y} ${r.width}x${r.height}`;
  const describe = ({node, previousRect, currentRect}) => {
    const words = (node?.textContent ?? "gone").trim().slice(0, 40);
    return `${node?.nodeName} "${words}" ${place(previousRect)} -> ${place(currentRect)}`;
  };
  const keep = {
    "largest-contentful-paint": e => { seen.largest = e.startTime; },
    "layout-shift": e => {
      if (!e.hadRecentInput) {
        seen.shift += e.value;
        seen.shifted.push(...e.sources.map(describe));
      }
    },
    "longtask": e => seen.tasks.push([e.startTime, e.duration]),
  };
  const observers = Object.entries(keep).map(([type, add]) => {
    const observer = new PerformanceObserver(list => list.getEntries().forEach(add));
    observer.observe({type, buffered: true});
    return [observer, add];
  });
  window.pageLoadSeen = () => {
    for (const [observer, add] of observers) observer.takeRecords().forEach(add);
    return seen;
  };
})()"""
SETTLE = """() => new Promise(done =>
  setTimeout(() => requestIdleCallback(() => done(null), {timeout: 2000}), 300))"""
_READ = """() => {
  let depth = 0;
  const elements = [...document.querySelectorAll("*")];
  for (const element of elements) {
    let level = 1;
    for (let up = element.parentElement; up; up = up.parentElement) level += 1;
    depth = Math.max(depth, level);
  }
  const first = performance.getEntriesByName("first-contentful-paint")[0];
  const unsized = [...document.images]
    .filter(image => !image.hasAttribute("width") || !image.hasAttribute("height"))
    .map(image => image.getAttribute("src"));
  const counts = {elements: elements.length, depth, first: first?.startTime ?? 0};
  return {...window.pageLoadSeen(), ...counts, unsized};
}"""
# Of a long task, what is beyond this many milliseconds keeps the reader waiting.
_NOT_LONG = 50


@dataclass(frozen=True, slots=True)
class Device:
    """A reader's device: its window, and how much slower than this machine it computes."""

    name: str
    width: int
    height: int
    mobile: bool
    slowdown: int


DESKTOP = Device("desktop", 1280, 800, mobile=False, slowdown=1)
PHONE = Device("phone", 360, 740, mobile=True, slowdown=4)


@dataclass(frozen=True, slots=True)
class Transfer:
    """One request that was answered: bytes on the wire with headers, and bytes of the body."""

    url: str
    kind: Kind
    wire: int
    body: int


@dataclass(frozen=True, slots=True)
class Load:
    """One page load. Times are milliseconds from the start of the navigation."""

    transfers: tuple[Transfer, ...]
    failed: tuple[str, ...]
    elements: int
    depth: int
    first_paint: float
    largest_paint: float
    shift: float
    shifted: tuple[str, ...]
    unsized: tuple[str, ...]
    long_tasks: int
    blocking: float

    def body_bytes(self, kind: Kind | None = None) -> int:
        """Add up bodies.

        Args:
            kind: of which kind; None for all.

        Returns:
            Bytes, uncompressed.
        """
        return sum(part.body for part in self.transfers if kind in {None, part.kind})


class Traffic:
    """Counts what a tab asks for, from its creation on."""

    def __init__(self, context: BrowserContext, tab: Page) -> None:
        """Begin to count.

        Args:
            context: of the tab.
            tab: a fresh tab.
        """
        self.session = context.new_cdp_session(tab)
        self.asked: list[str] = []
        self.failed: list[str] = []
        self._open: dict[str, tuple[str, Kind]] = {}
        self._bodies: dict[str, int] = {}
        self._done: list[Transfer] = []
        self.session.send("Network.enable")
        listeners: dict[str, Callable[[dict[str, Any]], None]] = {
            "Network.requestWillBeSent": self._sent,
            "Network.dataReceived": self._received,
            "Network.loadingFinished": self._finished,
            "Network.loadingFailed": self._failed,
        }
        for name, listener in listeners.items():
            self.session.on(name, listener)

    def taken(self) -> tuple[Transfer, ...]:
        """Hand over what was finished since the last call.

        Returns:
            The transfers, in the order in which they ended.
        """
        done = tuple(self._done)
        self._done.clear()
        return done

    def _sent(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        path = urlsplit(url).path
        # A page without an icon of its own makes Chromium ask for this one, once in a while.
        if url.startswith(("data:", "blob:")) or path == "/favicon.ico":
            return
        self.asked.append(url)
        kind = _KINDS.get(event.get("type", ""), "other")
        if kind == "other" and path.endswith(_PICTURES):  # the icon of the tab
            kind = "image"
        self._open[event["requestId"]] = (url, kind)

    def _received(self, event: dict[str, Any]) -> None:
        request = event["requestId"]
        self._bodies[request] = self._bodies.get(request, 0) + event["dataLength"]

    def _finished(self, event: dict[str, Any]) -> None:
        request = event["requestId"]
        if request in self._open:
            url, kind = self._open.pop(request)
            wire, body = round(event["encodedDataLength"]), self._bodies.pop(request, 0)
            # What comes out of the cache, such as the icon that the page shows too, costs nothing.
            if wire:
                self._done.append(Transfer(url, kind, wire, body))

    def _failed(self, event: dict[str, Any]) -> None:
        request = event["requestId"]
        if request in self._open:
            self.failed.append(f"{self._open.pop(request)[0]}: {event['errorText']}")


def open_context(chromium: Browser, device: Device) -> BrowserContext:
    """Open a browser with an empty cache.

    Args:
        chromium: the browser.
        device: whose window it has.

    Returns:
        The context, to be closed.
    """
    return chromium.new_context(
        viewport={"width": device.width, "height": device.height},
        device_scale_factor=2 if device.mobile else 1,
        is_mobile=device.mobile,
        has_touch=device.mobile,
    )


def open_tab(context: BrowserContext, device: Device) -> tuple[Page, Traffic]:
    """Open a tab that is as slow as the device.

    Args:
        context: of `open_context`.
        device: the same.

    Returns:
        The tab, and what counts its traffic.
    """
    tab = context.new_page()
    tab.add_init_script(_OBSERVE)
    traffic = Traffic(context, tab)
    if device.slowdown > 1:
        traffic.session.send("Emulation.setCPUThrottlingRate", {"rate": device.slowdown})
    return tab, traffic


def load_page(chromium: Browser, device: Device, address: str) -> Load:
    """Load a page once with an empty cache, and wait until it is quiet.

    Args:
        chromium: the browser.
        device: the reader's.
        address: of the page.

    Returns:
        What it cost.
    """
    context = open_context(chromium, device)
    try:
        tab, traffic = open_tab(context, device)
        tab.goto(address, wait_until="load")
        tab.evaluate(SETTLE)
        seen = tab.evaluate(_READ)
        first = seen["first"]
        tasks = [length for start, length in seen["tasks"] if start + length > first]
        return Load(
            transfers=traffic.taken(),
            failed=tuple(traffic.failed),
            elements=seen["elements"],
            depth=seen["depth"],
            first_paint=first,
            largest_paint=seen["largest"],
            shift=seen["shift"],
            shifted=tuple(seen["shifted"]),
            unsized=tuple(seen["unsized"]),
            long_tasks=len(seen["tasks"]),
            blocking=sum(max(0, length - _NOT_LONG) for length in tasks),
        )
    finally:
        context.close()

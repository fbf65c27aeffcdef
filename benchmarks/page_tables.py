"""The tables of the page measurements, as Markdown."""

from __future__ import annotations

import gzip
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from benchmarks.page_actions import Action
from tests.browser.page_load import DESKTOP, PHONE, Device, Kind, Load

HERE = Path(__file__).resolve().parent
PEER = "**Hugo, the same record**"
HEADING = "## Pages in a browser"
DEVICES = (DESKTOP, PHONE)
_COLUMNS = (
    *("HTML", "CSS", "JS", "images", "all", "all, gzip", "on the wire"),
    *("requests", "elements", "depth"),
)
_GZIP_LEVEL = 6  # what operators commonly set; nginx's own default is 1


@dataclass(slots=True)
class Measured:
    """Everything measured: loads by page and device, actions by name and device."""

    loads: dict[tuple[str, str], list[Load]] = field(default_factory=dict)
    actions: dict[tuple[str, str], list[Action]] = field(default_factory=dict)

    def middle(self, page: str, device: Device, number: Callable[[Load], float]) -> float:
        """Take a median.

        Args:
            page: its kind, or PEER.
            device: the reader's.
            number: what of a load.

        Returns:
            The median of the runs.
        """
        return statistics.median(map(number, self.loads[page, device.name]))


@dataclass(frozen=True, slots=True)
class Served:
    """What nginx serves: `mirror/` and `hugo/` below one folder, and the record that is in both."""

    folder: Path
    pages: dict[str, str]
    record: str
    queries: tuple[str, str]


def gzipped(load: Load, folder: Path) -> int:
    """Compress each body as a server might, since the documented nginx compresses nothing.

    Args:
        load: one load.
        folder: what was served.

    Returns:
        Bytes of all bodies, each as it is if that is shorter.
    """
    total = 0
    for part in load.transfers:
        data = (folder / unquote(urlsplit(part.url).path).lstrip("/")).read_bytes()
        total += min(len(data), len(gzip.compress(data, _GZIP_LEVEL, mtime=0)))
    return total


def sizes(measured: Measured, served: Served) -> list[str]:
    """Spell bytes and counts, which are the same on both devices.

    Args:
        measured: all runs.
        served: the pages.

    Returns:
        Lines of a Markdown table.
    """
    kinds: tuple[Kind, ...] = ("html", "css", "js", "image")
    lines = [
        f"| page | {' | '.join(_COLUMNS)} |",
        "| --- |" + " ---: |" * len(_COLUMNS),
    ]
    for page in served.pages:
        load = measured.loads[page, DESKTOP.name][0]
        wire = sum(part.wire for part in load.transfers)
        bodies = [load.body_bytes(kind) for kind in kinds]
        numbers = (*bodies, load.body_bytes(), gzipped(load, served.folder), wire)
        counts = (len(load.transfers), load.elements, load.depth)
        cells = " | ".join(f"{number:,}" for number in (*numbers, *counts))
        lines.append(f"| {page} | {cells} |")
    return lines


def times(measured: Measured, served: Served) -> list[str]:
    """Spell the medians of the times, and the largest shift of all runs.

    Args:
        measured: all runs.
        served: the pages.

    Returns:
        Lines of a Markdown table.
    """
    names = ("first paint", "largest paint", "blocked (long tasks)")
    head = " | ".join(f"{device.name}, {name}" for device in DEVICES for name in names)
    lines = [f"| page | {head} | layout shift |", "| --- |" + " ---: |" * 7]
    for page in served.pages:
        cells = []
        for device in DEVICES:
            paints = [
                measured.middle(page, device, number) for number in (first_paint, largest_paint)
            ]
            blocked = measured.middle(page, device, blocking)
            tasks = measured.middle(page, device, long_tasks)
            cells += [*(f"{paint:.0f}" for paint in paints), f"{blocked:.0f} ({tasks:.0f})"]
        shift = max(load.shift for device in DEVICES for load in measured.loads[page, device.name])
        lines.append(f"| {page} | {' | '.join(cells)} | {shift:.4g} |")
    return lines


def first_paint(load: Load) -> float:
    """Milliseconds to the first contentful paint."""
    return load.first_paint


def largest_paint(load: Load) -> float:
    """Milliseconds to the largest contentful paint."""
    return load.largest_paint


def blocking(load: Load) -> float:
    """Milliseconds beyond 50 of each long task after the first paint: total blocking time."""
    return load.blocking


def long_tasks(load: Load) -> float:
    """How many tasks took longer than 50 ms, from the start of the navigation."""
    return load.long_tasks


def ratios(measured: Measured, served: Served) -> list[str]:
    """Set the record page beside Hugo's page of the same record.

    Args:
        measured: all runs.
        served: the pages.

    Returns:
        Lines of words, one a ratio.
    """
    ours, theirs = (measured.loads[page, DESKTOP.name][0] for page in (served.record, PEER))
    pairs: list[tuple[str, float, float]] = [
        ("HTML", ours.body_bytes("html"), theirs.body_bytes("html")),
        ("all bytes", ours.body_bytes(), theirs.body_bytes()),
        ("all bytes, gzip", gzipped(ours, served.folder), gzipped(theirs, served.folder)),
        ("requests", len(ours.transfers), len(theirs.transfers)),
        ("elements", ours.elements, theirs.elements),
    ]
    for device in DEVICES:
        for name, number in (("first paint", first_paint), ("largest paint", largest_paint)):
            mine, peer = (measured.middle(page, device, number) for page in (served.record, PEER))
            pairs.append((f"{name}, {device.name}", mine, peer))
    return [f"{name}: {mine / peer:.2f}" for name, mine, peer in pairs]


def actions(measured: Measured) -> list[str]:
    """Spell what a reader waits for.

    Args:
        measured: all runs.

    Returns:
        Lines of a Markdown table.
    """
    lines = [
        "| action | device | ms | requests | bytes | result |",
        "| --- | --- |" + " ---: |" * 3,
    ]
    lines[1] += " --- |"
    for (name, device), runs in measured.actions.items():
        passed = statistics.median(action.milliseconds for action in runs)
        last = runs[-1]
        cells = f"{passed:.0f} | {last.requests} | {last.body:,} | {last.result}"
        lines.append(f"| {name} | {device} | {cells} |")
    return lines


def section(measured: Measured, served: Served, circumstances: str) -> str:
    """Write the section for RESULTS.md.

    Args:
        measured: all runs.
        served: the pages.
        circumstances: when, on what and with what it was measured.

    Returns:
        Markdown, from HEADING on.
    """
    notes = (HERE / "pages.md").read_text(encoding="utf-8").strip()
    parts = [
        HEADING,
        notes,
        circumstances,
        "Bytes are of the bodies, uncompressed, but for two columns:",
        "\n".join(sizes(measured, served)),
        "Milliseconds:",
        "\n".join(times(measured, served)),
        f"The page “{served.record}” divided by Hugo’s page of the same record:",
        "\n".join(("```text", *ratios(measured, served), "```")),
        f"After the page is there (searched for: {', '.join(served.queries)}):"
        if "search" in served.pages
        else "After the page is there (this site has no search page):",
        "\n".join(actions(measured)),
    ]
    return "\n\n".join(parts) + "\n"

"""Measure the pages as a browser sees them, beside a plain page by Hugo: `make bench-pages`.

    python benchmarks/pages.py [--runs N] [--site DIR | --bundles PATH --config FILE] [--into FILE]

Each kind of page, and Hugo's page of the same record, are served by one nginx on loopback with the
configuration of docs/operations.md, and loaded by Debian's Chromium with an empty cache. What is
printed is the section for RESULTS.md; --into puts it there.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).resolve().parent
if __package__ in {None, ""}:
    sys.path.insert(0, str(HERE.parent))

from benchmarks.hugo_peer import PAGE, build_peer, hugo_version  # noqa: E402
from benchmarks.machine import commit, machine, program  # noqa: E402
from benchmarks.page_actions import check_record, search_twice  # noqa: E402
from benchmarks.page_tables import (  # noqa: E402
    DEVICES,
    HEADING,
    PEER,
    Measured,
    Served,
    section,
)
from tests.browser.conftest import CHROMIUM_ARGUMENTS, CHROMIUM_NAMES  # noqa: E402
from tests.browser.nginx import nginx_serving  # noqa: E402
from tests.browser.page_kinds import pages_of_every_kind  # noqa: E402
from tests.browser.page_load import load_page  # noqa: E402

_BUSY = 1.0  # load average from which times say more about other programs


def build_mirror(bundles: Path, configuration: Path, site: Path) -> None:
    """Build the site to be measured.

    Args:
        bundles: the input.
        configuration: `mirror.toml`.
        site: the output.
    """
    command = [sys.executable, "-m", "generator", "build", "--bundles", str(bundles)]
    command += ["--config", str(configuration), "--site", str(site)]
    finished = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=False)
    if finished.returncode not in {0, 3}:  # 3: some bundles are rejected
        raise SystemExit(finished.stderr)


def stage(site: Path, hugo: str, folder: Path) -> Served:
    """Put the site and Hugo's page of its largest record below one folder.

    Args:
        site: a built site.
        hugo: path of Hugo.
        folder: an empty one.

    Returns:
        What is there.
    """
    kinds = pages_of_every_kind(site)
    kinds.pop("alias", None)  # it leads on at once
    records = [kind for kind in kinds if kind.startswith("record")]
    record = max(records, key=lambda kind: (site / kinds[kind]).stat().st_size)
    resolver = site / f"{Path(kinds[record]).parent.as_posix()}.json"
    peer = build_peer(hugo, resolver, folder / "hugo-source")
    root = folder / "served"
    root.mkdir()
    (root / "index.html").write_text("<!doctype html>\n<title>measured</title>\n", encoding="utf-8")
    (root / "mirror").symlink_to(site.resolve(), target_is_directory=True)
    (root / "hugo").symlink_to(peer.resolve(), target_is_directory=True)
    pages = {kind: f"mirror/{path}" for kind, path in kinds.items()}
    return Served(root, pages | {PEER: f"hugo/{PAGE}"}, record, words_of_titles(site))


def words_of_titles(site: Path) -> tuple[str, str]:
    """Choose what to search for.

    Args:
        site: a built site.

    Returns:
        The longest words of two titles.
    """
    longest = []
    for path in sorted(site.glob("pith/*.json")):
        title = (json.loads(path.read_text(encoding="utf-8")).get("paper") or {}).get("title") or ""
        words = re.findall(r"[a-z]{6,}", title.lower())
        if words:
            longest.append(max(words, key=len))
    first = longest[0]
    return first, next((word for word in longest if word != first), first)


def measure(chromium: Browser, address: str, served: Served, runs: int) -> Measured:
    """Load every page on every device, and do what a reader does.

    The pages take turns, so that a busy minute of the machine falls on all of them.

    Args:
        chromium: the browser.
        address: of nginx.
        served: the pages.
        runs: how often.

    Returns:
        Every single run.
    """
    measured = Measured()
    for run in range(runs):
        for device in DEVICES:
            for page, path in served.pages.items():
                load = load_page(chromium, device, address + path)
                measured.loads.setdefault((page, device.name), []).append(load)
            record = address + served.pages[served.record]
            done = {"check a record": check_record(chromium, device, record)}
            if "search" in served.pages:
                search = address + served.pages["search"]
                first, second = search_twice(chromium, device, search, served.queries)
                done |= {"search, first word": first, "search, second word": second}
            for name, action in done.items():
                measured.actions.setdefault((name, device.name), []).append(action)
        print(f"run {run + 1} of {runs}", file=sys.stderr)
    return measured


def put_into(path: Path, text: str) -> None:
    """Replace the section of a Markdown file, or append it.

    Args:
        path: the file.
        text: from HEADING on.
    """
    old = path.read_text(encoding="utf-8")
    before, _, rest = old.partition(f"\n{HEADING}\n")
    following = rest.find("\n## ")
    after = rest[following:] if following >= 0 else ""
    path.write_text(f"{before.rstrip()}\n\n{text}{after}", encoding="utf-8")


def nginx_version() -> str:
    """Ask nginx which it is.

    Returns:
        Its name and version.
    """
    command = [program("nginx"), "-v"]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    return finished.stderr.partition(": ")[2].strip()


def circumstances(runs: int, load: float, versions: list[str]) -> str:
    """Say when, on what and with what it was measured.

    Args:
        runs: how many.
        load: the load average before the first.
        versions: of the programs used.

    Returns:
        A paragraph.
    """
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    words = (
        f"{today}, medians of {runs} runs; {machine()}; commit {commit()}; {', '.join(versions)}."
    )
    if load >= _BUSY:
        words += f" **Preliminary**: other programs had the processors (load average {load:.1f})."
    return words


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the pages in a browser.")
    parser.add_argument("--runs", type=int, default=5, help="runs, for medians (%(default)s)")
    parser.add_argument("--site", type=Path, help="a built site (built from --bundles)")
    parser.add_argument("--bundles", type=Path, default=HERE.parent / "bundles")
    parser.add_argument("--config", type=Path, default=HERE.parent / "mirror.toml")
    parser.add_argument("--into", type=Path, help="a Markdown file whose section is replaced")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    hugo, chromium = program("hugo"), program(*CHROMIUM_NAMES)
    with tempfile.TemporaryDirectory(prefix="pith-bench-") as name:
        folder = Path(name)
        site = options.site or folder / "site"
        if options.site is None:
            build_mirror(options.bundles, options.config, site)
        served = stage(site, hugo, folder)
        logs = folder / "nginx"
        logs.mkdir()
        with nginx_serving(served.folder, logs) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=list(CHROMIUM_ARGUMENTS)
            )
            measured = measure(browser, address, served, options.runs)
            versions = [f"Chromium {browser.version}", nginx_version(), hugo_version(hugo)]
            browser.close()
        text = section(measured, served, circumstances(options.runs, load, versions))
    if options.into:
        put_into(options.into, text)
    print(text, end="")


if __name__ == "__main__":
    main()

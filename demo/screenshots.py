"""Take a picture of each kind of page of the example registry, for docs/screenshots/.

    python demo/screenshots.py --site site-demo --out docs/screenshots

Each is taken from the disk, on a desktop with light colours and on a phone with dark ones. Fonts
are those of the machine, so pictures of two machines differ; those of one machine do not.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, ViewportSize, sync_playwright

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
# Addresses below the site's root, by the name of the picture.
PAGES = {
    "home": "index.html",
    "record": "pith/HB7JDQDHG3Y46RC3YWB4K3E6MC/index.html",
    "listing": "browse/year/2026/index.html",
    "browse": "browse/index.html",
    "stats": "stats/index.html",
    "search": "search/index.html?q=lattice",
    "verify": "verify/index.html",
    "report": "report/index.html",
    "about": "about/index.html",
    "alias": "arxiv/2613.00002/index.html",
    "not-found": "404.html",
}
LOOKS: dict[str, tuple[str, ViewportSize]] = {
    "desktop": ("light", {"width": 1280, "height": 900}),
    "phone": ("dark", {"width": 390, "height": 844}),
}
COLOURS = 255  # nearly every pixel keeps its own, and a picture stays below 100 kB


def main() -> int:
    """Take every picture.

    Returns:
        0; 1 when a page is missing or there is no Chromium.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    missing = [p for p in PAGES.values() if not (arguments.site / p.partition("?")[0]).is_file()]
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if missing or executable is None:
        print(f"missing: {', '.join(missing) or 'Chromium'}", file=sys.stderr)
        return 1
    arguments.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            # No page may look at the network, and none does.
            args=["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"],
        )
        for name, data in _pictures(browser, arguments.site.resolve()):
            (arguments.out / f"{name}.png").write_bytes(_small(data))
        browser.close()
    return 0


def _pictures(browser: Browser, site: Path) -> Iterator[tuple[str, bytes]]:
    """Give the name and the PNG of each picture."""
    for look, (scheme, size) in LOOKS.items():
        context = browser.new_context(
            viewport=size,
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            locale="en-GB",
            timezone_id="UTC",
        )
        tab = context.new_page()
        for name, address in PAGES.items():
            tab.goto(f"{site.as_uri()}/{address}", wait_until="networkidle")
            yield f"{name}-{look}", tab.screenshot(animations="disabled", caret="hide")
        context.close()


def _small(data: bytes) -> bytes:
    """Spell a PNG with a palette."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    reduced = image.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    reduced.save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())

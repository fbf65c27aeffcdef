"""One page of every kind, found in a built site by what it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

# Path pattern of each kind; where a site has several pages of a kind, the first by name is taken.
KINDS = {
    "home": r"index\.html",
    "about": r"about/index\.html",
    "browse": r"browse/index\.html",
    "year": r"browse/year/\d{4}/index\.html",
    "month": r"browse/month/\d{4}-\d{2}/index\.html",
    "category": r"browse/category/[A-Za-z.-]+/index\.html",
    "authors": r"browse/author/index\.html",
    "author": r"browse/author/.+/index\.html",
    "licence": r"browse/licen[cs]e/.+/index\.html",
    "status": r"browse/status/.+/index\.html",
    "recent": r"browse/recent/index\.html",
    "stats": r"stats/index\.html",
    "search": r"search/index\.html",
    "verify": r"verify/index\.html",
    "report": r"report/index\.html",
    "alias": r"(?:arxiv|doi|p)/.+/index\.html",
    "not found": r"404\.html",
}
VERDICTS = ("verified", "partly checkable", "checks failed")


def pages_of_every_kind(site: Path) -> dict[str, str]:
    """Choose pages.

    Args:
        site: a built site.

    Returns:
        Site path by kind: those of KINDS that the site has, and `record, <verdict>` for the
        record page with the most HTML of each verdict.
    """
    pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    found = {}
    for kind, pattern in KINDS.items():
        path = next((page for page in pages if re.fullmatch(pattern, page)), None)
        if path is not None:
            found[kind] = path
    return found | _records(site)


def _records(site: Path) -> dict[str, str]:
    report = json.loads((site / "report.json").read_text(encoding="utf-8"))
    verdicts: dict[str, str] = {}
    for row in report["bundles"]:
        if row["pith_number"]:
            verdicts.setdefault(row["pith_number"].rpartition(":")[2], row["verdict"])
    largest: dict[str, tuple[int, str]] = {}
    for suffix, verdict in sorted(verdicts.items()):
        page = site / "pith" / suffix / "index.html"
        if page.is_file():
            entry = (page.stat().st_size, f"pith/{suffix}/index.html")
            largest[verdict] = max(entry, largest.get(verdict, (0, "")))
    return {f"record, {verdict}": path for verdict, (_, path) in sorted(largest.items())}

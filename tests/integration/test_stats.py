"""stats/index.html and stats.json: every number again, counted here from the bundles themselves."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from selectolax.lexbor import LexborHTMLParser, LexborNode

from generator.cli import main
from tests.factories import BUNDLES, ROOT

# One worker builds the sites for all tests here.
pytestmark = pytest.mark.xdist_group("schemas")


@pytest.fixture(name="sites", scope="module")
def _sites(built_site: Path, demo_site: Path) -> dict[str, Path]:
    return {"real": built_site, "demo": demo_site}


def stats(site: Path) -> dict[str, Any]:
    """Read stats.json."""
    document: dict[str, Any] = json.loads((site / "stats.json").read_bytes())
    return document


def published(site: Path) -> Iterator[Path]:
    """Give the folders of the published records."""
    return (path.parent for path in site.glob("pith/*/bundle.json"))


def metadata(site: Path) -> list[dict[str, Any]]:
    """Read the signed metadata of each record from the bundle that is served."""
    bundles = [json.loads((folder / "bundle.json").read_bytes()) for folder in published(site)]
    return [bundle["canonical_record"]["metadata"] for bundle in bundles]


def signed_time(event: dict[str, Any]) -> str:
    """Give the time that the signature of an event covers; of a finding that is `audited_at`."""
    if event["event_type"] == "pith.integrity.v1":
        return str(event["payload"]["audited_at"])
    return str(event.get("created_at") or "")


def tables(site: Path) -> dict[str, LexborNode]:
    """Read the tables of the page by their anchors."""
    page = LexborHTMLParser((site / "stats" / "index.html").read_text(encoding="utf-8"))
    return {
        node.attributes["aria-labelledby"] or "": node for node in page.css("main [role=region]")
    }


def cells(table: LexborNode) -> dict[str, list[int]]:
    """Read the numbers of a table by the name of their row."""
    rows = {}
    for row in table.css("tbody tr"):
        name = row.css_first("th")
        assert name is not None
        rows[name.text().strip()] = [int(cell.text().replace(",", "")) for cell in row.css("td")]
    return rows


@pytest.mark.parametrize("name", ["real", "demo"])
def test_records_are_counted_as_signed(name: str, sites: dict[str, Path]) -> None:
    """Years, categories and licences are those of the canonical records that are served."""
    site = sites[name]
    found, records = stats(site), metadata(site)
    years = Counter(int(record["submitted_at"][:4]) for record in records)
    assert {row["year"]: row["records"] for row in found["years"]} == years
    primary = Counter(record["primary_cat"] for record in records)
    crossed = Counter(name for record in records for name in record["cross_cats_sorted"])
    assert {row["category"]: (row["primary"], row["listed"]) for row in found["categories"]} == {
        name: (primary[name], primary[name] + crossed[name]) for name in primary | crossed
    }
    licences = Counter(record["license"] or None for record in records)
    assert {row["licence"]: row["records"] for row in found["licences"]} == licences
    assert found["records"] == len(records)


@pytest.mark.parametrize("name", ["real", "demo"])
def test_events_are_counted_as_published(name: str, sites: dict[str, Path]) -> None:
    """Events are the verified ones of every events.json that name a time, by kind and month."""
    site = sites[name]
    counted: Counter[tuple[str, str]] = Counter()
    for folder in published(site):
        for row in json.loads((folder / "events.json").read_bytes())["events"]:
            moment = signed_time(row["event"])
            if row["outcome"] == "verified" and moment:
                counted[row["event_type"], moment[:7]] += 1
    found = {(row["event_type"], row["month"]): row["count"] for row in stats(site)["events"]}
    assert found == counted
    shown = tables(site)
    rows = cells(shown["events"]) if counted else {}
    assert sum(row[-1] for row in rows.values()) == counted.total()
    assert ("events" in shown) == bool(counted)


def test_checks_are_counted_as_the_command_makes_them(sites: dict[str, Path]) -> None:
    """The outcomes are those of `pith-mirror verify` on the same bundles."""
    arguments = ["verify", str(BUNDLES), "--json", "--config", str(ROOT / "mirror.toml")]
    lines = CliRunner().invoke(main, arguments).stdout.splitlines()
    outcomes = Counter(check["outcome"] for line in lines for check in json.loads(line)["checks"])
    found = stats(sites["real"])["checks"]
    assert found == {word: outcomes[word] for word in ("verified", "not checkable", "failed")}


@pytest.mark.parametrize("name", ["real", "demo"])
def test_bundles_are_counted_as_reported(name: str, sites: dict[str, Path]) -> None:
    """Verdicts are those of report.json; marks are those of the catalogue."""
    site = sites[name]
    found = stats(site)
    report = json.loads((site / "report.json").read_bytes())
    assert found["bundles"] == report["counts"]
    lines = (site / "catalogue.ndjson").read_bytes().splitlines()
    rows = [json.loads(line) for line in lines]
    for mark in ("withdrawn", "contradicted"):
        assert found["marks"][mark] == sum(row[mark] for row in rows)
    assert found["author_names"] == len({name for row in rows for name in row["authors"]})


@pytest.mark.parametrize("name", ["real", "demo"])
def test_tables_say_what_the_file_says(name: str, sites: dict[str, Path]) -> None:
    """The page's numbers are those of stats.json; every row of a listing leads to it."""
    site = sites[name]
    found, shown = stats(site), tables(site)
    assert cells(shown["years"]) == {str(row["year"]): [row["records"]] for row in found["years"]}
    assert cells(shown["categories"]) | {"others": []} == {
        row["category"]: [row["primary"], row["listed"]]
        for row in found["categories"]
        if row["primary"]
    } | {"others": []}
    assert cells(shown["verdicts"]) == {word: [n] for word, n in found["bundles"].items()}
    assert cells(shown["checks"]) == {word: [n] for word, n in found["checks"].items()}
    for table in shown.values():
        for link in table.css("a"):
            assert (site / "stats" / (link.attributes["href"] or "")).resolve().is_file()


@pytest.mark.parametrize("name", ["real", "demo"])
def test_each_picture_stands_with_its_table(name: str, sites: dict[str, Path]) -> None:
    """A picture is in a figure with a caption, has a title, and is followed by its table."""
    text = (sites[name] / "stats" / "index.html").read_text(encoding="utf-8")
    page = LexborHTMLParser(text)
    figures = page.css("main figure")
    assert len(figures) == len(page.css("main table")) == (5 if name == "real" else 6)
    for figure in figures:
        assert len(figure.css("svg[role=img] > title")) == 1
        assert len(figure.css("figcaption")) == 1
    assert re.search(r"<main.*\sstyle=|<script", text, re.DOTALL) is None

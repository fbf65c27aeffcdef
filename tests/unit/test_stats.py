"""stats.py: numbers of a bounded size whatever records claim, and the same in table and file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.record_files import RecordUnit
from generator.stats import StatsPage, StatsTable, Window, most_of, stats_lines, stats_page
from tests.factories import TEMPLATES
from tests.machine_inputs import changed, inputs_of, units

SCHEMA = json.loads((TEMPLATES / "schemas" / "stats.v1.json").read_bytes())
YEARS = st.dictionaries(st.integers(0, 9999), st.integers(0, 1000), max_size=40)


def counted(folder: Path, records: list[RecordUnit]) -> tuple[StatsPage, dict[str, Any]]:
    """Give what the page and the file say of records."""
    with inputs_of(folder, records) as inputs:
        document = json.loads(b"".join(stats_lines(inputs.catalogue)))
        Draft202012Validator(SCHEMA).validate(document)
        return stats_page(inputs.catalogue), document


def table_of(page: StatsPage, name: str) -> StatsTable:
    """Find a table by its anchor."""
    return next(table for table in page.tables if table.name == name)


@given(YEARS, st.integers(1, 60))
def test_window_loses_nothing(counts: dict[int, int], length: int) -> None:
    """A window is bounded, has no gap, and holds with what lies outside everything there is."""
    window = most_of(counts, length=length)
    steps = [step for step, _ in window.steps]
    assert steps == list(range(steps[0], steps[0] + len(steps))) if steps else True
    assert len(steps) <= length
    inside = sum(number for _, number in window.steps)
    assert inside + window.before + window.after == sum(counts.values())
    best = max(
        (
            sum(n for step, n in counts.items() if first <= step < first + length)
            for first in counts
        ),
        default=0,
    )
    assert inside == best


@pytest.mark.parametrize(
    ("counts", "window"),
    [
        ({}, Window((), 0, 0)),
        ({2024: 0}, Window((), 0, 0)),
        ({2024: 3}, Window(((2024, 3),), 0, 0)),
        ({1: 1, 2023: 2, 2025: 3, 9999: 1}, Window(((2023, 2), (2024, 0), (2025, 3)), 1, 1)),
        ({1: 2, 9999: 2}, Window(((9999, 2),), 2, 0)),
    ],
)
def test_window_is_where_most_is(counts: dict[int, int], window: Window) -> None:
    """A record of the year 9999 or 1 does not stretch the axis; of equals the latest is shown."""
    assert most_of(counts, length=10) == window


def test_hostile_years_do_not_stretch_the_plot(tmp_path: Path) -> None:
    """Claims of the years 1 and 9999 are counted as earlier and later, beside the real years."""
    years = ["0001", "2023", "2023", "2024", "9999"]
    records = [
        changed(unit, submitted_at=f"{year}-01-01T00:00:00Z")
        for unit, year in zip(units(5), years, strict=True)
    ]
    page, document = counted(tmp_path, records)
    rows = [(row.name, row.numbers) for row in table_of(page, "years").rows]
    assert rows == [("earlier", (1,)), ("2023", (2,)), ("2024", (1,)), ("later", (1,))]
    picture = table_of(page, "years").picture
    assert picture is not None
    assert len(picture.bars) == 2
    assert [row["year"] for row in document["years"]] == [1, 2023, 2024, 9999]


def test_hostile_months_and_kinds_do_not_stretch_the_plot(tmp_path: Path) -> None:
    """Events of any kind and month fit: unknown kinds are one, far months are earlier or later."""
    events = (
        ("citation", "2026-05"),
        ("citation", "2026-05"),
        ("citation", "2026-07"),
        ("x" * 256, "2026-05"),
        ("<b>", "2026-06"),
        ("citation", "9999-12"),
        ("citation", "0001-01"),
    )
    page, document = counted(tmp_path, [changed(units(1)[0], events=events)])
    table = table_of(page, "events")
    assert table.columns == (*("Kind", "earlier", "2026-05", "2026-06", "2026-07", "later", "All"),)
    assert [(row.name, row.numbers) for row in table.rows] == [
        ("citation", (1, 2, 0, 1, 1, 5)),
        ("other kinds", (0, 1, 1, 0, 0, 2)),
    ]
    assert sum(row["count"] for row in document["events"]) == len(events)
    assert {"event_type": "<b>", "month": "2026-06", "count": 1} in document["events"]


def test_long_lists_end_with_the_others(tmp_path: Path) -> None:
    """Beyond thirty categories and twenty licences the rest is one row; the file has them all."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHI"
    records = [
        changed(
            unit,
            categories=(f"cs.{letter}", "math.CO"),
            license=f"http://example.org/{letter}",
        )
        for unit, letter in zip(units(len(letters)), letters, strict=True)
    ]
    # The primary category of a row is the record's own.
    records = [
        replace(unit, listed=replace(unit.listed, category=unit.catalogued.categories[0]))
        for unit in records
    ]
    page, document = counted(tmp_path, records)
    categories = table_of(page, "categories").rows
    assert len(categories) == 31
    assert (categories[-1].name, categories[-1].numbers) == ("others", (5, 40))
    licences = table_of(page, "licences").rows
    assert len(licences) == 21
    assert (licences[-1].name, licences[-1].numbers) == ("others", (15,))
    assert len(document["categories"]) == 36
    assert len(document["licences"]) == 35


def test_nothing_to_count_is_said(tmp_path: Path) -> None:
    """Without records there are tables without a picture, and a file with empty lists."""
    page, document = counted(tmp_path, [])
    assert page.total == 0
    assert all(table.picture is None for table in page.tables)
    assert document["newest_time"] is None
    assert document["years"] == document["events"] == []

"""site_catalogue.py, catalogue_rows.py, parquet.py: every record in one file, twice the same."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from jsonschema import Draft202012Validator

from generator.catalogue_rows import COLUMNS, CatalogueRow, EventCount, catalogue_row
from generator.limits import Limits
from generator.parquet import parquet_pieces
from generator.render import SiteStream
from generator.site_catalogue import catalogue_files
from generator.site_inputs import SiteInputs
from tests.factories import TEMPLATES, TEST_MIRROR
from tests.machine_inputs import HOSTILE, MIRROR, changed, files_of, unit_of, units
from tests.vectors.builders import PAPER, bundle_of

SCHEMA = json.loads((TEMPLATES / "schemas" / "catalogue-row.v1.json").read_bytes())
TIMES = ("submitted_at", "received_at", "changed_at")


def small(inputs: SiteInputs) -> Iterator[SiteStream]:
    """Make the catalogue in groups of four rows."""
    return catalogue_files(inputs, limits=Limits(parquet_group_length=4))


def lines(files: dict[str, bytes]) -> list[dict[str, Any]]:
    """Read catalogue.ndjson."""
    return [json.loads(line) for line in files["catalogue.ndjson"].splitlines()]


def table(files: dict[str, bytes]) -> list[dict[str, Any]]:
    """Read catalogue.parquet, with times spelled as in catalogue.ndjson."""
    rows: list[dict[str, Any]] = pq.read_table(io.BytesIO(files["catalogue.parquet"])).to_pylist()
    for row in rows:
        for name in TIMES:
            row[name] = f"{row[name]:%Y-%m-%dT%H:%M:%SZ}"
    return rows


@pytest.mark.parametrize("count", [0, 1, 4, 9])
def test_both_files_say_the_same(tmp_path: Path, count: int) -> None:
    """NDJSON and Parquet hold the same rows in the same order, by id, down to no row at all."""
    files = files_of(small, tmp_path, units(count))
    rows = lines(files)
    assert table(files) == rows
    assert [row["suffix"] for row in rows] == sorted(
        unit.catalogued.suffix for unit in units(count)
    )
    for row in rows:
        assert list(row) == list(COLUMNS)
        Draft202012Validator(SCHEMA).validate(row)


def test_row_says_what_is_known_and_how() -> None:
    """Each fact of the catalogue is in the row, with how it is known and where the files are."""
    record = unit_of(bundle_of(PAPER)).catalogued
    row = catalogue_row(record, TEST_MIRROR)
    assert (row.title, row.title_known) == (record.title, "proven")
    assert (row.authors, row.authors_known) == (record.authors, "reported")
    assert row.abstract_known == "proven"
    assert row.received_at == "2026-05-18T01:36:37Z"
    assert row.changed_at == "2026-05-18T02:28:13Z"
    assert (row.checks_verified, row.checks_not_checkable, row.checks_failed) == record.checks
    assert row.events == (EventCount("graph_snapshot", "2026-05", 1),)
    assert row.page_path == f"pith/{record.suffix}/index.html"


def test_what_is_unknown_is_null(tmp_path: Path) -> None:
    """An unknown title, author, abstract or licence is null or empty, and so is how it is known."""
    unit = changed(
        unit_of(bundle_of(PAPER)),
        title="",
        authors=(),
        authors_known="",
        abstract="",
        abstract_known="",
        license="",
        warnings=("withdrawn", "contradicted"),
    )
    files = files_of(small, tmp_path, [unit])
    (row,) = lines(files)
    names = ("title", "title_known", "authors_known", "abstract", "abstract_known", "license")
    assert [row[name] for name in names] == [None] * 6
    assert row["authors"] == []
    assert row["withdrawn"]
    assert row["contradicted"]
    assert table(files) == [row]


def test_hostile_text_survives_both_ways(tmp_path: Path) -> None:
    """Line ends, quotes and characters outside of the BMP break no line and no column."""
    text = HOSTILE + "\r\n\u2028,;\t"
    unit = changed(unit_of(bundle_of(PAPER)), title=text, authors=(text, "b"))
    files = files_of(small, tmp_path, [unit])
    assert files["catalogue.ndjson"].count(b"\n") == 1
    (row,) = lines(files)
    assert row["title"] == text
    assert table(files) == [row]


def test_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    """Whatever the order of loading, both files are the same, byte for byte."""
    records = units(9)
    assert files_of(small, tmp_path, records) == files_of(small, tmp_path, records[::-1])


def test_parquet_is_written_in_bounded_groups(tmp_path: Path) -> None:
    """Row groups have the length of the limit, their columns are compressed and have statistics."""
    data = files_of(small, tmp_path, units(9))["catalogue.parquet"]
    metadata = pq.ParquetFile(io.BytesIO(data)).metadata
    assert [metadata.row_group(index).num_rows for index in range(3)] == [4, 4, 1]
    column = metadata.row_group(0).column(0)
    assert column.compression == "ZSTD"
    assert column.statistics.min == min(unit.catalogued.suffix for unit in units(9))


def test_parquet_takes_no_more_rows_than_a_group() -> None:
    """Rows are asked for only as they are written: memory holds one group."""
    asked = 0

    def rows() -> Iterator[CatalogueRow]:
        nonlocal asked
        row = catalogue_row(units(1)[0].catalogued, TEST_MIRROR)
        for _ in range(100):
            asked += 1
            yield row

    pieces = parquet_pieces(rows(), group_length=10)
    found = [next(pieces)]
    assert found[0].startswith(b"PAR1")
    assert asked == 10
    found.extend(pieces)
    assert pq.read_table(io.BytesIO(b"".join(found))).num_rows == 100


def test_parquet_is_made_where_asked_for_and_possible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`parquet = false` leaves it out, and so does an installation without pyarrow."""
    without = replace(MIRROR, presentation=replace(MIRROR.presentation, parquet=False))
    assert list(files_of(small, tmp_path, (), without)) == ["catalogue.ndjson"]
    monkeypatch.setattr("generator.site_catalogue.find_spec", lambda _: None)
    assert list(files_of(small, tmp_path, ())) == ["catalogue.ndjson"]

"""The search files of made-up records: how they are split, coded and named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from generator.limits import DEFAULT_LIMITS, Limits
from generator.record_files import RecordUnit
from generator.search_index import index_files
from tests.machine_inputs import HOSTILE, changed, files_of, units
from tests.search_reading import SearchFiles

# Files so short that a few records need several.
SMALL = replace(
    DEFAULT_LIMITS, search_shard_max_length=400, search_table_max_length=300, search_block_length=2
)


def search_of(
    folder: Path, records: Sequence[RecordUnit], limits: Limits = DEFAULT_LIMITS
) -> dict[str, bytes]:
    """Make the search files of records."""
    return files_of(lambda inputs: index_files(inputs.catalogue, limits=limits), folder, records)


def test_small_site_has_one_file_of_each_kind(tmp_path: Path) -> None:
    """A few records need one shard, one block and one table."""
    files = search_of(tmp_path, units(5))
    assert sorted(files) == ["search/index.js", "search/r/0.js", "search/w/w-.js"]
    table = SearchFiles(files).tables[""]
    assert table == {"prefix": "", "records": 5, "blocks": 1, "words": 32, "shards": [""]}


def test_no_records_make_an_empty_table(tmp_path: Path) -> None:
    """Without records there is a table that names nothing."""
    files = search_of(tmp_path, ())
    assert sorted(files) == ["search/index.js"]
    assert SearchFiles(files).tables[""]["shards"] == []


def test_row_of_a_record(tmp_path: Path) -> None:
    """A row says what a result shows, in the order of docs/formats/search.md."""
    unit = changed(units(1)[0], warnings=("withdrawn",), authors=("A", "B", "C", "D"))
    (row,) = SearchFiles(search_of(tmp_path, [unit])).rows
    names = ["A", "B", "C"]
    assert row[:4] == [unit.catalogued.suffix, "Paper 0", names, 4]
    assert row[4:] == ["2010-05-01", "2305.00000v2", "cs.DC", "verified", ["withdrawn"]]


def test_rows_stand_in_the_order_of_receipt(tmp_path: Path) -> None:
    """The number of a record is its place by time of receipt, then by id; blocks are full."""
    late = changed(units(5)[0], receipt_at="2026-06-01T00:00:00Z")
    files = search_of(tmp_path, [late, *units(5)[1:]], SMALL)
    suffixes = [row[0] for row in SearchFiles(files).rows]
    assert suffixes == [*sorted(u.catalogued.suffix for u in units(5)[1:]), late.catalogued.suffix]
    assert [path for path in sorted(files) if "/r/" in path] == [
        f"search/r/{number}.js" for number in range(3)
    ]


def test_long_texts_of_a_row_are_cut(tmp_path: Path) -> None:
    """A title and names of any length cost a row no more than those of a listing."""
    unit = changed(units(1)[0], title="t" * 1_000, authors=("n" * 1_000,))
    (row,) = SearchFiles(search_of(tmp_path, [unit])).rows
    assert row[1:3] == ["t" * 300 + "…", ["n" * 100 + "…"]]


def test_shards_are_split_until_they_are_short(tmp_path: Path) -> None:
    """Keys cover every word exactly once and are as short as the bound allows."""
    files = search_of(tmp_path, units(30), SMALL)
    search = SearchFiles(files)
    keys = search.keys()
    assert len(keys) > 20
    assert keys == sorted(search.shards)
    assert not [(a, b) for a in keys for b in keys if a != b and b.startswith(a)]
    for path, data in files.items():
        if path.startswith("search/w/"):
            key = path.removeprefix("search/w/w-").removesuffix(".js")
            assert len(data) <= SMALL.search_shard_max_length or len(search.shards[key]) == 1
    assert search.suffixes("paper 17") == {units(30)[17].catalogued.suffix}


def test_long_table_is_split_as_well(tmp_path: Path) -> None:
    """With many shards the first table names tables, and each of them is short."""
    files = search_of(tmp_path, units(30), SMALL)
    search = SearchFiles(files)
    first = search.tables[""]
    assert "shards" not in first
    assert sorted(first["tables"]) == sorted(search.tables.keys() - {""})
    for prefix in first["tables"]:
        keys = search.tables[prefix]["shards"]
        assert all(key.startswith(prefix) for key in keys)
        assert len(files[f"search/t/t-{prefix}.js"]) <= SMALL.search_table_max_length
    whole = search_of(tmp_path, units(30), replace(SMALL, search_table_max_length=64 * 1024))
    assert SearchFiles(whole).keys() == search.keys()


def test_key_has_a_longest_length(tmp_path: Path) -> None:
    """Words that begin alike beyond every bound share one file, whose name a disk can hold."""
    long = "\u0436" * 39
    records = [changed(units(1)[0], title=" ".join(long + char for char in "абвгдежзик"))]
    search = SearchFiles(search_of(tmp_path, records, replace(SMALL, search_shard_max_length=300)))
    key = ("_436_" * 12)[:60]
    assert len(search.shards[key]) == 10


def test_common_word_is_told_in_part(tmp_path: Path) -> None:
    """A word in too many places has their number and the newest of them."""
    limits = replace(DEFAULT_LIMITS, search_postings_max_count=9, search_common_postings_count=4)
    search = SearchFiles(search_of(tmp_path, units(10), limits))
    assert search.total("paper") == 10
    assert search.find("paper", "t") == [6, 7, 8, 9]
    enough = replace(limits, search_postings_max_count=10)
    whole = SearchFiles(search_of(tmp_path, units(10), enough))
    assert whole.total("paper") is None
    assert whole.find("paper", "t") == list(range(10))


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("t", "paper 2"),
        ("a", "herve exemplaire"),
        ("c", "cs.DC 2305.00002"),
        ("c", "10.48550/arXiv.2305.00002"),
        ("c", units(3)[2].catalogued.suffix),
    ],
)
def test_every_field_is_found(field: str, text: str, tmp_path: Path) -> None:
    """Titles, authors, categories, arXiv ids, DOIs and Pith Numbers are found by their words."""
    search = SearchFiles(search_of(tmp_path, units(3)))
    assert units(3)[2].catalogued.suffix in search.suffixes(text, field)


def test_hostile_text_stays_data(tmp_path: Path) -> None:
    """Titles that look like markup or script leave every file one call with JSON in ASCII."""
    unit = changed(units(1)[0], title=HOSTILE, authors=(HOSTILE, "\u2028\u2029 constructor"))
    search = SearchFiles(search_of(tmp_path, [unit]))
    assert search.rows[0][1] == HOSTILE
    assert search.find("script", "t") == search.find("constructor", "a") == [0]

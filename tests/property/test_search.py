"""What holds of the search files whatever the titles are."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.build_state import open_database
from generator.catalogue import Catalogue
from generator.limits import DEFAULT_LIMITS
from generator.record_files import RecordUnit
from generator.search_index import index_files
from generator.search_words import END_MARK, code_of, words_of
from tests.machine_inputs import changed, units
from tests.search_reading import SearchFiles

SMALL = replace(
    DEFAULT_LIMITS, search_shard_max_length=500, search_table_max_length=400, search_block_length=3
)
TITLES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=40)
    | st.sampled_from(["graph theory", "graphs", "g", "中文標題", "Ωmega ÅÅ", "constructor"]),
    min_size=1,
    max_size=8,
)


def _search_of(records: list[RecordUnit]) -> dict[str, bytes]:
    with closing(open_database(Path(":memory:"))) as database:
        catalogue = Catalogue(database)
        for unit in records:
            catalogue.add_record(unit)
        return {file.path: file.data for file in index_files(catalogue, limits=SMALL)}


def _titled(titles: list[str]) -> list[RecordUnit]:
    return [
        changed(unit, title=title, receipt_at=f"2026-06-{number + 1:02}T00:00:00Z")
        for number, (unit, title) in enumerate(zip(units(len(titles)), titles, strict=True))
    ]


@given(TITLES)
@settings(max_examples=60)
def test_every_word_of_every_title_finds_its_record(titles: list[str]) -> None:
    """Whoever decodes the files finds exactly the records whose titles hold a word."""
    records = _titled(titles)
    search = SearchFiles(_search_of(records))
    for word in {word for title in titles for word in words_of(title)}:
        expected = {u.catalogued.suffix for u in records if word in words_of(u.catalogued.title)}
        assert {search.rows[number][0] for number in search.find(word, "t")} == expected


@given(TITLES)
@settings(max_examples=40)
def test_new_record_changes_its_own_words_only(titles: list[str]) -> None:
    """Of the files there were, only the last block, the table and shards of its words change."""
    records = _titled([*titles, "A new paper on graph theory 中文"])
    before, after = _search_of(records[:-1]), _search_of(records)
    new = records[-1].catalogued
    texts = (new.title, *new.authors, *new.categories, new.arxiv_id, new.doi, new.suffix)
    codes = [code_of(word) + END_MARK for text in texts for word in words_of(text)]
    last = (len(records) - 1) // SMALL.search_block_length
    for path in before.keys() | after.keys():
        if before.get(path) == after.get(path):
            continue
        folder, _, name = path.rpartition("/")
        if folder == "search/w":
            key = name.removeprefix("w-").removesuffix(".js")
            assert any(code.startswith(key) for code in codes), path
        elif folder == "search/t":
            prefix = name.removeprefix("t-").removesuffix(".js")
            assert any(code.startswith(prefix) for code in codes) or path not in after, path
        else:
            assert path in {"search/index.js", f"search/r/{last}.js"}


@given(TITLES, st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_order_of_adding_changes_nothing(titles: list[str], random: object) -> None:
    """The same records give the same bytes in whichever order they are read."""
    records = _titled(titles)
    shuffled = list(records)
    random.shuffle(shuffled)  # type: ignore[attr-defined] # a random.Random
    assert _search_of(shuffled) == _search_of(records)

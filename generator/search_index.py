"""The search files that need no server: which words are where, and what the results show.

Each is a script with one call, since a page from a disk can load scripts and nothing else. A new
record changes the last block, the shards of its words and the table. docs/formats/search.md.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import groupby

from generator import layout
from generator.catalogue import Catalogue
from generator.catalogued import CataloguedRecord
from generator.limits import Limits
from generator.render import SiteFile
from generator.search_words import END_MARK, code_of, word_of, words_of
from generator.word_index import CodeTable, WordIndex

# The letters of the fields of a word, in the order of their numbers in the index.
FIELDS = ("t", "a", "c")
_CALL = "PithMirror.search"
# Room for the call around what a file holds: its name, the longest key, brackets, counts.
_CALL_LENGTH = 256


def index_files(catalogue: Catalogue, *, limits: Limits) -> Iterator[SiteFile]:
    """Make the search files.

    Args:
        catalogue: complete.
        limits: how long a file may be, and how often a word is told in full.

    Returns:
        The blocks of records, the shards of words and the tables of shards, streamed.
    """
    words = catalogue.words
    words.clear()
    blocks = 0
    records = catalogue.changes.by_receipt()
    for number, numbered in groupby(
        enumerate(records), key=lambda pair: pair[0] // limits.search_block_length
    ):
        rows = []
        for at, record in numbered:
            rows.append(_row(record, limits))
            words.add(_tokens(record, at))
        yield _file(layout.search_block(number), "records", number, _ascii(rows))
        blocks = number + 1
    _spell_entries(words, limits)
    yield from _shards(words, limits)
    counts = {"records": catalogue.changes.count(), "blocks": blocks}
    yield from _tables(words, limits, counts)


def _row(record: CataloguedRecord, limits: Limits) -> list[object]:
    names = record.authors[: limits.listed_names_max_count]
    return [
        record.suffix,
        _cut(record.title, limits.listed_title_max_length),
        [_cut(name, limits.listed_name_max_length) for name in names],
        len(record.authors),
        record.submitted_at[: len("2026-05-18")],
        f"{record.arxiv_id}v{record.version}",
        record.categories[0],
        record.verdict.value,
        list(record.warnings),
    ]


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…"


def _tokens(record: CataloguedRecord, number: int) -> Iterator[tuple[str, int, int]]:
    ids = (*record.categories, record.arxiv_id, record.doi, record.suffix)
    texts = (record.title, " ".join(record.authors), " ".join(ids))
    for field, text in enumerate(texts):
        for word in words_of(text):
            yield code_of(word) + END_MARK, field, number


def _spell_entries(words: WordIndex, limits: Limits) -> None:
    for code, tokens in groupby(words.tokens(), key=lambda token: token[0]):
        total = 0
        fields: list[tuple[str, deque[int]]] = []
        for field, postings in groupby(tokens, key=lambda token: token[1]):
            # Of a word that is everywhere only the newest records stay in memory.
            numbers: deque[int] = deque(maxlen=limits.search_postings_max_count)
            for _, _, number in postings:
                numbers.append(number)
                total += 1
            fields.append((FIELDS[field], numbers))
        words.add_entry(code, _entry(word_of(code), fields, total, limits))


def _entry(word: str, fields: list[tuple[str, deque[int]]], total: int, limits: Limits) -> str:
    value: dict[str, object] = {}
    kept = limits.search_postings_max_count
    if total > kept:
        value["n"], kept = total, limits.search_common_postings_count
    for letter, numbers in fields:
        value[letter] = _differences(list(numbers)[-kept:])
    return f"{_ascii(word)}:{_ascii(value)}"


def _differences(numbers: list[int]) -> list[int]:
    return [number - before for number, before in zip(numbers, (0, *numbers), strict=False)]


def _shards(words: WordIndex, limits: Limits) -> Iterator[SiteFile]:
    room = limits.search_shard_max_length - _CALL_LENGTH
    for key in _split(words, CodeTable.ENTRIES, room=room, limits=limits):
        words.add_shard(key)
        entries = ",".join(words.entries(key))
        yield _file(layout.search_shard(key), "words", key, f"{{{entries}}}")


def _tables(words: WordIndex, limits: Limits, counts: dict[str, int]) -> Iterator[SiteFile]:
    room = limits.search_table_max_length - _CALL_LENGTH
    number, length = words.measure(CodeTable.SHARDS, "")
    first = {"prefix": "", **counts, "words": words.measure(CodeTable.ENTRIES, "")[0]}
    if number <= 1 or length <= room:
        yield _table(layout.SEARCH_TABLE, {**first, "shards": list(words.shards(""))})
        return
    prefixes = list(_split(words, CodeTable.SHARDS, room=room, limits=limits))
    for prefix in prefixes:
        table = {"prefix": prefix, "shards": list(words.shards(prefix))}
        yield _table(layout.search_table(prefix), table)
    yield _table(layout.SEARCH_TABLE, {**first, "tables": prefixes})


def _split(
    words: WordIndex, table: CodeTable, *, room: int, limits: Limits, prefix: str = ""
) -> Iterator[str]:
    """Lengthen a prefix until what is under it fits; what is under none is no part."""
    number, length = words.measure(table, prefix)
    if length <= room or number <= 1 or len(prefix) >= limits.search_key_max_length:
        if number:
            yield prefix
        return
    for longer in words.longer(table, prefix):
        yield from _split(words, table, room=room, limits=limits, prefix=longer)


def _table(path: layout.SitePath, table: Mapping[str, object]) -> SiteFile:
    return SiteFile(path, f"{_CALL}.table({_ascii(table)});\n".encode())


def _file(path: layout.SitePath, function: str, key: str | int, value: str) -> SiteFile:
    return SiteFile(path, f"{_CALL}.{function}({_ascii(key)},{value});\n".encode())


def _ascii(value: object) -> str:
    # A script has the encoding of the page that loads it, which ASCII does not depend on.
    return json.dumps(value, separators=(",", ":"))

"""Reads the search files as the page's scripts do: strict JSON in a call, keys, differences."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from generator.search_words import END_MARK, code_of, words_of

_CALL = re.compile(rb'PithMirror\.search\.(\w+)\((?:("[a-z0-9_-]*"|[0-9]+),)?([\[{].*[\]}])\);\n')


class SearchFiles:
    """The files of a site, decoded; every file has to be a call of a known function."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.shards: dict[str, dict[str, dict[str, Any]]] = {}
        self.rows: list[list[object]] = []
        self.tables: dict[str, dict[str, list[str]]] = {}
        blocks: dict[int, list[list[object]]] = {}
        for path, data in files.items():
            if not re.fullmatch(r"search/.*\.js", path):
                continue
            assert data.isascii()
            match = _CALL.fullmatch(data)
            assert match, (path, data[:80])
            name, value = match[1].decode(), json.loads(match[3])
            key = json.loads(match[2] or b"null")
            if name == "words":
                assert path == f"search/w/w-{key}.js"
                self.shards[key] = value
            elif name == "records":
                assert path == f"search/r/{key}.js"
                blocks[key] = value
            else:
                prefix = value["prefix"]
                assert name == "table"
                expected = f"search/t/t-{prefix}.js" if prefix else "search/index.js"
                assert path == expected
                self.tables[prefix] = value
        for number in sorted(blocks):
            self.rows += blocks[number]
        assert sorted(blocks) == list(range(len(blocks)))

    def keys(self) -> list[str]:
        """Give the keys that the tables name."""
        first = self.tables[""]
        parts = [first] if "shards" in first else [self.tables[name] for name in first["tables"]]
        return [key for part in parts for key in part["shards"]]

    def find(self, word: str, field: str) -> list[int]:
        """Look a word up in a field: the numbers of its records."""
        return list(accumulate(self._entry(word).get(field, [])))

    def total(self, word: str) -> int | None:
        """Tell how often a word stands somewhere, if not all places are told."""
        return self._entry(word).get("n")

    def _entry(self, word: str) -> dict[str, Any]:
        code = code_of(word) + END_MARK
        (key,) = (key for key in self.keys() if code.startswith(key))
        return self.shards[key].get(word, {})

    def suffixes(self, text: str, field: str = "t") -> set[object]:
        """Give the ids of the records that hold every word of a text."""
        found = [set(self.find(word, field)) for word in words_of(text)]
        return {self.rows[number][0] for number in set.intersection(*found)}

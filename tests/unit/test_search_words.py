"""What counts as a word in search, and how it is spelled in names of files."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.layout import is_site_path, search_shard
from generator.search_words import END_MARK, code_of, word_of, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        ("  --  ", ()),
        ("Graph-based graph_Bundles, GRAPH", ("graph", "based", "bundles")),
        ("Hervé Exemplaire", ("herve", "exemplaire")),
        ("Schrödinger’s Straße", ("schrodinger", "s", "strasse")),
        ("STRASSE", ("strasse",)),
        ("ΟΔΥΣΣΕΥΣ", ("οδυσσευσ",)),
        ("Istanbul İstanbul", ("istanbul",)),
        ("ﬁeld x² Ⅳ", ("field", "x2", "iv")),
        ("math.AG/0601001", ("math", "ag", "0601001")),
        ("量子力学", ("量子", "子力", "力学")),
        ("量", ("量",)),
        ("the量子bit", ("the", "量子", "bit")),
        ("カﾞス", ("カス",)),
        ("\U00020000\U00020001", ("\U00020000\U00020001",)),
        ("A\u202eB\u200bC", ("a", "b", "c")),
        ("__proto__ constructor", ("proto", "constructor")),
        ("x" * 41 + " " + "x" * 40, ("x" * 40,)),
    ],
)
def test_words(text: str, words: tuple[str, ...]) -> None:
    """Case, accents, ligatures and end forms make no difference; CJK text is cut into pairs."""
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("word", "code"),
    [("graph", "graph"), ("0601001", "0601001"), ("中文", "_4e2d__6587_"), ("οδ1", "_3bf__3b4_1")],
)
def test_code_of_a_word(word: str, code: str) -> None:
    """Letters beyond ASCII stand as code points, each between low lines."""
    assert code_of(word) == code
    assert word_of(code + END_MARK) == word


@given(st.text(max_size=60))
def test_words_are_words_of_themselves(text: str) -> None:
    """A word found in a text is found again as a query, its code can be read back and is a name."""
    for word in words_of(text):
        assert words_of(word) == (word,)
        code = code_of(word) + END_MARK
        assert word_of(code) == word
        assert re.fullmatch(r"[a-z0-9_]+-", code)
        assert is_site_path(search_shard(code[:60]))


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_full_code_begins_another(first: str, second: str) -> None:
    """The end mark keeps apart a word and the longer words that begin with it."""
    codes = {code_of(word) + END_MARK for word in (*words_of(first), *words_of(second))}
    assert not [(a, b) for a in codes for b in codes if a != b and b.startswith(a)]

"""The words of a text, as the search files spell them; `search.js` finds the same in a query.

Only rules that Python and browsers agree on: no case folding (JavaScript has none), no word
breaking by dictionary. They may differ in characters that are new in the Unicode version of one of
them; such a word is then not found. docs/formats/search.md, "Words".
"""

from __future__ import annotations

import re
import unicodedata

from generator.limits import DEFAULT_LIMITS

# Every word's full code ends in it, so that no full code is the beginning of another.
END_MARK = "-"
# Han, kana and the marks of repetition: scripts that put no space between words.
_CJK = "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
_PIECES = re.compile(f"[{_CJK}]+|[^{_CJK}]+")
_ASCII_WORDS = re.compile("[a-z0-9]+")
_CODED = re.compile("_([0-9a-f]+)_")


def words_of(text: str) -> tuple[str, ...]:
    """Give the words of a text.

    Args:
        text: any text.

    Returns:
        Words of letters and digits in lower case without accents, and pairs of neighbours where
        CJK characters stand together; in the order of the text, each once.
    """
    length = DEFAULT_LIMITS.search_word_max_length
    if text.isascii():
        return tuple(dict.fromkeys(word[:length] for word in _ASCII_WORDS.findall(text.lower())))
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(char for char in decomposed if unicodedata.category(char)[0] != "M")
    # What lower case leaves apart: `ß` from `ss`, and the sigma that ends a word from any other.
    lower = bare.lower().replace("ß", "ss").replace("ς", "σ")
    parted = "".join(char if unicodedata.category(char)[0] in "LN" else " " for char in lower)
    words = (
        word[:length]
        for run in parted.split(" ")
        for piece in _PIECES.findall(run)
        for word in _words_of_piece(piece)
    )
    return tuple(dict.fromkeys(words))


def code_of(word: str) -> str:
    """Spell a word for the names of files: its full code without the end mark.

    Args:
        word: of `words_of`.

    Returns:
        `a-z` and digits as they are, and any other character as its code point: `_4e2d_`.
    """
    if word.isascii():
        return word
    return "".join(char if char.isascii() else f"_{ord(char):x}_" for char in word)


def word_of(code: str) -> str:
    """Read a word back from its full code, with or without the end mark."""
    return _CODED.sub(lambda match: chr(int(match[1], 16)), code.removesuffix(END_MARK))


def _words_of_piece(piece: str) -> list[str]:
    if len(piece) == 1 or not re.match(f"[{_CJK}]", piece):
        return [piece]
    return [piece[at : at + 2] for at in range(len(piece) - 1)]

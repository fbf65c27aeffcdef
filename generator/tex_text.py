r"""Text for BibTeX: what a bibliography may typeset without running anything.

A title reaches a reader's own TeX through this module, and TeX is a programming language: `\input`
and `\write` in a title would run there. So text is escaped character by character, and a formula
stays TeX only where `tex_formula` knows that it typesets and does nothing else.
"""

from __future__ import annotations

import re

from generator.display import decode_tex, make_visible, split_formulas
from generator.tex_formula import is_harmless_formula

# Braces are counted by BibTeX whether escaped or not, so none is ever written as `\{`.
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{char: f"\\{char}" for char in "#$%&_"},
}
_ESCAPE_TABLE = str.maketrans(_ESCAPES)
_FORMULA = re.compile(r"\{\$[^$]*\$\}")
_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)


def escape_tex(text: str) -> str:
    r"""Escape a text for LaTeX and BibTeX alike.

    Args:
        text: any text; characters outside ASCII stay as they are, in UTF-8.

    Returns:
        Text that typesets as itself, with balanced braces and no command that does anything else.
    """
    return make_visible(text).translate(_ESCAPE_TABLE)


def title_tex(raw: str, *, limit: int) -> str:
    r"""Spell a title as received for a BibTeX field.

    Accents become characters and formulas stay TeX. Words with a capital letter beyond their first
    character, and formulas, stand in braces, so that no style changes their case.

    Args:
        raw: the title as received, TeX and all.
        limit: characters of it that are used.

    Returns:
        The field's content, with balanced braces.
    """
    pieces: list[str] = []
    for text, formula in split_formulas(" ".join(raw[:limit].split())):
        pieces.append(escape_tex(decode_tex(text)))
        if formula:
            pieces.append(_formula(formula))
    words = "".join(pieces).split(" ")
    return " ".join(_protected(words)) + ("…" if len(raw) > limit else "")


def _formula(source: str) -> str:
    if not is_harmless_formula(source):
        return escape_tex(f"${source}$")
    return f"{{${source}$}}"


def _protected(words: list[str]) -> list[str]:
    result: list[str] = []
    depth = 0
    for word in words:
        inside = depth > 0
        depth += word.count("{") - word.count("}")
        whole = not inside and depth == 0
        result.append(_protect(word) if whole else word)
    return result


def _protect(word: str) -> str:
    if not _has_capital(_COMMAND.sub("", _FORMULA.sub("", word))):
        return word
    # At the outermost level a backslash after a brace begins a "special character", whose case
    # BibTeX does change.
    return f"{{{{{word}}}}}" if word.startswith("\\") else f"{{{word}}}"


def _has_capital(word: str) -> bool:
    """Tell whether a word has a capital inside, or alone as in `B meson` and `X-ray`."""
    alone = word[:1].isupper() and not word[1:2].isalpha() and word != "A"
    return alone or any(char.isupper() for char in word[1:])

"""Text for people: TeX accents and simple math decoded, invisible characters made visible.

Nothing here may change a digest or drop a word: what is not understood stays as written, and the
raw text stays in the JSON files.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from pylatexenc.latex2text import LatexNodes2Text

from generator.limits import DEFAULT_LIMITS
from generator.messages import Message

# TeX accent commands and the combining characters they mean (The TeXbook, chapter 9).
_ACCENTS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "d": "\u0323",
    "c": "\u0327",
    "k": "\u0328",
    "b": "\u0331",
}
_BASE = r"(?:\{\s*(\\?[A-Za-z])\s*\}|(\\[ij](?![A-Za-z])\s*|[A-Za-z]))"
# `\'e`, `\'{e}`, `{\'e}`, `\v{s}`, `\v s`, `\"{\i}`: an accent that is a letter needs a brace or a
# space.
_ACCENT = re.compile(
    rf"""\{{\s*\\(?:([`'^~=."])\s*{_BASE}|([uHvdckbr])(?:\s+|(?=\{{)){_BASE})\s*\}}"""
    rf"""|\\(?:([`'^~=."])\s*{_BASE}|([uHvdckbr])(?:\s+|(?=\{{)){_BASE})"""
)
_SYMBOL = re.compile(r"\{\\([A-Za-z]+)\s*\}|\\([A-Za-z]+)(?:\{\}|\s+|(?![A-Za-z]))")
_PLAIN_URL = re.compile(
    r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:/(?:[A-Za-z0-9._~/?:@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?"
    r"(?:#(?:[A-Za-z0-9._~/?:@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?"
)
_ESCAPED = re.compile(r"\\([&%$#_{}])")
# As in pandoc: no space inside the dollars and no digit after them, or prices become formulas.
_MATH = re.compile(r"(?<!\\)\$(?! )([^$]{1,400})(?<![\\ ])\$(?![0-9])")
_MATH_TOKEN = re.compile(
    r"\\(?P<font>mathrm|mathbf|mathit|mathsf|text|textrm|rm|bf|it)"
    r"\s*\{(?P<plain>[A-Za-z0-9 .,+-]*)\}"
    r"|(?P<letter>\\math(?:bb|cal|frak|scr)\s*\{?[A-Za-z]\}?)"
    r"|\\sqrt\s*\{(?P<root>[A-Za-z0-9]+)\}"
    r"|(?P<shift>[\^_])(?:\{(?P<group>(?:[^{}$]|\{[^{}$]*\})*)\}|(?P<one>\\[A-Za-z]+|[^\\{}\s]))"
    r"|\\(?P<space>[,;:!> ])"
    r"|\\(?P<macro>[A-Za-z]+)\s?"
    r"|\\(?P<escaped>[{}%&_#|])"
    r"|(?P<char>[A-Za-z0-9 +\-=<>|/().,:;'*!?\[\]\"~])"
)
# Text symbols people's names and titles use; a word such as `\today` is none of them.
_TEXT_SYMBOLS = frozenset(
    "l L o O ss ae AE oe OE aa AA i j S P dh DH th TH dj DJ ng NG".split()  # noqa: SIM905
)
_SUPERSCRIPTS = dict(zip("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", strict=True))
_SUBSCRIPTS = dict(
    zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)
)
_RELATIONS = frozenset("=<>≤≥≪≫≈∼≃≅≡∝∈∉⊂⊃⊆⊇→←↔⇒⇐⇔↦±∓×·∘⊗⊕∪∩∧∨≠⟶⟵")
# What already stands high in its own glyph.
_RAISED = {"'": "′", "′": "′", "*": "*", "∗": "*", "†": "†", "°": "°", "∘": "°"}
_JOINERS = "\u200c\u200d"


def decode_tex(text: str) -> str:
    r"""Decode TeX accents, letters and simple math.

    Args:
        text: as written, such as `Schr\"odinger` or `$D^{0}$`.

    Returns:
        Readable text; whatever is not understood stays as written, and so does a text that is too
        long to be worth the work.
    """
    if ("\\" not in text and "$" not in text) or len(text) > DEFAULT_LIMITS.tex_max_length:
        return text
    pieces = []
    for before, formula in split_formulas(text):
        pieces.append(_decode_words(before))
        decoded = _decode_math(formula) if _is_balanced(formula) else None
        pieces.append(f"${formula}$" if formula and decoded is None else decoded or "")
    return "".join(pieces)


def split_formulas(text: str) -> Iterator[tuple[str, str]]:
    r"""Tell formulas between dollars from the text around them.

    Args:
        text: as written, such as `decays of $D^{0}$ mesons`.

    Returns:
        Pairs of a text and the formula after it, without its dollars; the last has none.
    """
    end = 0
    for match in _MATH.finditer(text):
        yield text[end : match.start()], match[1]
        end = match.end()
    yield text[end:], ""


def make_visible(text: str) -> str:
    """Show what would be invisible or reorder a page: controls, bidi and zero-width characters.

    Joiners between letters of scripts that need them (Persian, Indic) are kept.

    Args:
        text: any text without lone surrogates; a message's own words are ours, so that only its
            values are looked at.

    Returns:
        The text with each such character as `⟨U+202E⟩`, and white space folded.
    """
    if isinstance(text, Message):
        return text.with_values(make_visible)
    text = " ".join(text.split(" "))
    if text.isprintable():
        return text
    return "".join(_visible_char(text, index) for index in range(len(text)))


def is_plain_url(text: str) -> bool:
    """Tell whether a page may link to an address of a bundle; any other is shown as text.

    Args:
        text: what stands in a signed field.

    Returns:
        True for http(s) with a host name that shows where the link leads (no credentials) and no
        character that WHATWG's URL standard calls an error.
    """
    return _PLAIN_URL.fullmatch(text) is not None


def shown_text(text: str, *, limit: int) -> str:
    """Prepare a text of a bundle for a page.

    Args:
        text: as received.
        limit: characters to show.

    Returns:
        Decoded, visible, and cut with a count of what is left out.
    """
    decoded = _decoded(text[: 4 * limit])
    if len(decoded) <= limit and len(text) <= 4 * limit:
        return decoded
    return f"{decoded[:limit]}… ({len(text)} characters in all)"


# The page, the citations, the listings and the catalogue show the same few texts of a record. A
# piece has at most four times the characters that a page shows, so that the cache stays small.
@lru_cache(maxsize=64)
def _decoded(piece: str) -> str:
    return make_visible(decode_tex(" ".join(piece.split())))


def _visible_char(text: str, index: int) -> str:
    char = text[index]
    if char.isprintable():
        return char
    if char in "\n\t\r\u00a0" or unicodedata.category(char) == "Zs":
        return " "
    around = text[index - 1 : index] + text[index + 1 : index + 2]
    if (
        char in _JOINERS
        and len(around) == 2
        and all(unicodedata.category(c) == "Lo" for c in around)
    ):
        return char
    return f"⟨U+{ord(char):04X}⟩"


def _is_balanced(source: str) -> bool:
    """Tell a formula from what stands between two prices, as in `(US$)/(A$)`."""
    depth = 0
    for char in source:
        depth += (char in "([") - (char in ")]")
        if depth < 0:
            return False
    return depth == 0


def _decode_words(text: str) -> str:
    if "\\" not in text:
        return text
    text = _ACCENT.sub(_accented, text)
    text = _SYMBOL.sub(_text_symbol, text)
    return _ESCAPED.sub(r"\1", text)


def _accented(match: re.Match[str]) -> str:
    groups = [group for group in match.groups() if group]
    accent, base = groups[0], groups[1].strip("\\ \t\n")
    composed = unicodedata.normalize("NFC", base + _ACCENTS[accent])
    # A pair without a composed character would show as two; it stays as written.
    return composed if len(composed) == 1 else match[0]


def _text_symbol(match: re.Match[str]) -> str:
    name = match[1] or match[2]
    return (_symbol(name) or match[0]) if name in _TEXT_SYMBOLS else match[0]


@lru_cache(maxsize=1024)
def _symbol(name: str) -> str:
    r"""Give the character of a macro without argument, or nothing: `\today` is no symbol."""
    return _single_character(f"\\{name}")


@lru_cache(maxsize=1024)
def _single_character(source: str) -> str:
    converter = LatexNodes2Text(math_mode="text")
    try:
        decoded = str(converter.latex_to_text(source, tolerant_parsing=True)).strip()
    except Exception:  # noqa: BLE001 - a macro without its arguments fails in many ways there
        return ""
    return decoded if len(decoded) == 1 and decoded.isprintable() else ""


def _decode_math(source: str) -> str | None:
    """Decode a formula, or give None: half a formula would be a wrong one."""
    result, end = [], 0
    for match in _MATH_TOKEN.finditer(source):
        decoded = _math_token(match) if match.start() == end else None
        if decoded is None:
            return None
        result.append(decoded)
        end = match.end()
    return " ".join("".join(result).split()) if end == len(source) else None


def _math_token(match: re.Match[str]) -> str | None:
    kind = match.lastgroup
    if kind == "letter":
        return _single_character(match["letter"]) or None
    if kind == "root":
        return f"√{match['root']}" if len(match["root"]) == 1 else f"√({match['root']})"
    if kind in {"group", "one"}:
        return _shifted(match["shift"], match[kind])
    if kind == "macro":
        return _math_symbol(match["macro"])
    if kind == "space":
        return "" if match["space"] == "!" else " "
    return match[kind or "char"]


def _math_symbol(name: str) -> str | None:
    symbol = _symbol(name)
    # A relation needs air, a letter does not; TeX itself ate the space after the macro.
    return f" {symbol} " if symbol and symbol in _RELATIONS else symbol or None


def _shifted(shift: str, source: str) -> str | None:
    inner = _decode_math(source) if source else ""
    if inner is None:
        return None
    table = _SUPERSCRIPTS if shift == "^" else _SUBSCRIPTS
    if shift == "^" and inner in _RAISED:
        return _RAISED[inner]
    if inner and all(char in table for char in inner):
        return "".join(table[char] for char in inner)
    return f"{shift}{inner}" if len(inner) == 1 else f"{shift}({inner})"

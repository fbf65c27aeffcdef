"""Text for a terminal: measured in cells, wrapped, and free of whatever a terminal would obey.

A control character in a title could move the cursor, rewrite lines above or set the window's title.
So every line that leaves here has passed `make_visible`; colour is added later, by tone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from generator.display import make_visible

DEFAULT_WIDTH = 80  # cells, where the output is no terminal
_NARROWEST = 24  # cells of text; below that wrapping helps nobody


class Tone(Enum):
    """How a line is meant; the command line gives each a colour where colour is wanted."""

    PLAIN = "plain"
    HEADING = "heading"
    GOOD = "good"
    BAD = "bad"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Line:
    """A line or paragraph before wrapping.

    `label` stands in a column of its own; continued lines begin below the text.
    """

    text: str
    label: str = ""
    indent: int = 0  # cells before the label or the text
    column: int = 0  # cells of the label's column
    tone: Tone = Tone.PLAIN


def wrap_lines(lines: Iterable[Line], *, width: int) -> Iterator[tuple[str, Tone]]:
    """Lay lines out.

    Args:
        lines: in order; one without text and label is a blank line.
        width: cells of the terminal.

    Yields:
        Each line of the output without its newline, and its tone.
    """
    for line in lines:
        for text in _laid_out(line, width):
            yield text.rstrip(" "), line.tone


def _laid_out(line: Line, width: int) -> Iterator[str]:
    start = " " * (line.indent + line.column)
    room = max(_NARROWEST, width - len(start))
    pieces = list(_wrapped(make_visible(line.text), room)) or [""]
    if not line.column:
        yield from (start + piece for piece in pieces)
        return
    margin, label = " " * line.indent, make_visible(line.label)
    if cells(label) < line.column:
        gap = " " * (line.column - cells(label))
        yield f"{margin}{label}{gap}{pieces.pop(0)}"
    else:
        # Too long for its column: it stands above.
        yield from (
            margin + piece for piece in _wrapped(label, max(_NARROWEST, width - len(margin)))
        )
    yield from (start + piece for piece in pieces)


def cells(text: str) -> int:
    """Measure text in the cells of a terminal.

    Args:
        text: visible text.

    Returns:
        Two for each wide character, none for combining ones, else one (Unicode UAX #11).
    """
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def _cells_of(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def _wrapped(text: str, room: int) -> Iterator[str]:
    """Fill lines word by word; a word longer than a line is broken, so that no line is longer."""
    line, length = "", 0
    for word in text.split():
        for piece in _pieces(word, room):
            size = cells(piece)
            if line and length + 1 + size > room:
                yield line
                line, length = "", 0
            line, length = (f"{line} {piece}", length + 1 + size) if line else (piece, size)
    if line:
        yield line


def _pieces(word: str, room: int) -> Iterator[str]:
    if cells(word) <= room:
        yield word
        return
    start, length = 0, 0
    for index, char in enumerate(word):
        size = _cells_of(char)
        if length + size > room:
            yield word[start:index]
            start, length = index, 0
        length += size
    yield word[start:]

"""terminal.py: lines fit the width, wide characters count twice, nothing moves the cursor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.terminal import Line, Tone, cells, wrap_lines


def laid_out(*lines: Line, width: int = 80) -> list[str]:
    """Give the texts of the laid out lines."""
    return [text for text, _ in wrap_lines(lines, width=width)]


def test_text_is_filled_word_by_word_beside_its_label() -> None:
    """Continued lines begin below the text, not below the label."""
    line = Line("one two three four five six seven", label="label", indent=2, column=8)
    assert laid_out(line, width=34) == [
        "  label   one two three four five",
        "          six seven",
    ]


def test_label_too_long_for_its_column_stands_above() -> None:
    """A key id of any length spoils no column: the text begins below it."""
    assert laid_out(Line("text", label="a-very-long-label", indent=2, column=8)) == [
        "  a-very-long-label",
        "          text",
    ]


def test_line_without_text_is_blank() -> None:
    """An empty line stays one line, without trailing spaces."""
    assert laid_out(Line(""), Line("a"), Line("", label="b", indent=2, column=6)) == [
        "",
        "a",
        "  b",
    ]


def test_word_longer_than_a_line_is_broken() -> None:
    """A title without a space cannot make a line longer than the terminal."""
    assert laid_out(Line("x" * 70), width=30) == ["x" * 30, "x" * 30, "x" * 10]


def test_terminal_too_narrow_for_columns_still_gets_words() -> None:
    """Below a sensible width lines get longer than it, rather than one letter each."""
    assert (
        laid_out(Line("x" * 30, label="l", indent=2, column=14), width=10)[1] == " " * 16 + "x" * 6
    )


def test_tone_goes_with_every_line_of_a_paragraph() -> None:
    """A paragraph broken over lines has one colour."""
    found = list(wrap_lines([Line("word " * 30, tone=Tone.BAD)], width=40))
    assert len(found) > 2
    assert {tone for _, tone in found} == {Tone.BAD}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("abc", 3),
        ("Schr\u00f6dinger", 11),
        ("Schro\u0308dinger", 11),
        ("\u6570\u5b66", 4),
        ("\uff21", 2),
        ("\u200d", 0),
        ("\U0001f600", 2),
    ],
)
def test_cells_are_those_of_a_terminal(text: str, expected: int) -> None:
    """East Asian wide characters take two cells, combining ones none."""
    assert cells(text) == expected


def test_wide_text_is_wrapped_by_cells() -> None:
    """A line of wide characters holds half as many."""
    assert laid_out(Line("\u6570" * 30), width=30) == ["\u6570" * 15, "\u6570" * 15]


@pytest.mark.parametrize(
    "hostile",
    [
        "\x1b[2J\x1b[H",
        "\x1b]0;title\x07",
        "a\rb",
        "a\x08\x08b",
        "\x9b31m",
        "\u202eabc\u202c",
        "a\u2028b",
        "\x7f",
        "\ufeff",
    ],
)
def test_control_characters_are_shown_and_not_sent(hostile: str) -> None:
    """Neither text nor label can move the cursor, colour, reorder or name the window."""
    for line in (Line(hostile), Line("x", label=hostile, column=8)):
        for text in laid_out(line):
            assert text.isprintable()


LINES = st.builds(
    Line,
    st.text(max_size=300),
    label=st.text(max_size=40),
    indent=st.integers(0, 8),
    column=st.integers(0, 20),
)


@given(line=LINES, width=st.integers(60, 120))
def test_no_line_is_wider_than_the_terminal(line: Line, width: int) -> None:
    """Whatever is printed, every line fits and every character of it can be seen."""
    for text in laid_out(line, width=width):
        assert cells(text) <= width
        assert all(char.isprintable() or char in "\u200c\u200d" for char in text)

"""plots.py: whole numbers and a bounded size, whatever the numbers are, and nothing left out."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, FileSystemLoader

from generator.drawing import Picture
from generator.plots import draw_columns, draw_lanes, draw_rows
from tests.factories import TEMPLATES

NUMBERS = st.integers(0, 10**15)
ROWS = st.lists(st.tuples(st.text(max_size=40), NUMBERS), max_size=60)


def is_inside(picture: Picture) -> bool:
    """Whether every mark stands inside the picture's box and has a size."""
    bars = all(
        bar.x >= 0
        and bar.x + bar.width <= picture.width
        and bar.y >= 0
        and bar.y + bar.height <= picture.height
        and bar.width > 0
        and bar.height > 0
        for bar in picture.bars
    )
    labels = all(
        0 <= label.x <= picture.width and 0 <= label.y <= picture.height for label in picture.labels
    )
    return bars and labels


@given(ROWS)
def test_rows_are_bars_inside_the_box(rows: list[tuple[str, int]]) -> None:
    """Each number above zero is a bar, the largest one the longest, and all are whole numbers."""
    picture = draw_rows("rows", "Rows", rows)
    numbers = [number for _, number in rows if number]
    if not numbers:
        assert picture is None
        return
    assert picture is not None
    assert is_inside(picture)
    assert len(picture.bars) == len(numbers)
    widths = [bar.width for bar in picture.bars]
    assert widths[numbers.index(max(numbers))] == max(widths) == 170
    assert [label.text for label in picture.labels[len(rows) :]] == [number for _, number in rows]


@given(ROWS)
def test_columns_are_bars_inside_the_box(rows: list[tuple[str, int]]) -> None:
    """Each number above zero is a column, in order from left to right, on one line."""
    picture = draw_columns("columns", "Columns", rows)
    numbers = [number for _, number in rows if number]
    if not numbers:
        assert picture is None
        return
    assert picture is not None
    assert is_inside(picture)
    assert len(picture.bars) == len(numbers)
    assert [bar.x for bar in picture.bars] == sorted({bar.x for bar in picture.bars})
    assert len({bar.y + bar.height for bar in picture.bars}) == 1
    assert picture.labels[0].text == max(numbers)
    assert len(picture.labels) <= 2 + 4


@given(
    st.integers(1, 36).flatmap(
        lambda length: st.lists(
            st.tuples(st.text(max_size=40), st.lists(NUMBERS, min_size=length, max_size=length)),
            max_size=18,
        )
    )
)
def test_lanes_have_their_own_scale(lanes: list[tuple[str, list[int]]]) -> None:
    """Each lane has a bar for each number above zero, its largest one as high as the lane."""
    length = len(lanes[0][1]) if lanes else 1
    picture = draw_lanes("lanes", "Lanes", [str(step) for step in range(length)], lanes)
    if not any(any(numbers) for _, numbers in lanes):
        assert picture is None
        return
    assert picture is not None
    assert is_inside(picture)
    bottoms = [stroke.y1 for stroke in picture.strokes]
    for bottom, (_, numbers) in zip(bottoms, lanes, strict=True):
        heights = [bar.height for bar in picture.bars if bar.y + bar.height == bottom]
        assert len(heights) == sum(1 for number in numbers if number)
        assert max(heights, default=17) == 17


@pytest.mark.parametrize("number", [1, 10**15])
def test_small_number_beside_a_large_one_is_seen(number: int) -> None:
    """A number above zero is at least one unit long; zero is none."""
    picture = draw_rows("rows", "Rows", [("large", 10**15), ("small", number), ("none", 0)])
    assert picture is not None
    assert [bar.width for bar in picture.bars] == [170, 1 if number == 1 else 170]


def test_picture_is_well_formed_and_named() -> None:
    """The picture is one XML element with a title, without style, script or colour of its own."""
    picture = draw_rows("rows", 'A <title> & "quotes"', [("<b>&\u202e\U0001f4dc", 1_234)])
    environment = Environment(loader=FileSystemLoader(Path(TEMPLATES)), autoescape=True)
    environment.filters["number"] = lambda value: f"{value:,}"
    template = environment.from_string(
        '{% from "_pictures.html" import picture %}{{ picture(item) }}'
    )
    svg = ET.fromstring(template.render(item=picture).strip())  # noqa: S314 - our own
    assert svg.tag == "svg"
    title = svg.find("title")
    assert title is not None
    assert title.text == 'A <title> & "quotes"'
    assert svg.attrib["aria-labelledby"] == title.attrib["id"]
    assert [text.text for text in svg.iter("text")] == ["<b>&\u202e\U0001f4dc", "1,234"]
    assert {element.tag for element in svg.iter()} == {"svg", "title", "line", "rect", "text"}
    names = {name for element in svg.iter() for name in element.attrib}
    assert not names & {"style", "fill", "stroke", "onload"}

"""Plots: numbers as bars, in whole units and a bounded size whatever the numbers are.

Each shows nothing that is not in the table beside it. A number above zero is always seen, if only
as one unit.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.drawing import Bar, Label, Picture, Stroke

# A phone shows a page's column at about this many pixels; wider screens enlarge the picture.
_WIDTH = 360
_LABEL_LENGTH = 24  # characters beside a bar
# Rows: a name, a bar, its number.
_ROW = 16
_ROW_START, _ROW_END = 138, 308
# Columns: a bar for each step of time, the scale on the left.
_COLUMN_START, _COLUMN_END = 44, 354
_COLUMN_TOP, _COLUMN_BOTTOM = 8, 128
_TIME_LABELS = 4  # under the columns, so that none runs into the next
# Lanes: a row of small columns for each kind.
_LANE, _LANE_BAR = 24, 17
_LANE_START, _LANE_END = 128, 312


def draw_rows(name: str, title: str, rows: Sequence[tuple[str, int]]) -> Picture | None:
    """Draw a bar for each name, one below the other.

    Args:
        name: of the picture, unique on its page.
        title: what the picture shows.
        rows: names with their numbers, none negative, from the top.

    Returns:
        The picture, or None where every number is zero.
    """
    largest = max((number for _, number in rows), default=0)
    if not largest:
        return None
    lengths = [_scaled(number, largest, _ROW_END - _ROW_START) for _, number in rows]
    tops = range(2, 2 + len(rows) * _ROW, _ROW)
    return Picture(
        name=name,
        title=title,
        width=_WIDTH,
        height=len(rows) * _ROW + 4,
        strokes=(Stroke(_ROW_START, 0, _ROW_START, len(rows) * _ROW + 4, "axis"),),
        dots=(),
        bars=tuple(
            Bar(_ROW_START, top + 2, length, _ROW - 5)
            for top, length in zip(tops, lengths, strict=True)
            if length
        ),
        labels=(
            *(
                Label(_ROW_START - 6, top + 11, _cut(words), "end", "name")
                for top, (words, _) in zip(tops, rows, strict=True)
            ),
            *(
                Label(_ROW_START + length + 5, top + 11, number, "start", "quiet")
                for top, length, (_, number) in zip(tops, lengths, rows, strict=True)
            ),
        ),
    )


def draw_columns(name: str, title: str, columns: Sequence[tuple[str, int]]) -> Picture | None:
    """Draw a column for each step of time, side by side.

    Args:
        name: of the picture, unique on its page.
        title: what the picture shows.
        columns: steps with their numbers, none negative, in order and without a gap.

    Returns:
        The picture, or None where every number is zero.
    """
    largest = max((number for _, number in columns), default=0)
    if not largest:
        return None
    heights = [_scaled(number, largest, _COLUMN_BOTTOM - _COLUMN_TOP) for _, number in columns]
    return Picture(
        name=name,
        title=title,
        width=_WIDTH,
        height=_COLUMN_BOTTOM + 18,
        strokes=(
            Stroke(_COLUMN_START, _COLUMN_TOP, _COLUMN_END, _COLUMN_TOP, "quiet"),
            Stroke(_COLUMN_START, _COLUMN_BOTTOM, _COLUMN_END, _COLUMN_BOTTOM, "axis"),
        ),
        dots=(),
        bars=_columns(heights, start=_COLUMN_START, end=_COLUMN_END, bottom=_COLUMN_BOTTOM),
        labels=(
            Label(_COLUMN_START - 6, _COLUMN_TOP + 4, largest, "end", "quiet"),
            Label(_COLUMN_START - 6, _COLUMN_BOTTOM + 3, 0, "end", "quiet"),
            *_time_labels(
                [words for words, _ in columns],
                start=_COLUMN_START,
                end=_COLUMN_END,
                y=_COLUMN_BOTTOM + 14,
            ),
        ),
    )


def draw_lanes(
    name: str, title: str, steps: Sequence[str], lanes: Sequence[tuple[str, Sequence[int]]]
) -> Picture | None:
    """Draw a row of small columns for each kind, over one axis of time; each has its own scale.

    Args:
        name: of the picture, unique on its page.
        title: what the picture shows.
        steps: of time, in order and without a gap.
        lanes: kinds with a number for each step, none negative.

    Returns:
        The picture, or None where every number is zero. The largest number of each lane stands at
        its end.
    """
    if not any(number for _, numbers in lanes for number in numbers):
        return None
    bottom = len(lanes) * _LANE + 2
    bottoms = range(_LANE, bottom, _LANE)
    bars = (
        _columns(
            [_scaled(number, max(1, *numbers), _LANE_BAR) for number in numbers],
            start=_LANE_START,
            end=_LANE_END,
            bottom=y,
        )
        for y, (_, numbers) in zip(bottoms, lanes, strict=True)
    )
    return Picture(
        name=name,
        title=title,
        width=_WIDTH,
        height=bottom + 18,
        strokes=tuple(Stroke(_LANE_START, y, _LANE_END, y, "quiet") for y in bottoms),
        dots=(),
        bars=tuple(bar for lane in bars for bar in lane),
        labels=(
            *(
                Label(_LANE_START - 8, y - 3, _cut(words), "end", "name")
                for y, (words, _) in zip(bottoms, lanes, strict=True)
            ),
            *(
                Label(_LANE_END + 6, y - 3, max(numbers), "start", "quiet")
                for y, (_, numbers) in zip(bottoms, lanes, strict=True)
            ),
            *_time_labels(steps, start=_LANE_START, end=_LANE_END, y=bottom + 13),
        ),
    )


def _scaled(number: int, largest: int, length: int) -> int:
    return max(1, number * length // largest) if number else 0


def _columns(heights: Sequence[int], *, start: int, end: int, bottom: int) -> tuple[Bar, ...]:
    return tuple(
        Bar(left, bottom - height, max(1, right - left - 1), height)
        for left, right, height in (
            (_edge(index, len(heights), start, end), _edge(index + 1, len(heights), start, end), h)
            for index, h in enumerate(heights)
        )
        if height
    )


def _edge(index: int, count: int, start: int, end: int) -> int:
    return start + index * (end - start) // count


def _time_labels(steps: Sequence[str], *, start: int, end: int, y: int) -> list[Label]:
    """Name some steps below their middle: evenly spaced, the first one among them."""
    apart = max(1, -(-len(steps) // _TIME_LABELS))
    labels = []
    for index in range(0, len(steps), apart):
        left = _edge(index, len(steps), start, end)
        right = _edge(index + 1, len(steps), start, end)
        labels.append(Label((left + right) // 2, y, steps[index], "middle", "quiet"))
    return labels


def _cut(text: str) -> str:
    return text if len(text) <= _LABEL_LENGTH else f"{text[: _LABEL_LENGTH - 1]}…"

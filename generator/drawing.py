"""A picture as values: lines, circles, bars and texts, at whole numbers, alike everywhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line of a picture, in whole units of its box."""

    x1: int
    y1: int
    x2: int
    y2: int
    kind: str  # a class of the style sheet


@dataclass(frozen=True, slots=True)
class Dot:
    """A circle of a picture."""

    x: int
    y: int
    radius: int
    kind: str


@dataclass(frozen=True, slots=True)
class Bar:
    """An upright rectangle of a picture; x and y are its upper left corner."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Label:
    """A text or a number of a picture; `anchor` is where x is in it: start, middle or end."""

    x: int
    y: int
    text: str | int
    anchor: str
    kind: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that shows nothing which is not also in words beside it."""

    name: str  # unique on the page
    title: str
    width: int
    height: int
    strokes: tuple[Stroke, ...]
    dots: tuple[Dot, ...]
    labels: tuple[Label, ...]
    bars: tuple[Bar, ...] = ()

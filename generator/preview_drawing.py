"""Draws preview images with Pillow and the font that it carries; imported only where Pillow is."""

from __future__ import annotations

import io
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

PREVIEW_SIZE = (1200, 630)  # what Open Graph consumers crop to, 1.91 to 1
_MARGIN, _LINES = 80, 4
_PAPER, _INK, _QUIET, _MARK = "#fdfcfa", "#1f2328", "#59616b", "#2b8077"
_SIZES, _FOOT_SIZE = (72, 60, 50), 30
_Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def draw_preview(text: str, *, foot: str) -> bytes:
    """Draw a preview image.

    Args:
        text: in large letters, on at most four lines; what does not fit ends with three dots. Left
            out where the font lacks a character of it: an empty box would be no title.
        foot: the line below, left out likewise.

    Returns:
        A PNG. Its bytes depend on the texts and on the version of Pillow and of its zlib.
    """
    image = Image.new("RGB", PREVIEW_SIZE, _PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 24, PREVIEW_SIZE[1]), fill=_MARK)
    _draw_mark(draw)
    if is_drawable(text):
        _draw_lines(draw, text)
    if is_drawable(foot):
        draw.text((_MARGIN, PREVIEW_SIZE[1] - 110), foot, font=_font(_FOOT_SIZE), fill=_QUIET)
    file = io.BytesIO()
    image.quantize(64).save(file, format="PNG", optimize=True)
    return file.getvalue()


def is_drawable(text: str) -> bool:
    """Tell whether the font has every character of a text; it has little beyond ASCII."""
    missing = _glyph("\uffff")
    return all(_glyph(char) != missing for char in set(text) - {" "})


def _draw_mark(draw: ImageDraw.ImageDraw) -> None:
    """Draw the sign of icon.svg."""
    left, top, size = _MARGIN, 70, 96
    draw.ellipse((left, top, left + size, top + size), outline=_MARK, width=11)
    inner = (left + 20, top + 20, left + size - 20, top + size - 20)
    draw.ellipse(inner, outline=_MARK, width=7)
    draw.pieslice(inner, -90, 90, fill=_MARK)


def _draw_lines(draw: ImageDraw.ImageDraw, text: str) -> None:
    width = PREVIEW_SIZE[0] - 2 * _MARGIN
    size, lines = _SIZES[-1], [text]
    for size in _SIZES:
        lines = _wrap(draw, text, _font(size))
        widest = max((draw.textlength(line, font=_font(size)) for line in lines), default=0)
        if len(lines) <= _LINES and widest <= width:
            break
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], f"{lines[_LINES - 1]} ..."]
    for number, line in enumerate(lines):
        draw.text((_MARGIN, 215 + number * size * 1.15), line, font=_font(size), fill=_INK)


def _wrap(draw: ImageDraw.ImageDraw, text: str, font: _Font) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and draw.textlength(joined, font=font) <= PREVIEW_SIZE[0] - 2 * _MARGIN:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines


@lru_cache(maxsize=8)
def _font(size: int) -> _Font:
    return ImageFont.load_default(size)


@lru_cache(maxsize=4096)
def _glyph(char: str) -> tuple[tuple[int, int], bytes]:
    mask = _font(_FOOT_SIZE).getmask(char)
    return mask.size, bytes(mask)

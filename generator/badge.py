"""The badge: label, message and widths, from a table of glyph widths so that every machine agrees.

Widths are those of DejaVu Sans (which Verdana shares) at 11 pixels, in tenths of a pixel; the SVG
sets `textLength`, so another font is stretched to the same box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.formats.checks import Verdict

LABEL = "pith"
EXAMPLE = "example"
_PADDING = 6  # pixels on each side of a text
_TENTHS = {
    **dict.fromkeys("il", 31),
    **dict.fromkeys("j", 31),
    " ": 35,
    ":": 37,
    "t": 43,
    "f": 39,
    "r": 45,
    "s": 57,
    "c": 60,
    "v": 65,
    "k": 64,
    "z": 58,
    "y": 65,
    "x": 65,
    "a": 67,
    "e": 68,
    "o": 67,
    **dict.fromkeys("bdpq", 70),
    "g": 70,
    **dict.fromkeys("hnu", 70),
    "m": 107,
    "w": 90,
    **dict.fromkeys("0123456789", 70),
    "A": 75,
    "B": 75,
    "C": 77,
    "D": 85,
    "E": 70,
    "F": 63,
    "G": 85,
    "H": 83,
    "I": 32,
    "J": 32,
    "K": 72,
    "L": 61,
    "M": 95,
    "N": 82,
    "O": 87,
    "P": 66,
    "Q": 87,
    "R": 76,
    "S": 70,
    "T": 67,
    "U": 81,
    "V": 75,
    "W": 109,
    "X": 75,
    "Y": 67,
    "Z": 75,
}
# White text on each has a contrast of at least 4.5 (WCAG 2.2, 1.4.3).
_COLORS = {
    Verdict.VERIFIED: "#1a6b3c",
    Verdict.PARTLY: "#7a5a00",
    Verdict.DISPUTED: "#9f2d20",
    Verdict.REJECTED: "#57606a",
}


@dataclass(frozen=True, slots=True)
class Badge:
    """What `badge.svg` draws; lengths are in pixels, `*_x` are the left edges of the two texts."""

    label: str
    message: str
    color: str
    label_text_width: int
    message_text_width: int

    @property
    def label_width(self) -> int:
        """The width of the left box."""
        return self.label_text_width + 2 * _PADDING

    @property
    def message_width(self) -> int:
        """The width of the right box."""
        return self.message_text_width + 2 * _PADDING

    @property
    def total_width(self) -> int:
        """The width of the badge."""
        return self.label_width + self.message_width

    @property
    def label_x(self) -> int:
        """Where the label starts."""
        return _PADDING

    @property
    def message_x(self) -> int:
        """Where the message starts."""
        return self.label_width + _PADDING


def badge_of(
    suffix: str, verdict: Verdict, *, warnings: Sequence[str] = (), example: bool = False
) -> Badge:
    """Describe the badge of a record.

    Args:
        suffix: the record's id; the badge shows the first eight characters.
        verdict: this mirror's verdict.
        warnings: what else must be said of the record, such as that it was withdrawn.
        example: whether this is an example registry: a badge is seen far away from its site.

    Returns:
        Texts, colour and widths.
    """
    label = f"{EXAMPLE} {LABEL}:{suffix[:8]}" if example else f"{LABEL}:{suffix[:8]}"
    message = ", ".join((verdict.value, *warnings))
    color = _COLORS[Verdict.DISPUTED if warnings else verdict]
    return Badge(label, message, color, _text_width(label), _text_width(message))


def _text_width(text: str) -> int:
    # Rounded up: a text a little narrower than its box is drawn well, a wider one is not.
    return -(-sum(_TENTHS.get(char, 70) for char in text) // 10)

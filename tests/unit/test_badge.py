"""badge.py: texts, colours and widths of a badge, the same on every machine."""

from __future__ import annotations

import re

import pytest

from generator.badge import badge_of
from generator.formats.checks import Verdict
from generator.record_files import badge_file
from generator.render import Renderer
from generator.site_frame import prepare_resources, site_frame
from tests.factories import TEMPLATES, TEST_MIRROR

SUFFIX = "ABCDEFGHIJKLMNOPQRSTUVWX23"
# Advance widths of DejaVu Sans, in 1/2048 of an em, from the font's own `hmtx` table.
_ADVANCES = """
21303 31303 41303 51303 61303 71303 :690 A1401 B1405 C1430 D1577 E1294 F1178 G1587 H1540 I604 J604
K1343 L1141 M1767 N1532 O1612 P1235 Q1612 R1423 S1300 T1251 U1499 V1401 W2025 X1403 Y1251 Z1403
a1255 b1300 c1126 d1300 e1260 f721 h1298 i569 k1186 l569 n1298 o1253 p1300 r842 s1067 t803 u1298
v1212 y1212
"""
ADVANCES = {" ": 651} | {word[0]: int(word[1:]) for word in _ADVANCES.split()}


def luminance(color: str) -> float:
    """Give the relative luminance of a colour (WCAG 2.2)."""
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("verdict", list(Verdict))
def test_badge_says_the_verdict(verdict: Verdict) -> None:
    """The badge names the record by its short form and says the verdict in words."""
    badge = badge_of(SUFFIX, verdict)
    assert (badge.label, badge.message) == ("pith:ABCDEFGH", verdict.value)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_contrast_is_enough(verdict: Verdict) -> None:
    """White text on the colour of each verdict has a contrast of at least 4.5."""
    assert 1.05 / (luminance(badge_of(SUFFIX, verdict).color) + 0.05) >= 4.5


def test_colours_differ() -> None:
    """No two verdicts look alike."""
    assert len({badge_of(SUFFIX, verdict).color for verdict in Verdict}) == len(Verdict)


@pytest.mark.parametrize("verdict", list(Verdict))
@pytest.mark.parametrize(
    "start", ["ABCDEFGH", "IJKLMNOP", "QRSTUVWX", "YZ234567", "WWWWWWWW", "IIIIIIII"]
)
def test_width_is_that_of_the_text(verdict: Verdict, start: str) -> None:
    """The width of each text is within a pixel of the font's own, and not narrower."""
    badge = badge_of(start + SUFFIX[8:], verdict)
    for text, width in (
        (badge.label, badge.label_text_width),
        (badge.message, badge.message_text_width),
    ):
        exact = sum(ADVANCES[char] for char in text) * 11 / 2048
        assert exact - 0.5 <= width <= exact + 1.2


def test_boxes_fit_together() -> None:
    """The two boxes make the whole width and each text has the same space around it."""
    badge = badge_of(SUFFIX, Verdict.VERIFIED)
    assert badge.total_width == badge.label_width + badge.message_width
    assert badge.label_width - badge.label_text_width == 2 * badge.label_x
    assert badge.message_x - badge.label_width == badge.label_x
    assert badge.message_width - badge.message_text_width == 2 * badge.label_x


@pytest.mark.parametrize("verdict", list(Verdict))
def test_svg_is_accessible_and_sized(verdict: Verdict) -> None:
    """The SVG has a role, a name and a title, and is drawn in the widths of the model."""
    renderer = Renderer(
        [TEMPLATES], site_frame(TEST_MIRROR, prepare_resources([TEMPLATES], TEST_MIRROR))
    )
    file = badge_file(SUFFIX, verdict, renderer)
    badge, text = badge_of(SUFFIX, verdict), file.data.decode()
    assert file.path == f"pith/{SUFFIX}/badge.svg"
    assert 'role="img"' in text
    name = f"pith:ABCDEFGH: {verdict.value}"
    assert f'aria-label="{name}"' in text
    assert f"<title>{name}</title>" in text
    assert f'width="{badge.total_width}"' in text
    assert re.findall(r'textLength="(\d+)"', text) == [
        str(badge.label_text_width),
        str(badge.message_text_width),
    ]


def test_badge_says_what_speaks_against_the_record() -> None:
    """A badge is seen far from the page: a withdrawal and a contradiction stand on it, in red."""
    badge = badge_of(SUFFIX, Verdict.VERIFIED, warnings=("withdrawn", "contradicted"))
    assert badge.message == "verified, withdrawn, contradicted"
    assert badge.color == badge_of(SUFFIX, Verdict.DISPUTED).color
    assert badge.message_text_width > badge_of(SUFFIX, Verdict.VERIFIED).message_text_width

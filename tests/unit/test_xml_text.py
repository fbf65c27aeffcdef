"""xml_text.py: any text at all can stand in an XML document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from generator.xml_text import xml_element, xml_text


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_any_text_makes_a_well_formed_element(text: str) -> None:
    """Every character, lone surrogates too, comes out as text that a strict parser reads back."""
    data = xml_element("a", text, b=text).encode()
    element = etree.fromstring(data)
    expected = xml_text(text)
    # XML 1.0, 2.11 and 3.3.3: a parser makes line ends one character, and in attributes a space.
    assert (element.text or "") == expected.replace("\r\n", "\n").replace("\r", "\n")
    assert len(element) == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain Ünï 中文 \U0001f4dc\t\n", "plain Ünï 中文 \U0001f4dc\t\n"),
        ("\x00\x08", "⟨U+0000⟩⟨U+0008⟩"),
        ("\x0b\x1f", "⟨U+000B⟩⟨U+001F⟩"),
        ("\ufffe\uffff", "⟨U+FFFE⟩⟨U+FFFF⟩"),
        ("\ud800", "⟨U+D800⟩"),
    ],
)
def test_forbidden_characters_are_shown(text: str, expected: str) -> None:
    """What XML 1.0 allows stays as it is; what it forbids is shown by its number."""
    assert xml_text(text) == expected

"""Text in XML 1.0: what may stand there, and how the rest is shown."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

# XML 1.0 (fifth edition), production 2, `Char`: no escape lets any other character in.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Replace what no XML document can hold. The result is not yet escaped.

    Args:
        text: any text.

    Returns:
        The text with each such character as `⟨U+0008⟩`.
    """
    return _FORBIDDEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def xml_element(name: str, text: str, **attributes: str) -> str:
    """Spell an element that holds text.

    Args:
        name: of the element, with its prefix.
        text: its content, any text.
        **attributes: their values, any text.

    Returns:
        The element, escaped.
    """
    spelled = "".join(f" {key}={quoteattr(xml_text(value))}" for key, value in attributes.items())
    return f"<{name}{spelled}>{escape(xml_text(text))}</{name}>"

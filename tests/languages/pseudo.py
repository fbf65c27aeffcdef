"""A made-up language: every entry of today in ⟦white brackets⟧, so that text outside them shows.

Values and tags stay outside the brackets: `⟦page ⟧{number}⟦ of ⟧{count}`. What a page shows
outside of every bracket is thus data, or a text that nobody has marked.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.languages.collect import Entry, collect

OPEN, CLOSE = "\u27e6", "\u27e7"  # mathematical white square brackets: in no text of ours
_KEPT = re.compile(r"(<[^<>]*>|%\(\w+\)s|\{\w+\})")
_LETTER = re.compile(r"[^\W\d_]")


def bracketed(text: str) -> str:
    """Put brackets around all of an entry but its tags and the names of its values.

    Args:
        text: an entry, such as `page %(number)s`.

    Returns:
        The same with brackets around each piece that has a letter.
    """
    pieces = _KEPT.split(text)
    return "".join(
        f"{OPEN}{piece}{CLOSE}" if place % 2 == 0 and _LETTER.search(piece) else piece
        for place, piece in enumerate(pieces)
    )


def catalogue(code: str, spell: Callable[[str], str] = bracketed) -> str:
    """Write a catalogue of the entries of today.

    Args:
        code: of the language.
        spell: gives the translation of an entry.

    Returns:
        A PO file, with two forms of plurals as English has them.
    """
    head = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {code}\\n"\n'
        '"Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
    )
    return "\n".join([head, *(_lines(entry, spell) for entry in collect())])


def _lines(entry: Entry, spell: Callable[[str], str]) -> str:
    lines = [f"msgctxt {_quoted(entry.context)}"] if entry.context else []
    lines.append(f"msgid {_quoted(entry.one)}")
    if entry.many:
        lines.append(f"msgid_plural {_quoted(entry.many)}")
        lines.append(f"msgstr[0] {_quoted(spell(entry.one))}")
        lines.append(f"msgstr[1] {_quoted(spell(entry.many))}")
    else:
        lines.append(f"msgstr {_quoted(spell(entry.one))}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'

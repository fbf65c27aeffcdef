"""Slugs: any text as a short step of a path, in `a-z`, digits and hyphens.

A slug alone is no name: two texts may have one. Where a step has to tell texts apart it ends with a
part of their digest, which also keeps it from ever being a name that Windows reserves.
"""

from __future__ import annotations

import re
import unicodedata

from generator.formats.digest import sha256

_DIGEST_LENGTH = 8  # hex digits
_SLUG_LENGTH = 60  # characters; a path has a few such steps at most
_READ_LENGTH = 240  # characters of the text that are looked at
# Letters that Unicode does not take apart into a letter and an accent.
_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "ß": "ss", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_BETWEEN = re.compile(r"[^a-z0-9]+")


def slug_of(text: str) -> str:
    """Fold a text to ASCII: accents are dropped, what is neither letter nor digit is a hyphen.

    Args:
        text: any text.

    Returns:
        The slug; empty where nothing of the text is left, as of most texts in other scripts.
    """
    folded = unicodedata.normalize("NFKD", text[:_READ_LENGTH]).casefold().translate(_LETTERS)
    plain = "".join(char for char in folded if not unicodedata.combining(char))
    return _BETWEEN.sub("-", plain)[:_SLUG_LENGTH].strip("-")


def digest_of(text: str) -> str:
    """Give the part of a text's SHA-256 that ends its step."""
    return sha256(text.encode("utf-8", "surrogatepass")).raw.hex()[:_DIGEST_LENGTH]


def distinct_slug(text: str) -> str:
    """Make a step that tells a text from others that fold to the same slug.

    Args:
        text: any text.

    Returns:
        The slug and eight hex digits of the SHA-256 of the exact text; the digits alone where the
        slug is empty.
    """
    return f"{slug_of(text)}-{digest_of(text)}".removeprefix("-")

"""Slugs: any text as a short step of a path, in `a-z`, digits and hyphens.

A slug alone is no name: two texts may have one. Where a step has to tell texts apart it ends with a
part of their digest, which also keeps it from ever being a name that Windows reserves. Values that
have their own form as a step, such as categories, keep it where every file system can hold it.
"""

from __future__ import annotations

import re
import unicodedata

from generator.formats.digest import sha256

_DIGEST_LENGTH = 8  # hex digits
_WHOLE_DIGEST_LENGTH = 32  # hex digits: 128 bits, which nobody makes two texts share
# What a kept or guarded step has at most; the longest name of an arXiv archive has 8.
STEP_MAX_LENGTH = 64  # characters
_RESERVED = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
_GUARD_SLUG_LENGTH = 20  # characters
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


def is_reserved(step: str) -> bool:
    """Tell whether Windows keeps a step for a device, in any case and with any ending."""
    return _RESERVED.fullmatch(step.partition(".")[0].rstrip(" ").lower()) is not None


def guarded_step(text: str) -> str:
    """Make a step of a text that cannot be a step as it is.

    Args:
        text: any text.

    Returns:
        `0-`, with which no value of a record begins that is kept as it is, then the slug, cut, and
        32 hex digits of the SHA-256 of the exact text.
    """
    slug = slug_of(text)[:_GUARD_SLUG_LENGTH].strip("-")
    digest = sha256(text.encode("utf-8", "surrogatepass")).raw.hex()[:_WHOLE_DIGEST_LENGTH]
    return f"0-{slug}-{digest}" if slug else f"0-{digest}"


def kept_step(step: str) -> str:
    """Keep a step, unless Windows reserves it or it is longer than any real one."""
    return guarded_step(step) if is_reserved(step) or len(step) > STEP_MAX_LENGTH else step

"""Pith Numbers, arXiv ids and aliases: how each follows from a record (protocol parts 1, 4)."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from functools import lru_cache

from generator.errors import FormatError
from generator.formats.canonical import JsonValue, json_kind
from generator.formats.digest import Digest
from generator.limits import shorten

SUFFIX_LENGTH = 26  # characters of base32, 130 bits of the digest
SHORT_LENGTHS = (12, 16, 8)  # in the registry's order

_SUFFIX = re.compile(r"[A-Z2-7]{26}")
_PITH_NUMBER = re.compile(r"pith:([0-9]{4}):([A-Z2-7]{26})")
# The two forms arXiv has used: since April 2007 `YYMM.NNNN(N)`, before that `archive[.XX]/YYMMNNN`.
_ARXIV_ID = re.compile(r"[0-9]{4}\.[0-9]{4,5}|[a-z]+(?:-[a-z]+)*(?:\.[A-Z]{2})?/[0-9]{7}")


@dataclass(frozen=True, slots=True, order=True)
class PithNumber:
    """`pith:<YYYY>:<suffix>`; the suffix alone is the id, the year is for people."""

    year: int
    suffix: str

    def __str__(self) -> str:
        """Give the full form."""
        return f"pith:{self.year:04}:{self.suffix}"

    @property
    def short(self) -> str:
        """The short form, `pith:` and eight characters; two records may share it."""
        return f"pith:{self.suffix[:8]}"


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a record, computed from it by fixed rules."""

    kind: str
    value: str


# Half a dozen checks and files of a record ask for it.
@lru_cache(maxsize=16)
def derive_suffix(digest: Digest) -> str:
    """Derive the id of a record from its canonical digest (protocol part 1).

    Args:
        digest: SHA-256 of the record's canonical JSON.

    Returns:
        The first 26 characters of its base32.
    """
    return base64.b32encode(digest.raw).decode("ascii")[:SUFFIX_LENGTH]


def derive_aliases(*, source_id: str, version: int, suffix: str) -> tuple[Alias, ...]:
    """Compute the six aliases of an arXiv record (protocol part 4).

    Args:
        source_id: the arXiv id without version.
        version: the version number, from 1.
        suffix: the record's id.

    Returns:
        Six aliases in the registry's order: arxiv, arxiv_version, doi, pith_short_12, _16, _8.
    """
    return (
        Alias("arxiv", source_id),
        Alias("arxiv_version", f"{source_id}v{version}"),
        Alias("doi", f"10.48550/arxiv.{source_id}"),
        *(Alias(f"pith_short_{length}", suffix[:length]) for length in SHORT_LENGTHS),
    )


def is_arxiv_id(text: str) -> bool:
    """Tell whether a text is an arXiv id without version, in either form.

    Args:
        text: any text.

    Returns:
        True for the new and the old form; nothing else can become a path of the site.
    """
    return _ARXIV_ID.fullmatch(text) is not None


def is_suffix(text: str) -> bool:
    """Tell whether a text is the id part of a Pith Number.

    Args:
        text: any text.

    Returns:
        True for 26 characters of the base32 alphabet.
    """
    return _SUFFIX.fullmatch(text) is not None


def parse_pith_number(value: JsonValue, *, subject: str) -> PithNumber:
    """Read a full Pith Number.

    Args:
        value: what stands in the document.
        subject: the field's path, for messages.

    Returns:
        The Pith Number.

    Raises:
        FormatError: not `pith:<YYYY>:<26 characters of base32>`.
    """
    if not isinstance(value, str):
        raise FormatError(subject, expected="pith:<YYYY>:<suffix>", found=json_kind(value))
    match = _PITH_NUMBER.fullmatch(value)
    if match is None:
        raise FormatError(subject, expected="pith:<YYYY>:<suffix>", found=repr(shorten(value)))
    return PithNumber(int(match[1]), match[2])

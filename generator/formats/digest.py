"""SHA-256 digests, in the one spelling the format uses: 64 lower-case hex digits."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from generator.errors import FormatError
from generator.formats.canonical import JsonValue, canonical_json, json_kind
from generator.limits import shorten

_HEX64 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, order=True)
class Digest:
    """A SHA-256 value of 32 bytes; `str()` gives its hex."""

    raw: bytes

    def __str__(self) -> str:
        """Give 64 lower-case hex digits."""
        return self.raw.hex()


def sha256(data: bytes) -> Digest:
    """Digest bytes.

    Args:
        data: the bytes as received or in canonical form; the caller knows which.

    Returns:
        Their SHA-256.
    """
    return Digest(hashlib.sha256(data).digest())


def canonical_digest(value: JsonValue) -> Digest:
    """Digest the canonical JSON of a value (protocol part 1).

    Args:
        value: a parsed JSON value.

    Returns:
        SHA-256 of its canonical JSON.
    """
    return sha256(canonical_json(value))


def parse_digest(value: JsonValue, *, subject: str) -> Digest:
    """Read a digest, accepting only its canonical spelling.

    Args:
        value: what stands in the document.
        subject: the field's path, for messages.

    Returns:
        The digest.

    Raises:
        FormatError: not a string of 64 lower-case hex digits.
    """
    if not isinstance(value, str):
        raise FormatError(subject, expected="64 lower-case hex digits", found=json_kind(value))
    if not _HEX64.fullmatch(value):
        raise FormatError(subject, expected="64 lower-case hex digits", found=repr(shorten(value)))
    return Digest(bytes.fromhex(value))

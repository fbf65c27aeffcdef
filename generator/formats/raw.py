"""A bundle as it arrived: bytes and where they came from, nothing read yet."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawBundle:
    """The bytes of one bundle; `origin` names file, member and line, printable and relative."""

    origin: str
    data: bytes

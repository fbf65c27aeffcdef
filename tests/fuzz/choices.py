"""Decisions read from bytes, so that a fuzzer that mutates bytes mutates what is decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """A row of decisions; once the bytes are used up, each further one is the first option."""

    def __init__(self, data: bytes) -> None:
        """Start at the first byte.

        Args:
            data: any bytes.
        """
        self._data = data
        self._at = 0

    @property
    def left(self) -> bool:
        """Whether bytes are left."""
        return self._at < len(self._data)

    def below(self, count: int) -> int:
        """Decide on a number.

        Args:
            count: how many numbers there are.

        Returns:
            A number from 0 to `count` - 1.
        """
        width = 1 if count <= 256 else 3
        piece = self._data[self._at : self._at + width]
        self._at += width
        return int.from_bytes(piece, "little") % count

    def pick(self, options: Sequence[T]) -> T:
        """Decide on one of several things.

        Args:
            options: one or more.

        Returns:
            One of them.
        """
        return options[self.below(len(options))]

    def seldom(self, odds: int) -> bool:
        """Decide whether something unusual happens.

        Args:
            odds: one in how many.

        Returns:
            True for one value of the byte in `odds`; never without bytes.
        """
        return self.below(odds) == odds - 1

    def take(self, count: int) -> bytes:
        """Take bytes as they are.

        Args:
            count: how many.

        Returns:
            Fewer at the end.
        """
        piece = self._data[self._at : self._at + count]
        self._at += count
        return piece

    def rest(self) -> bytes:
        """Take all bytes that are left."""
        return self.take(len(self._data))

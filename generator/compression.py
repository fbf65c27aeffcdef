"""Bounded reading of compressed streams: whatever they claim, memory and expansion stay limited."""

from __future__ import annotations

import gzip
import sys
from typing import Protocol

from generator.errors import LoadError
from generator.limits import Limits

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ZstdError = zstd.ZstdError


class Readable(Protocol):
    """What the loader reads from: at most `size` bytes a call, empty at the end."""

    def read(self, size: int, /) -> bytes:
        """Read up to `size` bytes."""


class CountingReader:
    """A reader that knows how many bytes went through it."""

    def __init__(self, inner: Readable) -> None:
        """Wrap a reader.

        Args:
            inner: where bytes come from.
        """
        self.count = 0
        self._inner = inner

    def read(self, size: int = -1, /) -> bytes:
        """Read up to `size` bytes; the decompressors below never ask for all."""
        data = self._inner.read(size)
        self.count += len(data)
        return data

    def readable(self) -> bool:
        """Say yes, as the decompressors ask."""
        return True

    def seekable(self) -> bool:
        """Say no: the stream is read once."""
        return False


class BombGuard:
    """A reader that stops when a stream expands more than real data ever does."""

    def __init__(
        self, inner: Readable, compressed: CountingReader, *, subject: str, limits: Limits
    ) -> None:
        """Guard a decompressor.

        Args:
            inner: the decompressor.
            compressed: the counted stream it reads from.
            subject: the file or member, for messages.
            limits: the ratio, and the length up to which it does not matter.
        """
        self._inner = inner
        self._compressed = compressed
        self._produced = [0]  # shared by all streams of one archive
        self._subject = subject
        self._limits = limits

    def sharing(self, inner: Readable) -> BombGuard:
        """Guard another stream out of the same compressed bytes, on the same account.

        Args:
            inner: a decompressor.

        Returns:
            Its guard.
        """
        guard = BombGuard(inner, self._compressed, subject=self._subject, limits=self._limits)
        guard._produced = self._produced
        return guard

    def read(self, size: int, /) -> bytes:
        """Read up to `size` decompressed bytes.

        Raises:
            LoadError: the expansion is beyond the bound.
        """
        data = self._inner.read(size)
        self._produced[0] += len(data)
        ratio = self._limits.expansion_max_ratio
        allowed = max(self._limits.expansion_free_length, ratio * self._compressed.count)
        if self._produced[0] > allowed:
            raise LoadError(
                self._subject,
                expected=f"at most {ratio} bytes out of each compressed byte",
                found=f"{self._produced[0]} bytes out of {self._compressed.count}",
                hint="a decompression bomb",
            )
        return data


def decompress(stream: Readable, coding: str, *, subject: str, limits: Limits) -> Readable:
    """Open a stream of a content coding.

    Args:
        stream: the bytes as stored.
        coding: `""`, `"gz"` or `"zst"`.
        subject: the file or member, for messages.
        limits: bounds on expansion and on zstd's window.

    Returns:
        A bounded reader of the decoded bytes; a truncated stream raises EOFError when read.
    """
    if not coding:
        return stream
    counted = CountingReader(stream)
    if coding == "gz":
        # GzipFile never asks the inner stream for anything but `read`.
        inner: Readable = gzip.GzipFile(fileobj=counted, mode="rb")  # type: ignore[call-overload]
    else:
        options = {
            zstd.DecompressionParameter.window_log_max: limits.zstd_max_window.bit_length() - 1
        }
        inner = zstd.ZstdFile(counted, mode="rb", options=options)  # type: ignore[call-overload]
    return BombGuard(inner, counted, subject=subject, limits=limits)

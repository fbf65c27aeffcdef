"""compression.py: decoded streams, bounded in expansion and in zstd's window."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from dataclasses import replace

import pytest

from generator.compression import BombGuard, CountingReader, ZstdError, decompress
from generator.errors import LoadError
from generator.limits import DEFAULT_LIMITS, Limits
from tests.factories import zstd

SMALL = replace(DEFAULT_LIMITS, expansion_free_length=1000, expansion_max_ratio=10)
TEXT = bytes(range(256)) * 40
ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "gz": gzip.compress,
    "zst": zstd.compress,
}


def read_all(data: bytes, coding: str, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Decode a whole stream in pieces.

    Args:
        data: as stored.
        coding: of the content.
        limits: bounds.

    Returns:
        The decoded bytes.
    """
    stream = decompress(io.BytesIO(data), coding, subject="x", limits=limits)
    pieces = []
    while piece := stream.read(999):
        assert len(piece) <= 999
        pieces.append(piece)
    return b"".join(pieces)


@pytest.mark.parametrize("coding", list(ENCODERS))
def test_coding_gives_the_bytes_back(coding: str) -> None:
    """Each coding decodes to what was encoded, never more at a time than asked for."""
    assert read_all(ENCODERS[coding](TEXT), coding) == TEXT


@pytest.mark.parametrize("coding", ["gz", "zst"])
def test_several_streams_in_a_row_are_one(coding: str) -> None:
    """Members of gzip and frames of zstd that follow each other are read as one stream."""
    encode = ENCODERS[coding]
    assert read_all(encode(b"one ") + encode(b"two"), coding) == b"one two"


@pytest.mark.parametrize("coding", ["gz", "zst"])
def test_truncated_stream_raises(coding: str) -> None:
    """A stream that stops early is an error, not a shorter stream."""
    with pytest.raises(EOFError):
        read_all(ENCODERS[coding](TEXT)[:-5], coding)


@pytest.mark.parametrize("coding", ["gz", "zst"])
def test_other_bytes_raise(coding: str) -> None:
    """Bytes that are not of the coding raise an error of the reader."""
    with pytest.raises((OSError, ZstdError)):
        read_all(b"not compressed at all", coding)


def test_damaged_checksum_raises() -> None:
    """A gzip member whose checksum is wrong does not pass."""
    data = bytearray(gzip.compress(TEXT))
    data[-8] ^= 1
    with pytest.raises(OSError, match="CRC"):
        read_all(bytes(data), "gz")


@pytest.mark.parametrize("coding", ["gz", "zst"])
def test_bomb_is_stopped_at_the_ratio(coding: str) -> None:
    """A stream that expands beyond the ratio ends in a LoadError that calls it a bomb."""
    with pytest.raises(LoadError, match="bomb") as caught:
        read_all(ENCODERS[coding](bytes(1_000_000)), coding, limits=SMALL)
    assert caught.value.subject == "x"
    assert caught.value.expected == "at most 10 bytes out of each compressed byte"


@pytest.mark.parametrize("coding", ["gz", "zst"])
def test_high_ratio_is_free_below_a_length(coding: str) -> None:
    """Small files may compress as well as they like."""
    assert read_all(ENCODERS[coding](bytes(1000)), coding, limits=SMALL) == bytes(1000)


def test_guard_lets_exactly_the_bound_pass() -> None:
    """The bound itself is allowed, one byte more is not."""
    compressed = CountingReader(io.BytesIO(b""))
    compressed.count = 200
    guard = BombGuard(io.BytesIO(bytes(2001)), compressed, subject="x", limits=SMALL)
    assert len(guard.read(2000)) == 2000
    with pytest.raises(LoadError, match="2001 bytes out of 200"):
        guard.read(1)


def test_zstd_window_is_bounded() -> None:
    """A frame that asks for a larger window than allowed is refused before memory is taken."""
    options: dict[int, int] = {
        zstd.CompressionParameter.window_log: 24,
        zstd.CompressionParameter.content_size_flag: 0,
        zstd.CompressionParameter.enable_long_distance_matching: 1,
    }
    compressor = zstd.ZstdCompressor(options=options)
    data = compressor.compress(TEXT) + compressor.flush()
    assert read_all(data, "zst") == TEXT
    with pytest.raises(ZstdError):
        read_all(data, "zst", limits=replace(DEFAULT_LIMITS, zstd_max_window=2**20))


def test_counting_reader_counts_and_never_seeks() -> None:
    """The reader under a decompressor counts what passed and says that it cannot seek."""
    reader = CountingReader(io.BytesIO(b"abcdef"))
    assert (reader.read(4), reader.read(), reader.read(1)) == (b"abcd", b"ef", b"")
    assert reader.count == 6
    assert reader.readable()
    assert not reader.seekable()

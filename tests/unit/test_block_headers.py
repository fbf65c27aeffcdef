"""Block headers: strict lines, proven work, and no verified timestamp without one."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import FormatError
from generator.formats import block_headers
from generator.formats.block_headers import (
    NO_BLOCK_HEADERS,
    BlockHeader,
    BlockHeaders,
    check_attestation,
    parse_block_headers,
)
from generator.formats.checks import Outcome
from generator.formats.timestamp_proof import Bitcoin, parse_timestamp_proof
from generator.limits import DEFAULT_LIMITS
from tests.timestamps import generate

FOLDER = Path(generate.__file__).resolve().parent
# The first block of all.
GENESIS = bytes.fromhex(
    "01000000" + "00" * 32 + "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a"
    "29ab5f49ffff001d1dac2b7c"
)
(_, FIRST), (_, SECOND), (_, THIRD) = generate.made_headers()


def line(height: int, raw: bytes) -> bytes:
    """Spell a header as in a file.

    Args:
        height: of the block.
        raw: the header.

    Returns:
        The line with its end.
    """
    return f"{height} {raw.hex()}\n".encode()


def headers_of(folder: str) -> BlockHeaders:
    """Read a folder's headers.

    Args:
        folder: "real" or "made".

    Returns:
        The headers.
    """
    data = (FOLDER / folder / "headers.txt").read_bytes()
    return parse_block_headers(data, subject="headers.txt")


def attestation_of(name: str) -> Bitcoin:
    """Read a proof with one Bitcoin attestation.

    Args:
        name: folder and name of the file.

    Returns:
        The attestation.
    """
    proof = parse_timestamp_proof((FOLDER / name).read_bytes(), subject=name)
    (attestation,) = proof.attestations
    assert isinstance(attestation, Bitcoin)
    return attestation


def refusal(data: bytes) -> FormatError:
    """Parse what must be refused.

    Args:
        data: of a file.

    Returns:
        The error.
    """
    with pytest.raises(FormatError) as caught:
        parse_block_headers(data, subject="headers.txt")
    return caught.value


def test_real_header_is_read() -> None:
    """Fields, hash and time of a real block's header are what block explorers show."""
    header = headers_of("real").at(358391)
    assert header is not None
    assert header.hash[::-1].hex() == (
        "000000000000000003e892881a8cdcdc117c06d444057c98b6f04a9ee75a2319"
    )
    assert header.previous_hash[::-1].hex() == (
        "0000000000000000040238cb61fda1452649edc9d18f435f7e1b285a589463b9"
    )
    assert header.merkle_root[::-1].hex() == (
        "8a1b66ecb7cbd07d8139a7e7d7f2c41aab1f5009b8364aaf61d03ad245e47e00"
    )
    assert (header.time.text, header.time.seconds) == ("2015-05-28T15:41:18Z", 1_432_827_678)
    assert header.target == 0x1686F5 << 168


def test_first_block_is_read() -> None:
    """The header of block 0 proves its work."""
    header = parse_block_headers(line(0, GENESIS), subject="headers.txt").at(0)
    assert header is not None
    assert header.hash[::-1].hex() == (
        "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
    )
    assert header.time.text == "2009-01-03T18:15:05Z"


def test_latest_time_a_header_can_hold_is_read() -> None:
    """The largest time of 32 bits is a time in 2106."""
    header = BlockHeader(1, generate.header(bytes(32), time=2**32 - 1))
    assert header.time.text == "2106-02-07T06:28:15Z"


def test_comments_and_empty_lines_are_passed_over() -> None:
    """Comments, empty lines and a missing last line end change nothing."""
    data = b"# two headers\n\n" + line(100, FIRST) + b"# \xff any byte\n\n" + line(101, SECOND)
    expected = BlockHeaders((BlockHeader(100, FIRST), BlockHeader(101, SECOND)))
    assert parse_block_headers(data, subject="headers.txt") == expected
    assert parse_block_headers(data[:-1], subject="headers.txt") == expected


def test_empty_file_has_no_headers() -> None:
    """A file without a header is read as none."""
    assert parse_block_headers(b"", subject="headers.txt") == NO_BLOCK_HEADERS


def test_header_is_found_by_its_height_only() -> None:
    """Heights before, between and after those of the file have no header."""
    headers = headers_of("made")
    found = {height: headers.at(height) for height in (0, 99, 100, 101, 102, 104, 105, 106)}
    assert {height for height, header in found.items() if header is not None} == {100, 101, 105}
    assert found[105] == BlockHeader(105, THIRD)


@pytest.mark.parametrize(
    "text",
    [
        b"100  " + FIRST.hex().encode(),
        b" 100 " + FIRST.hex().encode(),
        b"100\t" + FIRST.hex().encode(),
        b"100 " + FIRST.hex().upper().encode(),
        b"100 " + FIRST.hex().encode() + b"\r",
        b"100 " + FIRST.hex().encode() + b" # comment",
        b"100 " + FIRST.hex().encode()[:-1],
        b"100 " + FIRST.hex().encode() + b"0",
        b"0100 " + FIRST.hex().encode(),
        b"-1 " + FIRST.hex().encode(),
        b"+100 " + FIRST.hex().encode(),
        b"\xd9\xa1\xd9\xa0\xd9\xa0 " + FIRST.hex().encode(),
        b"1000000000 " + FIRST.hex().encode(),
        b"\xef\xbb\xbf100 " + FIRST.hex().encode(),
        FIRST.hex().encode(),
        b"100",
        b" ",
        b"100 " + b"0x" + FIRST.hex().encode()[2:],
    ],
)
def test_line_of_another_form_is_refused_by_number(text: bytes) -> None:
    """Every line that is not a height, one space and 160 hex digits is refused, and named."""
    error = refusal(b"# a comment\n\n" + text + b"\n")
    assert error.subject == "headers.txt, line 3"
    assert error.expected == "a height, a space and 160 lower-case hex digits"


@pytest.mark.parametrize("height", [500_000_000, 999_999_999])
def test_height_beyond_the_limit_is_refused(height: int) -> None:
    """A height that Bitcoin would read as a time is refused."""
    error = refusal(line(height, FIRST))
    assert (error.subject, error.found) == ("headers.txt, line 1", str(height))


def test_largest_height_is_read() -> None:
    """The last height before that is read."""
    assert parse_block_headers(line(499_999_999, FIRST), subject="a").at(499_999_999) is not None


@pytest.mark.parametrize("heights", [(105, 100), (100, 100)])
def test_heights_must_increase(heights: tuple[int, int]) -> None:
    """A height that repeats or goes back is refused."""
    error = refusal(line(heights[0], FIRST) + line(heights[1], THIRD))
    assert error.subject == "headers.txt, line 2"
    assert (error.expected, error.found) == (f"a height above {heights[0]}", "100")


def test_neighbours_must_follow_each_other() -> None:
    """A header whose height follows must name the one before it as its previous block."""
    error = refusal(line(100, FIRST) + line(101, THIRD))
    assert error.subject == "headers.txt, line 2"
    first_hash = hashlib.sha256(hashlib.sha256(FIRST).digest()).digest()
    assert error.expected == f"previous block {first_hash[::-1].hex()}"
    assert error.found == "00" * 32


def test_headers_apart_need_not_follow_each_other() -> None:
    """Between heights with a gap nothing is said of the previous block."""
    data = line(100, FIRST) + line(102, THIRD)
    assert len(parse_block_headers(data, subject="headers.txt").headers) == 2


@pytest.mark.parametrize("folder", ["real", "genesis"])
def test_any_damage_breaks_the_proof_of_work(folder: str) -> None:
    """With any one bit flipped, a real header no longer proves its work."""
    header = headers_of("real").at(358391)
    assert header is not None
    raw = GENESIS if folder == "genesis" else header.raw
    for index in range(len(raw) * 8):
        damaged = bytearray(raw)
        damaged[index // 8] ^= 1 << index % 8
        error = refusal(line(7, bytes(damaged)))
        assert error.expected == "a header whose hash is not above the target of its nBits"


def test_header_without_work_is_refused() -> None:
    """A header that claims the real target for a made-up root is refused, and its hash named."""
    raw = struct.pack("<i32s32sIII", 1, bytes(32), bytes(32), 0, 0x1D00FFFF, 0)
    found = hashlib.sha256(hashlib.sha256(raw).digest()).digest()[::-1].hex()
    assert refusal(line(1, raw)).found == f"hash {found}"


@pytest.mark.parametrize(
    ("bits", "target"),
    [
        (0x00000000, 0),
        (0x01003456, 0),
        (0x01123456, 0x12),
        (0x02008000, 0x80),
        (0x03123456, 0x123456),
        (0x04123456, 0x12345600),
        (0x05009234, 0x92340000),
        (0x1D00FFFF, 0xFFFF << 208),
        (0x207FFFFF, 0x7FFFFF << 232),
        # Negative.
        (0x04923456, 0),
        (0x01FEDCBA, 0),
        # More than a hash has bits.
        (0x217FFFFF, 0),
        (0x22010000, 0),
        (0xFF123456, 0),
        # The largest that fit.
        (0x2100FFFF, 0xFFFF << 240),
        (0x220000FF, 0xFF << 248),
    ],
)
def test_target_is_read_from_nbits(bits: int, target: int) -> None:
    """The target is a floating point number with a sign; what means no target gives none."""
    raw = FIRST[:72] + bits.to_bytes(4, "little") + FIRST[76:]
    assert BlockHeader(1, raw).target == target


@pytest.mark.parametrize("bits", [0x00000000, 0x04923456, 0xFF123456])
def test_header_without_a_target_proves_nothing(bits: int) -> None:
    """No hash is low enough for a target that does not exist."""
    raw = FIRST[:72] + bits.to_bytes(4, "little") + FIRST[76:]
    assert not BlockHeader(1, raw).has_proof_of_work


def test_length_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file longer than the limit is refused by its length."""
    few = replace(DEFAULT_LIMITS, block_headers_max_length=200)
    monkeypatch.setattr(block_headers, "DEFAULT_LIMITS", few)
    assert parse_block_headers(b"#" * 200, subject="headers.txt") == NO_BLOCK_HEADERS
    error = refusal(b"#" * 201)
    assert (error.subject, error.found) == ("headers.txt", "201 bytes")


def test_number_of_headers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many headers as allowed are read; one more is refused."""
    few = replace(DEFAULT_LIMITS, block_headers_max_count=2)
    monkeypatch.setattr(block_headers, "DEFAULT_LIMITS", few)
    two = line(100, FIRST) + line(101, SECOND)
    assert len(parse_block_headers(two, subject="headers.txt").headers) == 2
    error = refusal(two + line(105, THIRD))
    assert (error.subject, error.found) == ("headers.txt, line 3", "more")


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    """Whatever a file holds, headers or a FormatError come out."""
    try:
        headers = parse_block_headers(line(100, FIRST) + content, subject="headers.txt")
    except FormatError:
        return
    assert headers.headers[0] == BlockHeader(100, FIRST)


def test_real_proof_verifies_with_the_real_header() -> None:
    """A real proof of 2015 verifies with its block's header, and gives the block's time."""
    check = check_attestation(attestation_of("real/hello-world.txt.ots"), headers_of("real"))
    assert check.finding.outcome is Outcome.VERIFIED
    assert check.finding.expected == check.finding.found
    assert check.finding.note == (
        "against the block header 358391 that the operator of this mirror gave"
    )
    assert str(check.block_time) == "2015-05-28T15:41:18Z"


@pytest.mark.parametrize(
    ("name", "folder"),
    [("real/bad-stamp.txt.ots", "real"), ("made/other-root.ots", "made")],
)
def test_another_root_has_failed(name: str, folder: str) -> None:
    """A proof that leads to another root than the block's fails; both roots are named."""
    attestation = attestation_of(name)
    headers = headers_of(folder)
    check = check_attestation(attestation, headers)
    header = headers.at(attestation.height)
    assert header is not None
    assert check.finding.outcome is Outcome.FAILED
    assert check.finding.expected == f"merkle root {header.merkle_root[::-1].hex()}"
    assert check.finding.found == f"merkle root {attestation.root_text}"
    assert check.block_time is None


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("made/no-header.ots", "made"),
        ("made/bitcoin.ots", "real"),
        ("real/hello-world.txt.ots", "made"),
        ("real/empty.ots", "real"),
    ],
)
def test_without_the_header_nothing_is_checkable(name: str, folder: str) -> None:
    """Without the block's header the outcome is never verified; the missing height is named."""
    attestation = attestation_of(name)
    for headers in (headers_of(folder), NO_BLOCK_HEADERS):
        check = check_attestation(attestation, headers)
        assert check.finding.outcome is Outcome.NOT_CHECKABLE
        assert check.finding.note == f"needs block header {attestation.height}"
        assert check.block_time is None


def test_root_at_another_height_does_not_count() -> None:
    """The right root under another height is the claim of another block."""
    right = attestation_of("made/bitcoin.ots")
    check = check_attestation(Bitcoin(101, right.merkle_root), headers_of("made"))
    assert check.finding.outcome is Outcome.FAILED


def test_header_of_a_test_chain_is_called_one() -> None:
    """A header easier than any of Bitcoin's own is told apart in the note."""
    check = check_attestation(attestation_of("made/bitcoin.ots"), headers_of("made"))
    assert check.finding.outcome is Outcome.VERIFIED
    assert check.finding.note.endswith("so of a test chain")
    assert str(check.block_time) == "2023-11-14T22:13:20Z"


def test_first_difficulty_of_bitcoin_is_no_test_chain() -> None:
    """The easiest header of Bitcoin's own chain is not called one of a test chain."""
    headers = BlockHeaders((BlockHeader(0, GENESIS),))
    check = check_attestation(Bitcoin(0, GENESIS[36:68]), headers)
    assert check.finding.outcome is Outcome.VERIFIED
    assert "test chain" not in check.finding.note


def test_example_of_the_documentation_is_a_file() -> None:
    """The example line in docs/formats/timestamps.md is the real header, in the format it shows."""
    page = FOLDER.parent.parent / "docs" / "formats" / "timestamps.md"
    blocks = page.read_text(encoding="utf-8").split("```text\n")[1:]
    (example,) = [text for block in blocks if (text := block.split("```")[0])[0].isdigit()]
    assert parse_block_headers(example.encode(), subject="example") == headers_of("real")

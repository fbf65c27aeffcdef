"""Bitcoin block headers that the operator supplies, to check timestamps without a network.

The file format is ours (`docs/formats/timestamps.md`); the header is Bitcoin's. A header proves its
own work and nothing else: that it belongs to Bitcoin's chain at this height is the operator's word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from datetime import UTC, datetime

from generator.errors import FormatError
from generator.formats.checks import Finding, Outcome
from generator.formats.digest import sha256
from generator.formats.instant import Instant, parse_instant
from generator.formats.timestamp_proof import Bitcoin
from generator.limits import DEFAULT_LIMITS, shorten

# nBits 0x1d00ffff: no header of Bitcoin's main chain was ever easier than the first.
_MAIN_CHAIN_TARGET = 0xFFFF << 208
_LINE = re.compile(rb"(0|[1-9][0-9]{0,8}) ([0-9a-f]{160})")


@dataclass(frozen=True, slots=True)
class BlockHeader:
    """A header of 80 bytes, numbers little endian.

    Version 4, hash of the previous block 32, merkle root 32, time 4, nBits 4, nonce 4.
    """

    height: int
    raw: bytes

    @property
    def previous_hash(self) -> bytes:
        """The hash of the block before it, in header order."""
        return self.raw[4:36]

    @property
    def merkle_root(self) -> bytes:
        """The root of the block's tree of transactions, in header order."""
        return self.raw[36:68]

    @property
    def time(self) -> Instant:
        """The miner's clock; Bitcoin allows it to be up to about two hours off."""
        moment = datetime.fromtimestamp(int.from_bytes(self.raw[68:72], "little"), UTC)
        return parse_instant(f"{moment:%Y-%m-%dT%H:%M:%SZ}", subject="block time")

    @property
    def target(self) -> int:
        """What the hash may not exceed, from nBits; 0 where nBits means no target."""
        bits = int.from_bytes(self.raw[72:76], "little")
        exponent, mantissa = bits >> 24, bits & 0x7FFFFF
        shift = 8 * (exponent - 3)
        target = mantissa << shift if shift >= 0 else mantissa >> -shift
        # Bit 23 is a sign, and a hash has 256 bits.
        return 0 if bits & 0x800000 or target >= 1 << 256 else target

    @property
    def is_of_a_test_chain(self) -> bool:
        """Whether the header is easier than any of Bitcoin's main chain ever was."""
        return self.target > _MAIN_CHAIN_TARGET

    @property
    def hash(self) -> bytes:
        """SHA-256 of the SHA-256 of the header, in header order."""
        return sha256(sha256(self.raw).raw).raw

    @property
    def has_proof_of_work(self) -> bool:
        """Whether the hash, as a little-endian number, is not above the header's own target."""
        return int.from_bytes(self.hash, "little") <= self.target


@dataclass(frozen=True, slots=True)
class BlockHeaders:
    """The headers of one file, by height."""

    headers: tuple[BlockHeader, ...]

    def at(self, height: int) -> BlockHeader | None:
        """Give the header of a block.

        Args:
            height: the block's height.

        Returns:
            The header, or None if the file has none of that height.
        """
        index = bisect_left(self.headers, height, key=lambda header: header.height)
        if index < len(self.headers) and self.headers[index].height == height:
            return self.headers[index]
        return None


NO_BLOCK_HEADERS = BlockHeaders(())


@dataclass(frozen=True, slots=True)
class AttestationCheck:
    """The end of checking one Bitcoin attestation; a block time only where it is verified."""

    finding: Finding
    block_time: Instant | None
    is_of_a_test_chain: bool = False


def parse_block_headers(data: bytes, *, subject: str) -> BlockHeaders:
    """Read a file of headers: `<height> <160 hex digits>` a line, `#` comments, empty lines.

    Args:
        data: all bytes of the file.
        subject: the file's name, for messages.

    Returns:
        The headers, by height.

    Raises:
        FormatError: too long or too many; a line that is neither header, comment nor empty; heights
            that do not increase; a header without its proof of work, or that does not name the
            header of the line before it as previous block although its height follows.
    """
    limit = DEFAULT_LIMITS.block_headers_max_length
    if len(data) > limit:
        raise FormatError(subject, expected=f"at most {limit} bytes", found=f"{len(data)} bytes")
    headers: list[BlockHeader] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line or line.startswith(b"#"):
            continue
        place = f"{subject}, line {number}"
        header = _header(line, place=place)
        _check_order(headers[-1] if headers else None, header, place=place)
        headers.append(header)
        if len(headers) > DEFAULT_LIMITS.block_headers_max_count:
            limit = DEFAULT_LIMITS.block_headers_max_count
            raise FormatError(place, expected=f"at most {limit} headers", found="more")
    return BlockHeaders(tuple(headers))


def check_attestation(attestation: Bitcoin, headers: BlockHeaders) -> AttestationCheck:
    """Compare the merkle root that a proof leads to with the one in the block's header.

    Args:
        attestation: of a proof whose operations were applied.
        headers: what the operator supplied.

    Returns:
        Verified with the block's time; failed if the header has another root; not checkable if the
        header is not at hand.
    """
    header = headers.at(attestation.height)
    claimed = f"merkle root {attestation.root_text}"
    if header is None:
        needed = f"needs block header {attestation.height}"
        finding = Finding(Outcome.NOT_CHECKABLE, f"block header {attestation.height}", "", needed)
        return AttestationCheck(finding, None)
    if header.merkle_root != attestation.merkle_root:
        expected = f"merkle root {header.merkle_root[::-1].hex()}"
        return AttestationCheck(Finding(Outcome.FAILED, expected, claimed), None)
    note = f"against the block header {attestation.height} that the operator of this mirror gave"
    if header.is_of_a_test_chain:
        note += "; it is easier than any header of Bitcoin's main chain, so of a test chain"
    found = Finding(Outcome.VERIFIED, claimed, claimed, note)
    return AttestationCheck(found, header.time, is_of_a_test_chain=header.is_of_a_test_chain)


def _header(line: bytes, *, place: str) -> BlockHeader:
    match = _LINE.fullmatch(line)
    if match is None:
        # Quoted as Latin-1, so that every byte has a spelling.
        raise FormatError(
            place,
            expected="a height, a space and 160 lower-case hex digits",
            found=repr(shorten(line.decode("latin-1"))),
        )
    height = int(match[1])
    limit = DEFAULT_LIMITS.block_height_max
    if height > limit:
        raise FormatError(place, expected=f"a height up to {limit}", found=str(height))
    header = BlockHeader(height, bytes.fromhex(match[2].decode("ascii")))
    if not header.has_proof_of_work:
        raise FormatError(
            place,
            expected="a header whose hash is not above the target of its nBits",
            found=f"hash {header.hash[::-1].hex()}",
        )
    return header


def _check_order(before: BlockHeader | None, header: BlockHeader, *, place: str) -> None:
    if before is None:
        return
    if header.height <= before.height:
        raise FormatError(
            place, expected=f"a height above {before.height}", found=str(header.height)
        )
    # Neighbours prove each other's place; a header from another chain shows here.
    if header.height == before.height + 1 and header.previous_hash != before.hash:
        raise FormatError(
            place,
            expected=f"previous block {before.hash[::-1].hex()}",
            found=header.previous_hash[::-1].hex(),
        )

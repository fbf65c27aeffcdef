"""OpenTimestamps proofs are accepted and refused in the browser as Python does, also odd ones."""

from __future__ import annotations

import random

import pytest

from generator.errors import FormatError
from generator.formats.timestamp_proof import parse_timestamp_proof
from tests.browser.scripts_page import ScriptsPage, verifier

__all__ = ["verifier"]  # a fixture of all tests here

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_merge")]

PROOFS = 2_000
MAGIC = bytes.fromhex("004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294")
START = MAGIC + b"\x01\x08" + b"k" * 32
BITCOIN, PENDING = bytes.fromhex("0588960d73d71901"), bytes.fromhex("83dfe30d2ef90c8e")
OTHER_CHAINS = (bytes.fromhex("06869a0d73d71b45"), bytes.fromhex("30fe8087b5c7ead7"))
HEIGHTS = (0, 5, 499_999_999, 500_000_000, 2**53 + 1, 2**53 + 2, 2**80)
URIS = (b"", b"https://a.b/c", b"http://x?y", b"\xff", b"a" * 1_000, b"a" * 1_001)
OPERATIONS = (0x02, 0x03, 0x08, 0x08, 0x08, 0x67, 0xF0, 0xF1, 0xF2, 0xF3)
ARGUMENTS = (b"", b"a", b"b", b"c" * 100, b"d" * 4_000, b"e" * 4_065)

_READ = """
(bytes) => {
    try {
        return PithMirror.readProofDigest(bytes, "proof");
    } catch (error) {
        if (!(error instanceof PithMirror.FormatError)) {
            throw error;
        }
        return null;
    }
}
"""


class ProofMaker:
    """Makes proofs that follow the grammar of the format, at and over each of its bounds."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)  # noqa: S311 - which proofs, not a secret

    def _number(self, value: int) -> bytes:
        low, rest = value & 0x7F, value >> 7
        if rest:
            return bytes([low | 0x80]) + self._number(rest)
        # A number may be spelled with digits of 0 above it.
        return bytes([low | 0x80, 0x80, 0]) if self._draw.random() < 0.03 else bytes([low])

    def _attestation(self) -> bytes:
        kind = self._draw.randrange(6)
        if kind < 3:
            small = self._draw.randrange(5)
            height = self._draw.choice(HEIGHTS) if kind == 0 else small
            tag, content = BITCOIN, self._number(height)
        elif kind == 3:
            uri = self._draw.choice(URIS)
            tag, content = PENDING, self._number(len(uri)) + uri
        elif kind == 4:
            tag = self._draw.choice(OTHER_CHAINS)
            content = self._number(self._draw.choice((1, 2, 2**60)))
        else:
            tag, content = b"ABCDEFGH", b"y" * self._draw.choice((0, 1, 8_192, 8_193))
        content += b"z" if self._draw.random() < 0.03 else b""
        return b"\x00" + tag + self._number(len(content)) + content

    def _operation(self) -> bytes:
        tag = self._draw.choice(OPERATIONS)
        if tag not in {0xF0, 0xF1}:
            return bytes([tag])
        short = b"q" * self._draw.randrange(1, 5)
        argument = self._draw.choice(ARGUMENTS) if self._draw.random() < 0.2 else short
        return bytes([tag]) + self._number(len(argument)) + argument

    def _node(self, depth: int) -> bytes:
        branches = [
            self._attestation()
            if depth > 6 or self._draw.random() < 0.4
            else self._operation() + self._node(depth + 1)
            for _ in range(self._draw.choice((1, 1, 1, 2, 2, 3)))
        ]
        return b"".join(b"\xff" + branch for branch in branches[:-1]) + branches[-1]

    def _damaged(self, proof: bytes) -> bytes:
        place = self._draw.randrange(len(proof))
        change = self._draw.randrange(3)
        if change == 0:
            return proof[:place]
        kept = proof[place + 1 :]
        bit = bytes([proof[place] ^ 1 << self._draw.randrange(8)])
        return proof[:place] + (bit if change == 1 else b"") + kept

    def proof(self) -> bytes:
        """Make a proof, damaged in one of four."""
        chance = self._draw.random()
        body = self._node(0)
        if chance < 0.05:
            body = b"\x08" * self._draw.choice((254, 255, 256)) + b"\x00ABCDEFGH\x00"
        elif chance < 0.1:
            count = self._draw.choice((62, 63, 64, 65, 300, 900))
            body = b"".join(b"\xff" + self._attestation() for _ in range(count))
            body += self._attestation()
        elif chance < 0.15:
            count = self._draw.choice((338, 339, 340, 341, 342))
            body = b"\xff\x08\x00ABCDEFGH\x00" * count + self._attestation()
        proof = START + body
        return self._damaged(proof) if self._draw.random() < 0.25 else proof


def digest_of(proof: bytes) -> str | None:
    """Read a proof in Python; None if it is refused."""
    try:
        return str(parse_timestamp_proof(proof, subject="proof").digest)
    except FormatError:
        return None


def test_proofs_are_read_as_python_reads_them(verifier: ScriptsPage) -> None:
    """Of proofs at, inside and over each bound of the format, both accept the same ones."""
    maker = ProofMaker(4)
    proofs = [maker.proof() for _ in range(PROOFS)]
    expected = [digest_of(proof) for proof in proofs]
    assert PROOFS / 5 < sum(digest is not None for digest in expected) < PROOFS * 4 / 5
    found = verifier.each(_READ, proofs)
    differing = [
        proof.hex()
        for proof, here, there in zip(proofs, found, expected, strict=True)
        if here != there
    ]
    assert differing == []

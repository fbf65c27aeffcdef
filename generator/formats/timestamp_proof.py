"""OpenTimestamps proofs: the bytes of an `.ots` file (`docs/formats/timestamps.md`).

A proof is a tree of operations that starts at a digest and ends in attestations. Reading it applies
the operations, so what stands here is what the proof commits to; whether a block holds a merkle
root is for `block_headers`. The format is read by the package `opentimestamps`, which publishes no
types: it is touched only below the line at the end of this module.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from Cryptodome.Hash import RIPEMD160
from opentimestamps.core.notary import BitcoinBlockHeaderAttestation, PendingAttestation
from opentimestamps.core.op import CryptOp, OpRIPEMD160, OpSHA256
from opentimestamps.core.serialize import (
    BadMagicError,
    RecursionLimitError,
    StreamDeserializationContext,
    TrailingGarbageError,
    TruncationError,
    UnsupportedMajorVersion,
)
from opentimestamps.core.timestamp import DetachedTimestampFile

from generator.errors import FormatError
from generator.formats.checks import Finding, Outcome
from generator.formats.digest import Digest
from generator.limits import DEFAULT_LIMITS, shorten


@dataclass(frozen=True, slots=True)
class Bitcoin:
    """Says that the block at `height` of the Bitcoin chain has this merkle root, in header order.

    It is a claim of the proof until a header is at hand.
    """

    height: int
    merkle_root: bytes

    @property
    def root_text(self) -> str:
        """The merkle root as Bitcoin's own tools and block explorers spell it: bytes reversed."""
        return self.merkle_root[::-1].hex()


@dataclass(frozen=True, slots=True)
class Pending:
    """A calendar that has promised an attestation. `uri` is text of a stranger, never a link."""

    uri: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """An attestation of a kind that is not checked here; `tag` is its 16 hex digits."""

    tag: str


Attestation = Bitcoin | Pending | Unknown


@dataclass(frozen=True, slots=True)
class TimestampProof:
    """What a proof says of a SHA-256 digest.

    Attestations stand once each: Bitcoin by height, then pending by URI, then unknown by tag.
    """

    digest: Digest
    attestations: tuple[Attestation, ...]


def parse_timestamp_proof(data: bytes, *, subject: str) -> TimestampProof:
    """Read an `.ots` file and apply its operations.

    Args:
        data: all bytes of the file.
        subject: where they stand, for messages.

    Returns:
        The proof; no attestation in it has been checked.

    Raises:
        FormatError: too long, malformed, too deep or too costly; over another digest than SHA-256;
            too many attestations, or one that says nothing which could be checked or shown.
    """
    limit = DEFAULT_LIMITS.timestamp_proof_max_length
    if len(data) > limit:
        raise FormatError(subject, expected=f"at most {limit} bytes", found=f"{len(data)} bytes")
    proof = _deserialize(data, subject=subject)
    if not isinstance(proof.file_hash_op, OpSHA256):
        name = shorten(str(proof.file_hash_op))
        raise FormatError(subject, expected="a proof of a sha256 digest", found=name)
    leaves = list(_leaves(proof.timestamp))
    limit = DEFAULT_LIMITS.timestamp_attestations_max_count
    if len(leaves) > limit:
        raise FormatError(
            subject, expected=f"at most {limit} attestations", found=f"{len(leaves)} attestations"
        )
    found = {_attestation(message, leaf, subject=subject) for message, leaf in leaves}
    return TimestampProof(Digest(proof.timestamp.msg), tuple(sorted(found, key=_order)))


def check_commitment(proof: TimestampProof, digest: Digest) -> Finding:
    """Compare the digest that a proof starts from with the record's.

    Args:
        proof: any proof.
        digest: the canonical SHA-256 of the record.

    Returns:
        Verified if they are equal, else failed: a proof of anything else says nothing about it.
    """
    outcome = Outcome.VERIFIED if proof.digest == digest else Outcome.FAILED
    return Finding(outcome, f"a proof of {digest}", f"a proof of {proof.digest}")


def _order(attestation: Attestation) -> tuple[int, int, bytes]:
    match attestation:
        case Bitcoin():
            return 0, attestation.height, attestation.merkle_root
        case Pending():
            return 1, 0, attestation.uri.encode()
        case Unknown():
            return 2, 0, attestation.tag.encode()


# ---- What follows touches objects of the package `opentimestamps`, which has no types. ----

_EXPECTED = "an OpenTimestamps proof, version 1"
# The package's own messages change with its version; pages made from one bundle must not.
_DEFECTS: tuple[tuple[type[Exception], str], ...] = (
    (BadMagicError, "other first bytes"),
    (UnsupportedMajorVersion, "another version"),
    (TruncationError, "an end in the middle"),
    (TrailingGarbageError, "bytes after its end"),
    (RecursionLimitError, "more than 255 operations in a row"),
    (RecursionError, "operations nested too deep"),
    (MemoryError, "operations that need too much memory"),
)


class _Stamp(Protocol):
    """A node of the tree: the message there, who attests to it, and what is made from it."""

    @property
    def msg(self) -> bytes: ...
    @property
    def attestations(self) -> AbstractSet[object]: ...
    @property
    def ops(self) -> Mapping[object, _Stamp]: ...


class _Proof(Protocol):
    @property
    def file_hash_op(self) -> object: ...
    @property
    def timestamp(self) -> _Stamp: ...


# Ubuntu 22.04 and other builds of OpenSSL 3.0 have no RIPEMD-160, and the package asks OpenSSL for
# it. A proof must not be right on one machine and wrong on another.
@CryptOp._register_op  # noqa: SLF001
class _OpRipemd160(OpRIPEMD160):  # type: ignore[misc]
    """RIPEMD-160 by pycryptodomex; registered for the same tag, it is taken instead."""

    __slots__ = ()

    def _do_op_call(self, msg: bytes) -> bytes:
        return RIPEMD160.new(msg).digest()


class _Pieces:
    """A stream that counts reads: each tag, length and argument is one, so it bounds the work."""

    def __init__(self, data: bytes, *, subject: str) -> None:
        self._stream = io.BytesIO(data)
        self._subject = subject
        self._left = DEFAULT_LIMITS.timestamp_proof_pieces_max_count

    def read(self, length: int) -> bytes:
        """Give the next bytes.

        Args:
            length: how many.

        Returns:
            Fewer at the end of the data.

        Raises:
            FormatError: the proof has more pieces than any real one.
        """
        if self._left == 0:
            limit = DEFAULT_LIMITS.timestamp_proof_pieces_max_count
            raise FormatError(
                self._subject, expected=f"a proof of at most {limit} pieces", found="more"
            )
        self._left -= 1
        return self._stream.read(length)


def _deserialize(data: bytes, *, subject: str) -> _Proof:
    try:
        with warnings.catch_warnings():
            # The operation `reverse` warns that it may be removed one day; it is still the format.
            warnings.simplefilter("ignore", PendingDeprecationWarning)
            proof: _Proof = DetachedTimestampFile.deserialize(
                StreamDeserializationContext(_Pieces(data, subject=subject))
            )
    except FormatError:
        raise
    # Hostile bytes reach asserts and ValueErrors of the package, and the limits of Python.
    except Exception as error:
        words = [text for kind, text in _DEFECTS if isinstance(error, kind)]
        found = words[0] if words else "bytes that break the format"
        raise FormatError(subject, expected=_EXPECTED, found=found) from error
    return proof


def _leaves(root: _Stamp) -> Iterator[tuple[bytes, object]]:
    waiting = [root]
    while waiting:
        stamp = waiting.pop()
        yield from ((stamp.msg, attestation) for attestation in stamp.attestations)
        waiting.extend(stamp.ops.values())


def _attestation(message: bytes, leaf: object, *, subject: str) -> Attestation:
    if isinstance(leaf, BitcoinBlockHeaderAttestation):
        return _bitcoin(message, leaf.height, subject=subject)
    if isinstance(leaf, PendingAttestation):
        uri = str(leaf.uri)
        if not uri or not uri.isprintable():
            raise FormatError(
                subject, expected="a calendar's URI, printable", found=repr(shorten(uri))
            )
        return Pending(uri)
    tag: bytes = leaf.TAG  # type: ignore[attr-defined]
    return Unknown(tag.hex())


def _bitcoin(message: bytes, height: int, *, subject: str) -> Bitcoin:
    if len(message) != 32:
        raise FormatError(
            subject, expected="a merkle root of 32 bytes", found=f"{len(message)} bytes"
        )
    limit = DEFAULT_LIMITS.block_height_max
    # Not the number itself: a height of 8 kB has more digits than Python converts.
    if height > limit:
        raise FormatError(subject, expected=f"a block height up to {limit}", found="a greater one")
    return Bitcoin(height, message)

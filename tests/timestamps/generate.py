"""Write proofs and block headers that are made up, or compare them with what is on disk.

    python tests/timestamps/generate.py [--check]

Everything is written byte by byte from the format, not with the library that the program reads it
with, so that a mistake of one is not a mistake of both. No clock and no random number is used.
"""

from __future__ import annotations

import argparse
import hashlib
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MADE = HERE / "made"

MAGIC = b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94"
VERSION = b"\x01"
SHA256, RIPEMD160, SHA1, KECCAK256 = b"\x08", b"\x03", b"\x02", b"\x67"
REVERSE, HEXLIFY = b"\xf2", b"\xf3"
BITCOIN = bytes.fromhex("0588960d73d71901")
LITECOIN = bytes.fromhex("06869a0d73d71b45")
PENDING = bytes.fromhex("83dfe30d2ef90c8e")
STRANGE = bytes.fromhex("0102030405060708")
FORK = b"\xff"
# The easiest target there is: every second hash is below it.
EASY_BITS = 0x207FFFFF
FIRST_BLOCK_TIME = 1_700_000_000  # 2023-11-14T22:13:20Z

RECORD = hashlib.sha256(b"pith-mirror: a test record").digest()


def varuint(number: int) -> bytes:
    """Spell a number as the format does: seven bits a byte, lowest first.

    Args:
        number: 0 or more.

    Returns:
        Its bytes.
    """
    spelled = bytearray()
    while number > 0x7F:
        spelled.append(number & 0x7F | 0x80)
        number >>= 7
    spelled.append(number)
    return bytes(spelled)


def varbytes(data: bytes) -> bytes:
    """Put the length before some bytes.

    Args:
        data: any bytes.

    Returns:
        Length and bytes.
    """
    return varuint(len(data)) + data


def attestation(tag: bytes, payload: bytes) -> bytes:
    """Spell an attestation with its marker.

    Args:
        tag: eight bytes.
        payload: what it says.

    Returns:
        Its bytes.
    """
    return b"\x00" + tag + varbytes(payload)


def bitcoin(height: int) -> bytes:
    """Spell an attestation by a Bitcoin block.

    Args:
        height: of the block.

    Returns:
        Its bytes.
    """
    return attestation(BITCOIN, varuint(height))


def pending(uri: str) -> bytes:
    """Spell a calendar's promise.

    Args:
        uri: of the calendar.

    Returns:
        Its bytes.
    """
    return attestation(PENDING, varbytes(uri.encode()))


def append(data: bytes) -> bytes:
    """Spell the operation that puts bytes after the message.

    Args:
        data: the bytes.

    Returns:
        Its bytes.
    """
    return b"\xf0" + varbytes(data)


def prepend(data: bytes) -> bytes:
    """Spell the operation that puts bytes before the message.

    Args:
        data: the bytes.

    Returns:
        Its bytes.
    """
    return b"\xf1" + varbytes(data)


def detached(digest: bytes, tree: bytes, *, algorithm: bytes = SHA256) -> bytes:
    """Spell a whole file.

    Args:
        digest: where the proof starts.
        tree: operations and attestations.
        algorithm: tag of the digest's algorithm.

    Returns:
        The bytes of an `.ots` file.
    """
    return MAGIC + VERSION + algorithm + digest + tree


def path_to_block(digest: bytes) -> tuple[bytes, bytes]:
    """Lead from a digest to a merkle root as calendars do: nonce, transaction, one neighbour.

    Args:
        digest: where the path starts.

    Returns:
        The operations, and the message after them: a merkle root in header order.
    """
    nonce, neighbour = hashlib.sha256(digest).digest()[:16], hashlib.sha256(b"neighbour").digest()
    head, tail = b"made-up transaction ", b" end"
    leaf = hashlib.sha256(digest + nonce).digest()
    transaction = _twice(head + leaf + tail)
    operations = append(nonce) + SHA256 + prepend(head) + append(tail) + SHA256 * 2
    return operations + prepend(neighbour) + SHA256 * 2, _twice(neighbour + transaction)


def header(merkle_root: bytes, *, previous: bytes = bytes(32), time: int) -> bytes:
    """Mine a header of the easiest kind.

    Args:
        merkle_root: in header order.
        previous: hash of the block before, in header order.
        time: seconds since 1970.

    Returns:
        80 bytes with the smallest nonce that satisfies the target.
    """
    nonce = 0
    while True:
        raw = struct.pack("<i32s32sIII", 1, previous, merkle_root, time, EASY_BITS, nonce)
        if _twice(raw)[31] < 0x7F:
            return raw
        nonce += 1


def made_headers() -> tuple[tuple[int, bytes], ...]:
    """Give the made-up headers: 100 holds the test record, 101 follows it, 105 stands alone.

    Returns:
        Heights and headers.
    """
    _, root = path_to_block(RECORD)
    first = header(root, time=FIRST_BLOCK_TIME)
    other = hashlib.sha256(b"another tree of transactions").digest()
    second = header(other, previous=_twice(first), time=FIRST_BLOCK_TIME + 600)
    return (100, first), (101, second), (105, header(root, time=FIRST_BLOCK_TIME + 3_000))


def made_proofs() -> dict[str, bytes]:
    """Give the made-up proofs of the test record.

    Returns:
        File names and bytes.
    """
    path, _ = path_to_block(RECORD)
    calendars = [pending(f"https://{name}.calendar.example") for name in ("bob", "alice")]
    strange = attestation(STRANGE, b"what only a later version understands")
    several = (
        FORK
        + append(b"one way")
        + SHA256
        + calendars[0]
        + FORK
        + append(b"another way")
        + SHA256
        + calendars[1]
        + FORK
        + strange
        + FORK
        + attestation(LITECOIN, varuint(7))
        + path
        + FORK
        + bitcoin(105)
        + bitcoin(100)
    )
    trees = {
        "bitcoin": path + bitcoin(100),
        "no-header": path + bitcoin(250),
        "operations": KECCAK256 + RIPEMD160 + HEXLIFY + REVERSE + SHA1 + SHA256 + bitcoin(101),
        "other-root": append(b"another nonce") + SHA256 + bitcoin(100),
        "pending": append(b"nonce") + SHA256 + calendars[1],
        "several": several,
    }
    return {f"{name}.ots": detached(RECORD, tree) for name, tree in trees.items()}


def files() -> dict[Path, bytes]:
    """Give every generated file.

    Returns:
        Paths and bytes.
    """
    lines = [f"{height} {raw.hex()}\n" for height, raw in made_headers()]
    comment = "# Made up for tests by generate.py; no block of any chain.\n"
    written = {MADE / name: data for name, data in made_proofs().items()}
    written[MADE / "headers.txt"] = (comment + "".join(lines)).encode()
    return written


def differences() -> list[str]:
    """Name the files that are not as generated.

    Returns:
        Their names, sorted.
    """
    written = files()
    return sorted(
        path.name
        for path in {*written, *MADE.iterdir()}
        if not path.is_file() or path.read_bytes() != written.get(path)
    )


def main() -> int:
    """Write or compare.

    Returns:
        1 if a comparison found a difference.
    """
    parser = argparse.ArgumentParser(description="Write made-up timestamp proofs and headers.")
    parser.add_argument(
        "--check", action="store_true", help="compare with the files; write nothing"
    )
    if parser.parse_args().check:
        changed = differences()
        print("\n".join(f"differs: {name}" for name in changed) or "all files are as generated")
        return 1 if changed else 0
    MADE.mkdir(exist_ok=True)
    written = files()
    for path, data in written.items():
        path.write_bytes(data)
    print(f"{len(written)} files written")
    return 0


def _twice(data: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(data).digest()).digest()


if __name__ == "__main__":
    sys.exit(main())

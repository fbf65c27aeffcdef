"""OpenTimestamps proofs: real ones are read, damaged ones never prove anything."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest
from Cryptodome.Hash import RIPEMD160, keccak
from hypothesis import given
from hypothesis import strategies as st
from opentimestamps.core.notary import PendingAttestation
from opentimestamps.core.timestamp import DetachedTimestampFile

from generator.errors import FormatError
from generator.formats import timestamp_proof
from generator.formats.block_headers import (
    BlockHeaders,
    check_attestation,
    parse_block_headers,
)
from generator.formats.checks import Outcome
from generator.formats.digest import Digest, sha256
from generator.formats.timestamp_proof import (
    Bitcoin,
    Pending,
    TimestampProof,
    Unknown,
    check_commitment,
    parse_timestamp_proof,
)
from generator.limits import DEFAULT_LIMITS
from tests.timestamps import generate

FOLDER = Path(generate.__file__).resolve().parent
ROOTS = {
    "hello-world": "8a1b66ecb7cbd07d8139a7e7d7f2c41aab1f5009b8364aaf61d03ad245e47e00",
    "bad-stamp": "1bb49db87782170860c2e467994762f7f00c815d80d712e7eb9a7c14b9811f92",
    "empty": "db29fdc2c27a1531ae08a9dff2d9e4dfedd9c902d16de542d8666a27367e5b71",
    "different-blockchains": "2a19192cf00fb1baeea516b69b3a62195849589b4caafeb6ad6ebba58b9ae69a",
    "osdsp": "3c4fe7e01d8a73acbef3cbf6269d53f21eeffba8afab0fea5e78e7a053077839",
}
ALICE = "https://alice.btc.calendar.opentimestamps.org"
BOB = "https://bob.btc.calendar.opentimestamps.org"
# What each real proof was made of, and what `ots info` says of it.
REAL: dict[str, tuple[str, list[object]]] = {
    "hello-world.txt.ots": (
        "03ba204e50d126e4674c005e04d82e84c21366780af1f43bd54a37816b6ab340",
        [(358391, ROOTS["hello-world"])],
    ),
    "bad-stamp.txt.ots": (
        "7e3717bbe020f53cdc6c40154a1a8e55bddc13a28c8bb3c82e9ee64b81b44872",
        [(358391, ROOTS["bad-stamp"])],
    ),
    "empty.ots": (hashlib.sha256(b"").hexdigest(), [(129405, ROOTS["empty"])]),
    "different-blockchains.txt.ots": (
        "62c8b090faa21ee5f2e75399d4909e1e27a00ade7dca8f219c6fd34f54de3494",
        [
            (455605, ROOTS["different-blockchains"]),
            Pending("https://eth.ots.eternitywall.com"),
            Pending("https://ots.eternitywall.it"),
            Unknown("30fe8087b5c7ead7"),
        ],
    ),
    "incomplete.txt.ots": (
        "05c4f616a8e5310d19d938cfd769864d7f4ccdc2ca8b479b10af83564b097af9",
        [Pending(ALICE)],
    ),
    "two-calendars.txt.ots": (
        "efaa174f68e59705757460f4f7d204bd2b535cfd194d9d945418732129404ddb",
        [Pending(ALICE), Pending(BOB)],
    ),
    "known-and-unknown-notary.txt.ots": (
        "d288b2ee212b01e3e5f6d333df3a4d53f292cc3f07b09013c0b40c8e7dcb9c03",
        [Pending(BOB), Unknown("0102030405060708")],
    ),
    "osdsp.txt.ots": (
        "397a00836979837319bdd350aa93bcc2798e94e08ab00f32f355e5ebe7837c2b",
        [
            (523364, ROOTS["osdsp"]),
            Pending(ALICE),
            Pending(BOB),
            Pending("https://btc.calendar.catallaxy.com"),
            Pending("https://finney.calendar.eternitywall.com"),
        ],
    ),
}
READABLE = sorted(
    path
    for path in (*FOLDER.glob("real/*.ots"), *FOLDER.glob("made/*.ots"))
    if path.name not in {"ripemd160.ots", "sha1-a-or-b.ots"}
)
RECORD = Digest(generate.RECORD)


def read(data: bytes) -> TimestampProof:
    """Parse under the name that messages then carry.

    Args:
        data: of a proof.

    Returns:
        The proof.
    """
    return parse_timestamp_proof(data, subject="proof_b64")


def refusal(data: bytes) -> FormatError:
    """Parse what must be refused.

    Args:
        data: of no proof.

    Returns:
        The error.
    """
    with pytest.raises(FormatError) as caught:
        read(data)
    assert caught.value.subject == "proof_b64"
    return caught.value


def tree(*parts: bytes) -> bytes:
    """Make a proof of the test record.

    Args:
        parts: operations and attestations.

    Returns:
        The bytes of the file.
    """
    return generate.detached(generate.RECORD, b"".join(parts))


@cache
def headers_of(folder: str) -> BlockHeaders:
    """Read the headers of a folder.

    Args:
        folder: "real" or "made".

    Returns:
        The headers.
    """
    data = (FOLDER / folder / "headers.txt").read_bytes()
    return parse_block_headers(data, subject="headers.txt")


def verified(proof: TimestampProof, folder: str) -> set[Bitcoin]:
    """Check a proof with the headers of a folder.

    Args:
        proof: any proof.
        folder: "real" or "made".

    Returns:
        The attestations that verify.
    """
    return {
        one
        for one in proof.attestations
        if isinstance(one, Bitcoin)
        if check_attestation(one, headers_of(folder)).finding.outcome is Outcome.VERIFIED
    }


def read_damaged(data: bytes, index: int, mask: int) -> TimestampProof | None:
    """Parse a proof with one byte changed.

    Args:
        data: of a proof.
        index: of the byte.
        mask: the bits to flip.

    Returns:
        What was read; None where it was refused.
    """
    try:
        return read(data[:index] + bytes([data[index] ^ mask]) + data[index + 1 :])
    except FormatError:
        return None


def test_made_files_are_as_generated() -> None:
    """The made-up proofs and headers are those that generate.py writes."""
    assert generate.differences() == []


@pytest.mark.parametrize("name", sorted(REAL))
def test_real_proof_says_what_the_reference_client_says(name: str) -> None:
    """Digest, heights, merkle roots, calendars and unknown kinds of real proofs are read."""
    digest, expected = REAL[name]
    proof = read((FOLDER / "real" / name).read_bytes())
    assert str(proof.digest) == digest
    assert [
        (one.height, one.root_text) if isinstance(one, Bitcoin) else one
        for one in proof.attestations
    ] == expected


def test_real_proof_is_of_the_text_it_was_made_of() -> None:
    """The digest that a proof starts from is the SHA-256 of the stamped bytes."""
    proof = read((FOLDER / "real" / "hello-world.txt.ots").read_bytes())
    assert proof.digest == sha256(b"Hello World!\n")


@pytest.mark.parametrize("algorithm", ["sha1", "ripemd160"])
def test_proof_of_another_kind_of_digest_is_refused(algorithm: str) -> None:
    """A proof that starts from a SHA-1 or RIPEMD-160 digest is refused by name."""
    (path,) = (FOLDER / "real").glob(f"{algorithm}*.ots")
    error = refusal(path.read_bytes())
    assert (error.expected, error.found) == ("a proof of a sha256 digest", algorithm)


def test_made_proof_leads_to_the_root_that_was_made() -> None:
    """Append, prepend and SHA-256 are applied: the message at the end is the block's root."""
    _, root = generate.path_to_block(generate.RECORD)
    assert read(tree(generate.path_to_block(generate.RECORD)[0], generate.bitcoin(100))) == (
        TimestampProof(RECORD, (Bitcoin(100, root),))
    )


def test_every_other_operation_is_applied() -> None:
    """Keccak-256, RIPEMD-160, hexlify, reverse, SHA-1 and SHA-256 give the right message."""
    message = keccak.new(data=generate.RECORD, digest_bits=256).digest()
    message = RIPEMD160.new(message).hexdigest().encode()[::-1]
    message = hashlib.sha256(hashlib.sha1(message, usedforsecurity=False).digest()).digest()
    proof = read((FOLDER / "made" / "operations.ots").read_bytes())
    assert proof.attestations == (Bitcoin(101, message),)


def test_ripemd160_does_not_depend_on_openssl(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof with RIPEMD-160 reads the same where the interpreter's OpenSSL has none."""
    data = (FOLDER / "real" / "hello-world.txt.ots").read_bytes()
    expected = read(data)
    real_new = hashlib.new

    def without_ripemd160(name: str, content: bytes = b"") -> object:
        if name == "ripemd160":
            raise ValueError(name)
        return real_new(name, content)

    monkeypatch.setattr(hashlib, "new", without_ripemd160)
    assert read(data) == expected


def test_attestations_stand_once_and_in_one_order() -> None:
    """The order of branches and repetitions in the file change nothing in what is read."""
    leaves = (
        generate.pending("https://b.example"),
        generate.pending("https://a.example"),
        generate.attestation(generate.STRANGE, b"1"),
        generate.bitcoin(9),
        generate.bitcoin(8),
        generate.pending("https://b.example"),
        generate.attestation(generate.STRANGE, b"2"),
    )
    proofs = {
        read(tree(*(generate.FORK + leaf for leaf in order[:-1]), order[-1]))
        for order in itertools.permutations(leaves)
    }
    assert proofs == {
        TimestampProof(
            RECORD,
            (
                Bitcoin(8, generate.RECORD),
                Bitcoin(9, generate.RECORD),
                Pending("https://a.example"),
                Pending("https://b.example"),
                Unknown("0102030405060708"),
            ),
        )
    }


def test_attestations_of_another_chain_are_unknown() -> None:
    """A Litecoin attestation is carried as an unknown kind, never as Bitcoin's."""
    leaf = generate.attestation(generate.LITECOIN, generate.varuint(7))
    assert read(tree(leaf)).attestations == (Unknown("06869a0d73d71b45"),)


def test_commitment_to_the_record_is_verified() -> None:
    """A proof of the record's digest commits to it."""
    finding = check_commitment(read(tree(generate.bitcoin(1))), RECORD)
    assert finding.outcome is Outcome.VERIFIED
    assert finding.expected == finding.found == f"a proof of {RECORD}"


def test_commitment_to_something_else_has_failed() -> None:
    """A proof of any other digest fails, and both digests are named."""
    other = sha256(b"another record")
    finding = check_commitment(read(tree(generate.bitcoin(1))), other)
    assert finding.outcome is Outcome.FAILED
    assert (finding.expected, finding.found) == (f"a proof of {other}", f"a proof of {RECORD}")


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_truncated_proof_is_refused(path: Path) -> None:
    """A proof cut anywhere, from its first byte to its last, is refused."""
    data = path.read_bytes()
    for length in range(len(data)):
        assert refusal(data[:length]).found in {
            "other first bytes",
            "an end in the middle",
        }


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_damaged_proof_proves_nothing_new(path: Path) -> None:
    """With a bit of any byte flipped, no attestation verifies that did not verify before."""
    data = path.read_bytes()
    original = read(data)
    before = verified(original, path.parent.name)
    for index in range(len(data)):
        proof = read_damaged(data, index, 1 << index % 8)
        if proof is None:
            continue
        after = verified(proof, path.parent.name)
        assert after <= (before if proof.digest == original.digest else set())


def test_damage_in_the_beginning_is_refused() -> None:
    """With any byte of the beginning, version or algorithm changed, nothing is read."""
    data = (FOLDER / "made" / "bitcoin.ots").read_bytes()
    beginning = range(len(generate.MAGIC) + 2)
    assert {read_damaged(data, index, 0x10) for index in beginning} == {None}


def test_damage_on_the_only_path_to_a_block_is_always_found() -> None:
    """Where one path leads to one block, whatever any byte is changed to: it never verifies."""
    data = (FOLDER / "made" / "bitcoin.ots").read_bytes()
    assert verified(read(data), "made")
    for index, mask in itertools.product(range(len(data)), (1, 2, 4, 8, 16, 32, 64, 128, 255)):
        proof = read_damaged(data, index, mask)
        assert proof is None or proof.digest != RECORD or not verified(proof, "made")


def test_damage_on_a_real_path_is_found_or_means_the_same() -> None:
    """In a real proof only one byte can change and still verify: it means the same either way.

    Bitcoin pairs the last node of an odd row with itself, and a message put before itself is the
    message put after itself.
    """
    data = (FOLDER / "real" / "hello-world.txt.ots").read_bytes()
    original = read(data)
    same = [
        data[index : index + 1]
        for index, mask in itertools.product(range(len(data)), (0x01, 0xFF))
        if (proof := read_damaged(data, index, mask)) is not None
        and proof.digest == original.digest
        and verified(proof, "real")
    ]
    assert same == [b"\xf0"]


@given(st.binary(max_size=400))
def test_any_tree_is_read_or_refused(content: bytes) -> None:
    """Whatever stands after a right beginning, only a proof or a FormatError comes out."""
    try:
        proof = read(tree(content))
    except FormatError:
        return
    assert proof.digest == RECORD
    assert proof.attestations


@given(
    st.lists(
        st.sampled_from(
            [
                generate.FORK,
                generate.SHA256,
                generate.REVERSE,
                generate.HEXLIFY,
                generate.append(b"a"),
                generate.bitcoin(7),
                generate.pending("https://a.example"),
                generate.attestation(generate.STRANGE, b""),
            ]
        ),
        max_size=40,
    )
)
def test_any_sequence_of_parts_is_read_or_refused(parts: list[bytes]) -> None:
    """Parts of proofs in any order make a proof of the record or a FormatError."""
    try:
        proof = read(tree(*parts))
    except FormatError:
        return
    assert proof.digest == RECORD
    assert proof.attestations


@given(st.binary(max_size=100))
def test_any_bytes_are_refused(content: bytes) -> None:
    """Bytes without the format's beginning are refused, whatever they are."""
    assert refusal(content).found == "other first bytes"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (tree(generate.bitcoin(1), b"\x00"), "bytes after its end"),
        (generate.MAGIC + b"\x02" + tree(generate.bitcoin(1))[32:], "another version"),
        (tree(b"\x99", generate.bitcoin(1)), "bytes that break the format"),
        (tree(b"\xf0\x00", generate.bitcoin(1)), "bytes that break the format"),
        (tree(generate.pending("https://a.example/?q")), "bytes that break the format"),
        (tree(generate.append(b"a" * 4096), generate.bitcoin(1)), "bytes that break the format"),
        (tree(generate.SHA256 * 256, generate.bitcoin(1)), "more than 255 operations in a row"),
        (tree(generate.attestation(generate.BITCOIN, b"\x01\x00")), "bytes after its end"),
        (tree(generate.attestation(generate.BITCOIN, b"")), "an end in the middle"),
        (tree(generate.pending("")), "''"),
        (tree(generate.append(b"a"), generate.bitcoin(1)), "33 bytes"),
        (tree(generate.bitcoin(500_000_000)), "a greater one"),
        # More digits than Python converts to text.
        (
            tree(generate.attestation(generate.BITCOIN, b"\xff" * 8_000 + b"\x01")),
            "a greater one",
        ),
    ],
)
def test_malformed_proof_is_refused(data: bytes, found: str) -> None:
    """Each way of breaking the format is refused with words of ours, not of the library."""
    assert refusal(data).found == found


def test_unprintable_uri_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A URI with a character that turns text around is refused, even if the library lets it by."""
    monkeypatch.setattr(PendingAttestation, "check_uri", lambda *_: None)
    assert refusal(tree(generate.pending("https://a.example/\u202e"))).found == (
        "'https://a.example/\\\\u202e'"
    )


def test_longest_row_of_operations_is_read() -> None:
    """255 operations in a row are still a proof."""
    proof = read(tree(generate.SHA256 * 255, generate.bitcoin(1)))
    assert len(proof.attestations) == 1


def test_largest_height_is_read() -> None:
    """The last height that Bitcoin does not read as a time is still a height."""
    proof = read(tree(generate.bitcoin(DEFAULT_LIMITS.block_height_max)))
    assert proof.attestations == (Bitcoin(499_999_999, generate.RECORD),)


def test_length_is_bounded() -> None:
    """A proof of one byte more than the limit is refused by its length, before it is read."""
    limit = DEFAULT_LIMITS.timestamp_proof_max_length
    assert refusal(bytes(limit)).found == "other first bytes"
    assert refusal(bytes(limit + 1)).found == f"{limit + 1} bytes"


def test_number_of_attestations_is_bounded() -> None:
    """64 attestations are read; 65, repeated or not, are refused."""
    leaf = generate.attestation(generate.STRANGE, b"")
    limit = DEFAULT_LIMITS.timestamp_attestations_max_count
    many = [generate.bitcoin(height) for height in range(limit)]
    forks = [generate.FORK + leaf for leaf in many]
    assert len(read(tree(*forks[:-1], many[-1])).attestations) == limit
    assert refusal(tree(*forks, leaf)).found == f"{limit + 1} attestations"


def test_work_is_bounded() -> None:
    """Many small operations over a long message are refused before they cost time and memory."""
    branch = generate.REVERSE * 250 + generate.bitcoin(1)
    branches = [
        generate.FORK + generate.append(number.to_bytes(2, "big")) + branch for number in range(200)
    ]
    data = tree(generate.append(b"a" * 4000), *branches, generate.bitcoin(1))
    assert len(data) < DEFAULT_LIMITS.timestamp_proof_max_length
    limit = DEFAULT_LIMITS.timestamp_proof_pieces_max_count
    assert refusal(data).expected == f"a proof of at most {limit} pieces"


def test_real_proofs_are_far_from_the_bound_on_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the pieces allowed is enough for every real proof at hand."""
    few = replace(DEFAULT_LIMITS, timestamp_proof_pieces_max_count=204)
    monkeypatch.setattr(timestamp_proof, "DEFAULT_LIMITS", few)
    for name in REAL:
        assert read((FOLDER / "real" / name).read_bytes()).attestations


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (RecursionError(), "operations nested too deep"),
        (MemoryError(), "operations that need too much memory"),
        (AssertionError("a message of the library"), "bytes that break the format"),
    ],
)
def test_no_error_of_the_library_gets_out(
    error: Exception, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the library raises becomes a FormatError, and its own words are not shown."""

    def failing(_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(DetachedTimestampFile, "deserialize", failing)
    assert refusal(tree(generate.bitcoin(1))).found == found

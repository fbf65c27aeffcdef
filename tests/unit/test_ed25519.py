"""Ed25519: which keys may be pinned, and exactly which signatures verify (docs/formats/events.md).

Public vectors come from the `cryptography-vectors` package; what no public vector there shows is
made here with the plain arithmetic of `tests/edwards.py`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import tomllib
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from generator.config import parse_configuration
from generator.errors import ConfigurationError, FormatError
from generator.formats.digest import Digest, sha256
from generator.formats.ed25519 import SMALL_ORDER, SMALL_ORDER_OTHERWISE, public_key_fault
from generator.formats.instant import parse_instant
from generator.formats.keys import Role, TrustedKey, trusted_keys
from generator.formats.rotation import apply_rotations
from tests.edwards import BASE, NEUTRAL, L, P, Point, challenge, decoded, signature, torsion
from tests.vectors import builders

ROOT = Path(__file__).resolve().parents[2]
EIGHT = torsion()
MESSAGE = sha256(b"the message of these tests")
SECRET = int.from_bytes(hashlib.sha256(b"a secret scalar, worth nothing").digest(), "little") % L
NONCE = int.from_bytes(hashlib.sha256(b"a nonce, worth nothing").digest(), "little") % L
OWN = SECRET * BASE


def key_of(raw: bytes) -> TrustedKey:
    """Pin a public key."""
    return TrustedKey(
        key_id="k",
        public_key=raw,
        signer_id="registry.test",
        roles=(Role.REGISTRY,),
        valid_from=parse_instant("2026-01-01T00:00:00Z", subject="valid_from"),
    )


def signed_with(*, a: bytes, secret: int, r: bytes, nonce: int, message: bytes) -> bytes:
    """Solve S = r + k a for the spellings given of R and A."""
    return signature(r, (nonce + challenge(r, a, message) * secret) % L)


def lenient(raw: bytes, signed: bytes, message: bytes) -> bool:
    """Verify with the library alone, which pins nothing and refuses no key."""
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signed, message)
    except InvalidSignature:
        return False
    return True


def public_vectors() -> list[tuple[bytes, bytes, bytes]]:
    """Read key, message and signature of the 1024 vectors of Ed25519's authors."""
    files = resources.files("cryptography_vectors")
    text = (files / "asymmetric" / "Ed25519" / "sign.input").read_text(encoding="ascii")
    rows = [[bytes.fromhex(part) for part in line.split(":")[:4]] for line in text.splitlines()]
    return [(public, message, signed[:64]) for _, public, message, signed in rows]


VECTORS = public_vectors()


def test_arithmetic_of_these_tests_is_that_of_the_curve() -> None:
    """The plain arithmetic gives the public key and the signature that the library gives."""
    seed = hashlib.sha512(hashlib.sha256(b"pith-mirror test vectors: test-registry").digest())
    scalar = int.from_bytes(seed.digest()[:32], "little") & (1 << 254) - 8 | 1 << 254
    assert (scalar * BASE).encoded == builders.REGISTRY.public
    assert L * BASE == NEUTRAL
    prefix = seed.digest()[32:]
    nonce = int.from_bytes(hashlib.sha512(prefix + MESSAGE.raw).digest(), "little") % L
    made = signed_with(
        a=builders.REGISTRY.public,
        secret=scalar,
        r=(nonce * BASE).encoded,
        nonce=nonce,
        message=MESSAGE.raw,
    )
    assert base64.b64encode(made).decode() == builders.REGISTRY.signature(MESSAGE.raw)


def test_public_vectors_are_those_of_the_rfc() -> None:
    """The file begins with TEST 1 to 3 of RFC 8032 7.1 and holds messages of 0 to 1023 bytes."""
    assert [public.hex()[:8] for public, _, _ in VECTORS[:3]] == [
        "d75a9801",
        "3d4017c3",
        "fc51cd8e",
    ]
    assert [message.hex() for _, message, _ in VECTORS[:3]] == ["", "72", "af82"]
    assert sorted(len(message) for _, message, _ in VECTORS) == list(range(1024))


def test_public_vectors_verify() -> None:
    """Each of the 1024 signatures verifies under its key, and under no neighbour's."""
    for index, (public, message, signed) in enumerate(VECTORS):
        assert public_key_fault(public) is None
        key = key_of(public)
        assert key.signed(Digest(message), signed)
        assert not key.signed(Digest(VECTORS[index - 1][1]), signed)


def test_public_vectors_changed_in_one_bit_do_not_verify() -> None:
    """A bit changed in R, in S or in the message makes a signature of it wrong."""
    for index, (public, message, signed) in enumerate(VECTORS[1:257]):
        key, bit = key_of(public), 1 << index % 8
        for place in (index % 32, 32 + index % 32):
            changed = bytearray(signed)
            changed[place] ^= bit
            assert not key.signed(Digest(message), bytes(changed))
        spoilt = bytearray(message)
        spoilt[index % len(message)] ^= bit
        assert not key.signed(Digest(bytes(spoilt)), signed)


def test_public_vectors_with_a_shifted_s_do_not_verify() -> None:
    """S + L spells the same scalar again and is refused wherever it fits (RFC 8032 5.1.7)."""
    for public, message, signed in VECTORS[:256]:
        key, s = key_of(public), int.from_bytes(signed[32:], "little")
        for shifted in (s + L, s + 7 * L, (1 << 256) - 1):
            assert not key.signed(Digest(message), signature(signed[:32], shifted))
        # The mirror image of a signature is another equation, not another spelling.
        assert not key.signed(Digest(message), signature(signed[:32], L - s))


@pytest.mark.parametrize("length", [0, 32, 63, 65, 128])
def test_signature_of_another_length_does_not_verify(length: int) -> None:
    """64 bytes are a signature; less or more is none, also if its beginning is one."""
    public, message, signed = VECTORS[32]
    assert not key_of(public).signed(Digest(message), (signed + signed)[:length])


def test_signature_made_by_hand_verifies() -> None:
    """S = r + k a below L with R spelled canonically verifies: the equation is the whole rule."""
    a, r = OWN.encoded, (NONCE * BASE).encoded
    made = signed_with(a=a, secret=SECRET, r=r, nonce=NONCE, message=MESSAGE.raw)
    assert key_of(a).signed(MESSAGE, made)
    assert not key_of(a).signed(sha256(b"another message"), made)


def test_r_of_small_order_verifies_only_as_the_equation_says() -> None:
    """R of order 1 verifies, which only the key's owner can make; a multiple of 8 is not added."""
    a = OWN.encoded
    for point in EIGHT:
        made = signed_with(a=a, secret=SECRET, r=point.encoded, nonce=0, message=MESSAGE.raw)
        # With the cofactor, as RFC 8032 5.1.7 allows too, all eight would verify.
        assert key_of(a).signed(MESSAGE, made) is (point == NEUTRAL)


@pytest.mark.parametrize("raw", sorted(SMALL_ORDER_OTHERWISE), ids=lambda raw: raw.hex()[:8])
def test_r_in_another_spelling_does_not_verify(raw: bytes) -> None:
    """R is compared as bytes: a spelling that is not canonical is refused, whatever it means."""
    a = OWN.encoded
    made = signed_with(a=a, secret=SECRET, r=raw, nonce=0, message=MESSAGE.raw)
    assert not key_of(a).signed(MESSAGE, made)


@pytest.mark.parametrize("torsion_point", EIGHT[1:], ids=lambda point: f"order{point.order}")
def test_r_with_a_part_of_small_order_does_not_verify(torsion_point: Point) -> None:
    """R = r B + T is not what [S]B - [k]A gives, so a signature has no eight variants."""
    a, r = OWN.encoded, (NONCE * BASE + torsion_point).encoded
    made = signed_with(a=a, secret=SECRET, r=r, nonce=NONCE, message=MESSAGE.raw)
    assert not key_of(a).signed(MESSAGE, made)


def test_key_of_mixed_order_verifies_without_the_cofactor() -> None:
    """Under A = a B + T a signature verifies exactly where k T vanishes: no factor 8 is added."""
    mixed = next(OWN + point for point in EIGHT if point.order == 8)
    key, seen = key_of(mixed.encoded), set()
    for nonce in range(1, 60):
        r = (nonce * BASE).encoded
        made = signed_with(a=mixed.encoded, secret=SECRET, r=r, nonce=nonce, message=MESSAGE.raw)
        vanishes = challenge(r, mixed.encoded, MESSAGE.raw) % 8 == 0
        assert key.signed(MESSAGE, made) is vanishes
        seen.add(vanishes)
    assert seen == {True, False}


def test_small_order_table_is_complete() -> None:
    """The table holds the eight points whose order divides 8, and every other spelling of them."""
    assert sorted(point.order for point in EIGHT) == [1, 2, 4, 4, 8, 8, 8, 8]
    canonical = {point.encoded for point in EIGHT}
    assert canonical == SMALL_ORDER
    numbers = (
        y | sign for y in (*range(P, 1 << 255), *(e.y for e in EIGHT)) for sign in (0, 1 << 255)
    )
    spellings = {number.to_bytes(32, "little") for number in numbers}
    assert {raw for raw in spellings if decoded(raw) in EIGHT} - canonical == SMALL_ORDER_OTHERWISE


@pytest.mark.parametrize(
    "raw",
    sorted(SMALL_ORDER | SMALL_ORDER_OTHERWISE),
    ids=lambda raw: raw.hex()[:4] + raw.hex()[-4:],
)
def test_key_of_small_order_is_refused(raw: bytes) -> None:
    """Without a secret a signature of such a key can be made, so no such key can be pinned."""
    point = decoded(raw)
    assert point is not None
    r = (NONCE * BASE).encoded
    a_message = next(
        digest
        for digest in (sha256(b"%d" % number) for number in range(200))
        if challenge(r, raw, digest.raw) % 8 * point == NEUTRAL
    )
    assert lenient(raw, signature(r, NONCE), a_message.raw)
    with pytest.raises(FormatError, match="a point of small order, whose signatures prove nothing"):
        key_of(raw)


@pytest.mark.parametrize("y", range(P, 1 << 255), ids=lambda y: f"y+{y - P}")
@pytest.mark.parametrize("sign", [0, 1 << 255], ids=["even", "odd"])
def test_key_in_another_spelling_is_refused(y: int, sign: int) -> None:
    """A y that is not below p is refused, whether or not it decodes to a point (RFC 8032 5.1.3)."""
    with pytest.raises(FormatError, match=r"public key k: expected a public key of Ed25519"):
        key_of((y | sign).to_bytes(32, "little"))


def test_key_is_refused_exactly_where_there_is_no_point() -> None:
    """Of arbitrary canonical spellings those are accepted that decode to a point of the curve."""
    accepted = 0
    for number in range(200):
        y = int.from_bytes(sha256(b"y %d" % number).raw, "little") % P
        raw = y.to_bytes(32, "little")
        fault = public_key_fault(raw)
        assert (fault is None) is (decoded(raw) is not None)
        assert fault is None or fault[1] == "no point of the curve"
        accepted += fault is None
    assert 60 < accepted < 140


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (bytes(32), "a point of small order, whose signatures prove nothing"),
        (b"\xff" * 31 + b"\x7f", "a spelling that is not canonical: y is not below 2^255 - 19"),
        (b"\x02" + bytes(31), "no point of the curve"),
    ],
)
def test_key_refused_in_a_configuration_is_named_with_its_line(raw: bytes, found: str) -> None:
    """In mirror.toml each of them is a configuration error at the line of the key."""
    text = (ROOT / "mirror.toml").read_text(encoding="utf-8")
    pinned = tomllib.loads(text)["trusted_keys"][0]["public_key_b64"]
    line = next(i for i, row in enumerate(text.splitlines(), 1) if pinned in row)
    spoilt = text.replace(pinned, base64.b64encode(raw).decode()).encode()
    with pytest.raises(ConfigurationError) as caught:
        parse_configuration(spoilt, name="mirror.toml", read=lambda _: b"")
    assert caught.value.subject == f"mirror.toml, line {line}, trusted_keys.public_key_b64"
    assert caught.value.expected == "a public key of Ed25519 (RFC 8032 5.1)"
    assert caught.value.found == found
    assert caught.value.exit_code == 5


def rotation_to(raw: bytes) -> builders.Json:
    """A genuine rotation by the test registry to a key of the given bytes."""
    event = builders.event_of(
        builders.record_of(builders.PAPER),
        "key_rotation",
        {
            "key_id": "next",
            "algorithm": "ed25519",
            "public_key_b64": base64.b64encode(raw).decode(),
            "valid_from": "2027-01-01T00:00:00Z",
        },
        target="key",
    )
    return builders.signed(event)


def test_rotation_to_a_key_of_small_order_is_refused() -> None:
    """A genuine rotation cannot bring in what mirror.toml may not pin either."""
    old = replace(key_of(builders.REGISTRY.public), key_id=builders.REGISTRY.key_id)
    trust = trusted_keys([old])
    assert apply_rotations(trust, [rotation_to(builders.SILENT.public)]).find("next") is not None
    for raw in SMALL_ORDER | SMALL_ORDER_OTHERWISE:
        with pytest.raises(FormatError, match=r"public key next: .* a point of small order"):
            apply_rotations(trust, [rotation_to(raw)])


def test_rotation_file_with_a_key_of_small_order_is_a_configuration_error() -> None:
    """The rotations that mirror.toml names are held to the same rule, with exit code 5."""
    data = (ROOT / "tests" / "vectors" / "mirror.toml").read_bytes()
    data += b'\n[trust]\nrotations = "rotations.json"\n'
    good, bad = (
        json.dumps([rotation_to(raw)]).encode() for raw in (builders.SILENT.public, bytes(32))
    )
    parsed = parse_configuration(data, name="mirror.toml", read=lambda _: good)
    assert parsed.trust.find("next") is not None
    with pytest.raises(ConfigurationError, match=r"trust\.rotations: .* of small order"):
        parse_configuration(data, name="mirror.toml", read=lambda _: bad)

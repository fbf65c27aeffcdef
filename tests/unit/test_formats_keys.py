"""Trusted keys: windows, roles, fingerprints, and base64 of one spelling."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest

from generator.errors import FormatError
from generator.formats.canonical import JsonValue
from generator.formats.digest import sha256
from generator.formats.instant import parse_instant
from generator.formats.keys import (
    EventProfile,
    Role,
    TrustedKey,
    parse_base64,
    trusted_keys,
)
from tests.vectors import builders

KEY = TrustedKey(
    key_id="k",
    public_key=builders.REGISTRY.public,
    signer_id="registry.test",
    roles=(Role.REGISTRY,),
    valid_from=parse_instant("2026-01-01T00:00:00Z", subject="valid_from"),
)
LATER = parse_instant("2026-06-01T00:00:00Z", subject="later")


@pytest.mark.parametrize(
    ("key", "moment", "fault"),
    [
        (KEY, "2025-12-31T23:59:59.999999999Z", "signed from 2026-01-01T00:00:00Z on (key k)"),
        (KEY, "2026-01-01T00:00:00Z", None),
        (KEY, "9999-12-31T23:59:59Z", None),
        (replace(KEY, valid_until=LATER), "2026-05-31T23:59:59.999999999Z", None),
        (
            replace(KEY, valid_until=LATER),
            "2026-06-01T00:00:00Z",
            "signed before 2026-06-01T00:00:00Z",
        ),
        (replace(KEY, revoked_at=LATER), "2026-05-31T23:59:59Z", None),
        (replace(KEY, revoked_at=LATER), "2026-06-01T00:00:00Z", "signed before the revocation"),
    ],
)
def test_window_is_half_open(key: TrustedKey, moment: str, fault: str | None) -> None:
    """A signature counts from the first moment of a key to just before its end or revocation."""
    found = key.window_fault(parse_instant(moment, subject="moment"))
    if fault is None:
        assert found is None
    else:
        assert found is not None
        assert found[0].startswith(fault)
        assert found[1] == f"signed at {moment}"


def test_key_verifies_its_own_signature_and_no_other() -> None:
    """A signature verifies over the digest it was made of, with the key it was made with."""
    digest, other = sha256(b"one"), sha256(b"two")
    signature = base64.b64decode(builders.REGISTRY.signature(digest.raw))
    assert KEY.signed(digest, signature)
    assert not KEY.signed(other, signature)
    assert not replace(KEY, public_key=builders.SILENT.public).signed(digest, signature)
    assert not KEY.signed(digest, bytes(64))


def test_order_added_to_a_signature_is_noticed() -> None:
    """S and S + L would be two signatures of one message: only S counts (RFC 8032 5.1.7)."""
    digest = sha256(b"one")
    raw = base64.b64decode(builders.REGISTRY.signature(digest.raw))
    order = 2**252 + 27742317777372353535851937790883648493
    shifted = int.from_bytes(raw[32:], "little") + order
    assert not KEY.signed(digest, raw[:32] + shifted.to_bytes(32, "little"))


def test_fingerprint_is_that_of_the_raw_key() -> None:
    """The fingerprint is the first half of the SHA-256 of the raw key, in hex."""
    assert KEY.fingerprint == sha256(builders.REGISTRY.public).raw[:16].hex()
    assert KEY.public_key_b64 == builders.REGISTRY.public_b64


def test_two_keys_of_one_id_are_refused() -> None:
    """A key id names one key, or a configuration would say two things."""
    with pytest.raises(FormatError, match="trusted key k: expected each key id once"):
        trusted_keys([KEY, replace(KEY, public_key=builders.SILENT.public)])


def test_unknown_key_is_not_found() -> None:
    """A key that is not pinned is None, never a guess."""
    trust = trusted_keys([KEY])
    assert trust.find("k") is KEY
    assert trust.find("K") is None


@pytest.mark.parametrize(
    "change",
    [
        {"key_id": "other"},
        {"public_key": builders.SILENT.public},
        {"signer_id": "other.test"},
        {"roles": (Role.AUTHOR,)},
        {"valid_from": LATER},
        {"valid_until": LATER},
        {"revoked_at": LATER},
        {"event_profile": EventProfile.MIRROR1},
    ],
)
def test_digest_of_the_trust_changes_with_every_field(change: dict[str, object]) -> None:
    """Verdicts are comparable only under equal trust, so every field of a key is in its digest."""
    changed = replace(KEY, **change)  # type: ignore[arg-type]
    assert trusted_keys([KEY]).digest != trusted_keys([changed]).digest


def test_digest_of_the_trust_does_not_depend_on_order() -> None:
    """The order of keys in a configuration changes nothing."""
    other = replace(KEY, key_id="other")
    assert trusted_keys([KEY, other]).digest == trusted_keys([other, KEY]).digest


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (None, "null"),
        (1, "an integer"),
        ("AAA", "'AAA'"),
        ("AAA=\n", "'AAA="),
        (" AAA=", "' AAA='"),
        ("AA-_", "'AA-_'"),
        ("é===", "'é==='"),
        ("AA======", "'AA======'"),
        ("AAAA", "3 bytes"),
        ("AA==", "1 bytes"),
        ("AAB=", "spare bits"),
        ("", "0 bytes"),
    ],
)
def test_base64_has_one_spelling(value: JsonValue, found: str) -> None:
    """Two bytes have one base64: no white space, other alphabet, spare bits, other length."""
    with pytest.raises(FormatError, match="expected base64 of 2 bytes") as caught:
        parse_base64(value, subject="x", length=2)
    assert found in caught.value.found


def test_base64_of_the_right_length_is_read() -> None:
    """The canonical spelling is read."""
    assert parse_base64("AAE=", subject="x", length=2) == b"\x00\x01"

"""Vectors of `[trust] rotations`: files of `key_rotation` events (`docs/formats/events.md`).

Each is read on top of the keys in `mirror.toml`. A file counts as a whole or not at all.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.vectors.builders import (
    AUTHOR,
    EXPIRED,
    GONE,
    PAPER,
    REGISTRY,
    REVOKED,
    SILENT,
    STRANGER,
    Json,
    SigningKey,
    edited,
    event_of,
    flipped,
    record_of,
    sealed,
    signed,
)

NEXT = SigningKey("test-next", valid_from="2026-06-01T00:00:00Z")
AFTER_NEXT = SigningKey("test-after-next", valid_from="2026-09-01T00:00:00Z")
RECORD = record_of(PAPER)
SAID = "2026-05-20T00:00:00Z"
_P = 2**255 - 19  # the prime of the field (RFC 8032 5.1)
IN_JULY = "2026-07-01T00:00:00Z"


@dataclass(frozen=True)
class RotationVector:
    """A file of rotations. `keys` are those that are new or have changed; None: it is refused."""

    name: str
    why: str
    events: Json
    keys: tuple[SigningKey, ...] | None

    @property
    def sidecar(self) -> Json:
        """The expectation as JSON."""
        rows = None if self.keys is None else [key_row(key) for key in self.keys]
        return {"why": self.why, "refused": self.keys is None, "keys": rows}


def key_row(key: SigningKey) -> Json:
    """A key as an expectation spells it."""
    return {
        "key_id": key.key_id,
        "public_key_b64": key.public_b64,
        "signer_id": key.signer_id,
        "roles": list(key.roles),
        "event_profile": key.profile,
        "valid_from": key.valid_from,
        "valid_until": key.valid_until,
        "revoked_at": key.revoked_at,
    }


def rotation(
    new: SigningKey = NEXT, *, by: SigningKey = REGISTRY, at: str = SAID, **more: Json
) -> Json:
    """A rotation to a key, signed by another."""
    payload = {
        "key_id": new.key_id,
        "algorithm": "ed25519",
        "public_key_b64": new.public_b64,
        "valid_from": new.valid_from,
        **more,
    }
    return signed(event_of(RECORD, "key_rotation", payload), key=by, created_at=at)


def rotation_vectors() -> tuple[RotationVector, ...]:
    """Every vector, by name."""
    found = (*_accepted(), *_chains(), *_refused_signatures(), *_refused_shapes())
    return tuple(sorted(found, key=lambda item: item.name))


def _accepted() -> Iterator[RotationVector]:
    why = "the new key takes over signer, roles and profile of the old one"
    yield RotationVector("valid-none", "no rotation changes nothing", [], ())
    yield RotationVector("valid-one", why, [rotation()], (NEXT,))
    silent = replace(NEXT, profile="unknown")
    yield RotationVector("valid-of-unknown-profile", why, [rotation(by=SILENT)], (silent,))
    author = replace(NEXT, signer_id=AUTHOR.signer_id, roles=AUTHOR.roles)
    yield RotationVector("valid-of-an-author", why, [rotation(by=AUTHOR)], (author,))
    why = "the old key ends when the rotation says"
    old = replace(REGISTRY, valid_until=IN_JULY)
    event = rotation(retires_at=IN_JULY)
    yield RotationVector("valid-with-retirement", why, [event], (old, NEXT))
    why = "a rotation can end the old key sooner, and never later"
    early, late = "2025-07-01T00:00:00Z", "2027-01-01T00:00:00Z"
    event = rotation(by=EXPIRED, at="2025-06-01T00:00:00Z", retires_at=early)
    keys = (replace(EXPIRED, valid_until=early), NEXT)
    yield RotationVector("valid-retirement-before-the-end", why, [event], keys)
    event = rotation(by=EXPIRED, at="2025-06-01T00:00:00Z", retires_at=late)
    yield RotationVector("valid-retirement-after-the-end", why, [event], (NEXT,))
    why = "said before the key was revoked"
    event = rotation(by=REVOKED, at="2026-01-31T23:59:59Z")
    yield RotationVector("valid-before-revocation", why, [event], (NEXT,))


def _chains() -> Iterator[RotationVector]:
    second = rotation(AFTER_NEXT, by=NEXT, at="2026-08-01T00:00:00Z")
    why = "the second is signed by the key that the first one names"
    yield RotationVector("valid-chain", why, [rotation(), second], (NEXT, AFTER_NEXT))
    why = "in this order nobody trusts the key that signs the first"
    yield RotationVector("chain-in-other-order", why, [second, rotation()], None)
    why = "a key may name two others"
    other = rotation(AFTER_NEXT, at="2026-05-21T00:00:00Z")
    yield RotationVector("valid-two-of-one-key", why, [rotation(), other], (NEXT, AFTER_NEXT))
    why = "the old key had ended by then"
    retiring = rotation(retires_at=IN_JULY)
    last = rotation(AFTER_NEXT, at="2026-06-30T23:59:59Z")
    keys = (replace(REGISTRY, valid_until=IN_JULY), NEXT, AFTER_NEXT)
    yield RotationVector("valid-just-before-retirement", why, [retiring, last], keys)
    late = rotation(AFTER_NEXT, at=IN_JULY)
    yield RotationVector("at-retirement", why, [retiring, late], None)
    why = "the new key did not count yet"
    early = rotation(AFTER_NEXT, by=NEXT, at="2026-05-31T23:59:59Z")
    yield RotationVector("before-the-new-key", why, [rotation(), early], None)
    why = "a rotation twice names a key that is there already"
    yield RotationVector("twice", why, [rotation(), rotation()], None)


def _refused_signatures() -> Iterator[RotationVector]:
    whole = rotation()
    for name, why, event in (
        ("of-a-stranger", "not signed by a trusted key", rotation(by=STRANGER)),
        ("of-itself", "the new key cannot name itself", rotation(by=NEXT)),
        ("key-id-taken", "no key is replaced under its id", rotation(replace(SILENT))),
        (
            "key-id-of-the-signer",
            "not even the signer's own",
            rotation(replace(NEXT, key_id=REGISTRY.key_id)),
        ),
        ("after-revocation", "said after the revocation", rotation(by=REVOKED)),
        ("before-the-key", "said before the key counted", rotation(at="2026-04-30T00:00:00Z")),
        ("after-the-key", "said after the key's end", rotation(by=EXPIRED)),
        (
            "signature-flipped",
            "another signature",
            edited(whole, ("signature_b64", flipped(whole["signature_b64"]))),
        ),
        ("altered", "no longer what was signed", edited(whole, ("payload.key_id", "test-mine"))),
        (
            "with-other-event-id",
            "nothing but the profile's id is understood, whatever the key's profile",
            edited(rotation(by=SILENT), ("event_id", f"sha256:{'4' * 64}")),
        ),
        (
            "with-other-fingerprint",
            "the envelope contradicts the key, as in a bundle",
            sealed(edited(whole, ("signer.public_key_fingerprint", SILENT.fingerprint))),
        ),
        (
            "with-other-signer",
            "the envelope contradicts the key, as in a bundle",
            sealed(edited(whole, ("signer.signer_id", "pith.science"))),
        ),
    ):
        yield RotationVector(name, why, [event], None)


def _refused_shapes() -> Iterator[RotationVector]:
    whole = rotation()
    why = "a signed envelope with signer and time is needed"
    for field in ("event_id", "signature_b64", "signer", "created_at"):
        event = edited(whole, (field, GONE))
        if field in {"signer", "created_at"}:
            event = sealed(event)
        yield RotationVector(f"without-{field.replace('_', '-')}", why, [event], None)
    why = "not a rotation"
    other = signed(event_of(RECORD, "zz.unknown", whole["payload"]))
    for name, event in (("other-type", other), ("null", None), ("text", "key_rotation")):
        yield RotationVector(f"event-{name}", why, [event], None)
    yield RotationVector("object", "not a list of events", {"rotations": [whole]}, None)
    why = "its payload is malformed"
    for name, path, value in (
        ("algorithm", "payload.algorithm", "rsa"),
        ("public-key", "payload.public_key_b64", "AAAA"),
        ("unknown-field", "payload.comment", "new"),
    ):
        event = sealed(edited(whole, (path, value)))
        yield RotationVector(f"malformed-{name}", why, [event], None)
    why = "no key may be pinned under which anybody could sign, or that has two spellings"
    for name, number in (
        ("neutral-point", 1),
        ("point-of-order-2", _P - 1),
        ("point-of-order-4", 0),
        ("point-not-on-the-curve", 2),
        ("point-not-canonical", _P + 3),
    ):
        raw = number.to_bytes(32, "little")
        event = rotation(public_key_b64=base64.b64encode(raw).decode())
        yield RotationVector(f"key-{name}", why, [event], None)
    why = "one that is wrong spoils the file"
    spoilt = rotation(AFTER_NEXT, by=STRANGER)
    yield RotationVector("second-of-a-stranger", why, [whole, spoilt], None)

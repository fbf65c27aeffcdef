"""Vectors of V7: the receipt, its signature, who signed and when; several creations in a bundle."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from tests.vectors.builders import (
    AUTHOR,
    EXPIRED,
    GONE,
    REGISTRY,
    REVOKED,
    SILENT,
    STRANGER,
    Json,
    SigningKey,
    digest,
    edited,
    flipped,
    number_of,
    receipt_of,
    signed,
)
from tests.vectors.cases_record import ANOTHER, PAYLOAD, RECORD, SIGNATURE, WHOLE
from tests.vectors.vector import (
    FAILED,
    MALFORMED,
    NOT_CHECKABLE,
    OTHER_RECORD,
    UNKNOWN_KEY,
    WRONG_ID,
    WRONG_RECEIPT,
    WRONG_RECORD,
    WRONG_TARGET,
    Row,
    Vector,
    event_row,
    published,
    refused,
    vector,
)

TIME: Row = ("V7", "receipt time", FAILED)


def _signed_by(key: SigningKey, signed_at: str) -> Json:
    return edited(
        WHOLE, ("events.0.payload.receipt", receipt_of(RECORD, key=key, signed_at=signed_at))
    )


def signature_vectors() -> Iterator[Vector]:
    """Vectors of V7: the signature itself."""
    where = "events.0.payload.receipt"
    signature = WHOLE["events"][0]["payload"]["receipt"]["signature_b64"]
    raw = base64.b64decode(signature)
    spare = signature[:-3] + chr(ord(signature[-3]) + 1) + "=="
    for name, value in (
        ("bit-flipped", flipped(signature)),
        ("last-bit-flipped", flipped(signature, bit=505)),
        ("of-another-record", receipt_of(ANOTHER)["signature_b64"]),
        ("of-another-key", SILENT.signature(digest(RECORD))),
        ("of-the-hex-digest", REGISTRY.signature(digest(RECORD).hex().encode())),
        ("all-zero", base64.b64encode(bytes(64)).decode()),
        ("of-63-bytes", base64.b64encode(raw[:63]).decode()),
        ("of-65-bytes", base64.b64encode(raw + b"\0").decode()),
        ("empty", ""),
        ("null", None),
        ("number", 1),
        ("hexadecimal", raw.hex()),
        ("with-spare-bits", spare),
        ("without-padding", signature[:-2]),
        ("with-extra-padding", signature + "="),
        ("with-white-space", f"{signature[:40]} {signature[40:]}"),
        ("with-newline-at-the-end", f"{signature}\n"),
        ("urlsafe", base64.urlsafe_b64encode(bytes([251, 255]) * 32).decode()),
        ("not-ascii", "\u00e9" + signature[1:]),
    ):
        malformed = name not in {
            "bit-flipped", "last-bit-flipped", "of-another-record", "of-another-key",
            "of-the-hex-digest", "all-zero",
        }  # fmt: skip
        expected = refused(SIGNATURE, V7=1) if malformed else refused(SIGNATURE)
        why = "not an Ed25519 signature of the record's digest, in the one spelling of base64"
        bundle = edited(WHOLE, (f"{where}.signature_b64", value))
        yield vector(f"v7-signature-{name}", why, bundle, expected)


def receipt_vectors() -> Iterator[Vector]:
    """Vectors of V7: the receipt's own shape."""
    where = "events.0.payload.receipt"
    good = WHOLE["events"][0]["payload"]["receipt"]
    yield vector(
        "v7-receipt-of-another-record",
        "a genuine receipt, moved here",
        edited(WHOLE, (where, receipt_of(ANOTHER))),
        refused(SIGNATURE),
    )
    for name, path, value in (
        ("missing", where, GONE),
        ("array", where, [good]),
        ("null", where, None),
        ("kind-other", f"{where}.kind", "receipt"),
        ("algorithm-other", f"{where}.algorithm", "ed448"),
        ("algorithm-none", f"{where}.algorithm", "none"),
        ("algorithm-missing", f"{where}.algorithm", GONE),
        ("key-id-missing", f"{where}.key_id", GONE),
        ("key-id-empty", f"{where}.key_id", ""),
        ("key-id-with-header-line", f"{where}.key_id", "test-registry\r\nSet-Cookie: a=b"),
        ("signature-missing", f"{where}.signature_b64", GONE),
        ("signed-at-missing", f"{where}.signed_at", GONE),
        ("signed-at-null", f"{where}.signed_at", None),
        ("signed-at-without-zone", f"{where}.signed_at", "2026-05-18T01:36:37"),
        ("signed-at-february-30", f"{where}.signed_at", "2027-02-30T00:00:00Z"),
        ("signed-at-offset-24", f"{where}.signed_at", "2026-05-18T01:36:37+24:00"),
        ("signed-at-offset-minute-60", f"{where}.signed_at", "2026-05-18T01:36:37+00:60"),
    ):
        why = "no receipt of the known shape"
        bundle = edited(WHOLE, (path, value))
        yield vector(f"v7-receipt-{name}", why, bundle, refused(SIGNATURE, V7=1))
    why = "a further field of a receipt is carried: the registry's are not all known"
    bundle = edited(WHOLE, (f"{where}.verify_url", "https://pith.science/"))
    yield vector("valid-receipt-with-further-field", why, bundle, published())


def window_vectors() -> Iterator[Vector]:
    """Vectors of V7: who may sign, and when."""
    stranger: Row = ("V7", "receipt signature", NOT_CHECKABLE)
    why = "a receipt counts only by a pinned registry key inside its window (protocol part 8)"
    for name, key, signed_at in (
        ("signed-before-the-key", REGISTRY, "2026-04-30T23:59:59.999999999Z"),
        ("signed-before-the-key-by-offset", REGISTRY, "2026-05-01T01:00:00+02:00"),
        ("signed-at-the-end-of-the-key", EXPIRED, "2026-01-01T00:00:30.5Z"),
        ("signed-after-the-key", EXPIRED, "2026-05-18T01:36:37Z"),
        ("signed-at-the-revocation", REVOKED, "2026-02-01T00:00:00Z"),
        ("signed-after-the-revocation", REVOKED, "2026-05-18T01:36:37Z"),
    ):
        yield vector(f"v7-{name}", why, _signed_by(key, signed_at), refused(TIME))
    for name, key, signed_at in (
        ("signed-at-the-start-of-the-key", REGISTRY, "2026-05-01T00:00:00Z"),
        ("signed-at-the-start-by-offset", REGISTRY, "2026-04-30T22:00:00-02:00"),
        ("signed-just-before-the-end-of-the-key", EXPIRED, "2026-01-01T00:00:30.499999999Z"),
        ("signed-seconds-before-the-end-of-the-key", EXPIRED, "2026-01-01T00:00:29.75Z"),
        ("signed-in-a-leap-second", EXPIRED, "2025-12-31T23:59:60.9Z"),
        ("signed-at-offset-23-59", REGISTRY, "2026-05-19T01:36:37+23:59"),
        ("signed-at-offset-minus-00-59", REGISTRY, "2026-05-18T01:36:37-00:59"),
        ("signed-just-before-the-revocation", REVOKED, "2026-01-31T23:59:59.999999999Z"),
        ("signed-by-the-second-registry-key", SILENT, "2026-05-18T01:36:37Z"),
    ):
        yield vector(f"valid-{name}", why, _signed_by(key, signed_at), published())
    known = _signed_by(STRANGER, "2026-05-18T01:36:37Z")
    yield vector("v7-unknown-key", "no such key is pinned", known, refused(stranger, V7=1))
    claimed = edited(known, ("events.0.payload.receipt.key_id", REGISTRY.key_id))
    yield vector("v7-unknown-key-under-a-known-name", why, claimed, refused(SIGNATURE))
    author = _signed_by(AUTHOR, "2026-05-18T01:36:37Z")
    yield vector("v7-signed-by-an-author-key", why, author, refused(SIGNATURE, V7=1))


def creation_vectors() -> Iterator[Vector]:
    """Vectors of V4 and V7 with more than one creation."""
    good, snapshot = WHOLE["events"]
    bogus = edited(
        good,
        ("payload.receipt.signature_b64", flipped(good["payload"]["receipt"]["signature_b64"])),
    )
    foreign = edited(good, ("payload.receipt", receipt_of(RECORD, key=STRANGER)))
    other = edited(good, ("payload.canonical_record", ANOTHER))
    empty = edited(good, ("payload", []))
    why = "one creation proves the record; another that proves nothing fails alone"
    for name, events, rows in (
        ("bogus-creation-first", [bogus, good, snapshot], (event_row(0, WRONG_RECEIPT),)),
        ("bogus-creation-second", [good, bogus, snapshot], (event_row(1, WRONG_RECEIPT),)),
        ("creation-of-a-stranger-first", [foreign, good, snapshot], (event_row(0, UNKNOWN_KEY),)),
        (
            "creation-of-another-record-second",
            [good, other, snapshot],
            (event_row(1, WRONG_RECORD),),
        ),
        ("creation-without-payload-first", [empty, good, snapshot], (event_row(0, MALFORMED),)),
    ):
        bundle = edited(WHOLE, ("events", events))
        yield vector(f"v8-{name}", why, bundle, published(*rows, events=3))
    enveloped = edited(WHOLE, ("events", [good, signed(bogus), snapshot]))
    why = "its own envelope verifies, the receipt inside does not"
    yield vector(
        "v8-signed-creation-with-bogus-receipt",
        why,
        enveloped,
        published(event_row(1, WRONG_RECEIPT), events=3),
    )
    altered = {**signed(foreign), "note": "added"}
    why = "its own envelope was altered; its receipt is a stranger's besides"
    bundle = edited(WHOLE, ("events", [good, altered, snapshot]))
    yield vector(
        "v8-altered-creation-of-a-stranger",
        why,
        bundle,
        published(event_row(1, WRONG_ID), events=3),
    )
    later = {**good, "created_at": "2026-05-18T02:28:13Z"}
    why = "two creations that one receipt proves are one"
    bundle = edited(WHOLE, ("events", [good, later, snapshot]))
    yield vector("valid-two-creations-of-one-receipt", why, bundle, published(events=3, distinct=2))
    claiming = edited(good, ("event_id", snapshot["event_id"]))
    why = "claims the id of the snapshot without a signature, and must not displace it"
    bundle = edited(WHOLE, ("events", [claiming, snapshot]))
    yield vector("valid-creation-claiming-the-id-of-the-snapshot", why, bundle, published())
    twice = edited(WHOLE, ("events", [good, good, snapshot]))
    yield vector(
        "valid-creation-twice", "a repeated event is one", twice, published(events=3, distinct=2)
    )
    why = "two creations, neither of which proves the record: the first is reported"
    both = edited(WHOLE, ("events", [bogus, other, snapshot]))
    yield vector("v7-two-bogus-creations", why, both, refused(SIGNATURE))
    both = edited(WHOLE, ("events", [empty, bogus, snapshot]))
    yield vector("v4-two-bogus-creations", why, both, refused(PAYLOAD, V7=0))
    named = edited(good, ("subject_pith_number", number_of(ANOTHER)))
    why = "record and receipt are right, the envelope speaks of another record"
    bundle = edited(WHOLE, ("events", [named, snapshot]))
    changed = edited(WHOLE, ("events.0.target", "graph"))
    why_target = "the receipt does not cover the target of a creation"
    yield vector(
        "v8-creation-target-other", why_target, changed, published(event_row(0, WRONG_TARGET))
    )
    yield vector(
        "v8-creation-names-another-subject", why, bundle, published(event_row(0, OTHER_RECORD))
    )
    for name, path, value in (
        ("target-missing", "target", GONE),
        ("subject-null", "subject_pith_number", None),
    ):
        why = "record and receipt are right, the envelope is malformed"
        bundle = edited(WHOLE, ("events.0", edited(good, (path, value))))
        yield vector(f"v8-creation-{name}", why, bundle, published(event_row(0, MALFORMED)))

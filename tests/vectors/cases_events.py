"""Vectors of V8: envelopes in profile `mirror/1` (protocol part 8)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.vectors.builders import (
    AUTHOR,
    EXPIRED,
    GONE,
    OPERATOR,
    OTHER,
    PAPER,
    REGISTRY,
    REVOKED,
    SILENT,
    STRANGER,
    Json,
    bundle_of,
    creation_of,
    edited,
    event_of,
    flipped,
    number_of,
    record_of,
    sealed,
    signed,
    signer_of,
    snapshot_event,
    snapshot_of,
)
from tests.vectors.second_signature import second_signature
from tests.vectors.vector import (
    CONTRADICTED,
    MALFORMED,
    NO_SIGNATURE,
    OTHER_RECORD,
    OUTSIDE_WINDOW,
    UNKNOWN_KEY,
    UNKNOWN_RULE,
    WRONG_ID,
    WRONG_ROLE,
    WRONG_SIGNATURE,
    WRONG_SIGNER,
    Vector,
    event_row,
    published,
    vector,
)

WHOLE = bundle_of()
RECORD = record_of(PAPER)
CREATION, SNAPSHOT = WHOLE["events"]
UNSIGNED = snapshot_event(RECORD, snapshot_of(PAPER))
STRANGE = event_of(RECORD, "zz.unknown", {"cites": "pith:2012:AAAA", "relation": "extends"})


def with_snapshot(event: Json) -> Json:
    """The valid bundle with another snapshot event."""
    return edited(WHOLE, ("events.1", event))


def with_event(event: Json) -> Json:
    """The valid bundle with a third event."""
    return edited(WHOLE, ("events", [CREATION, SNAPSHOT, event]))


def _failing(name: str, why: str, event: Json, reason: str = MALFORMED) -> Vector:
    # A failed snapshot has no rows of V9 and V10: nothing in it is worth checking.
    expected = published(event_row(1, reason), sections=0, bindings=0)
    return vector(f"v8-{name}", why, with_snapshot(event), expected)


def _carried(name: str, why: str, event: Json, reason: str) -> Vector:
    expected = published(event_row(1, reason))
    return vector(f"v8-{name}", why, with_snapshot(event), expected)


def envelope_vectors() -> Iterator[Vector]:
    """A signed snapshot with one thing changed after it was signed, or missing."""
    other_id = signed(snapshot_event(record_of(OTHER), snapshot_of(OTHER)))["event_id"]
    for name, path, value in (
        ("event-type-altered", "event_type", "zz.unknown"),
        ("target-altered", "target", "record"),
        ("payload-altered", "payload.graph_snapshot.verdict.one_line_summary", "Refuted."),
        ("payload-extended", "payload.note", "added"),
        ("created-at-altered", "created_at", "2026-05-18T02:28:14Z"),
        ("created-at-respelled", "created_at", "2026-05-18T02:28:13+00:00"),
        ("created-at-removed", "created_at", GONE),
        ("signer-type-altered", "signer.signer_type", "author"),
        ("signer-extended", "signer.name", "The Registry"),
        ("field-added", "note", "added"),
        ("event-id-of-another-event", "event_id", other_id),
        ("event-id-zero", "event_id", f"sha256:{'0' * 64}"),
    ):
        why = "the event is not the one its id was derived from; this key's profile is known"
        yield _failing(f"envelope-{name}", why, edited(SNAPSHOT, (path, value)), WRONG_ID)
    why = "the id is right, the signature is not"
    signature = SNAPSHOT["signature_b64"]
    for name, value in (
        ("bit-flipped", flipped(signature)),
        ("of-another-key", signed(UNSIGNED, key=SILENT)["signature_b64"]),
        ("of-the-receipt", CREATION["payload"]["receipt"]["signature_b64"]),
        ("of-the-id-as-text", REGISTRY.signature(SNAPSHOT["event_id"].encode())),
    ):
        event = edited(SNAPSHOT, ("signature_b64", value))
        yield _failing(f"envelope-signature-{name}", why, event, WRONG_SIGNATURE)
    silent = signed(UNSIGNED, key=SILENT)
    event = edited(silent, ("signature_b64", flipped(silent["signature_b64"])))
    yield _failing("envelope-signature-of-the-silent-key-flipped", why, event, WRONG_SIGNATURE)
    for name in ("event_id", "signature_b64", "signer"):
        why = "without it there is no signature to check: carried"
        event = edited(SNAPSHOT, (name, GONE))
        yield _carried(f"envelope-without-{name.replace('_', '-')}", why, event, NO_SIGNATURE)
    why = "as in bundles made from published pages"
    yield _carried("envelope-none", why, UNSIGNED, NO_SIGNATURE)


def signer_vectors() -> Iterator[Vector]:
    """Who signed, and when."""
    why = "no such key is pinned: carried"
    yield _carried("key-not-pinned", why, signed(UNSIGNED, key=STRANGER), UNKNOWN_KEY)
    why = "whoever signed: no id of any known form"
    event = edited(signed(UNSIGNED, key=STRANGER), ("event_id", "sha256:3600"))
    yield _failing("malformed-event-id-of-a-key-not-pinned", why, event)
    why = "how this signer derives ids is not published: carried (protocol part 8)"
    event = edited(signed(UNSIGNED, key=SILENT), ("event_id", f"sha256:{'1' * 64}"))
    yield _carried("silent-key-with-other-event-id", why, event, UNKNOWN_RULE)
    event = edited(signed(UNSIGNED, key=SILENT), ("created_at", "2026-05-18T02:28:14Z"))
    yield _carried("silent-key-with-altered-envelope", why, event, UNKNOWN_RULE)
    why = "the envelope contradicts the pinned key"
    for name, path, value in (
        ("fingerprint-of-another-key", "public_key_fingerprint", SILENT.fingerprint),
        ("fingerprint-uppercase", "public_key_fingerprint", REGISTRY.fingerprint.upper()),
        ("signer-id-of-another", "signer_id", "pith.science"),
        ("key-id-of-another-key", "key_id", SILENT.key_id),
        ("key-id-of-the-author", "key_id", AUTHOR.key_id),
    ):
        signer = edited(signer_of(REGISTRY), (path, value))
        # The author's key may not sign a snapshot at all, whoever the envelope says has signed.
        reason = WRONG_ROLE if name == "key-id-of-the-author" else WRONG_SIGNER
        yield _failing(name, why, signed({**UNSIGNED, "signer": signer}), reason)
    why = "signed outside the key's window"
    for name, key, created_at in (
        ("created-before-the-key", REGISTRY, "2026-04-30T23:59:59Z"),
        ("created-at-the-end-of-the-key", EXPIRED, "2026-01-01T00:00:30.5Z"),
        ("created-after-the-key", EXPIRED, "2026-05-18T02:28:13Z"),
        ("created-at-the-revocation", REVOKED, "2026-02-01T01:00:00+01:00"),
        ("created-after-the-revocation", REVOKED, "2026-05-18T02:28:13Z"),
    ):
        event = signed(UNSIGNED, key=key, created_at=created_at)
        yield _failing(name, why, event, OUTSIDE_WINDOW)
    for name, key, created_at in (
        ("created-just-before-the-end-of-the-key", EXPIRED, "2025-12-31T23:59:59.9Z"),
        ("created-just-before-the-revocation", REVOKED, "2026-01-31T23:59:59Z"),
        ("created-at-the-start-of-the-key", REGISTRY, "2026-05-01T00:00:00Z"),
        ("silent-key-in-profile-mirror1", SILENT, "2026-05-18T02:28:13Z"),
    ):
        bundle = with_snapshot(signed(UNSIGNED, key=key, created_at=created_at))
        yield vector(f"valid-{name}", "signed inside the key's window", bundle, published())
    why = "signed, but at no time: no window to be inside of"
    timeless = sealed({**UNSIGNED, "signer": signer_of(REGISTRY)})
    yield _failing("created-at-missing-though-signed", why, timeless, OUTSIDE_WINDOW)
    why = "a snapshot is the registry's word; an author's key does not speak for it"
    event = signed(UNSIGNED, key=AUTHOR)
    yield _failing("snapshot-signed-by-an-author-key", why, event, WRONG_ROLE)
    why = "an operator's key does not speak for the registry either"
    event = signed(UNSIGNED, key=OPERATOR)
    yield _failing("snapshot-signed-by-an-operator-key", why, event, WRONG_ROLE)
    payload = {
        "method": "orcid",
        "strength": "weak",
        "author_name": "Ada Q. Testova",
        "orcid": "0000-0002-1825-0097",
    }
    claim = event_of(RECORD, "author_claim", payload, target="author")
    bundle = with_event(signed(claim, key=AUTHOR))
    yield vector(
        "valid-author-claim", "an author's key speaks for an author", bundle, published(events=3)
    )


def shape_vectors() -> Iterator[Vector]:
    """Events whose fields have the wrong type or spelling: each fails alone."""
    why = "a field of the event is malformed"
    for name, path, value in (
        ("subject-missing", "subject_pith_number", GONE),
        ("subject-number", "subject_pith_number", 1),
        ("target-missing", "target", GONE),
        ("target-null", "target", None),
        ("target-empty", "target", ""),
        ("target-of-257-characters", "target", "t" * 257),
        ("target-with-line-break", "target", "graph\r\nX-Injected: yes"),
        ("target-with-direction-override", "target", "\u202ehparg"),
        ("payload-missing", "payload", GONE),
        ("payload-null", "payload", None),
        ("payload-array", "payload", []),
        ("created-at-number", "created_at", 1779071173),
        ("created-at-null", "created_at", None),
        ("created-at-without-zone", "created_at", "2026-05-18T02:28:13"),
        ("created-at-february-30", "created_at", "2027-02-30T02:28:13Z"),
        ("created-at-with-ten-digits", "created_at", "2026-05-18T02:28:13.0123456789Z"),
        ("signer-null", "signer", None),
        ("signer-string", "signer", "pith.science"),
        ("signer-without-key-id", "signer.key_id", GONE),
        ("signer-without-fingerprint", "signer.public_key_fingerprint", GONE),
        ("signer-without-signer-id", "signer.signer_id", GONE),
        ("signer-type-number", "signer.signer_type", 1),
        ("signer-id-with-nul", "signer.signer_id", "registry\0.test"),
        ("event-id-null", "event_id", None),
        ("event-id-number", "event_id", 3600),
        ("event-id-bare", "event_id", SNAPSHOT["event_id"].removeprefix("sha256:")),
        ("event-id-uppercase", "event_id", SNAPSHOT["event_id"].upper()),
        ("event-id-with-newline", "event_id", SNAPSHOT["event_id"] + "\n"),
        ("signature-null", "signature_b64", None),
        ("signature-short", "signature_b64", "AAAA"),
        ("signature-hexadecimal", "signature_b64", "00" * 64),
    ):
        # Signed again, so that nothing but the shape is wrong.
        event = edited(SNAPSHOT, (path, value))
        if path not in {"event_id", "signature_b64"}:
            event = sealed(event)
        yield _failing(f"malformed-{name}", why, event)
    yield from _type_and_item_vectors()


def _type_and_item_vectors() -> Iterator[Vector]:
    why = "a field of the event is malformed"
    for name, value in (
        ("missing", GONE),
        ("number", 1),
        ("null", None),
        ("empty", ""),
        ("of-257-characters", "e" * 257),
        ("with-zero-width-space", "graph\u200b_snapshot"),
    ):
        event = sealed(edited(SNAPSHOT, ("event_type", value)))
        yield _failing(f"malformed-event-type-{name}", why, event)
    for name, event in (
        ("null", None),
        ("string", "record_created"),
        ("number", 0),
        ("true", True),
        ("array", [CREATION]),
        ("empty-object", {}),
    ):
        why = "not an event at all"
        expected = published(event_row(2, MALFORMED), events=3)
        yield vector(f"v8-event-{name}", why, with_event(event), expected)


def replay_vectors() -> Iterator[Vector]:
    """Events of another record, repeated events, and two that contradict each other."""
    other = record_of(OTHER)
    foreign = signed(snapshot_event(other, snapshot_of(OTHER)))
    why = "genuine, and about another record"
    yield _failing("event-of-another-record-replayed", why, foreign, OTHER_RECORD)
    loose = snapshot_event(other, snapshot_of(PAPER))
    yield _failing("unsigned-event-of-another-record", why, loose, OTHER_RECORD)
    renamed = edited(foreign, ("subject_pith_number", number_of(RECORD)))
    why = "the id was derived from another subject"
    yield _failing("event-of-another-record-renamed", why, renamed, WRONG_ID)
    for name, subject in (
        ("short-form", f"pith:{number_of(RECORD)[10:18]}"),
        ("other-year", number_of(RECORD, year="2024")),
        ("lowercase", number_of(RECORD).lower()),
    ):
        event = signed({**UNSIGNED, "subject_pith_number": subject})
        why = "the subject is the whole Pith Number"
        yield _failing(f"subject-{name}", why, event, OTHER_RECORD)
    why = "genuine, and about another record"
    bundle = with_event(creation_of(other))
    expected = published(event_row(2, OTHER_RECORD), events=3)
    yield vector("v8-creation-of-another-record", why, bundle, expected)
    why = "a repeated event is one event"
    expected = published(events=3, sections=10, bindings=4, distinct=2)
    yield vector("valid-event-twice", why, with_event(SNAPSHOT), expected)
    reordered = dict(reversed(SNAPSHOT.items()))
    yield vector("valid-event-twice-in-other-key-order", why, with_event(reordered), expected)
    value = bytes.fromhex(SNAPSHOT["event_id"].removeprefix("sha256:"))
    resigned = edited(SNAPSHOT, ("signature_b64", second_signature(REGISTRY, value)))
    why = "one event with two signatures, both valid: one event"
    yield vector("valid-event-twice-with-two-signatures", why, with_event(resigned), expected)
    why = "claims the id of a genuine event, and must not displace it"
    flipped_copy = edited(SNAPSHOT, ("signature_b64", flipped(SNAPSHOT["signature_b64"])))
    expected = published(event_row(2, WRONG_SIGNATURE), events=3)
    yield vector("v8-copy-with-another-signature", why, with_event(flipped_copy), expected)
    unsigned_copy = edited(SNAPSHOT, ("signature_b64", GONE))
    expected = published(event_row(2, NO_SIGNATURE), events=3, sections=10, bindings=4)
    yield vector("v8-copy-without-signature", why, with_event(unsigned_copy), expected)
    changed = edited(UNSIGNED, ("payload.graph_snapshot.verdict.one_line_summary", "Refuted."))
    why = "equivocation: two events of one signer, type, target and time; both stay"
    expected = published(
        events=3,
        sections=10,
        bindings=4,
        standings={1: CONTRADICTED, 2: CONTRADICTED},
        equivocations=1,
    )
    yield vector("valid-equivocation", why, with_event(signed(changed)), expected)


def type_vectors() -> Iterator[Vector]:
    """Event types that are not known here, and creations with an envelope of their own."""
    for name, event in (
        ("signed", signed(STRANGE)),
        ("with-empty-payload", signed({**STRANGE, "payload": {}})),
        ("with-deep-payload", signed({**STRANGE, "payload": {"deep": _deep(40)}})),
        ("with-slash", signed({**STRANGE, "event_type": "zz.unknown/v9"})),
    ):
        why = "an unknown type is carried with the outcome of its envelope"
        expected = published(events=3, current={"graph_snapshots": 1, "other_events": 1})
        yield vector(f"valid-unknown-type-{name}", why, with_event(event), expected)
    expected = published(event_row(2, NO_SIGNATURE), events=3)
    yield vector("v8-unknown-type-unsigned", "nothing to check", with_event(STRANGE), expected)
    altered = edited(signed(STRANGE), ("payload.relation", "refutes"))
    expected = published(event_row(2, WRONG_ID), events=3)
    yield vector(
        "v8-unknown-type-altered", "no longer what was signed", with_event(altered), expected
    )
    whole = signed(CREATION)
    yield vector(
        "valid-creation-with-envelope",
        "receipt and envelope both verify",
        edited(WHOLE, ("events.0", whole)),
        published(),
    )
    for name, why, event, reason in (
        ("altered", "its own envelope was altered", {**whole, "note": "added"}, WRONG_ID),
        ("signature-flipped", "its own envelope signature is wrong",
         edited(whole, ("signature_b64", flipped(whole["signature_b64"]))), WRONG_SIGNATURE),
        ("expired", "its own envelope was signed outside the window",
         signed(CREATION, key=EXPIRED), OUTSIDE_WINDOW),
        ("by-an-author", "a creation is the registry's word",
         signed(CREATION, key=AUTHOR), WRONG_ROLE),
        ("by-an-operator", "a creation is the registry's word",
         signed(CREATION, key=OPERATOR), WRONG_ROLE),
        ("of-unknown-key", "it has an envelope signature, of a key not pinned",
         signed(CREATION, key=STRANGER), UNKNOWN_KEY),
        ("underivable", "it has an envelope signature, of a derivation not known",
         edited(signed(CREATION, key=SILENT), ("event_id", f"sha256:{'2' * 64}")), UNKNOWN_RULE),
    ):  # fmt: skip
        bundle = edited(WHOLE, ("events.0", event))
        yield vector(
            f"v8-record-created-envelope-{name}", why, bundle, published(event_row(0, reason))
        )
    for name, missing in (
        ("id-without-signature", "signature_b64"),
        ("time-and-signer", "event_id"),
    ):
        event = edited(whole, (missing, GONE))
        if missing == "event_id":
            event = edited(event, ("signature_b64", GONE))
        why = "no envelope signature of its own: verified through its receipt (protocol part 8)"
        bundle = edited(WHOLE, ("events.0", event))
        yield vector(f"valid-creation-with-{name}", why, bundle, published())


def _deep(levels: int) -> Json:
    value: Json = {}
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value

"""Vectors of V8 for integrity events: the registry's own rule (protocol part 7)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.vectors.builders import (
    AUTHOR,
    EXPIRED,
    GONE,
    OPERATOR,
    OTHER,
    PAPER,
    REGISTRY,
    REVOKED,
    STRANGER,
    Json,
    Paper,
    SigningKey,
    bundle_of,
    digest,
    edited,
    flipped,
)
from tests.vectors.vector import (
    MALFORMED,
    OTHER_RECORD,
    OUTSIDE_WINDOW,
    UNKNOWN_KEY,
    WRONG_DIGEST,
    WRONG_ROLE,
    WRONG_SIGNATURE,
    Vector,
    event_row,
    published,
    vector,
)

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
EVIDENCE = {
    "printed_excerpt": "doi: 10.1000/18 2",
    "reconstructed_doi": "10.1000/182",
    "ref_index": 19,
    "resolved_title": None,
    "verdict_class": "incontrovertible",
}


def payload_of(paper: Paper = PAPER, **changes: Json) -> Json:
    """An integrity payload, all 19 keys, with the evidence hash of what it holds."""
    payload = {
        "arxiv_id": paper.source_id,
        "audited_at": "2026-05-19T23:15:25.767223Z",
        "detected_arxiv_id": None,
        "detected_doi": "10.1000/182",
        "detector": "doi_compliance",
        "detector_url": "https://pith.science/pith-integrity-protocol#doi_compliance",
        "detector_version": "1.0.0",
        "event_type": "pith.integrity.v1",
        "evidence": EVIDENCE,
        "external_url": None,
        "finding_type": "recoverable_identifier",
        "note": "DOI in the printed bibliography is fragmented by white space.",
        "paper_version": 1,
        "ref_index": 19,
        "resolved_title": None,
        "severity": "advisory",
        "snippet": "doi: 10.1000/18 2",
        "verdict_class": "incontrovertible",
        **changes,
    }
    evidence = {"d": payload["detector"], "e": payload["evidence"]}
    return {"evidence_hash": digest(evidence).hex(), **payload}


def integrity_event(payload: Json, *, key: SigningKey = REGISTRY) -> Json:
    """Sign a payload as the registry does: raw over its digest, the envelope left out."""
    value = digest(payload)
    return {
        "event_id": 3600,
        "event_type": "pith.integrity.v1",
        "payload_sha256": value.hex(),
        "signature_b64": key.signature(value),
        "signing_key_id": key.key_id,
        "created_at": "2026-05-19T23:17:27.287442+00:00",
        "payload": payload,
    }


GOOD = integrity_event(payload_of())


def _case(name: str, why: str, event: Json, reason: str) -> Vector:
    expected = published(event_row(2, reason), events=3)
    return vector(f"v8-integrity-{name}", why, bundle_of(PAPER, event), expected)


def binding_vectors() -> Iterator[Vector]:
    """What is hashed and signed, changed one thing at a time."""
    why = "the payload is not the one that was signed"
    altered = edited(GOOD, ("payload.severity", "informational"))
    yield _case("payload-altered", why, altered, WRONG_DIGEST)
    rehashed = payload_of(severity="informational")
    event = {**GOOD, "payload": rehashed, "payload_sha256": digest(rehashed).hex()}
    yield _case("payload-altered-and-hashed-again", why, event, WRONG_SIGNATURE)
    other = digest(payload_of(OTHER)).hex()
    event = edited(GOOD, ("payload_sha256", other))
    yield _case("payload-sha256-of-another", why, event, WRONG_DIGEST)
    signature = flipped(GOOD["signature_b64"])
    event = edited(GOOD, ("signature_b64", signature))
    yield _case("signature-bit-flipped", why, event, WRONG_SIGNATURE)
    why = "the evidence is not what its hash was taken over, though signed"
    altered = edited(payload_of(), ("evidence.ref_index", 20))
    yield _case("evidence-altered", why, integrity_event(altered), WRONG_DIGEST)
    altered = edited(payload_of(), ("detector", "doi_title_agreement"))
    yield _case("evidence-of-another-detector", why, integrity_event(altered), WRONG_DIGEST)
    altered = edited(payload_of(), ("evidence_hash", "0" * 64))
    yield _case("evidence-hash-other", why, integrity_event(altered), WRONG_DIGEST)
    why = "about another paper: the payload's arXiv id is all that binds the subject"
    replay = integrity_event(payload_of(OTHER))
    yield _case("of-another-record-replayed", why, replay, OTHER_RECORD)
    altered = payload_of(arxiv_id=f"{PAPER.source_id}v1")
    yield _case("arxiv-id-with-version", why, integrity_event(altered), OTHER_RECORD)


def signer_vectors() -> Iterator[Vector]:
    """Who signed, and when: `audited_at` is signed, `created_at` is not."""
    event = integrity_event(payload_of(), key=STRANGER)
    yield _case("key-not-pinned", "no such key is pinned: carried", event, UNKNOWN_KEY)
    renamed = edited(event, ("signing_key_id", REGISTRY.key_id))
    why = "another key's signature"
    yield _case("key-not-pinned-under-a-known-name", why, renamed, WRONG_SIGNATURE)
    event = integrity_event(payload_of(), key=AUTHOR)
    why = "an author's key does not speak for a detector"
    yield _case("signed-by-an-author-key", why, event, WRONG_ROLE)
    event = integrity_event(payload_of(), key=OPERATOR)
    yield _case("signed-by-an-operator-key", "nor does an operator's", event, WRONG_ROLE)
    why = "audited outside the key's window"
    for name, key, audited in (
        ("audited-before-the-key", REGISTRY, "2026-04-30T23:59:59Z"),
        ("audited-at-the-end-of-the-key", EXPIRED, "2026-01-01T00:00:30.5Z"),
        ("audited-after-the-revocation", REVOKED, "2026-03-01T00:00:00Z"),
    ):
        event = integrity_event(payload_of(audited_at=audited), key=key)
        yield _case(name, why, event, OUTSIDE_WINDOW)
    with (CORPUS / "integrity_events.jsonl").open(encoding="utf-8") as lines:
        real = json.loads(next(lines))
    paper = Paper(source_id=real["payload"]["arxiv_id"])
    expected = published(event_row(2, UNKNOWN_KEY), events=3)
    why = "a real event; the registry's real key is not pinned in the test configuration"
    yield vector("v8-integrity-real-event", why, bundle_of(paper, real), expected)


def shape_vectors() -> Iterator[Vector]:
    """Malformed integrity events: the payload is signed as it stands, and fails for its shape."""
    why = "not the 19 keys, or a value that is not allowed"
    for name, path, value in (
        ("key-missing", "note", GONE),
        ("evidence-missing", "evidence", GONE),
        ("key-added", "comment", None),
        ("severity-unknown", "severity", "fatal"),
        ("severity-in-capitals", "severity", "Critical"),
        ("severity-null", "severity", None),
        ("verdict-class-unknown", "verdict_class", "certain"),
        ("verdict-class-null", "verdict_class", None),
        ("payload-of-another-type", "event_type", "pith.integrity.v2"),
        ("arxiv-id-null", "arxiv_id", None),
        ("audited-at-null", "audited_at", None),
        ("audited-at-date-only", "audited_at", "2026-05-19"),
        ("detector-empty", "detector", ""),
        ("detector-null", "detector", None),
        ("finding-type-null", "finding_type", None),
        ("evidence-hash-null", "evidence_hash", None),
        ("evidence-hash-uppercase", "evidence_hash", payload_of()["evidence_hash"].upper()),
    ):
        event = integrity_event(edited(payload_of(), (path, value)))
        yield _case(name, why, event, MALFORMED)
    why = "the envelope of the registry's integrity events, malformed"
    for name, path, value in (
        ("payload-sha256-missing", "payload_sha256", GONE),
        ("payload-sha256-prefixed", "payload_sha256", f"sha256:{GOOD['payload_sha256']}"),
        ("signature-missing", "signature_b64", GONE),
        ("signature-short", "signature_b64", "AAAA"),
        ("key-id-missing", "signing_key_id", GONE),
        ("payload-array", "payload", []),
        ("payload-missing", "payload", GONE),
    ):
        yield _case(name, why, edited(GOOD, (path, value)), MALFORMED)


def valid_vectors() -> Iterator[Vector]:
    """Integrity events that verify, and what the envelope around them may say."""
    for name, event in (
        ("event", GOOD),
        ("without-event-id", edited(GOOD, ("event_id", GONE))),
        ("with-other-created-at", edited(GOOD, ("created_at", "1970-01-01T00:00:00+00:00"))),
        ("with-odd-created-at", edited(GOOD, ("created_at", 0))),
        ("rescinded", integrity_event(payload_of(verdict_class="rescinded"))),
        (
            "critical",
            integrity_event(payload_of(severity="critical", verdict_class="cross_source")),
        ),
        (
            "of-a-key-before-its-end",
            integrity_event(payload_of(audited_at="2025-12-31T23:59:59Z"), key=EXPIRED),
        ),
    ):
        why = "the signature covers the payload alone (protocol part 7)"
        yield vector(f"valid-integrity-{name}", why, bundle_of(PAPER, event), published(events=3))
    again = edited(GOOD, ("event_id", 3601), ("created_at", "2026-05-20T00:00:00+00:00"))
    yield vector(
        "valid-integrity-event-twice",
        "two envelopes of one payload are one event",
        bundle_of(PAPER, GOOD, again),
        published(events=4, distinct=3),
    )
    bogus = edited(GOOD, ("signature_b64", flipped(GOOD["signature_b64"])))
    yield vector(
        "v8-integrity-copy-with-another-signature",
        "claims the digest of a genuine event, and must not displace it",
        bundle_of(PAPER, GOOD, bogus),
        published(event_row(3, WRONG_SIGNATURE), events=4),
    )
    second = integrity_event(payload_of(ref_index=20))
    yield vector(
        "valid-integrity-two-findings",
        "two payloads are two events",
        bundle_of(PAPER, GOOD, second),
        published(events=4),
    )

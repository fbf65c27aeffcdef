"""Integrity events: the one kind whose own rule the registry has published (protocol part 7)."""

from __future__ import annotations

from dataclasses import dataclass

from generator.errors import FormatError
from generator.formats.canonical import JsonObject, JsonValue, canonical_json
from generator.formats.digest import Digest, canonical_digest, parse_digest
from generator.formats.event import INTEGRITY
from generator.formats.fields import Fields, fields_of
from generator.formats.instant import Instant, parse_instant
from generator.formats.keys import SIGNATURE_LENGTH, parse_base64
from generator.limits import shorten

SEVERITIES = ("critical", "advisory", "informational")
VERDICT_CLASSES = ("incontrovertible", "cross_source", "threshold_with_margin", "rescinded")
PAYLOAD_KEYS = frozenset(
    (
        "arxiv_id",
        "audited_at",
        "detected_arxiv_id",
        "detected_doi",
        "detector",
        "detector_url",
        "detector_version",
        "event_type",
        "evidence",
        "evidence_hash",
        "external_url",
        "finding_type",
        "note",
        "paper_version",
        "ref_index",
        "resolved_title",
        "severity",
        "snippet",
        "verdict_class",
    )
)


@dataclass(frozen=True, slots=True)
class IntegrityEvent:
    """A finding of one of the registry's detectors; the signature covers the payload alone."""

    json: JsonObject
    payload: JsonObject
    payload_digest: Digest
    evidence_digest: Digest
    signature: bytes
    key_id: str
    arxiv_id: str
    audited_at: Instant
    detector: str
    finding_type: str
    severity: str
    verdict_class: str

    @property
    def place(self) -> tuple[object, ...]:
        """What the finding is about: detector, kind of finding, paper version and reference."""
        return (
            self.detector,
            self.finding_type,
            canonical_json([self.payload["paper_version"], self.payload["ref_index"]]),
        )

    @property
    def computed_payload_digest(self) -> Digest:
        """SHA-256 of the canonical JSON of the payload."""
        return canonical_digest(self.payload)

    @property
    def computed_evidence_digest(self) -> Digest:
        """SHA-256 of the canonical JSON of `{"d": detector, "e": evidence}`."""
        return canonical_digest({"d": self.detector, "e": self.payload["evidence"]})


def parse_integrity_event(value: JsonValue, *, path: str) -> IntegrityEvent:
    """Read an integrity event. `event_id` and `created_at` stay unread: neither is signed.

    Args:
        value: an item of `events`.
        path: its path, for messages.

    Returns:
        The event, its digests and signature not yet checked.

    Raises:
        FormatError: a field missing or malformed, or not all 19 payload keys present.
    """
    event = fields_of(value, path=path)
    event.constant("event_type", INTEGRITY)
    payload = event.object("payload")
    if payload.value.keys() != PAYLOAD_KEYS:
        odd = sorted(payload.value.keys() ^ PAYLOAD_KEYS)
        raise FormatError(
            payload.path,
            expected="the 19 keys of an integrity payload",
            found=f"{shorten(odd[0])!r} {'missing' if odd[0] in PAYLOAD_KEYS else 'added'}",
        )
    payload.constant("event_type", INTEGRITY)
    return IntegrityEvent(
        json=event.value,
        payload=payload.value,
        payload_digest=parse_digest(
            event.required("payload_sha256"), subject=event.at("payload_sha256")
        ),
        evidence_digest=parse_digest(
            payload.required("evidence_hash"), subject=payload.at("evidence_hash")
        ),
        signature=parse_base64(
            event.required("signature_b64"),
            subject=event.at("signature_b64"),
            length=SIGNATURE_LENGTH,
        ),
        key_id=event.token("signing_key_id"),
        arxiv_id=payload.token("arxiv_id"),
        audited_at=parse_instant(payload.required("audited_at"), subject=payload.at("audited_at")),
        detector=payload.token("detector"),
        finding_type=payload.token("finding_type"),
        severity=_one_of(payload, "severity", SEVERITIES),
        verdict_class=_one_of(payload, "verdict_class", VERDICT_CLASSES),
    )


def _one_of(payload: Fields, key: str, allowed: tuple[str, ...]) -> str:
    text = payload.text(key)
    if text not in allowed:
        raise FormatError(
            payload.at(key), expected=f"one of {', '.join(allowed)}", found=repr(shorten(text))
        )
    return text

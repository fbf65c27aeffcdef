"""V8: each event of an admitted record gets its own outcome (protocol parts 7 and 8).

A failed event never takes the record with it, and one that cannot be checked changes nothing in the
merged state: whoever could damage one event must not be able to hide the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from generator.errors import FormatError
from generator.formats import mirror1
from generator.formats.bundle import Bundle
from generator.formats.canonical import JsonObject, JsonValue, canonical_json
from generator.formats.checks import Check, Finding, Outcome, Reason
from generator.formats.digest import sha256
from generator.formats.event import (
    GRAPH_SNAPSHOT,
    INTEGRITY,
    RECORD_CREATED,
    RECORD_TARGET,
    Event,
    Signer,
    event_type_of,
    parse_event,
)
from generator.formats.fields import Fields
from generator.formats.instant import Instant
from generator.formats.integrity import IntegrityEvent, parse_integrity_event
from generator.formats.keys import EventProfile, TrustedKey, TrustedKeys
from generator.formats.kinds import KINDS, EventKind
from generator.formats.payloads import Payload
from generator.formats.snapshot import Snapshot, parse_snapshot
from generator.verify_creation import RECORD_STEP, check_creation
from generator.verify_payloads import check_payload

STEP = "V8"
_UNKNOWN_RULE = "how this signer derives event_id is not published; carried, not checked"


@dataclass(frozen=True, slots=True)
class JudgedEvent:
    """An event with its outcome. `identity` is what makes two events one in a merge.

    A verified event is identified by what its signature covers: the envelope, or, for a creation
    that only its receipt verifies, the record. Any other is identified by all of its bytes, so that
    nobody can displace an event by claiming its id. `signed` says that the envelope itself with
    its type, target, time and signer is signed.
    """

    json: JsonValue
    event_type: str
    identity: str
    check: Check
    signed: bool = False
    created_at: Instant | None = None
    signer: Signer | None = None
    event: Event | None = None
    integrity: IntegrityEvent | None = None
    snapshot: Snapshot | None = None
    payload: Payload | None = None
    reason: Reason | None = None

    @property
    def vouches(self) -> bool:
        """Whether time and signer may stand beside the outcome.

        A creation that only its receipt verifies can claim any; beside "verified" that would be a
        forgery with a check mark.
        """
        verified = self.outcome is Outcome.VERIFIED
        return self.signed or self.integrity is not None or not verified

    @property
    def outcome(self) -> Outcome:
        """The outcome of check V8."""
        return self.check.outcome


def judge_events(
    bundle: Bundle, trust: TrustedKeys, *, proven_creation: JsonObject
) -> tuple[JudgedEvent, ...]:
    """Judge every event of a bundle whose receipt has verified.

    Args:
        bundle: the admitted bundle.
        trust: the pinned keys.
        proven_creation: the `record_created` event whose record and receipt verified (V4, V7).

    Returns:
        One judged event per item of `events`, in received order.
    """
    case = _Case(bundle, trust, proven_creation)
    return tuple(_judged(case))


@dataclass(frozen=True, slots=True)
class _Case:
    """What every event of one bundle is judged against."""

    bundle: Bundle
    trust: TrustedKeys
    proven_creation: JsonObject


def _judged(case: _Case) -> Iterator[JudgedEvent]:
    for index, value in enumerate(case.bundle.events):
        path = f"events[{index}]"
        kind = event_type_of(value)
        try:
            if kind == INTEGRITY:
                yield _judge_integrity(value, path, case)
            else:
                yield _judge_envelope(value, path, case)
        except FormatError as error:
            check = Check(
                STEP,
                "event",
                f"{path} {kind}".strip(),
                Outcome.FAILED,
                error.expected,
                error.found,
                # Inside the event: which place it has in the bundle is not part of it.
                f"malformed: {error.subject.removeprefix(path).removeprefix('.') or 'the event'}",
            )
            yield JudgedEvent(value, kind, _content_identity(value), check, reason=Reason.MALFORMED)


def _judge_envelope(value: JsonValue, path: str, case: _Case) -> JudgedEvent:
    event = parse_event(value, path=path)
    snapshot = parse_snapshot(event, path=path) if event.event_type == GRAPH_SNAPSHOT else None
    kind = KINDS.get(event.event_type)
    payload = _parse_payload(event, kind, path)
    finding = _subject_finding(event, case.bundle) or _envelope_finding(event, case)
    if finding.outcome is Outcome.VERIFIED:
        # Only now: some payloads cost work, and unsigned ones are free to make.
        finding = check_payload(event, payload, case.bundle, case.trust) or finding
    verified = finding.outcome is Outcome.VERIFIED
    # Where there is a signature over the envelope, a verified event has verified by it.
    signed = verified and event.event_id is not None and event.signature is not None
    if signed:
        identity = str(event.event_id)
    elif verified:
        identity = f"receipt:{case.bundle.record.digest}"
    else:
        identity = _content_identity(value)
    return JudgedEvent(
        json=value,
        event_type=event.event_type,
        identity=identity,
        check=_check(path, event.event_type, finding),
        signed=signed,
        created_at=event.created_at,
        signer=event.signer,
        event=event,
        snapshot=snapshot,
        payload=payload,
        reason=finding.reason,
    )


def _parse_payload(event: Event, kind: EventKind | None, path: str) -> Payload | None:
    if kind is None or kind.parse is None:
        return None
    return kind.parse(Fields(f"{path}.payload", event.payload))


def _subject_finding(event: Event, bundle: Bundle) -> Finding | None:
    # A replay: a genuine event of another record says nothing about this one.
    if event.subject != bundle.pith_number:
        return Finding(
            Outcome.FAILED,
            f"subject_pith_number {bundle.pith_number}",
            event.subject,
            "an event of another record",
            Reason.OTHER_RECORD,
        )
    return None


def _envelope_finding(event: Event, case: _Case) -> Finding:
    finding = _signature_finding(event, case.trust)
    if event.event_type != RECORD_CREATED or finding.outcome is Outcome.FAILED:
        return finding
    if event.target != RECORD_TARGET:
        # The receipt does not cover the target: another one is garbage around a genuine record.
        expected = f"target {RECORD_TARGET}"
        return Finding(Outcome.FAILED, expected, event.target, reason=Reason.TARGET)
    if event.json is not case.proven_creation:
        # Another creation beside the proven one has to prove itself in the same way.
        checks = check_creation(event.json, case.bundle.record.digest, case.trust)
        fault = next((check for check in checks if check.outcome is not Outcome.VERIFIED), None)
        if fault is not None:
            return Finding(
                fault.outcome, fault.expected, fault.found, fault.name, _reason_of_creation(fault)
            )
    if finding.outcome is Outcome.VERIFIED:
        return finding
    if event.signature is not None:
        # The receipt covers the record, not this envelope (protocol part 8).
        proven = "the record itself is proven by its receipt"
        return replace(finding, note="; ".join(filter(None, (finding.note, proven))))
    return Finding(
        Outcome.VERIFIED,
        "a receipt that verifies (V7)",
        "a receipt that verifies (V7)",
        "through its receipt",
    )


def _reason_of_creation(fault: Check) -> Reason:
    if fault.outcome is Outcome.NOT_CHECKABLE:
        return Reason.UNKNOWN_KEY
    return Reason.RECORD if fault.step == RECORD_STEP else Reason.RECEIPT


def _signature_finding(event: Event, trust: TrustedKeys) -> Finding:
    if event.event_id is None or event.signature is None or event.signer is None:
        missing = [
            name
            for name, part in (
                ("event_id", event.event_id),
                ("signer", event.signer),
                ("signature_b64", event.signature),
            )
            if part is None
        ]
        return Finding(
            Outcome.NOT_CHECKABLE,
            "a signed envelope",
            f"no {', no '.join(missing)}",
            reason=Reason.UNSIGNED,
        )
    key = trust.find(event.signer.key_id)
    if key is None:
        return _unknown_key(event.signer.key_id)
    return (
        _role_finding(event, key)
        or _signer_finding(event.signer, key)
        or _derivation_finding(event, key)
        or _window_finding(event, key)
    )


def _unknown_key(key_id: str) -> Finding:
    return Finding(
        Outcome.NOT_CHECKABLE,
        "a signature by a trusted key",
        f"key id {key_id}",
        "no key of this id is pinned in this mirror",
        Reason.UNKNOWN_KEY,
    )


def _role_finding(event: Event, key: TrustedKey) -> Finding | None:
    # A key pinned for an author or an operator does not speak for the registry, nor the other way.
    kind = KINDS.get(event.event_type)
    fault = None if kind is None else key.roles_fault(kind.roles)
    return None if fault is None else Finding(Outcome.FAILED, *fault, reason=Reason.ROLE)


def _signer_finding(signer: Signer, key: TrustedKey) -> Finding | None:
    if signer.fingerprint != key.fingerprint:
        return Finding(
            Outcome.FAILED,
            f"fingerprint {key.fingerprint} (key {key.key_id})",
            signer.fingerprint,
            reason=Reason.SIGNER,
        )
    if signer.signer_id != key.signer_id:
        return Finding(
            Outcome.FAILED,
            f"signer {key.signer_id} (key {key.key_id})",
            signer.signer_id,
            reason=Reason.SIGNER,
        )
    return None


def _derivation_finding(event: Event, key: TrustedKey) -> Finding | None:
    digest = mirror1.event_digest(event.json)
    expected = mirror1.event_id(digest)
    if event.event_id != expected:
        known = key.event_profile is EventProfile.MIRROR1
        return Finding(
            Outcome.FAILED if known else Outcome.NOT_CHECKABLE,
            f"event_id {expected} (profile {mirror1.PROFILE})",
            str(event.event_id),
            "" if known else _UNKNOWN_RULE,
            Reason.EVENT_ID if known else Reason.UNKNOWN_RULE,
        )
    if event.signature is None or not key.signed(digest, event.signature):
        return Finding(
            Outcome.FAILED,
            f"an Ed25519 signature of {digest} by {key.key_id}",
            "another signature",
            reason=Reason.SIGNATURE,
        )
    return None


def _window_finding(event: Event, key: TrustedKey) -> Finding:
    if event.created_at is None:
        expected = "created_at in a signed envelope"
        return Finding(Outcome.FAILED, expected, "nothing", reason=Reason.WINDOW)
    fault = key.window_fault(event.created_at)
    if fault is not None:
        return Finding(Outcome.FAILED, *fault, reason=Reason.WINDOW)
    return Finding(
        Outcome.VERIFIED,
        f"signed by {key.key_id}",
        f"{event.event_id}",
        f"profile {mirror1.PROFILE}",
    )


def _judge_integrity(value: JsonValue, path: str, case: _Case) -> JudgedEvent:
    event = parse_integrity_event(value, path=path)
    finding = _integrity_content_finding(event, case.bundle) or _integrity_signature_finding(
        event, case.trust
    )
    verified = finding.outcome is Outcome.VERIFIED
    return JudgedEvent(
        json=value,
        event_type=INTEGRITY,
        # The signature covers the payload alone: two envelopes of one payload are one event.
        identity=f"sha256:{event.payload_digest}" if verified else _content_identity(value),
        check=_check(path, INTEGRITY, finding),
        created_at=event.audited_at,
        integrity=event,
        reason=finding.reason,
    )


def _integrity_content_finding(event: IntegrityEvent, bundle: Bundle) -> Finding | None:
    if event.computed_evidence_digest != event.evidence_digest:
        return Finding(
            Outcome.FAILED,
            f"evidence_hash {event.computed_evidence_digest}",
            str(event.evidence_digest),
            reason=Reason.DIGEST,
        )
    if event.computed_payload_digest != event.payload_digest:
        return Finding(
            Outcome.FAILED,
            f"payload_sha256 {event.computed_payload_digest}",
            str(event.payload_digest),
            reason=Reason.DIGEST,
        )
    # The payload's arXiv id alone binds the subject; another one is a replay (protocol part 7).
    if event.arxiv_id != bundle.record.source.id:
        expected = f"arxiv_id {bundle.record.source.id}"
        return Finding(Outcome.FAILED, expected, event.arxiv_id, "a replay", Reason.OTHER_RECORD)
    return None


def _integrity_signature_finding(event: IntegrityEvent, trust: TrustedKeys) -> Finding:
    key = trust.find(event.key_id)
    if key is None:
        return _unknown_key(event.key_id)
    role_fault = key.roles_fault(KINDS[INTEGRITY].roles)
    if role_fault is not None:
        return Finding(Outcome.FAILED, *role_fault, reason=Reason.ROLE)
    if not key.signed(event.payload_digest, event.signature):
        return Finding(
            Outcome.FAILED,
            f"an Ed25519 signature of {event.payload_digest} by {key.key_id}",
            "another signature",
            reason=Reason.SIGNATURE,
        )
    # `created_at` of the envelope is not signed; `audited_at` is.
    fault = key.window_fault(event.audited_at)
    if fault is not None:
        return Finding(Outcome.FAILED, *fault, reason=Reason.WINDOW)
    return Finding(
        Outcome.VERIFIED,
        f"signed by {key.key_id}",
        f"payload_sha256 {event.payload_digest}",
        "the registry's own rule",
    )


def _check(path: str, kind: str, finding: Finding) -> Check:
    return Check(
        STEP,
        "event",
        f"{path} {kind}",
        finding.outcome,
        finding.expected,
        finding.found,
        finding.note,
    )


def _content_identity(value: JsonValue) -> str:
    # Another name space than that of event ids: no unproven event shares a verified one's identity.
    return f"content:{sha256(canonical_json(value))}"

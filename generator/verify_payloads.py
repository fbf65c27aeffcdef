"""V8, second half: what the payload of a kind must hold beyond its shape.

These rules are ours (`docs/formats/events.md`). They look at the payload, the signer's claimed key
and the record. Whether the signature is genuine is checked apart: a finding here is a failure.
"""

from __future__ import annotations

from generator.errors import FormatError
from generator.formats.bundle import Bundle
from generator.formats.checks import Finding, Outcome, Reason
from generator.formats.event import Event
from generator.formats.keys import Role, TrustedKey, TrustedKeys
from generator.formats.payloads import (
    RECORD,
    AuthorClaim,
    Citation,
    Payload,
    Timestamp,
    Withdrawal,
)
from generator.formats.timestamp_proof import check_commitment, parse_timestamp_proof


def check_payload(
    event: Event, payload: Payload | None, bundle: Bundle, trust: TrustedKeys
) -> Finding | None:
    """Check a payload against the record and against its signer.

    Args:
        event: the event.
        payload: its payload, or None for a kind without rules of its own.
        bundle: the admitted bundle.
        trust: the pinned keys.

    Returns:
        A failure, or None if nothing speaks against the payload.
    """
    key = None if event.signer is None else trust.find(event.signer.key_id)
    match payload:
        case Timestamp():
            return _timestamp(payload, bundle)
        case AuthorClaim():
            return _author_claim(payload, key)
        case Citation():
            return _citation(payload, bundle)
        case Withdrawal():
            return _withdrawal(payload, key)
        case _:
            return None


def _timestamp(payload: Timestamp, bundle: Bundle) -> Finding | None:
    try:
        proof = parse_timestamp_proof(payload.proof, subject="payload.proof_b64")
    except FormatError as error:
        return _fault(error.expected, error.found, error.subject)
    finding = check_commitment(proof, bundle.record.digest)
    if finding.outcome is Outcome.VERIFIED:
        return None
    return _fault(finding.expected, finding.found)


def _author_claim(payload: AuthorClaim, key: TrustedKey | None) -> Finding | None:
    if key is None or Role.REGISTRY in key.roles:
        return None
    # An author speaks for the key that signs and for no other; only the registry saw an ORCID iD.
    if payload.method == "key" and payload.fingerprint == key.fingerprint:
        return None
    if payload.strength == "weak":
        return None
    return _fault(
        "a strong claim by the registry, or by the claimed key itself",
        f"a strong claim by {payload.method} signed by {key.key_id}",
    )


def _citation(payload: Citation, bundle: Bundle) -> Finding | None:
    # The suffix alone is the id; the year before it is for people.
    if payload.cited.suffix != bundle.record.pith_number.suffix:
        return None
    return _fault("a citation of another record", "one of the record itself")


def _withdrawal(payload: Withdrawal, key: TrustedKey | None) -> Finding | None:
    if payload.about != RECORD or key is None:
        return None
    fault = key.roles_fault({Role.REGISTRY, Role.AUTHOR})
    return None if fault is None else Finding(Outcome.FAILED, *fault, reason=Reason.ROLE)


def _fault(expected: str, found: str, note: str = "") -> Finding:
    return Finding(Outcome.FAILED, expected, found, note, Reason.PAYLOAD)

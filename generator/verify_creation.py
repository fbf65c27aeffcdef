"""V4 and V7 on one `record_created` event: the record it carries, and the receipt over it."""

from __future__ import annotations

from generator.errors import FormatError
from generator.formats.canonical import JsonObject
from generator.formats.checks import Check, Outcome
from generator.formats.digest import Digest, canonical_digest, parse_digest
from generator.formats.fields import Fields
from generator.formats.keys import Role, TrustedKeys
from generator.formats.receipt import Receipt, parse_receipt

RECORD_STEP = "V4"
RECEIPT_STEP = "V7"


def check_creation(event: JsonObject, digest: Digest, trust: TrustedKeys) -> tuple[Check, ...]:
    """Check that a creation carries the record and a receipt over it.

    Args:
        event: a `record_created` event of any shape inside.
        digest: the digest of the bundle's canonical record, computed here.
        trust: the pinned keys.

    Returns:
        The V4 check of the payload, then the V7 check of the receipt, if the payload has the shape
        for it.
    """
    try:
        payload = Fields("record_created", event).object("payload")
    except FormatError as error:
        return (_failed(RECORD_STEP, "record_created payload", error),)
    return (_check_payload(payload, digest), *_check_receipt(payload, digest, trust))


def receipt_of(event: JsonObject) -> Receipt:
    """Read the receipt of a creation that has passed `check_creation`.

    Args:
        event: the `record_created` event.

    Returns:
        Its receipt.

    Raises:
        FormatError: there is none of the right shape.
    """
    payload = Fields("record_created", event).object("payload")
    return parse_receipt(payload.required("receipt"), subject=payload.at("receipt"))


def _check_payload(payload: Fields, digest: Digest) -> Check:
    try:
        record = payload.object("canonical_record")
        computed = canonical_digest(record.value)
        claimed = parse_digest(
            payload.required("canonical_sha256"), subject=payload.at("canonical_sha256")
        )
    except FormatError as error:
        return _failed(RECORD_STEP, "record_created payload", error)
    wrong = next((found for found in (computed, claimed) if found != digest), None)
    return Check(
        RECORD_STEP,
        "content address in record_created",
        "record_created.payload",
        Outcome.VERIFIED if wrong is None else Outcome.FAILED,
        str(digest),
        str(wrong or digest),
    )


def _check_receipt(payload: Fields, digest: Digest, trust: TrustedKeys) -> tuple[Check, ...]:
    name, subject = "receipt signature", payload.at("receipt")
    try:
        receipt = parse_receipt(payload.required("receipt"), subject=subject)
    except FormatError as error:
        return (_failed(RECEIPT_STEP, name, error),)
    key = trust.find(receipt.key_id)
    if key is None:
        return (
            Check(
                RECEIPT_STEP,
                name,
                subject,
                Outcome.NOT_CHECKABLE,
                "a signature by a trusted key",
                f"key id {receipt.key_id}",
                "no key of this id is pinned in this mirror",
            ),
        )
    role_fault = key.roles_fault({Role.REGISTRY})
    if role_fault is not None:
        # An author's pinned key speaks for claims of that author; it cannot mint records.
        return (Check(RECEIPT_STEP, name, subject, Outcome.FAILED, *role_fault),)
    expected = f"an Ed25519 signature of {digest} by {key.key_id}"
    signed = key.signed(digest, receipt.signature)
    fault = key.window_fault(receipt.signed_at)
    return (
        Check(
            RECEIPT_STEP,
            name,
            subject,
            Outcome.VERIFIED if signed else Outcome.FAILED,
            expected,
            expected if signed else "another signature",
        ),
        Check(
            RECEIPT_STEP,
            "receipt time",
            payload.at("receipt.signed_at"),
            Outcome.VERIFIED if fault is None else Outcome.FAILED,
            fault[0] if fault else f"inside the window of key {key.key_id}",
            fault[1] if fault else f"signed at {receipt.signed_at}",
            # The receipt signs the digest alone (protocol part 2).
            "signed_at is reported by the signer; the signature does not cover it",
        ),
    )


def _failed(step: str, name: str, error: FormatError) -> Check:
    return Check(step, name, error.subject, Outcome.FAILED, error.expected, error.found)

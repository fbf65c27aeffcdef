"""The receipt: the registry's signature over a record's canonical SHA-256 (protocol part 2)."""

from __future__ import annotations

from dataclasses import dataclass

from generator.formats.canonical import JsonObject, JsonValue
from generator.formats.fields import fields_of
from generator.formats.instant import Instant, parse_instant
from generator.formats.keys import SIGNATURE_LENGTH, parse_base64

RECEIPT_KIND = "pith_receipt"
ALGORITHM = "ed25519"


@dataclass(frozen=True, slots=True)
class Receipt:
    """Who signed the canonical digest, and when they say they did (the time is not signed)."""

    json: JsonObject
    key_id: str
    signed_at: Instant
    signature: bytes


def parse_receipt(value: JsonValue, *, subject: str) -> Receipt:
    """Read a receipt; further fields are allowed, since the registry's are not all known.

    Args:
        value: what stands in the `record_created` payload.
        subject: its path, for messages.

    Returns:
        The receipt, its signature not yet checked.

    Raises:
        FormatError: a field missing or malformed, or an algorithm other than Ed25519.
    """
    receipt = fields_of(value, path=subject)
    receipt.constant("kind", RECEIPT_KIND)
    receipt.constant("algorithm", ALGORITHM)
    return Receipt(
        json=receipt.value,
        key_id=receipt.token("key_id"),
        signed_at=parse_instant(receipt.required("signed_at"), subject=receipt.at("signed_at")),
        signature=parse_base64(
            receipt.required("signature_b64"),
            subject=receipt.at("signature_b64"),
            length=SIGNATURE_LENGTH,
        ),
    )

"""Events: the envelope as received, read as far as it can be (protocol parts 4 and 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.errors import FormatError
from generator.formats.canonical import JsonObject, JsonValue
from generator.formats.fields import Fields, fields_of
from generator.formats.instant import Instant, parse_instant
from generator.formats.keys import SIGNATURE_LENGTH, parse_base64
from generator.limits import shorten

RECORD_CREATED = "record_created"
RECORD_TARGET = "record"
GRAPH_SNAPSHOT = "graph_snapshot"
GRAPH_TARGET = "graph"
INTEGRITY = "pith.integrity.v1"

_EVENT_ID = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Signer:
    """Who an event says made it: a claim until the signature verifies."""

    json: JsonObject
    signer_id: str
    signer_type: str
    key_id: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Event:
    """A well-formed event. Absent optional fields are None; `json` is the object as received."""

    json: JsonObject
    event_type: str
    subject: str
    target: str
    payload: JsonObject
    created_at: Instant | None
    signer: Signer | None
    event_id: str | None
    signature: bytes | None


def parse_event(value: JsonValue, *, path: str) -> Event:
    """Read an event of any type but `pith.integrity.v1`.

    Args:
        value: an item of `events`.
        path: its path, for messages.

    Returns:
        The event; nothing in it is checked but its shape.

    Raises:
        FormatError: a field has the wrong type or spelling.
    """
    event = fields_of(value, path=path)
    return Event(
        json=event.value,
        event_type=event.token("event_type"),
        subject=event.token("subject_pith_number"),
        target=event.token("target"),
        payload=event.object("payload").value,
        created_at=_optional_instant(event, "created_at"),
        signer=_optional_signer(event),
        event_id=_optional_event_id(event),
        signature=_optional_signature(event),
    )


def event_type_of(value: JsonValue) -> str:
    """Tell the type an item of `events` claims, for routing and for messages.

    Args:
        value: an item of `events`, of any shape.

    Returns:
        The type, shortened, or an empty string.
    """
    kind = value.get("event_type") if isinstance(value, dict) else None
    return shorten(kind, limit=60) if isinstance(kind, str) else ""


def claimed_type(value: JsonValue) -> str:
    """Give the type an item of `events` claims, as it stands in the state.

    Args:
        value: an item of `events`, of any shape.

    Returns:
        The type if it has the form of one, else an empty string.
    """
    try:
        return fields_of(value, path="").token("event_type")
    except FormatError:
        return ""


def _optional_instant(event: Fields, key: str) -> Instant | None:
    if key not in event.value:
        return None
    return parse_instant(event.value[key], subject=event.at(key))


def _optional_signer(event: Fields) -> Signer | None:
    if "signer" not in event.value:
        return None
    signer = event.object("signer")
    return Signer(
        json=signer.value,
        signer_id=signer.token("signer_id"),
        signer_type=signer.token("signer_type"),
        key_id=signer.token("key_id"),
        fingerprint=signer.token("public_key_fingerprint"),
    )


def _optional_event_id(event: Fields) -> str | None:
    if "event_id" not in event.value:
        return None
    text = event.text("event_id")
    if not _EVENT_ID.fullmatch(text):
        raise FormatError(
            event.at("event_id"), expected="sha256:<64 hex digits>", found=repr(shorten(text))
        )
    return text


def _optional_signature(event: Fields) -> bytes | None:
    if "signature_b64" not in event.value:
        return None
    return parse_base64(
        event.value["signature_b64"], subject=event.at("signature_b64"), length=SIGNATURE_LENGTH
    )

"""Words for events: what a kind is called, and what one event says, on one line for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from generator.display import shown_text
from generator.formats import payloads
from generator.formats.checks import Outcome
from generator.formats.digest import sha256
from generator.formats.integrity import IntegrityEvent
from generator.formats.keys import FINGERPRINT_LENGTH
from generator.limits import DEFAULT_LIMITS
from generator.messages import Message, message, messages
from generator.verify_events import JudgedEvent

# Words of closed lists, as pages show them.
OUTCOME_WORDS: Mapping[Outcome, Message] = MappingProxyType(
    {
        Outcome.VERIFIED: message("verified"),
        Outcome.FAILED: message("failed"),
        Outcome.NOT_CHECKABLE: message("not checkable"),
    }
)
# Values of closed lists in payloads (docs/formats/events.md), as pages show them.
_VALUE_WORDS: Mapping[str, Message] = MappingProxyType(
    {
        "supports": message("supports"),
        "refutes": message("refutes"),
        "extends": message("extends"),
        "uses_method": message("uses method"),
        "depends_on": message("depends on"),
        "replaces": message("replaces"),
        "compares": message("compares"),
        "cites": message("cites"),
        "replication": message("replication"),
        "falsification": message("falsification"),
        "formal_bridge": message("formal bridge"),
        "confirmed": message("confirmed"),
        "partial": message("partial"),
        "refuted": message("refuted"),
        "inconclusive": message("inconclusive"),
        "weak": message("weak"),
        "strong": message("strong"),
    }
)
# One and several of each kind.
KIND_WORDS: Mapping[str, tuple[Message, str]] = MappingProxyType(
    {
        "record_created": (message("creation"), "creations"),
        "graph_snapshot": (message("snapshot"), "snapshots"),
        "timestamp_anchored": (message("timestamp"), "timestamps"),
        "storage_attested": (message("stored copy"), "stored copies"),
        "author_claim": (message("author claim"), "author claims"),
        "author_attestation": (message("author attestation"), "author attestations"),
        "citation": (message("citation"), "citations"),
        "replication": (message("replication"), "replications"),
        "pith.integrity.v1": (message("integrity finding"), "integrity findings"),
        "challenge": (message("challenge"), "challenges"),
        "response": (message("response"), "responses"),
        "correction": (message("correction"), "corrections"),
        "withdrawal": (message("withdrawal"), "withdrawals"),
        "key_rotation": (message("key rotation"), "key rotations"),
        "alias_added": (message("added alias"), "added aliases"),
        "endorsement": (message("endorsement"), "endorsements"),
    }
)


def kind_words(event_type: str, count: int) -> str:
    """Count events of a kind in words.

    Args:
        event_type: any type, as claimed.
        count: how many.

    Returns:
        `citation` for one, `2 citations` for more; a kind that is not known here is named as it
        names itself.
    """
    words = KIND_WORDS.get(event_type)
    if words is None:
        kind = shown_text(event_type, limit=DEFAULT_LIMITS.token_max_length) or message("(none)")
        return messages("event of kind {kind}", "{number} events of kind {kind}", count, kind=kind)
    return words[0] if count == 1 else f"{count} {words[1]}"


def value_words(value: str) -> str:
    """Spell a value of a payload's closed list for people.

    Args:
        value: such as `uses_method`.

    Returns:
        Its words; a value that is in no list is only spaced.
    """
    return _VALUE_WORDS.get(value) or value.replace("_", " ")


def event_words(judged: JudgedEvent) -> str:
    """Say what an event says.

    Args:
        judged: an event with its outcome; what it says is its signer's word, if that.

    Returns:
        One visible line, bounded; empty where there is nothing to say, as for a kind not known.
    """
    if judged.integrity is not None:
        text = _integrity(judged.integrity)
    elif judged.snapshot is not None:
        text = judged.snapshot.paper.title
    else:
        words = _WORDS.get(type(judged.payload))
        text = words(judged.payload) if words is not None else ""
    return shown_text(text, limit=DEFAULT_LIMITS.shown_title_max_length)


def _integrity(finding: IntegrityEvent) -> str:
    return (
        f"{finding.severity} {finding.finding_type} by {finding.detector}, {finding.verdict_class}"
    )


def _timestamp(payload: payloads.Timestamp) -> str:
    return f"OpenTimestamps proof of {len(payload.proof)} bytes"


def _stored_copy(payload: payloads.StoredCopy) -> str:
    return f"{payload.store} since {payload.stored_at}: {payload.url} (SHA-256 {payload.digest})"


def _author_claim(payload: payloads.AuthorClaim) -> str:
    who = payload.orcid or f"key {payload.fingerprint}"
    return f"{payload.strength} claim of {who}: {payload.author_name}"


def _author_attestation(payload: payloads.AuthorAttestation) -> str:
    return f"{payload.author_name}: {payload.statement}"


def _citation(payload: payloads.Citation) -> str:
    return _joined(f"{payload.relation} {payload.cited}", payload.note)


def _replication(payload: payloads.Replication) -> str:
    system = f" in {payload.system}" if payload.system else ""
    return _joined(f"{payload.kind}{system}, {payload.outcome}: {payload.url}", payload.note)


def _challenge(payload: payloads.Challenge) -> str:
    return f"of {payload.about}: {payload.reason}"


def _response(payload: payloads.Response) -> str:
    return f"to {payload.challenge}: {payload.text}"


def _correction(payload: payloads.Correction) -> str:
    return f"of {payload.about}: {payload.text}"


def _withdrawal(payload: payloads.Withdrawal) -> str:
    return f"of {payload.about}: {payload.reason}"


def _key_rotation(payload: payloads.KeyRotation) -> str:
    fingerprint = sha256(payload.public_key).raw[:FINGERPRINT_LENGTH].hex()
    ends = f", the old key ends at {payload.retires_at}" if payload.retires_at else ""
    return f"next key {payload.key_id} ({fingerprint}) from {payload.valid_from}{ends}"


def _alias_added(payload: payloads.AliasAdded) -> str:
    return f"{payload.kind}: {payload.value}"


def _endorsement(payload: payloads.Endorsement) -> str:
    return f"of {payload.endorses}"


def _joined(text: str, note: str) -> str:
    return f"{text} ({note})" if note else text


# Keyed by type: each function takes exactly the payload it stands beside.
_WORDS: Mapping[type, Callable[[Any], str]] = MappingProxyType(
    {
        payloads.Timestamp: _timestamp,
        payloads.StoredCopy: _stored_copy,
        payloads.AuthorClaim: _author_claim,
        payloads.AuthorAttestation: _author_attestation,
        payloads.Citation: _citation,
        payloads.Replication: _replication,
        payloads.Challenge: _challenge,
        payloads.Response: _response,
        payloads.Correction: _correction,
        payloads.Withdrawal: _withdrawal,
        payloads.KeyRotation: _key_rotation,
        payloads.AliasAdded: _alias_added,
        payloads.Endorsement: _endorsement,
    }
)

"""Payloads of every kind of event, mostly right ones, made from choices."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.fuzz.choices import Choices
from tests.vectors.builders import (
    AUTHOR,
    CREATED_AT,
    EXPIRED,
    OLD,
    OPERATOR,
    OTHER,
    PAPER,
    REGISTRY,
    REVOKED,
    SILENT,
    STRANGER,
    Json,
    Paper,
    SigningKey,
    creation_of,
    digest,
    number_of,
    record_of,
    signer_of,
    snapshot_of,
)

KEYS = (REGISTRY, AUTHOR, OPERATOR, SILENT, EXPIRED, REVOKED, STRANGER)
PAPERS = (PAPER, OTHER, OLD)
PROOFS = Path(__file__).resolve().parent.parent / "timestamps"
NO_EVENT = "sha256:" + "0" * 64
MAGIC = b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94\x01\x08"

# One moment in several spellings first: equal times are where merges go wrong.
TIMES: tuple[Json, ...] = (
    CREATED_AT,
    "2026-05-18T04:28:13.000+02:00",
    "2026-05-18T02:28:13.000000000-00:00",
    "2026-05-18T02:28:13.000000001Z",
    "2026-05-17T23:59:59.999999999Z",
    "2026-06-30T23:59:60Z",
    "2026-06-30T23:59:60.5Z",
    "2026-07-01T00:00:00Z",
    "2026-07-01T01:59:60+02:00",
    "2025-12-31T23:59:60Z",
    "2026-01-01T00:00:30.5Z",
    "2026-01-31T23:59:60.999Z",
    "9999-12-31T23:59:59.999999999Z",
    "0001-01-01T00:00:00+00:01",
    "2026-02-30T00:00:00Z",
    "2026-05-18t02:28:13z",
    None,
)
WORDS = ("Some words.", "x", "Weierstra\u00df, \u2115", "two\nlines")


@dataclass(frozen=True, slots=True)
class Making:
    """What a payload is made from; `ids` are events that it may name, one of them unknown."""

    choices: Choices
    paper: Paper
    ids: tuple[str, ...]

    def pick(self, *options: str) -> str:
        """Pick one of the options."""
        return self.choices.pick(options)

    @property
    def words(self) -> str:
        """Some words of a signer."""
        return self.choices.pick(WORDS)

    @property
    def about(self) -> str:
        """What an event speaks of."""
        return self.choices.pick(("record", *self.ids))


@cache
def claimed_signer(key: SigningKey) -> Json:
    """Give what an envelope says of its signer; callers copy before they change it."""
    return signer_of(key)


def payload_of(kind: str, choices: Choices, paper: Paper, known: list[str]) -> Json:
    """Make the payload of a kind of event.

    Args:
        kind: any type.
        choices: decide on its fields.
        paper: what the record is of.
        known: ids of events made before, to be named.

    Returns:
        The payload; of an unknown kind, some object.
    """
    make = MAKERS.get(kind)
    if make is None:
        return {"anything": choices.pick(WORDS)}
    return make(Making(choices, paper, (*known[-8:], NO_EVENT)))


def _citation(m: Making) -> Json:
    return {
        "relation": m.pick("cites", "supports", "refutes", "uses_method"),
        "cited_pith_number": number_of(record_of(m.choices.pick(PAPERS))),
    }


def _stored(m: Making) -> Json:
    return {
        "store": m.pick("archive.org", "zenodo"),
        "url": m.pick("https://example.org/a", "http://example.org/?q=1#f"),
        "sha256": hashlib.sha256(m.words.encode()).hexdigest(),
        "stored_at": m.choices.pick(TIMES[:-1]),
    }


def _claim(m: Making) -> Json:
    claim = {"strength": m.pick("weak", "strong"), "author_name": m.words}
    if m.choices.seldom(2):
        return {**claim, "method": "orcid", "orcid": "0000-0002-1825-0097"}
    key = claimed_signer(m.choices.pick(KEYS))
    return {**claim, "method": "key", "public_key_fingerprint": key["public_key_fingerprint"]}


def _replication(m: Making) -> Json:
    return {
        "kind": m.pick("replication", "falsification", "formal_bridge"),
        "outcome": m.pick("confirmed", "partial", "refuted", "inconclusive"),
        "url": m.pick("https://example.org/a", "http://example.org/?q=1#f"),
    }


def _rotation(m: Making) -> Json:
    rotation = {
        "key_id": m.pick("next-key", "test-author"),
        "algorithm": "ed25519",
        "public_key_b64": STRANGER.public_b64,
        "valid_from": m.choices.pick(TIMES[:-1]),
    }
    return {**rotation, "retires_at": m.choices.pick(TIMES)} if m.choices.seldom(3) else rotation


def _proof(m: Making) -> Json:
    """A proof that ends in one attestation: of this record, or one that is kept on disk."""
    if m.choices.seldom(4):
        proof = m.choices.pick(sorted(PROOFS.glob("*/*.ots"))).read_bytes()
    else:
        path = m.choices.pick((b"", b"\x08", b"\xf0\x01a\x08", b"\xf3\x08", b"\x67", b"\x03"))
        leaf = m.choices.pick(
            (
                bytes.fromhex("0588960d73d71901") + b"\x01\x64",
                bytes.fromhex("83dfe30d2ef90c8e") + b"\x0a\x09https://a",
                b"unknown!\x00",
            )
        )
        proof = MAGIC + digest(record_of(m.paper)) + path + b"\x00" + leaf
    return {"proof_type": "opentimestamps", "proof_b64": base64.b64encode(proof).decode()}


MAKERS: Mapping[str, Callable[[Making], Json]] = {
    "citation": _citation,
    "endorsement": lambda m: {"endorses": m.pick(*m.ids)},
    "withdrawal": lambda m: {"about": m.about, "reason": m.words},
    "graph_snapshot": lambda m: {"graph_snapshot": snapshot_of(m.paper)},
    "timestamp_anchored": _proof,
    "storage_attested": _stored,
    "author_claim": _claim,
    "author_attestation": lambda m: {"author_name": m.words, "statement": m.words},
    "replication": _replication,
    "challenge": lambda m: {"about": m.about, "reason": m.words},
    "response": lambda m: {"challenge": m.pick(*m.ids), "text": m.words},
    "correction": lambda m: {"about": m.about, "text": m.words},
    "key_rotation": _rotation,
    "alias_added": lambda m: {"alias_kind": "doi", "alias_value": m.pick("10.1/x", m.words)},
    "record_created": lambda m: creation_of(record_of(m.paper))["payload"],
}

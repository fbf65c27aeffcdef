"""Payloads of event kinds: one value type each (`docs/formats/events.md`, which says what is ours).

The registry has published the names of its collections and counters, not these payloads; they are
defined here, in profile `mirror/1`, until it does. Unknown fields are refused: a signature would
cover words that nobody here understands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.errors import FormatError
from generator.formats.digest import Digest, parse_digest
from generator.formats.fields import Fields
from generator.formats.identifiers import PithNumber, parse_pith_number
from generator.formats.instant import Instant, parse_instant
from generator.formats.keys import PUBLIC_KEY_LENGTH, parse_base64
from generator.limits import DEFAULT_LIMITS, shorten

RECORD = "record"  # what an event is about when it is about the record itself
RELATIONS = (
    "supports",
    "refutes",
    "extends",
    "uses_method",
    "depends_on",
    "replaces",
    "compares",
    "cites",
)
REPLICATION_KINDS = ("replication", "falsification", "formal_bridge")
REPLICATION_OUTCOMES = ("confirmed", "partial", "refuted", "inconclusive")
CLAIM_METHODS = ("orcid", "key")
STRENGTHS = ("weak", "strong")

_EVENT_ID = re.compile(r"sha256:[0-9a-f]{64}")
_ORCID = re.compile(r"[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]")
_FINGERPRINT = re.compile(r"[0-9a-f]{32}")
_URL = re.compile(r"https?://[!-~]{1,2000}")
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")


@dataclass(frozen=True, slots=True)
class Timestamp:
    """`timestamp_anchored`: an OpenTimestamps proof, the bytes of an `.ots` file."""

    proof: bytes


@dataclass(frozen=True, slots=True)
class StoredCopy:
    """`storage_attested`: a store that says it holds a copy, and the copy's digest."""

    store: str
    url: str
    digest: Digest
    stored_at: Instant


@dataclass(frozen=True, slots=True)
class AuthorClaim:
    """`author_claim`: a person who says to be an author, by ORCID iD or by key."""

    method: str
    strength: str
    author_name: str
    orcid: str | None
    fingerprint: str | None


@dataclass(frozen=True, slots=True)
class AuthorAttestation:
    """`author_attestation`: an author's own signed statement about the record."""

    author_name: str
    statement: str


@dataclass(frozen=True, slots=True)
class Citation:
    """`citation`: the record cites another, in one of eight relations."""

    relation: str
    cited: PithNumber
    note: str


@dataclass(frozen=True, slots=True)
class Replication:
    """`replication`: an attempt to repeat, refute or formalise the record's result."""

    kind: str
    outcome: str
    url: str
    system: str
    note: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """`challenge`: a stated doubt about the record or about one of its events."""

    about: str
    reason: str


@dataclass(frozen=True, slots=True)
class Response:
    """`response`: an answer to a challenge."""

    challenge: str
    text: str


@dataclass(frozen=True, slots=True)
class Correction:
    """`correction`: a note that corrects what the record or an event says; it changes neither."""

    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """`withdrawal`: takes back an event of the same signer, or the record."""

    about: str
    reason: str


@dataclass(frozen=True, slots=True)
class KeyRotation:
    """`key_rotation`: the signer's next key. It counts only where the operator pins it."""

    key_id: str
    public_key: bytes
    valid_from: Instant
    retires_at: Instant | None


@dataclass(frozen=True, slots=True)
class AliasAdded:
    """`alias_added`: a further name of the record, such as a journal's DOI."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Endorsement:
    """`endorsement`: another signer joins an event that needs several."""

    endorses: str


Payload = (
    Timestamp
    | StoredCopy
    | AuthorClaim
    | AuthorAttestation
    | Citation
    | Replication
    | Challenge
    | Response
    | Correction
    | Withdrawal
    | KeyRotation
    | AliasAdded
    | Endorsement
)


def parse_timestamp(payload: Fields) -> Timestamp:
    """Read a `timestamp_anchored` payload: `proof_type` "opentimestamps", `proof_b64`.

    Args:
        payload: the object with its path; the same for every function here.

    Returns:
        The payload.

    Raises:
        FormatError: a field missing, unknown or malformed.
    """
    _only(payload, "proof_type", "proof_b64")
    payload.constant("proof_type", "opentimestamps")
    text = payload.text("proof_b64")
    limit = DEFAULT_LIMITS.timestamp_proof_max_length
    # The length of the decoded proof follows from its base64 spelling.
    length = len(text) // 4 * 3 - text[-2:].count("=")
    if length > limit:
        raise FormatError(
            payload.at("proof_b64"), expected=f"at most {limit} bytes", found=f"{length} bytes"
        )
    return Timestamp(parse_base64(text, subject=payload.at("proof_b64"), length=length))


def parse_stored_copy(payload: Fields) -> StoredCopy:
    """Read a `storage_attested` payload: `store`, `url`, `sha256`, `stored_at`."""
    _only(payload, "store", "url", "sha256", "stored_at")
    return StoredCopy(
        store=_name(payload, "store"),
        url=_url(payload, "url"),
        digest=parse_digest(payload.required("sha256"), subject=payload.at("sha256")),
        stored_at=parse_instant(payload.required("stored_at"), subject=payload.at("stored_at")),
    )


def parse_author_claim(payload: Fields) -> AuthorClaim:
    """Read an `author_claim` payload: method, strength, name, ORCID iD or key fingerprint."""
    _only(payload, "method", "strength", "author_name", "orcid", "public_key_fingerprint")
    method = _one_of(payload, "method", CLAIM_METHODS)
    _refuse(payload, "public_key_fingerprint" if method == "orcid" else "orcid")
    return AuthorClaim(
        method=method,
        strength=_one_of(payload, "strength", STRENGTHS),
        author_name=_words(payload, "author_name"),
        orcid=_orcid(payload) if method == "orcid" else None,
        fingerprint=_matching(payload, "public_key_fingerprint", _FINGERPRINT, "32 hex digits")
        if method == "key"
        else None,
    )


def parse_author_attestation(payload: Fields) -> AuthorAttestation:
    """Read an `author_attestation` payload: `author_name`, `statement`."""
    _only(payload, "author_name", "statement")
    return AuthorAttestation(_words(payload, "author_name"), _words(payload, "statement"))


def parse_citation(payload: Fields) -> Citation:
    """Read a `citation` payload: `relation`, `cited_pith_number`, optional `note`."""
    _only(payload, "relation", "cited_pith_number", "note")
    return Citation(
        relation=_one_of(payload, "relation", RELATIONS),
        cited=parse_pith_number(
            payload.required("cited_pith_number"), subject=payload.at("cited_pith_number")
        ),
        note=_optional_words(payload, "note"),
    )


def parse_replication(payload: Fields) -> Replication:
    """Read a `replication` payload: `kind`, `outcome`, `url`, optional `system` and `note`."""
    _only(payload, "kind", "outcome", "url", "system", "note")
    return Replication(
        kind=_one_of(payload, "kind", REPLICATION_KINDS),
        outcome=_one_of(payload, "outcome", REPLICATION_OUTCOMES),
        url=_url(payload, "url"),
        system=_optional_words(payload, "system"),
        note=_optional_words(payload, "note"),
    )


def parse_challenge(payload: Fields) -> Challenge:
    """Read a `challenge` payload: `about` ("record" or an event id), `reason`."""
    _only(payload, "about", "reason")
    return Challenge(_about(payload), _words(payload, "reason"))


def parse_response(payload: Fields) -> Response:
    """Read a `response` payload: `challenge` (an event id), `text`."""
    _only(payload, "challenge", "text")
    return Response(_event_id(payload, "challenge"), _words(payload, "text"))


def parse_correction(payload: Fields) -> Correction:
    """Read a `correction` payload: `about` ("record" or an event id), `text`."""
    _only(payload, "about", "text")
    return Correction(_about(payload), _words(payload, "text"))


def parse_withdrawal(payload: Fields) -> Withdrawal:
    """Read a `withdrawal` payload: `about` ("record" or an event id), `reason`."""
    _only(payload, "about", "reason")
    return Withdrawal(_about(payload), _words(payload, "reason"))


def parse_key_rotation(payload: Fields) -> KeyRotation:
    """Read a `key_rotation` payload: the new key, from when it counts, when the old one ends."""
    _only(payload, "key_id", "algorithm", "public_key_b64", "valid_from", "retires_at")
    payload.constant("algorithm", "ed25519")
    return KeyRotation(
        key_id=payload.token("key_id"),
        public_key=parse_base64(
            payload.required("public_key_b64"),
            subject=payload.at("public_key_b64"),
            length=PUBLIC_KEY_LENGTH,
        ),
        valid_from=parse_instant(payload.required("valid_from"), subject=payload.at("valid_from")),
        retires_at=parse_instant(payload.value["retires_at"], subject=payload.at("retires_at"))
        if "retires_at" in payload.value
        else None,
    )


def parse_alias_added(payload: Fields) -> AliasAdded:
    """Read an `alias_added` payload: `alias_kind`, `alias_value`."""
    _only(payload, "alias_kind", "alias_value")
    return AliasAdded(_name(payload, "alias_kind"), payload.token("alias_value"))


def parse_endorsement(payload: Fields) -> Endorsement:
    """Read an `endorsement` payload: `endorses` (an event id)."""
    _only(payload, "endorses")
    return Endorsement(_event_id(payload, "endorses"))


def _only(payload: Fields, *known: str) -> None:
    unknown = sorted(set(payload.value) - set(known))
    if unknown:
        raise FormatError(
            payload.path, expected=f"only {', '.join(known)}", found=repr(shorten(unknown[0]))
        )


def _words(payload: Fields, key: str) -> str:
    text = payload.text(key)
    limit = DEFAULT_LIMITS.event_text_max_length
    if not 0 < len(text.strip()) <= len(text) <= limit:
        raise FormatError(
            payload.at(key), expected=f"1 to {limit} characters", found=f"{len(text)} characters"
        )
    return text


def _optional_words(payload: Fields, key: str) -> str:
    return _words(payload, key) if key in payload.value else ""


def _refuse(payload: Fields, key: str) -> None:
    if key in payload.value:
        raise FormatError(payload.at(key), expected="nothing beside this method", found="a value")


def _one_of(payload: Fields, key: str, allowed: tuple[str, ...]) -> str:
    text = payload.text(key)
    if text not in allowed:
        raise FormatError(
            payload.at(key), expected=f"one of {', '.join(allowed)}", found=repr(shorten(text))
        )
    return text


def _matching(payload: Fields, key: str, pattern: re.Pattern[str], words: str) -> str:
    text = payload.text(key)
    if not pattern.fullmatch(text):
        raise FormatError(payload.at(key), expected=words, found=repr(shorten(text)))
    return text


def _url(payload: Fields, key: str) -> str:
    # A page links to it, so no other scheme than the web's may stand here.
    return _matching(payload, key, _URL, "an http(s) URL")


def _name(payload: Fields, key: str) -> str:
    return _matching(payload, key, _NAME, "a name of lower-case letters, digits, `_`, `.`, `-`")


def _event_id(payload: Fields, key: str) -> str:
    return _matching(payload, key, _EVENT_ID, "sha256:<64 hex digits>")


def _about(payload: Fields) -> str:
    return RECORD if payload.text("about") == RECORD else _event_id(payload, "about")


def _orcid(payload: Fields) -> str:
    """Read an ORCID iD and its check character (ISO 7064, MOD 11-2)."""
    text = _matching(payload, "orcid", _ORCID, "an ORCID iD, 0000-0000-0000-000X")
    total = 0
    for digit in text.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    if text[-1] != ("X" if check == 10 else str(check)):
        raise FormatError(
            payload.at("orcid"), expected="an ORCID iD with its check digit", found=repr(text)
        )
    return text

"""Phrases: the payload of each kind of event in words and labelled values.

Texts come from bundles: they are made visible and cut here, escaped by the template. The only
addresses that become links are http(s); calendars of a timestamp are a stranger's text, never a
link.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from generator.display import is_plain_url, make_visible, shown_text
from generator.event_table import EventTable
from generator.facts import KnownRecord
from generator.formats.block_headers import AttestationCheck
from generator.formats.canonical import JsonValue
from generator.formats.checks import Outcome
from generator.formats.digest import sha256
from generator.formats.integrity import IntegrityEvent
from generator.formats.keys import FINGERPRINT_LENGTH
from generator.formats.payloads import (
    RECORD,
    AliasAdded,
    AuthorAttestation,
    AuthorClaim,
    Challenge,
    Citation,
    Correction,
    Endorsement,
    KeyRotation,
    Replication,
    Response,
    StoredCopy,
    Timestamp,
    Withdrawal,
)
from generator.formats.works import DOI, work_of_doi
from generator.limits import DEFAULT_LIMITS, shorten
from generator.pages import StatementLine
from generator.timestamps import AnchoredTimestamp
from generator.verify_events import JudgedEvent

_SHOWN_URL = 100  # characters of an address; the link holds all of it


@dataclass(frozen=True, slots=True)
class Phrase:
    """What an event says; heading and lines ready to be shown, the quote as received."""

    heading: str
    quote: str = ""
    lines: tuple[StatementLine, ...] = ()


def phrase_of(event: JudgedEvent, known: KnownRecord, table: EventTable) -> Phrase:
    """Put an event into words.

    Args:
        event: an event that speaks.
        known: what is known of the record; gives what became of the timestamps.
        table: the record's events, to name one that another is about.

    Returns:
        The phrase; for a kind that is not known here its name and target alone.
    """
    if event.integrity is not None:
        return _finding(event.integrity)
    match event.payload:
        case None:
            target = event.event.target if event.event else ""
            return Phrase(_token(event.event_type), lines=(_line("target", target),))
        case Timestamp():
            return _timestamp(event, known)
        case Challenge() | Correction() | Withdrawal() | Response() | Endorsement() as payload:
            return _about_another(payload, table)
        case payload:
            return _about_the_record(payload)


def relation_words(relation: str) -> str:
    """Spell a relation for people.

    Args:
        relation: one of the eight.

    Returns:
        Its words, such as `uses method`.
    """
    return relation.replace("_", " ")


def _about_another(
    payload: Challenge | Correction | Withdrawal | Response | Endorsement, table: EventTable
) -> Phrase:
    match payload:
        case Challenge(about, words) | Withdrawal(about, words) | Correction(about, words):
            return Phrase("", words, (_mention("about", about, table),))
        case Response(challenge, words):
            return Phrase("", words, (_mention("answers", challenge, table),))
        case Endorsement(endorses):
            return Phrase("", "", (_mention("stands behind", endorses, table),))


def _about_the_record(
    payload: StoredCopy
    | AuthorClaim
    | AuthorAttestation
    | Citation
    | Replication
    | KeyRotation
    | AliasAdded,
) -> Phrase:
    match payload:
        case AuthorAttestation():
            return Phrase(_name(payload.author_name), payload.statement)
        case Citation():
            words = relation_words(payload.relation)
            return Phrase(f"{words} {payload.cited}", payload.note)
        case AliasAdded():
            lines = (_doi("address", payload.value),) if payload.kind == DOI else ()
            return Phrase(_token(f"{payload.kind}: {payload.value}"), lines=lines)
        case payload:
            return _with_values(payload)


def _with_values(payload: StoredCopy | AuthorClaim | Replication | KeyRotation) -> Phrase:
    match payload:
        case StoredCopy():
            return _stored_copy(payload)
        case AuthorClaim():
            return _author_claim(payload)
        case Replication():
            return _replication(payload)
        case KeyRotation():
            return _rotation(payload)


def _timestamp(event: JudgedEvent, known: KnownRecord) -> Phrase:
    heading = "OpenTimestamps proof of the canonical SHA-256"
    found = next((t for t in known.timestamps if t.event.identity == event.identity), None)
    if found is None:
        return Phrase(heading, lines=(_line("proof", "not looked at: the event does not count"),))
    lines = tuple(_attestations(found))
    limit = DEFAULT_LIMITS.shown_statement_lines_max_count
    if len(lines) > limit:
        more = _line("more", f"{len(lines) - limit} further attestations")
        lines = (*lines[:limit], more)
    return Phrase(heading, lines=lines)


def _attestations(timestamp: AnchoredTimestamp) -> Iterator[StatementLine]:
    for height, check in timestamp.bitcoin:
        outcome = check.finding.outcome.value
        yield StatementLine(f"Bitcoin block {height}", _block_words(check), outcome=outcome)
    for uri in timestamp.pending:
        yield _line("pending at", shorten(uri))
    for tag in timestamp.unknown:
        yield _line("other attestation", f"of kind {tag}, which is not checked here")


def _block_words(check: AttestationCheck) -> str:
    finding = check.finding
    if check.block_time is not None:
        return f"block time {check.block_time}; {finding.note}"
    if finding.outcome is Outcome.NOT_CHECKABLE:
        return f"here: {finding.note}"
    return f"expected {finding.expected}, found {finding.found}"


def _stored_copy(payload: StoredCopy) -> Phrase:
    lines = (
        _address("address", payload.url),
        StatementLine("SHA-256 of the copy", str(payload.digest), exact=True),
        _line("stored at", str(payload.stored_at)),
        StatementLine("check", "offline: a store would have to be asked", outcome="not checkable"),
    )
    return Phrase(f"Copy in {payload.store}", lines=lines)


def _author_claim(payload: AuthorClaim) -> Phrase:
    if payload.orcid is not None:
        iri = f"https://orcid.org/{payload.orcid}"
        identity = StatementLine("ORCID iD", payload.orcid, iri, exact=True)
    else:
        fingerprint = payload.fingerprint or ""
        identity = StatementLine("key fingerprint", fingerprint, exact=True)
    return Phrase(_name(payload.author_name), lines=(identity, _line("strength", payload.strength)))


def _replication(payload: Replication) -> Phrase:
    system = (_line("system", payload.system),) if payload.system else ()
    heading = f"{payload.kind.replace('_', ' ')}: {payload.outcome}"
    return Phrase(heading, payload.note, (_address("report", payload.url), *system))


def _rotation(payload: KeyRotation) -> Phrase:
    fingerprint = sha256(payload.public_key).raw[:FINGERPRINT_LENGTH].hex()
    ends = () if payload.retires_at is None else (_line("old key ends", str(payload.retires_at)),)
    lines = (
        StatementLine("fingerprint", fingerprint, exact=True),
        _line("counts from", str(payload.valid_from)),
        *ends,
    )
    return Phrase(_token(f"next key: {payload.key_id}"), lines=lines)


def _finding(event: IntegrityEvent) -> Phrase:
    rescinds = event.verdict_class == "rescinded"
    heading = f"{'taken back: ' if rescinds else ''}{event.finding_type.replace('_', ' ')}"
    payload = event.payload
    note = payload["note"]
    detector = f"{event.detector} {payload['detector_version']}"
    doi = payload["detected_doi"]
    lines = (
        _line("severity", event.severity),
        _line("verdict class", event.verdict_class.replace("_", " ")),
        _address("detector", payload["detector_url"], text=detector),
        _line("reference number", payload["ref_index"]),
        _line("snippet", payload["snippet"]),
        _doi("detected DOI", doi) if isinstance(doi, str) else None,
        _line("detected arXiv id", payload["detected_arxiv_id"]),
        _line("resolved title", payload["resolved_title"]),
        _address("see", payload["external_url"]),
    )
    quoted = note if isinstance(note, str) else ""
    return Phrase(_token(heading), quoted, tuple(line for line in lines if line and line.text))


def _line(label: str, value: JsonValue) -> StatementLine:
    """Show a text or a number; anything else stays in JSON."""
    plain = isinstance(value, str | int) and not isinstance(value, bool)
    limit = DEFAULT_LIMITS.shown_name_max_length
    return StatementLine(label, shown_text(str(value), limit=limit) if plain else "")


def _name(text: str) -> str:
    return shown_text(text, limit=DEFAULT_LIMITS.shown_name_max_length)


def _token(text: str) -> str:
    # Not decoded: a name such as `\\alpha` of a key is compared, not read.
    return make_visible(shorten(text, limit=DEFAULT_LIMITS.shown_name_max_length))


def _address(label: str, url: JsonValue, *, text: str = "") -> StatementLine:
    href = url if isinstance(url, str) and is_plain_url(url) else ""
    shown = text or (shorten(url, limit=_SHOWN_URL) if isinstance(url, str) else "")
    return StatementLine(label, _token(shown), href)


def _doi(label: str, text: str) -> StatementLine:
    work = work_of_doi(text) if len(text) <= DEFAULT_LIMITS.token_max_length else None
    if work is None or work.kind != DOI:
        return _line(label, text)
    return StatementLine(label, make_visible(text), f"https://doi.org/{quote(work.name)}")


def _mention(label: str, about: str, table: EventTable) -> StatementLine:
    if about == RECORD:
        return _line(label, "the record")
    event = table.mention(about)
    return StatementLine(label, event.text, f"#{event.anchor}" if event.anchor else "")

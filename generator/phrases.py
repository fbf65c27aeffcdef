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
from generator.event_words import value_words
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
from generator.messages import Message, message
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
            return Phrase(_token(event.event_type), lines=(_line(message("target"), target),))
        case Timestamp():
            return _timestamp(event, known)
        case Challenge() | Correction() | Withdrawal() | Response() | Endorsement() as payload:
            return _about_another(payload, table)
        case payload:
            return _about_the_record(payload)


def _about_another(
    payload: Challenge | Correction | Withdrawal | Response | Endorsement, table: EventTable
) -> Phrase:
    match payload:
        case Challenge(about, words) | Withdrawal(about, words) | Correction(about, words):
            return Phrase("", words, (_mention(message("about"), about, table),))
        case Response(challenge, words):
            return Phrase("", words, (_mention(message("answers"), challenge, table),))
        case Endorsement(endorses):
            return Phrase("", "", (_mention(message("stands behind"), endorses, table),))


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
            words = value_words(payload.relation)
            cited = str(payload.cited)
            return Phrase(message("{relation} {work}", relation=words, work=cited), payload.note)
        case AliasAdded():
            lines = (_doi(message("address"), payload.value),) if payload.kind == DOI else ()
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
    heading = message("OpenTimestamps proof of the canonical SHA-256")
    found = next((t for t in known.timestamps if t.event.identity == event.identity), None)
    if found is None:
        return Phrase(
            heading,
            lines=(_line(message("proof"), message("not looked at: the event does not count")),),
        )
    lines = tuple(_attestations(found))
    limit = DEFAULT_LIMITS.shown_statement_lines_max_count
    if len(lines) > limit:
        more = _line(
            message("more"), message("{number} further attestations", number=len(lines) - limit)
        )
        lines = (*lines[:limit], more)
    return Phrase(heading, lines=lines)


def _attestations(timestamp: AnchoredTimestamp) -> Iterator[StatementLine]:
    for height, check in timestamp.bitcoin:
        outcome = check.finding.outcome.value
        yield StatementLine(
            message("Bitcoin block {height}", height=height),
            _block_words(height, check),
            outcome=outcome,
        )
    for uri in timestamp.pending:
        yield _line(message("pending at"), shorten(uri))
    for tag in timestamp.unknown:
        yield _line(
            message("other attestation"),
            message("of kind {tag}, which is not checked here", tag=tag),
        )


def _block_words(height: int, check: AttestationCheck) -> str:
    finding = check.finding
    if check.block_time is not None:
        text = message(
            "block time {time}; against the block header {height} that the operator of this mirror "
            "gave",
            time=str(check.block_time),
            height=height,
        )
        if not check.is_of_a_test_chain:
            return text
        return message(
            "{against}; it is easier than any header of Bitcoin's main chain, so of a test chain",
            against=text,
        )
    if finding.outcome is Outcome.NOT_CHECKABLE:
        return message("here: needs block header {height}", height=height)
    expected, found = (t.removeprefix("merkle root ") for t in (finding.expected, finding.found))
    return message(
        "expected merkle root {expected}, found merkle root {found}", expected=expected, found=found
    )


def _stored_copy(payload: StoredCopy) -> Phrase:
    lines = (
        _address(message("address"), payload.url),
        StatementLine(message("SHA-256 of the copy"), str(payload.digest), exact=True),
        _line(message("stored at"), str(payload.stored_at)),
        StatementLine(
            message("check"),
            message("offline: a store would have to be asked"),
            outcome="not checkable",
        ),
    )
    return Phrase(message("Copy in {store}", store=payload.store), lines=lines)


def _author_claim(payload: AuthorClaim) -> Phrase:
    if payload.orcid is not None:
        iri = f"https://orcid.org/{payload.orcid}"
        identity = StatementLine(message("ORCID iD"), payload.orcid, iri, exact=True)
    else:
        fingerprint = payload.fingerprint or ""
        identity = StatementLine(message("key fingerprint"), fingerprint, exact=True)
    return Phrase(
        _name(payload.author_name),
        lines=(identity, _line(message("strength"), value_words(payload.strength))),
    )


def _replication(payload: Replication) -> Phrase:
    system = (_line(message("system"), payload.system),) if payload.system else ()
    heading = message(
        "{kind}: {outcome}", kind=value_words(payload.kind), outcome=value_words(payload.outcome)
    )
    return Phrase(heading, payload.note, (_address(message("report"), payload.url), *system))


def _rotation(payload: KeyRotation) -> Phrase:
    fingerprint = sha256(payload.public_key).raw[:FINGERPRINT_LENGTH].hex()
    ends = (
        ()
        if payload.retires_at is None
        else (_line(message("old key ends"), str(payload.retires_at)),)
    )
    lines = (
        StatementLine(message("fingerprint"), fingerprint, exact=True),
        _line(message("counts from"), str(payload.valid_from)),
        *ends,
    )
    return Phrase(message("next key: {key_id}", key_id=_token(payload.key_id)), lines=lines)


def _finding(event: IntegrityEvent) -> Phrase:
    rescinds = event.verdict_class == "rescinded"
    heading = _token(event.finding_type.replace("_", " "))
    if rescinds:
        heading = message("taken back: {finding}", finding=heading)
    payload = event.payload
    note = payload["note"]
    detector = f"{event.detector} {payload['detector_version']}"
    doi = payload["detected_doi"]
    lines = (
        _line(message("severity"), event.severity),
        _line(message("verdict class"), event.verdict_class.replace("_", " ")),
        _address(message("detector"), payload["detector_url"], text=detector),
        _line(message("reference number"), payload["ref_index"]),
        _line(message("snippet"), payload["snippet"]),
        _doi(message("detected DOI"), doi) if isinstance(doi, str) else None,
        _line(message("detected arXiv id"), payload["detected_arxiv_id"]),
        _line(message("resolved title"), payload["resolved_title"]),
        _address(message("see"), payload["external_url"]),
    )
    quoted = note if isinstance(note, str) else ""
    return Phrase(heading, quoted, tuple(line for line in lines if line and line.text))


def _line(label: str, value: JsonValue) -> StatementLine:
    """Show a text or a number; anything else stays in JSON."""
    if isinstance(value, Message):
        return StatementLine(label, value)
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
        return _line(label, message("the record"))
    event = table.mention(about)
    return StatementLine(label, event.text, f"#{event.anchor}" if event.anchor else "")

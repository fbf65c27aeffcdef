"""Seen: what one side says of a record, from a bundle or from a state.json, ready to be compared.

A state.json is taken at its word, apart from its digest and its record: nobody can verify events of
which only the payload is left. So it is only ever compared, and nothing is published from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from generator.documents import verification_status
from generator.errors import FormatError, RejectedError
from generator.facts import KnownRecord, KnownText
from generator.formats.canonical import JsonObject, JsonValue, canonical_json, parse_json_object
from generator.formats.digest import canonical_digest, parse_digest
from generator.formats.fields import Fields, fields_of
from generator.formats.record import CanonicalRecord, parse_record
from generator.formats.text import text_digest
from generator.pages import HowKnown
from generator.standing import Equivocation, Standing
from generator.state import STATE_TYPE, STATE_VERSION, state_json

# Under `current`, but no events.
_NO_EVENTS = ("canonical_record", "source_aliases")
_COUNTS = ("", Standing.COUNTS.value)


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """An event as one side has it; `verification` and `standing` are empty where not stated."""

    identity: str
    event_type: str
    verification: str
    standing: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What one side says of a record.

    `texts` gives title, authors and abstract with how each is known. `verdict`, `receipt` and
    `status` are empty for a state, which says nothing of them; `state_sha256` for one without.
    """

    pith_number: str
    state_sha256: str
    events: Mapping[str, SeenEvent]
    aliases: Mapping[str, str]
    texts: Mapping[str, tuple[str, str]]
    equivocations: frozenset[str]
    policy: str
    verdict: str = ""
    receipt: Mapping[str, str] = field(default_factory=dict)
    status: Mapping[str, bool] = field(default_factory=dict)


def seen_record(known: KnownRecord) -> Seen:
    """Take down what a verified bundle says.

    Args:
        known: what is known of its record.

    Returns:
        Its side of a comparison.
    """
    state, paper = known.state, known.paper
    written = state_json(state)
    found = (("title", paper.title), ("authors", paper.authors), ("abstract", paper.abstract))
    return Seen(
        pith_number=str(state.pith_number),
        state_sha256=_text(written["state_sha256"]),
        events={
            event.identity: SeenEvent(
                event.identity,
                event.event_type,
                event.outcome.value,
                state.standing(event).value,
            )
            for event in state.events
        },
        aliases={
            f"{alias.kind} {alias.value}": str(alias.created_at or "unknown")
            for alias in state.aliases
        },
        texts={name: _known(text) for name, text in found if text is not None},
        equivocations=frozenset(map(_equivocation, state.equivocations)),
        policy=_policy(written),
        verdict=known.verdict.value,
        receipt={key: canonical_json(value).decode() for key, value in state.receipt.json.items()},
        status={
            key: value
            for key, value in verification_status(known).items()
            if isinstance(value, bool)
        },
    )


def seen_as_state(known: KnownRecord) -> Seen:
    """Take down of a verified bundle what its state says, to compare it with a state.json.

    Args:
        known: what is known of its record.

    Returns:
        Its side of a comparison with a state.
    """
    return _seen_state(state_json(known.state), "state")


def is_state(data: bytes) -> bool:
    """Tell whether a file says that it is a state.

    Args:
        data: a whole JSON document, of any content.

    Returns:
        True if it names the type; nothing else is looked at.
    """
    try:
        return parse_json_object(data, subject="state").get("state_type") == STATE_TYPE
    except FormatError:
        return False


def read_state(data: bytes, *, subject: str) -> Seen:
    """Read a state.json.

    Args:
        data: the whole file.
        subject: what it is, for messages.

    Returns:
        Its side of a comparison.

    Raises:
        RejectedError: not a state, or its digest or its record contradicts it.
    """
    try:
        value = parse_json_object(data, subject=subject)
        Fields(subject, value).constant("state_type", STATE_TYPE)
        Fields(subject, value).constant("state_version", STATE_VERSION)
        return _seen_state(value, subject)
    except FormatError as error:
        raise RejectedError(error.subject, expected=error.expected, found=error.found) from error


def _seen_state(value: JsonObject, subject: str) -> Seen:
    state = Fields(subject, value)
    current = state.object("current")
    record = parse_record(
        current.required("canonical_record"), subject=current.at("canonical_record")
    )
    number = state.token("pith_number")
    if number != str(record.pith_number):
        raise FormatError(
            state.at("pith_number"), expected=str(record.pith_number), found=repr(number)
        )
    events: dict[str, SeenEvent] = {}
    for event in _events(state):
        events.setdefault(event.identity, event)
    return Seen(
        pith_number=number,
        state_sha256=_checked_digest(state),
        events=events,
        aliases=dict(_aliases(current)),
        texts=dict(_texts(current, record)),
        equivocations=frozenset(_equivocations(state)),
        policy=_policy(value),
    )


def _checked_digest(state: Fields) -> str:
    # The registry's own states have none.
    if "state_sha256" not in state.value:
        return ""
    path = state.at("state_sha256")
    claimed = parse_digest(state.value["state_sha256"], subject=path)
    rest = {key: item for key, item in state.value.items() if key != "state_sha256"}
    computed = canonical_digest(rest)
    if claimed != computed:
        raise FormatError(path, expected=str(computed), found=str(claimed))
    return str(claimed)


def _events(state: Fields) -> Iterator[SeenEvent]:
    current = state.object("current")
    for name in current.value:
        if name not in _NO_EVENTS and isinstance(current.value[name], list):
            for entry in _objects(current, name):
                yield _event(entry, "event_id", _COLLECTION_KINDS.get(name, name), "")
    for name, standing in (
        ("waiting_events", Standing.WAITING),
        ("carried_events", Standing.CARRIED),
        ("rejected_events", Standing.SET_ASIDE),
    ):
        if name in state.value:
            for entry in _objects(state, name):
                key = "event_id" if "event_id" in entry.value else "identity"
                yield _event(entry, key, "", standing.value)


# The registry's states name no types of events.
_COLLECTION_KINDS = {"graph_snapshots": "graph_snapshot"}


def _event(entry: Fields, key: str, event_type: str, standing: str) -> SeenEvent:
    identity = _text(entry.value.get(key)) or f"content:{canonical_digest(entry.value)}"
    return SeenEvent(
        identity=identity,
        event_type=_text(entry.value.get("event_type")) or event_type,
        verification=_text(entry.value.get("verification")),
        standing=_text(entry.value.get("standing")) or standing,
    )


def _aliases(current: Fields) -> Iterator[tuple[str, str]]:
    for alias in _objects(current, "source_aliases"):
        name = f"{alias.text('alias_kind')} {alias.text('alias_value')}"
        yield name, _text(alias.value.get("created_at")) or "unknown"


def _texts(current: Fields, record: CanonicalRecord) -> Iterator[tuple[str, tuple[str, str]]]:
    if "graph_snapshots" not in current.value:
        return
    entries = [
        entry
        for entry in _objects(current, "graph_snapshots")
        if _text(entry.value.get("standing")) in _COUNTS
    ]
    if not entries:
        return
    # In merge order, so the last one that counts is the current one.
    paper = entries[-1].object("payload").object("graph_snapshot").object("paper")
    title, authors = (_text(paper.value.get(key)) for key in ("title", "authors_text"))
    if text_digest(title) == record.title_digest:
        yield "title", (title, HowKnown.PROVEN.value)
    if authors:
        verified = entries[-1].value.get("verification") == "verified"
        yield "authors", (authors, (HowKnown.REPORTED if verified else HowKnown.CARRIED).value)


def _equivocations(state: Fields) -> Iterator[str]:
    if "equivocations" in state.value:
        for group in _objects(state, "equivocations"):
            yield _contradiction(
                *(group.text(key) for key in ("signer_id", "event_type", "target", "created_at"))
            )


def _equivocation(group: Equivocation) -> str:
    return _contradiction(group.signer_id, group.event_type, group.target, str(group.created_at))


def _contradiction(signer_id: str, event_type: str, target: str, created_at: str) -> str:
    return f"{event_type} events of {signer_id} for {target} at {created_at}"


def _policy(state: JsonObject) -> str:
    return canonical_json([state.get("uncheckable_events"), state.get("thresholds")]).decode()


def _objects(fields: Fields, key: str) -> list[Fields]:
    return [
        fields_of(item, path=f"{fields.at(key)}[{index}]")
        for index, item in enumerate(fields.array(key))
    ]


def _known(text: KnownText) -> tuple[str, str]:
    return text.raw, text.known.value


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""

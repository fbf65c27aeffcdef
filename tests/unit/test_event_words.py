"""event_words.py: every kind has a name, every payload is said on one visible line."""

from __future__ import annotations

import pytest

from generator.event_words import KIND_WORDS, event_words, kind_words
from generator.formats.kinds import KINDS
from tests.statement_bundles import bundle, every_kind, known, say
from tests.vectors.builders import AUTHOR

EVENT = f"sha256:{'ab' * 32}"


def test_every_kind_has_a_name() -> None:
    """No kind of the table is called by its technical name, and none is named that is not there."""
    assert KIND_WORDS.keys() == KINDS.keys()


@pytest.mark.parametrize(
    ("event_type", "count", "words"),
    [
        ("citation", 1, "citation"),
        ("citation", 2, "2 citations"),
        ("storage_attested", 3, "3 stored copies"),
        ("pith.integrity.v1", 1, "integrity finding"),
        ("x-note", 1, "event of kind x-note"),
        ("x-note", 2, "2 events of kind x-note"),
        ("", 1, "event of kind (none)"),
        ("\x1b[31m", 1, "event of kind \u27e8U+001B\u27e9[31m"),
    ],
)
def test_events_are_counted_in_words(event_type: str, count: int, words: str) -> None:
    """One is named, several are counted; a kind not known here is named as it names itself."""
    assert kind_words(event_type, count) == words


def test_every_event_of_every_kind_is_said() -> None:
    """Each event with a payload that is understood says something on one bounded, visible line."""
    state = known(every_kind()).state
    said = {event.event_type: event_words(event) for event in state.events}
    assert said.keys() >= KINDS.keys()
    for kind, words in said.items():
        assert bool(words) is (kind in KINDS.keys() - {"record_created"}), kind
        assert words.isprintable()
        assert len(words) < 1100


@pytest.mark.parametrize(
    ("kind", "payload", "words"),
    [
        (
            "citation",
            {"relation": "refutes", "cited_pith_number": f"pith:2012:{'A' * 26}", "note": "s. 3"},
            f"refutes pith:2012:{'A' * 26} (s. 3)",
        ),
        (
            "author_claim",
            {
                "method": "orcid",
                "strength": "weak",
                "author_name": "Ada",
                "orcid": "0000-0002-1825-0097",
            },
            "weak claim of 0000-0002-1825-0097: Ada",
        ),
        ("withdrawal", {"about": "record", "reason": "A gap."}, "of record: A gap."),
        ("response", {"challenge": EVENT, "text": "No."}, f"to {EVENT}: No."),
        ("alias_added", {"alias_kind": "doi", "alias_value": "10.1000/7"}, "doi: 10.1000/7"),
        ("endorsement", {"endorses": EVENT}, f"of {EVENT}"),
    ],
)
def test_payload_is_said(kind: str, payload: dict[str, str], words: str) -> None:
    """What an event says stands there in the order in which a person asks."""
    events = known(bundle(say(kind, payload))).state.events
    assert [event_words(event) for event in events if event.event_type == kind] == [words]


def test_hostile_statement_stays_one_visible_line() -> None:
    """Line breaks, escapes and length of a signed statement change nothing around it."""
    statement = "\x1b[2J\nIt is\r\n\u202e fine. " + "x" * 9000
    event = say("author_attestation", {"author_name": "A", "statement": statement}, key=AUTHOR)
    judged = next(e for e in known(bundle(event)).state.events if e.payload is not None)
    words = event_words(judged)
    assert words.isprintable()
    assert words.startswith("A: \u27e8U+001B\u27e9[2J It is \u27e8U+202E\u27e9 fine. xxx")
    assert len(words) < 1100

"""seen.py and compare.py: what was gained, lost and changed between two sides, in words."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from generator.compare import (
    Change,
    RecordDiff,
    compare_record,
    diff_json,
    diff_lines,
    gained_record,
    lost_record,
)
from generator.errors import RejectedError
from generator.formats.canonical import compact_json
from generator.seen import Seen, is_state, read_state, seen_as_state, seen_record
from generator.state import state_json
from generator.terminal import Tone
from tests.statement_bundles import bundle, citation, every_kind, known, mirror, numbered, say
from tests.vectors.builders import (
    AUTHOR,
    OTHER,
    PAPER,
    STRANGER,
    Json,
    bundle_with,
    canonical,
    compact,
    creation_of,
    digest,
    edited,
    record_of,
    signed,
    snapshot_event,
    snapshot_of,
)

RECORD = record_of(PAPER)
MOMENT = "2026-05-18T10:00:00Z"  # of the events of day 18
LATER = "2026-05-19T00:00:00Z"
CITES = say("citation", citation(OTHER))
CITES_MORE = say("citation", citation(numbered(1)), day=19)
CLAIM = say(
    "author_claim",
    {
        "method": "key",
        "strength": "strong",
        "author_name": "Ada",
        "public_key_fingerprint": AUTHOR.fingerprint,
    },
    key=AUTHOR,
)
NEWER = signed(snapshot_event(RECORD, snapshot_of(PAPER)), created_at="2026-06-01T00:00:00Z")


def bare(*events: Json) -> Json:
    """Make a bundle without a snapshot."""
    return bundle_with(RECORD, [creation_of(RECORD), *events])


def seen(value: Json) -> Seen:
    """Take down what a bundle says."""
    return seen_record(known(value))


def diff(old: Json, new: Json) -> RecordDiff:
    """Compare two bundles."""
    return compare_record(seen(old), seen(new))


def state_of(value: Json) -> Json:
    """Write the state.json of a bundle."""
    return json.loads(compact_json(state_json(known(value).state)))


def resealed(state: Json, *edits: tuple[str, Json]) -> bytes:
    """Change a state and give it the digest that then belongs to it."""
    changed = edited(state, *edits)
    changed.pop("state_sha256", None)
    return compact({**changed, "state_sha256": digest(changed).hex()})


def test_bundles_of_the_same_events_are_equal() -> None:
    """The order of events and a repetition change nothing."""
    value = bundle(CITES, CITES_MORE)
    other = {**value, "events": [*reversed(value["events"]), CITES]}
    found = diff(value, other)
    assert found.change is Change.EQUAL
    assert (found.words, found.gained, found.lost, found.is_alarm) == ((), (), (), False)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        pytest.param(bundle(), bundle(CITES), ("citation gained",), id="gained"),
        pytest.param(bundle(), bundle(CITES, CITES_MORE), ("2 citations gained",), id="two"),
        pytest.param(
            bundle(),
            bundle(NEWER),
            ("snapshot gained", "snapshot superseded"),
            id="superseded",
        ),
        pytest.param(
            bundle(CLAIM),
            bundle(
                CLAIM,
                say("withdrawal", {"about": CLAIM["event_id"], "reason": "Not me."}, key=AUTHOR),
            ),
            ("withdrawal gained", "author claim withdrawn"),
            id="withdrawn",
        ),
        pytest.param(
            bare(),
            bundle(),
            (
                "snapshot gained",
                "title became known (proven)",
                "authors became known (reported)",
                "abstract became known (proven)",
                "graph snapshot: yes",
            ),
            id="known",
        ),
        pytest.param(
            bare(snapshot_event(RECORD, snapshot_of(PAPER))),
            bundle(snapshot_event(RECORD, snapshot_of(PAPER))),
            (
                "snapshot gained",
                "authors: carried \u2192 reported",
                "graph snapshot: yes",
            ),
            id="reported",
        ),
        pytest.param(
            bundle(),
            bundle(say("citation", citation(OTHER), key=STRANGER)),
            ("verdict: verified \u2192 partly checkable", "citation gained, carried, not checked"),
            id="carried",
        ),
        pytest.param(
            bundle(),
            bundle(edited(CITES, ("payload.relation", "refutes"))),
            (
                "verdict: verified \u2192 checks failed",
                "citation gained, set aside: its check fails",
            ),
            id="set-aside",
        ),
        pytest.param(
            bundle(CITES),
            bundle(CITES, say("citation", citation(numbered(1)))),
            (
                "citation gained, contradicted by another event of its signer",
                "citation contradicted by another event of its signer",
                f"contradiction found: citation events of registry.test for record at {MOMENT}",
            ),
            id="contradicted",
        ),
        pytest.param(
            bundle(),
            edited(bundle(), ("events.0.payload.receipt.signed_at", LATER)),
            ('receipt, signed_at: "2026-05-18T01:36:37.204113Z" \u2192 "2026-05-19T00:00:00Z"',),
            id="receipt",
        ),
        pytest.param(
            bundle(),
            edited(bundle(), ("source_aliases.0.created_at", None)),
            ("alias arxiv 2305.01234, created_at: 2026-05-18T02:28:13Z \u2192 unknown",),
            id="alias",
        ),
        pytest.param(
            bundle(),
            bundle(say("author_attestation", {"author_name": "A", "statement": "B"}, key=AUTHOR)),
            ("author attestation gained", "author attested: yes"),
            id="status",
        ),
        pytest.param(
            bundle(), bundle(say("x-note", {})), ("event of kind x-note gained",), id="unknown-kind"
        ),
    ],
)
def test_change_is_said_in_words(old: Json, new: Json, words: tuple[str, ...]) -> None:
    """Each change is a phrase, and gaining is never an alarm."""
    found = diff(old, new)
    assert found.words == words
    assert found.change is Change.CHANGED
    assert not found.is_alarm


def test_lost_event_is_an_alarm() -> None:
    """An event that the later side lacks is listed by its identity, and its loss is an alarm."""
    found = diff(bundle(CITES, CITES_MORE), bundle(CITES_MORE))
    assert found.words == ("citation lost",)
    assert [event.identity for event in found.lost] == [CITES["event_id"]]
    assert found.is_alarm
    assert diff(bundle(CITES_MORE), bundle(CITES, CITES_MORE)).is_alarm is False


def test_event_stripped_of_its_signature_is_lost() -> None:
    """What is left of an event without its signature is another event: the signed one is gone."""
    stripped = {key: value for key, value in CITES.items() if key != "signature_b64"}
    found = diff(bundle(CITES), bundle(stripped))
    assert [event.identity for event in found.lost] == [CITES["event_id"]]
    assert found.gained[0].standing == "carried"
    assert found.is_alarm


def test_every_kind_of_event_is_lost_and_gained() -> None:
    """Against a bare record every event of the large bundle is counted, in both directions."""
    gained, lost = diff(bare(), every_kind()), diff(every_kind(), bare())
    assert len(gained.gained) == len(lost.lost) == len(known(every_kind()).state.events) - 1
    assert not gained.is_alarm
    assert lost.is_alarm
    assert {event.event_type for event in gained.gained} >= {"citation", "peer_review"}


def test_text_that_is_no_longer_known_is_said() -> None:
    """Losing the snapshot loses what it said."""
    assert set(diff(bundle(), bare()).words) >= {"title no longer known", "snapshot lost"}


def test_records_gained_and_lost() -> None:
    """A record that one side lacks is said with its number of events; a lost one is an alarm."""
    side = seen(bundle())
    gained, lost = gained_record(side), lost_record(side, reason="its bundle is rejected")
    assert (gained.change, gained.is_alarm) == (Change.GAINED, False)
    assert gained.words == ("with 2 events",)
    assert (lost.change, lost.is_alarm) == (Change.LOST, True)
    assert lost.words == ("with 2 events", "its bundle is rejected")


def test_two_records_are_not_compared() -> None:
    """Sides of two records have no difference; asking for one is a bug."""
    with pytest.raises(ValueError, match="two sides of one record"):
        compare_record(seen(bundle()), seen(bundle(paper=OTHER)))


@pytest.mark.parametrize("make", [bundle, bare, every_kind, lambda: bundle(CITES, CITES_MORE)])
def test_state_is_equal_to_that_of_its_bundle(make: Callable[[], Json]) -> None:
    """A state.json compares as equal with the bundle it was made of, in one look."""
    value = make()
    side = read_state(compact(state_of(value)), subject="state.json")
    assert side == seen_as_state(known(value))
    assert compare_record(side, seen_as_state(known(value))).change is Change.EQUAL


def test_states_are_compared_event_by_event() -> None:
    """Between two states the same words are used as between their bundles."""
    sides = [
        read_state(compact(state_of(value)), subject="state.json")
        for value in (bare(CITES), bundle(CITES, CLAIM))
    ]
    found = compare_record(*sides)
    assert found.words == (
        "author claim gained",
        "snapshot gained",
        "title became known (proven)",
        "authors became known (reported)",
    )
    assert compare_record(*reversed(sides)).is_alarm


def test_states_made_under_other_policies_say_so() -> None:
    """A difference that comes from the operators' policies is named as such."""
    unsigned = bundle(say("citation", citation(OTHER), key=STRANGER))
    carry, accept = (known(unsigned, mirror(accept=accept)) for accept in (False, True))
    words = compare_record(seen_as_state(carry), seen_as_state(accept)).words
    assert 'merged under other policies: ["carry",{}] \u2192 ["accept",{}]' in words


def test_state_of_the_registry_needs_no_digest() -> None:
    """The registry's own states have neither digest nor standing; they can be compared."""
    state = state_of(bundle())
    for key in ("state_sha256", "waiting_events", "carried_events", "rejected_events"):
        del state[key]
    for key in ("event_type", "verification", "standing"):
        del state["current"]["graph_snapshots"][0][key]
    side = read_state(compact(state), subject="state.json")
    assert side.state_sha256 == ""
    assert [event.event_type for event in side.events.values()] == ["graph_snapshot"]
    assert compare_record(side, side).change is Change.EQUAL


def test_difference_outside_the_fields_compared_is_not_called_equal() -> None:
    """Two states with other digests are never equal, even if nothing that is looked at differs."""
    state = state_of(bundle())
    sides = [
        read_state(data, subject="state.json")
        for data in (compact(state), resealed(state, ("further", 1)))
    ]
    found = compare_record(*sides)
    assert found.change is Change.CHANGED
    assert found.words[0].startswith("another state_sha256")


@pytest.mark.parametrize(
    ("data", "subject"),
    [
        (b"", "s"),
        (b"[]", "s"),
        (b"{}", "s.state_type"),
        (compact(bundle()), "s.state_type"),
        (compact({**state_of(bundle()), "state_version": "2.0"}), "s.state_version"),
        (compact({**state_of(bundle()), "event_count": 9}), "s.state_sha256"),
        (compact({**state_of(bundle()), "state_sha256": "0" * 64}), "s.state_sha256"),
        (compact({**state_of(bundle()), "state_sha256": None}), "s.state_sha256"),
        (resealed(state_of(bundle()), ("pith_number", f"pith:2023:{'A' * 26}")), "s.pith_number"),
        (resealed(state_of(bundle()), ("current", [])), "s.current"),
        (
            resealed(state_of(bundle()), ("current.canonical_record", {})),
            "s.current.canonical_record.schema_version",
        ),
        (resealed(state_of(bundle()), ("current.citations", [7])), "s.current.citations[0]"),
        (resealed(state_of(bundle()), ("carried_events", 7)), "s.carried_events"),
        (resealed(state_of(bundle()), ("equivocations", [{}])), "s.equivocations[0].signer_id"),
        (
            resealed(state_of(bundle()), ("current.source_aliases", [{"alias_kind": 1}])),
            "s.current.source_aliases[0].alias_kind",
        ),
        (
            resealed(state_of(bundle()), ("current.graph_snapshots.0.payload", None)),
            "s.current.graph_snapshots[0].payload",
        ),
    ],
)
def test_state_that_contradicts_itself_is_refused(data: bytes, subject: str) -> None:
    """A state whose digest, record or shape is wrong is not compared; the error names the field."""
    with pytest.raises(RejectedError) as caught:
        read_state(data, subject="s")
    assert caught.value.subject == subject
    assert caught.value.exit_code == 3


def test_only_what_says_so_is_a_state() -> None:
    """A file is told apart by its type field alone, whatever its content."""
    assert is_state(compact(state_of(bundle())))
    assert is_state(b'{"state_type": "pith_open_graph_state"}')
    for data in (b"", b"[]", b"{", b'{"state_type": 7}', compact(bundle())):
        assert not is_state(data)


def test_lines_show_a_loss_in_its_tone() -> None:
    """The first line of an alarm and each lost event have the tone of a failure."""
    lines = list(diff_lines(diff(bundle(CITES), bundle(CITES_MORE))))
    bad = [line for line in lines if line.tone is Tone.BAD]
    assert [line.text for line in bad[1:]] == [
        "LOST citation (verified, counts)",
        CITES["event_id"],
    ]
    texts = [line.text for line in lines]
    at = texts.index("gained citation (verified, counts)")
    assert texts[at + 1] == CITES_MORE["event_id"]
    assert sum(line.text.startswith("state_sha256 ") for line in lines) == 2


def test_lines_of_equal_sides_show_the_one_digest() -> None:
    """Two mirrors compare in one look: the same state_sha256, once."""
    side = seen(bundle())
    lines = [line.text for line in diff_lines(compare_record(side, side))]
    assert lines == [f"{side.pith_number}: equal", f"state_sha256 {side.state_sha256}"]


def test_json_has_both_sides_and_every_event() -> None:
    """The JSON of a difference names digests, verdicts, words and events of both sides."""
    row = diff_json(diff(bundle(CITES), bundle(CITES_MORE)))
    assert row["change"] == "changed"
    assert row["alarm"] is True
    assert row["words"] == ["citation lost", "citation gained"]
    assert row["lost"] == [
        {
            "identity": CITES["event_id"],
            "event_type": "citation",
            "verification": "verified",
            "standing": "counts",
        }
    ]
    assert diff_json(gained_record(seen(bundle())))["old"] is None
    assert canonical(row)


def test_hostile_words_of_a_state_stay_on_their_line() -> None:
    """A state is anybody's text: what it says of kinds, standings and signers is escaped."""
    hostile = "\x1b[2J\n\u202e"
    entry = {"event_id": hostile, "event_type": hostile, "standing": hostile, "payload": {}}
    group = dict.fromkeys(("signer_id", "event_type", "target", "created_at"), hostile)
    state = state_of(bare())
    spoilt = resealed(
        state, ("current.other_events", [entry]), ("equivocations", [group]), (hostile, 1)
    )
    sides = [read_state(data, subject="s") for data in (compact(state), spoilt)]
    for found in (compare_record(*sides), compare_record(*reversed(sides))):
        assert all(word.isprintable() for word in found.words)
        assert len(found.words) == 2

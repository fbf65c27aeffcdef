"""Our files start with the bytes of the registry's, wherever those are known (protocol 5 to 7).

The corpus holds the first 2,000 bytes of 20 real states. From what is known a bundle is assembled:

- record, aliases with their times, event id, time and signer of the snapshot: as in the state;
- the snapshot's payload: as in the state up to the cut; behind the cut the digest of the empty list
  (which every real snapshot has in that place) and sections that sort after it are made up;
- the receipt: signed by a test key that is pinned beside the registry's real one, since the real
  receipts of these records are not in the corpus. No receipt stands in a state.

The event's signature was never published, so the event is not checkable here: an operator who
accepts such events gets the registry's state byte for byte, one who does not gets all but the
snapshot.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generator.documents import resolver_json
from generator.formats.canonical import compact_json, parse_json_object
from generator.formats.checks import Verdict
from generator.formats.keys import trusted_keys
from generator.merge import RecordState
from generator.standing import MergePolicy
from generator.state import state_json
from tests.factories import (
    ACCEPT,
    CARRY,
    REAL_MIRROR,
    ROOT,
    TEST_MIRROR,
    built,
    known_of,
    state_of,
)
from tests.vectors.builders import (
    REGISTRY,
    Json,
    bundle_with,
    creation_of,
    number_of,
    receipt_of,
    snapshot_event,
    suffix_of,
)

CORPUS = ROOT / "tests" / "corpus"
EMPTY_LIST = "258153158e38e3291e3d48162225fcdb2d5a3ed65a07baac614ab91432fd4f57"
GRAPH = (CORPUS / "graph-LE7CUDAUBRLBUYN7JFJN4ODXCY.json").read_bytes()
BOTH_KEYS = replace(
    REAL_MIRROR,
    trust=trusted_keys(
        [*REAL_MIRROR.trust.by_id.values(), TEST_MIRROR.trust.by_id[REGISTRY.key_id]]
    ),
)
ACCEPTING = replace(BOTH_KEYS, policy=ACCEPT)


def rows(name: str) -> list[dict[str, Any]]:
    """Read a file of the corpus with one object a line."""
    return [json.loads(line) for line in (CORPUS / name).read_text(encoding="utf-8").splitlines()]


STATES = [row["first_2000_bytes"] for row in rows("state-prefixes.jsonl")]
RESOLVERS = [row["first_2000_bytes"] for row in rows("resolver-prefixes.jsonl")]
(SNAPSHOT_ROW,) = rows("snapshots.jsonl")


def completed(text: str) -> Json:
    """Complete a cut state; every cut of the corpus is at `formal_canon.snapshot_sha256`.

    Args:
        text: the first 2,000 bytes.

    Returns:
        The state, its snapshot completed with the digest of the empty list and a made-up rest.
    """
    known, _, cut = text.rpartition('{"evidence_count":0,')
    digest = f'"snapshot_sha256":"{EMPTY_LIST}"'
    assert digest.startswith(cut), cut
    # Sections that sort behind `formal_canon`; a bundle needs a paper with a title.
    rest = '"paper":{"title":"Made up for the test"}'
    return json.loads(f'{known}{{"evidence_count":0,{digest}}},{rest}}}}}}}]}}}}')


def bundle_from(state: Json) -> Json:
    """Assemble the bundle that has the facts of a state."""
    current = state["current"]
    record = current["canonical_record"]
    (shown,) = current["graph_snapshots"]
    event = {
        **snapshot_event(record, shown["payload"]["graph_snapshot"]),
        "created_at": shown["created_at"],
        "signer": shown["signer"],
        "event_id": shown["event_id"],
    }
    bundle = bundle_with(record, [creation_of(record), event])
    # No time of a receipt is known; the receipt does not stand in a state.
    bundle["events"][0]["payload"]["receipt"] = receipt_of(record)
    return {**bundle, "source_aliases": current["source_aliases"]}


def merged(bundle: Json, policy: MergePolicy) -> RecordState:
    """Merge one bundle under both keys."""
    return state_of(bundle, policy=policy, configuration=BOTH_KEYS)


def numbers(texts: list[str]) -> list[str]:
    """Name cut files by their Pith Number."""
    return [text.partition('"pith_number":"')[2][:36] for text in texts]


def test_corpus_has_the_states_the_tests_count_on() -> None:
    """There are twenty states of different records, each 2,000 bytes long, and one resolver."""
    assert [len(text.encode()) for text in STATES] == [2000] * 20
    assert len(set(numbers(STATES))) == 20
    assert len(RESOLVERS) == 1


@pytest.mark.parametrize("text", STATES, ids=numbers(STATES))
def test_state_starts_with_the_registrys_bytes(text: str) -> None:
    """With unchecked events accepted, all 2,000 known bytes are ours: values, order, spelling."""
    bundle = bundle_from(completed(text))
    ours = compact_json(state_json(merged(bundle, ACCEPT)))
    assert ours[:2000] == text.encode()


@pytest.mark.parametrize("text", STATES, ids=numbers(STATES))
def test_careful_state_differs_in_the_snapshot_alone(text: str) -> None:
    """By default the unchecked snapshot changes nothing; every other known field is equal."""
    known = completed(text)
    ours = state_json(merged(bundle_from(known), CARRY))
    assert ours["uncheckable_event_count"] == 1
    assert ours["valid_event_count"] == known["valid_event_count"] - 1
    current = ours["current"]
    assert isinstance(current, dict)
    assert current["graph_snapshots"] == []
    for field in known.keys() - {"valid_event_count", "current"}:
        assert ours[field] == known[field]
    for field in known["current"].keys() - {"graph_snapshots"}:
        assert current[field] == known["current"][field]


@pytest.mark.parametrize("text", STATES, ids=numbers(STATES))
def test_number_of_a_state_follows_from_its_record(text: str) -> None:
    """The assembled bundle is admitted under the number that the registry gave the record."""
    known = completed(text)
    assert number_of(known["current"]["canonical_record"]) == known["pith_number"]


def test_event_of_the_whole_snapshot_is_spelled_as_the_registrys() -> None:
    """The one event known in full comes out as the registry's state shows it, field by field."""
    record, shown = SNAPSHOT_ROW["canonical_record"], SNAPSHOT_ROW["state_event"]
    event = {
        **snapshot_event(record, SNAPSHOT_ROW["graph_snapshot"]),
        **{key: shown[key] for key in ("created_at", "signer", "event_id")},
    }
    bundle = bundle_with(record, [creation_of(record), event])
    state: Json = state_json(merged(bundle, ACCEPT))
    (entry,) = state["current"]["graph_snapshots"]
    payload = {"graph_snapshot": SNAPSHOT_ROW["graph_snapshot"]}
    expected = {**shown, "payload": payload}
    assert {key: entry[key] for key in list(entry)[:5]} == expected
    assert list(entry)[:5] == ["event_id", "target", "created_at", "signer", "payload"]


def resolver_bundle() -> Json:
    """Assemble the bundle of the record whose graph and resolver are known.

    Its record is whole in `records.jsonl`; the order of its keys is that of the resolver record.
    """
    (row,) = [r for r in rows("records.jsonl") if r["pith_number"].endswith(suffix(RESOLVERS[0]))]
    record = row["canonical_record"]
    shown = RESOLVERS[0].partition('"canonical_record":')[2]
    metadata = sorted(record["metadata"], key=lambda key: position(shown, key))
    source = sorted(record["source"], key=lambda key: position(shown, key))
    ordered = {
        "source": {key: record["source"][key] for key in source},
        "metadata": {key: record["metadata"][key] for key in metadata},
        "schema_version": record["schema_version"],
    }
    graph = parse_json_object(GRAPH, subject="graph")
    return bundle_with(ordered, [creation_of(ordered), snapshot_event(ordered, graph)])


def position(text: str, key: str) -> int:
    """Find where a key stands in a cut text; what is behind the cut comes last."""
    found = text.find(f'"{key}"')
    return len(text) if found < 0 else found


def suffix(text: str) -> str:
    """Read the suffix of a cut file."""
    return text.partition('"pith_number":"')[2][10:36]


@pytest.mark.parametrize("policy", [CARRY, ACCEPT], ids=["carry", "accept"])
def test_resolver_starts_with_the_registrys_bytes(policy: MergePolicy) -> None:
    """With the snapshot accepted, the resolver record starts with all 2,000 known bytes.

    Where it is only carried, `verification_status.graph_snapshot` is false, since nothing in the
    state says that there is one; every other byte is the same.
    """
    known = known_of(resolver_bundle(), policy=policy, configuration=BOTH_KEYS)
    assert known.verdict is Verdict.PARTLY
    expected = RESOLVERS[0]
    if policy is CARRY:
        expected = expected.replace('"graph_snapshot":true', '"graph_snapshot":false')
    assert compact_json(resolver_json(known)).decode().startswith(expected)


def test_graph_is_served_byte_for_byte(tmp_path: Path) -> None:
    """graph.json of a built site is the registry's own file, byte for byte, at both paths."""
    bundle = resolver_bundle()
    site = built(tmp_path, {"b.json": compact_json(bundle)}, configuration=BOTH_KEYS)
    name = suffix_of(bundle["canonical_record"])
    assert name == "LE7CUDAUBRLBUYN7JFJN4ODXCY"
    assert site[f"pith/{name}/graph.json"] == GRAPH
    assert site[f"api/pith-number/{name}/graph.json"] == GRAPH


def test_built_state_starts_with_the_registrys_bytes(tmp_path: Path) -> None:
    """The same holds for the files that a build writes, for all twenty records at once."""
    bundles = [bundle_from(completed(text)) for text in STATES]
    files = {f"{number}.json": compact_json(bundle) for number, bundle in enumerate(bundles)}
    site = built(tmp_path, files, configuration=ACCEPTING)
    for text, bundle in zip(STATES, bundles, strict=True):
        path = f"pith/{suffix_of(bundle['canonical_record'])}/state.json"
        assert site[path][:2000] == text.encode()

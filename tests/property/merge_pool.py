"""A pool of events of one record, signed and judged once, from which the laws of merging draw.

Parts of it are bundles as several mirrors might hold them: overlapping, in any order, with copies.
A draw is four bytes a part and more, so that ten thousand of them cost seconds and not hours.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import settings
from hypothesis import strategies as st

from generator.formats.canonical import canonical_json
from generator.formats.receipt import Receipt
from generator.merge import RecordState, merge_bundles
from generator.standing import MergePolicy, Standing, UncheckableEvents
from generator.state import state_json
from generator.verify import VerifiedBundle
from generator.verify_events import JudgedEvent
from tests.factories import verified
from tests.vectors.builders import (
    AUTHOR,
    GONE,
    OPERATOR,
    OTHER,
    PAPER,
    REGISTRY,
    REVOKED,
    SILENT,
    STRANGER,
    Json,
    SigningKey,
    bundle_with,
    creation_of,
    edited,
    event_of,
    flipped,
    number_of,
    receipt_of,
    record_of,
    signed,
)
from tests.vectors.cases_integrity import integrity_event, payload_of
from tests.vectors.kinds import KINDS
from tests.vectors.second_signature import second_signature

RECORD = record_of(PAPER)
# One second around the leap second of a June night, in several spellings.
BEFORE = "2026-06-30T23:59:59Z"
LEAP = "2026-06-30T23:59:60Z"
MIDNIGHT = "2026-07-01T00:00:00Z"
MIDNIGHT_ELSEWHERE = "2026-07-01T02:00:00+02:00"
MIDNIGHT_IN_FULL = "2026-07-01T00:00:00.000000000Z"
JUST_AFTER = "2026-07-01T00:00:00.000000001Z"
NEXT_DAY = "2026-07-02T00:00:00Z"


def _made(
    kind: str, payload: Json, at: str, key: SigningKey = REGISTRY, *, target: str = "graph"
) -> Json:
    return signed(event_of(RECORD, kind, payload, target=target), key=key, created_at=at)


def _citation(at: str, relation: str, key: SigningKey = REGISTRY) -> Json:
    payload = {"relation": relation, "cited_pith_number": number_of(record_of(OTHER))}
    return _made("citation", payload, at, key)


def _snapshot(
    at: str, key: SigningKey = REGISTRY, *, target: str = "graph", note: str = ""
) -> Json:
    payload = {"graph_snapshot": {"paper": {"title": PAPER.title}, "note": note}}
    return _made("graph_snapshot", payload, at, key, target=target)


def _withdrawal(of: Json, at: str, key: SigningKey = REGISTRY, reason: str = "Wrong.") -> Json:
    payload = {"about": of if isinstance(of, str) else of["event_id"], "reason": reason}
    return _made("withdrawal", payload, at, key)


def _endorsement(of: Json, at: str, key: SigningKey) -> Json:
    return _made("endorsement", {"endorses": of["event_id"]}, at, key)


def _finding(at: str, verdict: str = "incontrovertible", **changes: Json) -> Json:
    return integrity_event(payload_of(audited_at=at, verdict_class=verdict, **changes))


def _unsigned(event: Json) -> Json:
    return edited(event, ("event_id", GONE), ("signature_b64", GONE))


def _forged(event: Json) -> Json:
    return edited(event, ("signature_b64", flipped(event["signature_b64"])))


def _signed_again(event: Json, key: SigningKey = REGISTRY) -> Json:
    value = bytes.fromhex(event["event_id"].removeprefix("sha256:"))
    return edited(event, ("signature_b64", second_signature(key, value)))


def _citations() -> dict[str, Json]:
    said, by_author = _citation(MIDNIGHT, "extends"), _citation(MIDNIGHT, "cites", AUTHOR)
    back = _withdrawal(said, NEXT_DAY)
    joined = _endorsement(said, NEXT_DAY, AUTHOR)
    return {
        "citation": said,
        "citation again": _signed_again(said),
        "citation in other key order": dict(reversed(said.items())),
        "citation forged": _forged(said),
        "citation unsigned": _unsigned(said),
        "citation contradicted": _citation(MIDNIGHT_ELSEWHERE, "refutes"),
        "citation by another key": _citation(MIDNIGHT_IN_FULL, "supports", SILENT),
        "citation just after": _citation(JUST_AFTER, "compares"),
        "citation by the author": by_author,
        "citation of a stranger": _citation(BEFORE, "cites", STRANGER),
        "citation after revocation": _citation(NEXT_DAY, "cites", REVOKED),
        "withdrawal": back,
        "withdrawal unsigned": _unsigned(back),
        "withdrawal dated before": _withdrawal(by_author, BEFORE, AUTHOR),
        "withdrawal by another": _withdrawal(by_author, NEXT_DAY),
        "withdrawal of a withdrawal": _withdrawal(back, LEAP),
        "withdrawal contradicting": _withdrawal(said, NEXT_DAY, reason="Otherwise."),
        "withdrawal of the record": _withdrawal("record", LEAP, AUTHOR),
        "withdrawal of nothing": _withdrawal(f"sha256:{'9' * 64}", BEFORE),
        "endorsement by the author": joined,
        "endorsement by the operator": _endorsement(said, NEXT_DAY, OPERATOR),
        "endorsement by the signer": _endorsement(said, BEFORE, SILENT),
        "endorsement unsigned": _unsigned(joined),
        "endorsement withdrawn": _withdrawal(joined, BEFORE, AUTHOR),
        "endorsement of a withdrawal": _endorsement(back, LEAP, OPERATOR),
    }


def _snapshots() -> dict[str, Json]:
    old, new = _snapshot(BEFORE), _snapshot(MIDNIGHT)
    return {
        "snapshot old": old,
        "snapshot in the leap second": _snapshot(LEAP),
        "snapshot new": new,
        "snapshot contradicting": _snapshot(MIDNIGHT_ELSEWHERE, note="otherwise"),
        "snapshot newest unsigned": _unsigned(_snapshot(NEXT_DAY)),
        "snapshot of another target": _snapshot(BEFORE, target="references"),
        "snapshot endorsed": _endorsement(old, JUST_AFTER, AUTHOR),
        "snapshot withdrawn": _withdrawal(new, JUST_AFTER),
    }


def _findings() -> dict[str, Json]:
    found = _finding(MIDNIGHT)
    return {
        "finding": found,
        "finding in another envelope": {**found, "event_id": 1, "created_at": NEXT_DAY},
        "finding altered": edited(found, ("payload.severity", "critical")),
        "finding elsewhere": _finding(MIDNIGHT, ref_index=20),
        "finding late": _finding(NEXT_DAY, severity="critical"),
        "finding of a stranger": integrity_event(payload_of(), key=STRANGER),
        "rescission": _finding(MIDNIGHT_ELSEWHERE, "rescinded"),
        "rescission early": _finding(LEAP, "rescinded", note="A mistake."),
        "rescission elsewhere": _finding(NEXT_DAY, "rescinded", ref_index=20),
    }


def _oddities() -> dict[str, Json]:
    replay = signed(event_of(record_of(OTHER), "challenge", {"about": "record", "reason": "Why?"}))
    return {
        "unknown type": _made("zz.unknown", {"a": 1}, LEAP),
        "unknown type unsigned": event_of(RECORD, "zz.unknown", {"a": 2}),
        "malformed": {"event_type": "citation", "payload": []},
        "no event": "record_created",
        "replay": replay,
        "creation with envelope": signed(creation_of(RECORD)),
        "creation signed later": creation_of(
            RECORD, receipt=receipt_of(RECORD, signed_at=NEXT_DAY)
        ),
        "creation by a stranger": creation_of(RECORD, receipt=receipt_of(RECORD, key=STRANGER)),
    }


def _kinds() -> dict[str, Json]:
    drawn = {"citation", "withdrawal", "endorsement"}
    return {
        f"kind {case.name}": _made(
            case.name,
            dict(case.payload),
            MIDNIGHT,
            AUTHOR if "author" in case.roles else REGISTRY,
            target=case.target,
        )
        for case in KINDS
        if case.name not in drawn
    }


EVENTS: dict[str, Json] = {
    **_citations(),
    **_snapshots(),
    **_findings(),
    **_oddities(),
    **_kinds(),
}
NAMES = tuple(EVENTS)


def _base(at: str, *, turned: bool = False) -> VerifiedBundle:
    """A bundle of the creation alone; the times in it, and the order of keys, nobody signed."""
    bundle = bundle_with(RECORD, [creation_of(RECORD, receipt=receipt_of(RECORD, signed_at=at))])
    aliases = [{**alias, "created_at": at} for alias in bundle["source_aliases"]]
    bundle = {**bundle, "source_aliases": aliases}
    return verified(dict(reversed(bundle.items())) if turned else bundle)


BASES = (
    _base(MIDNIGHT),
    _base(MIDNIGHT, turned=True),
    _base(MIDNIGHT_ELSEWHERE),
    _base(NEXT_DAY),
)


def _judged(event: Json) -> JudgedEvent:
    return verified(bundle_with(RECORD, [creation_of(RECORD), event])).events[1]


def _receipts() -> dict[str, Receipt]:
    proving = ("creation with envelope", "creation signed later")
    return {name: verified(bundle_with(RECORD, [EVENTS[name]])).receipt for name in proving}


RECEIPTS = _receipts()
JUDGED = {name: _judged(event) for name, event in EVENTS.items()}

POLICIES = tuple(
    MergePolicy(uncheckable, thresholds)
    for uncheckable in UncheckableEvents
    for thresholds in (
        (),
        (("citation", 2),),
        (("citation", 3), ("graph_snapshot", 2), ("withdrawal", 2)),
    )
)


@dataclass(frozen=True)
class Part:
    """A bundle: names of events in the order of arrival, and which unsigned times it has."""

    names: tuple[str, ...]
    base: int = 0

    @property
    def bundle(self) -> VerifiedBundle:
        """The verified bundle of the creation and these events."""
        base = BASES[self.base]
        events = (base.events[0], *(JUDGED[name] for name in self.names))
        listed = replace(base.bundle, events=tuple(event.json for event in events))
        # Of several creations that prove the record, the verification takes the smallest receipt.
        receipts = [base.receipt, *(RECEIPTS[name] for name in self.names if name in RECEIPTS)]
        receipt = min(receipts, key=lambda receipt: canonical_json(receipt.json))
        return replace(base, bundle=listed, events=events, receipt=receipt)


def shuffled(items: Sequence[str], seed: int) -> tuple[str, ...]:
    """Give the items in an order that follows from a number alone."""
    order = list(items)
    random.Random(seed).shuffle(order)  # noqa: S311 - an order, not a secret
    return tuple(order)


def _part(data: bytes) -> Part:
    # An event is in the part where both halves have its bit: one in four. The two last bits say
    # whether some events come twice, and choose the base.
    first, second = (int.from_bytes(half, "big") for half in (data[:8], data[8:]))
    drawn = first & second
    names = [name for index, name in enumerate(NAMES) if drawn >> (index + 2) & 1]
    if first & 3 == 3:
        names += names[::3]
    return Part(shuffled(names, second), second & 3)


PARTS = st.binary(min_size=16, max_size=16).map(_part)
FEW_PARTS = st.lists(PARTS, min_size=1, max_size=4).map(tuple)
SOME_POLICY = st.sampled_from(POLICIES)
assert len(NAMES) + 2 <= 64


EXAMPLES = max(600, settings().max_examples)  # of each of the eighteen laws


def merged(*parts: Part, policy: MergePolicy = POLICIES[0]) -> RecordState:
    """Merge parts in the order given."""
    return merge_bundles([part.bundle for part in parts], policy=policy)


def shown(state: RecordState) -> object:
    """Give everything that a site says of a state: two that are equal here show the same."""
    return (
        state_json(state)["state_sha256"],
        # In the order of their keys, too: `events.json` shows events as they were received.
        tuple(json.dumps(event.json) for event in state.events),
        canonical_json(state.receipt.json),
        state.aliases,
    )


def by_name(state: RecordState, name: str) -> Standing | None:
    """Give the standing of an event of the pool, None where it is not in a state."""
    return state.standings.get(JUDGED[name].identity)


def identities(state: RecordState) -> tuple[str, ...]:
    """Name the events of a state, in order."""
    return tuple(event.identity for event in state.events)

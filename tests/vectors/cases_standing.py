"""Vectors of the merge: what each event counts for (`docs/formats/state.md`).

All events of a case verify unless it says otherwise; what is expected of their standing follows
from the set alone, so many cases come in both orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.vectors.builders import (
    AUTHOR,
    GONE,
    OTHER,
    PAPER,
    REGISTRY,
    SILENT,
    STRANGER,
    Json,
    SigningKey,
    bundle_with,
    creation_of,
    digest,
    edited,
    event_of,
    flipped,
    number_of,
    record_of,
    signed,
)
from tests.vectors.cases_integrity import integrity_event, payload_of
from tests.vectors.vector import (
    CARRIED,
    CONTRADICTED,
    COUNTS,
    NO_SIGNATURE,
    RESCINDED,
    SUPERSEDED,
    UNKNOWN_KEY,
    WITHDRAWN,
    WRONG_DIGEST,
    WRONG_SIGNATURE,
    Row,
    Vector,
    event_row,
    published,
    vector,
)

RECORD = record_of(PAPER)
CREATION = creation_of(RECORD)
FIRST = "2026-05-18T00:00:00Z"
SECOND = "2026-05-19T00:00:00Z"
THIRD = "2026-05-20T00:00:00Z"
FOURTH = "2026-05-21T00:00:00Z"
SAID = "Taken back."


def made(kind: str, payload: Json, at: str, key: SigningKey = REGISTRY, **more: Json) -> Json:
    """A signed event about the record."""
    return signed({**event_of(RECORD, kind, payload), **more}, key=key, created_at=at)


def citation(at: str, key: SigningKey = REGISTRY, relation: str = "extends", **more: Json) -> Json:
    """A citation of the other record."""
    payload = {"relation": relation, "cited_pith_number": number_of(record_of(OTHER))}
    return made("citation", payload, at, key, **more)


def withdrawal(of: Json, at: str, key: SigningKey = REGISTRY) -> Json:
    """A withdrawal of an event, or of anything named."""
    about = of if isinstance(of, str) else of["event_id"]
    return made("withdrawal", {"about": about, "reason": SAID}, at, key)


def endorsement(of: Json, at: str, key: SigningKey) -> Json:
    """An endorsement of an event."""
    return made("endorsement", {"endorses": of["event_id"]}, at, key)


def snapshot(at: str, key: SigningKey = REGISTRY, *, summary: str = "", **more: Json) -> Json:
    """A snapshot without digests, so that there is one row of V9 and V10 less to count."""
    paper = {"title": PAPER.title}
    payload = {"graph_snapshot": {"paper": paper, "verdict": {"one_line_summary": summary}}}
    return made("graph_snapshot", payload, at, key, **more)


def unsigned(event: Json) -> Json:
    """The same event with nothing that could be checked."""
    return edited(event, ("event_id", GONE), ("signature_b64", GONE))


def case(
    name: str,
    why: str,
    events: list[Json],
    standings: Mapping[int, str],
    *rows: Row,
    **more: Json,
) -> Vector:
    """A bundle of the creation and these events; `rows` and `more` as `published` takes them."""
    bundle = bundle_with(RECORD, [CREATION, *events])
    snapshots = sum(event["event_type"] == "graph_snapshot" for event in events)
    expected = published(
        *rows,
        events=len(events) + 1,
        sections=0,
        bindings=snapshots,
        standings=standings,
        **more,
    )
    return vector(f"merge-{name}", why, bundle, expected)


def snapshot_vectors() -> Iterator[Vector]:
    """The newest snapshot of a target that counts is the current one."""
    old, new = snapshot(FIRST), snapshot(SECOND)
    why = "a newer snapshot of the same target supersedes, wherever it stands in the bundle"
    listed = {"graph_snapshots": 2}
    yield case("snapshot-newer-last", why, [old, new], {1: SUPERSEDED}, current=listed)
    yield case("snapshot-newer-first", why, [new, old], {2: SUPERSEDED}, current=listed)
    third = snapshot(THIRD)
    standings = {1: SUPERSEDED, 3: SUPERSEDED}
    yield case("snapshot-of-three", why, [old, third, new], standings)
    why = "times compare as moments: 02:00+02:00 on the next day is a minute after midnight's eve"
    late = snapshot("2026-05-19T01:59:00+02:00")
    yield case("snapshot-with-offset", why, [late, new], {1: SUPERSEDED})
    yield case("snapshot-with-fraction", why, [snapshot(f"{SECOND[:-1]}.5Z"), new], {2: SUPERSEDED})
    why = "snapshots of two targets do not supersede each other"
    apart = snapshot(SECOND, target="references")
    yield case("snapshot-of-other-target", why, [old, apart], {})
    why = "what cannot be checked supersedes nothing"
    carried = unsigned(new)
    row = event_row(2, NO_SIGNATURE)
    yield case("snapshot-newer-but-carried", why, [old, carried], {2: CARRIED}, row)
    why = "the operator accepts what cannot be checked, and it supersedes"
    policy = {"uncheckable_events": "accept"}
    standings = {1: SUPERSEDED, 2: COUNTS}
    yield case(
        "snapshot-newer-accepted",
        why,
        [old, carried],
        standings,
        row,
        policy=policy,
        current=listed,
    )


def equivocation_vectors() -> Iterator[Vector]:
    """Two events of one signer, type, target and moment contradict each other."""
    one, two = citation(FIRST), citation(FIRST, relation="refutes")
    why = "neither counts, both stay in the list"
    both = {1: CONTRADICTED, 2: CONTRADICTED}
    listed = {"citations": 2}
    yield case("equivocation", why, [one, two], both, equivocations=1, current=listed)
    three = citation(FIRST, relation="supports")
    standings = {**both, 3: CONTRADICTED}
    why = "three ways to contradict are one equivocation"
    yield case("equivocation-of-three", why, [one, two, three], standings, equivocations=1)
    later = citation(SECOND), citation(SECOND, relation="refutes")
    why = "two equivocations"
    standings = {**both, 3: CONTRADICTED, 4: CONTRADICTED}
    yield case("equivocation-twice", why, [one, two, *later], standings, equivocations=2)
    why = "one moment in two spellings is one moment"
    for name, at in (("offset", "2026-05-18T02:00:00+02:00"), ("fraction", f"{FIRST[:-1]}.000Z")):
        events = [one, citation(at, relation="refutes")]
        yield case(f"equivocation-by-{name}", why, events, both, equivocations=1)
    why = "two keys of one signer"
    events = [one, citation(FIRST, SILENT)]
    yield case("equivocation-by-two-keys", why, events, both, equivocations=1)
    for name, other in (
        ("time", citation(f"{FIRST[:-1]}.000000001Z", relation="refutes")),
        ("signer", citation(FIRST, AUTHOR, relation="refutes")),
        ("target", citation(FIRST, relation="refutes", target="references")),
        ("type", withdrawal("record", FIRST)),
    ):
        why = f"of another {name}: no contradiction"
        yield case(f"no-equivocation-other-{name}", why, [one, other], {})
    why = "a leap second is a moment of its own"
    events = [
        citation("2026-06-30T23:59:60Z"),
        citation("2026-07-01T00:00:00Z", relation="refutes"),
        citation("2026-06-30T23:59:59Z", relation="cites"),
    ]
    yield case("no-equivocation-at-a-leap-second", why, events, {})
    why = "nobody can make a signer look false without that signer's key"
    row = event_row(2, NO_SIGNATURE)
    yield case("no-equivocation-unsigned", why, [one, unsigned(two)], {}, row)
    policy = {"uncheckable_events": "accept"}
    events = [one, unsigned(two)]
    name = "no-equivocation-unsigned-accepted"
    yield case(name, why, events, {2: COUNTS}, row, policy=policy)
    forged = edited(two, ("signature_b64", flipped(two["signature_b64"])))
    yield case("no-equivocation-failed", why, [one, forged], {}, event_row(2, WRONG_SIGNATURE))
    why = "snapshots that contradict each other void neither an older one nor each other's target"
    events = [snapshot(FIRST), snapshot(SECOND), snapshot(SECOND, summary="Refuted.")]
    standings = {2: CONTRADICTED, 3: CONTRADICTED}
    yield case("equivocation-of-snapshots", why, events, standings, equivocations=1)
    why = "two creations verified through receipts have no envelope to contradict with"
    again = {**CREATION, "created_at": FIRST}
    yield case("no-equivocation-of-creations", why, [again], {}, distinct=1)


def withdrawal_vectors() -> Iterator[Vector]:
    """A signer takes back own events, and nobody else's."""
    said = citation(SECOND)
    why = "taken back by its signer; the event stays in its list"
    listed = {"citations": 1, "withdrawals": 1}
    after, before = withdrawal(said, THIRD), withdrawal(said, FIRST)
    yield case("withdrawal", why, [said, after], {1: WITHDRAWN}, current=listed)
    yield case("withdrawal-first", why, [after, said], {2: WITHDRAWN}, current=listed)
    why = "the set decides, not which came first"
    yield case("withdrawal-dated-before", why, [said, before], {1: WITHDRAWN})
    why = "two keys of one signer are one signer"
    yield case(
        "withdrawal-by-another-key", why, [said, withdrawal(said, THIRD, SILENT)], {1: WITHDRAWN}
    )
    why = "one signer does not take back another's event"
    yield case("withdrawal-by-another-signer", why, [said, withdrawal(said, THIRD, AUTHOR)], {})
    yield case(
        "withdrawal-by-the-registry",
        why,
        [citation(FIRST, AUTHOR), withdrawal(citation(FIRST, AUTHOR), THIRD)],
        {},
    )
    why = "an event that is not here; the withdrawal counts, should it come"
    yield case("withdrawal-of-nothing-here", why, [after], {})
    why = "a withdrawal cannot be taken back: say it again, signed anew"
    again = withdrawal(after, FOURTH)
    yield case("withdrawal-of-a-withdrawal", why, [said, after, again], {1: WITHDRAWN})
    why = "without a signature nothing is taken back"
    row = event_row(2, NO_SIGNATURE)
    yield case("withdrawal-unsigned", why, [said, unsigned(after)], {}, row)
    policy = {"uncheckable_events": "accept"}
    events = [said, unsigned(after)]
    yield case("withdrawal-unsigned-accepted", why, events, {2: COUNTS}, row, policy=policy)
    forged = edited(after, ("signature_b64", flipped(after["signature_b64"])))
    yield case("withdrawal-failed", why, [said, forged], {}, event_row(2, WRONG_SIGNATURE))
    why = "of an unsigned event it is not known who may take it back"
    loose = unsigned(said)
    name = f"sha256:{digest(loose).hex()}"
    events, row = [loose, withdrawal(name, THIRD)], event_row(1, NO_SIGNATURE)
    yield case("withdrawal-of-an-unsigned-event", why, events, {}, row)
    yield case(
        "withdrawal-of-an-accepted-event",
        why,
        [loose, withdrawal(said, THIRD)],
        {1: COUNTS},
        row,
        policy=policy,
    )
    yield from _withdrawal_and_rule_vectors(said, after)


def _withdrawal_and_rule_vectors(said: Json, after: Json) -> Iterator[Vector]:
    """A withdrawal beside the other rules."""
    listed = {"citations": 1, "withdrawals": 1}
    why = "withdrawals that contradict each other take back nothing"
    other = made("withdrawal", {"about": said["event_id"], "reason": "Otherwise."}, THIRD)
    standings = {2: CONTRADICTED, 3: CONTRADICTED}
    yield case("withdrawal-contradicted", why, [said, after, other], standings, equivocations=1)
    why = "one of two that contradict is taken back; the other does not come to count by that"
    twin = citation(SECOND, relation="refutes")
    events = [said, twin, after]
    standings = {1: WITHDRAWN, 2: CONTRADICTED}
    yield case("withdrawal-of-one-of-two", why, events, standings, equivocations=1)
    why = "the current snapshot is taken back: the one before it counts again"
    old, new = snapshot(FIRST), snapshot(SECOND)
    events = [old, new, withdrawal(new, THIRD)]
    yield case("withdrawal-of-a-snapshot", why, events, {2: WITHDRAWN})
    why = "the record itself: said on its page, and no event is void by it"
    events = [said, withdrawal("record", THIRD)]
    yield case("withdrawal-of-the-record", why, events, {}, current=listed)
    why = "an integrity finding has no signed envelope; its detector rescinds it"
    finding = integrity_event(payload_of())
    name = f"sha256:{finding['payload_sha256']}"
    yield case("withdrawal-of-a-finding", why, [finding, withdrawal(name, THIRD)], {})


def rescission_vectors() -> Iterator[Vector]:
    """A finding is void if its detector rescinds that place at the same time or later."""

    def finding(at: str, **changes: Json) -> Json:
        return integrity_event(payload_of(audited_at=at, **changes))

    def rescission(at: str, **changes: Json) -> Json:
        return finding(at, verdict_class="rescinded", note="A mistake.", **changes)

    found = finding(SECOND)
    why = "rescinded at the same time or later"
    listed = {"integrity": 2}
    after = rescission(THIRD)
    yield case("rescission-after", why, [found, after], {1: RESCINDED}, current=listed)
    yield case("rescission-after-first", why, [after, found], {2: RESCINDED}, current=listed)
    yield case("rescission-at-the-time", why, [found, rescission(SECOND)], {1: RESCINDED})
    late = "2026-05-19T01:00:00+01:00"
    yield case("rescission-at-the-time-with-offset", why, [found, rescission(late)], {1: RESCINDED})
    why = "found again after it was rescinded: it counts"
    yield case("rescission-before", why, [found, rescission(FIRST)], {}, current=listed)
    events = [rescission(THIRD), found, rescission(FIRST), finding(FOURTH)]
    why = "the newest rescission decides"
    yield case("rescission-twice", why, events, {2: RESCINDED})
    why = "of another place: it does not speak of this finding"
    for name, changes in (
        ("detector", {"detector": "doi_title_agreement"}),
        ("finding-type", {"finding_type": "broken_identifier"}),
        ("ref-index", {"ref_index": 20}),
        ("no-ref-index", {"ref_index": None}),
        ("paper-version", {"paper_version": 2}),
    ):
        yield case(f"rescission-other-{name}", why, [found, rescission(THIRD, **changes)], {})
    why = "without a place of its own, a finding is about the whole paper"
    whole = {"ref_index": None}
    events = [finding(SECOND, **whole), rescission(THIRD, **whole)]
    yield case("rescission-of-the-whole", why, events, {1: RESCINDED})
    why = "severity and words may differ: the place is the same"
    events = [finding(SECOND, severity="critical"), rescission(THIRD, severity="informational")]
    yield case("rescission-other-severity", why, events, {1: RESCINDED})
    why = "rescinded by a key that is not pinned: carried"
    event = integrity_event(payload_of(audited_at=THIRD, verdict_class="rescinded"), key=STRANGER)
    row = event_row(2, UNKNOWN_KEY)
    yield case("rescission-by-a-stranger", why, [found, event], {}, row)
    why = "accepted, and still nobody's word: only a verified rescission takes a finding back"
    policy = {"uncheckable_events": "accept"}
    standings = {2: COUNTS}
    name = "rescission-by-a-stranger-accepted"
    yield case(name, why, [found, event], standings, row, policy=policy)
    why = "an accepted finding that the registry rescinds"
    loose = integrity_event(payload_of(audited_at=SECOND), key=STRANGER)
    row = event_row(1, UNKNOWN_KEY)
    standings = {1: RESCINDED}
    name = "rescission-of-an-accepted-finding"
    yield case(name, why, [loose, after], standings, row, policy=policy)
    why = "the payload was altered: failed"
    event = edited(after, ("payload.note", "Altered."))
    yield case("rescission-failed", why, [found, event], {}, event_row(2, WRONG_DIGEST))

"""Vectors of the merge: events that wait for as many signers as their kind asks for."""

from __future__ import annotations

from collections.abc import Iterator

from tests.vectors.builders import AUTHOR, OPERATOR, REGISTRY, SILENT, Json
from tests.vectors.cases_standing import (
    FIRST,
    SECOND,
    THIRD,
    case,
    citation,
    endorsement,
    made,
    snapshot,
    unsigned,
    withdrawal,
)
from tests.vectors.vector import (
    CONTRADICTED,
    COUNTS,
    NO_SIGNATURE,
    WAITING,
    WITHDRAWN,
    Vector,
    event_row,
)


def threshold_vectors() -> Iterator[Vector]:
    """An event waits until as many signers as its kind asks for stand behind it."""
    two = {"thresholds": {"citation": 2}}
    said = citation(FIRST)
    by_author = endorsement(said, SECOND, AUTHOR)
    why = "one signer of two: it waits, outside the list of its kind"
    yield case("threshold-alone", why, [said], {1: WAITING}, policy=two, current={})
    why = "a second signer stands behind it"
    listed = {"citations": 1, "endorsements": 1}
    yield case("threshold-met", why, [said, by_author], {}, policy=two, current=listed)
    yield case("threshold-met-out-of-order", why, [by_author, said], {}, policy=two, current=listed)
    why = "the signer's own endorsement adds nobody"
    for name, key in (("the-signer", REGISTRY), ("another-key", SILENT)):
        events = [said, endorsement(said, SECOND, key)]
        yield case(f"threshold-endorsed-by-{name}", why, events, {1: WAITING}, policy=two)
    why = "one endorser twice is one endorser"
    three = {"thresholds": {"citation": 3}}
    events = [said, by_author, endorsement(said, THIRD, AUTHOR)]
    yield case("threshold-of-three-by-two", why, events, {1: WAITING}, policy=three)
    events = [said, by_author, endorsement(said, THIRD, OPERATOR)]
    yield case("threshold-of-three-met", "three signers", events, {}, policy=three)
    why = "the endorsement is of another event"
    other = citation(SECOND, relation="cites")
    events = [said, other, by_author]
    yield case("threshold-of-another-event", why, events, {2: WAITING}, policy=two)
    why = "a kind without a threshold does not wait"
    rest = [said, made("challenge", {"about": "record", "reason": "Why?"}, SECOND)]
    yield case("threshold-of-another-kind", why, rest, {1: WAITING}, policy=two)
    why = "the endorsement is taken back"
    events = [said, by_author, withdrawal(by_author, THIRD, AUTHOR)]
    standings = {1: WAITING, 2: WITHDRAWN}
    yield case("threshold-endorsement-withdrawn", why, events, standings, policy=two)
    why = "endorsements that contradict each other count for nobody"
    twin = endorsement(other, SECOND, AUTHOR)
    standings = {1: WAITING, 2: WAITING, 3: CONTRADICTED, 4: CONTRADICTED}
    yield case(
        "threshold-endorsement-contradicted",
        why,
        [said, other, by_author, twin],
        standings,
        policy=two,
        equivocations=1,
    )
    why = "an endorsement that nobody signed"
    accepting = {**two, "uncheckable_events": "accept"}
    events, row = [said, unsigned(by_author)], event_row(2, NO_SIGNATURE)
    yield case("threshold-endorsement-unsigned", why, events, {1: WAITING}, row, policy=two)
    standings = {1: WAITING, 2: COUNTS}
    name = "threshold-endorsement-unsigned-accepted"
    yield case(name, why, events, standings, row, policy=accepting)
    why = "an accepted event has no signer that is proven"
    events, row = [unsigned(said), by_author], event_row(1, NO_SIGNATURE)
    yield case("threshold-of-an-accepted-event", why, events, {1: WAITING}, row, policy=accepting)
    yield from _threshold_and_rule_vectors(said)


def _threshold_and_rule_vectors(said: Json) -> Iterator[Vector]:
    """A waiting event does nothing; one that has its signers does."""
    withdrawals = {"thresholds": {"withdrawal": 2}}
    back = withdrawal(said, SECOND)
    why = "a withdrawal that waits takes nothing back"
    yield case("threshold-withdrawal-alone", why, [said, back], {2: WAITING}, policy=withdrawals)
    why = "endorsed, it takes back; the endorser need not be the signer of the event"
    events = [said, back, endorsement(back, THIRD, AUTHOR)]
    yield case("threshold-withdrawal-met", why, events, {1: WITHDRAWN}, policy=withdrawals)
    why = "a snapshot that waits supersedes nothing"
    # The older one has its signers, the newer one not.
    old, new = snapshot(FIRST), snapshot(SECOND)
    events = [old, new, endorsement(old, THIRD, AUTHOR)]
    policy = {"thresholds": {"graph_snapshot": 2}}
    yield case("threshold-snapshot-newer-waits", why, events, {2: WAITING}, policy=policy)
    why = "contradicted events do not wait: they are contradicted"
    events = [said, citation(FIRST, relation="refutes")]
    standings = {1: CONTRADICTED, 2: CONTRADICTED}
    policy = {"thresholds": {"citation": 2}}
    yield case("threshold-contradicted", why, events, standings, policy=policy, equivocations=1)
    why = "a threshold of one is met by the signer"
    policy = {"thresholds": {"citation": 1}}
    yield case("threshold-of-one", why, [said], {}, policy=policy)
    why = "withdrawn by its signer, it is withdrawn and does not wait"
    policy = {"thresholds": {"citation": 2}}
    yield case("threshold-withdrawn", why, [said, back], {1: WITHDRAWN}, policy=policy)

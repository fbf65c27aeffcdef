"""What a vector is: bytes, and what has to come of them, reasoned from the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

from tests.vectors.builders import Json, compact

VERIFIED = "verified"
PARTLY = "partly checkable"
DISPUTED = "checks failed"
REJECTED = "not published"
FAILED = "failed"
NOT_CHECKABLE = "not checkable"

# What an event counts for (`docs/formats/state.md`).
COUNTS = "counts"
SUPERSEDED = "superseded"
RESCINDED = "rescinded"
WITHDRAWN = "withdrawn"
CONTRADICTED = "contradicted"
WAITING = "waiting for signers"
CARRIED = "carried"
SET_ASIDE = "set aside"
_UNTIL_TOLD = {FAILED: SET_ASIDE, NOT_CHECKABLE: CARRIED}

# Why an event is not verified (`docs/formats/verification.md`, V8).
MALFORMED = "malformed"
OTHER_RECORD = "another record"
WRONG_TARGET = "wrong target"
WRONG_ROLE = "wrong role"
WRONG_SIGNER = "wrong signer"
WRONG_ID = "wrong event id"
WRONG_SIGNATURE = "wrong signature"
OUTSIDE_WINDOW = "outside window"
WRONG_DIGEST = "wrong digest"
WRONG_RECORD = "wrong record"
WRONG_RECEIPT = "wrong receipt"
WRONG_PAYLOAD = "wrong payload"
NO_SIGNATURE = "unsigned"
UNKNOWN_KEY = "unknown key"
UNKNOWN_RULE = "unknown rule"
_NOT_CHECKABLE = frozenset((NO_SIGNATURE, UNKNOWN_KEY, UNKNOWN_RULE))

Row = tuple[str, ...]

# Rows of the steps before V8 where all of them run: V4 the top and the creation; V5 suffix, year,
# short form; V6 source and aliases; V7 signature and time.
_ADMISSION = {"V1": 1, "V2": 1, "V3": 1, "V4": 2, "V5": 3, "V6": 2, "V7": 2}
_READING = {"V1": "size and strict JSON", "V2": "bundle type and version", "V3": "schema"}


@dataclass(frozen=True)
class Expectation:
    """What a report of the vector has to say, no more and no less.

    `not_verified` are the rows that did not end verified: step, name, outcome and, from V8 on, the
    event; of V8 also the reason. `rows` counts all rows of each step, so that a check that does not
    run is noticed. `distinct_events` is the number of events a merge may see: those with one
    identity are one.
    `not_counting` are the events that do not count in the merged state: standing and event.
    `current` is the length of each list under `current` that is not empty; None where a vector does
    not ask. `policy` is what the operator has decided.
    """

    verdict: str
    not_verified: tuple[Row, ...]
    rows: Mapping[str, int]
    distinct_events: int | None = None
    not_counting: tuple[Row, ...] | None = None
    equivocations: int | None = None
    current: Mapping[str, int] | None = None
    policy: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Vector:
    """One file, named by its defect."""

    name: str
    why: str
    data: bytes
    expectation: Expectation

    @property
    def sidecar(self) -> Json:
        """The expectation as JSON."""
        expected = self.expectation
        return {
            "why": self.why,
            "verdict": expected.verdict,
            "not_verified": [list(row) for row in expected.not_verified],
            "rows": dict(expected.rows),
            "distinct_events": expected.distinct_events,
            "not_counting": None
            if expected.not_counting is None
            else [list(row) for row in expected.not_counting],
            "equivocations": expected.equivocations,
            **({} if expected.current is None else {"current": dict(expected.current)}),
            **({"policy": dict(expected.policy)} if expected.policy else {}),
        }


def vector(name: str, why: str, bundle: Json, expectation: Expectation) -> Vector:
    """Spell a bundle and pair it with what has to come of it."""
    data = bundle if isinstance(bundle, bytes) else compact(bundle)
    return Vector(name, why, data, expectation)


def unread(step: str) -> Expectation:
    """V1, V2 or V3 fails and nothing after it runs."""
    steps = list(_READING)[: list(_READING).index(step) + 1]
    row = (step, _READING[step], FAILED)
    return Expectation(REJECTED, (row,), dict.fromkeys(steps, 1))


def refused(*rows: Row, **totals: int) -> Expectation:
    """V1 to V3 verify, some row of V4 to V7 does not; `totals` where a step has fewer rows."""
    return Expectation(REJECTED, rows, _counted({**_ADMISSION, **totals}))


def published(
    *rows: Row,
    events: int = 2,
    sections: int = 5,
    bindings: int = 2,
    distinct: int | None = None,
    standings: Mapping[int, str] = MappingProxyType({}),
    equivocations: int = 0,
    current: Mapping[str, int] | None = None,
    policy: Mapping[str, Json] = MappingProxyType({}),
) -> Expectation:
    """V1 to V7 verify; the weakest of the rows given decides the verdict.

    Args:
        rows: rows of V8 to V10 that do not verify.
        events: rows of V8, one an event.
        sections: rows of V9, one a section of a snapshot whose event has not failed.
        bindings: rows of V10, for a title and for an abstract.
        distinct: events of different identity; all of them, if not given.
        standings: what an event counts for, by its index, where that does not follow from its
            outcome alone: a failed event is set aside, one that is not checkable is carried.
        equivocations: contradictions that are found.
        current: length of each list under `current` that is not empty, if the vector asks.
        policy: what the operator has decided: `thresholds`, `uncheckable_events`.

    Returns:
        The expectation.
    """
    outcomes = {row[2] for row in rows}
    verdict = DISPUTED if FAILED in outcomes else PARTLY if outcomes else VERIFIED
    totals = {**_ADMISSION, "V8": events, "V9": sections, "V10": bindings}
    found = {int(row[3][7:-1]): _UNTIL_TOLD[row[2]] for row in rows if row[0] == "V8"}
    found |= standings
    return Expectation(
        verdict,
        rows,
        _counted(totals),
        distinct or events,
        tuple(
            (word, f"events[{index}]") for index, word in sorted(found.items()) if word != COUNTS
        ),
        equivocations,
        current,
        policy,
    )


def event_row(index: int, reason: str) -> Row:
    """A row of V8 that does not verify; the outcome follows from the reason."""
    outcome = NOT_CHECKABLE if reason in _NOT_CHECKABLE else FAILED
    return ("V8", "event", outcome, f"events[{index}]", reason)


def section_row(index: int, outcome: str = FAILED) -> Row:
    """A row of V9."""
    return ("V9", "snapshot digest", outcome, f"events[{index}]")


def title_row(index: int, outcome: str = FAILED) -> Row:
    """A row of V10 for a title."""
    return ("V10", "title binding", outcome, f"events[{index}]")


def abstract_row(index: int, outcome: str = FAILED) -> Row:
    """A row of V10 for an abstract."""
    return ("V10", "abstract binding", outcome, f"events[{index}]")


def unique(vectors: Iterable[Vector]) -> tuple[Vector, ...]:
    """Sort vectors by name, refusing two of one name: the second would overwrite the first."""
    ordered = sorted(vectors, key=lambda item: item.name)
    for first, second in pairwise(ordered):
        if first.name == second.name:
            raise ValueError(f"two vectors named {first.name}")
    return tuple(ordered)


def _counted(totals: Mapping[str, int]) -> dict[str, int]:
    return {step: count for step, count in totals.items() if count}

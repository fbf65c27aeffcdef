"""Laws of the verification: what no change to a bundle can do."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generator.formats.checks import Verdict
from generator.formats.raw import RawBundle
from generator.verify import BundleReport, check_bundle
from tests.property.strategies import OBJECTS, VALUES
from tests.vectors.builders import (
    PAPER,
    STRANGER,
    Json,
    bundle_of,
    compact,
    event_of,
    record_of,
    signed,
)
from tests.vectors.reading import vector_trust

TRUST = vector_trust()
WHOLE = bundle_of()
TEXT = compact(WHOLE)


def check(data: bytes) -> BundleReport:
    """Check bytes under the vectors' trust."""
    return check_bundle(RawBundle("test", data), TRUST)


def places(value: Json, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Name every place in a value, from the outside in."""
    if isinstance(value, dict):
        inner = [place for key, item in value.items() for place in places(item, (*path, key))]
    elif isinstance(value, list):
        inner = [place for i, item in enumerate(value) for place in places(item, (*path, i))]
    else:
        inner = []
    return [*([path] if path else []), *inner]


PLACES = places(WHOLE)


def bound(bundle: Json) -> Json:
    """Take out of a bundle what nothing binds: the reported times."""
    creation = bundle["events"][0]
    receipt = {**creation["payload"]["receipt"], "signed_at": None}
    return {
        **bundle,
        "source_aliases": [{**alias, "created_at": None} for alias in bundle["source_aliases"]],
        "events": [
            {**creation, "payload": {**creation["payload"], "receipt": receipt}},
            *bundle["events"][1:],
        ],
    }


@given(st.integers(0, len(TEXT) - 1), st.integers(1, 255))
def test_changed_byte_is_noticed(place: int, change: int) -> None:
    """A byte that changes leaves every check verified only where it is not said to be bound."""
    data = bytearray(TEXT)
    data[place] ^= change
    if check(bytes(data)).verdict is Verdict.VERIFIED:
        assert bound(json.loads(data)) == bound(WHOLE)


@given(st.sampled_from(PLACES), VALUES)
def test_replaced_value_ends_in_a_report(place: tuple[Any, ...], value: Json) -> None:
    """Whatever stands anywhere in a bundle, the check ends in a report and no exception."""
    changed = json.loads(TEXT)
    target = changed
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    report = check(compact(changed))
    assert report.checks
    assert (report.verified is None) == (report.verdict is Verdict.REJECTED)


@given(OBJECTS)
def test_unknown_top_level_keys_change_no_check(extra: Json) -> None:
    """Further top-level fields are carried, and every check ends as without them."""
    more = {key: value for key, value in extra.items() if key not in WHOLE and key != "state"}
    rows = [(c.step, c.outcome) for c in check(compact({**WHOLE, **more})).checks]
    assert rows == [(c.step, c.outcome) for c in check(TEXT).checks]


@given(st.lists(VALUES, max_size=4), st.integers(0, 2))
def test_further_events_never_take_the_record_along(events: list[Json], place: int) -> None:
    """Whatever stands beside the genuine events, the record is published and they verify."""
    listed = [*WHOLE["events"][:place], *events, *WHOLE["events"][place:]]
    report = check(compact({**WHOLE, "events": listed}))
    assert report.verified is not None
    verified = [event.json for event in report.verified.events if event.outcome.value == "verified"]
    assert verified == WHOLE["events"]


@given(OBJECTS)
def test_strangers_event_is_never_verified(payload: Json) -> None:
    """An event signed by a key that is not pinned is carried, whatever it says."""
    event = signed(event_of(record_of(PAPER), "note", payload), key=STRANGER)
    report = check(compact({**WHOLE, "events": [*WHOLE["events"], event]}))
    assert report.verdict is Verdict.PARTLY

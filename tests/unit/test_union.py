"""union.py: what bundles of one record come to, byte for byte, and what is refused."""

from __future__ import annotations

from itertools import permutations

import pytest

from generator.errors import InputError, RejectedError
from generator.formats.checks import Verdict
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS
from generator.record_files import check_raw_bundle, known_record, published_bundle
from generator.state import state_json
from generator.union import unite
from tests.statement_bundles import bundle, citation, mirror, numbered, say
from tests.vectors.builders import OTHER, Json, compact, edited

MIRROR = mirror()
FIRST = say("citation", citation(OTHER))
SECOND = say("citation", citation(numbered(1)), day=19)


def raw(value: Json, origin: str) -> RawBundle:
    """Spell a bundle as a file would hold it."""
    return RawBundle(origin, compact(value))


def test_bundle_with_every_event_is_the_union() -> None:
    """Where one bundle holds every event, its bytes are kept as received."""
    whole = raw(bundle(FIRST, SECOND), "whole.json")
    for parts in permutations((raw(bundle(FIRST), "a.json"), whole, raw(bundle(SECOND), "b.json"))):
        union = unite(parts, MIRROR)
        assert union.data == whole.data
        assert union.as_received == "whole.json"
        assert (union.event_count, union.verdict) == (4, Verdict.VERIFIED)
        assert dict(union.parts) == {"a.json": 3, "whole.json": 4, "b.json": 3}


def test_union_of_two_halves_is_spelled_anew() -> None:
    """Where no bundle holds every event, the union is what a build would serve, in any order."""
    parts = (raw(bundle(FIRST), "a.json"), raw(bundle(SECOND), "b.json"))
    union, other = unite(parts, MIRROR), unite(parts[::-1], MIRROR)
    assert union.data == other.data
    assert union.as_received == ""
    assert union.event_count == 4
    reports = [check_raw_bundle(part, MIRROR) for part in parts]
    served = published_bundle(reports)
    assert union.data == served.data


def test_state_of_the_union_is_that_of_all_its_events() -> None:
    """The digest that is told is the state_sha256 of the union's own state.json."""
    union = unite((raw(bundle(FIRST), "a.json"), raw(bundle(SECOND), "b.json")), MIRROR)
    known = known_record(check_raw_bundle(RawBundle("u", union.data), MIRROR), MIRROR)
    assert state_json(known.state)["state_sha256"] == union.state_sha256
    whole = unite((raw(bundle(SECOND, FIRST), "whole.json"),), MIRROR)
    assert whole.state_sha256 == union.state_sha256


def test_union_of_one_bundle_is_that_bundle() -> None:
    """One file alone is verified and given back; the same file twice as well."""
    part = raw(bundle(FIRST), "a.json")
    assert unite((part,), MIRROR).data == unite((part, part), MIRROR).data == part.data


def test_union_with_a_failed_event_says_so() -> None:
    """A failed event of one part does not enter the union of sound ones, and the verdict tells."""
    spoilt = edited(FIRST, ("payload.relation", "refutes"))
    union = unite((raw(bundle(spoilt), "a.json"), raw(bundle(), "b.json")), MIRROR)
    assert union.verdict is Verdict.DISPUTED
    assert union.event_count == 2


def test_rejected_bundle_stops_the_union() -> None:
    """Nothing is united with a bundle that does not verify; the message has the first fault."""
    wrong = raw(edited(bundle(), ("canonical_sha256", "0" * 64)), "wrong.json")
    with pytest.raises(RejectedError, match=r"^wrong\.json: .*\(V4, content address\), found 0000"):
        unite((raw(bundle(), "a.json"), wrong), MIRROR)


def test_bundles_of_two_records_are_refused() -> None:
    """Bundles of different records have no union; the message names both records and files."""
    parts = (raw(bundle(), "a.json"), raw(bundle(paper=OTHER), "b.json"))
    with pytest.raises(InputError) as caught:
        unite(parts, MIRROR)
    assert caught.value.subject == "b.json"
    assert caught.value.expected.endswith(", as a.json")
    assert caught.value.found.startswith("one of pith:2012:")


def test_no_bundle_has_no_union() -> None:
    """An archive without a bundle gives an error and not an empty file."""
    with pytest.raises(InputError, match="expected one or more bundles, found none"):
        unite((), MIRROR)


def test_union_is_bounded_before_anything_is_read() -> None:
    """Copies of a record cannot fill the memory."""
    part = RawBundle("a.json", bytes(DEFAULT_LIMITS.united_max_length // 4 + 1))
    with pytest.raises(InputError, match="expected at most 67108864 bytes"):
        unite((part,) * 4, MIRROR)


def test_union_over_a_bound_is_refused() -> None:
    """Two bundles of 6,000 unsigned events each verify; their union has too many."""
    notes = [{"event_type": "x", "number": number} for number in range(12_000)]
    halves = (raw(bundle(*notes[:6000]), "a.json"), raw(bundle(*notes[6000:]), "b.json"))
    with pytest.raises(RejectedError, match=r"^a\.json \+ b\.json: expected at most 10000 \(V3"):
        unite(halves, MIRROR)

"""holdings.py: two collections of bundles, compared record by record."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from generator.compare import Change, RecordDiff
from generator.errors import LoadError
from generator.formats.raw import RawBundle
from generator.holdings import Holdings, Side
from generator.load import Unreadable
from tests.statement_bundles import bundle, citation, mirror, numbered, say
from tests.vectors.builders import OTHER, PAPER, Json, compact, edited, number_of, record_of

MIRROR = mirror()
NUMBER = number_of(record_of(PAPER))
FIRST = say("citation", citation(OTHER))
SECOND = say("citation", citation(numbered(1)), day=19)
REJECTED = edited(bundle(), ("canonical_sha256", "0" * 64))


def raw(value: Json | bytes) -> RawBundle:
    """Spell a bundle as a file would hold it."""
    return RawBundle("x.json", value if isinstance(value, bytes) else compact(value))


def compared(
    old: Sequence[Json | bytes], new: Sequence[Json | bytes]
) -> tuple[list[RecordDiff], int]:
    """Compare two collections; give the differences and how many records are equal in bytes."""
    with closing(Holdings(MIRROR)) as holdings:
        for side, values in ((Side.OLD, old), (Side.NEW, new)):
            for value in values:
                holdings.add(side, raw(value))
        return list(holdings.differences()), holdings.equal_count()


def test_same_bytes_are_equal_without_a_comparison() -> None:
    """Records of which both sides hold the same bytes are counted and not listed."""
    both = [bundle(FIRST), bundle(paper=OTHER)]
    assert compared(both, both[::-1]) == ([], 2)
    assert compared([*both, both[0]], both) == ([], 2)


def test_differences_come_by_pith_number() -> None:
    """Gained, lost and changed records are told in the order of their numbers."""
    papers = [numbered(index) for index in range(6)]
    old = [bundle(paper=paper) for paper in papers[:4]]
    new = [bundle(paper=paper) for paper in papers[2:]]
    found, equal = compared(old, new)
    again, _ = compared(old[::-1], new[::-1])
    assert [diff.pith_number for diff in found] == sorted(diff.pith_number for diff in found)
    assert [(d.pith_number, d.change) for d in found] == [(d.pith_number, d.change) for d in again]
    assert sum(diff.change is Change.LOST for diff in found) == 2
    assert sum(diff.change is Change.GAINED for diff in found) == 2
    assert equal == 2


def test_copies_of_a_record_are_united_before_they_are_compared() -> None:
    """Two halves on one side are the whole on the other: equal after all."""
    found, equal = compared([bundle(FIRST), bundle(SECOND)], [bundle(SECOND, FIRST)])
    assert [diff.change for diff in found] == [Change.EQUAL]
    assert equal == 0


def test_lost_event_is_found_in_a_collection() -> None:
    """An event that no bundle of the later side holds is lost."""
    (found,), _ = compared([bundle(FIRST), bundle(SECOND)], [bundle(FIRST)])
    assert [event.identity for event in found.lost] == [SECOND["event_id"]]
    assert found.is_alarm


def test_record_whose_bundle_is_rejected_now_is_lost_with_the_reason() -> None:
    """A damaged bundle is a lost record, and the first failed check says why."""
    (found,), _ = compared([bundle()], [REJECTED])
    assert (found.change, found.pith_number) == (Change.LOST, NUMBER)
    assert found.words[1].startswith("its bundle x.json is rejected: V4 content address: expected")


def test_rejected_copy_beside_a_good_one_changes_nothing() -> None:
    """Nobody can make a record look lost by adding a damaged copy of its bundle."""
    found, _ = compared([bundle()], [bundle(), REJECTED])
    assert [diff.change for diff in found] == [Change.EQUAL]


def test_record_that_becomes_good_is_gained() -> None:
    """A bundle that was rejected before and verifies now is a gain."""
    (found,), _ = compared([REJECTED], [bundle()])
    assert found.change is Change.GAINED


def test_record_rejected_on_both_sides_is_not_told() -> None:
    """What neither side publishes was neither gained nor lost."""
    other = edited(bundle(), ("canonical_sha256", "1" * 64))
    assert compared([REJECTED], [other]) == ([], 0)


def test_what_names_no_record_is_counted_apart() -> None:
    """Unreadable files and malformed bundles are counted by side and compared with nothing."""
    with closing(Holdings(MIRROR)) as holdings:
        error = LoadError("x", expected="a file", found="none")
        holdings.add(Side.OLD, Unreadable("x", error))
        holdings.add(Side.NEW, raw(b"{"))
        holdings.add(Side.NEW, raw(b"{"))
        holdings.add(Side.NEW, raw(bundle()))
        assert [holdings.nameless_count(side) for side in Side] == [1, 2]
        assert [holdings.bundle_count(side) for side in Side] == [0, 1]
        assert [diff.change for diff in holdings.differences()] == [Change.GAINED]

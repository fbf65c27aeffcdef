"""census.py: counting all bundles in bounded memory, and an even sample of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.census import Census, DistinctCount, EvenSample
from generator.errors import LoadError
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS
from generator.load import Unreadable
from generator.plan import ListingKind, plan_memberships
from tests.factories import raw
from tests.machine_inputs import unit_of
from tests.vectors.builders import PAPER, bundle_of

SMALL = replace(DEFAULT_LIMITS, sample_max_count=8, sample_max_length=1_000)


@given(st.lists(st.text(max_size=3), max_size=60))
def test_few_values_are_counted_exactly(texts: list[str]) -> None:
    """As long as all fit, the count is exact, however often and in whatever order they come."""
    count = DistinctCount(kept=64)
    for text in texts:
        count.add(text)
    assert count.count() == len(set(texts))


def test_many_values_are_counted_about() -> None:
    """Of 50,000 values that come twice, 4,096 digests tell the number within some percent."""
    count = DistinctCount(kept=DEFAULT_LIMITS.distinct_kept_count)
    for number in (*range(50_000), *range(50_000)):
        count.add(str(number))
    assert count.count() == pytest.approx(50_000, rel=0.05)


@given(st.integers(0, 200))
def test_sample_is_even_and_bounded(number: int) -> None:
    """Every step-th bundle from the first on is kept, at most as many as the bound."""
    sample = EvenSample(SMALL)
    for index in range(number):
        sample.offer(RawBundle(str(index), b"x"))
    kept = [int(bundle.origin) for bundle in sample.bundles]
    assert len(kept) <= SMALL.sample_max_count
    assert kept[:1] == [0][:number]
    steps = {after - before for before, after in pairwise(kept)}
    assert len(steps) <= 1
    assert number == 0 or number - kept[-1] <= max(steps, default=1) * (1 + (number > 1))
    assert sample.is_whole == (number <= SMALL.sample_max_count)
    assert len(kept) * 2 >= min(number, SMALL.sample_max_count)


def test_large_bundles_make_the_sample_smaller() -> None:
    """A sample never holds more bytes than its bound, but for a single bundle."""
    sample = EvenSample(SMALL)
    for index in range(50):
        sample.offer(RawBundle(str(index), b"x" * 400))
        assert sum(len(bundle.data) for bundle in sample.bundles) <= SMALL.sample_max_length
    sample.offer(RawBundle("large", b"x" * 2_000))
    assert sample.bundles


def test_census_counts_what_listings_will_hold() -> None:
    """A bundle counts in the listings in which its record will stand; unreadable ones in none."""
    census = Census()
    for bundle in (raw(bundle_of()), raw(bundle_of()), RawBundle("bad", b"{")):
        census.add(bundle)
    census.add(Unreadable("gone", LoadError("gone", expected="a file", found="none")))
    assert (census.bundles, census.readable, census.records()) == (4, 2, 1)
    expected = plan_memberships(unit_of(bundle_of(PAPER)).catalogued)
    for kind in (ListingKind.YEAR, ListingKind.MONTH, ListingKind.CATEGORY, ListingKind.AUTHOR):
        folders = [row for row in expected if row.kind is kind]
        assert census.folder_count(kind) == len(folders)
        assert census.folders(kind) == (2,) * len(folders)
        assert census.memberships(kind) == 2 * len(folders)


def test_census_holds_no_more_listings_than_its_bound() -> None:
    """Beyond the bound further names are counted together, by memberships alone."""
    census = Census(limits=replace(DEFAULT_LIMITS, counted_listings_max_count=1))
    census.add(raw(bundle_of()))
    assert len(census.folders(ListingKind.AUTHOR)) == 1
    assert census.memberships(ListingKind.AUTHOR) == census.folder_count(ListingKind.AUTHOR) > 1

"""Laws of instants."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import FormatError
from generator.formats.instant import parse_instant

ZONES = st.integers(-(23 * 60 + 59), 23 * 60 + 59).map(lambda m: timezone(timedelta(minutes=m)))
DAYS = st.dates(date(2, 1, 1), date(9998, 12, 31))
# Far enough from both ends for every offset.
MOMENTS = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=ZONES)  # noqa: DTZ001


def spelled(moment: datetime) -> str:
    """Write a moment in its own offset, microseconds and all."""
    return moment.isoformat()


@given(MOMENTS, MOMENTS)
def test_order_is_that_of_utc(one: datetime, other: datetime) -> None:
    """Two instants compare as the moments they mean, whatever their offsets."""
    first = parse_instant(spelled(one), subject="one")
    second = parse_instant(spelled(other), subject="other")
    assert (first < second) == (one < other)
    assert (first == second) == (one == other)


@given(MOMENTS, ZONES)
def test_another_offset_is_the_same_moment(moment: datetime, zone: timezone) -> None:
    """A moment written in another offset is equal, has the same date, and keeps its spelling."""
    text, other = spelled(moment), spelled(moment.astimezone(zone))
    one, two = parse_instant(text, subject="one"), parse_instant(other, subject="two")
    assert one == two
    assert (str(one), str(two)) == (text, other)
    assert one.date == two.date == moment.astimezone(UTC).date().isoformat()
    assert one.year == moment.astimezone(UTC).year


@given(MOMENTS, st.integers(0, 999_999_999), st.integers(0, 999_999_999))
def test_fractions_order_within_a_second(moment: datetime, one: int, other: int) -> None:
    """Nanoseconds order instants of one second, with or without zeros at the end."""
    second = moment.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat()
    first = parse_instant(f"{second}.{one:09}Z", subject="one")
    last = parse_instant(f"{second}.{other:09}Z", subject="other")
    short = parse_instant(f"{second}.{f'{one:09}'.rstrip('0') or '0'}Z", subject="short")
    assert (first < last) == (one < other)
    assert first == short


@given(DAYS, ZONES)
def test_leap_second_is_at_the_end_of_a_utc_day_only(day: date, zone: timezone) -> None:
    """23:59:60 UTC is a time in any offset, between its neighbours; second 60 elsewhere is none."""
    end = datetime(day.year, day.month, day.day, 23, 59, 59, tzinfo=UTC)
    local = spelled(end.astimezone(zone))
    minute, offset = local[:17], local[19:]
    leap = parse_instant(f"{minute}60{offset}", subject="leap")
    before = parse_instant(f"{minute}59.999999999{offset}", subject="before")
    after = parse_instant(spelled((end + timedelta(seconds=1)).astimezone(zone)), subject="after")
    assert before < leap < after
    earlier = spelled((end - timedelta(minutes=1)).astimezone(zone))
    with pytest.raises(FormatError, match="second 60 only at 23:59 UTC"):
        parse_instant(f"{earlier[:17]}60{earlier[19:]}", subject="elsewhere")


@given(st.text("0123456789-:TZ.+ ", max_size=32))
def test_any_text_is_a_time_or_refused(text: str) -> None:
    """Of any text comes an instant that keeps it, or a FormatError and no other exception."""
    try:
        instant = parse_instant(text, subject="text")
    except FormatError:
        return
    assert str(instant) == text

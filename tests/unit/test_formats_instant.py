"""Instants: which spellings are times, and which order they have."""

from __future__ import annotations

import pytest

from generator.errors import FormatError
from generator.formats.canonical import JsonValue
from generator.formats.instant import Instant, parse_instant


def instant(text: str) -> Instant:
    """Parse a time."""
    return parse_instant(text, subject="time")


@pytest.mark.parametrize(
    "text",
    [
        "2026-05-18",
        "2026-05-18T01:36",
        "2026-05-18T01:36:37",
        "2026-05-18 01:36:37Z",
        "2026-05-18t01:36:37z",
        "2026-05-18T01:36:37.Z",
        "2026-05-18T01:36:37.0123456789Z",
        "2026-05-18T01:36:37+0100",
        "2026-05-18T01:36:37+24:00",
        "2026-05-18T01:36:37-01:60",
        "2026-05-18T24:00:00Z",
        "2026-05-18T01:60:00Z",
        "2026-05-18T01:36:61Z",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "2026-05-18T01:36:60Z",
        "2016-12-31T23:59:60+01:00",
        "2026-05-18T01:36:37Z ",
        "\u0662026-05-18T01:36:37Z",
        "",
    ],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    """A spelling outside RFC 3339, or a day or leap second that is none, is an error."""
    with pytest.raises(FormatError, match=r"^time: expected "):
        instant(text)


@pytest.mark.parametrize("value", [None, 1779071173, True, ["2026-05-18T01:36:37Z"], {}])
def test_what_is_no_string_is_refused(value: JsonValue) -> None:
    """A number is not a time, whatever it counts."""
    with pytest.raises(FormatError, match=r"expected an RFC 3339 time, found (a|null)"):
        parse_instant(value, subject="time")


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2026-05-18T01:36:37Z", "2026-05-18T01:36:38Z"),
        ("2026-05-18T01:36:37Z", "2026-05-18T01:36:37.000000001Z"),
        ("2026-05-18T01:36:37.9Z", "2026-05-18T01:36:38Z"),
        ("2026-05-18T01:36:37.09Z", "2026-05-18T01:36:37.1Z"),
        ("2026-05-18T03:00:00+02:00", "2026-05-18T01:00:01Z"),
        ("2016-12-31T23:59:59.999999999Z", "2016-12-31T23:59:60Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:60.5Z"),
        ("2016-12-31T23:59:60.999999999Z", "2017-01-01T00:00:00Z"),
        ("1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z"),
    ],
)
def test_order_is_that_of_time(earlier: str, later: str) -> None:
    """Instants sort by the moment they mean, leap seconds between their neighbours."""
    assert instant(earlier) < instant(later)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2026-05-18T01:36:37Z", "2026-05-18T01:36:37+00:00"),
        ("2026-05-18T01:36:37Z", "2026-05-18T01:36:37-00:00"),
        ("2026-05-18T01:36:37.5Z", "2026-05-18T01:36:37.500000000Z"),
        ("2026-05-18T01:36:37Z", "2026-05-17T23:36:37-02:00"),
        ("2016-12-31T23:59:60Z", "2017-01-01T01:59:60+02:00"),
    ],
)
def test_spellings_of_one_moment_are_equal_and_kept(one: str, other: str) -> None:
    """Two spellings of a moment are one moment, and each is shown as it was received."""
    assert instant(one) == instant(other)
    assert hash(instant(one)) == hash(instant(other))
    assert (str(instant(one)), str(instant(other))) == (one, other)


def test_date_and_year_are_those_in_utc() -> None:
    """The day and the year of an instant are in UTC, whatever the offset it was written with."""
    moment = instant("2025-12-31T23:30:00-01:00")
    assert (moment.date, moment.year) == ("2026-01-01", 2026)
    assert instant("0099-03-01T00:00:00Z").date == "0099-03-01"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-05-18T01:36:37.204113Z", "2026-05-18T01:36:37Z"),
        ("2026-05-18T01:36:37+02:00", "2026-05-17T23:36:37Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ],
)
def test_utc_time_to_the_second(text: str, expected: str) -> None:
    """The time in UTC drops fractions; a leap second is the second before it."""
    assert parse_instant(text, subject="t").utc == expected

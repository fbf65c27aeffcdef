"""Moments in time: RFC 3339, kept as written, ordered as meant.

The registry writes `Z` with and without fractions, and `+00:00` in integrity events (protocol part
7).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

from generator.errors import FormatError
from generator.formats.canonical import JsonValue, json_kind
from generator.limits import shorten

_NANOSECONDS = 1_000_000_000
_RFC3339 = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})"
    r"(?:\.([0-9]{1,9}))?(Z|[+-][0-9]{2}:[0-9]{2})"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, order=True)
class Instant:
    """A moment: two spellings of one moment compare equal, `text` keeps the one received.

    `seconds` counts from 1970 without leap seconds; a leap second is the nanoseconds from 10^9 on
    of the second before it, so 23:59:60 sorts between 23:59:59 and 00:00:00 (RFC 3339 5.7).
    """

    seconds: int
    nanoseconds: int
    text: str = field(compare=False)

    def __str__(self) -> str:
        """Give the spelling that was received."""
        return self.text

    @property
    def date(self) -> str:
        """The UTC day, `YYYY-MM-DD`."""
        return self._moment().isoformat()[:10]

    @property
    def utc(self) -> str:
        """The UTC time to the second, `YYYY-MM-DDThh:mm:ssZ`; a leap second is the one before."""
        return f"{self._moment().isoformat()[:19]}Z"

    @property
    def year(self) -> int:
        """The UTC year."""
        return self._moment().year

    def _moment(self) -> datetime:
        return _EPOCH + timedelta(seconds=self.seconds)


def parse_instant(value: JsonValue, *, subject: str) -> Instant:
    """Read an RFC 3339 date and time with `Z` or an offset, up to nine fraction digits.

    Args:
        value: what stands in the document.
        subject: the field's path, for messages.

    Returns:
        The instant.

    Raises:
        FormatError: not a string, not RFC 3339, no such day or hour, or a leap second elsewhere
        than at
            the end of a UTC day.
    """
    if not isinstance(value, str):
        raise FormatError(subject, expected="an RFC 3339 time", found=json_kind(value))
    try:
        return _read(value)
    except _WrongTimeError as error:
        raise FormatError(subject, expected=str(error), found=repr(shorten(value))) from error


class _WrongTimeError(Exception):
    """A text is no time of RFC 3339; says what was expected."""


# The times of a record are mostly one and the same. No other text than a time is ever kept.
@lru_cache(maxsize=64)
def _read(value: str) -> Instant:
    expected = "an RFC 3339 time"
    match = _RFC3339.fullmatch(value)
    if match is None:
        raise _WrongTimeError(expected)
    year, month, day, hour, minute, second = (int(match[i]) for i in range(1, 7))
    leap = second == 60
    try:
        moment = datetime(
            year, month, day, hour, minute, 59 if leap else second, tzinfo=_offset(match[8])
        ).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _WrongTimeError(expected) from error
    if leap and (moment.hour, moment.minute) != (23, 59):
        raise _WrongTimeError("second 60 only at 23:59 UTC (RFC 3339 5.7)")
    fraction = int((match[7] or "0").ljust(9, "0"))
    seconds = (moment - _EPOCH) // timedelta(seconds=1)
    return Instant(seconds, fraction + (_NANOSECONDS if leap else 0), value)


def _offset(text: str) -> timezone:
    if text == "Z":
        return UTC
    hours, minutes = int(text[1:3]), int(text[4:6])
    if hours > 23 or minutes > 59:
        raise ValueError(text)
    delta = timedelta(hours=hours, minutes=minutes)
    return timezone(-delta if text[0] == "-" else delta)

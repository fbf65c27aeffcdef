"""Laws of canonical JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator.errors import FormatError
from generator.formats.canonical import (
    JsonObject,
    JsonValue,
    canonical_json,
    compact_json,
    parse_json,
)
from generator.formats.digest import canonical_digest
from tests.property.strategies import OBJECTS, TEXTS, VALUES


def parsed(data: bytes) -> JsonValue:
    """Parse bytes."""
    return parse_json(data, subject="bytes")


@given(VALUES)
def test_parsing_gives_back_what_was_written(value: JsonValue) -> None:
    """Parsing canonical or compact JSON gives the value, and canonical JSON again its bytes."""
    data = canonical_json(value)
    assert canonical_json(parsed(data)) == data
    assert canonical_json(parsed(compact_json(value))) == data


@given(VALUES)
def test_canonical_json_is_what_the_protocol_names(value: JsonValue) -> None:
    """Canonical JSON is `json.dumps` with the four arguments of part 1, in UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert canonical_json(value) == text.encode()


@given(OBJECTS, st.randoms(use_true_random=False))
def test_order_of_keys_changes_nothing(value: JsonObject, random: Any) -> None:  # noqa: ANN401
    """The digest of an object is the same whatever the order its keys came in."""
    items = list(value.items())
    random.shuffle(items)
    assert canonical_digest(dict(items)) == canonical_digest(value)


@given(OBJECTS.filter(bool), st.data())
def test_duplicate_key_is_always_refused(value: JsonObject, data: st.DataObject) -> None:
    """Repeating any member of an object, at its start or its end, is an error."""
    key = data.draw(st.sampled_from(sorted(value)))
    member = json.dumps(key) + ":" + json.dumps(data.draw(VALUES))
    text = json.dumps(value)
    for repeated in (f"{{{member},{text[1:]}", f"{text[:-1]},{member}}}"):
        with pytest.raises(FormatError, match="twice"):
            parsed(repeated.encode())
        with pytest.raises(FormatError, match="twice"):
            parsed(f'[{{"nested":{repeated}}}]'.encode())


@given(VALUES, st.binary(min_size=1, max_size=5).filter(lambda data: data.strip(b" \t\r\n") != b""))
def test_bytes_after_the_value_are_refused(value: JsonValue, tail: bytes) -> None:
    """A whole document with anything but white space behind it is an error."""
    # A digit or a point would continue a number; behind an array nothing can.
    with pytest.raises(FormatError):
        parsed(compact_json([value]) + tail)


@given(st.binary(max_size=40))
@example(b'{"a":1,"a":1}')
@example(b"\xef\xbb\xbf{}")
@example(b"0e99999999999999999999")
@example(b"[" * 40)
def test_any_bytes_are_parsed_or_refused(data: bytes) -> None:
    """Of any bytes comes a value that survives, or a FormatError and no other exception."""
    try:
        value = parsed(data)
    except FormatError:
        return
    assert canonical_json(parsed(canonical_json(value))) == canonical_json(value)


@given(st.text("0123456789.eE+-", min_size=1, max_size=40))
def test_number_survives_or_is_refused(token: str) -> None:
    """A number that is read is the number that was written, exactly."""
    try:
        value = parsed(token.encode())
    except FormatError:
        return
    assert isinstance(value, int | float)
    # Exact: as fractions, without the rounding of a float.
    assert json.loads(token, parse_float=Fraction, parse_int=Fraction) == Fraction(repr(value))


@given(TEXTS, st.integers(0xD800, 0xDFFF), TEXTS)
def test_lone_surrogate_is_refused_anywhere(before: str, unit: int, after: str) -> None:
    """A surrogate escape that is no pair is an error, in a value and in a key."""
    text = f"{json.dumps(before)[:-1]} \\u{unit:04x} {json.dumps(after)[1:]}"
    for document in (text, f"{{{text}:1}}", f'[[{{"a":{text}}}]]'):
        with pytest.raises(FormatError, match="lone surrogate"):
            parsed(document.encode())


@given(st.integers(1, 200))
def test_nesting_is_allowed_to_64(depth: int) -> None:
    """64 levels are read, 65 are not, whatever they are made of."""
    for document in ("[" * depth + "]" * depth, '{"[":' * depth + "0" + "}" * depth):
        if depth <= 64:
            assert parsed(document.encode()) is not None
        else:
            with pytest.raises(FormatError, match="levels of nesting"):
                parsed(document.encode())

"""Canonical JSON: what is written, and what is refused before anything is hashed."""

from __future__ import annotations

import time

import pytest

from generator.errors import FormatError
from generator.formats.canonical import (
    JsonValue,
    canonical_json,
    compact_json,
    json_kind,
    parse_json,
    parse_json_object,
)
from generator.limits import Limits


def parse(text: str) -> JsonValue:
    """Parse text."""
    return parse_json(text.encode(), subject="text")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": 1, "a": [True, None, "x"]}, '{"a":[true,null,"x"],"b":1}'),
        ({"é": "ü"}, '{"é":"ü"}'),
        # By code point U+FF5E comes before U+1F600; by UTF-16 unit (RFC 8785) it would come after.
        ({"\U0001f600": 1, "\uff5e": 2}, '{"\uff5e":2,"\U0001f600":1}'),
        ({"a": '\u2028\u0000"\\/'}, '{"a":"\u2028\\u0000\\"\\\\/"}'),
        ([1.0, 0.1, 1e23], "[1.0,0.1,1e+23]"),
        ([], "[]"),
        ({}, "{}"),
    ],
)
def test_canonical_json_is_as_in_part_1(value: JsonValue, expected: str) -> None:
    """Keys by code point, no white space, UTF-8 as it is, numbers as Python spells them."""
    assert canonical_json(value) == expected.encode()


def test_compact_json_keeps_the_order_and_is_ascii() -> None:
    """The registry's spelling keeps received key order and escapes what is not ASCII (part 4)."""
    assert compact_json({"b": "é\U0001f600", "a": 1}) == b'{"b":"\\u00e9\\ud83d\\ude00","a":1}'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a":1,"a":1}', "key 'a' twice"),
        ('{"a":1,"\\u0061":2}', "key 'a' twice"),
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
        ("1E400", "1E400"),
        ("0e99999999999999999999", "0e99999999999999999999"),
        ("9007199254740992", "9007199254740992"),
        ("-0", "-0"),
        ("0.10000000000000001", "0.10000000000000001"),
        (f"1.{'0' * 31}", "33 characters"),
        ("1" * 33, "33 digits"),
        ('"\\ud800"', "lone surrogate"),
        ('{"\\udfff":1}', "lone surrogate"),
        ("\ufeff{}", "byte order mark"),
        ("", "(line 1, column 1)"),
        ("{}x", "Extra data"),
        ("[" * 65 + "]" * 65, "more, at character 64"),
    ],
)
def test_what_does_not_survive_is_refused(text: str, found: str) -> None:
    """Each document that two readers could read differently is an error that names its token."""
    with pytest.raises(FormatError) as caught:
        parse(text)
    assert found in caught.value.found
    assert caught.value.subject == "text"


def test_duplicate_key_names_the_one_that_is_repeated() -> None:
    """The message names the repeated key, not the first one of the object."""
    with pytest.raises(FormatError, match="key 'b' twice"):
        parse('{"a":1,"b":2,"c":3,"b":4}')


def test_bytes_that_are_not_utf8_are_refused_with_their_place() -> None:
    """A byte that is not UTF-8 is an error that says where it is."""
    with pytest.raises(FormatError, match="at byte 2"):
        parse_json(b'["\xff"]', subject="bytes")


def test_length_is_bounded_before_anything_is_read() -> None:
    """A document longer than the bound is refused though it would parse."""
    limits = Limits(bundle_max_length=4)
    assert parse_json(b"[1] ", subject="short", limits=limits) == [1]
    with pytest.raises(FormatError, match="at most 4 bytes, found 5 bytes"):
        parse_json(b"[1]  ", subject="long", limits=limits)


def test_depth_is_bounded_as_configured() -> None:
    """The bound on nesting is the one passed in, and brackets in strings do not count."""
    limits = Limits(json_max_depth=2)
    assert parse_json(b'[["[[[{{{\\"[["],[]]', subject="flat", limits=limits) == [['[[[{{{"[['], []]
    with pytest.raises(FormatError, match="at most 2 levels"):
        parse_json(b"[[[]]]", subject="deep", limits=limits)


@pytest.mark.parametrize("tail", ['"' + '\\"' * 500_000, '"' * 1_000_001, '"' + "\\" * 1_000_001])
def test_hostile_strings_cost_linear_time(tail: str) -> None:
    """A megabyte of quotes and backslashes is refused in about the time it takes to read it."""
    started = time.process_time()
    with pytest.raises(FormatError):
        parse("[" + "[]," * 70 + tail)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "a boolean"),
        (1, "an integer"),
        (1.0, "a fraction"),
        ("", "a string"),
        ([], "an array"),
        ({}, "an object"),
    ],
)
def test_kinds_of_values_have_names(value: JsonValue, kind: str) -> None:
    """A message calls each JSON type by its name; a boolean is no integer."""
    assert json_kind(value) == kind


def test_object_is_required_where_one_is_asked_for() -> None:
    """A document that is not an object is refused by its kind."""
    with pytest.raises(FormatError, match="expected a JSON object, found an array"):
        parse_json_object(b"[]", subject="bundle")


def test_received_key_order_is_kept() -> None:
    """Parsing keeps the order of keys, so that a bundle can be shown as it came."""
    assert list(parse_json_object(b'{"z":1,"a":2,"m":3}', subject="x")) == ["z", "a", "m"]

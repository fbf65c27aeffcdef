"""Strict JSON in, canonical JSON out (protocol part 1; RFC 8259, RFC 7493).

Python's parser accepts duplicate keys, NaN and lone surrogates and turns 1E400 into infinity. Two
byte strings would then have one digest, so every one of these is an error here, before anything is
hashed.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from math import isinf
from typing import NoReturn

from generator.errors import FormatError
from generator.limits import DEFAULT_LIMITS, Limits, shorten

JsonScalar = str | int | float | bool | None
JsonValue = JsonScalar | list["JsonValue"] | dict[str, "JsonValue"]
JsonObject = dict[str, JsonValue]

# Possessive quantifiers, and an unterminated string takes the rest: each character is looked at
# once, so a string of escaped quotes cannot make the scan quadratic.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")


def parse_json(data: bytes, *, subject: str, limits: Limits = DEFAULT_LIMITS) -> JsonValue:
    """Parse bytes as strict JSON.

    Args:
        data: the whole document, at most `limits.bundle_max_length` bytes.
        subject: what the bytes are, for messages.
        limits: bounds on length, depth and numbers.

    Returns:
        The value, with objects in received key order.

    Raises:
        FormatError: too long, not UTF-8, byte order mark, duplicate key, NaN or infinity, number
        that
            does not survive, lone surrogate, too deep, trailing bytes, or not JSON at all.
    """
    if len(data) > limits.bundle_max_length:
        raise FormatError(
            subject,
            expected=f"at most {limits.bundle_max_length} bytes",
            found=f"{len(data)} bytes",
        )
    text = _decode_utf8(data, subject=subject)
    _check_depth(text, subject=subject, limits=limits)
    strict = _StrictNumbersAndKeys(subject, limits)
    try:
        value: JsonValue = json.loads(
            text,
            object_pairs_hook=strict.object_from_pairs,
            parse_int=strict.parse_integer,
            parse_float=strict.parse_float,
            parse_constant=strict.refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise FormatError(
            subject,
            expected="one JSON value",
            found=f"{error.msg} (line {error.lineno}, column {error.colno})",
        ) from error
    if _SURROGATE_ESCAPE.search(data):
        _check_surrogates(value, subject=subject)
    return value


def parse_json_object(data: bytes, *, subject: str, limits: Limits = DEFAULT_LIMITS) -> JsonObject:
    """Parse bytes as one strict JSON object.

    Args:
        data: the whole document.
        subject: what the bytes are, for messages.
        limits: bounds on length, depth and numbers.

    Returns:
        The object, in received key order.

    Raises:
        FormatError: as `parse_json`, or the value is not an object.
    """
    value = parse_json(data, subject=subject, limits=limits)
    if not isinstance(value, dict):
        raise FormatError(subject, expected="a JSON object", found=json_kind(value))
    return value


def parse_json_array(data: bytes, *, subject: str) -> list[JsonValue]:
    """Parse bytes as one strict JSON array.

    Args:
        data: the whole document.
        subject: what the bytes are, for messages.

    Returns:
        The items, in received order.

    Raises:
        FormatError: as `parse_json`, or the value is not an array.
    """
    value = parse_json(data, subject=subject)
    if not isinstance(value, list):
        raise FormatError(subject, expected="a JSON array", found=json_kind(value))
    return value


def canonical_json(value: JsonValue) -> bytes:
    """Give the canonical JSON of a value (protocol part 1).

    Keys sort by code point, not by UTF-16 unit as RFC 8785 does, so the `rfc8785` package is not
    this.

    Args:
        value: a value that came out of `parse_json`.

    Returns:
        UTF-8 bytes without insignificant white space.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def compact_json(value: JsonValue) -> bytes:
    """Spell a value as the registry serves it: compact, ASCII, keys in the given order (part 4).

    Args:
        value: any JSON value.

    Returns:
        ASCII bytes without a newline.
    """
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode()


def json_kind(value: JsonValue) -> str:
    """Name the JSON type of a value for a message.

    Args:
        value: any JSON value.

    Returns:
        Words such as `a string`, `null`, `an array`.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    names = {str: "a string", int: "an integer", float: "a fraction", list: "an array"}
    return names.get(type(value), "an object")


def _decode_utf8(data: bytes, *, subject: str) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(
            subject, expected="UTF-8", found=f"{error.reason} at byte {error.start}"
        ) from error
    if text.startswith("\ufeff"):
        raise FormatError(
            subject, expected="JSON without byte order mark", found="a byte order mark"
        )
    return text


def _check_depth(text: str, *, subject: str, limits: Limits) -> None:
    # Most documents have fewer brackets than levels allowed; then no scan is needed.
    if text.count("[") + text.count("{") <= limits.json_max_depth:
        return
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        first = match[0][0]
        if first in "[{":
            depth += 1
        elif first in "]}":
            depth -= 1
        # The parser recurses once a level: stop before Python's own stack does.
        if depth > limits.json_max_depth:
            raise FormatError(
                subject,
                expected=f"at most {limits.json_max_depth} levels of nesting",
                found=f"more, at character {match.start()}",
            )


def _check_surrogates(value: JsonValue, *, subject: str) -> None:
    pending: list[JsonValue] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(item.keys())
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
        elif isinstance(item, str) and any("\ud800" <= char <= "\udfff" for char in item):
            raise FormatError(
                subject, expected="Unicode text", found=f"a lone surrogate in {shorten(item)!r}"
            )


class _StrictNumbersAndKeys:
    """The hooks of one parse; they raise FormatError themselves, naming the token."""

    def __init__(self, subject: str, limits: Limits) -> None:
        self.subject = subject
        self.limits = limits

    def object_from_pairs(self, pairs: list[tuple[str, JsonValue]]) -> JsonObject:
        result = dict(pairs)
        if len(result) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self._refuse("each key once in an object", f"key {shorten(key)!r} twice")
                seen.add(key)
        return result

    def parse_integer(self, token: str) -> int:
        # The length is checked first: int() of a million digits is itself an attack.
        if len(token) > self.limits.json_number_max_length:
            self._refuse("a number that survives", f"{len(token)} digits")
        value = int(token)
        if abs(value) > self.limits.json_max_integer or str(value) != token:
            self._refuse("an integer exact in every reader (below 2^53, no -0)", token)
        return value

    def parse_float(self, token: str) -> float:
        if len(token) > self.limits.json_number_max_length:
            self._refuse("a number that survives", f"a token of {len(token)} characters")
        exponent = token.lower().partition("e")[2]
        if exponent and abs(int(exponent)) > self.limits.json_max_exponent:
            # Only a zero could survive it, and readers differ in which they can hold.
            self._refuse("a number that survives", token)
        value = float(token)
        if isinf(value) or Decimal(token) != Decimal(repr(value)):
            self._refuse("a number that survives as a 64-bit float", token)
        return value

    def refuse_constant(self, token: str) -> NoReturn:
        self._refuse("a JSON number", token)

    def _refuse(self, expected: str, found: str) -> NoReturn:
        raise FormatError(self.subject, expected=expected, found=found)

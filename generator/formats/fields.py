"""Typed access to the fields of a JSON object, each error naming the field's path."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.errors import FormatError
from generator.formats.canonical import JsonObject, JsonValue, json_kind
from generator.limits import DEFAULT_LIMITS, shorten

_PRINTABLE = re.compile(r"[ -~]+")


@dataclass(frozen=True, slots=True)
class Fields:
    """One object and the path that leads to it; reading a field checks its type."""

    path: str
    value: JsonObject

    def at(self, key: str) -> str:
        """Give the path of a field, for messages.

        Args:
            key: the field's name.

        Returns:
            `path.key`.
        """
        return f"{self.path}.{key}" if self.path else key

    def required(self, key: str) -> JsonValue:
        """Give a field of any type.

        Args:
            key: the field's name.

        Returns:
            Its value.

        Raises:
            FormatError: the field is absent.
        """
        if key not in self.value:
            raise FormatError(self.at(key), expected="the field", found="nothing")
        return self.value[key]

    def text(self, key: str) -> str:
        """Give a string field.

        Args:
            key: the field's name.

        Returns:
            Its value.

        Raises:
            FormatError: absent or not a string.
        """
        value = self.required(key)
        if not isinstance(value, str):
            raise FormatError(self.at(key), expected="a string", found=json_kind(value))
        return value

    def token(self, key: str) -> str:
        """Give a string field that names something: short, printable ASCII, not empty.

        Every real one is ASCII; what else is printable differs between versions of Unicode, and so
        would the verdict on a record.

        Args:
            key: the field's name.

        Returns:
            Its value.

        Raises:
            FormatError: absent, not a string, empty, too long, or with other characters.
        """
        value = self.text(key)
        limit = DEFAULT_LIMITS.token_max_length
        if not 0 < len(value) <= limit or not _PRINTABLE.fullmatch(value):
            raise FormatError(
                self.at(key),
                expected=f"1 to {limit} printable ASCII characters",
                found=repr(shorten(value)),
            )
        return value

    def constant(self, key: str, expected: str) -> str:
        """Give a string field that can have one value only.

        Args:
            key: the field's name.
            expected: the value.

        Returns:
            The value.

        Raises:
            FormatError: anything else stands there.
        """
        value = self.text(key)
        if value != expected:
            raise FormatError(self.at(key), expected=repr(expected), found=repr(shorten(value)))
        return value

    def integer(self, key: str, *, minimum: int = 0) -> int:
        """Give an integer field.

        Args:
            key: the field's name.
            minimum: the smallest value allowed.

        Returns:
            Its value.

        Raises:
            FormatError: absent, not an integer (a boolean is none), or below the minimum.
        """
        value = self.required(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise FormatError(self.at(key), expected="an integer", found=json_kind(value))
        if value < minimum:
            raise FormatError(self.at(key), expected=f"{minimum} or more", found=str(value))
        return value

    def array(self, key: str) -> list[JsonValue]:
        """Give an array field.

        Args:
            key: the field's name.

        Returns:
            Its items, in received order.

        Raises:
            FormatError: absent or not an array.
        """
        value = self.required(key)
        if not isinstance(value, list):
            raise FormatError(self.at(key), expected="an array", found=json_kind(value))
        return value

    def object(self, key: str) -> Fields:
        """Give an object field.

        Args:
            key: the field's name.

        Returns:
            The object with its path.

        Raises:
            FormatError: absent or not an object.
        """
        return fields_of(self.required(key), path=self.at(key))


def fields_of(value: JsonValue, *, path: str) -> Fields:
    """Take a value as an object.

    Args:
        value: any JSON value.
        path: where it stands.

    Returns:
        The object with its path.

    Raises:
        FormatError: the value is not an object.
    """
    if not isinstance(value, dict):
        raise FormatError(path, expected="an object", found=json_kind(value))
    return Fields(path, value)

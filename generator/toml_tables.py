"""TOML tables that check types, name the line in errors, and refuse what nobody reads."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import TypeVar

from generator.errors import ConfigurationError, FormatError
from generator.formats.instant import Instant, parse_instant
from generator.limits import DEFAULT_LIMITS, shorten
from generator.toml_lines import TomlLines

# Commands, attributes and links on pages carry the address: nothing that any of them would quote.
_HTTP_URL = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+(?:/[A-Za-z0-9._~%/@:+,=-]*)?")


Word = TypeVar("Word", bound=Enum)


@dataclass(frozen=True, slots=True)
class TomlFile:
    """The file as named in messages, and its lines."""

    name: str
    lines: TomlLines


class TomlTable:
    """A TOML table that checks types, knows its line, and remembers which keys were read."""

    def __init__(self, file: TomlFile, header: str, index: int, values: dict[str, object]) -> None:
        self._file = file
        self._header = header
        self._index = index
        self._values = values

    def fault(self, key: str, expected: str, found: str) -> ConfigurationError:
        """Make the error that names the key's line."""
        line = self._file.lines.line_of(self._header, self._index, key)
        name = shorten(".".join(filter(None, (self._header, key))))
        return ConfigurationError(
            f"{self._file.name}, line {line}, {name}", expected=expected, found=shorten(found)
        )

    def allow(self, *keys: str) -> None:
        """Refuse every other key."""
        for key in self._values:
            if key not in keys:
                raise self.fault(key, f"one of {', '.join(keys)}", "an unknown key")

    def text(self, key: str, default: str | None = None) -> str:
        """Read a string on one line."""
        value = self._values.get(key, default)
        if value is None:
            raise self.fault(key, "a string", "nothing")
        if not isinstance(value, str) or not value.isprintable():
            raise self.fault(key, "a string on one line", repr(value))
        return value

    def url(self, key: str, default: str | None = None) -> str:
        """Read an http(s) URL; it ends with a slash."""
        text = self.text(key, default)
        if text and not _HTTP_URL.fullmatch(text):
            raise self.fault(key, "an http(s) URL", text)
        return text if not text or text.endswith("/") else text + "/"

    def texts(self, key: str) -> tuple[str, ...]:
        """Read one or more strings."""
        value = self._values.get(key)
        if not isinstance(value, list) or not value:
            raise self.fault(key, "an array of one or more strings", repr(value))
        for item in value:
            if not isinstance(item, str):
                raise self.fault(key, "an array of strings", repr(value))
        return tuple(value)

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Read true or false."""
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            raise self.fault(key, "true or false", repr(value))
        return value

    def word(self, key: str, words: type[Word], default: Word) -> Word:
        """Read one of a closed list of words."""
        return self.word_of(key, self.text(key, str(default.value)), words)

    def word_of(self, key: str, text: str, words: type[Word]) -> Word:
        """Find a text in a closed list of words."""
        try:
            return words(text)
        except ValueError as error:
            expected = f"one of {', '.join(str(word.value) for word in words)}"
            raise self.fault(key, expected, text) from error

    def has(self, key: str) -> bool:
        """Tell whether the key is there."""
        return key in self._values

    def count(self, key: str) -> int:
        """Read a number from 1 on."""
        value = self._values[key]
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.fault(key, "a number from 1 on", repr(value))
        return value

    def instant(self, key: str) -> Instant | None:
        """Read a time with its zone; None where the key is missing."""
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, datetime) or value.tzinfo is None:
            raise self.fault(key, "a time with zone, as 2026-05-01T00:00:00Z", repr(value))
        try:
            text = value.astimezone(UTC).isoformat().replace("+00:00", "Z")
            return parse_instant(text, subject=key)
        except (OverflowError, FormatError) as error:
            raise self.fault(key, "a time between the years 1 and 9999", repr(value)) from error


@dataclass(frozen=True, slots=True)
class TomlDocument:
    """A TOML file, parsed."""

    file: TomlFile
    values: dict[str, object]

    def table(self, header: str) -> TomlTable:
        """Give a table; an empty one where there is none."""
        value = self.values.get(header, {})
        if not isinstance(value, dict):
            raise TomlTable(self.file, header, 0, {}).fault("", f"a table [{header}]", repr(value))
        return TomlTable(self.file, header, 0, value)

    def tables(self, header: str) -> list[TomlTable]:
        """Give the tables of an array of tables, in order."""
        value = self.values.get(header, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            fault = TomlTable(self.file, header, 0, {}).fault
            raise fault("", f"tables [[{header}]]", repr(value))
        return [TomlTable(self.file, header, index, item) for index, item in enumerate(value)]


def parse_toml(data: bytes, *, name: str, headers: Sequence[str]) -> TomlDocument:
    """Parse a TOML file.

    Args:
        data: its bytes.
        name: the file as named in messages.
        headers: the tables that it may have.

    Returns:
        The document.

    Raises:
        ConfigurationError: too long, not TOML in UTF-8, or another table.
    """
    if len(data) > DEFAULT_LIMITS.configuration_max_length:
        raise ConfigurationError(
            name,
            expected=f"at most {DEFAULT_LIMITS.configuration_max_length} bytes",
            found=f"{len(data)} bytes",
        )
    try:
        text = data.decode("utf-8")
        values: dict[str, object] = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(name, expected="TOML", found=shorten(str(error))) from error
    file = TomlFile(name, TomlLines(text))
    TomlTable(file, "", 0, values).allow(*headers)
    return TomlDocument(file, values)

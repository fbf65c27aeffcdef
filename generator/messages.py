"""Messages: interface text that is English by itself and is translated when a template prints it.

A `Message` is a `str`, so JSON files, the terminal and tests see the English text; only
`language.Language` looks at what it was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Self


class Message(str):
    """An English text that remembers its catalogue entry and the values in it."""

    __slots__ = ("plural", "source", "values")

    source: str  # the catalogue's entry, with {names} for values
    plural: tuple[str, int] | None  # the entry for many, and how many there are
    values: Mapping[str, object]

    def __new__(
        cls, source: str, values: Mapping[str, object], plural: tuple[str, int] | None = None
    ) -> Self:
        """Fill in the English text.

        Args:
            source: the entry.
            values: what its names stand for; messages among them are translated too.
            plural: the entry for many and the number that chooses, or None.

        Returns:
            The message.
        """
        chosen = plural[0] if plural is not None and plural[1] != 1 else source
        message = super().__new__(cls, chosen.format_map(values) if values else chosen)
        message.source, message.plural, message.values = source, plural, values
        return message

    def with_values(self, change: Callable[[str], str]) -> Message:
        """Make the same message with changed values.

        Args:
            change: what becomes of each value that is a text; of a message among them, of its own.

        Returns:
            The message.
        """
        values = {
            name: change(value) if isinstance(value, str) else value
            for name, value in self.values.items()
        }
        return Message(self.source, values, self.plural)

    def __repr__(self) -> str:
        """Print all that it was made from: equal texts may be translated differently."""
        return f"Message({self.source!r}, {dict(self.values)!r}, {self.plural!r})"

    def __reduce__(
        self,
    ) -> tuple[type[Message], tuple[str, Mapping[str, object], tuple[str, int] | None]]:
        """Let a worker process hand a message on."""
        return Message, (self.source, self.values, self.plural)


def message(source: str, /, **values: object) -> Message:
    """Make a message. The entry is a literal, so that the catalogue can be collected from the code.

    Args:
        source: the English text; `{name}` where a value goes, `{{` for a brace if there are values.
        **values: the values.

    Returns:
        The message, equal to its English text.
    """
    return Message(source, values)


def messages(one: str, many: str, /, number: int, **values: object) -> Message:
    """Make a message that depends on a number.

    Args:
        one: the English text for one; `{number}` is the number.
        many: the English text for none and for several.
        number: how many.
        **values: further values.

    Returns:
        The message.
    """
    return Message(one, {"number": number, **values}, (many, number))


def message_list(items: Sequence[str]) -> str:
    """Join texts by commas.

    Args:
        items: texts, messages among them.

    Returns:
        One message; the text itself where there is one only; empty for none.
    """
    joined = items[0] if items else ""
    for item in items[1:]:
        joined = message("{before}, {after}", before=joined, after=item)
    return joined

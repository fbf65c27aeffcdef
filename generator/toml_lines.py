"""Finds the line of a key in a TOML file, for messages: tomllib does not tell."""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:#.*)?")
_KEY = re.compile(r"""\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*[.=]""")


class TomlLines:
    """The lines of a file that has parsed as TOML."""

    def __init__(self, text: str) -> None:
        """Note where each table starts and each key stands.

        Args:
            text: the whole file.
        """
        self._places: list[tuple[tuple[str, ...], int]] = []
        table: tuple[str, ...] = ()
        for number, line in enumerate(text.split("\n"), 1):
            if header := _HEADER.fullmatch(line):
                table = tuple(part.strip(" \"'") for part in header[1].split("."))
                self._places.append((table, number))
            elif key := _KEY.match(line):
                self._places.append(((*table, key[1].strip("\"'")), number))

    def line_of(self, table: str, index: int, key: str) -> int:
        """Find a key of the `index`-th table of a name.

        Args:
            table: the table's name, empty for the top of the file.
            index: which of several tables of that name, from 0.
            key: the key in it, empty for the table itself.

        Returns:
            The line, from 1: of the key, else of the table, else 1.
        """
        path = (table,) if table else ()
        starts = [number for place, number in self._places if place == path]
        start = starts[index] if index < len(starts) else 1
        end = starts[index + 1] if index + 1 < len(starts) else None
        wanted = (*path, key) if key else path
        for place, number in self._places:
            inside = number >= start and (end is None or number < end)
            if place[: len(wanted)] == wanted and (inside or not starts):
                return number
        return start

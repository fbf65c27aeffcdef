"""`manifest.json`: every file of the site with path, digest, length and media type.

It is the root a check starts from, and what tells the next build which files are ours. One line a
file, so that it is written and read without being held in memory; it is still one JSON document.

The manifest of a large site is in parts, so that no file grows without bound and one changed record
changes few bytes: `manifest.json` then lists parts in place of files. A file's part is the first
letters of its key, which depends on its path alone.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b32encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO, Protocol

from generator import layout
from generator.errors import OutputError
from generator.limits import DEFAULT_LIMITS, shorten
from generator.media_types import media_type
from generator.plain_files import open_plain

MANIFEST_TYPE = "pith_mirror_site_manifest"
MANIFEST_VERSION = "1.0"
PARTS_START = b'"parts":[\n'  # what ends the first line of a manifest in parts
_HEAD_START = f'{{"manifest_type":"{MANIFEST_TYPE}"'
_LINE = DEFAULT_LIMITS.manifest_line_max_length
_KEY_BYTES = 5  # of the digest: eight letters of five bits
_LETTERS = 32  # kinds of letters
_LETTERS_A_HEAD = 2  # 1,024 parts in one list


class Listed(Protocol):
    """What a manifest says of a file."""

    @property
    def path(self) -> layout.SitePath:
        """Where it stands."""

    @property
    def sha256(self) -> str:
        """Its digest in hex."""

    @property
    def length(self) -> int:
        """Its bytes."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a list of parts says of one: path, digest (hex), length (bytes), and files below it."""

    path: layout.SitePath
    sha256: str
    length: int
    files: int


def manifest_key(path: layout.SitePath) -> str:
    """Give the key that tells in which part of a manifest a file stands.

    Args:
        path: of a file of the site.

    Returns:
        Eight letters of `a-z2-7`: SHA-256 of the suffix for a file of a record, so that all of them
        stand together, and of the path for any other.
    """
    owner = layout.record_of(path) or path
    return b32encode(hashlib.sha256(owner.encode()).digest()[:_KEY_BYTES]).decode().lower()


def manifest_letters(
    total: int, *, part_max_count: int = DEFAULT_LIMITS.manifest_part_max_count
) -> int:
    """Tell how many letters of the key name a part.

    Args:
        total: files that the manifest lists.
        part_max_count: of files that one document may list, on average.

    Returns:
        0 for a manifest in one document.
    """
    letters = 0
    while letters < layout.MANIFEST_KEY_LENGTH and part_max_count * _LETTERS**letters < total:
        letters += 1
    return letters


def manifest_documents(
    rows: Iterable[Listed], *, generator: str, letters: int
) -> Iterator[tuple[layout.SitePath, Iterator[bytes]]]:
    """Spell a manifest, in parts if need be.

    Args:
        rows: the files, by path if `letters` is 0, else by `manifest_key` and path.
        generator: name and version of the program.
        letters: as `manifest_letters` gives them.

    Yields:
        Path and lines of each document, `manifest.json` last. The lines of one have to be consumed
        before the next one is asked for.
    """
    if not letters:
        yield layout.MANIFEST, manifest_lines(rows, generator=generator)
        return
    above = max(letters - _LETTERS_A_HEAD, 0)
    heads: list[Part] = []
    keyed = ((manifest_key(row.path), row) for row in rows)
    for head, below in groupby(keyed, key=lambda pair: pair[0][:above]):
        parts: list[Part] = []
        for key, group in groupby(below, key=lambda pair: pair[0][:letters]):
            part = _Document(layout.manifest_part(key), generator)
            yield part.path, part.of_files(row for _, row in group)
            parts.append(part.as_part())
        if above:
            document = _Document(layout.manifest_part(head), generator)
            yield document.path, document.of_parts(parts)
            parts = [document.as_part()]
        heads += parts
    yield layout.MANIFEST, _part_lines(heads, generator)


def manifest_lines(rows: Iterable[Listed], *, generator: str) -> Iterator[bytes]:
    """Spell a manifest, or a part of one.

    Args:
        rows: the files in their order; the manifest does not list itself.
        generator: name and version of the program.

    Returns:
        The lines of the document.
    """
    values = (
        {
            "path": row.path,
            "sha256": row.sha256,
            "length": row.length,
            "media_type": media_type(row.path),
        }
        for row in rows
    )
    return _lines(b'"files":[\n', values, generator)


def read_manifest(path: Path) -> Iterator[tuple[str, str]]:
    """Stream the files a manifest lists.

    Args:
        path: `manifest.json` of a site; if there is none, nothing is listed.

    Returns:
        Path and digest of each file, in the manifest's order, its parts among them, each before
        what it lists.

    Raises:
        OutputError: the file is no manifest of this program, or a part is not as it is listed.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        head = file.readline(_LINE)
        if not is_manifest_head(head):
            raise OutputError(
                str(path),
                expected=f"a manifest of type {MANIFEST_TYPE}",
                found=repr(shorten(head.decode("utf-8", "replace"))),
                hint="this folder was not made by pith-mirror; build into another one",
            )
        lines = iter(lambda: file.readline(_LINE), b"")
        if head.endswith(PARTS_START):
            yield from _read_parts(lines, path, path.parent)
        else:
            yield from _read_files(lines, path)


def is_manifest_head(line: bytes) -> bool:
    """Tell whether a first line is that of a manifest of this program."""
    return line.startswith(_HEAD_START.encode())


class _Document:
    """A part while it is spelled, which knows afterwards what a list of parts says of it."""

    def __init__(self, path: layout.SitePath, generator: str) -> None:
        self.path = path
        self._generator = generator
        self._digest = hashlib.sha256()
        self._length = 0
        self._files = 0

    def of_files(self, rows: Iterable[Listed]) -> Iterator[bytes]:
        return self._passing(manifest_lines(self._counted(rows), generator=self._generator))

    def of_parts(self, parts: list[Part]) -> Iterator[bytes]:
        self._files = sum(part.files for part in parts)
        return self._passing(_part_lines(parts, self._generator))

    def as_part(self) -> Part:
        return Part(self.path, self._digest.hexdigest(), self._length, self._files)

    def _counted(self, rows: Iterable[Listed]) -> Iterator[Listed]:
        for row in rows:
            self._files += 1
            yield row

    def _passing(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        for line in lines:
            self._digest.update(line)
            self._length += len(line)
            yield line


def _part_lines(parts: list[Part], generator: str) -> Iterator[bytes]:
    values = (
        {"path": part.path, "sha256": part.sha256, "length": part.length, "files": part.files}
        for part in parts
    )
    return _lines(PARTS_START, values, generator)


def _lines(start: bytes, values: Iterable[object], generator: str) -> Iterator[bytes]:
    head = {
        "manifest_type": MANIFEST_TYPE,
        "manifest_version": MANIFEST_VERSION,
        "generator": generator,
    }
    yield _spell(head)[:-1] + b"," + start
    pending = b""
    for value in values:
        if pending:
            yield pending + b",\n"
        pending = _spell(value)
    yield pending + b"\n]}\n"


class _Hashed:
    """The lines of a part with their digest, and no more of them than its length allows."""

    def __init__(self, file: IO[bytes], length: int) -> None:
        self._file = file
        self.left = length
        self.digest = hashlib.sha256()

    def readline(self) -> bytes:
        line = self._file.readline(min(_LINE, self.left))
        self.left -= len(line)
        self.digest.update(line)
        return line


def _read_files(lines: Iterator[bytes], subject: Path) -> Iterator[tuple[str, str]]:
    for path, digest, _ in _entries(lines, subject):
        # Anyone may have edited the file: it cannot name what is not in the site, nor itself, which
        # would be removed as a file that is not made any more.
        if layout.is_site_path(path) and path != layout.MANIFEST:
            yield path, digest


def _read_parts(
    lines: Iterator[bytes], subject: Path, folder: Path, above: str = ""
) -> Iterator[tuple[str, str]]:
    # Keys that grow and begin with the one above end any chain of parts: none can name itself.
    previous = above
    for path, digest, length in _entries(lines, subject):
        key = layout.manifest_key_of(path)
        if not (key and key.startswith(above) and key > previous):
            expected = f"a part of {above or 'the manifest'} behind {previous or 'its start'}"
            raise OutputError(str(subject), expected=expected, found=repr(shorten(path)))
        previous = key
        yield path, digest
        yield from _read_part(folder, Part(path, digest, length, 0), key)


def _read_part(folder: Path, part: Part, key: str) -> Iterator[tuple[str, str]]:
    where = folder / part.path
    try:
        with open_plain(folder, part.path) as file:
            hashed = _Hashed(file, part.length)
            lines = iter(hashed.readline, b"")
            head = next(lines, b"")
            if not is_manifest_head(head):
                raise _damaged(where, part, repr(shorten(head.decode("utf-8", "replace"))))
            if head.endswith(PARTS_START):
                yield from _read_parts(lines, where, folder, key)
            else:
                yield from _read_files(lines, where)
            rest = file.read(1)
    except OSError as error:
        raise _damaged(where, part, error.strerror or str(error)) from error
    if rest or hashed.left:
        raise _damaged(where, part, "a longer one" if rest else "a shorter one")
    if hashed.digest.hexdigest() != part.sha256:
        raise _damaged(where, part, hashed.digest.hexdigest())


def _damaged(where: Path, part: Part, found: str) -> OutputError:
    return OutputError(
        str(where),
        expected=f"the part of the manifest with SHA-256 {shorten(part.sha256)}",
        found=found,
        hint="`pith-mirror check` says more; put the file back, or delete the folder and build",
    )


def _entries(lines: Iterator[bytes], subject: Path) -> Iterator[tuple[str, str, int]]:
    for line in lines:
        text = line.strip().removesuffix(b",")
        if text.startswith(b"{"):
            try:
                entry = json.loads(text)
                yield str(entry["path"]), str(entry["sha256"]), max(int(entry["length"]), 0)
            except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError) as error:
                found = shorten(text.decode("utf-8", "replace"))
                raise OutputError(str(subject), expected="a line a file", found=found) from error


def _spell(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode()

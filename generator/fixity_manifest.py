"""Fixity manifest: read a manifest and its parts into an index, and name what is wrong in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from generator import layout
from generator.errors import FormatError
from generator.fixity import ANEW, BUILD_AGAIN, Fault, FaultKind, parse_entry, parse_part
from generator.fixity_index import FixityIndex
from generator.limits import DEFAULT_LIMITS
from generator.manifest import PARTS_START, is_manifest_head, manifest_key
from generator.media_types import media_type
from generator.plain_files import open_plain

_LINE = DEFAULT_LIMITS.manifest_line_max_length


class ManifestReading:
    """One reading; `is_ours` says afterwards whether there was a manifest at all."""

    def __init__(self, folder: Path, index: FixityIndex) -> None:
        """Prepare to read.

        Args:
            folder: of the site.
            index: takes what is listed.
        """
        self.is_ours = False
        self._folder = folder
        self._index = index
        self._files = 0

    def faults(self) -> Iterator[Fault]:
        """Read the manifest and every part of it.

        Yields:
            Each fault as it is found. Digests of parts are not looked at: a part is in the index
            as a file like any other.
        """
        try:
            file, in_parts = self._open(layout.MANIFEST)
        except OSError as error:
            found = error.strerror or str(error)
            yield _damaged(layout.MANIFEST, "a manifest of ours", found)
            return
        self.is_ours = True
        with file:
            document = _Document(layout.MANIFEST, "")
            yield from self._parts(file, document) if in_parts else self._list(file, document)

    def _open(self, path: str) -> tuple[IO[bytes], bool]:
        file = open_plain(self._folder, path)
        head = file.readline(_LINE)
        if not is_manifest_head(head):
            file.close()
            raise OSError("something else")
        return file, head.endswith(PARTS_START)

    def _list(self, file: IO[bytes], document: _Document) -> Iterator[Fault]:
        previous = ("", "")
        for line in document.lines(file):
            if isinstance(line, Fault):
                yield line
                continue
            try:
                entry, stated = parse_entry(line, subject=document.subject)
            except FormatError as error:
                yield _damaged(document.subject, error.expected, error.found)
                continue
            place = (manifest_key(entry.path) if document.key else "", entry.path)
            if not self._index.add(entry):
                yield Fault(
                    FaultKind.TWICE,
                    entry.path,
                    "one line in the manifest",
                    "another one",
                    BUILD_AGAIN,
                )
            elif place < previous:
                expected = f"a path after {previous[1]}"
                yield Fault(FaultKind.ORDER, entry.path, expected, "one before it", BUILD_AGAIN)
            if not place[0].startswith(document.key):
                expected = f"a line in another part than {document.path}"
                yield Fault(FaultKind.ORDER, entry.path, expected, "one there", BUILD_AGAIN)
            expected = media_type(entry.path)
            if stated != expected:
                yield Fault(FaultKind.MEDIA_TYPE, entry.path, expected, stated, BUILD_AGAIN)
            self._files += 1
            previous = place

    def _parts(self, file: IO[bytes], document: _Document) -> Iterator[Fault]:
        # As in `read_manifest`: keys that grow and begin with the one above end every chain.
        previous = above = document.key
        for line in document.lines(file):
            if isinstance(line, Fault):
                yield line
                continue
            try:
                entry, key, count = parse_part(line, subject=document.subject)
            except FormatError as error:
                yield _damaged(document.subject, error.expected, error.found)
                continue
            if not (key.startswith(above) and key > previous):
                expected = f"a part of {above or 'the manifest'} behind {previous or 'its start'}"
                yield _damaged(document.subject, expected, entry.path)
                continue
            previous = key
            self._index.add(entry)
            before = self._files
            yield from self._part(entry.path, key)
            if self._files != before + count:
                found = f"{self._files - before} that can be read"
                yield _damaged(entry.path, f"{count} files", found)

    def _part(self, path: str, key: str) -> Iterator[Fault]:
        try:
            file, in_parts = self._open(path)
        except OSError:
            return  # the index names a file that is not as listed; here its files are counted
        with file:
            document = _Document(path, key)
            yield from self._parts(file, document) if in_parts else self._list(file, document)


class _Document:
    """Where in which document a reading is; `key` is empty for `manifest.json` itself."""

    def __init__(self, path: str, key: str) -> None:
        self.path = path
        self.key = key
        self.subject = path

    def lines(self, file: IO[bytes]) -> Iterator[bytes | Fault]:
        """Give each entry's text, and what is wrong with the lines themselves."""
        # `more`: a comma, or the start, is behind us, so that an entry may follow.
        number, more, ended, any_yet = 1, True, False, False
        while line := file.readline(_LINE):
            number += 1
            self.subject = f"{self.path}, line {number}"
            if not line.endswith(b"\n"):
                yield _damaged(
                    self.subject, f"a line of at most {_LINE} bytes", "a longer or a cut one"
                )
                while line and not line.endswith(b"\n"):
                    line = file.readline(_LINE)
                continue
            if ended or (line == b"]}\n" and more and any_yet):
                yield _damaged(
                    self.subject, "one JSON document", "something behind an entry or the end"
                )
            if line in {b"]}\n", b"\n"}:
                ended = ended or line == b"]}\n"
                continue
            if not more:
                yield _damaged(self.subject, "a comma before it", "none")
            more, any_yet = line.endswith(b",\n"), True
            yield line.rstrip(b"\n").removesuffix(b",")
        if not ended:
            yield _damaged(self.path, "an end", "none; the rest of the list is lost")


def _damaged(subject: str, expected: str, found: str) -> Fault:
    return Fault(FaultKind.MANIFEST, subject, expected, found, ANEW)

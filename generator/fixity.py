"""Fixity: what is wrong with a built site, as values: its manifest's lines, and file by file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from generator import layout
from generator.errors import FormatError
from generator.formats.canonical import JsonObject, parse_json_object
from generator.limits import DEFAULT_LIMITS, shorten
from generator.slugs import is_reserved

_DIGEST = re.compile(r"[0-9a-f]{64}")
_KEYS = ["path", "sha256", "length", "media_type"]
_PART_KEYS = ["path", "sha256", "length", "files"]
ANEW = "if a build refuses the folder, delete it and build"
BUILD_AGAIN = "the next `pith-mirror build` writes it again"


class FaultKind(Enum):
    """What is wrong; the last two are warnings."""

    MANIFEST = "damaged manifest"
    ORDER = "not in order"
    TWICE = "listed twice"
    MEDIA_TYPE = "media type"
    UNFINISHED = "unfinished build"
    MISSING = "missing"
    LENGTH = "wrong length"
    CHANGED = "changed"
    NOT_PLAIN = "not a plain file"
    UNREADABLE = "unreadable"
    COPIES = "unequal copies"
    STALE = "stale"
    EXTRA = "extra"
    PORTABILITY = "portability"


_WARNINGS = frozenset((FaultKind.EXTRA, FaultKind.PORTABILITY))


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a site; texts are as they are, and made printable only when shown."""

    kind: FaultKind
    path: str
    expected: str
    found: str
    hint: str = ""
    restored_from: str = ""  # the file whose bytes were put back, so that the fault is gone

    @property
    def is_warning(self) -> bool:
        """Whether the site serves as it should all the same."""
        return self.kind in _WARNINGS


@dataclass(frozen=True, slots=True)
class Entry:
    """What the manifest says of a file: path, digest (hex) and length (bytes)."""

    path: layout.SitePath
    sha256: str
    length: int


@dataclass(frozen=True, slots=True)
class OnDisk:
    """What stands at a path: `problem` says why it was not read, if it was not."""

    problem: FaultKind | None = None
    detail: str = ""
    length: int = 0
    sha256: str = ""


def parse_entry(line: bytes, *, subject: str) -> tuple[Entry, str]:
    """Read a line of a manifest.

    Args:
        line: a JSON object, without the comma behind it.
        subject: which line, for messages.

    Returns:
        The entry, and the media type it states.

    Raises:
        FormatError: not such a line, or its path leads out of the site.
    """
    value = _value(line, _KEYS, subject)
    path = value["path"]
    if (
        not (isinstance(path, str) and layout.is_site_path(path))
        or path == layout.MANIFEST
        or layout.manifest_key_of(path)
    ):
        raise FormatError(subject, expected="the path of a site's file", found=shorten(repr(path)))
    return _entry(value, path, subject), str(value["media_type"])


def parse_part(line: bytes, *, subject: str) -> tuple[Entry, str, int]:
    """Read a line of a manifest in parts.

    Args:
        line: a JSON object, without the comma behind it.
        subject: which line, for messages.

    Returns:
        The entry of the part, the letters that name it, and how many files it says to list.

    Raises:
        FormatError: not such a line.
    """
    value = _value(line, _PART_KEYS, subject)
    path = value["path"]
    key = layout.manifest_key_of(path) if isinstance(path, str) else None
    if not isinstance(path, str) or not key:
        raise FormatError(subject, expected="a part's path", found=shorten(repr(path)))
    return _entry(value, path, subject), key, _count(value, "files", subject)


def _value(line: bytes, keys: list[str], subject: str) -> JsonObject:
    value = parse_json_object(line, subject=subject)
    if list(value) != keys:
        raise FormatError(subject, expected=", ".join(keys), found=shorten(", ".join(value)))
    return value


def _entry(value: JsonObject, path: str, subject: str) -> Entry:
    length = _count(value, "length", subject)
    return Entry(path, _text(value, "sha256", subject), length)


def _count(value: JsonObject, key: str, subject: str) -> int:
    number = value[key]
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise FormatError(subject, expected=f"a number as {key}", found=shorten(repr(number)))
    return number


def _text(value: JsonObject, key: str, subject: str) -> str:
    text = value[key]
    if not isinstance(text, str) or not _DIGEST.fullmatch(text):
        raise FormatError(subject, expected="a SHA-256 in hex", found=shorten(repr(text)))
    return text


def compare(entry: Entry, found: OnDisk) -> Fault | None:
    """Compare a file with its line.

    Args:
        entry: what the manifest says.
        found: what stands there.

    Returns:
        The first fault, or None.
    """
    if found.problem is not None:
        moved = found.problem is FaultKind.NOT_PLAIN
        hint = f"move it away; {BUILD_AGAIN}" if moved else BUILD_AGAIN
        return Fault(found.problem, entry.path, "a plain file", found.detail, hint)
    if found.length != entry.length:
        expected, length = f"{entry.length} bytes", f"{found.length} bytes"
        return Fault(FaultKind.LENGTH, entry.path, expected, length, BUILD_AGAIN)
    if found.sha256 != entry.sha256:
        return Fault(FaultKind.CHANGED, entry.path, entry.sha256, found.sha256, BUILD_AGAIN)
    return None


def portability_faults(path: str) -> Iterator[Fault]:
    """Find what some file systems cannot hold.

    Args:
        path: any path below a site.

    Yields:
        Warnings.
    """
    limit = DEFAULT_LIMITS.portable_path_max_length
    if len(path) > limit:
        yield Fault(
            FaultKind.PORTABILITY, path, f"at most {limit} characters", f"{len(path)} characters"
        )
    for step in path.split("/"):
        if is_reserved(step):
            yield Fault(FaultKind.PORTABILITY, path, "no name reserved on Windows", step)
        elif step.endswith((".", " ")):
            yield Fault(FaultKind.PORTABILITY, path, "no dot or space at a name's end", step)


def fault_json(fault: Fault) -> JsonObject:
    """Give a fault for a script.

    Args:
        fault: any.

    Returns:
        Its parts, printable.
    """
    return {
        "kind": fault.kind.value,
        "severity": "warning" if fault.is_warning else "fault",
        "path": shorten(fault.path, limit=DEFAULT_LIMITS.shown_path_max_length),
        "expected": shorten(fault.expected),
        "found": shorten(fault.found),
        "hint": fault.hint,
        "restored_from": fault.restored_from or None,
    }


def fault_line(fault: Fault) -> str:
    """Give a fault for a person, on one printable line.

    Args:
        fault: any.

    Returns:
        Kind, path, expected, found and hint.
    """
    path = shorten(fault.path, limit=DEFAULT_LIMITS.shown_path_max_length)
    kind = f"{'warning: ' if fault.is_warning else ''}{fault.kind.value}"
    text = f"{kind}: {path}: expected {shorten(fault.expected)}, found {shorten(fault.found)}"
    if fault.restored_from:
        return f"restored: {text} (from {fault.restored_from})"
    return f"{text} ({fault.hint})" if fault.hint else text

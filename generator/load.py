"""Load: `bundles/` → raw bundles, one at a time, streamed, never unpacked to disk.

Names of files and members are labels only: nothing is ever written to a path that input names. What
cannot be read becomes an `Unreadable` in the same stream, so one bad file never stops the others.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from generator.archives import ArchiveMember, tar_members, zip_members
from generator.compression import Readable, ZstdError, decompress
from generator.errors import InputError, LoadError, MirrorError
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS, Limits, shorten

_CHUNK = 64 * 1024  # bytes
_READ_ERRORS = (OSError, EOFError, zlib.error, ZstdError)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file, archive, member or line that could not be read as a bundle."""

    origin: str
    error: MirrorError


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a file name says of its content: form (`json`, `lines`, `tar`, `zip`) and coding."""

    form: str
    coding: str


# Longest endings first: `.tar.gz` is a tar archive, `.json.gz` is not.
_KINDS = (
    (".tar.gz", _Kind("tar", "gz")),
    (".tgz", _Kind("tar", "gz")),
    (".tar.zst", _Kind("tar", "zst")),
    (".tar", _Kind("tar", "")),
    (".zip", _Kind("zip", "")),
    (".json.gz", _Kind("json", "gz")),
    (".json.zst", _Kind("json", "zst")),
    (".json", _Kind("json", "")),
    (".ndjson.gz", _Kind("lines", "gz")),
    (".ndjson.zst", _Kind("lines", "zst")),
    (".ndjson", _Kind("lines", "")),
    (".jsonl.gz", _Kind("lines", "gz")),
    (".jsonl.zst", _Kind("lines", "zst")),
    (".jsonl", _Kind("lines", "")),
)

# Likely bundles in a coding that is not read: passed over in silence they would be missed.
_OTHER_CODINGS = (".bz2", ".xz", ".lzma", ".lz4", ".br", ".7z", ".rar", ".tbz2", ".txz")

Loaded = RawBundle | Unreadable


@dataclass(frozen=True, slots=True)
class FileStamp:
    """How a file looked before it was read: as long as it looks so, it holds the same bytes."""

    length: int  # bytes
    modified: int  # nanoseconds, as the file system tells it
    changed: int  # nanoseconds; no program can set it back
    inode: int

    def __str__(self) -> str:
        return f"{self.length} {self.modified} {self.changed} {self.inode}"


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to load, or the reason why it cannot be; `stamp` is None where there is none."""

    path: Path
    origin: str
    stamp: FileStamp | None
    fault: LoadError | None = None

    @property
    def key(self) -> bytes:
        """What orders inputs as they are loaded."""
        # By the bytes of each step of the path: zero is in no name, and sorts before all of them.
        return os.fsencode(self.origin).replace(b"/", b"\0")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a bundle was read: the key of its input, and its number in it, from 0."""

    input: bytes
    member: int


@dataclass(frozen=True, slots=True)
class PlacedBundle:
    """A loaded thing and where it was read."""

    place: Place
    loaded: Loaded


def load_bundles(folder: Path, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[Loaded]:
    """Load every bundle below a folder, or in one file.

    Args:
        folder: the folder, searched recursively, or a single file of any kind.
        limits: bounds on lengths and expansion.

    Returns:
        Bundles and unreadable things in the order of their paths' bytes, and inside a file in its
        order. Hidden files and folders and files of other kinds are passed over.

    Raises:
        InputError: the folder itself is missing or unreadable.
    """
    for file in find_inputs(folder):
        yield from load_input(file, limits=limits)


def find_inputs(folder: Path) -> Iterator[InputFile]:
    """Find every file below a folder that may hold bundles, or take one file; nothing is read.

    Args:
        folder: the folder, searched recursively, or a single file of any kind.

    Returns:
        The files, and what cannot be one, by their keys.

    Raises:
        InputError: the folder itself is missing or unreadable.
    """
    if folder.is_file():
        yield InputFile(folder, folder.name, _stamp(folder.stat()))
        return
    try:
        names = _names(folder)
    except OSError as error:
        raise InputError(
            str(folder), expected="a readable folder or file", found=error.strerror or "an error"
        ) from error
    yield from _find_below(folder, names)


def load_input(file: InputFile, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[Loaded]:
    """Load the bundles of one input.

    Args:
        file: as found.
        limits: bounds on lengths and expansion.

    Returns:
        Bundles and unreadable things in the order of the file.
    """
    if file.fault is not None:
        yield _unreadable(file.origin, file.fault)
    else:
        yield from _load_file(file.path, file.origin, limits)


def _names(folder: Path) -> list[str]:
    names = (path.name for path in folder.iterdir())
    return sorted((name for name in names if not name.startswith(".")), key=os.fsencode)


def _find_below(folder: Path, names: list[str]) -> Iterator[InputFile]:
    # A stack instead of recursion: the depth of a tree is the input's choice.
    pending = [(folder, "", iter(names))]
    while pending:
        above, prefix, left = pending[-1]
        name = next(left, None)
        if name is None:
            pending.pop()
            continue
        path, origin = above / name, f"{prefix}{name}"
        try:
            status = path.lstat()
            is_folder = stat.S_ISDIR(status.st_mode)
            inner = _names(path) if is_folder else []
        except OSError as error:
            fault = LoadError(_shown(origin), **_os_fault(error))
            yield InputFile(path, origin, None, fault)
            continue
        if is_folder:
            pending.append((path, f"{origin}/", iter(inner)))
        elif _kind_of(path.name) is None:
            if path.name.lower().endswith(_OTHER_CODINGS):
                fault = LoadError(_shown(origin), expected="gzip or zstd", found="another coding")
                yield InputFile(path, origin, None, fault)
        elif stat.S_ISREG(status.st_mode):
            yield InputFile(path, origin, _stamp(status))
        else:
            # A link could lead a report to quote a file that was never meant to be published.
            fault = LoadError(_shown(origin), expected="a regular file", found="a link or device")
            yield InputFile(path, origin, None, fault)


def _stamp(status: os.stat_result) -> FileStamp:
    return FileStamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _load_file(path: Path, origin: str, limits: Limits) -> Iterator[Loaded]:
    kind = _kind_of(path.name)
    if kind is None:
        endings = " ".join(ending for ending, _ in _KINDS)
        error = LoadError(_shown(origin), expected=f"one of {endings}", found="another ending")
        yield _unreadable(origin, error)
        return
    try:
        with path.open("rb") as file:
            yield from _some(_load_stream(file, kind, origin, limits), origin)
    except MirrorError as error:
        yield _unreadable(origin, error)
    except _READ_ERRORS as error:
        yield _unreadable(origin, LoadError(_shown(origin), **_os_fault(error)))


def _some(loaded: Iterator[Loaded], origin: str) -> Iterator[Loaded]:
    """Say so where an archive or a list gives nothing: silence would look like success."""
    empty = True
    for item in loaded:
        empty = False
        yield item
    if empty:
        fault = LoadError(_shown(origin), expected="one or more bundles", found="none")
        yield _unreadable(origin, fault)


def _load_stream(file: IO[bytes], kind: _Kind, origin: str, limits: Limits) -> Iterator[Loaded]:
    if kind.form == "zip":
        yield from _load_archive(
            zip_members(file, subject=_shown(origin), limits=limits), origin, limits
        )
        return
    stream = decompress(file, kind.coding, subject=_shown(origin), limits=limits)
    if kind.form == "tar":
        yield from _load_archive(
            tar_members(stream, subject=_shown(origin), limits=limits), origin, limits
        )
    elif kind.form == "lines":
        yield from _load_lines(stream, origin, limits)
    else:
        yield _load_document(stream, origin, limits)


def _load_archive(
    members: Iterator[ArchiveMember], origin: str, limits: Limits
) -> Iterator[Loaded]:
    for member in members:
        basename = member.name.rpartition("/")[2]
        kind = _kind_of(basename)
        if kind is None or basename.startswith(".") or member.name.startswith("__MACOSX/"):
            continue
        inside = f"{origin}!{member.name}"
        if kind.form in {"tar", "zip"}:
            error = LoadError(_shown(inside), expected="a bundle", found="an archive in an archive")
            yield _unreadable(inside, error)
            continue
        try:
            stream = decompress(member.open(), kind.coding, subject=_shown(inside), limits=limits)
            if kind.form == "lines":
                yield from _load_lines(stream, inside, limits)
            else:
                yield _load_document(stream, inside, limits)
        except MirrorError as error:
            yield _unreadable(inside, error)
        except _READ_ERRORS as error:
            yield _unreadable(inside, LoadError(_shown(inside), **_os_fault(error)))


def _load_document(stream: Readable, origin: str, limits: Limits) -> Loaded:
    pieces: list[bytes] = []
    room = limits.bundle_max_length + 1
    while room > 0 and (piece := stream.read(min(room, _CHUNK))):
        pieces.append(piece)
        room -= len(piece)
    if room == 0:
        return _too_long(origin, limits)
    return RawBundle(_shown(origin), b"".join(pieces))


def _load_lines(stream: Readable, origin: str, limits: Limits) -> Iterator[Loaded]:
    """Split at newlines; a line over the bound is passed over without being kept in memory."""
    line = _Line(limits.bundle_max_length)
    number = 1
    while piece := stream.read(_CHUNK):
        first, *rest = piece.split(b"\n")
        line.add(first)
        for start in rest:
            yield from _line(line, f"{origin}:{number}", limits)
            number += 1
            line = _Line(limits.bundle_max_length)
            line.add(start)
    yield from _line(line, f"{origin}:{number}", limits)


class _Line:
    """A line that arrives in pieces; nothing is kept of one that has grown too long."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: list[bytes] = []
        self.length = 0

    @property
    def is_too_long(self) -> bool:
        return self.length > self._limit

    def add(self, piece: bytes) -> None:
        self.length += len(piece)
        if self.is_too_long:
            self._pieces.clear()
        else:
            self._pieces.append(piece)

    def joined(self) -> bytes:
        return b"".join(self._pieces)


def _line(line: _Line, origin: str, limits: Limits) -> Iterator[Loaded]:
    if line.is_too_long:
        yield _too_long(origin, limits)
    elif (data := line.joined()).strip():
        yield RawBundle(_shown(origin), data.removesuffix(b"\r"))


def _too_long(origin: str, limits: Limits) -> Unreadable:
    return _unreadable(
        origin,
        LoadError(
            _shown(origin), expected=f"at most {limits.bundle_max_length} bytes", found="more"
        ),
    )


def _kind_of(name: str) -> _Kind | None:
    lower = name.lower()
    return next((kind for ending, kind in _KINDS if lower.endswith(ending)), None)


def _unreadable(origin: str, error: MirrorError) -> Unreadable:
    return Unreadable(_shown(origin), error)


def _shown(origin: str) -> str:
    return shorten(origin, limit=400)


def _os_fault(error: BaseException) -> dict[str, str]:
    found = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return {"expected": "readable data", "found": shorten(found)}

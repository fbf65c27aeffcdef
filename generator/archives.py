"""Members of tar and zip archives, streamed. Member names are never used as paths."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO

from generator.compression import BombGuard, CountingReader, Readable
from generator.errors import LoadError
from generator.limits import Limits, shorten

_BLOCK = 512  # bytes, the unit of tar
_BUFFER = 20 * _BLOCK  # bytes, what tarfile reads at a time
_ENCRYPTED = 0x1  # zip general purpose flag bit 0
# Other methods decompress without a bound on one call's output.
_ZIP_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A member of an archive; `open` raises LoadError for what is not a plain file."""

    name: str
    open: Callable[[], CountingReader]


class _HeaderBudget:
    """A reader that lets tarfile take only so much between two members.

    tarfile reads a pax or GNU long-name header into memory whole, whatever length it claims.
    """

    def __init__(self, inner: Readable, *, subject: str, limits: Limits) -> None:
        self._inner = inner
        self._subject = subject
        self._limits = limits
        self._left = 0
        self.tail = b""
        self.grant(0)

    def grant(self, length: int) -> None:
        """Allow the data of one member, its padding, and the next header."""
        self._left = length + 2 * _BUFFER + self._limits.tar_header_max_length

    def read(self, size: int) -> bytes:
        data = self._inner.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise LoadError(
                self._subject,
                expected=f"tar headers of at most {self._limits.tar_header_max_length} bytes",
                found="more",
            )
        # Two reads are kept, so that a short last one does not hide the end marker before it.
        self.tail = (self.tail + data)[-2 * _BLOCK :]
        return data


def tar_members(stream: Readable, *, subject: str, limits: Limits) -> Iterator[ArchiveMember]:
    """Read a tar archive in one pass.

    Args:
        stream: the archive, decompressed.
        subject: its name, for messages.
        limits: bound on headers.

    Returns:
        Members that are not folders, in archive order; each must be read before the next is taken.

    Raises:
        LoadError: not a tar archive, damaged, cut off, or with a header over the bound.
    """
    reader = _HeaderBudget(stream, subject=subject, limits=limits)
    try:
        # Mode `r|` never seeks and keeps no list of members that we would read back.
        with tarfile.open(fileobj=reader, mode="r|", bufsize=_BUFFER) as archive:  # type: ignore[call-overload]
            for info in archive:
                reader.grant(info.size)
                if not info.isdir():
                    yield ArchiveMember(info.name, _tar_opener(archive, info, subject))
                # tarfile would keep every header of a million members.
                archive.members = []
    except tarfile.TarError as error:
        raise LoadError(subject, expected="a tar archive", found=shorten(str(error))) from error
    if reader.tail.strip(b"\0"):
        # Without the closing zero blocks nobody can say that no member is missing.
        raise LoadError(subject, expected="a tar archive with its end marker", found="a cut one")


def _tar_opener(
    archive: tarfile.TarFile, info: tarfile.TarInfo, subject: str
) -> Callable[[], CountingReader]:
    def open_member() -> CountingReader:
        file = archive.extractfile(info) if info.isreg() else None
        if file is None:
            raise LoadError(
                f"{subject}!{shorten(info.name)}", expected="a plain file", found="a link or device"
            )
        return CountingReader(file)

    return open_member


def zip_members(file: IO[bytes], *, subject: str, limits: Limits) -> Iterator[ArchiveMember]:
    """Read a zip archive; its directory is held in memory, which is why members are bounded.

    Args:
        file: the archive, seekable.
        subject: its name, for messages.
        limits: bounds on members and expansion.

    Returns:
        Members that are not folders, in the order of the archive's directory.

    Raises:
        LoadError: not a zip archive, or too many members.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            infos = archive.infolist()
            if len(infos) > limits.zip_members_max_count:
                raise LoadError(
                    subject,
                    expected=f"at most {limits.zip_members_max_count} members",
                    found=str(len(infos)),
                )
            for info in infos:
                if not info.is_dir():
                    yield ArchiveMember(info.filename, _zip_opener(archive, info, subject, limits))
    except (zipfile.BadZipFile, ValueError) as error:
        raise LoadError(subject, expected="a zip archive", found=shorten(str(error))) from error


def _zip_opener(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, subject: str, limits: Limits
) -> Callable[[], CountingReader]:
    def open_member() -> CountingReader:
        name = f"{subject}!{shorten(info.filename)}"
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _ZIP_METHODS:
            raise LoadError(
                name, expected="a stored or deflated member", found="encryption or another method"
            )
        compressed = CountingReader(_Nothing())
        compressed.count = info.compress_size
        try:
            stream = archive.open(info)
        except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
            raise LoadError(name, expected="a zip member", found=shorten(str(error))) from error
        guarded = BombGuard(_ZipStream(stream, name), compressed, subject=name, limits=limits)
        return CountingReader(guarded)

    return open_member


class _Nothing:
    def read(self, _size: int, /) -> bytes:
        return b""


class _ZipStream:
    """A member's data, with zipfile's errors in our tree (a wrong CRC shows at the end of it)."""

    def __init__(self, inner: IO[bytes], name: str) -> None:
        self._inner = inner
        self._name = name

    def read(self, size: int, /) -> bytes:
        try:
            return self._inner.read(size)
        except zipfile.BadZipFile as error:
            raise LoadError(
                self._name, expected="the member's CRC", found=shorten(str(error))
            ) from error

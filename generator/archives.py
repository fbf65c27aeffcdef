"""Members of tar and zip archives, streamed. Member names are never used as paths.

The parsers of the standard library were written for archives one trusts: they read a header whole,
seek past the end, and raise whatever comes. Here every read is budgeted, and everything they raise
becomes a LoadError of the archive; members read before it stay.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, NoReturn

from generator.compression import BombGuard, CountingReader, Readable
from generator.errors import LoadError, MirrorError
from generator.limits import Limits, shorten

_BLOCK = 512  # bytes, the unit of tar
_BUFFER = 20 * _BLOCK  # bytes, what tarfile reads at a time
_ENCRYPTED = 0x1  # zip general purpose flag bit 0
# Other methods decompress without a bound on one call's output.
_ZIP_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ZIP_END = b"PK\x05\x06"  # end of central directory record, APPNOTE 4.3.16
_ZIP64_END = b"PK\x06\x06"  # its zip64 form, APPNOTE 4.3.14
_ZIP_END_REACH = 65_535 + 22 + 20 + 56  # bytes from the end in which both records lie
_ZIP_ENTRY_LENGTH = 46 + 64  # bytes, an entry of the directory with a usual name


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A member of an archive; `open` raises LoadError for what is not a plain file."""

    name: str
    open: Callable[[], Readable]


class _ParsedStream:
    """A stream behind a parser of the standard library; whatever it raises is a LoadError."""

    def __init__(self, inner: Readable, *, subject: str, expected: str) -> None:
        self._inner = inner
        self._subject = subject
        self._expected = expected

    def read(self, size: int, /) -> bytes:
        try:
            return self._inner.read(size)
        except MirrorError:
            raise
        except Exception as error:  # noqa: BLE001 - see the module's docstring
            _refuse(self._subject, self._expected, error)


class _HeaderBudget:
    """A reader that lets tarfile take only so much between two members.

    tarfile reads a pax or GNU long-name header into memory whole, whatever length it claims, and
    skips a member by reading on, also for ever after the end.
    """

    def __init__(self, inner: Readable, *, subject: str, limits: Limits) -> None:
        self._inner = inner
        self._subject = subject
        self._limits = limits
        self._left = 0
        self._ended = False
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
        if not data and self._ended:
            raise LoadError(self._subject, expected="the rest of a tar archive", found="its end")
        self._ended = not data
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
    expected = "a tar archive"
    try:
        # Mode `r|` never seeks back.
        with tarfile.open(fileobj=reader, mode="r|", bufsize=_BUFFER) as archive:  # type: ignore[call-overload]
            while (info := archive.next()) is not None:
                reader.grant(info.size)
                if not info.isdir():
                    yield ArchiveMember(info.name, _tar_opener(archive, info, subject))
                # tarfile would keep every header of a million members.
                archive.members = []
    except MirrorError:
        raise
    except Exception as error:  # noqa: BLE001 - see the module's docstring
        _refuse(subject, expected, error)
    if reader.tail.strip(b"\0"):
        # Without the closing zero blocks nobody can say that no member is missing.
        raise LoadError(subject, expected="a tar archive with its end marker", found="a cut one")


def _tar_opener(
    archive: tarfile.TarFile, info: tarfile.TarInfo, subject: str
) -> Callable[[], Readable]:
    name = f"{subject}!{shorten(info.name)}"

    def open_member() -> Readable:
        # A sparse member is a kilobyte of tar and terabytes of holes.
        plain = info.isreg() and not info.issparse()
        file = archive.extractfile(info) if plain else None
        if file is None:
            raise LoadError(name, expected="a plain file", found="a link, device or sparse file")
        return _ParsedStream(file, subject=name, expected="a whole tar member")

    return open_member


def zip_members(file: IO[bytes], *, subject: str, limits: Limits) -> Iterator[ArchiveMember]:
    """Read a zip archive; its directory is held in memory, which is why it is bounded.

    Args:
        file: the archive, seekable.
        subject: its name, for messages.
        limits: bounds on members and expansion.

    Returns:
        Members that are not folders, in the order of the archive's directory.

    Raises:
        LoadError: not a zip archive, damaged, or too many members.
    """
    length = _check_directory(file, subject=subject, limits=limits)
    # One budget for the archive: entries of its directory may all point at the same bytes.
    compressed = CountingReader(file)
    compressed.count = length
    budget = BombGuard(compressed, compressed, subject=subject, limits=limits)
    try:
        with zipfile.ZipFile(file) as archive:
            for info in _entries(archive, subject, limits):
                if not info.is_dir():
                    yield ArchiveMember(info.filename, _zip_opener(archive, info, subject, budget))
    except MirrorError:
        raise
    except Exception as error:  # noqa: BLE001 - see the module's docstring
        _refuse(subject, "a zip archive", error)


def _entries(archive: zipfile.ZipFile, subject: str, limits: Limits) -> list[zipfile.ZipInfo]:
    infos = archive.infolist()
    if len(infos) > limits.zip_members_max_count:
        expected = f"at most {limits.zip_members_max_count} members"
        raise LoadError(subject, expected=expected, found=str(len(infos)))
    return infos


def _check_directory(file: IO[bytes], *, subject: str, limits: Limits) -> int:
    """Refuse a directory that zipfile could not hold, before it reads it; give the file's length.

    zipfile goes by the length that the end record claims, not by the number of entries.
    """
    length = file.seek(0, 2)
    file.seek(max(0, length - _ZIP_END_REACH))
    end = file.read(_ZIP_END_REACH)
    file.seek(0)
    claims = [
        int.from_bytes(end[at + offset : at + offset + size], "little")
        for mark, offset, size in ((_ZIP_END, 12, 4), (_ZIP64_END, 40, 8))
        if (at := end.rfind(mark)) >= 0
    ]
    if len(claims) == 2:
        # The zip64 record counts where the short one is full (APPNOTE 4.4.1.4).
        claims = claims[1:] if claims[0] == 0xFFFFFFFF else [max(claims)]
    longest = limits.zip_members_max_count * _ZIP_ENTRY_LENGTH
    if claims and claims[0] > longest:
        raise LoadError(
            subject,
            expected=f"a directory of at most {longest} bytes",
            found=f"one of {claims[0]}",
            hint="split the archive",
        )
    return length


def _zip_opener(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, subject: str, budget: BombGuard
) -> Callable[[], Readable]:
    name = f"{subject}!{shorten(info.filename)}"

    def open_member() -> Readable:
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _ZIP_METHODS:
            raise LoadError(
                name, expected="a stored or deflated member", found="encryption or another method"
            )
        try:
            stream = archive.open(info)
        except Exception as error:  # noqa: BLE001 - see the module's docstring
            _refuse(name, "a zip member", error)
        # A wrong CRC shows at the end of the stream.
        return budget.sharing(_ParsedStream(stream, subject=name, expected="a whole zip member"))

    return open_member


def _refuse(subject: str, expected: str, error: Exception) -> NoReturn:
    found = str(error) or type(error).__name__
    raise LoadError(subject, expected=expected, found=shorten(found)) from error

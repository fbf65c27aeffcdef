"""archives.py: members of tar and zip archives, streamed, whatever the archive claims."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace

import pytest

from generator.archives import ArchiveMember, tar_members, zip_members
from generator.errors import LoadError
from generator.limits import DEFAULT_LIMITS, Limits
from tests.factories import tar_of, zip_of

FILES = [("a.json", b"first"), ("d/b.json", b"second" * 1000), ("c.json", b"")]


def read_tar(data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[tuple[str, bytes]]:
    """Read every member of a tar archive, each before the next is taken."""
    for member in tar_members(io.BytesIO(data), subject="x.tar", limits=limits):
        yield member.name, content(member)


def read_zip(data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[tuple[str, bytes]]:
    """Read every member of a zip archive."""
    for member in zip_members(io.BytesIO(data), subject="x.zip", limits=limits):
        yield member.name, content(member)


def content(member: ArchiveMember) -> bytes:
    """Read a member in pieces."""
    stream, pieces = member.open(), []
    while piece := stream.read(1000):
        pieces.append(piece)
    return b"".join(pieces)


def header(name: str, size: int = 0, *, pax: bool = False, **fields: object) -> bytes:
    """Spell the header of a tar member by itself.

    Args:
        name: of the member.
        size: that the header claims.
        pax: in the pax format, else in GNU's.
        fields: further attributes of `TarInfo`.

    Returns:
        Its blocks.
    """
    info = tarfile.TarInfo(name)
    info.size = size
    for key, value in fields.items():
        setattr(info, key, value)
    return info.tobuf(format=tarfile.PAX_FORMAT if pax else tarfile.GNU_FORMAT)


def test_tar_members_come_in_order_with_their_bytes() -> None:
    """A tar archive gives its files in archive order and no folders."""
    archive = header("d", type=tarfile.DIRTYPE) + tar_of(FILES)
    assert list(read_tar(archive)) == FILES


def test_zip_members_come_in_order_with_their_bytes() -> None:
    """A zip archive gives its files in the order of its directory and no folders."""
    assert list(read_zip(zip_of([("d/", b""), *FILES]))) == FILES


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_stored_and_deflated_members_are_read(method: int) -> None:
    """The two methods every zip program writes are read."""
    assert list(read_zip(zip_of(FILES, method=method))) == FILES


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_zip_methods_are_refused(method: int) -> None:
    """Methods whose decompression of one call has no bound are refused by name."""
    with pytest.raises(LoadError, match="a stored or deflated member"):
        list(read_zip(zip_of(FILES, method=method)))


def test_encrypted_zip_member_is_refused() -> None:
    """A member with the encryption flag is refused without asking for a password."""
    data = bytearray(zip_of(FILES[:1]))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    with pytest.raises(LoadError, match="encryption"):
        list(read_zip(bytes(data)))


@pytest.mark.parametrize(
    "kind",
    [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE],
)
def test_tar_links_and_devices_are_refused(kind: bytes) -> None:
    """A member that is no plain file is named and refused when opened."""
    archive = header("a.json", type=kind, linkname="/etc/passwd") + tar_of([])
    with pytest.raises(LoadError, match="a plain file") as caught:
        list(read_tar(archive))
    assert caught.value.subject == "x.tar!a.json"


def test_link_to_an_earlier_member_is_refused() -> None:
    """A hard link inside the archive is not followed either."""
    whole = tar_of(FILES[:1])
    archive = whole[:1024] + header("b.json", type=tarfile.LNKTYPE, linkname="a.json") + tar_of([])
    members = read_tar(archive)
    assert next(members) == FILES[0]
    with pytest.raises(LoadError, match="a plain file"):
        next(members)


@pytest.mark.parametrize("cut", [100, 600, 1025, 1536])
def test_truncated_tar_is_an_error(cut: int) -> None:
    """Cut in a header, in a member or before the end marker: never a silent end."""
    with pytest.raises(LoadError):
        list(read_tar(tar_of(FILES)[:cut]))


def test_tar_without_end_marker_is_an_error() -> None:
    """A tar archive cut exactly between two members is noticed by its missing end marker."""
    archive = tar_of(FILES[:1])[:1024]
    members = read_tar(archive)
    assert next(members) == FILES[0]
    with pytest.raises(LoadError, match="end marker"):
        next(members)


def test_tar_of_other_bytes_is_an_error() -> None:
    """Bytes that are no tar archive raise a LoadError."""
    with pytest.raises(LoadError, match="a tar archive"):
        list(read_tar(b"not a tar archive" * 100))


@pytest.mark.parametrize(
    "blocks",
    [
        header("a.txt", 2**60),
        header("a.json", 2**60),
        header("a.txt", pax=True, pax_headers={"size": str(10**30)}),
    ],
    ids=["skipped", "read", "pax"],
)
def test_tar_member_of_impossible_size_is_an_error(blocks: bytes) -> None:
    """A size no disk can hold ends at once; tarfile alone would skip for years."""
    with pytest.raises(LoadError):
        list(read_tar(blocks + bytes(2048)))


@pytest.mark.parametrize(
    "body", [b"1\n35184372088832\n0\n", b"zz", b"9\nq\n", b"999999999\n" + b"1\n" * 200]
)
def test_sparse_tar_members_are_refused(body: bytes) -> None:
    """A sparse member, which makes petabytes out of a block, is refused, its map right or wrong."""
    headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.name": "a.json",
        "GNU.sparse.realsize": str(2**45),
    }
    blocks = header("a.json", 512, pax=True, pax_headers=headers)
    with pytest.raises(LoadError):
        list(read_tar(blocks + body.ljust(512, b"\0") + bytes(1024)))


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_giant_tar_header_is_refused(kind: bytes) -> None:
    """Headers beyond the bound are refused before they are held in memory whole."""
    limits = replace(DEFAULT_LIMITS, tar_header_max_length=50_000)
    length = 200_000
    archive = header("x", length, type=kind) + b"1" * length + bytes(2048)
    with pytest.raises(LoadError):
        list(read_tar(archive, limits=limits))


def test_long_but_bounded_tar_name_is_read() -> None:
    """A long name in a pax or GNU header is within the bound."""
    name = "n" * 3000 + ".json"
    assert list(read_tar(tar_of([(name, b"x")]))) == [(name, b"x")]


def test_zip_of_other_bytes_is_an_error() -> None:
    """Bytes that are no zip archive raise a LoadError."""
    with pytest.raises(LoadError, match="a zip archive"):
        list(read_zip(b"not a zip archive" * 100))


@pytest.mark.parametrize("cut", [10, 100, -1, -30])
def test_truncated_zip_is_an_error(cut: int) -> None:
    """A zip archive without its whole directory raises a LoadError."""
    with pytest.raises(LoadError):
        list(read_zip(zip_of(FILES)[:cut]))


def test_wrong_crc_of_a_zip_member_is_an_error() -> None:
    """A member whose bytes do not have the CRC of the directory is refused at its end."""
    data = zip_of([("a.json", b"plain content")], method=zipfile.ZIP_STORED)
    with pytest.raises(LoadError, match="CRC"):
        list(read_zip(data.replace(b"plain", b"plaim")))


def test_zip_members_are_bounded_in_number() -> None:
    """A directory with more members than the bound is refused."""
    bounded = [replace(DEFAULT_LIMITS, zip_members_max_count=count) for count in (2, 10)]
    assert list(read_zip(zip_of(FILES), limits=bounded[1])) == FILES
    with pytest.raises(LoadError):
        list(read_zip(zip_of(FILES), limits=bounded[0]))


def test_zip_bomb_is_stopped() -> None:
    """A member that expands beyond the ratio ends in a LoadError."""
    limits = replace(DEFAULT_LIMITS, expansion_free_length=10_000)
    with pytest.raises(LoadError, match="bomb"):
        list(read_zip(zip_of([("a.json", bytes(2**22))]), limits=limits))


def test_overlapping_zip_members_share_one_budget() -> None:
    """Members that share their compressed bytes cannot multiply what one archive expands to."""
    limits = replace(DEFAULT_LIMITS, expansion_free_length=2**20)
    data = zip_of([("a.json", bytes(2**19))])
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    entry, count = data[start:end], 50
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(entry) * count, start, 0)
    assert list(read_zip(data, limits=limits)) == [("a.json", bytes(2**19))]
    with pytest.raises(LoadError):
        list(read_zip(data[:start] + entry * count + tail, limits=limits))


def patched_zip(offset: int, value: bytes, *, after: bytes) -> bytes:
    """Overwrite bytes behind a signature of a good archive of one file."""
    data = bytearray(zip_of([("é.json", b"content")]))
    place = data.index(after) + offset
    data[place : place + len(value)] = value
    return bytes(data)


@pytest.mark.parametrize(
    "data",
    [
        patched_zip(30, b"\xff", after=b"PK\x03\x04"),
        patched_zip(46, b"\xff", after=b"PK\x01\x02"),
        patched_zip(6, b"\xff", after=b"PK\x01\x02"),
        patched_zip(42, b"\xfe\xff\xff\xff", after=b"PK\x01\x02"),
        patched_zip(28, b"\x00\x00", after=b"PK\x01\x02"),
        patched_zip(0, b"PK\x00\x00", after=b"PK\x03\x04"),
    ],
    ids=["local-name", "name", "version", "offset", "no-name", "local-signature"],
)
def test_damaged_zip_directory_is_an_error_of_ours(data: bytes) -> None:
    """Whatever zipfile raises on a damaged archive becomes a LoadError."""
    with pytest.raises(LoadError):
        list(read_zip(data))


def test_impossible_zip64_offset_is_an_error_of_ours() -> None:
    """An offset beyond any file in a zip64 extra field becomes a LoadError."""
    data = bytearray(zip_of([("a.json", b"content")]))
    extra = struct.pack("<HHQ", 1, 8, 2**64 - 1)
    start = data.index(b"PK\x01\x02")
    data[start + 42 : start + 46] = b"\xff" * 4
    data[start + 30 : start + 32] = struct.pack("<H", len(extra))
    data[start + 52 : start + 52] = extra
    end = data.index(b"PK\x05\x06")
    data[end + 12 : end + 16] = struct.pack("<L", end - start)
    with pytest.raises(LoadError):
        list(read_zip(bytes(data)))


def zip64_of(members: list[tuple[str, bytes]], *, length: int | None = None) -> bytes:
    """Pack files and end the archive as one of more than 4 GiB ends (APPNOTE 4.3.14, 4.3.15).

    Args:
        members: name and bytes.
        length: of the directory as claimed, if not the true one.

    Returns:
        The archive.
    """
    plain = zip_of(members)
    start, end = plain.index(b"PK\x01\x02"), plain.index(b"PK\x05\x06")
    count, size = len(members), end - start if length is None else length
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, start)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 2**32 - 1, 2**32 - 1, 0)
    return plain[:end] + record + locator + tail


def test_zip64_archive_is_read() -> None:
    """The directory of a zip64 archive is found, whatever the short end record says."""
    assert list(read_zip(zip64_of(FILES))) == FILES


@pytest.mark.parametrize("length", [2**40, 2**63, 10**9])
def test_zip64_directory_is_bounded(length: int) -> None:
    """The length that a zip64 end record claims is bounded before anything is read."""
    with pytest.raises(LoadError, match="a directory of at most"):
        list(read_zip(zip64_of(FILES, length=length)))

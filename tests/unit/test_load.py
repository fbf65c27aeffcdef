"""load.py: a folder of anything → bundles, in one order, with nothing written anywhere."""

from __future__ import annotations

import gzip
import os
import random
import resource
import subprocess
import sys
import tarfile
import textwrap
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS, Limits
from generator.load import Loaded, Unreadable, load_bundles
from tests.factories import ROOT, put, tar_of, tree, zip_of, zstd
from tests.vectors.builders import OLD, OTHER, PAPER, bundle_of, compact

GOOD = [compact(bundle_of(paper)) for paper in (PAPER, OTHER, OLD)]
LINES = b"\n".join(GOOD) + b"\n"
MEMBERS = [(f"{number}.json", data) for number, data in enumerate(GOOD)]
SMALL = replace(DEFAULT_LIMITS, bundle_max_length=20_000)

# Every kind of file the loader knows, each holding the same three bundles.
KINDS: dict[str, Callable[[], bytes]] = {
    "a.ndjson": lambda: LINES,
    "a.jsonl": lambda: LINES,
    "a.ndjson.gz": lambda: gzip.compress(LINES),
    "a.jsonl.gz": lambda: gzip.compress(LINES),
    "a.ndjson.zst": lambda: zstd.compress(LINES),
    "a.jsonl.zst": lambda: zstd.compress(LINES),
    "a.tar": lambda: tar_of(MEMBERS),
    "a.tar.gz": lambda: gzip.compress(tar_of(MEMBERS)),
    "a.tgz": lambda: gzip.compress(tar_of(MEMBERS)),
    "a.tar.zst": lambda: zstd.compress(tar_of(MEMBERS)),
    "a.zip": lambda: zip_of(MEMBERS),
    "A.ZIP": lambda: zip_of(MEMBERS, method=zipfile.ZIP_STORED),
    "lines-in.tar": lambda: tar_of([("x.ndjson.gz", gzip.compress(LINES))]),
    "lines-in.zip": lambda: zip_of([("x.jsonl.zst", zstd.compress(LINES))]),
}


def load(folder: Path, *, limits: Limits = DEFAULT_LIMITS) -> list[Loaded]:
    """Load everything of a folder or file."""
    return list(load_bundles(folder, limits=limits))


def datas(loaded: list[Loaded]) -> list[bytes]:
    """Give the bytes of the bundles among what was loaded."""
    return [item.data for item in loaded if isinstance(item, RawBundle)]


def faults(loaded: list[Loaded]) -> list[str]:
    """Give the messages of what could not be read."""
    return [str(item.error) for item in loaded if isinstance(item, Unreadable)]


@pytest.mark.parametrize("name", list(KINDS))
def test_kind_gives_the_same_bundles(name: str, tmp_path: Path) -> None:
    """Each kind of file gives exactly the bundles that went into it, in their order."""
    assert datas(load(put(tmp_path, {name: KINDS[name]()}))) == GOOD


@pytest.mark.parametrize(
    ("ending", "encode"),
    [("json", bytes), ("json.gz", gzip.compress), ("json.zst", zstd.compress)],
)
def test_single_bundle_kind_gives_its_bundle(
    ending: str, encode: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """A file of one bundle gives its bytes, spacing and final newline included."""
    data = b" " + GOOD[0] + b"\n"
    assert datas(load(put(tmp_path, {f"x.{ending}": encode(data)}))) == [data]


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading leaves the folder and the working directory as they were."""
    files = {name: make() for name, make in KINDS.items()}
    files["out.tar"] = tar_of([("../escaped.json", GOOD[0]), ("/abs/olute.json", GOOD[1])])
    files["out.zip"] = zip_of([("../../escaped.json", GOOD[0]), ("/abs.json", GOOD[1])])
    put(tmp_path / "deep" / "bundles", files)
    before = tree(tmp_path)
    monkeypatch.chdir(tmp_path / "deep")
    loaded = load(tmp_path / "deep" / "bundles")
    assert not faults(loaded)
    assert tree(tmp_path) == before


def test_origin_names_file_member_and_line(tmp_path: Path) -> None:
    """What a report says of a bundle's place leads to the bundle."""
    files = {
        "one.json": GOOD[0],
        "sub/all.ndjson": LINES,
        "t.tar": tar_of([("d/m.ndjson", LINES)]),
        "z.zip": zip_of([("../m.json", GOOD[0])]),
    }
    origins = [item.origin for item in load(put(tmp_path, files))]
    assert origins == [
        "one.json",
        *(f"sub/all.ndjson:{number}" for number in (1, 2, 3)),
        *(f"t.tar!d/m.ndjson:{number}" for number in (1, 2, 3)),
        "z.zip!../m.json",
    ]


def test_order_is_that_of_the_names_bytes(tmp_path: Path) -> None:
    """Files come sorted by the bytes of their names, not by locale, case or creation."""
    expected = ["10.json", "9.json", "Z.json", "a/c.json", "a-b.json", "a.json", "b.json", "é.json"]
    put(tmp_path, {name: name.encode() for name in reversed(expected)})
    assert [data.decode() for data in datas(load(tmp_path))] == expected


def test_hidden_and_other_files_are_passed_over(tmp_path: Path) -> None:
    """Hidden files and folders and files of other kinds are no bundles and no faults."""
    files = {
        ".hidden.json": b"{",
        ".git/x.json": b"{",
        "README.md": b"x",
        "json": b"x",
        "x.json.bak": b"x",
        "x.json~": b"x",
    }
    assert load(put(tmp_path, files)) == []


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.tar", tar_of([(".h.json", b"{"), ("__MACOSX/._x.json", b"{"), ("d/n.txt", b"x")])),
        ("empty.ndjson", b""),
        ("blank.jsonl", b"\n \n"),
        ("t.tar.bz2", b"x"),
        ("t.json.xz", b"x"),
    ],
)
def test_file_that_gives_no_bundle_is_named(tmp_path: Path, name: str, data: bytes) -> None:
    """An archive or list without bundles, or in a coding that is not read, is not passed over."""
    loaded = load(put(tmp_path, {name: data, "good.json": GOOD[0]}))
    assert datas(loaded) == [GOOD[0]]
    assert [item.origin for item in loaded if isinstance(item, Unreadable)] == [name]


def test_links_and_devices_are_named_and_not_followed(tmp_path: Path) -> None:
    """A symbolic link or a pipe with a bundle's name is reported; its target is not read."""
    secret = put(tmp_path / "outside", {"secret.json": b"secret"})
    folder = put(tmp_path / "bundles", {"good.json": GOOD[0]})
    (folder / "link.json").symlink_to(secret / "secret.json")
    (folder / "dangling.json").symlink_to(tmp_path / "nothing")
    (folder / "folder-link").symlink_to(secret)
    os.mkfifo(folder / "pipe.json")
    loaded = load(folder)
    assert datas(loaded) == [GOOD[0]]
    assert [item.origin for item in loaded if isinstance(item, Unreadable)] == [
        "dangling.json",
        "link.json",
        "pipe.json",
    ]
    assert all("a link or device" in fault for fault in faults(loaded))


@pytest.mark.parametrize(
    "name",
    [b"line\nbreak.json", "rtl\u202eexe.json".encode(), b"raw\xff\xfe.json", b"esc\x1b[31m.json"],
)
def test_hostile_file_names_are_made_printable(name: bytes, tmp_path: Path) -> None:
    """The origin of a file with any name is printable text on one line."""
    Path(os.fsdecode(bytes(tmp_path) + b"/" + name)).write_bytes(GOOD[0])
    (loaded,) = load(tmp_path)
    assert isinstance(loaded, RawBundle)
    assert loaded.origin.isprintable()
    assert loaded.origin.encode()


def test_hostile_member_names_are_made_printable(tmp_path: Path) -> None:
    """The names of members and their faults are printable, bounded text."""
    name = "a\n\u202e\x9b31m" + "n" * 3000
    files = {
        "t.tar": tar_of([(f"{name}.json", GOOD[0]), (f"{name}.zip", b"")]),
        "u.tar": link_in_tar(f"{name}.json"),
    }
    loaded = load(put(tmp_path, files))
    assert len(loaded) == 3
    assert all(item.origin.isprintable() and len(item.origin) < 500 for item in loaded)
    assert all(fault.isprintable() and len(fault) < 2000 for fault in faults(loaded))


def link_in_tar(name: str) -> bytes:
    """Make a tar archive of one symbolic link."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
    return info.tobuf(format=tarfile.PAX_FORMAT) + tar_of([])


@pytest.mark.parametrize("inner", ["x.zip", "x.tar", "x.tar.gz"])
@pytest.mark.parametrize("outer", ["o.zip", "o.tar"])
def test_archive_in_an_archive_is_reported(inner: str, outer: str, tmp_path: Path) -> None:
    """A nested archive is named, not opened; its neighbours are read."""
    members = [("a.json", GOOD[0]), (inner, b"anything"), ("z.json", GOOD[1])]
    pack = zip_of if outer.endswith("zip") else tar_of
    loaded = load(put(tmp_path, {outer: pack(members)}))
    assert datas(loaded) == GOOD[:2]
    assert "an archive in an archive" in faults(loaded)[0]


def cut(data: bytes) -> bytes:
    """Cut off the last third of a file."""
    return data[: len(data) * 2 // 3]


BROKEN: dict[str, Callable[[], bytes]] = {
    "broken.json.gz": lambda: cut(gzip.compress(GOOD[0])),
    "broken.json.zst": lambda: cut(zstd.compress(GOOD[0])),
    "broken.ndjson.gz": lambda: cut(gzip.compress(os.urandom(40_000))),
    "broken.tar": lambda: cut(tar_of([("x.json", GOOD[0] * 3)]))[:9000],
    "broken.tar.gz": lambda: cut(gzip.compress(tar_of(MEMBERS))),
    "broken.tar.zst": lambda: cut(zstd.compress(tar_of(MEMBERS))),
    "broken.zip": lambda: cut(zip_of(MEMBERS)),
    "empty.zip": lambda: b"",
    "empty.json.gz": lambda: b"\x1f\x8b",
    "text.tar": lambda: b"hello " * 500,
    "text.json.zst": lambda: b"hello",
    "bz2.zip": lambda: zip_of(MEMBERS, method=zipfile.ZIP_BZIP2),
}


@pytest.mark.parametrize("name", list(BROKEN))
def test_bad_file_never_stops_the_others(name: str, tmp_path: Path) -> None:
    """A broken file of any kind is reported, and the files before and after it are read."""
    files = {"a.json": GOOD[0], name: BROKEN[name](), "z.json": GOOD[1]}
    loaded = load(put(tmp_path, files))
    assert datas(loaded)[0] == GOOD[0]
    assert datas(loaded)[-1] == GOOD[1]
    assert faults(loaded)
    assert all(fault.isprintable() for fault in faults(loaded))


def test_members_before_the_damage_are_kept(tmp_path: Path) -> None:
    """From a cut archive the whole members before the cut are read, and the cut is reported."""
    archive = tar_of(MEMBERS)
    loaded = load(put(tmp_path, {"x.tar": archive[: len(archive) * 2 // 3][:9216]}))
    assert datas(loaded)[0] == GOOD[0]
    assert len(faults(loaded)) >= 1


@pytest.mark.parametrize("name", ["x.tar", "x.tar.gz", "x.zip", "x.json.gz", "x.json.zst"])
def test_damage_anywhere_never_raises(name: str, tmp_path: Path) -> None:
    """Whatever bytes of an archive are changed, loading ends and raises nothing."""
    pristine = {
        "x.tar": tar_of(MEMBERS[:2]),
        "x.tar.gz": gzip.compress(tar_of(MEMBERS[:2])),
        "x.zip": zip_of([("é.json", GOOD[0]), ("b.ndjson", LINES)]),
        "x.json.gz": gzip.compress(GOOD[0]),
        "x.json.zst": zstd.compress(GOOD[0]),
    }[name]
    chance = random.Random(name)  # noqa: S311 - where to damage, no secret
    for _ in range(400):
        data = bytearray(pristine)
        for _ in range(chance.choice((1, 1, 2, 4))):
            # Ends and beginnings hold the structure of an archive; hit them more often.
            span = chance.choice((len(data), min(len(data), 600)))
            place = chance.choice((0, len(data) - span)) + chance.randrange(span)
            data[place] = chance.choice((0, 255, chance.randrange(256)))
        del data[chance.choice((len(data), len(data), chance.randrange(1, len(data) + 1))) :]
        path = put(tmp_path, {name: bytes(data)}) / name
        for item in load_bundles(path):
            assert isinstance(item, (RawBundle, Unreadable))


def test_oversize_document_is_reported(tmp_path: Path) -> None:
    """A file of exactly the bound is read; one byte more is not, in any coding."""
    fits, over = b"1".ljust(20_000), b"1".ljust(20_001)
    files = {
        "a.json": fits,
        "b.json": over,
        "c.json.gz": gzip.compress(over),
        "d.zip": zip_of([("x.json", over), ("y.json", fits)]),
        "e.tar": tar_of([("x.json", over), ("y.json", fits)]),
    }
    loaded = load(put(tmp_path, files), limits=SMALL)
    assert datas(loaded) == [fits] * 3
    assert len(faults(loaded)) == 4
    assert all("at most 20000 bytes" in fault for fault in faults(loaded))


def test_oversize_line_is_skipped_and_the_rest_is_read(tmp_path: Path) -> None:
    """A line over the bound is reported with its number; the lines around it are read."""
    over = b"x" * 300_000
    fits = b"y" * 20_000
    lines = [b"1", over, b"2", fits, fits + b"z", b"3", over]
    loaded = load(put(tmp_path, {"a.ndjson": b"\n".join(lines)}), limits=SMALL)
    assert datas(loaded) == [b"1", b"2", fits, b"3"]
    assert [item.origin for item in loaded if isinstance(item, Unreadable)] == [
        "a.ndjson:2",
        "a.ndjson:5",
        "a.ndjson:7",
    ]


def test_line_ends_and_empty_lines(tmp_path: Path) -> None:
    """CRLF ends a line like LF; empty lines count but are no bundles; the last needs no newline."""
    loaded = load(put(tmp_path, {"a.jsonl": b"\n1\r\n\r\n  \n2\n3 \r\n4"}))
    assert [(item.origin, item.data) for item in loaded if isinstance(item, RawBundle)] == [
        ("a.jsonl:2", b"1"),
        ("a.jsonl:5", b"2"),
        ("a.jsonl:6", b"3 "),
        ("a.jsonl:7", b"4"),
    ]


def test_line_over_a_read_boundary_is_whole(tmp_path: Path) -> None:
    """Lines that straddle the pieces in which a file is read come out whole."""
    lines = [bytes([97 + number % 26]) * (65_530 + number) for number in range(12)]
    assert datas(load(put(tmp_path, {"a.ndjson": b"\n".join(lines)}))) == lines


def test_single_file_is_loaded(tmp_path: Path) -> None:
    """The argument may be one file of any kind; its origin is its name."""
    path = put(tmp_path, {"only.ndjson": LINES}) / "only.ndjson"
    assert datas(load(path)) == GOOD
    assert load(path)[0].origin == "only.ndjson:1"


def test_single_file_of_another_kind_is_reported(tmp_path: Path) -> None:
    """A file named on purpose is not passed over in silence."""
    (loaded,) = load(put(tmp_path, {"bundle.txt": GOOD[0]}) / "bundle.txt")
    assert isinstance(loaded, Unreadable)
    assert ".json.zst" in loaded.error.expected


@pytest.mark.parametrize("name", ["missing", "pipe"])
def test_missing_folder_is_an_input_error(name: str, tmp_path: Path) -> None:
    """A folder that does not exist, or is none, is an error of the whole command."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError):
        load(tmp_path / name)


def test_folders_nested_very_deep_do_not_stop_the_others(tmp_path: Path) -> None:
    """Folders deeper than any bound are no crash, and what stands beside them is read."""
    put(tmp_path, {"a.json": GOOD[0], "z.json": GOOD[1]})
    inside = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=inside)
        deeper = os.open("d", os.O_RDONLY, dir_fd=inside)
        os.close(inside)
        inside = deeper
    os.close(inside)
    loaded = load(tmp_path)
    assert datas(loaded) == GOOD[:2]
    subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


@pytest.mark.parametrize("name", ["x.zip", "x.tar"])
def test_broken_member_does_not_stop_its_neighbours(name: str, tmp_path: Path) -> None:
    """A member whose own compression is cut is reported under its name; the next one is read."""
    members = [
        ("a.json", GOOD[0]),
        ("b.json.gz", cut(gzip.compress(GOOD[0]))),
        ("c.json.zst", cut(zstd.compress(GOOD[0]))),
        ("d.ndjson.gz", b"no gzip"),
        ("e.json", GOOD[1]),
    ]
    pack = zip_of if name.endswith("zip") else tar_of
    loaded = load(put(tmp_path, {name: pack(members)}))
    assert datas(loaded) == GOOD[:2]
    broken = [item.origin for item in loaded if isinstance(item, Unreadable)]
    assert broken == [f"{name}!b.json.gz", f"{name}!c.json.zst", f"{name}!d.ndjson.gz"]


def test_folder_that_vanishes_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What disappears or is forbidden while a folder is walked is reported."""
    put(tmp_path, {"a.json": GOOD[0], "b/x.json": GOOD[2], "c.json": GOOD[1]})
    listing = Path.iterdir

    def forbidding(folder: Path) -> Iterator[Path]:
        if folder.name == "b":
            raise PermissionError(13, "Permission denied", str(folder))
        return listing(folder)

    monkeypatch.setattr(Path, "iterdir", forbidding)
    loaded = load(tmp_path)
    assert datas(loaded) == GOOD[:2]
    assert faults(loaded) == ["b: expected readable data, found Permission denied"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file_does_not_stop_the_others(tmp_path: Path) -> None:
    """A file and a folder without permission are reported."""
    put(tmp_path, {"a.json": GOOD[0], "b.json": b"{}", "c/d.json": b"{}", "z.json": GOOD[1]})
    (tmp_path / "b.json").chmod(0)
    (tmp_path / "c").chmod(0)
    loaded = load(tmp_path)
    (tmp_path / "c").chmod(0o700)
    assert datas(loaded) == GOOD[:2]
    assert len(faults(loaded)) == 2


def test_memory_does_not_grow_with_the_number_of_bundles(tmp_path: Path) -> None:
    """A file of many bundles is streamed: what is held at once is a few bundles."""
    path = put(tmp_path, {"many.ndjson.gz": gzip.compress(LINES * 700)}) / "many.ndjson.gz"
    tracemalloc.start()
    count = sum(1 for _ in load_bundles(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 2100
    assert peak < 3_000_000


def zeros(length: int, *, before: bytes = b"") -> bytes:
    """Compress zeros with zstd without holding them all."""
    compressor = zstd.ZstdCompressor(level=1)
    pieces = [compressor.compress(before)]
    pieces += [compressor.compress(bytes(2**20)) for _ in range(length >> 20)]
    return b"".join([*pieces, compressor.flush()])


def header(name: str, length: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    """Spell the header of a tar member that claims a length."""
    info = tarfile.TarInfo(name)
    info.size, info.type = length, kind
    return info.tobuf(format=tarfile.GNU_FORMAT)


def directory_bomb(count: int) -> bytes:
    """Make a zip archive that is nothing but a directory of many members."""
    entry = b"PK\x01\x02" + bytes(24) + b"\x01\x00" + bytes(16) + b"a"
    size = (len(entry) * count).to_bytes(4, "little")
    end = b"PK\x05\x06" + bytes(4) + b"\xff\xff\xff\xff" + size + bytes(4) + bytes(2)
    return entry * count + end


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip.json.gz": lambda: gzip.compress(bytes(200_000_000)),
    "gzip.ndjson.gz": lambda: gzip.compress(bytes(200_000_000)),
    "zstd.json.zst": lambda: zeros(2**30),
    "zstd.ndjson.zst": lambda: zeros(2**30),
    "member.tar.zst": lambda: zeros(2**30, before=header("a.ndjson", 2**30)),
    "skipped.tar.zst": lambda: zeros(2**30, before=header("a.txt", 2**30)),
    "pax.tar.zst": lambda: zeros(2**28, before=header("x", 2**28, tarfile.XHDTYPE)),
    "name.tar.zst": lambda: zeros(2**28, before=header("x", 2**28, tarfile.GNUTYPE_LONGNAME)),
    "pax.tar": lambda: header("x", 2**27, tarfile.XHDTYPE) + b"1" * 2**27,
    "deflate.zip": lambda: zip_of([("a.ndjson", bytes(100_000_000))]),
    "directory.zip": lambda: directory_bomb(2_000_000),
    "line.ndjson": lambda: b"x" * 40_000_000,
}


@pytest.mark.parametrize("name", list(BOMBS))
def test_bomb_ends_in_bounded_memory(name: str, tmp_path: Path) -> None:
    """A bomb of each kind is reported by a process that may not take 100 MB more than it has."""
    path = put(tmp_path, {name: BOMBS[name]()}) / name
    program = f"""
        import resource, sys
        from pathlib import Path
        from generator.load import Unreadable, load_bundles
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        bound = pages * resource.getpagesize() + 100 * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))
        found = list(load_bundles(Path({str(path)!r})))
        assert found and all(isinstance(item, Unreadable) for item in found), found
        assert not any("memory" in str(item.error).lower() for item in found), found
    """
    finished = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert finished.returncode == 0, finished.stderr[-2000:]


def test_resource_limits_are_available() -> None:
    """The measurement above measures something on this machine."""
    assert resource.getrlimit(resource.RLIMIT_AS)[1] != 0

"""write.py: the sink of a build; what is not ours is never touched."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from generator.errors import OutputError
from generator.render import SiteFile, SiteStream
from generator.sink import WriteSummary
from generator.write import open_site
from tests.factories import put, tree

GENERATOR = "pith-mirror test"
FILES = {"index.html": b"home", "a/b/c.json": b"{}", ".nojekyll": b""}


def write(folder: Path, files: dict[str, bytes]) -> WriteSummary:
    """Write files as one build."""
    with open_site(folder) as site:
        for path, data in files.items():
            site.stage(SiteFile(path, data))
        return site.commit(generator=GENERATOR)


def write_stream(folder: Path, path: str) -> None:
    """Write one file in pieces as one build."""
    with open_site(folder) as site:
        site.stage(SiteStream(path, [b"x"]))
        site.commit(generator=GENERATOR)


def refused(folder: Path, files: dict[str, bytes] = FILES) -> str:
    """Write files where it has to be refused; nothing may change."""
    before = tree(folder.parent)
    with pytest.raises(OutputError) as caught:
        write(folder, files)
    assert tree(folder.parent) == before
    return str(caught.value)


def shown(folder: Path) -> dict[str, bytes]:
    """Read a site without its manifest."""
    return {path: data for path, data in tree(folder).items() if path != "manifest.json"}


def commit_without_staged_files(site: Path) -> None:
    """Stage a file, let it vanish, and commit."""
    with open_site(site) as writer:
        writer.stage(SiteFile("a.html", b"a"))
        shutil.rmtree(site / ".staging" / "tree")
        writer.commit(generator="test")


def test_lost_staged_file_is_an_error(tmp_path: Path) -> None:
    """A file that vanished while it waited is never passed over; the next build makes the site."""
    site = tmp_path / "site"
    with pytest.raises(OutputError, match="No such file"):
        commit_without_staged_files(site)
    with open_site(site) as writer:
        writer.stage(SiteFile("a.html", b"a"))
        writer.commit(generator="test")
    assert (site / "a.html").read_bytes() == b"a"


def test_site_has_what_was_staged(tmp_path: Path) -> None:
    """The folder is made and holds the files and the manifest, and no working file."""
    site = tmp_path / "new" / "site"
    assert write(site, FILES) == WriteSummary(total=3, written=3, removed=0)
    assert shown(site) == FILES
    listed = json.loads((site / "manifest.json").read_bytes())["files"]
    assert [row["path"] for row in listed] == sorted(FILES)
    assert sorted(path.name for path in site.iterdir()) == [
        ".nojekyll",
        "a",
        "index.html",
        "manifest.json",
    ]


def test_unchanged_file_is_not_touched(tmp_path: Path) -> None:
    """A file with the same bytes keeps its inode and time, so that uploads stay small."""
    site = tmp_path / "site"
    write(site, FILES)
    os.utime(site / "index.html", ns=(1, 1))
    before = (site / "index.html").stat()
    found = write(site, {**FILES, "a/b/c.json": b"[]"})
    after = (site / "index.html").stat()
    assert found == WriteSummary(total=3, written=1, removed=0)
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert (site / "a/b/c.json").read_bytes() == b"[]"


def test_stale_files_go_with_their_empty_folders(tmp_path: Path) -> None:
    """What only the last build made is removed, and folders that are empty then."""
    site = tmp_path / "site"
    write(site, {**FILES, "x/y/z.html": b"z", "a/d.json": b"d"})
    assert write(site, FILES) == WriteSummary(total=3, written=0, removed=2)
    assert shown(site) == FILES
    assert not (site / "x").exists()


def records(count: int) -> dict[str, bytes]:
    """Name the pages of some records, with a file beside each."""
    suffixes = [f"{number:A>26}".translate({48: "B", 49: "C"}) for number in range(count)]
    pages = {f"pith/{suffix}/index.html": b"page" for suffix in suffixes}
    return {**pages, **{f"pith/{suffix}/state.json": b"{}" for suffix in suffixes}}


@pytest.mark.parametrize(
    ("before", "after", "allowed"), [(2, 1, True), (3, 1, False), (1, 0, False)]
)
def test_loss_of_most_records_has_to_be_meant(
    before: int,
    after: int,
    allowed: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    """More than half of the records go only where that is asked for; other files do not count."""
    site = tmp_path / "site"
    many, few = records(before), {**records(after), **FILES}
    write(site, {**many, "x.html": b"x", "y.html": b"y"})
    if allowed:
        write(site, few)
    else:
        assert "--allow-removal" in refused(site, few)
        with open_site(site) as writer:
            for path, data in few.items():
                writer.stage(SiteFile(path, data))
            writer.commit(generator=GENERATOR, allow_removal=True)
    assert shown(site) == few


def test_second_file_of_a_path_replaces_the_first(tmp_path: Path) -> None:
    """Staging a path again counts once and keeps the later bytes, also back to what is there."""
    site = tmp_path / "site"
    with open_site(site) as writer:
        writer.stage(SiteFile("a.html", b"one"))
        writer.stage(SiteFile("a.html", b"two"))
        assert writer.read("a.html") == b"two"
        assert writer.commit(generator=GENERATOR) == WriteSummary(total=1, written=1, removed=0)
    with open_site(site) as writer:
        writer.stage(SiteFile("a.html", b"three"))
        writer.stage(SiteFile("a.html", b"two"))
        assert writer.read("a.html") == b"two"
        assert writer.commit(generator=GENERATOR) == WriteSummary(total=1, written=0, removed=0)
    assert shown(site) == {"a.html": b"two"}


def test_stream_is_written_like_a_file(tmp_path: Path) -> None:
    """A file in pieces gives the same bytes and manifest, and is not touched if unchanged."""
    site, other = tmp_path / "site", tmp_path / "other"
    for expected in (1, 0):
        with open_site(site) as writer:
            writer.stage(SiteStream("r.json", iter([b"ab", b"", b"c"])))
            assert writer.commit(generator=GENERATOR).written == expected
    write(other, {"r.json": b"abc"})
    assert tree(site) == tree(other)


def test_leaving_without_commit_changes_nothing(tmp_path: Path) -> None:
    """A build that stops before its commit leaves the site and no working file."""
    site = tmp_path / "site"
    write(site, FILES)
    before = tree(site)
    with open_site(site) as writer:
        writer.stage(SiteFile("index.html", b"changed"))
    assert tree(site) == before
    with pytest.raises(ZeroDivisionError):
        stop_between(site)
    assert tree(site) == before


def stop_between(site: Path) -> None:
    """Stage a change and fail before the commit."""
    with open_site(site) as writer:
        writer.stage(SiteFile("index.html", b"changed"))
        raise ZeroDivisionError


@pytest.mark.parametrize(
    "path", ["../x", "/etc/x", "a//b", "", "a/../../x", "é", "a\0b", "a\\b", "CON\n"]
)
def test_path_outside_is_refused(path: str, tmp_path: Path) -> None:
    """Whatever asks for it, nothing is written outside the site or under an odd name."""
    assert "a relative ASCII path" in refused(tmp_path / "site", {path: b"x"})


def test_foreign_files_survive(tmp_path: Path) -> None:
    """Files that no manifest of ours lists are kept over any number of builds."""
    site = tmp_path / "site"
    foreign = {"README.md": b"r", "CNAME": b"c", ".git/config": b"g"}
    put(site, foreign)
    write(site, FILES)
    put(site, {"a/mine.txt": b"m", "mine/deep/x": b"x"})
    write(site, {"index.html": b"other"})
    kept = {**foreign, "a/mine.txt": b"m", "mine/deep/x": b"x", "index.html": b"other"}
    assert shown(site) == kept


def test_foreign_folder_is_refused(tmp_path: Path) -> None:
    """A folder with other files and no manifest of ours is not built into."""
    site = put(tmp_path / "site", {"thesis.tex": b"x"})
    assert "'thesis.tex' and no manifest.json" in refused(site)


def test_folder_of_another_program_is_refused(tmp_path: Path) -> None:
    """A manifest.json of a web application is not taken for ours."""
    site = put(tmp_path / "site", {"manifest.json": b'{"name":"app"}', "index.html": b"x"})
    assert "a manifest of type" in refused(site)


def test_foreign_file_in_the_way_is_refused(tmp_path: Path) -> None:
    """A file at a path that the build needs is not overwritten unless a manifest lists it."""
    site = tmp_path / "site"
    write(site, {"index.html": b"home"})
    put(site, {"a/b/c.json": b"mine"})
    assert "something that no manifest of this site lists" in refused(site)
    with pytest.raises(OutputError, match="no manifest"):
        write_stream(site, "a/b/c.json")
    assert (site / "a/b/c.json").read_bytes() == b"mine"


def test_foreign_file_with_the_same_bytes_becomes_ours(tmp_path: Path) -> None:
    """A file that already says what we would say is in nobody's way."""
    site = put(tmp_path / "site", {"README.md": b"r"})
    write(site, {"index.html": b"home"})
    put(site, {"a/b/c.json": b"{}"})
    assert write(site, FILES).written == 1
    assert shown(site) == {**FILES, "README.md": b"r"}


def test_file_or_link_as_the_site_is_refused(tmp_path: Path) -> None:
    """The site has to be a folder itself, not a link to one."""
    put(tmp_path, {"file": b"x"})
    write(tmp_path / "real", FILES)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert "a link or" in refused(tmp_path / "file")
    assert "a link or" in refused(tmp_path / "link")
    with pytest.raises(OutputError, match="root folder"):
        write(Path("/"), FILES)


def test_linked_folder_inside_is_refused(tmp_path: Path) -> None:
    """Nothing is written or removed through a link that leads out of the site."""
    site, outside = tmp_path / "site", put(tmp_path / "outside", {"b/c.json": b"mine"})
    write(site, {"index.html": b"home"})
    (site / "a").symlink_to(outside)
    assert "the link a" in refused(site)
    assert "the link a" in refused(site, {"a/new.json": b"x"})


def test_linked_file_inside_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """Where a link took the place of our file, the link goes and its target stays as it was."""
    site, outside = tmp_path / "site", put(tmp_path / "outside", {"x": b"mine"})
    write(site, FILES)
    (site / "index.html").unlink()
    (site / "index.html").symlink_to(outside / "x")
    write(site, {**FILES, "index.html": b"mine"})
    assert not (site / "index.html").is_symlink()
    assert (outside / "x").read_bytes() == b"mine"
    assert (site / "index.html").read_bytes() == b"mine"


@pytest.mark.parametrize("name", [".staging", ".staging/lock", "manifest.json"])
def test_linked_working_files_are_refused(name: str, tmp_path: Path) -> None:
    """The staging folder, the lock and the manifest cannot be links into other folders."""
    site, outside = tmp_path / "site", put(tmp_path / "outside", {"x/y.txt": b"mine", "z": b"z"})
    write(site, FILES)
    (site / name).unlink(missing_ok=True)
    (site / name).parent.mkdir(exist_ok=True)
    (site / name).symlink_to(outside / ("x" if name == ".staging" else "z"))
    with pytest.raises(OutputError):
        write(site, {**FILES, "index.html": b"changed"})
    assert tree(outside) == {"x/y.txt": b"mine", "z": b"z"}
    assert (site / "index.html").read_bytes() == b"home"


def test_folder_in_place_of_a_file_is_refused_before_anything_moves(tmp_path: Path) -> None:
    """A folder where our file was stops the build at once; moved away, the next build works."""
    site = tmp_path / "site"
    write(site, FILES)
    (site / "index.html").unlink()
    put(site / "index.html", {"mine.txt": b"m"})
    refused(site, {**FILES, "a/b/c.json": b"[]"})
    (site / "index.html").rename(tmp_path / "away")
    write(site, {**FILES, "a/b/c.json": b"[]"})
    assert shown(site) == {**FILES, "a/b/c.json": b"[]"}


def test_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    """A file where a folder is needed is not removed to make room."""
    site = tmp_path / "site"
    write(site, {"index.html": b"home"})
    put(site, {"a": b"mine"})
    assert "the file a" in refused(site)


def tampered(site: Path, path: str) -> None:
    """Add a line to the manifest of a site."""
    row = json.dumps({"path": path, "sha256": "0" * 64, "length": 1, "media_type": "x"})
    manifest = site / "manifest.json"
    data = manifest.read_bytes().replace(b'"files":[\n', b'"files":[\n' + row.encode() + b",\n")
    manifest.write_bytes(data)


@pytest.mark.parametrize(
    "path",
    ["../victim.txt", "../outside/x.txt", "a/../../victim.txt", "ABSOLUTE", "link/x.txt", ".", ""],
)
def test_tampered_manifest_removes_nothing_outside(path: str, tmp_path: Path) -> None:
    """A manifest that names paths outside the site cannot make a build remove them."""
    site, outside = tmp_path / "site", put(tmp_path / "outside", {"x.txt": b"mine"})
    put(tmp_path, {"victim.txt": b"mine"})
    write(site, FILES)
    (site / "link").symlink_to(outside)
    tampered(site, str(tmp_path / "victim.txt") if path == "ABSOLUTE" else path)
    try:
        write(site, {**FILES, "index.html": b"changed"})
    except OutputError:
        assert path == "link/x.txt"
    assert (tmp_path / "victim.txt").read_bytes() == b"mine"
    assert tree(outside) == {"x.txt": b"mine"}


def test_folder_named_by_a_manifest_is_left_alone(tmp_path: Path) -> None:
    """A manifest line that names a folder neither removes it nor stops this or a later build."""
    site = tmp_path / "site"
    write(site, FILES)
    put(site / "docs", {"mine.txt": b"mine"})
    tampered(site, "docs")
    for text in (b"one", b"two"):
        write(site, {**FILES, "index.html": text})
        assert shown(site) == {**FILES, "index.html": text, "docs/mine.txt": b"mine"}


@pytest.mark.parametrize("path", ["\ud800", "a\0b", "x" * 3000, "\U0010ffff"])
def test_odd_path_in_a_manifest_is_no_crash(path: str, tmp_path: Path) -> None:
    """Paths that no file system takes are ignored, or refused by an error of ours."""
    site = tmp_path / "site"
    write(site, FILES)
    tampered(site, path)
    try:
        write(site, {**FILES, "index.html": b"changed"})
    except OutputError:
        assert (site / "index.html").read_bytes() == b"home"
    else:
        assert (site / "index.html").read_bytes() == b"changed"


@pytest.mark.parametrize(
    "lines",
    [
        ['["move", "files/0/1", "../escaped"]'],
        ['["move", "../../victim.txt", "stolen.txt"]'],
        ['["move", "files/0/1", "ABOVE/escaped"]'],
        ['["move", "ABOVE/victim.txt", "stolen.txt"]'],
        ['["remove", "../victim.txt", "../victim.txt"]'],
        ["garbage"],
        ['["move"]'],
        ["[]", "3", "null"],
        ['["burn", "x", "y"]'],
    ],
)
def test_tampered_journal_does_nothing_outside(lines: list[str], tmp_path: Path) -> None:
    """A journal that names places outside the site moves and removes nothing there."""
    put(tmp_path, {"victim.txt": b"mine"})
    site = tmp_path / "site"
    write(site, FILES)
    journal = "\n".join([*lines, '["end", "", ""]', ""]).replace("ABOVE", str(tmp_path))
    put(site / ".staging", {"journal": journal.encode(), "files/0/1": b"evil"})
    try:
        write(site, FILES)
    except OutputError:
        assert lines
    assert {path for path in tree(tmp_path) if not path.startswith("site/")} == {"victim.txt"}
    assert shown(site).items() >= FILES.items()
    assert "stolen.txt" not in shown(site)


def test_journal_with_a_lost_file_does_not_stop_later_builds(tmp_path: Path) -> None:
    """Where a staged file was lost with the power, the next build writes it again."""
    site = tmp_path / "site"
    write(site, {**FILES, "x.html": b"x"})
    journal = ["move", "files/0/1", "new.html"], ["move", "files/0/2", "x.html"], ["end", "", ""]
    lines = "".join(json.dumps(step) + "\n" for step in journal)
    put(site / ".staging", {"journal": lines.encode(), "files/0/2": b"y"})
    write(site, {**FILES, "new.html": b"new"})
    assert shown(site) == {**FILES, "new.html": b"new"}


def test_two_builds_of_one_site_at_a_time_are_refused(tmp_path: Path) -> None:
    """While one build holds the site, a second one stops at once and changes nothing."""
    site = tmp_path / "site"
    write(site, FILES)
    with open_site(site) as first:
        first.stage(SiteFile("index.html", b"first"))
        with pytest.raises(OutputError, match="one that is running"):
            write(site, {**FILES, "index.html": b"second"})
        first.commit(generator=GENERATOR)
    assert (site / "index.html").read_bytes() == b"first"


def test_two_processes_at_a_time_are_refused(tmp_path: Path) -> None:
    """The lock holds between processes, and ends with the process that held it."""
    site = tmp_path / "site"
    program = (
        "import sys; from pathlib import Path; from generator.write import open_site\n"
        "with open_site(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(site)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(OutputError, match="one that is running"):
            write(site, FILES)
        holder.kill()
    write(site, FILES)
    assert shown(site) == FILES


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_read_only_folder_is_an_output_error(tmp_path: Path) -> None:
    """A folder that cannot be written is an error of ours."""
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError):
        write(tmp_path / "site", FILES)
    tmp_path.chmod(0o700)


def full_disk(pieces: int) -> Iterable[bytes]:
    """Give some bytes, then fail as a full disk does."""
    yield from [b"x"] * pieces
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("pieces", [0, 3])
def test_full_disk_leaves_the_site(pieces: int, tmp_path: Path) -> None:
    """A disk that is full while files are written aside leaves the old site and no rest."""
    site = tmp_path / "site"
    write(site, FILES)
    before = tree(site)
    with pytest.raises(OutputError, match="No space left"), open_site(site) as writer:
        writer.stage(SiteStream("big.json", full_disk(pieces)))
    assert tree(site) == before


SUFFIX = "ABCDEFGHIJKLMNOPQRSTUVWX23"
COPIES = [f"pith/{SUFFIX}/bundle.json", f".well-known/pith/{SUFFIX}/bundle.json"]


def test_second_copy_is_a_second_name(tmp_path: Path) -> None:
    """A bundle and its well-known copy are one file on the disk, until one of them changes."""
    site = tmp_path / "site"
    write(site, dict.fromkeys(COPIES, b"old"))
    assert len({(site / path).stat().st_ino for path in COPIES}) == 1
    write(site, {COPIES[0]: b"new", COPIES[1]: b"old"})
    assert [(site / path).read_bytes() for path in COPIES] == [b"new", b"old"]


def test_second_copy_is_written_where_there_are_no_second_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a file system without hard links each copy is a file of its own."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    write(tmp_path / "site", dict.fromkeys(COPIES, b"same"))
    assert len({(tmp_path / "site" / path).stat().st_ino for path in COPIES}) == 2

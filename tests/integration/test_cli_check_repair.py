"""`pith-mirror check --repair` and `--bundles`: what can be put back is, what is stale is named."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, cast

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.errors import ExitCode
from generator.write import open_site
from tests.factories import build, built, put, suffix_of, tree
from tests.vectors.builders import (
    OTHER,
    PAPER,
    bundle_of,
    bundle_with,
    compact,
    creation_of,
    edited,
    event_of,
    record_of,
    signed,
)
from tests.vectors.reading import CONFIGURATION

RECORD = record_of(PAPER)
BUNDLE, GRAPH = f"pith/{suffix_of()}/bundle.json", f"pith/{suffix_of()}/graph.json"
BUNDLE_COPY, GRAPH_COPY = f".well-known/{BUNDLE}", f"api/pith-number/{suffix_of()}/graph.json"
OF_OTHER = f"pith/{suffix_of(OTHER)}/bundle.json"
COPIES = (BUNDLE, BUNDLE_COPY, GRAPH, GRAPH_COPY)
NOTES = [signed(event_of(RECORD, "note", {"n": n}, target=f"t{n}")) for n in range(3)]
Damage = Callable[[Path], object]


@pytest.fixture(name="pristine", scope="module")
def _pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repair")
    built(folder, {"a.json": compact(bundle_of()), "b.json": compact(bundle_of(OTHER))})
    return folder


@pytest.fixture(name="site")
def _site(pristine: Path, tmp_path: Path) -> Path:
    shutil.copytree(pristine / "bundles", tmp_path / "bundles")
    return shutil.copytree(pristine / "site", tmp_path / "site")


def run(site: Path, *options: str) -> Result:
    """Check a site in this process."""
    return CliRunner().invoke(main, ["check", "--site", str(site), *options])


def rows_of(site: Path, *options: str) -> list[Any]:
    """Give every line of `--json`, the counts last."""
    return [json.loads(line) for line in run(site, *options, "--json").stdout.splitlines()]


def stale(site: Path) -> list[tuple[str, str]]:
    """Give path and finding of what is stale; nothing else may be wrong."""
    options = ("--bundles", str(site.parent / "bundles"), "--config", str(CONFIGURATION))
    rows = rows_of(site, *options)[:-1]
    assert {row["kind"] for row in rows} <= {"stale"}
    assert run(site, *options).exit_code == (ExitCode.REJECTED if rows else ExitCode.OK)
    return [(row["path"], row["found"].rpartition("; ")[2]) for row in rows]


@pytest.mark.parametrize("path", COPIES)
@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        (lambda path: path.unlink(), "missing"),
        (lambda path: path.write_bytes(b"{"), "wrong length"),
        (lambda path: path.write_bytes(path.read_bytes().swapcase()), "changed"),
        (lambda path: shutil.rmtree(path.parent), "missing"),
    ],
)
def test_file_with_a_whole_copy_is_put_back(
    damage: Damage, kind: str, path: str, site: Path
) -> None:
    """A bundle or graph that is gone or damaged is made from its other copy, and named."""
    before = tree(site)
    damage(site / path)
    twin = COPIES[COPIES.index(path) ^ 1]
    lost = before.keys() - tree(site).keys() - {*COPIES}
    *found, counts = rows_of(site, "--repair")
    restored = {row["path"]: (row["kind"], row["restored_from"]) for row in found}
    assert restored[path] == (kind, twin)
    assert {row for row in restored if not restored[row][1]} == lost
    assert counts["restored"] == len(restored) - len(lost)
    assert {row: data for row, data in before.items() if row not in lost} == tree(site)
    assert not (site / ".staging").exists()


def test_repair_says_what_it_did(site: Path) -> None:
    """Where all could be put back the code is 0, and a second look finds nothing."""
    (site / BUNDLE).unlink()
    done = run(site, "--repair")
    assert done.exit_code == ExitCode.OK
    assert done.stdout.splitlines()[0] == (
        f"restored: missing: {BUNDLE}: expected a plain file, found none (from {BUNDLE_COPY})"
    )
    assert done.stdout.splitlines()[-2:] == ["1 missing", "1 restored"]
    assert run(site).stdout.splitlines()[-1] == "no faults"


@pytest.mark.parametrize("path", ["index.html", f"pith/{suffix_of()}/state.json"])
def test_what_has_no_copy_is_left_to_a_build(path: str, site: Path) -> None:
    """A file without a copy stays as it is, and the advice is to build."""
    (site / path).write_bytes(b"x")
    before = tree(site)
    done = run(site, "--repair")
    assert done.exit_code == ExitCode.REJECTED
    assert "the next `pith-mirror build` writes it again" in done.stdout
    assert tree(site) == before


def test_two_damaged_copies_are_left_to_a_build(site: Path) -> None:
    """Where both copies are damaged neither is made from the other."""
    (site / BUNDLE).write_bytes(b"x")
    (site / BUNDLE_COPY).write_bytes((site / BUNDLE_COPY).read_bytes().swapcase())
    before = tree(site)
    rows = rows_of(site, "--repair")
    assert [row["restored_from"] for row in rows[:-1]] == [None, None]
    assert tree(site) == before


def test_unreadable_file_is_named_and_put_back(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that the disk cannot read any more is named, and replaced by its copy."""
    opened, bad = Path.open, [site / BUNDLE, site / "index.html"]

    def failing(self: Path, *arguments: str, **further: str) -> IO[bytes]:
        if self in bad:
            raise OSError(errno.EIO, "Input/output error")
        return cast("IO[bytes]", opened(self, *arguments, **further))  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", failing)
    found = [(row["kind"], row["path"], row["found"]) for row in rows_of(site)[:-1]]
    assert found == [
        ("unreadable", "index.html", "Input/output error"),
        ("unreadable", BUNDLE, "Input/output error"),
    ]
    inode = (site / BUNDLE).stat().st_ino
    rows = rows_of(site, "--repair")[:-1]
    assert [row["restored_from"] for row in rows] == [None, BUNDLE_COPY]
    assert (site / BUNDLE).stat().st_ino != inode


def test_repair_goes_through_no_link(site: Path, tmp_path: Path) -> None:
    """Links in a file's place, or above it, lead nothing outside and stay."""
    outside = put(tmp_path / "outside", {"victim": b"mine", "folder/x": b"mine"})
    shutil.rmtree((site / BUNDLE_COPY).parent)
    (site / BUNDLE_COPY).parent.symlink_to(outside / "folder")
    (site / GRAPH).unlink()
    (site / GRAPH).symlink_to(outside / "victim")
    (site / GRAPH_COPY).unlink()
    rows = rows_of(site, "--repair")[:-1]
    assert [row["path"] for row in rows if row["restored_from"]] == []
    assert (site / GRAPH).is_symlink()
    assert tree(outside) == {"victim": b"mine", "folder/x": b"mine"}


def test_link_aside_is_not_written_through(site: Path, tmp_path: Path) -> None:
    """A link that lies where a repair writes aside is removed and not followed."""
    put(tmp_path, {"victim": b"mine"})
    put(site / ".staging", {"x": b"x"})
    (site / ".staging" / "repair").symlink_to(tmp_path / "victim")
    (site / BUNDLE).unlink()
    rows = rows_of(site, "--repair")
    assert [row["kind"] for row in rows[:-1]] == ["unfinished build", "missing"]
    assert rows[-1]["restored"] == 1
    assert (tmp_path / "victim").read_bytes() == b"mine"
    assert tree(site / ".staging").keys() == {"x", "lock"}


def test_copies_listed_with_other_bytes_are_not_mixed(site: Path) -> None:
    """Of two copies that the manifest lists with other digests neither is made from the other."""
    manifest = site / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    digest = next(row["sha256"] for row in json.loads(text)["files"] if row["path"] == GRAPH_COPY)
    line = f'"{GRAPH_COPY}","sha256":"'
    manifest.write_text(text.replace(line + digest, line + "0" * 64), encoding="utf-8")
    before = tree(site)
    kinds = [(row["kind"], row["path"]) for row in rows_of(site, "--repair")[:-1]]
    assert kinds == [("changed", GRAPH_COPY), ("unequal copies", GRAPH)]
    assert tree(site) == before


def test_faults_come_in_order(site: Path) -> None:
    """First the manifest, then listed files by path, extra ones by path, names that are alike."""
    put(site, {"zz.txt": b"", "Index.html": b"", ".staging/x": b"", GRAPH_COPY: b"{"})
    (site / "index.html").unlink()
    (site / "404.html").write_bytes(b"x")
    manifest = site / "manifest.json"
    text = manifest.read_text(encoding="utf-8").replace("text/plain", "x/y", 1)
    manifest.write_text(text, encoding="utf-8")
    listed = json.loads(text)["files"]
    other_type = next(row["path"] for row in listed if row["media_type"].startswith("x/y"))
    assert [(row["kind"], row["path"]) for row in rows_of(site)[:-1]] == [
        ("unfinished build", ".staging"),
        ("media type", other_type),
        ("wrong length", "404.html"),
        ("wrong length", GRAPH_COPY),
        ("missing", "index.html"),
        ("extra", "Index.html"),
        ("extra", "zz.txt"),
        ("portability", "Index.html"),
    ]


def test_repair_waits_for_no_build(site: Path) -> None:
    """A site that a build holds, or has to finish, is refused; so is a folder that is no site."""
    (site / BUNDLE).unlink()
    with open_site(site):
        done = run(site, "--repair")
        assert done.exit_code == ExitCode.OUTPUT
        assert "one that is running" in done.stderr
    put(site / ".staging", {"journal": b""})
    done = run(site, "--repair")
    assert (done.exit_code, done.stdout) == (ExitCode.OUTPUT, "")
    assert "run `pith-mirror build`, which finishes it" in done.stderr
    assert (site / ".staging" / "journal").exists()
    assert not (site / BUNDLE).exists()
    done = run(put(site.parent / "none", {"x": b""}), "--repair")
    assert done.exit_code == ExitCode.OUTPUT
    assert tree(site.parent / "none") == {"x": b""}


def test_disk_that_takes_nothing_ends_the_repair(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is an error of ours, and leaves what was there and no rest."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (site / BUNDLE).write_bytes(b"x")
    before = tree(site)
    monkeypatch.setattr(os, "fsync", full)
    done = run(site, "--repair")
    assert done.exit_code == ExitCode.OUTPUT
    assert "No space left on device" in done.stderr
    assert tree(site) == before


def test_site_of_its_bundles_is_not_stale(site: Path) -> None:
    """A site is not stale against the bundles it was built from."""
    assert stale(site) == []


def test_changed_new_and_gone_records_are_stale(site: Path) -> None:
    """A bundle that gained an event, one that is new and one that is gone are each named."""
    bundles = site.parent / "bundles"
    (bundles / "b.json").unlink()
    assert stale(site) == [(OF_OTHER, "one whose bundles are gone or rejected")]
    put(bundles, {"a.json": compact(bundle_of(PAPER, NOTES[0]))})
    build(bundles, site)
    assert stale(site) == []
    put(bundles, {"a.json": compact(bundle_of()), "b.json": compact(bundle_of(OTHER))})
    assert sorted(stale(site)) == sorted(
        [(BUNDLE, "the bundles of the record changed"), (OF_OTHER, "its bundle is new")]
    )


def test_rejected_bundle_is_no_record(site: Path) -> None:
    """A bundle that is rejected now makes its record stale; a badge without a record does not."""
    bundles = site.parent / "bundles"
    put(bundles, {"b.json": compact(edited(bundle_of(OTHER), ("canonical_sha256", "0" * 64)))})
    assert stale(site) == [(OF_OTHER, "one whose bundles are gone or rejected")]
    build(bundles, site)
    assert stale(site) == []


def test_copies_are_united_as_a_build_does(site: Path) -> None:
    """Several copies of a record are stale only if their union is not what the site serves."""
    parts = [compact(bundle_with(RECORD, [creation_of(RECORD), note])) for note in NOTES]
    bundles = put(site.parent / "bundles", {"a.json": parts[0], "c.json": parts[1]})
    assert stale(site) == [(BUNDLE, "the bundles of the record changed")]
    build(bundles, site)
    assert stale(site) == []
    put(bundles, {"d.ndjson": b"\n".join([parts[1], parts[0]])})
    assert stale(site) == []
    put(bundles, {"e.json": parts[2]})
    assert stale(site) == [(BUNDLE, "the bundles of the record changed")]


def test_folder_without_bundles_is_an_input_error(site: Path) -> None:
    """An empty or missing folder of bundles is refused before anything is read."""
    for name in ("empty", "missing"):
        if name == "empty":
            (site.parent / name).mkdir()
        done = run(site, "--bundles", str(site.parent / name), "--config", str(CONFIGURATION))
        assert (done.exit_code, done.stdout) == (ExitCode.INPUT, "")

"""`--strict` turns any fault into a refusal, before anything in the site changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.errors import ExitCode
from tests.factories import put, tree
from tests.vectors.builders import OTHER, PAPER, bundle_of, compact, event_of, record_of, signed
from tests.vectors.reading import BUNDLES, CONFIGURATION

GOOD = compact(bundle_of())
NOTE = signed(event_of(record_of(OTHER), "note", {}))
FAULTY: dict[str, bytes] = {
    "rejected": GOOD[:1000],
    "unreadable archive": b"x",
    "failed event": compact(bundle_of(OTHER, {**NOTE, "payload": {"n": 1}})),
    "wrong title": (BUNDLES / "v10-title-of-another-record.json").read_bytes(),
    "wrong claimed state": compact({**bundle_of(OTHER), "state": {"event_count": 9}}),
}


def strict(folder: Path, *options: str) -> Result:
    """Build the site of a folder strictly."""
    paths = ["--bundles", str(folder / "bundles"), "--site", str(folder / "site")]
    return CliRunner().invoke(
        main, ["build", *paths, "--config", str(CONFIGURATION), "--strict", *options]
    )


def marks(site: Path) -> dict[str, tuple[int, int]]:
    """Give inode and time of every file and folder of a site."""
    status = {path: path.lstat() for path in [site, *site.rglob("*")]}
    return {str(path): (s.st_ino, s.st_mtime_ns) for path, s in status.items() if path != site}


@pytest.mark.parametrize("kind", list(FAULTY))
def test_fault_leaves_the_site_as_it_was(kind: str, tmp_path: Path) -> None:
    """With one faulty bundle among new good ones, no byte, inode or time of the site changes."""
    put(tmp_path / "bundles", {"a.json": GOOD})
    assert strict(tmp_path).exit_code == ExitCode.OK
    put(tmp_path / "site", {"mine.txt": b"mine"})
    before, marked = tree(tmp_path / "site"), marks(tmp_path / "site")
    ending = "zip" if kind == "unreadable archive" else "json"
    put(tmp_path / "bundles", {"b.json": compact(bundle_of(OTHER)), f"c.{ending}": FAULTY[kind]})
    result = strict(tmp_path)
    assert result.exit_code == ExitCode.STRICT
    assert "nothing was written (--strict)" in result.stdout
    assert f"c.{ending}: " in result.stderr
    assert tree(tmp_path / "site") == before
    assert marks(tmp_path / "site") == marked


def test_first_strict_build_with_a_fault_makes_no_site(tmp_path: Path) -> None:
    """Where there was no site, a refusal leaves nothing that could be uploaded."""
    put(tmp_path / "bundles", {"a.json": GOOD, "b.json": GOOD[:1000]})
    assert strict(tmp_path).exit_code == ExitCode.STRICT
    assert tree(tmp_path / "site") == {}


def test_uncheckable_events_are_no_fault(tmp_path: Path) -> None:
    """What cannot be checked did not fail: real bundles, whose snapshots nobody signed, pass."""
    carried = compact(bundle_of(PAPER, event_of(record_of(PAPER), "note", {})))
    put(tmp_path / "bundles", {"a.json": carried})
    result = strict(tmp_path)
    assert result.exit_code == ExitCode.OK
    assert "1 partly checkable" in result.stdout
    assert (tmp_path / "site" / "index.html").exists()


def test_strict_and_plain_build_write_the_same_site(tmp_path: Path) -> None:
    """Without a fault the option changes nothing."""
    put(tmp_path / "bundles", {"a.json": GOOD, "b.json": compact(bundle_of(OTHER))})
    assert strict(tmp_path).exit_code == ExitCode.OK
    paths = ["--bundles", str(tmp_path / "bundles"), "--site", str(tmp_path / "plain")]
    plain = CliRunner().invoke(main, ["build", *paths, "--config", str(CONFIGURATION)])
    assert plain.exit_code == ExitCode.OK
    assert tree(tmp_path / "plain") == tree(tmp_path / "site")


def test_site_in_use_is_told_apart_from_a_refusal(tmp_path: Path) -> None:
    """A site that cannot be written is an output error also in a strict build."""
    put(tmp_path / "bundles", {"a.json": GOOD})
    put(tmp_path / "site", {"thesis.tex": b"x"})
    assert strict(tmp_path).exit_code == ExitCode.OUTPUT
    assert tree(tmp_path / "site") == {"thesis.tex": b"x"}

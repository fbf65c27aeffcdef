"""`pith-mirror merge`: the bytes of the union, what is told, every exit code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.commands import put, run, run_tested
from tests.factories import tar_of
from tests.statement_bundles import bundle, citation, numbered, say
from tests.vectors.builders import OTHER, Json, compact, edited

REPOSITORY = Path(__file__).resolve().parents[2]
REAL = REPOSITORY / "bundles" / "25YK7L2RIECSQVFXE2XY6P4TVQ.json"
FIRST = say("citation", citation(OTHER))
SECOND = say("citation", citation(numbered(1)), day=19)


@pytest.fixture(name="halves")
def _halves(tmp_path: Path) -> tuple[Path, Path]:
    """Two bundles of one record, each with an event that the other lacks."""
    put(tmp_path / "a", record=bundle(FIRST))
    put(tmp_path / "b", record=bundle(SECOND))
    return tmp_path / "a" / "record.json", tmp_path / "b" / "record.json"


def test_union_goes_to_stdout_and_the_summary_to_stderr(halves: tuple[Path, Path]) -> None:
    """Without --out the bytes alone are on stdout, and stderr tells what was united."""
    done = run_tested("merge", *halves)
    assert done.code == 0
    first, second, union, record, state = done.stderr.splitlines()
    assert first == f"{halves[0]}: 3 events"
    assert second == f"{halves[1]}: 3 events"
    assert union == "union: 4 events, spelled anew"
    assert record.endswith(": verified")
    assert state.startswith("state_sha256 ")
    assert done.stdout.startswith(b'{"bundle_type":"pith_open_graph_bundle"')
    assert not done.stdout.endswith(b"\n")


def test_order_of_the_files_changes_no_byte(halves: tuple[Path, Path]) -> None:
    """A B and B A give the same bytes."""
    assert run_tested("merge", *halves).stdout == run_tested("merge", *reversed(halves)).stdout


def test_union_verifies_and_is_its_own_union(halves: tuple[Path, Path], tmp_path: Path) -> None:
    """The file that --out names verifies, and uniting it with its parts gives its own bytes."""
    out = tmp_path / "union.json"
    assert run_tested("merge", *halves, "--out", out).stdout == b""
    assert run_tested("verify", out).code == 0
    assert run_tested("merge", *halves, out).stdout == out.read_bytes()
    assert run_tested("diff", halves[0], out).code == 0
    assert run_tested("diff", out, halves[0]).code == 3


def test_out_replaces_a_file_and_leaves_nothing_else(
    halves: tuple[Path, Path], tmp_path: Path
) -> None:
    """An existing file, even one of the parts, is replaced whole; no temporary file stays."""
    part, other = halves
    expected = run_tested("merge", *halves).stdout
    assert run_tested("merge", part, other, "--out", part).code == 0
    assert part.read_bytes() == expected
    link = tmp_path / "link.json"
    link.symlink_to(other)
    assert run_tested("merge", part, "--out", link).code == 0
    assert link.is_symlink()
    assert other.read_bytes() == expected
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        *("a", "b", "link.json", "record.json", "record.json")
    ]


def test_real_bundle_is_its_own_union() -> None:
    """A real bundle comes out byte for byte under the registry's real key."""
    done = run("merge", REAL, REAL, "--config", REPOSITORY / "mirror.toml")
    assert done.code == 0
    assert done.stdout == REAL.read_bytes()
    assert f"union: 2 events, the bytes of {REAL}" in done.stderr


def test_archive_may_hold_the_parts(halves: tuple[Path, Path], tmp_path: Path) -> None:
    """A file of several bundles counts as its members."""
    archive = tmp_path / "parts.tar"
    archive.write_bytes(tar_of((f"{i}.json", half.read_bytes()) for i, half in enumerate(halves)))
    done = run_tested("merge", archive)
    assert done.stdout == run_tested("merge", *halves).stdout
    assert f"{archive}!0.json: 3 events" in done.stderr


def test_union_with_a_failed_event_is_written_with_code_3(tmp_path: Path) -> None:
    """Of a copy with a failed event only the verified ones are taken; the exit code tells."""
    spoilt = edited(FIRST, ("payload.relation", "refutes"))
    folder = put(tmp_path, a=bundle(spoilt), b=bundle(SECOND))
    done = run_tested("merge", folder / "a.json", folder / "b.json")
    assert done.code == 3
    assert done.stdout
    assert "checks failed" in done.stderr


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (edited(bundle(), ("canonical_sha256", "0" * 64)), "(V4, content address), found 0000"),
        (b"{", "(V1, size and strict JSON)"),
        (b"\x1b[2J", "(V1, size and strict JSON)"),
    ],
)
def test_rejected_bundle_ends_with_code_3_and_no_output(
    tmp_path: Path, value: Json | bytes, words: str
) -> None:
    """Nothing is written when a part is rejected; the message names it and the check."""
    folder = put(tmp_path, good=bundle(), wrong=value)
    out = tmp_path / "out.json"
    done = run_tested("merge", folder / "good.json", folder / "wrong.json", "--out", out)
    assert (done.code, done.stdout) == (3, b"")
    assert str(folder / "wrong.json") in done.stderr
    assert words in done.stderr
    assert "\x1b" not in done.stderr
    assert not out.exists()


def test_file_that_cannot_be_unpacked_ends_with_code_3(tmp_path: Path) -> None:
    """A part that is no archive although its name says so is a part that is rejected."""
    path = tmp_path / "parts.tar"
    path.write_bytes(b"no archive" * 100)
    done = run_tested("merge", path)
    assert (done.code, done.stdout) == (3, b"")


def test_bundles_of_two_records_end_with_code_6(tmp_path: Path) -> None:
    """Different records are refused, and the message names both."""
    folder = put(tmp_path, a=bundle(), b=bundle(paper=OTHER))
    done = run_tested("merge", folder / "a.json", folder / "b.json")
    assert (done.code, done.stdout) == (6, b"")
    assert "expected a bundle of pith:2023:" in done.stderr
    assert "found one of pith:2012:" in done.stderr


def test_empty_archive_ends_with_code_3(tmp_path: Path) -> None:
    """An archive that gives no bundle is a part that cannot be read."""
    path = tmp_path / "parts.tar"
    path.write_bytes(tar_of([]))
    assert run_tested("merge", path).code == 3


@pytest.mark.parametrize("arguments", [(), ("missing.json",), (str(REAL), "--out")])
def test_wrong_command_line_ends_with_code_2(arguments: tuple[str, ...]) -> None:
    """No file, a missing one and an option without its value are usage errors."""
    assert run("merge", *arguments).code == 2


def test_wrong_configuration_ends_with_code_5(tmp_path: Path) -> None:
    """A wrong mirror.toml stops the command before anything is read."""
    (tmp_path / "mirror.toml").write_text("x = 1")
    assert run("merge", REAL, "--config", tmp_path / "mirror.toml").code == 5
    assert run("merge", REAL, "--config", tmp_path / "none.toml").code == 5


def test_place_that_cannot_be_written_ends_with_code_7(tmp_path: Path) -> None:
    """A missing folder, a pipe and a name too long are output errors; nothing is replaced."""
    bundles = put(tmp_path, a=bundle())
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for out in (tmp_path / "none" / "x.json", pipe, tmp_path / ("x" * 300)):
        done = run_tested("merge", bundles / "a.json", "--out", out)
        assert (done.code, done.stdout) == (7, b"")
        assert out.name[:20] in done.stderr
    assert pipe.is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "pipe"]


def test_hostile_file_name_is_quoted(tmp_path: Path) -> None:
    """A file name with an escape sequence cannot reach the terminal through a message."""
    path = tmp_path / "\x1b[31m\u202ered.json"
    path.write_bytes(compact(bundle()))
    done = run_tested("merge", path)
    assert done.code == 0
    assert "\x1b" not in done.stderr
    assert "\u202e" not in done.stderr

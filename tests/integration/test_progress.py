"""Progress as a terminal gets it: a real pseudo-terminal, a real process, real signals."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.generate_bundles import write_bundles
from generator.build import BuildOptions, build_site
from generator.progress import Progress, Stage
from tests.factories import BUNDLES, REAL_MIRROR, ROOT, TEMPLATES, put

_COLOUR = re.compile(rb"\x1b\[[0-9;:]*m")
_HIDE, _SHOW = b"\x1b[?25l", b"\x1b[?25h"


@dataclass(frozen=True)
class Run:
    """What a build left on the terminal, and beside it."""

    code: int
    terminal: bytes
    stdout: bytes


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough bundles for a build that lasts longer than half a second."""
    path = tmp_path_factory.mktemp("many") / "bundles.ndjson"
    write_bundles(path, 150)
    return path


def build_in_terminal(
    bundles: Path,
    site: Path,
    *options: str,
    env: dict[str, str] | None = None,
    on_output: Callable[[subprocess.Popen[bytes], bytes], None] = lambda _process, _output: None,
) -> Run:
    """Build with stderr on a pseudo-terminal of its own."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "generator", "build", "--bundles", str(bundles)]
    variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with subprocess.Popen(
        [*command, "--site", str(site), *options],
        cwd=ROOT,
        env={**variables, "TERM": "xterm-256color", **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        output = b""
        while piece := _read(ours):
            output += piece
            on_output(process, output)
        os.close(ours)
        stdout = process.stdout.read() if process.stdout else b""
        return Run(process.wait(), output, stdout)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says EIO once nobody has the other end
        return b""


def test_terminal_shows_stages_and_rate(bundles: Path, tmp_path: Path) -> None:
    """In a terminal each stage has a row with count and rate."""
    run = build_in_terminal(bundles, tmp_path / "site", "--jobs", "1")
    assert run.code == 0
    plain = _COLOUR.sub(b"", run.terminal).decode()
    assert re.search(r"records +\d+ +[\d,.]+/s", plain)
    assert re.search(r"site pages +[\d,]+ ", plain)
    assert re.search(r"writing +[\d,]+ ", plain)
    assert _COLOUR.search(run.terminal)


def test_display_leaves_stdout_and_the_terminal_as_they_were(bundles: Path, tmp_path: Path) -> None:
    """Results are the same with and without it; its rows are gone and the cursor is there."""
    shown = build_in_terminal(bundles, tmp_path / "a", "--json")
    silent = build_in_terminal(bundles, tmp_path / "b", "--json", "--no-progress")
    assert silent.terminal == b""
    assert shown.stdout == silent.stdout
    assert shown.terminal.endswith(b"\x1b[1A\x1b[2K")
    assert shown.terminal.rfind(_SHOW) > shown.terminal.rfind(_HIDE)


def test_no_colour_where_none_is_wanted(bundles: Path, tmp_path: Path) -> None:
    """With NO_COLOR the display stays and no escape sequence for colour is sent."""
    run = build_in_terminal(bundles, tmp_path / "site", env={"NO_COLOR": "1"})
    assert b"records" in run.terminal
    assert not _COLOUR.search(run.terminal)


def test_dumb_terminal_gets_plain_lines(bundles: Path, tmp_path: Path) -> None:
    """A terminal that cannot move its cursor gets lines without any escape sequence."""
    run = build_in_terminal(bundles, tmp_path / "site", env={"TERM": "dumb"})
    assert (run.code, run.terminal) == (0, b"")


def test_interrupted_build_leaves_the_cursor(bundles: Path, tmp_path: Path) -> None:
    """Ctrl-C ends the build with the cursor visible and nothing moved into the site."""
    sent = False

    def interrupt(process: subprocess.Popen[bytes], output: bytes) -> None:
        nonlocal sent
        if not sent and re.search(rb"/s", output):
            sent = True
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group

    run = build_in_terminal(bundles, tmp_path / "site", "--jobs", "2", on_output=interrupt)
    assert run.code == 1
    assert run.terminal.endswith(b"Aborted!\r\n")
    assert run.terminal.rfind(_SHOW) > run.terminal.rfind(_HIDE)
    assert not (tmp_path / "site" / "index.html").exists()


def test_killed_build_leaves_the_cursor(bundles: Path, tmp_path: Path) -> None:
    """The cursor is never hidden longer than a moment, so even a kill leaves it visible."""

    def kill(process: subprocess.Popen[bytes], output: bytes) -> None:
        if b"/s" in output:
            process.kill()

    run = build_in_terminal(bundles, tmp_path / "site", "--jobs", "1", on_output=kill)
    assert run.code == -signal.SIGKILL
    assert run.terminal.rfind(_SHOW) > run.terminal.rfind(_HIDE)


def test_names_cannot_speak_to_the_terminal(bundles: Path, tmp_path: Path) -> None:
    """A fault is printed above the display, and no control character of its file's name is."""
    name = "\x1b]0;owned\x07\r\x9b2J[red]\u202e.json"
    folder = put(tmp_path / "bundles", {name: b"{}", "z.ndjson": bundles.read_bytes()})
    config = ("--config", str(bundles.parent / "mirror.toml"))
    run = build_in_terminal(folder, tmp_path / "site", "--jobs", "1", *config)
    assert run.code == 3
    assert b"not published" in run.terminal
    assert b"[red]" in run.terminal
    assert not re.search(rb"\x1b\]|\x07|\xc2\x9b|\xe2\x80\xae|\r\xc2|\r\[", run.terminal)


def test_build_tells_every_stage_in_order(tmp_path: Path) -> None:
    """A build tells its stages once each, in their order, and counts each from nothing upwards."""
    told: list[Progress] = []
    folder = put(tmp_path / "bundles", {p.name: p.read_bytes() for p in BUNDLES.glob("*.json")})
    options = BuildOptions(folder, tmp_path / "site", (TEMPLATES,))
    summary = build_site(options, REAL_MIRROR, on_progress=told.append)
    stages = list(dict.fromkeys(progress.stage for progress in told))
    assert stages == list(Stage)
    for stage in Stage:
        counts = [progress.done for progress in told if progress.stage is stage]
        assert counts == list(range(len(counts)))
    assert summary.written is not None
    last = told[-1]
    # A folder that is new is moved in at once, with all that is in it.
    assert last.done == last.total
    assert 0 < last.done < summary.written.written

"""Records are worked on by several processes: the same site, and no process or lock left behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.generate_bundles import write_bundles
from generator.build import BuildOptions, build_site
from generator.config import parse_configuration
from generator.errors import OutputError, RenderError
from generator.layout import STATE_FOLDER
from generator.listing_pages import ReportEntry
from generator.load import PlacedBundle
from generator.record_builder import BuiltBundle, RecordBuilder
from generator.resources import templates_folder
from tests.factories import ROOT, put, tree
from tests.statement_bundles import bundle, citation, numbered, say
from tests.vectors.builders import OTHER, PAPER, compact
from tests.vectors.reading import CONFIGURATION

COUNT = 150  # some batches for each of three processes
_PATIENCE = 60  # seconds that a process may take to end


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with bundles of many records, and beside it their mirror.toml."""
    folder = tmp_path_factory.mktemp("many") / "bundles"
    write_bundles(folder, COUNT)
    return folder


def mirror_of(bundles: Path) -> Path:
    """Name the configuration that `write_bundles` put beside the bundles."""
    return next(bundles.parent.rglob("mirror.toml"))


def build(
    bundles: Path, site: Path, *, jobs: int, mirror: Path, templates: Path | None = None
) -> int:
    """Build a site; gives the number of files written."""
    configuration = parse_configuration(mirror.read_bytes(), name=mirror.name)
    folders = (*((templates,) if templates else ()), templates_folder())
    options = BuildOptions(bundles, site, folders, jobs=jobs)
    summary = build_site(options, configuration)
    return summary.written.written if summary.written else 0


def linked(folder: Path) -> Path:
    """Write many records that cite one another, copies of one that differ, and a broken bundle."""
    lines = [
        compact(bundle(say("citation", citation(OTHER), paper=paper), paper=paper))
        for paper in map(numbered, range(COUNT))
    ]
    files = {
        "all.ndjson": b"\n".join(lines),
        "b.json": compact(bundle(paper=OTHER)),
        "c.json": compact(bundle(say("citation", citation(OTHER)), paper=PAPER)),
        "d.json": compact(bundle(paper=PAPER)),
        "e.json": b"{",
    }
    return put(folder / "bundles", files)


def test_number_of_processes_does_not_change_the_site(tmp_path: Path) -> None:
    """One process and three write the same bytes, and find nothing to do in each other's site."""
    bundles = linked(tmp_path)
    build(bundles, tmp_path / "one", jobs=1, mirror=CONFIGURATION)
    build(bundles, tmp_path / "three", jobs=3, mirror=CONFIGURATION)
    assert tree(tmp_path / "one") == tree(tmp_path / "three")
    assert build(bundles, tmp_path / "one", jobs=3, mirror=CONFIGURATION) == 0


def test_faults_come_in_the_order_of_loading(tmp_path: Path) -> None:
    """Several processes tell of faulty bundles in the order in which one would."""
    bundles = put(tmp_path / "bundles", {f"{n:03}.json": b"{" for n in range(COUNT)})
    orders = []
    for jobs in (1, 3):
        seen: list[ReportEntry] = []
        build_site(
            BuildOptions(bundles, tmp_path / str(jobs), (templates_folder(),), jobs=jobs),
            parse_configuration(CONFIGURATION.read_bytes(), name="mirror.toml"),
            on_fault=seen.append,
        )
        orders.append([report.origin for report in seen])
    assert orders[0] == orders[1] == sorted(path.name for path in bundles.iterdir())


def test_killed_worker_leaves_the_site(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that is killed ends the build with an error; the old site stays as it was."""
    site, mirror = tmp_path / "site", mirror_of(many)
    build(many, site, jobs=1, mirror=mirror)
    (site / "index.html").write_bytes(b"old")
    # Else nothing would be left to do for a worker.
    shutil.rmtree(site / STATE_FOLDER)
    before, parent = tree(site), os.getpid()
    healthy = RecordBuilder.build

    def dying(builder: RecordBuilder, placed: PlacedBundle) -> BuiltBundle:
        if os.getpid() != parent and placed.loaded.origin.endswith("7.json"):
            os.kill(os.getpid(), signal.SIGKILL)
        return healthy(builder, placed)

    monkeypatch.setattr(RecordBuilder, "build", dying)
    with pytest.raises(OutputError, match=r"worker process.*killed.*--jobs 1"):
        build(many, site, jobs=2, mirror=mirror)
    assert tree(site) == before
    monkeypatch.undo()
    assert build(many, site, jobs=2, mirror=mirror) == 1


def test_fault_of_a_template_crosses_processes(many: Path, tmp_path: Path) -> None:
    """A template that fails in a worker is named as in one process, and nothing is written."""
    mine = put(tmp_path / "mine", {"record.html": b"{{ page.missing }}"})
    told = []
    for jobs in (1, 2):
        with pytest.raises(RenderError) as caught:
            build(many, tmp_path / "site", jobs=jobs, mirror=mirror_of(many), templates=mine)
        told.append(str(caught.value))
        assert not (tmp_path / "site").exists()
    assert told[0] == told[1]


@pytest.fixture
def running(many: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A build by three processes that has staged its first files, in a group of its own."""
    command = [sys.executable, "-m", "generator", "build", "--jobs", "2"]
    arguments = ["--bundles", many, "--site", tmp_path / "site", "--config", mirror_of(many)]
    with subprocess.Popen(
        [*command, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        until = time.monotonic() + _PATIENCE
        while not list((tmp_path / "site" / ".staging" / "tree").glob("pith/*/*")):
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.01)
        yield process
        process.kill()


def is_alone(group: int) -> bool:
    """Tell whether all processes of a group ended within some time."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_killed_build_leaves_no_worker(
    running: subprocess.Popen[str], many: Path, tmp_path: Path
) -> None:
    """Workers end with a build that is killed and hold no lock: the next build makes the site."""
    running.kill()
    running.wait()
    assert is_alone(running.pid)
    build(many, tmp_path / "site", jobs=2, mirror=mirror_of(many))
    build(many, tmp_path / "other", jobs=1, mirror=mirror_of(many))
    assert tree(tmp_path / "site") == tree(tmp_path / "other")


def test_interrupt_ends_every_process_quietly(
    running: subprocess.Popen[str], tmp_path: Path
) -> None:
    """Ctrl-C leaves no process, no half site and no traceback."""
    os.killpg(running.pid, signal.SIGINT)
    _, told = running.communicate(timeout=_PATIENCE)
    assert running.returncode == 1
    assert "Traceback" not in told
    assert "Aborted" in told
    assert is_alone(running.pid)
    assert not (tmp_path / "site").exists()

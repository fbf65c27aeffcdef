"""A build that dies at any point leaves a site that serves, and the next build finishes it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.factories import ROOT, build, put, tree
from tests.integration.crashing import (
    KILLED,
    NEW,
    OLD,
    REFUSED,
    TOLERATED,
    UNDISTURBED,
    write_site,
)
from tests.vectors.builders import OTHER, PAPER, bundle_of, compact
from tests.vectors.reading import CONFIGURATION

# One worker runs the campaigns for all tests here.
pytestmark = pytest.mark.xdist_group("crash")

STARTS = ("update", "first")
FOREIGN = {"README.md": b"mine", "a/mine.txt": b"mine"}


def campaign(folder: Path, kind: str, start: str) -> dict[Path, int]:
    """Fail a build at every step.

    Args:
        folder: an empty one.
        kind: `kill` or `full`.
        start: `update` of an older site with foreign files, or the `first` build into nothing.

    Returns:
        The site that each attempt left, with the attempt's exit status.
    """
    if start == "update":
        write_site(folder / "site", OLD)
        put(folder / "site", FOREIGN)
    command = [sys.executable, "-m", "tests.integration.crashing", kind]
    out = folder / "out"
    out.mkdir()
    finished = subprocess.run(
        [*command, str(folder / "site"), str(out)], cwd=ROOT, capture_output=True, check=True
    )
    return {out / str(n): status for n, status in enumerate(json.loads(finished.stdout))}


@pytest.fixture(name="campaigns", scope="module")
def _campaigns(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[Path, int]]:
    kinds = [(kind, start) for kind in ("kill", "full") for start in STARTS]
    return {
        (kind, start): campaign(tmp_path_factory.mktemp(f"{kind}-{start}"), kind, start)
        for kind, start in kinds
    }


Campaigns = dict[tuple[str, str], dict[Path, int]]


def visible(site: Path) -> dict[str, bytes]:
    """Read what a reader of a site can see."""
    return {p: data for p, data in tree(site).items() if not p.startswith(".staging/")}


def expected(folder: Path, files: dict[str, bytes], *, foreign: bool) -> dict[str, bytes]:
    """Give the whole site of files, built without disturbance."""
    write_site(folder, files)
    return {**tree(folder), **(FOREIGN if foreign else {})}


def test_every_step_is_tried(campaigns: Campaigns) -> None:
    """Each campaign dies at dozens of steps and ends with a build that met no fault."""
    for (kind, _), sites in campaigns.items():
        *disturbed, last = sites.values()
        assert len(disturbed) >= 25
        assert last == UNDISTURBED
        allowed = {KILLED} if kind == "kill" else {REFUSED, TOLERATED}
        assert set(disturbed) == allowed


@pytest.mark.parametrize("kind", ["kill", "full"])
def test_site_serves_whole_files_after_any_fault(
    kind: str, campaigns: Campaigns, tmp_path: Path
) -> None:
    """After a fault every file is whole, old or new, and each file of the manifest is there."""
    old = expected(tmp_path / "old", OLD, foreign=True)
    new = expected(tmp_path / "new", NEW, foreign=True)
    seen = set()
    for site in campaigns[kind, "update"]:
        found = visible(site)
        assert all(data in (old.get(path), new.get(path)) for path, data in found.items())
        assert found.keys() >= old.keys() & new.keys()
        manifest = new if found["manifest.json"] == new["manifest.json"] else old
        assert found.keys() >= manifest.keys()
        seen.add("old" if found == old else "new" if found == new else "between")
    assert seen == {"old", "new", "between"}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("kind", ["kill", "full"])
def test_next_build_gives_the_undisturbed_site(
    kind: str, start: str, campaigns: Campaigns, tmp_path: Path
) -> None:
    """Whatever step died, building again gives the site of a build that nothing disturbed."""
    new = expected(tmp_path / "new", NEW, foreign=start == "update")
    for number, site in enumerate(campaigns[kind, start]):
        copy = tmp_path / str(number)
        if site.exists():
            shutil.copytree(site, copy)
        write_site(copy, NEW)
        assert tree(copy) == new, number


@pytest.mark.parametrize("kind", ["kill", "full"])
def test_next_build_may_be_another_one(kind: str, campaigns: Campaigns, tmp_path: Path) -> None:
    """What the dead build wanted is finished or dropped, never mixed into the next site."""
    old = expected(tmp_path / "old", OLD, foreign=True)
    for number, site in enumerate(campaigns[kind, "update"]):
        copy = tmp_path / str(number)
        shutil.copytree(site, copy)
        write_site(copy, OLD)
        assert tree(copy) == old, number


def test_full_disk_before_the_moves_leaves_no_rest(campaigns: Campaigns, tmp_path: Path) -> None:
    """A build that could not write its files aside leaves the old site, at most with its lock."""
    old = expected(tmp_path / "old", OLD, foreign=True)
    refused = [site for site, status in campaigns["full", "update"].items() if status == REFUSED]
    early = [tree(site) for site in refused if not (site / ".staging" / "journal").exists()]
    assert len(early) >= 5
    assert all(found.items() >= old.items() for found in early)
    assert all(found.keys() - old.keys() <= {".staging/lock"} for found in early)


def test_cut_journal_is_dropped(campaigns: Campaigns, tmp_path: Path) -> None:
    """A journal that was not written to its end moves nothing; the next build starts anew."""
    old = expected(tmp_path / "old", OLD, foreign=True)
    new = expected(tmp_path / "new", NEW, foreign=True)
    whole = (site for site in campaigns["kill", "update"] if journal_of(site).endswith(b'""]\n'))
    dead = next(whole)
    journal = journal_of(dead)
    assert visible(dead) == old
    assert len(journal) > 200
    for length in range(0, len(journal) - 1, 3):
        copy = tmp_path / f"cut-{length}"
        shutil.copytree(dead, copy)
        (copy / ".staging" / "journal").write_bytes(journal[:length])
        write_site(copy, OLD if length % 2 else NEW)
        assert tree(copy) == (old if length % 2 else new)


def journal_of(site: Path) -> bytes:
    """Read the journal that a dead build left, as far as it got."""
    journal = site / ".staging" / "journal"
    return journal.read_bytes() if journal.exists() else b""


BUILD = """
    import sys
    from generator.cli import main
    from tests.integration.crashing import _Fault
    fault = _Fault(int(sys.argv[1]), "kill")
    try:
        main(["build", "--bundles", sys.argv[2], "--site", sys.argv[3], "--config", sys.argv[4]])
    finally:
        print(-fault.left)
"""


def run_build(step: int, folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Run the command, killed at a step."""
    arguments = [str(step), str(folder / "bundles"), str(site), str(CONFIGURATION)]
    command = [sys.executable, "-c", textwrap.dedent(BUILD), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_killed_command_leaves_the_old_site_and_is_finished(tmp_path: Path) -> None:
    """The real command, killed while loading, rendering, moving and cleaning, is finished later."""
    put(tmp_path / "bundles", {"a.json": compact(bundle_of(PAPER))})
    build(tmp_path / "bundles", tmp_path / "old")
    put(tmp_path / "bundles", {"b.json": compact(bundle_of(OTHER))})
    build(tmp_path / "bundles", tmp_path / "new")
    old, new = tree(tmp_path / "old"), tree(tmp_path / "new")
    counting = tmp_path / "counting"
    shutil.copytree(tmp_path / "old", counting)
    steps = 10**6 + int(run_build(10**6, tmp_path, counting).stdout.split()[-1])
    for part in (0.0, 0.2, 0.45, 0.6, 0.8, 0.97):
        site = tmp_path / f"at-{part}"
        shutil.copytree(tmp_path / "old", site)
        assert run_build(1 + int(part * (steps - 1)), tmp_path, site).returncode == KILLED
        found = visible(site)
        assert found.keys() >= old.keys() & new.keys()
        assert all(data in (old.get(path), new.get(path)) for path, data in found.items())
        build(tmp_path / "bundles", site)
        assert tree(site) == new

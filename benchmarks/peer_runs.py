"""The commands that `peers.py` compares, each run at one place as often as is wanted."""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.generate_bundles import LAST_REVISION, bundles, change_bundle, write_bundles
from benchmarks.hugo_records import FORMS, hugo_command, prepare, visible_length
from benchmarks.machine import kind_of_place
from benchmarks.peer_tables import megabytes
from benchmarks.timing import Timed, median_of, timed

HERE = Path(__file__).resolve().parent
_PAGES_READ = 50


@dataclass(frozen=True, slots=True)
class Bench:
    """What every measurement needs."""

    count: int
    runs: int
    form: str
    profiles: tuple[str, ...]
    cores: tuple[int, ...]
    hugo: str
    copy: str
    takes_profile: bool  # whether `pith-mirror build` knows --profile

    def bundles_in(self, folder: Path) -> Path:
        """Name the input of a folder."""
        return folder / ("bundles.ndjson" if self.form == "ndjson" else "bundles")

    def build_command(self, folder: Path, site: Path, profile: str) -> list[str | Path]:
        """Spell the command of one build."""
        command: list[str | Path] = [sys.executable, "-m", "generator", "build"]
        command += ["--bundles", self.bundles_in(folder), "--site", site]
        command += ["--config", folder / "mirror.toml", "--jobs", str(len(self.cores))]
        profiled = ["--profile", profile] if self.takes_profile else []
        return [*command, "--no-progress", *profiled]


class Runs:
    """Every single run, by the name of its command."""

    def __init__(self) -> None:
        """Start with none."""
        self._runs: dict[str, list[Timed]] = {}

    def add(self, name: str, run: Timed) -> None:
        """Note a run."""
        self._runs.setdefault(name, []).append(run)
        print(f"{name}: {run.seconds:.2f} s, {megabytes(run.peak):.0f} MB", file=sys.stderr)

    def medians(self) -> dict[str, Timed]:
        """Give the medians, in the order in which commands were first run."""
        return {name: median_of(runs) for name, runs in self._runs.items()}


@contextmanager
def folder_of_our_own(parent: Path) -> Iterator[Path]:
    """Make a folder that is gone at the end, also after Ctrl-C.

    Args:
        parent: where.

    Returns:
        The folder.
    """
    with tempfile.TemporaryDirectory(prefix="pith-bench-", dir=parent) as name:
        yield Path(name).resolve()


def measure(bench: Bench, parent: Path) -> tuple[dict[str, Timed], list[str]]:
    """Run every command at one place, `runs` times.

    Args:
        bench: what to measure.
        parent: where to work.

    Returns:
        The medians by name, and what is to be said of the sites of the first run.
    """
    with folder_of_our_own(parent) as folder:
        write_bundles(bench.bundles_in(folder), bench.count)
        for form in FORMS:
            made = (data for _, data in bundles(bench.count))
            prepare(made, folder / f"hugo-{form}", form=form)
        runs = Runs()
        words: dict[str, str] = {}
        for run in range(bench.runs):
            for profile in bench.profiles:
                told = _run_build(bench, folder, profile, runs, revision=run + 1)
                words.setdefault(profile, told)
            words.setdefault("Hugo", _run_hugo(bench, folder, runs))
        return runs.medians(), list(words.values())


def _run_build(bench: Bench, folder: Path, profile: str, runs: Runs, *, revision: int) -> str:
    site = folder / "site"
    command = bench.build_command(folder, site, profile)
    runs.add(f"cold build, {profile}", _settled(command, folder))
    words = _site_words(site, f"{profile} profile")
    if profile == bench.profiles[0]:
        copying = (bench.copy, "-r", site, folder / "copy")
        runs.add(f"cp -r of the site, {profile}", _settled(copying, folder))
        shutil.rmtree(folder / "copy")
        runs.add(f"nothing changed, {profile}", _settled(command, folder))
        # Another revision than the one that is there, whatever the run.
        turn = 1 + (revision - 1) % LAST_REVISION
        change_bundle(bench.bundles_in(folder), bench.count // 2, revision=turn)
        runs.add(f"one bundle changed, {profile}", _settled(command, folder))
    shutil.rmtree(site)
    return words


def _run_hugo(bench: Bench, folder: Path, runs: Runs) -> str:
    words = ""
    for form in FORMS:
        site = folder / "hugo-site"
        command = hugo_command(bench.hugo, folder / f"hugo-{form}", site)
        runs.add(f"Hugo, {form}", _settled(command, folder))
        pages = sum(1 for _ in site.glob("pith/*/index.html"))
        if pages != bench.count:
            raise SystemExit(f"Hugo made {pages} pages of {bench.count} records")
        words = _site_words(site, "Hugo")
        shutil.rmtree(site)
    return words


def _settled(command: Sequence[str | Path], folder: Path) -> Timed:
    if kind_of_place(folder) == "disk":
        # Else the disk still writes what the last command left, at the cost of this one.
        os.sync()
    return timed(command, cwd=HERE.parent)


def _site_words(site: Path, name: str) -> str:
    lengths = [path.stat().st_size for path in site.rglob("*") if path.is_file()]
    pages = sorted(islice(site.glob("pith/*/index.html"), _PAGES_READ))
    if not pages:
        return f"{name}: {len(lengths):,} files, {sum(lengths):,} bytes"
    texts = [page.read_text(encoding="utf-8") for page in pages]
    whole = statistics.mean(len(text.encode()) for text in texts)
    seen = statistics.mean(map(visible_length, texts))
    return (
        f"{name}: {len(lengths):,} files, {sum(lengths):,} bytes;"
        f" a record page has {whole:,.0f} bytes, {seen:,.0f} of them to read"
    )

"""Measure a build stage by stage, beside the machine's own speed: `make bench-stages`.

    python benchmarks/run.py [--count N] [--runs N] [--form folder|ndjson] [--work DIR]

Every run makes a new site and then builds it a second time with nothing changed; the medians are
shown. Peers are measured in the same run and the results told as ratios, since seconds of one
machine say nothing about another.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

HERE = Path(__file__).resolve().parent
if __package__ in {None, ""}:
    sys.path.insert(0, str(HERE.parent))

from benchmarks.generate_bundles import DEFAULT_COUNT, SIGNATURES, write_bundles  # noqa: E402
from benchmarks.machine import commit, machine, openssl_rate, work_folder  # noqa: E402
from benchmarks.stages import STAGES, VERIFY, WRITE  # noqa: E402


@dataclass(frozen=True, slots=True)
class Measurement:
    """One build: seconds by stage, of the clock and of the processor, files, peak memory."""

    records: int
    faulty: int
    wall: float
    processor: float
    seconds: dict[str, float]
    files: int
    written: int
    peak_rss_mib: float
    worker_rss_mib: float  # of the largest process that the build started


def measure(bundles: Path, site: Path, *, jobs: int = 1) -> Measurement:
    """Build a site in a process of its own, since peak memory never goes down again.

    Args:
        bundles: the input.
        site: the output.
        jobs: processes that work on records; stages are told apart only for one.

    Returns:
        What it took.
    """
    command = [sys.executable, str(HERE / "stages.py"), str(bundles), str(site), str(jobs)]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    finished = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return Measurement(**json.loads(finished.stdout))


def median_of(runs: list[Measurement]) -> Measurement:
    """Take the median of each number by itself.

    Args:
        runs: one or more.

    Returns:
        The medians.
    """
    first = runs[0]
    return Measurement(
        records=first.records,
        faulty=first.faulty,
        wall=statistics.median(run.wall for run in runs),
        processor=statistics.median(run.processor for run in runs),
        seconds={stage: statistics.median(run.seconds[stage] for run in runs) for stage in STAGES},
        files=first.files,
        written=first.written,
        peak_rss_mib=statistics.median(run.peak_rss_mib for run in runs),
        worker_rss_mib=statistics.median(run.worker_rss_mib for run in runs),
    )


def copy_seconds(site: Path, target: Path) -> float | None:
    """Time a plain `cp -r` of the built site, and remove the copy.

    Args:
        site: the built site.
        target: a place that does not exist, on the same file system.

    Returns:
        Seconds, or None where there is no `cp`.
    """
    program = shutil.which("cp")
    if program is None:
        return None
    started = perf_counter()
    subprocess.run([program, "-r", str(site), str(target)], check=True)
    seconds = perf_counter() - started
    shutil.rmtree(target)
    return seconds


def table(first: Measurement, again: Measurement) -> str:
    """Spell the seconds by stage.

    Args:
        first: of a new site.
        again: of the same site, nothing changed.

    Returns:
        A Markdown table.
    """
    lines = ["| stage | new site, s | nothing changed, s |", "| --- | ---: | ---: |"]
    lines += [
        f"| {stage} | {first.seconds[stage]:.2f} | {again.seconds[stage]:.2f} |" for stage in STAGES
    ]
    rates = tuple(run.records / run.wall for run in (first, again))
    return "\n".join(
        (
            *lines,
            f"| **wall** | **{first.wall:.2f}** | **{again.wall:.2f}** |",
            # Much below the wall: other programs had the processor, or the disk was waited for.
            f"| processor, with start | {first.processor:.2f} | {again.processor:.2f} |",
            f"| records per second | {rates[0]:.0f} | {rates[1]:.0f} |",
            f"| peak memory, MiB | {first.peak_rss_mib:.0f} | {again.peak_rss_mib:.0f} |",
            f"| files | {first.files} | {again.files} |",
            f"| of them written | {first.written} | {again.written} |",
        )
    )


def peers(first: Measurement, *, rate: float | None, copying: float | None) -> list[str]:
    """Set the measurement beside the peers.

    Args:
        first: of a new site.
        rate: of `openssl_rate`.
        copying: of `copy_seconds`.

    Returns:
        Lines of words, one a ratio.
    """
    lines = []
    if rate is None:
        lines.append("openssl speed ed25519: not available")
    else:
        floor = SIGNATURES * first.records / rate
        lines.append(
            f"verify / OpenSSL verifying the same {SIGNATURES * first.records} signatures "
            f"({rate:.0f} a second): {first.seconds[VERIFY] / floor:.2f}"
        )
    if copying is None:
        lines.append("cp -r: not available")
    else:
        lines.append(f"write / cp -r of the site: {first.seconds[WRITE] / copying:.2f}")
        lines.append(f"whole build / cp -r of the site: {first.wall / copying:.2f}")
    return lines


def several(one: Measurement, together: Measurement, *, jobs: int) -> str:
    """Compare a build by several processes with one by one process.

    Args:
        one: a new site by one process.
        together: the same by several.
        jobs: how many.

    Returns:
        A line.
    """
    return (
        f"new site by {jobs} processes: {together.wall:.2f} s,"
        f" {together.wall / one.wall:.2f} of the time of one;"
        f" peak memory {together.peak_rss_mib:.0f} MiB, of a worker"
        f" {together.worker_rss_mib:.0f} MiB"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure a build stage by stage.")
    parser.add_argument("--count", type=int, default=DEFAULT_COUNT, help="records (%(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="runs, for medians (%(default)s)")
    parser.add_argument(
        "--form", choices=("folder", "ndjson"), default="folder", help="input (%(default)s)"
    )
    parser.add_argument("--work", type=Path, help="where to work (memory, if it has room)")
    options = parser.parse_args()
    parent = work_folder(options.count, options.work)
    with tempfile.TemporaryDirectory(prefix="pith-bench-", dir=parent) as name:
        folder = Path(name)
        bundles = folder / ("bundles.ndjson" if options.form == "ndjson" else "bundles")
        length = write_bundles(bundles, options.count)
        jobs = os.cpu_count() or 1
        new, again, together = [], [], []
        copying: float | None = None
        for run in range(options.runs):
            site = folder / "site"
            new.append(measure(bundles, site))
            again.append(measure(bundles, site))
            if run == 0:
                copying = copy_seconds(site, folder / "copy")
            shutil.rmtree(site)
            together.append(measure(bundles, site, jobs=jobs))
            shutil.rmtree(site)
            print(f"run {run + 1} of {options.runs}: {new[-1].wall:.1f} s", file=sys.stderr)
        first, second = median_of(new), median_of(again)
        print(f"{first.records} records, {length / options.count:.0f} bytes each, {options.form}")
        print(f"machine: {machine()}; commit {commit()}; medians of {options.runs}\n")
        print(table(first, second), end="\n\n")
        print(several(first, median_of(together), jobs=jobs))
        print("\n".join(peers(first, rate=openssl_rate(), copying=copying)))


if __name__ == "__main__":
    main()

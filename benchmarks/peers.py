"""Measure whole builds beside peers, in one run: `make bench`.

    python benchmarks/peers.py --date DAY [--count N] [--runs N] [--form folder|ndjson]
        [--disk DIR] [--scale [SMALL LARGE]] [--profiles compact,full]

Every command is run on the same cores, in a process of its own, one after another, the peers
between ours, so that a busy minute of the machine falls on all. What is printed is the section for
RESULTS.md. A peer that is missing ends it before anything is measured; nothing is left behind.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
if __package__ in {None, ""}:
    sys.path.insert(0, str(HERE.parent))

from benchmarks.generate_bundles import DEFAULT_COUNT, write_bundles  # noqa: E402
from benchmarks.hugo_peer import hugo_version  # noqa: E402
from benchmarks.hugo_records import FORMS, hugo_program  # noqa: E402
from benchmarks.machine import (  # noqa: E402
    commit,
    kind_of_place,
    machine,
    openssl_rate,
    program,
    use_cores,
    work_folder,
)
from benchmarks.peer_runs import Bench, folder_of_our_own, measure  # noqa: E402
from benchmarks.peer_tables import (  # noqa: E402
    Row,
    megabytes,
    ratio_table,
    seconds_table,
)
from benchmarks.timing import Timed, Watch, timed  # noqa: E402

PROFILES = ("compact", "full")
_SCALE = (10_000, 100_000)
_RATED = 1_000  # bundles whose signatures are verified over and over
_BUSY = 1.0  # load average from which times say more about other programs


def peer_rows(medians: Mapping[str, Timed], profiles: Sequence[str]) -> list[Row]:
    """Set the builds beside their peers.

    Args:
        medians: as `measure` gives them.
        profiles: the first is the one of the rebuilds.

    Returns:
        Rows 1 to 5, as far as their profiles were measured.
    """
    seconds = {name: run.seconds for name, run in medians.items()}
    hugo = min(seconds[f"Hugo, {form}"] for form in FORMS)
    main = profiles[0]
    cold, again = seconds[f"cold build, {main}"], seconds[f"nothing changed, {main}"]
    targets = {"compact": ("1", 1.0), "full": ("2", 1.6)}
    rows = [
        Row(number, f"cold build, {name} / Hugo", seconds[f"cold build, {name}"], hugo, target)
        for name, (number, target) in targets.items()
        if name in profiles
    ]
    copying = seconds[f"cp -r of the site, {main}"]
    changed = seconds[f"one bundle changed, {main}"]
    return [
        *rows,
        Row("3", f"cold build, {main} / cp -r of its site", cold, copying, 2.0),
        Row("4", f"nothing changed / cold build, {main}", again, cold, 0.08),
        Row("5", f"one bundle changed / nothing changed, {main}", changed, again, 1.2),
    ]


def scale_rows(bench: Bench, sizes: Sequence[int], parent: Path) -> tuple[list[Row], str]:
    """Build two sizes and compare time and memory.

    Args:
        bench: what to measure; its own count does not matter.
        sizes: the small and the large one.
        parent: where to work.

    Returns:
        Row 6 in three parts, and which process was the largest.
    """
    profile = bench.profiles[0]
    taken: list[Timed] = []
    words = []
    for size in sizes:
        with folder_of_our_own(parent) as folder:
            write_bundles(bench.bundles_in(folder), size)
            command = bench.build_command(folder, folder / "site", profile)
            watch = Watch()
            taken.append(timed(command, cwd=HERE.parent, watch=watch))
        peaks = sorted(watch.peaks.items(), key=lambda item: -item[1])
        told = ", ".join(f"{name} {megabytes(peak):.0f} MB" for name, peak in peaks)
        words.append(f"largest processes at {size:,} records: {told}")
        print(f"{size} records: {taken[-1].seconds:.1f} s", file=sys.stderr)
    small, large = taken
    name = f"{sizes[1]:,} / {sizes[0]:,} records, {profile}"
    peaks_mb = megabytes(large.peak), megabytes(small.peak)
    growth = sizes[1] / sizes[0] * 1.05
    rows = [
        Row("6a", f"time, {name}", large.seconds, small.seconds, growth),
        Row("6b", f"largest process, {name}", *peaks_mb, 1.15, unit="MB"),
        Row("6c", f"largest process, {sizes[1]:,} records", peaks_mb[0], None, 200, unit="MB"),
    ]
    return rows, "; ".join(words)


def rate_rows(bench: Bench, parent: Path) -> list[Row]:
    """Set verification beside OpenSSL, on one core.

    Args:
        bench: what to measure.
        parent: where to work.

    Returns:
        Row 7, and for comparison the same signatures with all other checks on their bundles.
    """
    core = bench.cores[-1]
    rates: dict[str, list[float]] = {}
    with folder_of_our_own(parent) as folder:
        path = folder / "bundles.ndjson"
        write_bundles(path, min(bench.count, _RATED))
        command = [program("taskset"), "--cpu-list", str(core), sys.executable]
        command += [str(HERE / "verify_rate.py"), str(path), str(folder / "mirror.toml")]
        environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
        for _ in range(bench.runs):
            peer = openssl_rate(core=core)
            if peer is None:
                raise SystemExit(
                    "openssl speed ed25519 told no rate: is it OpenSSL 1.1.1 or newer?"
                )
            finished = subprocess.run(
                command, env=environment, stdout=subprocess.PIPE, text=True, check=True
            )
            for name, rate in {"peer": peer, **json.loads(finished.stdout)}.items():
                rates.setdefault(name, []).append(rate)
    ours, all_checks, peer = (
        statistics.median(rates[name]) for name in ("signatures", "checks", "peer")
    )
    against = "/ openssl speed ed25519, one core"
    return [
        Row("7", f"signatures alone {against}", ours, peer, 0.9, at_least=True, unit="/s"),
        Row("7b", f"all checks V1–V11 {against}", all_checks, peer, None, unit="/s"),
    ]


def prepare_bench(options: argparse.Namespace) -> Bench:
    """Find everything that is needed, or end.

    Args:
        options: of the command line.

    Returns:
        What to measure.
    """
    program("openssl"), program("taskset", remedy="it is part of util-linux")
    hugo, copy = hugo_program(), program("cp")
    if options.disk and (not options.disk.is_dir() or kind_of_place(options.disk) != "disk"):
        raise SystemExit(f"{options.disk} is no folder on a disk")
    command = [sys.executable, "-m", "generator", "build", "--help"]
    finished = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=True)
    profiles = tuple(options.profiles.split(","))
    takes_profile = "--profile" in finished.stdout
    if unknown := set(profiles) - set(PROFILES):
        raise SystemExit(f"no profile is called {', '.join(sorted(unknown))}")
    if "compact" in profiles and not takes_profile:
        raise SystemExit("pith-mirror build has no --profile: measure with --profiles full")
    cores = use_cores(options.cores)
    return Bench(
        options.count, options.runs, options.form, profiles, cores, hugo, copy, takes_profile
    )


def main() -> None:
    """Measure and print."""
    options = _read_options()
    # Ended as by Ctrl-C, so that folders go.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    load = os.getloadavg()[0]
    bench = prepare_bench(options)
    parent = work_folder(options.count, options.work)
    medians, words = measure(bench, parent)
    rows = peer_rows(medians, bench.profiles)
    on_disk: dict[str, Timed] = {}
    if options.disk:
        on_disk, _ = measure(bench, options.disk)
    if options.scale is not None:
        sizes = tuple(options.scale) or _SCALE
        more, told = scale_rows(bench, sizes, work_folder(max(sizes), options.work))
        rows += more
        words += [told]
    rows += rate_rows(bench, parent)
    elsewhere = {row.number: row for row in peer_rows(on_disk, bench.profiles)} if on_disk else {}
    fastest = min(FORMS, key=lambda form: medians[f"Hugo, {form}"].seconds)
    words.append(f"Hugo is fastest from {fastest}: that is the peer of rows 1 and 2")
    openssl = subprocess.run(
        [program("openssl"), "version"], capture_output=True, text=True, check=True
    )
    busy = f"; **preliminary**: load average {load:.1f} before" if load >= _BUSY else ""
    print(
        f"{options.date}, {bench.count:,} records, {bench.form}, medians of {bench.runs};"
        f" {machine()}; commit {commit()}; {hugo_version(bench.hugo)};"
        f" {' '.join(openssl.stdout.split()[:2])}{busy}.\n"
    )
    print(ratio_table(rows, elsewhere), end="\n\n")
    print(seconds_table(medians, on_disk, kind_of_place(parent)), end="\n\n")
    print("\n".join(("```text", *words, "```")))


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure whole builds beside peers.")
    parser.add_argument("--date", required=True, help="the day, for the heading")
    parser.add_argument("--count", type=int, default=DEFAULT_COUNT, help="records (%(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="runs, for medians (%(default)s)")
    parser.add_argument("--cores", type=int, default=2, help="cores of all (%(default)s)")
    parser.add_argument(
        "--form", choices=("folder", "ndjson"), default="folder", help="input (%(default)s)"
    )
    parser.add_argument(
        "--profiles", default=",".join(PROFILES), help="of the site, a comma between (%(default)s)"
    )
    parser.add_argument("--work", type=Path, help="where to work (memory, if it has room)")
    parser.add_argument("--disk", type=Path, help="a folder on disk, to measure there as well")
    parser.add_argument(
        "--scale",
        type=int,
        nargs="*",
        metavar="N",
        help="build two sizes, once each, for row 6 ({:,} {:,})".format(*_SCALE),
    )
    options = parser.parse_args()
    if options.scale and len(options.scale) != 2:
        parser.error("--scale takes two sizes, or none")
    return options


if __name__ == "__main__":
    main()

"""Time one command: seconds of the clock, and the memory of its largest process.

`Watch` asks the kernel from time to time which process that is; that costs a little time, so only a
measurement of memory uses it.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

_KIB = 1024
_BETWEEN_LOOKS = 0.5  # seconds
_TOLD = 2_000  # characters of a failed command's words


@dataclass(frozen=True, slots=True)
class Timed:
    """What a command took."""

    seconds: float
    peak: int  # bytes of the largest single process that it was, or waited for


class Watch:
    """Notes the largest memory of each program of a process group, while it runs."""

    def __init__(self) -> None:
        """Start with nothing noted."""
        self.peaks: dict[str, int] = {}  # bytes, by what the process is
        self._done = threading.Event()

    def largest(self) -> str:
        """Name the program that was the largest, or give the empty string."""
        return max(self.peaks, key=lambda name: self.peaks[name], default="")

    @contextmanager
    def on(self, group: int) -> Iterator[None]:
        """Look at a process group until the block ends.

        Args:
            group: its number, which is the number of its first process.
        """
        thread = threading.Thread(target=self._look_on, args=(group,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._done.set()
            thread.join()

    def _look_on(self, group: int) -> None:
        while not self._done.wait(_BETWEEN_LOOKS):
            for folder in Path("/proc").glob("[0-9]*"):
                self._look_at(folder, group)

    def _look_at(self, folder: Path, group: int) -> None:
        try:
            if os.getpgid(int(folder.name)) != group:
                return
            status = (folder / "status").read_text(encoding="utf-8")
        except OSError:  # it has ended
            return
        values = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        if "VmHWM" in values:
            name = values["Name"].strip()
            name = f"{name}, the first process" if int(folder.name) == group else name
            peak = int(values["VmHWM"].split()[0]) * _KIB
            self.peaks[name] = max(self.peaks.get(name, 0), peak)


def timed(command: Sequence[str | Path], *, cwd: Path, watch: Watch | None = None) -> Timed:
    """Run a command and wait for it; a failure ends the measurement with the command's own words.

    Args:
        command: program and arguments.
        cwd: where it works.
        watch: looks at its processes meanwhile.

    Returns:
        What it took. Linux starts a process as a copy of its parent, so no peak is below this
        process's own size; keep that small.
    """
    with tempfile.TemporaryFile() as output:
        started = perf_counter()
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            process_group=0,
        )
        try:
            # The usage that `wait4` gives is that of the process and of all it waited for, and of
            # their memory the largest: not the sum, and not other children of this process.
            with watch.on(process.pid) if watch else nullcontext():
                _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            # A group of its own, so that Ctrl-C reached this process alone.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        seconds = perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            words = output.read().decode(errors="replace")[-_TOLD:]
            raise SystemExit(f"{process.args!r}: exit code {process.returncode}\n{words}")
    return Timed(seconds, usage.ru_maxrss * _KIB)


def median_of(runs: Iterable[Timed]) -> Timed:
    """Take the medians.

    Args:
        runs: one or more.

    Returns:
        The median of each number by itself.
    """
    runs = tuple(runs)
    return Timed(
        statistics.median(run.seconds for run in runs),
        round(statistics.median(run.peak for run in runs)),
    )

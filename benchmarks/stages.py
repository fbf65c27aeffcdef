"""Build a site once and say how long each stage took. `run.py` starts this in a process of its own.

    python benchmarks/stages.py BUNDLES SITE JOBS

The stage functions are wrapped from outside: the program itself holds no clock. Time is counted
once: while an inner stage runs, the clock of the outer one stands still.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from time import perf_counter, process_time
from typing import ParamSpec, TypeVar

from generator import build, record_builder, update
from generator.bundle_index import BundleIndex
from generator.catalogue import Catalogue
from generator.config import parse_configuration
from generator.record_builder import RecordBuilder
from generator.render import Renderer
from generator.resources import find_configuration, templates_folder
from generator.staging import Stager
from generator.write import SiteWriter

LOAD = "load"
VERIFY = "verify"
DESCRIBE = "merge and describe"
RENDER = "render"
CATALOGUE = "catalogue"
WRITE = "write"
SITE_PAGES = "site pages"
OTHER = "other"
STAGES = (LOAD, VERIFY, DESCRIBE, RENDER, CATALOGUE, WRITE, SITE_PAGES, OTHER)

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_Item = TypeVar("_Item")


class Stopwatch:
    """Seconds by stage; exactly one stage is running at any time."""

    def __init__(self) -> None:
        """Start with the stage `other`."""
        self.seconds = dict.fromkeys(STAGES, 0.0)
        self._running = [OTHER]
        self._since = perf_counter()

    def timed(
        self, stage: str, function: Callable[_Arguments, _Result]
    ) -> Callable[_Arguments, _Result]:
        """Wrap a function so that its time counts for a stage.

        Args:
            stage: one of `STAGES`.
            function: what is called.

        Returns:
            The same function with a clock around it.
        """

        @wraps(function)
        def wrapped(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
            self._enter(stage)
            try:
                return function(*args, **kwargs)
            finally:
                self._leave()

        return wrapped

    def timed_items(
        self, stage: str, function: Callable[_Arguments, Iterable[_Item]]
    ) -> Callable[_Arguments, Iterator[_Item]]:
        """Wrap a function that gives a stream, so that the making of each item counts.

        Args:
            stage: one of `STAGES`.
            function: what is called.

        Returns:
            A function that gives the same items.
        """

        @wraps(function)
        def wrapped(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> Iterator[_Item]:
            items = iter(function(*args, **kwargs))
            advance = self.timed(stage, lambda: next(items, None))
            while (item := advance()) is not None:
                yield item

        return wrapped

    def stop(self) -> None:
        """Count the time up to now."""
        self._turn()

    def _enter(self, stage: str) -> None:
        self._turn()
        # A page of the site as a whole is rendered too, but a reader asks what those pages cost.
        inside = SITE_PAGES in self._running and stage == RENDER
        self._running.append(SITE_PAGES if inside else stage)

    def _leave(self) -> None:
        self._turn()
        self._running.pop()

    def _turn(self) -> None:
        now = perf_counter()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now


def instrument(watch: Stopwatch) -> None:
    """Put the clock around the stages of the program, in this process.

    Args:
        watch: where the time goes.
    """
    for name, stage in (("find_inputs", LOAD), ("load_input", LOAD), ("site_files", SITE_PAGES)):
        setattr(update, name, watch.timed_items(stage, getattr(update, name)))
    calls: tuple[tuple[object, str, str], ...] = (
        (record_builder, "report_bundle", VERIFY),
        (record_builder, "build_record", DESCRIBE),
        (Renderer, "page", RENDER),
        (RecordBuilder, "render", SITE_PAGES),
        (BundleIndex, "put", CATALOGUE),
        (Catalogue, "add_record", CATALOGUE),
        (Stager, "stage", WRITE),
        (SiteWriter, "add", WRITE),
        (SiteWriter, "commit", WRITE),
    )
    for owner, name, stage in calls:
        setattr(owner, name, watch.timed(stage, getattr(owner, name)))


def main() -> None:
    """Build and print one JSON object."""
    bundles, site, jobs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    path = find_configuration(bundles, Path.cwd())
    configuration = parse_configuration(path.read_bytes(), name=path.name)
    watch = Stopwatch()
    if jobs == 1:  # the clock of one process says nothing of the others
        instrument(watch)
    started = perf_counter()
    options = build.BuildOptions(bundles, site, (templates_folder(),), jobs=jobs)
    summary = build.build_site(options, configuration)
    watch.stop()
    written = summary.written
    row = {
        "records": summary.records,
        "faulty": summary.faulty,
        "wall": perf_counter() - started,
        "processor": process_time(),
        "seconds": watch.seconds,
        "files": written.total if written else 0,
        "written": written.written if written else 0,
        # Linux counts in KiB.
        "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "worker_rss_mib": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    }
    print(json.dumps(row))


if __name__ == "__main__":
    main()

"""Workers: the work on records, in this process or in several; the results in the order of input.

Workers are forked, so that templates and keys are there without being read again. None outlives the
build: one whose parent is gone ends itself, and so lets go of the lock on the site.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import chain
from multiprocessing.connection import wait
from multiprocessing.sharedctypes import Synchronized
from typing import TypeVar

from generator.errors import OutputError
from generator.formats.raw import RawBundle
from generator.ledger import LedgerRow
from generator.limits import DEFAULT_LIMITS
from generator.load import PlacedBundle
from generator.record_builder import BuiltBundle, LinkedRecord, PageOrder, RecordBuilder

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
# What a process does at a time: enough that handing it over costs little, and little memory.
_BATCH_LENGTH = 32  # items
_BATCH_SIZE = 1 << 20  # bytes of bundles, unless one alone has more
_PAGE_SIZE = 64 << 10  # bytes that the view model of a long listing may take
# Batches that wait beside those being worked on: no worker is idle, and memory stays bounded.
_BATCHES_WAITING = 2


def default_jobs() -> int:
    """Tell how many processes to use: one a core that this process may use.

    Returns:
        1 on macOS, whose own libraries do not bear a fork.
    """
    if sys.platform == "darwin":
        return 1
    return min(len(os.sched_getaffinity(0)), DEFAULT_LIMITS.jobs_max_count)


class Workers:
    """Runs a record builder in as many processes as are wanted."""

    def __init__(self, builder: RecordBuilder, *, jobs: int) -> None:
        """Take the work; processes are started only where there is enough of it.

        Args:
            builder: of this process.
            jobs: processes at once; 1 does everything in this one.
        """
        self._builder = builder
        self._jobs = min(jobs, DEFAULT_LIMITS.jobs_max_count)
        self._fork = multiprocessing.get_context("fork")
        # Of all workers ever started here: two of one number would overwrite each other's files.
        self._started = self._fork.Value("i", 0)

    def build(self, bundles: Iterable[PlacedBundle]) -> Generator[BuiltBundle]:
        """Build the record of each bundle.

        Args:
            bundles: as loaded; read only as far as workers are free.

        Yields:
            What came of each, in the order of loading.

        Raises:
            OutputError: a file cannot be staged, or a worker was killed.
            RenderError: a template failed.
        """
        return self._in_order(bundles, _bundle_size, self._builder.build, _build)

    def link(self, records: Iterable[LinkedRecord]) -> Generator[tuple[LedgerRow, ...]]:
        """Make the files that name the neighbours of records.

        Args:
            records: those that have some.

        Yields:
            The rows of each record's files, in the order of the records.

        Raises:
            OutputError: a file cannot be staged, or a worker was killed.
            RenderError: a template failed.
        """
        return self._in_order(records, _record_size, self._builder.link, _link)

    def render(self, orders: Iterable[PageOrder | LedgerRow]) -> Generator[tuple[LedgerRow, ...]]:
        """Render pages of the site.

        Args:
            orders: the pages, among them rows of files that are staged already.

        Yields:
            The rows of each, in the order of the orders.

        Raises:
            OutputError: a file cannot be staged, or a worker was killed.
            RenderError: a template failed.
        """
        return self._in_order(orders, _order_size, self._builder.render, _render)

    def _in_order(
        self,
        items: Iterable[_Item],
        size: Callable[[_Item], int],
        here: Callable[[_Item], _Result],
        there: Callable[[list[_Item]], list[_Result]],
    ) -> Generator[_Result]:
        if self._jobs == 1:
            yield from map(here, items)
            return
        batches = _batches(items, size)
        first = next(batches, [])
        second = next(batches, None)
        if second is None:  # not worth a process
            yield from map(here, first)
            return
        yield from self._in_processes(chain((first, second), batches), there)

    def _in_processes(
        self, batches: Iterable[list[_Item]], there: Callable[[list[_Item]], list[_Result]]
    ) -> Iterator[_Result]:
        pool = ProcessPoolExecutor(
            self._jobs, self._fork, _start_worker, (self._builder, self._started)
        )
        waiting: deque[Future[list[_Result]]] = deque()
        try:
            for batch in batches:
                waiting.append(pool.submit(there, batch))
                if len(waiting) >= self._jobs + _BATCHES_WAITING:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        except BrokenProcessPool as error:
            raise OutputError(
                "a worker process",
                expected="to live until the build is done",
                found="it was killed, as for want of memory",
                hint="--jobs 1 works without other processes",
            ) from error
        finally:
            pool.shutdown(cancel_futures=True)


def _batches(items: Iterable[_Item], size: Callable[[_Item], int]) -> Iterator[list[_Item]]:
    batch: list[_Item] = []
    room = _BATCH_SIZE
    for item in items:
        batch.append(item)
        room -= size(item)
        if len(batch) == _BATCH_LENGTH or room <= 0:
            yield batch
            batch, room = [], _BATCH_SIZE
    if batch:
        yield batch


def _bundle_size(placed: PlacedBundle) -> int:
    return len(placed.loaded.data) if isinstance(placed.loaded, RawBundle) else 0


def _record_size(linked: LinkedRecord) -> int:
    return len(linked.data)


def _order_size(order: PageOrder | LedgerRow) -> int:
    return _PAGE_SIZE if isinstance(order, PageOrder) else 0


# The builder of this process, where it is a worker.
_worker: list[RecordBuilder] = []


def _start_worker(builder: RecordBuilder, started: Synchronized[int]) -> None:
    # Ctrl-C reaches every process of the terminal; it is the parent that ends the build.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with started.get_lock():
        started.value += 1
        stager = builder.stager.sibling(started.value)
    _worker.append(replace(builder, stager=stager))
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _build(bundles: list[PlacedBundle]) -> list[BuiltBundle]:
    return [_worker[0].build(placed) for placed in bundles]


def _link(records: list[LinkedRecord]) -> list[tuple[LedgerRow, ...]]:
    return [_worker[0].link(linked) for linked in records]


def _render(orders: list[PageOrder | LedgerRow]) -> list[tuple[LedgerRow, ...]]:
    return [_worker[0].render(order) for order in orders]

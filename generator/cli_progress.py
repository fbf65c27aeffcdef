"""What is going on, on stderr: a display that is drawn anew in a terminal, calm lines elsewhere.

Nothing here runs in a thread: workers are forked while the display is up, and a fork that happens
while a thread holds a lock of the terminal would leave the worker waiting for it for ever.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from generator.progress import Course, Pace, Progress, pace_line, pace_words

_BETWEEN_LINES = 10.0  # seconds; a build shorter than that prints none
_BETWEEN_DRAWINGS = 0.1  # seconds
_BAR_WIDTH = 24  # cells

Clock = Callable[[], float]


class Display:
    """Shows no progress; the base of those that do."""

    def show(self, progress: Progress) -> None:
        """Take in an event of the build."""

    def say(self, text: str) -> None:
        """Print lines on stderr that stay, such as a fault.

        Args:
            text: without control characters but newlines.
        """
        click.echo(text, err=True)


class LineDisplay(Display):
    """A line every ten seconds and at the end of each stage, none before ten seconds are over."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        """Start the clock.

        Args:
            clock: seconds; never goes back.
        """
        self._clock = clock
        self._started = self._printed = clock()
        self._course = Course()

    def show(self, progress: Progress) -> None:
        """Print a line if it is time for one."""
        now = self._clock()
        last = self._course.last
        self._course = self._course.moved(progress, now)
        ended = last is not None and last.progress.stage is not progress.stage
        shown = last if ended else self._course.last
        due = now - (self._started if ended else self._printed) >= _BETWEEN_LINES
        if due and shown is not None and shown.progress.done:
            self._printed = now
            click.echo(pace_line(shown), err=True)


class TerminalDisplay(Display):
    """A row a stage, drawn anew in its place and gone when the build is done."""

    def __init__(self, live: Live, clock: Clock = time.monotonic) -> None:
        """Take over a part of the terminal.

        Args:
            live: that part.
            clock: seconds; never goes back.
        """
        self._live = live
        self._clock = clock
        self._drawn = clock()
        self._course = Course()

    def show(self, progress: Progress) -> None:
        """Draw, unless that was done a moment ago."""
        now = self._clock()
        stages = len(self._course.paces)
        self._course = self._course.moved(progress, now)
        if now - self._drawn >= _BETWEEN_DRAWINGS or len(self._course.paces) > stages:
            self._drawn = now
            self._live.update(_rows(self._course), refresh=True)

    def say(self, text: str) -> None:
        """Print lines above the display."""
        self._live.console.out(text, highlight=False)


@contextmanager
def progress_display(*, wanted: bool) -> Iterator[Display]:
    """Show progress as fits the place that stderr leads to.

    Args:
        wanted: without it nothing is shown.

    Returns:
        A display; on leaving, the terminal is as it was.
    """
    if not wanted:
        yield Display()
    elif not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        yield LineDisplay()
    else:
        # https://no-color.org: set to anything but the empty string.
        console = Console(
            file=sys.stderr,
            force_terminal=True,
            color_system=None if os.environ.get("NO_COLOR") else "auto",
        )
        live = Live(
            console=console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        with live:
            # Never hidden, so that nothing has to bring it back, even where the build is killed.
            console.show_cursor(show=True)
            yield TerminalDisplay(live)


def _rows(course: Course) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, justify="right")
    table.add_column(no_wrap=True, justify="right")
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    for pace in course.paces:
        words = pace_words(pace)
        under_way = pace is course.last
        # A stage that has, or had, nothing to do is no news.
        if pace.progress.done or (under_way and pace.progress.total != 0):
            table.add_row(
                Text(words.stage, style="bold" if under_way else ""),
                Text(words.done, style="green"),
                Text(words.rate),
                _bar(pace) if under_way else "",
                Text(words.remaining if under_way else ""),
            )
    return table


def _bar(pace: Pace) -> RenderableType:
    total = pace.progress.total
    if not total:
        return ""
    return ProgressBar(total=total, completed=pace.progress.done, width=_BAR_WIDTH)

"""Progress: how far a build has come, as values; how fast, by the clock of whoever shows it.

The build tells stage and count and reads no clock. A total is given only where it is known: the
number of bundles in a folder or an archive is not, before all have been read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

_Item = TypeVar("_Item")
# Seconds over which a rate is taken: long enough to be steady, short enough to follow a change.
_WINDOW = 30.0
_BETWEEN_MARKS = 1.0  # seconds, so that a pace holds few marks
_SHORTEST = 0.5  # seconds below which a rate would be a guess


class Stage(Enum):
    """What a build is at; the value is what a person reads."""

    RECORDS = "records"
    COPIES = "united copies"
    LINKS = "links"
    PAGES = "site pages"
    WRITING = "writing"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a build is: `done` of `total` things of a stage; None where the total is not known."""

    stage: Stage
    done: int
    total: int | None = None


OnProgress = Callable[[Progress], None]


def counted(
    items: Iterable[_Item], stage: Stage, on_progress: OnProgress, *, total: int | None = None
) -> Iterator[_Item]:
    """Pass items on and tell after each that it is done.

    Args:
        items: what a stage works on.
        stage: of the build.
        on_progress: called with 0 at first, and again as soon as the next item is asked for.
        total: how many items there are, if that is known.

    Yields:
        The items, in their order.
    """
    on_progress(Progress(stage, 0, total))
    for done, item in enumerate(items, start=1):
        yield item
        on_progress(Progress(stage, done, total))


@dataclass(frozen=True, slots=True)
class _Mark:
    seconds: float
    done: int


@dataclass(frozen=True, slots=True)
class Pace:
    """One stage by the clock."""

    progress: Progress
    seconds: float  # since the stage began
    marks: tuple[_Mark, ...]  # of the last `_WINDOW` seconds, the oldest first; never empty

    @property
    def rate(self) -> float | None:
        """Things a second of late, or None as long as that would be a guess."""
        oldest = self.marks[0]
        seconds = self.seconds - oldest.seconds
        return (self.progress.done - oldest.done) / seconds if seconds >= _SHORTEST else None

    @property
    def remaining(self) -> float | None:
        """Seconds that are left at this rate, or None where total or rate are not known."""
        total, rate = self.progress.total, self.rate
        if total is None or not rate:
            return None
        return max(0, total - self.progress.done) / rate

    def moved(self, progress: Progress, seconds: float) -> Pace:
        """Give the pace after more has been done.

        Args:
            progress: of the same stage.
            seconds: since the stage began.

        Returns:
            The new pace.
        """
        marks = self.marks
        if seconds - marks[-1].seconds >= _BETWEEN_MARKS:
            kept = tuple(mark for mark in marks if seconds - mark.seconds <= _WINDOW)
            marks = (*(kept or marks[-1:]), _Mark(seconds, progress.done))
        return replace(self, progress=progress, seconds=seconds, marks=marks)


@dataclass(frozen=True, slots=True)
class Course:
    """The stages of a build so far, in their order; the last one is under way."""

    paces: tuple[Pace, ...] = ()
    began: float = 0.0  # of the last stage

    @property
    def last(self) -> Pace | None:
        """The stage under way, or None before the first."""
        return self.paces[-1] if self.paces else None

    def moved(self, progress: Progress, now: float) -> Course:
        """Give the course after an event.

        Args:
            progress: what the build told.
            now: seconds of a clock that never goes back.

        Returns:
            The new course.
        """
        last = self.last
        if last is not None and last.progress.stage is progress.stage:
            pace = last.moved(progress, now - self.began)
            return replace(self, paces=(*self.paces[:-1], pace))
        first = Pace(progress, 0.0, (_Mark(0.0, progress.done),))
        return Course((*self.paces, first), began=now)


@dataclass(frozen=True, slots=True)
class PaceWords:
    """A pace in words; what is not known is the empty string."""

    stage: str
    done: str
    rate: str
    remaining: str


def pace_words(pace: Pace) -> PaceWords:
    """Spell a pace.

    Args:
        pace: of any stage.

    Returns:
        Its parts; all text is this module's own, so that nothing of a bundle is in it.
    """
    progress, rate, remaining = pace.progress, pace.rate, pace.remaining
    done = f"{progress.done:,}"
    return PaceWords(
        stage=progress.stage.value,
        done=done if progress.total is None else f"{done} of {progress.total:,}",
        rate="" if rate is None else f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s",
        remaining="" if remaining is None else f"{_spell_seconds(remaining)} left",
    )


def pace_line(pace: Pace) -> str:
    """Spell a pace in a line.

    Args:
        pace: of any stage.

    Returns:
        Such as `links: 300 of 1,200, 120/s, 8 s left`.
    """
    words = pace_words(pace)
    rest = (words.done, words.rate, words.remaining)
    return f"{words.stage}: {', '.join(part for part in rest if part)}"


def _spell_seconds(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"

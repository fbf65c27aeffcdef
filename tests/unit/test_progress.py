"""Progress: counts and rates by a clock that the test turns."""

from __future__ import annotations

import pytest

from generator.cli_progress import LineDisplay
from generator.progress import Course, Progress, Stage, counted, pace_line, pace_words


def test_counting_passes_the_items_on() -> None:
    """Each item is told of once it is dealt with, and the items and their order stay."""
    told: list[Progress] = []
    told_at = [(item, told[-1].done) for item in counted("ab", Stage.LINKS, told.append, total=2)]
    assert told_at == [("a", 0), ("b", 1)]
    assert told == [Progress(Stage.LINKS, done, 2) for done in range(3)]


def test_rate_follows_the_last_half_minute() -> None:
    """The rate is that of late, so that a slow start does not spoil it for ever."""
    course = Course()
    for second in range(200):
        done = second if second < 100 else 100 + (second - 100) * 50
        course = course.moved(Progress(Stage.RECORDS, done), 1000.0 + second)
    assert course.last is not None
    assert course.last.rate == pytest.approx(50)
    assert len(course.last.marks) <= 32


def test_nothing_is_guessed() -> None:
    """Without time there is no rate, without a total no time left."""
    course = Course().moved(Progress(Stage.RECORDS, 0), 5.0)
    course = course.moved(Progress(Stage.RECORDS, 3), 5.1)
    assert course.last is not None
    assert pace_line(course.last) == "records: 3"
    course = course.moved(Progress(Stage.RECORDS, 30), 15.0)
    assert course.last is not None
    assert pace_line(course.last) == "records: 30, 3.0/s"
    assert pace_words(course.last).remaining == ""


@pytest.mark.parametrize(
    ("total", "words"),
    [
        (1_900, "8 s left"),
        (13_100, "2 min 0 s left"),
        (721_100, "2 h 0 min left"),
        (1_000, "0 s left"),
        (0, "0 s left"),
    ],
)
def test_time_left_comes_from_total_and_rate(total: int, words: str) -> None:
    """Where the total is known, so is the time left at the rate of late."""
    course = Course().moved(Progress(Stage.WRITING, 100, total), 0.0)
    course = course.moved(Progress(Stage.WRITING, 1_100, total), 10.0)
    assert course.last is not None
    assert pace_words(course.last).remaining == words


def test_stage_has_a_clock_of_its_own() -> None:
    """A new stage starts at nothing and leaves what the one before it came to."""
    course = Course().moved(Progress(Stage.RECORDS, 0), 0.0).moved(Progress(Stage.RECORDS, 9), 9.0)
    course = course.moved(Progress(Stage.PAGES, 0), 20.0).moved(Progress(Stage.PAGES, 8), 21.0)
    assert [pace_line(pace) for pace in course.paces] == [
        "records: 9, 1.0/s",
        "site pages: 8, 8.0/s",
    ]


def lines_of(events: list[tuple[float, Progress]], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Show events, each at its second, and read what was printed."""
    now = 0.0
    display = LineDisplay(lambda: now)
    for second, progress in events:
        now = second
        display.show(progress)
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err.splitlines()


def test_lines_are_calm(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal there is a line every ten seconds and one at the end of each stage."""
    records = [(tenth / 10, Progress(Stage.RECORDS, tenth)) for tenth in range(251)]
    later = [
        (25.1, Progress(Stage.COPIES, 0, 0)),
        (25.2, Progress(Stage.LINKS, 0, 20)),
        (26.0, Progress(Stage.LINKS, 20, 20)),
        (26.2, Progress(Stage.PAGES, 0)),
    ]
    assert lines_of(records + later, capsys) == [
        "records: 100, 10/s",
        "records: 200, 10/s",
        "records: 250, 10/s",
        "links: 20 of 20, 25/s, 0 s left",
    ]


def test_short_build_prints_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A build of less than ten seconds says no more than it did before there was progress."""
    events = [(2.0 * step, Progress(stage, 7)) for step, stage in enumerate(Stage)]
    events.append((9.9, Progress(Stage.WRITING, 8)))
    assert lines_of(events, capsys) == []

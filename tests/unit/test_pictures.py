"""pictures.py: whole numbers, a bounded size, and nothing drawn where there is nothing to say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.citations import IncomingLink, Neighbour, RecordLinks, Via
from generator.drawing import Picture
from generator.facts import KnownRecord
from generator.formats.works import ARXIV_ID, DOI, Work
from generator.limits import DEFAULT_LIMITS
from generator.pictures import draw_neighbourhood, draw_timeline
from tests.statement_bundles import UNPINNED, bundle, every_kind, known, mirror, say
from tests.vectors.builders import OPERATOR, Json, edited, sealed

HERE = Neighbour("ABCDEFGHIJKLMNOPQRSTUVWX23", "pith:2024:ABCDEFGHIJKLMNOPQRSTUVWX23", "A title")


def at(moment: str, kind: str = "correction") -> Json:
    """Sign a correction, or an event of another kind, at a moment."""
    event = say(kind, {"about": "record", "text": "Read 5."}, key=OPERATOR)
    return sealed(edited(event, ("created_at", moment)), key=OPERATOR)


def timeline(*events: Json) -> Picture:
    """Draw a timeline that has to be there."""
    picture = draw_timeline(known(bundle(*events)).state)
    assert picture is not None
    return picture


def linked(*, citing: int = 0, cited: tuple[Work, ...] = (), here: bool = False) -> KnownRecord:
    """Give a record with so many citing records, that cites these works by its references."""
    names = [{work.kind: str(work)} for work in cited]
    record = known(bundle(references=names))
    incoming = tuple(
        IncomingLink(
            replace(HERE, suffix=f"{number:026}"), Via.CITATION, relation, "someone", "", ""
        )
        for number in range(citing)
        for relation in ("extends", "cites")
    )
    return replace(
        record,
        links=RecordLinks(
            targets={work: (HERE,) for work in cited if here},
            cited_by=incoming,
            incoming_count=len(incoming),
            citing_count=citing,
        ),
    )


def neighbourhood(record: KnownRecord) -> Picture:
    """Draw a neighbourhood that has to be there."""
    picture = draw_neighbourhood(record)
    assert picture is not None
    return picture


def test_one_event_is_no_timeline() -> None:
    """A creation without a signed time and a snapshot are nothing to draw."""
    assert draw_timeline(known(bundle()).state) is None


def test_one_moment_is_no_timeline() -> None:
    """Two events of one moment have no order that a picture could show."""
    assert draw_timeline(known(bundle(at("2026-05-18T04:28:13+02:00"))).state) is None


def test_timeline_has_a_row_for_each_kind() -> None:
    """Kinds stand in the order of the formats, unknown ones together at the end."""
    events = [
        at("2026-05-20T00:00:00Z"),
        at("2026-05-21T00:00:00Z", "a"),
        at("2026-05-22T00:00:00Z", "b"),
    ]
    picture = timeline(*events)
    rows = [label.text for label in picture.labels if label.kind == "name"]
    assert rows == ["snapshot", "correction", "other kinds"]
    assert [(dot.x, dot.kind) for dot in picture.dots] == [
        (128, "counts"),
        (236, "counts"),
        (290, "counts"),
        (350, "counts"),
    ]
    assert picture.title == (
        "4 events with a signed time, from 2026-05-18T02:28:13Z to 2026-05-22T00:00:00Z"
    )


def test_events_that_do_not_count_are_empty_dots() -> None:
    """What was withdrawn or contradicted is drawn as such; one that counts at its place wins."""
    twins = [say("correction", {"about": "record", "text": t}, key=OPERATOR) for t in ("1", "2")]
    assert {dot.kind for dot in timeline(*twins).dots if dot.x > 128} == {"void"}
    third = say("correction", {"about": "record", "text": "3"})
    assert {dot.kind for dot in timeline(*twins, third).dots} == {"counts"}


def test_unsigned_time_is_not_drawn() -> None:
    """An event that nobody could check cannot squeeze the others into a point."""
    claimed = edited(
        say("correction", {"about": "record", "text": "Read 5."}, key=UNPINNED),
        ("created_at", "0001-01-01T00:00:00Z"),
    )
    signed = at("2026-05-20T00:00:00Z")
    assert timeline(signed, claimed) == timeline(signed)


@pytest.mark.parametrize(
    ("moments", "texts"),
    [
        (["2026-05-20T00:00:00Z"], ["2026-05-18", "2026-05-20"]),
        (["2026-05-18T23:59:59Z"], ["02:28:13", "23:59:59"]),
        (["2026-05-18T02:28:13.000000001Z"], ["02:28:13", "02:28:13"]),
    ],
)
def test_axis_names_its_ends(moments: list[str], texts: list[str]) -> None:
    """Days are named by date, and within a day by time."""
    labels = timeline(*map(at, moments)).labels
    assert [label.text for label in labels if label.kind == "quiet"] == texts


def test_leap_second_is_drawn() -> None:
    """A leap second and the second after it are two moments at one place."""
    picture = draw_timeline(
        known(bundle(at("2026-06-30T23:59:60Z"), at("2026-07-01T00:00:00Z"))).state
    )
    assert picture is not None
    record = known(bundle(at("2026-06-30T23:59:60Z"), at("2026-07-01T00:00:00Z")))
    state = replace(
        record.state,
        events=tuple(e for e in record.state.events if e.event_type == "correction"),
    )
    alone = draw_timeline(state)
    assert alone is not None
    assert {dot.x for dot in alone.dots} == {128}


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=40, unique=True))
def test_timeline_keeps_the_order_of_time(seconds: list[int]) -> None:
    """Later is never further left, and every mark is inside the picture."""
    events = [
        at(
            f"2026-05-{19 + s // 86_400:02}T{s // 3600 % 24:02}:{s // 60 % 60:02}:{s % 60:02}Z",
            f"k{s}",
        )
        for s in seconds
    ]
    picture = timeline(*events)
    assert len(picture.dots) <= len(events) + 1
    for dot in picture.dots:
        assert 128 <= dot.x <= 350
        assert 0 < dot.y < picture.height


def test_timeline_is_bounded() -> None:
    """Thousands of events make no more marks than the picture has places."""
    events = [at(f"2026-05-19T{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}Z") for n in range(600)]
    assert len(timeline(*events).dots) <= 40


def test_unlinked_record_has_no_neighbourhood() -> None:
    """A record that cites nothing and is not cited is not drawn alone."""
    assert draw_neighbourhood(linked()) is None


def test_neighbourhood_shows_both_sides() -> None:
    """Citing records stand left, cited works right; full dots are of this mirror."""
    work = Work(ARXIV_ID, "2401.00001", 2)
    picture = neighbourhood(linked(citing=1, cited=(work,)))
    texts = {label.text for label in picture.labels}
    assert {"00000000", "2401.00001v2", "extends +1", "cites"} <= texts
    assert [dot.kind for dot in picture.dots] == ["counts", "void", "self"]
    there = neighbourhood(linked(cited=(work,), here=True))
    assert [dot.kind for dot in there.dots] == ["counts", "self"]
    assert picture.title.endswith("cited by 1 record of this mirror, citing 1 work")


def test_neighbourhood_is_bounded() -> None:
    """A few are drawn on each side, and the picture says how many are not."""
    works = tuple(Work(DOI, f"10.1000/{'w' * 150}{number}") for number in range(300))
    picture = neighbourhood(linked(citing=50, cited=works))
    limit = DEFAULT_LIMITS.drawn_neighbours_max_count
    assert len(picture.strokes) == 2 * limit
    texts = [str(label.text) for label in picture.labels]
    assert f"and {50 - limit} more" in texts
    assert f"and {300 - limit} more" in texts
    assert max(map(len, texts)) <= 20
    assert picture.height < 250


def test_pictures_of_every_kind_are_whole_numbers_in_their_box() -> None:
    """No coordinate is a fraction, and none is outside of the picture."""
    record = known(every_kind(), mirror())
    for picture in (draw_timeline(record.state), draw_neighbourhood(record)):
        assert picture is not None
        across = [n for s in picture.strokes for n in (s.x1, s.x2)]
        across += [dot.x for dot in picture.dots] + [label.x for label in picture.labels]
        down = [n for s in picture.strokes for n in (s.y1, s.y2)]
        down += [dot.y for dot in picture.dots] + [label.y for label in picture.labels]
        assert {type(n) for n in across + down} == {int}
        assert all(0 <= x <= picture.width for x in across)
        assert all(0 <= y <= picture.height for y in down)

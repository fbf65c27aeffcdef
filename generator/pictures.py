"""The two pictures of a record page: when its events were signed, and who is linked with it.

Whole numbers only, and a bounded size whatever a bundle holds. Each shows nothing that a table
beside it does not say in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.citations import Neighbour
from generator.drawing import Dot, Label, Picture, Stroke
from generator.event_words import kind_words, value_words
from generator.facts import KnownRecord
from generator.formats.checks import Outcome
from generator.formats.instant import Instant
from generator.formats.kinds import KINDS
from generator.formats.works import PITH_NUMBER, Work
from generator.limits import DEFAULT_LIMITS
from generator.merge import RecordState
from generator.messages import message, messages
from generator.standing import Standing
from generator.verify_events import JudgedEvent

# A phone shows a page's column at about this many pixels; wider screens enlarge the picture.
_WIDTH = 360
_LANE = 18  # height of a row of the timeline
_FIRST_X, _LAST_X = 128, 350  # where the timeline's axis starts and ends
_STEP = 6  # marks closer than this are one: two dots that overlap say no more than one
_ROW = 30  # height of a neighbour
_LEFT_X, _CENTRE_X, _RIGHT_X = 76, 158, 240  # where the dots stand
_TOP = 14  # room for the record's own name above its dot
_LABEL_LENGTH = 17  # characters beside a dot, in a font of fixed width
_OTHER_KINDS = message("other kinds")
_DAY = 86_400  # seconds


def draw_timeline(state: RecordState) -> Picture | None:
    """Draw when the verified events of a record were signed, a row for each kind.

    Events whose time is not signed are left out: one that claims the year 1 would squeeze all the
    others into a point.

    Args:
        state: the merged state.

    Returns:
        The picture, or None where there are not two moments to tell apart.
    """
    events = [
        (event.created_at, event)
        for event in state.events
        if event.outcome is Outcome.VERIFIED
        and event.created_at is not None
        and (event.signed or event.integrity is not None)
    ]
    moments = [moment for moment, _ in events]
    if len(set(moments)) < 2:
        return None
    first, last = min(moments), max(moments)
    found = {_lane(event) for _, event in events}
    lanes = [kind for kind in (*KINDS, _OTHER_KINDS) if kind in found]
    bottom = len(lanes) * _LANE + 4
    dots: dict[tuple[int, int], Dot] = {}
    for moment, event in events:
        y = lanes.index(_lane(event)) * _LANE + _LANE // 2 + 2
        kind = "counts" if state.standing(event) is Standing.COUNTS else "void"
        place = (_place(moment, first, last), y)
        if kind == "counts" or place not in dots:
            dots[place] = Dot(*place, 4, kind)
    return Picture(
        name="timeline",
        title=message(
            "{number} events with a signed time, from {first} to {last}",
            number=len(events),
            first=str(first),
            last=str(last),
        ),
        width=_WIDTH,
        height=bottom + 18,
        strokes=tuple(_lane_strokes(len(lanes), bottom)),
        dots=tuple(dots.values()),
        labels=(*_lane_labels(lanes), *_axis_labels(first, last, bottom + 14)),
    )


def _lane(event: JudgedEvent) -> str:
    return event.event_type if event.event_type in KINDS else _OTHER_KINDS


def _lane_strokes(count: int, bottom: int) -> list[Stroke]:
    rows = (row * _LANE + _LANE // 2 + 2 for row in range(count))
    lanes = [Stroke(_FIRST_X - 6, y, _LAST_X + 6, y, "quiet") for y in rows]
    return [*lanes, Stroke(_FIRST_X - 6, bottom, _LAST_X + 6, bottom, "axis")]


def _lane_labels(lanes: Sequence[str]) -> list[Label]:
    words = [name if name == _OTHER_KINDS else kind_words(name, 1) for name in lanes]
    return [
        Label(_FIRST_X - 12, row * _LANE + _LANE // 2 + 6, text, "end", "name")
        for row, text in enumerate(words)
    ]


def _axis_labels(first: Instant, last: Instant, y: int) -> tuple[Label, Label]:
    whole_days = first.date != last.date
    texts = [moment.date if whole_days else _time_of_day(moment) for moment in (first, last)]
    return (
        Label(_FIRST_X - 6, y, texts[0], "start", "quiet"),
        Label(_LAST_X + 6, y, texts[1], "end", "quiet"),
    )


def _time_of_day(moment: Instant) -> str:
    second = moment.seconds % _DAY
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


def _place(moment: Instant, first: Instant, last: Instant) -> int:
    """Give the x of a moment, in steps."""
    # A leap second and the second after it are two moments, and of one number here.
    span = max(1, _nanoseconds(last) - _nanoseconds(first))
    steps = (_LAST_X - _FIRST_X) // _STEP
    passed = _nanoseconds(moment) - _nanoseconds(first)
    return _FIRST_X + passed * steps // span * _STEP


def _nanoseconds(moment: Instant) -> int:
    return moment.seconds * 1_000_000_000 + moment.nanoseconds


@dataclass(frozen=True, slots=True)
class _End:
    """A work beside the record: its label, the relations it stands in, and whether it is here."""

    label: str
    relations: tuple[str, ...]
    here: bool


@dataclass(frozen=True, slots=True)
class _Side:
    """The works on one side, those that are drawn and how many are not."""

    x: int  # of their dots
    ends: Sequence[_End]
    more: int

    @property
    def is_incoming(self) -> bool:
        """Whether these cite the record; else it cites them."""
        return self.x == _LEFT_X


def draw_neighbourhood(known: KnownRecord) -> Picture | None:
    """Draw the record between those that cite it and those it cites.

    Args:
        known: what is known of the record.

    Returns:
        The picture, or None for a record without links.
    """
    citing, cited = _citing(known), _cited(known)
    if not citing and not cited:
        return None
    limit = DEFAULT_LIMITS.drawn_neighbours_max_count
    left, right = citing[:limit], cited[:limit]
    count = known.links.citing_count
    sides = (
        _Side(_LEFT_X, left, count - len(left)),
        _Side(_RIGHT_X, right, len(cited) - len(right)),
    )
    rows = max(len(left), len(right))
    middle = _TOP + rows * _ROW // 2
    number = known.state.pith_number.short
    return Picture(
        name="neighbourhood",
        title=message(
            "Citations of {name}: {citing}, {cited}",
            name=number,
            citing=messages(
                "cited by {number} record of this mirror",
                "cited by {number} records of this mirror",
                count,
            ),
            cited=messages("citing {number} work", "citing {number} works", len(cited)),
        ),
        width=_WIDTH,
        height=_TOP + rows * _ROW + (20 if any(side.more for side in sides) else 6),
        strokes=tuple(stroke for side in sides for stroke in _side_strokes(side, middle, rows)),
        dots=(
            *(dot for side in sides for dot in _side_dots(side, rows)),
            Dot(_CENTRE_X, middle, 7, "self"),
        ),
        labels=(
            *(label for side in sides for label in _side_labels(side, rows)),
            # Higher where lines come from further up, so that none runs through it.
            Label(_CENTRE_X, middle - 11 - 2 * rows, number[len("pith:") :], "middle", "id"),
        ),
    )


def _rows_of(side: _Side, rows: int) -> list[tuple[int, _End]]:
    """Give the y of each work; the shorter side stands in the middle of the longer one."""
    start = _TOP + (rows - len(side.ends)) * _ROW // 2 + _ROW // 2
    return [(start + row * _ROW, end) for row, end in enumerate(side.ends)]


def _side_strokes(side: _Side, middle: int, rows: int) -> list[Stroke]:
    # A line stops short of the dots, so that an arrow can be told from a touch.
    heights = [y for y, _ in _rows_of(side, rows)]
    if side.is_incoming:
        return [Stroke(side.x + 6, y, _CENTRE_X - 10, middle, "arrow") for y in heights]
    return [Stroke(_CENTRE_X + 10, middle, side.x - 6, y, "arrow") for y in heights]


def _side_dots(side: _Side, rows: int) -> list[Dot]:
    return [Dot(side.x, y, 4, "counts" if end.here else "void") for y, end in _rows_of(side, rows)]


def _side_labels(side: _Side, rows: int) -> list[Label]:
    anchor, x = ("end", side.x - 9) if side.is_incoming else ("start", side.x + 9)
    labels = []
    for y, end in _rows_of(side, rows):
        words = value_words(end.relations[0])
        if len(end.relations) > 1:
            words = message("{first} +{number}", first=words, number=len(end.relations) - 1)
        labels.append(Label(x, y, end.label, anchor, "id"))
        labels.append(Label(x, y + 11, words, anchor, "quiet"))
    if side.more > 0:
        labels.append(
            Label(
                x,
                _TOP + rows * _ROW + 12,
                message("and {number} more", number=side.more),
                anchor,
                "quiet",
            )
        )
    return labels


def _citing(known: KnownRecord) -> list[_End]:
    relations: dict[Neighbour, list[str]] = {}
    for link in known.links.cited_by:
        relations.setdefault(link.source, []).append(link.relation)
    return [
        _End(source.suffix[:8], _distinct(words), here=True) for source, words in relations.items()
    ]


def _cited(known: KnownRecord) -> list[_End]:
    relations: dict[Work, list[str]] = {}
    for link in known.cites:
        relations.setdefault(link.work, []).append(link.relation)
    targets = known.links.targets
    ends = [
        _End(_label(work), _distinct(words), here=work in targets)
        for work, words in relations.items()
    ]
    return sorted(ends, key=lambda end: not end.here)


def _distinct(relations: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(relations))


def _label(work: Work) -> str:
    if work.kind == PITH_NUMBER:
        return work.name.rpartition(":")[2][:8]
    text = str(work)
    return text if len(text) <= _LABEL_LENGTH else f"{text[: _LABEL_LENGTH - 1]}…"

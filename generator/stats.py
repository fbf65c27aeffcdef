"""Statistics: what the catalogue counts, as tables and plots of a bounded size, and as JSON.

Years and months are what bundles claim, so one record may say 9999: an axis of time is the window
that holds most, and what lies outside of it is counted beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from generator import layout
from generator.catalogue import Catalogue
from generator.drawing import Picture
from generator.event_words import OUTCOME_WORDS, kind_words
from generator.formats.canonical import JsonObject, compact_json
from generator.formats.kinds import KINDS
from generator.listing_words import STATUS_WORDS, licence_words
from generator.messages import message
from generator.plan import ListingKind
from generator.plots import draw_columns, draw_lanes, draw_rows

STATS_TYPE = "pith_mirror_stats"
VERSION = "1.0"
YEARS_IN_WINDOW = 50
MONTHS_IN_WINDOW = 36
SHOWN_CATEGORIES = 30
SHOWN_LICENCES = 20
_EARLIER, _LATER = message("earlier"), message("later")
_OTHERS = message("others")
_RECORDS = message("Records")
_MARKS = ("withdrawn", "contradicted")
_OTHER_KINDS, _OTHER_KIND_WORDS = "", message("other kinds")
_MONTHS = 12


@dataclass(frozen=True, slots=True)
class StatsRow:
    """A row of a table: a name, with the site path of its listing or empty, and whole numbers."""

    name: str
    path: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StatsTable:
    """Numbers of one kind: the table is the data, the picture shows it once more."""

    name: str  # an anchor
    heading: str
    intro: str
    columns: tuple[str, ...]  # that of the names first
    rows: tuple[StatsRow, ...]
    picture: Picture | None


@dataclass(frozen=True, slots=True)
class StatsPage:
    """`stats.html`: every table; `newest` is the latest time signed in a record, or empty."""

    total: int
    author_count: int
    newest: str
    tables: tuple[StatsTable, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """Numbers by steps of time: a bounded window without gaps, and what lies outside."""

    steps: tuple[tuple[int, int], ...]  # step, number; in order
    before: int
    after: int


def most_of(counts: Mapping[int, int], *, length: int) -> Window:
    """Choose the window of time that holds most.

    Args:
        counts: numbers by step, such as years; a step may be far from all others.
        length: steps in the window.

    Returns:
        The window, the latest of several that hold as much, cut to its first and last step that
        hold anything.
    """
    steps = sorted(step for step, number in counts.items() if number)
    if not steps:
        return Window((), 0, 0)
    best, held, total, first = (0, 0, 0), 0, 0, 0
    for index, step in enumerate(steps):
        held += counts[step]
        total += counts[step]
        while steps[first] <= step - length:
            held -= counts[steps[first]]
            first += 1
        best = max(best, (held, index, first))
    held, index, first = best
    inside = range(steps[first], steps[index] + 1)
    before = sum(counts[step] for step in steps[:first])
    return Window(
        tuple((step, counts.get(step, 0)) for step in inside), before, total - before - held
    )


def stats_page(catalogue: Catalogue) -> StatsPage:
    """Say what the page of statistics says.

    Args:
        catalogue: complete.

    Returns:
        The page's values; how much they are does not grow with the records.
    """
    return StatsPage(
        total=catalogue.record_count(),
        author_count=catalogue.listings.author_count(),
        newest=catalogue.newest_time(),
        tables=(
            _years(catalogue),
            _categories(catalogue),
            _verdicts(catalogue),
            _checks(catalogue),
            _events(catalogue),
            _licences(catalogue),
        ),
    )


def _years(catalogue: Catalogue) -> StatsTable:
    window = most_of(dict(catalogue.listings.years()), length=YEARS_IN_WINDOW)
    rows = [
        StatsRow(str(year), layout.listing_page(layout.year_folder(year), None), (number,))
        for year, number in window.steps
        if number
    ]
    before = (StatsRow(_EARLIER, "", (window.before,)),) if window.before else ()
    after = (StatsRow(_LATER, "", (window.after,)),) if window.after else ()
    return StatsTable(
        name="years",
        heading=message("Records by year of submission"),
        intro=message("As the signed records have it."),
        columns=(message("Year"), _RECORDS),
        rows=(*before, *rows, *after),
        picture=draw_columns(
            "years",
            message("Records by year of submission"),
            [(str(year), number) for year, number in window.steps],
        ),
    )


def _categories(catalogue: Catalogue) -> StatsTable:
    listed = dict(catalogue.listings.categories())
    primary = catalogue.primary_categories()
    shown, others = primary[:SHOWN_CATEGORIES], primary[SHOWN_CATEGORIES:]
    rows = [
        StatsRow(
            name,
            layout.listing_page(layout.category_folder(name), None),
            (number, listed.get(name, 0)),
        )
        for name, number in shown
    ]
    named = {name for name, _ in shown}
    crossed = sum(number for name, number in listed.items() if name not in named)
    if others or crossed:
        path = layout.listing_page(layout.index_folder("category"), None)
        rows.append(StatsRow(_OTHERS, path, (sum(number for _, number in others), crossed)))
    return StatsTable(
        name="categories",
        heading=message("Records by category"),
        intro=message(
            "By primary category, the most frequent first; the last column also counts records "
            "that are cross-listed, so that a record may be counted several times in it."
        ),
        columns=(message("Category"), message("Primary"), message("Primary or cross-listed")),
        rows=tuple(rows),
        picture=draw_rows(
            "categories",
            message("Records by primary category"),
            [(row.name, row.numbers[0]) for row in rows],
        ),
    )


def _verdicts(catalogue: Catalogue) -> StatsTable:
    words = {**STATUS_WORDS, "not published": message("not published")}
    verdicts = [(verdict.value, number) for verdict, number in catalogue.bundles.counts()]
    rows = [
        StatsRow(words[word], _status_path(word) if word in STATUS_WORDS else "", (number,))
        for word, number in verdicts
    ]
    return StatsTable(
        name="verdicts",
        heading=message("Bundles by verdict"),
        intro=message(
            "Every bundle that was read for this build, also several of one record; those that are "
            "not published are in the report."
        ),
        columns=(message("Verdict"), message("Bundles")),
        rows=tuple(rows),
        picture=draw_rows(
            "verdicts", message("Bundles by verdict"), [(row.name, row.numbers[0]) for row in rows]
        ),
    )


def _checks(catalogue: Catalogue) -> StatsTable:
    rows = [
        StatsRow(OUTCOME_WORDS[outcome], "", (number,))
        for outcome, number in catalogue.check_counts()
    ]
    return StatsTable(
        name="checks",
        heading=message("Checks by outcome"),
        intro=message("All checks on the bundles of published records."),
        columns=(message("Outcome"), message("Checks")),
        rows=tuple(rows),
        picture=draw_rows(
            "checks", message("Checks by outcome"), [(row.name, row.numbers[0]) for row in rows]
        ),
    )


def _licences(catalogue: Catalogue) -> StatsTable:
    groups = sorted(
        catalogue.listings.groups(ListingKind.LICENCE), key=lambda group: (-group[3], group[0])
    )
    rows = [
        StatsRow(licence_words(name), layout.listing_page(folder, None), (number,))
        for folder, name, _, number in groups[:SHOWN_LICENCES]
    ]
    others = sum(number for *_, number in groups[SHOWN_LICENCES:])
    if others:
        path = layout.listing_page(layout.index_folder("licence"), None)
        rows.append(StatsRow(_OTHERS, path, (others,)))
    return StatsTable(
        name="licences",
        heading=message("Records by licence"),
        intro=message("As the signed records have it, the most frequent first."),
        columns=(message("Licence"), _RECORDS),
        rows=tuple(rows),
        picture=draw_rows(
            "licences", message("Records by licence"), [(row.name, row.numbers[0]) for row in rows]
        ),
    )


def _events(catalogue: Catalogue) -> StatsTable:
    kinds, months = _events_by_month(catalogue.event_counts())
    window = most_of(_totals(months), length=MONTHS_IN_WINDOW)
    first, last = (window.steps[0][0], window.steps[-1][0]) if window.steps else (0, -1)
    # Each column has a name and its numbers by kind.
    columns = [
        (_EARLIER, _sum_of(found for month, found in months.items() if month < first)),
        *((_month(month), months.get(month, {})) for month, _ in window.steps),
        (_LATER, _sum_of(found for month, found in months.items() if month > last)),
        (message("All"), _sum_of(months.values())),
    ]
    columns = [(words, found) for words, found in columns if found]
    names = [kind_words(kind, 1) if kind in KINDS else _OTHER_KIND_WORDS for kind in kinds]
    return StatsTable(
        name="events",
        heading=message("Events by kind and month"),
        intro=message(
            "Verified events, by the month in which their signers say they signed them; months "
            "without events are left out. In the picture each kind has its own scale; its largest "
            "number stands on the right."
        ),
        columns=(message("Kind"), *(words for words, _ in columns)),
        rows=tuple(
            StatsRow(name, "", tuple(found.get(kind, 0) for _, found in columns))
            for name, kind in zip(names, kinds, strict=True)
        ),
        picture=draw_lanes(
            "events",
            message("Verified events by month, a row for each kind"),
            [_month(month) for month, _ in window.steps],
            [
                (name, [months.get(month, {}).get(kind, 0) for month, _ in window.steps])
                for name, kind in zip(names, kinds, strict=True)
            ],
        ),
    )


def _events_by_month(
    counts: Iterable[tuple[str, str, int]],
) -> tuple[tuple[str, ...], dict[int, dict[str, int]]]:
    """Sort numbers of events into months since the year 0, kinds in the order of the protocol."""
    months: dict[int, dict[str, int]] = {}
    found = set()
    for event_type, month, number in counts:
        kind = event_type if event_type in KINDS else _OTHER_KINDS
        found.add(kind)
        step = int(month[:4]) * _MONTHS + int(month[5:]) - 1
        row = months.setdefault(step, {})
        row[kind] = row.get(kind, 0) + number
    return tuple(kind for kind in (*KINDS, _OTHER_KINDS) if kind in found), months


def _sum_of(rows: Iterable[Mapping[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for row in rows:
        for kind, number in row.items():
            sums[kind] = sums.get(kind, 0) + number
    return sums


def _totals(months: Mapping[int, Mapping[str, int]]) -> dict[int, int]:
    return {month: sum(found.values()) for month, found in months.items()}


def _month(step: int) -> str:
    return f"{step // _MONTHS:04}-{step % _MONTHS + 1:02}"


def _status_path(word: str) -> layout.SitePath:
    return layout.listing_page(layout.status_folder(word), None)


def stats_lines(catalogue: Catalogue) -> Iterator[bytes]:
    """Spell `stats.json`: every number, nothing summed up as "others".

    Args:
        catalogue: complete.

    Returns:
        The pieces of one JSON document.
    """
    listings = catalogue.listings
    head: JsonObject = {
        "stats_type": STATS_TYPE,
        "stats_version": VERSION,
        "newest_time": catalogue.newest_time() or None,
        "records": catalogue.record_count(),
        "author_names": listings.author_count(),
        "bundles": {verdict.value: number for verdict, number in catalogue.bundles.counts()},
        "checks": {outcome.value: number for outcome, number in catalogue.check_counts()},
        "marks": {word: listings.count(layout.status_folder(word)) for word in _MARKS},
    }
    yield compact_json(head)[:-1]
    primary, listed = dict(catalogue.primary_categories()), listings.categories()
    yield from _array(
        "years",
        ({"year": year, "records": number} for year, number in reversed(listings.years())),
    )
    yield from _array(
        "categories",
        (
            {"category": name, "primary": primary.get(name, 0), "listed": number}
            for name, number in listed
        ),
    )
    yield from _array(
        "licences",
        (
            {"licence": name or None, "records": number}
            for _, name, _, number in listings.groups(ListingKind.LICENCE)
        ),
    )
    yield from _array(
        "events",
        (
            {"event_type": kind, "month": month, "count": number}
            for kind, month, number in catalogue.event_counts()
        ),
    )
    yield b"}\n"


def _array(name: str, items: Iterable[JsonObject]) -> Iterator[bytes]:
    yield b"," + compact_json(name) + b":["
    separator = b"\n"
    for item in items:
        yield separator + compact_json(item)
        separator = b",\n"
    yield b"\n]"

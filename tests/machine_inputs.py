"""Fills a catalogue without rendering a record, for the files that speak of all records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from generator.build_state import open_database
from generator.catalogue import Catalogue
from generator.catalogued import catalogue_record
from generator.config import Canonical, Configuration, Presentation, Upstream
from generator.describe import list_record
from generator.formats.instant import parse_instant
from generator.record_files import RecordUnit, known_record
from generator.render import Renderer, SitePart, SiteStream
from generator.site_frame import prepare_resources, site_content, site_frame
from generator.site_inputs import SiteInputs
from tests.factories import TEMPLATES, TEST_MIRROR, raw, report_on
from tests.vectors.builders import PAPER, Json, Paper, bundle_of

BASE_URL = "https://mirror.example/pith/"
OPERATOR = "Example Library, mirror@library.example"
# A mirror that has every file there can be: an address, an operator, its own pages canonical.
MIRROR = replace(
    TEST_MIRROR,
    base_url=BASE_URL,
    operator=OPERATOR,
    presentation=Presentation(canonical=Canonical.MIRROR),
)
REGISTRY = Upstream("registry.example", "https://registry.example/")
HOSTILE = "]]><script>&\"'\u202e\x00\x0b\ud7ff\ufffe <!-- --> {{ 7 * 7 }} \U0001f4dc"


def paper(number: int) -> Paper:
    """Make up a paper; two differ in number, title and day."""
    return replace(
        PAPER,
        source_id=f"2305.{number:05}",
        title=f"Paper {number}",
        submitted_at=f"20{10 + number % 9}-05-{number % 28 + 1:02}T06:55:44Z",
    )


def unit_of(bundle: Json | bytes, configuration: Configuration = TEST_MIRROR) -> RecordUnit:
    """Say what a record contributes to the catalogue; its own files are left out."""
    report = report_on(bundle, configuration=configuration)
    known = known_record(report, configuration)
    newest = max(
        known.state.receipt.signed_at,
        *(event.created_at for event in known.state.events if event.created_at and event.signed),
    )
    return RecordUnit(
        record=known.state.record,
        listed=list_record(known),
        files=(),
        newest=newest,
        cites=known.cites,
        catalogued=catalogue_record(known, raw=raw(bundle), newest=newest),
    )


def changed(unit: RecordUnit, **fields: object) -> RecordUnit:
    """Say something else of a record in the catalogue."""
    catalogued = replace(unit.catalogued, **fields)  # type: ignore[arg-type] # the test's own
    newest = parse_instant(catalogued.changed_at, subject="changed_at")
    return replace(unit, catalogued=catalogued, newest=newest)


@contextmanager
def inputs_of(
    folder: Path, units: Iterable[RecordUnit], configuration: Configuration = MIRROR
) -> Iterator[SiteInputs]:
    """Fill a catalogue.

    Args:
        folder: for its file.
        units: the records, added in this order.
        configuration: the mirror's.

    Yields:
        What the files of the whole site are made from.
    """
    resources = prepare_resources([TEMPLATES], configuration)
    content = site_content(configuration, resources)
    renderer = Renderer([TEMPLATES], site_frame(configuration, resources, content))
    folder.mkdir(parents=True, exist_ok=True)
    with closing(open_database(Path(":memory:"))) as database:
        catalogue = Catalogue(database)
        for unit in units:
            catalogue.add_record(unit)
        yield SiteInputs(catalogue, configuration, resources, renderer, content)


def files_of(
    make: Callable[[SiteInputs], Iterable[SitePart]],
    folder: Path,
    units: Sequence[RecordUnit],
    configuration: Configuration = MIRROR,
) -> dict[str, bytes]:
    """Make some files of a site.

    Args:
        make: makes them.
        folder: for the catalogue.
        units: the records.
        configuration: the mirror's.

    Returns:
        The bytes of each by path.
    """
    with inputs_of(folder, units, configuration) as inputs:
        return {
            file.path: b"".join(file.pieces) if isinstance(file, SiteStream) else file.data
            for file in make(inputs)
        }


def units(count: int) -> tuple[RecordUnit, ...]:
    """Make up records; they are the same every time."""
    return tuple(map(_unit, range(count)))


@cache
def _unit(number: int) -> RecordUnit:
    return unit_of(bundle_of(paper(number)))

"""Pages that list records: home, browse, a page for each year and category, aliases, report."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice

from generator import layout
from generator.messages import message
from generator.pages import (
    AliasPage,
    BrowsePage,
    Group,
    HomePage,
    ListedRecord,
    ListingPage,
    ReportPage,
)
from generator.plan import plan_listing
from generator.render import Renderer, SiteFile, SiteStream
from generator.site_documents import report_lines
from generator.site_frame import GENERATOR
from generator.site_inputs import SiteInputs

HOME_RECORDS = 20
_BY_YEAR = message("Records by the year in which the first version was submitted.")
_BY_CATEGORY = message("Records with this arXiv category, primary or cross-listed.")


def listing_files(inputs: SiteInputs) -> Iterator[SiteFile | SiteStream]:
    """Make every page that lists records, and the report.

    Args:
        inputs: the catalogue and what is beside it.

    Returns:
        The files, streamed.

    Raises:
        RenderError: a template failed.
    """
    yield from _browse(inputs)
    yield from _aliases(inputs)
    yield from _report(inputs)


def _browse(inputs: SiteInputs) -> Iterator[SiteFile]:
    catalogue, renderer = inputs.catalogue, inputs.renderer
    years = tuple(
        Group(str(year), layout.listing_page(layout.year_folder(year), None), count)
        for year, count in catalogue.years()
    )
    categories = tuple(
        Group(name, layout.listing_page(layout.category_folder(name), None), count)
        for name, count in catalogue.categories()
    )
    home = HomePage(
        total=catalogue.record_count(),
        counts=catalogue.counts(),
        newest=catalogue.newest(HOME_RECORDS),
        years=years,
    )
    yield renderer.page("home.html", layout.HOME, home)
    yield renderer.page("browse.html", layout.BROWSE, BrowsePage(years, categories))
    for year, count in catalogue.years():
        yield from _listing(
            renderer,
            layout.year_folder(year),
            (str(year), _BY_YEAR),
            records=catalogue.of_year(year),
            total=count,
        )
    for name, count in catalogue.categories():
        yield from _listing(
            renderer,
            layout.category_folder(name),
            (name, _BY_CATEGORY),
            records=catalogue.of_category(name),
            total=count,
        )


def _listing(
    renderer: Renderer,
    folder: str,
    words: tuple[str, str],
    *,
    records: Iterator[ListedRecord],
    total: int,
) -> Iterator[SiteFile]:
    heading, intro = words
    for part in plan_listing(folder, total):
        shown = tuple(islice(records, part.length))
        page = ListingPage(heading, intro, shown[::-1], total, part.links)
        yield renderer.page("listing.html", part.path, page)


def _aliases(inputs: SiteInputs) -> Iterator[SiteFile]:
    for (path, kind, value), rows in groupby(inputs.catalogue.aliases(), key=lambda row: row[:3]):
        page = AliasPage(kind, value, tuple(row[3] for row in rows))
        yield inputs.renderer.page("alias.html", path, page)


def _report(inputs: SiteInputs) -> Iterator[SiteFile | SiteStream]:
    catalogue = inputs.catalogue
    entries = catalogue.faulty_reports()
    total = catalogue.faulty_count()
    folder = layout.REPORT_PAGE.removesuffix("/index.html")
    for part in plan_listing(folder, total):
        shown = tuple(islice(entries, part.length))
        page = ReportPage(catalogue.counts(), shown[::-1], total, part.links)
        yield inputs.renderer.page("report.html", part.path, page)
    lines = report_lines(catalogue, inputs.configuration, generator=GENERATOR)
    yield SiteStream(layout.REPORT, lines)

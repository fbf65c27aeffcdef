"""Pages about all records: home, the pages for browsing, statistics, aliases, report."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice

from generator import layout
from generator.config import Profile
from generator.listing_pages import AliasPage, HomePage, ReportPage
from generator.listing_words import INDEXES
from generator.messages import message
from generator.pages import Link
from generator.plan import plan_listing
from generator.render import PlannedPage, SitePart, SiteStream
from generator.site_browse import browse_files, newest_years
from generator.site_documents import report_lines
from generator.site_frame import GENERATOR
from generator.site_inputs import SiteInputs
from generator.stats import stats_lines, stats_page

HOME_RECORDS = 20
HOME_YEARS = 12
_WAYS = (
    *INDEXES,
    Link(message("Last received"), layout.listing_page(layout.recent_folder(), None)),
    Link(message("Statistics"), layout.STATS),
)


def overview_files(inputs: SiteInputs) -> Iterator[SitePart]:
    """Make the pages that count records and bundles: home, statistics, report.

    Args:
        inputs: the catalogue and what is beside it.

    Returns:
        The files, streamed.

    Raises:
        RenderError: a template failed.
    """
    yield _home(inputs)
    yield from _stats(inputs)
    yield from _report(inputs)


def listing_files(inputs: SiteInputs) -> Iterator[SitePart]:
    """Make every page that lists records: those for browsing, and the alias pages.

    Args:
        inputs: the catalogue and what is beside it.

    Returns:
        The files, streamed.

    Raises:
        RenderError: a template failed.
    """
    yield from browse_files(inputs)
    yield from _aliases(inputs)


def _home(inputs: SiteInputs) -> PlannedPage:
    catalogue = inputs.catalogue
    home = HomePage(
        total=catalogue.record_count(),
        counts=catalogue.bundles.counts(),
        newest=catalogue.newest(HOME_RECORDS),
        years=newest_years(catalogue.listings, HOME_YEARS),
        ways=_WAYS,
    )
    return inputs.renderer.later("home.html", layout.HOME, home)


def _stats(inputs: SiteInputs) -> Iterator[SitePart]:
    yield inputs.renderer.later("stats.html", layout.STATS, stats_page(inputs.catalogue))
    yield SiteStream(layout.STATS_JSON, stats_lines(inputs.catalogue))


def _aliases(inputs: SiteInputs) -> Iterator[PlannedPage]:
    if inputs.configuration.presentation.profile is Profile.COMPACT:
        return
    for (path, kind, value), rows in groupby(inputs.catalogue.aliases(), key=lambda row: row[:3]):
        page = AliasPage(kind, value, tuple(row[3] for row in rows))
        yield inputs.renderer.later("alias.html", path, page)


def _report(inputs: SiteInputs) -> Iterator[SitePart]:
    catalogue = inputs.catalogue
    entries = catalogue.bundles.shown_reports()
    total = catalogue.bundles.faulty_count()
    folder = layout.REPORT_PAGE.removesuffix("/index.html")
    for part in plan_listing(folder, total):
        shown = tuple(islice(entries, part.length))
        page = ReportPage(catalogue.bundles.counts(), shown[::-1], total, part.links)
        yield inputs.renderer.later("report.html", part.path, page)
    lines = report_lines(catalogue, inputs.configuration, generator=GENERATOR)
    yield SiteStream(layout.REPORT, lines)

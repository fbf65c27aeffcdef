"""Pages for browsing: the listings of every kind, their indexes, and the page that leads to all.

No page grows with the records: listings are cut by `plan_listing`, lists of listings by
`plan_index`, and authors, of whom there may be millions, are parted by the beginning of their
names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice

from generator import layout
from generator.catalogue_listings import ListingIndex
from generator.listing_pages import Archive, BrowsePage, Group, IndexPage, ListingPage, ListingWords
from generator.listing_words import (
    ARCHIVE_NAMES,
    BROWSE,
    INDEXES,
    listing_name,
    listing_words,
)
from generator.messages import message
from generator.pages import Link
from generator.plan import (
    INDEX_LENGTH,
    LISTING_LENGTH,
    PREFIX_MAX_LENGTH,
    STATUSES,
    ListingKind,
    plan_index,
    plan_listing,
)
from generator.render import PlannedPage
from generator.site_inputs import SiteInputs

SHOWN_YEARS = 60
SHOWN_CATEGORIES = 300
SHOWN_LICENCES = 20
_OTHER_NAMES = message("Other letters")


@dataclass(frozen=True, slots=True)
class PageLengths:
    """How much stands on one page; smaller in tests."""

    listing: int = LISTING_LENGTH  # records
    index: int = INDEX_LENGTH  # links


def browse_files(
    inputs: SiteInputs, *, lengths: PageLengths | None = None
) -> Iterator[PlannedPage]:
    """Make the page that leads to every listing, the indexes and the listings.

    Args:
        inputs: the complete catalogue and what is beside it.
        lengths: of the pages.

    Returns:
        The files, streamed.

    Raises:
        RenderError: a template failed.
    """
    lengths = lengths or PageLengths()
    yield inputs.renderer.later("browse.html", layout.BROWSE, _browse_page(inputs))
    for kind in (ListingKind.YEAR, ListingKind.CATEGORY, ListingKind.LICENCE):
        yield from _index(inputs, kind, lengths)
    yield from _author_index(inputs, None, lengths)
    for kind in ListingKind:
        yield from _listings(inputs, kind, lengths)


def listing_groups(listings: ListingIndex, kind: ListingKind) -> Iterator[Group]:
    """Stream the listings of a kind as they are linked.

    Args:
        listings: of the catalogue.
        kind: by what records are listed.

    Returns:
        The groups, in the kind's own order; years and months run from the oldest.
    """
    for folder, name, _, count in listings.groups(kind):
        yield Group(listing_name(kind, name), layout.listing_page(folder, None), count)


def newest_years(listings: ListingIndex, limit: int) -> tuple[Group, ...]:
    """Give the last years that have records.

    Args:
        listings: of the catalogue.
        limit: how many.

    Returns:
        Newest first.
    """
    return tuple(listing_groups(listings, ListingKind.YEAR))[::-1][:limit]


def status_groups(listings: ListingIndex) -> tuple[Group, ...]:
    """Give the listing of each status, also of those in which no record stands."""
    return tuple(
        Group(
            listing_name(ListingKind.STATUS, word),
            layout.listing_page(layout.status_folder(word), None),
            listings.count(layout.status_folder(word)),
        )
        for word in STATUSES
    )


def _browse_page(inputs: SiteInputs) -> BrowsePage:
    listings = inputs.catalogue.listings
    licences = sorted(
        listing_groups(listings, ListingKind.LICENCE), key=lambda group: (-group.count, group.path)
    )
    return BrowsePage(
        total=inputs.catalogue.record_count(),
        years=newest_years(listings, SHOWN_YEARS),
        archives=_archives(
            islice(listing_groups(listings, ListingKind.CATEGORY), SHOWN_CATEGORIES)
        ),
        licences=tuple(licences[:SHOWN_LICENCES]),
        statuses=status_groups(listings),
        author_count=listings.author_count(),
        indexes=INDEXES,
        recent=Link(
            listing_name(ListingKind.RECENT, ""), layout.listing_page(layout.recent_folder(), None)
        ),
    )


def _archives(categories: Iterable[Group]) -> tuple[Archive, ...]:
    parted = groupby(categories, key=lambda group: group.name.partition(".")[0])
    return tuple(
        Archive(code, ARCHIVE_NAMES.get(code, ""), tuple(groups)) for code, groups in parted
    )


def _index(inputs: SiteInputs, kind: ListingKind, lengths: PageLengths) -> Iterator[PlannedPage]:
    groups = tuple(listing_groups(inputs.catalogue.listings, kind))
    if kind is ListingKind.YEAR:
        groups = groups[::-1]
    link = next(link for link in INDEXES if f"/{kind.value}/" in link.href)
    words = _IndexWords(link.label, _INDEX_INTROS[kind], BROWSE, long=kind is ListingKind.LICENCE)
    folder = layout.index_folder(kind.value)
    yield from _index_pages(inputs, folder, words, iter(groups), total=len(groups), lengths=lengths)


_INDEX_INTROS = {
    ListingKind.YEAR: message("Each year with the number of its records, newest first."),
    ListingKind.CATEGORY: message(
        "Each category with the number of its records, by name. A record stands under its primary "
        "category and under each one it is cross-listed in."
    ),
    ListingKind.LICENCE: message(
        "Each licence with the number of its records, by address. Addresses that differ are "
        "different licences here."
    ),
}
_AUTHORS = message(
    "Names of authors, as reported or carried in bundles and never proven, each with the number of "
    "its records, by the last word of the name. Names that are spelled differently are listed "
    "apart."
)


@dataclass(frozen=True, slots=True)
class _IndexWords:
    heading: str
    intro: str
    up: Link
    counts_names: bool = False
    long: bool = False


def _index_pages(
    inputs: SiteInputs,
    folder: str,
    words: _IndexWords,
    groups: Iterator[Group],
    *,
    total: int,
    lengths: PageLengths,
) -> Iterator[PlannedPage]:
    for path, length, links in plan_index(folder, total, length=lengths.index):
        page = IndexPage(
            heading=words.heading,
            intro=words.intro,
            groups=tuple(islice(groups, length)),
            up=words.up,
            pages=links,
            counts_names=words.counts_names,
            long=words.long,
        )
        yield inputs.renderer.later("listings.html", path, page)


def _author_index(
    inputs: SiteInputs, prefix: str | None, lengths: PageLengths
) -> Iterator[PlannedPage]:
    """Make the index of the authors whose names begin alike, and all finer ones.

    Args:
        inputs: the catalogue and what is beside it.
        prefix: of the sort keys; empty for names without a key, None for all.
        lengths: of the pages.

    Returns:
        The files.
    """
    listings = inputs.catalogue.listings
    total = listings.author_count(prefix)
    folder = _author_folder(prefix)
    up = BROWSE if prefix is None else INDEXES[-1]
    heading = INDEXES[-1].label if prefix is None else _prefix_heading(prefix)
    is_last = prefix == "" or len(prefix or "") >= PREFIX_MAX_LENGTH
    if total <= lengths.index or is_last:
        groups = (
            Group(listing_name(ListingKind.AUTHOR, name), layout.listing_page(path, None), count)
            for path, name, count in listings.authors(prefix)
        )
        words = _IndexWords(heading, _AUTHORS, up, long=True)
        yield from _index_pages(inputs, folder, words, groups, total=total, lengths=lengths)
        return
    finer = listings.author_prefixes(prefix or "")
    links = tuple(
        Group(_prefix_words(longer), layout.listing_page(_author_folder(longer), None), count)
        # Names that begin with no letter of a-z come last.
        for longer, count in sorted(finer, key=lambda row: (not row[0], row[0]))
    )
    words = _IndexWords(heading, _AUTHORS, up, counts_names=True)
    yield from _index_pages(inputs, folder, words, iter(links), total=len(links), lengths=lengths)
    for longer, _ in finer:
        yield from _author_index(inputs, longer, lengths)


def _author_folder(prefix: str | None) -> str:
    return layout.index_folder("author") if prefix is None else layout.author_index_folder(prefix)


def _prefix_words(prefix: str) -> str:
    return f"{prefix.replace('-', ' ').title()}…" if prefix else _OTHER_NAMES


def _prefix_heading(prefix: str) -> str:
    if not prefix:
        return message("Authors whose names begin with other letters")
    return message("Authors: {beginning}", beginning=_prefix_words(prefix))


def _listings(inputs: SiteInputs, kind: ListingKind, lengths: PageLengths) -> Iterator[PlannedPage]:
    listings = inputs.catalogue.listings
    for folder, name, several, count in _rows(listings, kind):
        words = listing_words(kind, name, several=several)
        months = _months(listings, int(name)) if kind is ListingKind.YEAR else ()
        yield from _listing(inputs, folder, words, count, groups=months, lengths=lengths)


def _rows(listings: ListingIndex, kind: ListingKind) -> Iterator[tuple[str, str, bool, int]]:
    """Give the listings of a kind; those that are always linked also where they are empty."""
    if kind is ListingKind.STATUS:
        names = {layout.status_folder(word): word for word in STATUSES}
    elif kind is ListingKind.RECENT:
        names = {layout.recent_folder(): ""}
    else:
        yield from listings.groups(kind)
        return
    for folder, name in names.items():
        yield folder, name, False, listings.count(folder)


def _months(listings: ListingIndex, year: int) -> tuple[Group, ...]:
    months = [f"{year:04}-{month:02}" for month in range(12, 0, -1)]
    groups = [
        Group(
            listing_name(ListingKind.MONTH, month),
            layout.listing_page(layout.month_folder(month), None),
            listings.count(layout.month_folder(month)),
        )
        for month in months
    ]
    return tuple(group for group in groups if group.count)


def _listing(
    inputs: SiteInputs,
    folder: str,
    words: ListingWords,
    total: int,
    *,
    groups: tuple[Group, ...],
    lengths: PageLengths,
) -> Iterator[PlannedPage]:
    records = inputs.catalogue.listings.records(folder)
    for part in plan_listing(folder, total, length=lengths.listing):
        shown = tuple(islice(records, part.length))
        page = ListingPage(
            words=words,
            records=shown[::-1],
            total=total,
            pages=part.links,
            newest=layout.listing_page(folder, None),
            groups=groups if part.links.newer is None else (),
        )
        yield inputs.renderer.later("listing.html", part.path, page)

"""Feeds of new and changed records: one of all, its archives, and one for each category.

Atom (RFC 4287) with paged archives (RFC 5005, 4). With a `base_url` every address is absolute.
Without it links are relative to the feed's own address, which RFC 4287 allows, and there is no
`self`. Identifiers are absolute either way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from generator import layout
from generator.catalogued import CataloguedRecord
from generator.config import Configuration
from generator.feed_entries import FeedEntry, FeedLink, feed_entry
from generator.formats.canonical import compact_json
from generator.limits import DEFAULT_LIMITS, Limits
from generator.media_types import media_type
from generator.messages import message
from generator.render import PlannedPage
from generator.site_inputs import SiteInputs
from generator.xml_text import xml_text


@dataclass(frozen=True, slots=True)
class FeedPage:
    """An Atom feed document (RFC 4287 4.1.1). Messages are translated by the template."""

    id: str
    title: str
    subtitle: str
    updated: str  # RFC 3339, in UTC
    author: str
    links: tuple[FeedLink, ...]
    entries: tuple[FeedEntry, ...]
    is_archive: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a feed stands, what it is called, and which page shows the same to people."""

    path: layout.SitePath
    title: str
    subtitle: str
    listing: layout.SitePath
    others: tuple[tuple[str, layout.SitePath], ...] = ()  # relation and path of related feeds
    is_archive: bool = False


def feed_files(inputs: SiteInputs, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[PlannedPage]:
    """Make every feed.

    Args:
        inputs: the complete catalogue and what is beside it.
        limits: how long a feed and an archive page are.

    Returns:
        The feed of all records, its archives from the oldest on, then one feed for each category.

    Raises:
        RenderError: the template failed.
    """
    changes, site = inputs.catalogue.changes, xml_text(inputs.configuration.title)
    # What fills no archive page yet is in the feed itself: so both together hold everything, and
    # no archive page grows, since readers may keep one for ever (RFC 5005 4).
    full, left = divmod(changes.count(), limits.feed_archive_length)
    newest = changes.newest_since_receipt(limits.feed_entries_max_count, received=left)
    older = (("prev-archive", layout.feed_archive(full)),) if full else ()
    subtitle = message("New and changed records")
    yield _feed(inputs, _Place(layout.FEED, site, subtitle, layout.HOME, older), newest)
    records = changes.by_receipt()
    for number in range(1, full + 1):
        part = islice(records, limits.feed_archive_length)
        yield _feed(inputs, _archive_place(site, number, full), part)
    for category, _ in inputs.catalogue.listings.categories():
        place = _Place(
            layout.category_feed(category),
            message("{site}: {category}", site=site, category=category),
            message("New and changed records with the category {category}", category=category),
            layout.listing_page(layout.category_folder(category), None),
        )
        newest = changes.newest_of_category(category, limits.feed_entries_max_count)
        yield _feed(inputs, place, newest)


def _archive_place(site: str, number: int, count: int) -> _Place:
    links = [("current", layout.FEED)]
    if number > 1:
        links.append(("prev-archive", layout.feed_archive(number - 1)))
    if number < count:
        links.append(("next-archive", layout.feed_archive(number + 1)))
    return _Place(
        layout.feed_archive(number),
        message("{site}: archive {number}", site=site, number=number),
        message("Records in the order in which they were received"),
        layout.HOME,
        tuple(links),
        is_archive=True,
    )


def _feed(inputs: SiteInputs, place: _Place, records: Iterable[CataloguedRecord]) -> PlannedPage:
    configuration = inputs.configuration
    base_url = configuration.base_url
    entries = tuple(feed_entry(record, configuration, feed=place.path) for record in records)
    own = (("self", place.path),) if base_url else ()
    paths = (*own, ("alternate", place.listing), *place.others)
    page = FeedPage(
        id=_feed_id(configuration, place.path),
        title=place.title,
        subtitle=place.subtitle,
        updated=max((entry.updated for entry in entries), default=_beginning(configuration)),
        author=xml_text(configuration.operator or configuration.title),
        links=tuple(
            FeedLink(
                relation,
                layout.address_of(path, base_url=base_url, source=place.path),
                media_type(path).partition(";")[0],
            )
            for relation, path in paths
        ),
        entries=entries,
        is_archive=place.is_archive,
    )
    return inputs.renderer.later("feed.atom", place.path, page)


def _beginning(configuration: Configuration) -> str:
    """Give the time from which records can exist here: an empty feed must have one (no clock)."""
    return min(key.valid_from for key in configuration.trust.by_id.values()).utc


def _feed_id(configuration: Configuration, path: layout.SitePath) -> str:
    if configuration.base_url:
        return configuration.base_url + path
    # A mirror without an address has only its names to be told from others by. RFC 9562 5.8: a
    # UUID of version 8 may be any digest.
    names = compact_json([configuration.title, configuration.operator, path])
    digest = bytearray(sha256(names).digest()[:16])
    digest[6] = (digest[6] & 0x0F) | 0x80
    digest[8] = (digest[8] & 0x3F) | 0x80
    text = digest.hex()
    return f"urn:uuid:{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

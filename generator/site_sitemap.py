"""The sitemap: an index and its parts (sitemaps.org), only where the mirror knows its address.

Records are parted by the beginning of their ids, and a part that is too long by one more character:
so a new record changes one part and the index. A record page is listed only where this mirror's is
the canonical one; where the registry's is, `rel=canonical` names that, and a sitemap that lists the
copy would ask for the opposite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from generator import layout
from generator.change_index import ChangeIndex
from generator.config import Canonical, Configuration
from generator.limits import DEFAULT_LIMITS, Limits
from generator.plan import ListingKind
from generator.render import SiteFile, SiteStream
from generator.site_inputs import SiteInputs
from generator.xml_text import xml_element

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'
_DAY = "2026-05-18"
# No page in the sitemap has a longer path (a slug has at most 60 characters).
_LONGEST_PATH = layout.listing_page(layout.licence_folder("A" * 60), None)


@dataclass(frozen=True, slots=True)
class _Part:
    """A sitemap of records: how their ids begin, and the day of their last change."""

    prefix: str
    day: str

    @property
    def path(self) -> layout.SitePath:
        return layout.sitemap_part(f"records-{self.prefix}" if self.prefix else "records")


def has_sitemap(configuration: Configuration) -> bool:
    """Tell whether there is a sitemap: not without an address, nor of records that are not real."""
    return bool(configuration.base_url) and not configuration.example_registry


def lists_records(configuration: Configuration) -> bool:
    """Tell whether record pages are canonical here (RFC 6596), and so belong into a sitemap."""
    canonical = configuration.presentation.canonical
    return canonical is Canonical.MIRROR or not configuration.upstreams


def sitemap_files(
    inputs: SiteInputs, *, limits: Limits = DEFAULT_LIMITS
) -> Iterator[SiteFile | SiteStream]:
    """Make the sitemap.

    Args:
        inputs: the complete catalogue and what is beside it.
        limits: how much one sitemap holds.

    Returns:
        The parts, then their index; nothing if the mirror has none.
    """
    configuration, changes = inputs.configuration, inputs.catalogue.changes
    if not has_sitemap(configuration):
        return
    base_url = configuration.base_url
    parts: list[tuple[layout.SitePath, str]] = []
    for path, rows in _page_parts(inputs, limits):
        parts.append((path, max(day for _, day in rows)))
        yield SiteStream(path, _urls(base_url, rows))
    records = _record_parts(changes, "", _room(base_url, limits))
    for part in records if lists_records(configuration) else ():
        parts.append((part.path, part.day))
        pages = (
            (layout.record_page(suffix), day) for suffix, day in changes.days_by_prefix(part.prefix)
        )
        yield SiteStream(part.path, _urls(base_url, pages))
    yield SiteStream(layout.SITEMAP, _index(base_url, parts))


def _page_parts(
    inputs: SiteInputs, limits: Limits
) -> Iterator[tuple[layout.SitePath, list[tuple[layout.SitePath, str]]]]:
    pages = _pages(inputs)
    length = _room(inputs.configuration.base_url, limits)
    number = 0
    while rows := list(islice(pages, length)):
        number += 1
        yield layout.sitemap_part("pages" if number == 1 else f"pages-{number}"), rows


def _pages(inputs: SiteInputs) -> Iterator[tuple[layout.SitePath, str]]:
    """Give the pages of the whole site and the first page of each listing, with days if known."""
    catalogue = inputs.catalogue
    changes = catalogue.changes
    newest = changes.newest_day()
    yield layout.HOME, newest
    yield layout.BROWSE, newest
    yield layout.STATS, newest
    for path in sorted({*inputs.content, layout.VERIFY}):
        yield path, ""
    for kind in (kind for kind in ListingKind if kind is not ListingKind.AUTHOR):
        # Not authors: there may be millions, and each of their records is listed elsewhere.
        for folder, *_ in catalogue.listings.groups(kind):
            yield layout.listing_page(folder, None), changes.newest_day_of_listing(folder)


def _record_parts(changes: ChangeIndex, prefix: str, length: int) -> Iterator[_Part]:
    """Part the records whose ids begin with a prefix, if they are too many for one sitemap."""
    longer = changes.counts_by_prefix(prefix)
    total = sum(count for _, count in longer)
    if total > length:
        for beginning, _ in longer:
            yield from _record_parts(changes, beginning, length)
    elif total:
        yield _Part(prefix, changes.newest_day(prefix))


def _room(base_url: str, limits: Limits) -> int:
    """Count the addresses that fit into one sitemap, all as long as the longest one."""
    entry = len(_entry("url", base_url, _LONGEST_PATH, _DAY))
    frame = len(_DECLARATION) + 2 * len(_NAMESPACE) + 64
    return max(1, min(limits.sitemap_urls_max_count, (limits.sitemap_max_length - frame) // entry))


def _urls(base_url: str, pages: Iterable[tuple[layout.SitePath, str]]) -> Iterator[bytes]:
    yield _DECLARATION + f'<urlset xmlns="{_NAMESPACE}">\n'.encode()
    for path, day in pages:
        yield _entry("url", base_url, path, day)
    yield b"</urlset>\n"


def _index(base_url: str, parts: Iterable[tuple[layout.SitePath, str]]) -> Iterator[bytes]:
    yield _DECLARATION + f'<sitemapindex xmlns="{_NAMESPACE}">\n'.encode()
    for path, day in parts:
        yield _entry("sitemap", base_url, path, day)
    yield b"</sitemapindex>\n"


def _entry(name: str, base_url: str, path: layout.SitePath, day: str) -> bytes:
    address = layout.address_of(path, base_url=base_url, source=layout.SITEMAP)
    modified = xml_element("lastmod", day) if day else ""
    return f"<{name}>{xml_element('loc', address)}{modified}</{name}>\n".encode()

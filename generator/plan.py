"""Plan: which files exist, and how listings are cut into pages. Pure; nothing is rendered here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator import layout
from generator.formats.identifiers import derive_aliases
from generator.formats.record import CanonicalRecord
from generator.pages import PageLinks

LISTING_LENGTH = 100  # records on a page: about 60 kB of HTML


@dataclass(frozen=True, slots=True)
class ListingSlice:
    """A page of a listing: where it stands and which rows it shows, counted from the oldest."""

    path: layout.SitePath
    start: int
    length: int
    links: PageLinks


def plan_listing(
    folder: str, total: int, *, length: int = LISTING_LENGTH
) -> Iterator[ListingSlice]:
    """Cut a listing into pages, numbered from the oldest row.

    A full page never changes when records are added; only the newest one does, and it stands at the
    folder itself, so that a reader starts there.

    Args:
        folder: the listing's folder.
        total: rows in it; none still gives one empty page.
        length: rows on a page.

    Returns:
        The pages from the oldest on.
    """
    count = max(1, -(-total // length))
    for number in range(1, count + 1):
        start = (number - 1) * length
        yield ListingSlice(
            path=_numbered(folder, number, count),
            start=start,
            length=min(length, total - start),
            links=PageLinks(
                number=number,
                count=count,
                newer=_numbered(folder, number + 1, count) if number < count else None,
                older=_numbered(folder, number - 1, count) if number > 1 else None,
            ),
        )


def plan_aliases(record: CanonicalRecord) -> tuple[tuple[str, str, layout.SitePath], ...]:
    """Name the alias pages on which a record stands.

    Args:
        record: the record.

    Returns:
        Kind, value and path of each; several records may share one.
    """
    aliases = derive_aliases(
        source_id=record.source.id,
        version=record.source.version,
        suffix=record.pith_number.suffix,
    )
    paths = ((a.kind, a.value, layout.alias_page(a.kind, a.value)) for a in aliases)
    return tuple(row for row in paths if row[2])


def _numbered(folder: str, number: int, count: int) -> layout.SitePath:
    return layout.listing_page(folder, None if number == count else number)

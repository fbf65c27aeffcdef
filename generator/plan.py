"""Plan: which files exist, which record stands in which listing, and how listings are cut.

Pure; nothing is rendered here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from generator import layout
from generator.catalogued import CataloguedRecord
from generator.formats.identifiers import derive_aliases
from generator.formats.instant import parse_instant
from generator.formats.record import CanonicalRecord
from generator.listing_pages import IndexLinks, PageLinks
from generator.slugs import digest_of, slug_of

LISTING_LENGTH = 100  # records on a page: about 70 kB of HTML
INDEX_LENGTH = 200  # links to listings on a page: about 30 kB of HTML
# Of an author's sort key: beyond it an index is cut into numbered pages.
PREFIX_MAX_LENGTH = 8  # characters
STATUSES = ("verified", "partly checkable", "checks failed", "withdrawn", "contradicted")
_NAME_READ = 240  # characters of a name that its sort key is made from
# What may stand behind a family name.
_NAME_ENDINGS = frozenset(("jr", "sr", "ii", "iii", "iv"))


class ListingKind(Enum):
    """By what records are listed. The value is a step of the listing's path."""

    YEAR = "year"
    MONTH = "month"
    CATEGORY = "category"
    AUTHOR = "author"
    LICENCE = "licence"
    STATUS = "status"
    RECENT = "recent"


@dataclass(frozen=True, slots=True)
class Membership:
    """That a record stands in a listing, and where in it: by `moment`, then by the record's id.

    `name` is what the listing is called; `sort` orders the listings of a kind.
    """

    kind: ListingKind
    folder: str
    moment: str  # times whose order as text is that of time
    name: str = ""
    sort: str = ""


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


def plan_index(
    folder: str, total: int, *, length: int = INDEX_LENGTH
) -> Iterator[tuple[layout.SitePath, int, IndexLinks]]:
    """Cut a list of listings, which is ordered by name, into pages numbered from the first.

    Args:
        folder: the list's folder.
        total: links in it; none still gives one empty page.
        length: links on a page.

    Returns:
        Path, number of links and neighbours of each page.
    """
    count = max(1, -(-total // length))
    paths = [layout.listing_page(folder, number) for number in range(2, count + 1)]
    paths.insert(0, layout.listing_page(folder, None))
    for index, path in enumerate(paths):
        links = IndexLinks(
            number=index + 1,
            count=count,
            before=paths[index - 1] if index else None,
            after=paths[index + 1] if index + 1 < count else None,
        )
        yield path, min(length, total - index * length), links


def plan_memberships(record: CataloguedRecord) -> tuple[Membership, ...]:
    """Name the listings in which a record stands.

    Args:
        record: as catalogued.

    Returns:
        One membership a listing. Two authors whose folders are one, by an engineered digest, are
        listed once, under the first name.
    """
    submitted, year, month = record.submitted_at, record.submitted_at[:4], record.submitted_at[:7]
    kinds = ListingKind
    rows = [
        Membership(kinds.YEAR, layout.year_folder(int(year)), submitted, year),
        Membership(kinds.MONTH, layout.month_folder(month), submitted, month),
        Membership(kinds.RECENT, layout.recent_folder(), _receipt_key(record)),
        Membership(
            kinds.LICENCE,
            layout.licence_folder(record.license),
            submitted,
            record.license,
            # Addresses sort without their scheme; a record without a licence comes last.
            record.license.partition("//")[2] or "~",
        ),
    ]
    rows += [
        Membership(kinds.CATEGORY, layout.category_folder(category), submitted, category, category)
        for category in record.categories
    ]
    rows += [
        Membership(
            kinds.STATUS, layout.status_folder(word), submitted, word, str(STATUSES.index(word))
        )
        for word in (record.verdict.value, *record.warnings)
    ]
    rows += [
        Membership(kinds.AUTHOR, layout.author_folder(name), submitted, name, author_sort_key(name))
        for name in reversed(record.authors)
    ]
    return tuple({row.folder: row for row in rows}.values())


def author_sort_key(name: str) -> str:
    """Give what an author is found by in the index: the last word of the name, then the others.

    Nothing says which word is the family name; the last one often is.

    Args:
        name: as catalogued.

    Returns:
        Words in `a-z` and digits with hyphens between, ended by the digits of the name's digest,
        so that no key is the beginning of another; empty where the last word begins with no letter
        of `a-z`.
    """
    words = [word for word in map(slug_of, name[:_NAME_READ].split()) if word]
    end = len(words) - 1 if len(words) > 1 and words[-1] in _NAME_ENDINGS else len(words)
    key = "-".join((*words[end - 1 : end], *words[: end - 1], *words[end:], digest_of(name)))
    return key if words and key[0].isalpha() else ""


def _receipt_key(record: CataloguedRecord) -> str:
    moment = parse_instant(record.receipt_at, subject="receipt_at")
    return f"{moment.utc[:-1]}.{moment.nanoseconds:010}"


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

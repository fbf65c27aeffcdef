"""What the pages that list records say, as values: the templates only spell it."""

from __future__ import annotations

from dataclasses import dataclass

from generator.formats.checks import Check, Verdict
from generator.pages import Link


@dataclass(frozen=True, slots=True)
class ListedRecord:
    """A record in a listing; the title is empty where none is proven.

    `authors` are the first few of `author_count`, and no more than somebody's word. `warnings` are
    `withdrawn` and `contradicted`.
    """

    suffix: str
    pith_number: str
    title: str
    submitted_on: str
    source: str
    category: str
    verdict: Verdict
    authors: tuple[str, ...]
    author_count: int
    warnings: tuple[str, ...]
    received_on: str  # the day on which the registry says it signed the receipt


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The neighbours of a listing page; None where there is none. Numbers count from the oldest."""

    number: int
    count: int
    newer: str | None  # site path
    older: str | None


@dataclass(frozen=True, slots=True)
class IndexLinks:
    """The neighbours of a page of an ordered list; None where there is none."""

    number: int
    count: int
    before: str | None  # site path
    after: str | None


@dataclass(frozen=True, slots=True)
class Group:
    """A listing where it is linked: a year, a category, an author and so on."""

    name: str
    path: str  # site path of the listing
    count: int  # records, or in an index names


@dataclass(frozen=True, slots=True)
class ListingWords:
    """What a listing says of itself, on each of its pages."""

    heading: str
    intro: str
    sorting: str  # in which order its records stand
    up: Link  # to where it is linked
    feed: str = ""  # site path of its feed; empty for none
    by_receipt: bool = False  # whether rows show the day of receipt
    literal: bool = False  # whether the heading is a text of a bundle, in no known language


@dataclass(frozen=True, slots=True)
class ListingPage:
    """`listing.html`: one page of records, newest first.

    `total` and `groups`, finer listings of the same records, belong on the newest page alone: an
    older page must not change when a record is added.
    """

    words: ListingWords
    records: tuple[ListedRecord, ...]
    total: int
    pages: PageLinks
    newest: str  # site path of the newest page
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexPage:
    """`listings.html`: links to listings, or to finer indexes, which count names of authors."""

    heading: str
    intro: str
    groups: tuple[Group, ...]
    up: Link
    pages: IndexLinks
    counts_names: bool = False
    long: bool = False  # whether names are


@dataclass(frozen=True, slots=True)
class Archive:
    """Categories of one archive: `math` is that of `math.CO`. Its own name may be unknown."""

    code: str
    name: str
    categories: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class BrowsePage:
    """`browse.html`: every way into the records. What is too long here is whole in its index."""

    total: int
    years: tuple[Group, ...]  # newest first
    archives: tuple[Archive, ...]
    licences: tuple[Group, ...]  # the most frequent first
    statuses: tuple[Group, ...]
    author_count: int
    indexes: tuple[Link, ...]  # of years, categories, licences, authors; in this order
    recent: Link


@dataclass(frozen=True, slots=True)
class HomePage:
    """`home.html`: what this is, counts by verdict, the newest records, ways in."""

    total: int
    counts: tuple[tuple[Verdict, int], ...]
    newest: tuple[ListedRecord, ...]
    years: tuple[Group, ...]  # the last few, newest first
    ways: tuple[Link, ...]  # into the listings


@dataclass(frozen=True, slots=True)
class AliasPage:
    """`alias.html`: one record: a redirect that works without a server; several: a choice."""

    kind: str
    value: str
    records: tuple[ListedRecord, ...]


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """A bundle in the report that is not fully verified: where it came from and what is wrong."""

    origin: str
    digest: str  # SHA-256 of the bundle's bytes, empty where they could not be read
    pith_number: str  # empty where the record could not be read
    suffix: str  # set only for published records
    verdict: Verdict
    checks: tuple[Check, ...]  # the failed and uncheckable ones


@dataclass(frozen=True, slots=True)
class ReportPage:
    """`report.html`: what was rejected or failed in this build, rejected bundles first."""

    counts: tuple[tuple[Verdict, int], ...]
    entries: tuple[ReportEntry, ...]
    total: int
    pages: PageLinks

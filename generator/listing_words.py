"""What listings are called and say of themselves, by kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from generator import layout
from generator.authors import shorten_name
from generator.language import month_words
from generator.listing_pages import ListingWords
from generator.messages import message
from generator.pages import Link
from generator.plan import ListingKind

BROWSE = Link(message("All ways to browse"), layout.BROWSE)
BY_SUBMISSION = message("sorted by the time of submission")
BY_RECEIPT = message("sorted by the time of the receipt")
OTHER_NAMES = message(
    "Other names, made so that they share this address, are listed here too; each record says who "
    "is meant."
)
# What arXiv calls its archives (arxiv.org/category_taxonomy).
ARCHIVE_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "astro-ph": message("Astrophysics"),
        "cond-mat": message("Condensed Matter"),
        "cs": message("Computer Science"),
        "econ": message("Economics"),
        "eess": message("Electrical Engineering and Systems Science"),
        "gr-qc": message("General Relativity and Quantum Cosmology"),
        "hep-ex": message("High Energy Physics, Experiment"),
        "hep-lat": message("High Energy Physics, Lattice"),
        "hep-ph": message("High Energy Physics, Phenomenology"),
        "hep-th": message("High Energy Physics, Theory"),
        "math": message("Mathematics"),
        "math-ph": message("Mathematical Physics"),
        "nlin": message("Nonlinear Sciences"),
        "nucl-ex": message("Nuclear Experiment"),
        "nucl-th": message("Nuclear Theory"),
        "physics": message("Physics"),
        "q-bio": message("Quantitative Biology"),
        "q-fin": message("Quantitative Finance"),
        "quant-ph": message("Quantum Physics"),
        "stat": message("Statistics"),
    }
)
STATUS_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "verified": message("verified"),
        "partly checkable": message("partly checkable"),
        "checks failed": message("checks failed"),
        "withdrawn": message("withdrawn"),
        "contradicted": message("contradicted"),
    }
)
_STATUS_INTRO: Mapping[str, str] = MappingProxyType(
    {
        "verified": message("Every check on the bundle was made here and verified."),
        "partly checkable": message(
            "What must verify did, and nothing failed; some other part of the bundle cannot be "
            "checked here."
        ),
        "checks failed": message(
            "The record, its identifiers and its receipt verified; a check on another part of the "
            "bundle failed."
        ),
        "withdrawn": message("A trusted key signed that the record is withdrawn. It stays here."),
        "contradicted": message("One signer signed events on the record that cannot all be meant."),
    }
)
_INTROS: Mapping[ListingKind, str] = MappingProxyType(
    {
        ListingKind.YEAR: message("Records by the year of submission."),
        ListingKind.MONTH: message("Records by the month of submission."),
        ListingKind.CATEGORY: message("Records with this arXiv category, primary or cross-listed."),
        ListingKind.LICENCE: message("Records that state no licence."),
        ListingKind.RECENT: message(
            "All records by the time at which the registry says it signed their receipts. That "
            "time is reported: the signature does not cover it, and a build has no clock of its "
            "own."
        ),
        ListingKind.AUTHOR: message(
            "Records of which somebody says that this is an author, by exactly this name. No "
            "signature proves who wrote a paper; one person may be listed under several names, and "
            "several people under one."
        ),
    }
)
_NO_LICENCE = message("none stated")
_CREATIVE_COMMONS = re.compile(
    r"https?://creativecommons\.org/licenses/([a-z]+(?:-[a-z]+)*)/([0-9.]+)/?"
)
_NAMED_LICENCES: Mapping[str, str] = MappingProxyType(
    {
        "creativecommons.org/publicdomain/zero/1.0": "CC0 1.0",
        "arxiv.org/licenses/nonexclusive-distrib/1.0": message("arXiv, non-exclusive 1.0"),
        "arxiv.org/licenses/assumed-1991-2003": message("arXiv, assumed 1991–2003"),
    }
)


def licence_words(licence: str) -> str:
    """Name a licence in few words.

    Args:
        licence: its address; empty for none stated.

    Returns:
        Such as `CC BY 4.0`; the address without its scheme where the licence is not known here.
    """
    if not licence:
        return _NO_LICENCE
    match = _CREATIVE_COMMONS.fullmatch(licence)
    if match is not None:
        return f"CC {match[1].upper()} {match[2]}"
    plain = licence.partition("//")[2]
    return _NAMED_LICENCES.get(plain.removesuffix("/"), plain)


def listing_name(kind: ListingKind, name: str) -> str:
    """Name a listing where it is linked.

    Args:
        kind: by what records are listed.
        name: as `plan_memberships` gives it.

    Returns:
        The name for people.
    """
    match kind:
        case ListingKind.MONTH:
            return month_words(name)
        case ListingKind.LICENCE:
            return licence_words(name)
        case ListingKind.STATUS:
            return STATUS_WORDS[name]
        case ListingKind.AUTHOR:
            return shorten_name(name)
        case ListingKind.RECENT:
            return message("Last received")
        case ListingKind.YEAR | ListingKind.CATEGORY:
            return name


def listing_words(kind: ListingKind, name: str, *, several: bool) -> ListingWords:
    """Say what a listing says of itself.

    Args:
        kind: by what records are listed.
        name: as `plan_memberships` gives it.
        several: whether other names share the listing's folder.

    Returns:
        Heading, introduction and order.
    """
    by_receipt = kind is ListingKind.RECENT
    return ListingWords(
        heading=listing_name(kind, name),
        intro=_intro(kind, name, several=several),
        sorting=BY_RECEIPT if by_receipt else BY_SUBMISSION,
        up=_up(kind, name),
        feed=layout.category_feed(name) if kind is ListingKind.CATEGORY else "",
        by_receipt=by_receipt,
        literal=kind is ListingKind.AUTHOR,
    )


def _intro(kind: ListingKind, name: str, *, several: bool) -> str:
    match kind:
        case ListingKind.STATUS:
            return _STATUS_INTRO[name]
        case ListingKind.LICENCE if name:
            return message("Records under exactly this licence: {licence}", licence=name)
        case ListingKind.AUTHOR if several:
            return message("{first} {second}", first=_INTROS[kind], second=OTHER_NAMES)
        case _:
            return _INTROS[kind]


def _up(kind: ListingKind, name: str) -> Link:
    match kind:
        case ListingKind.STATUS | ListingKind.RECENT:
            return BROWSE
        case ListingKind.MONTH:
            return Link(name[:4], layout.listing_page(layout.year_folder(int(name[:4])), None))
        case _:
            return _index(kind)


def _index(kind: ListingKind) -> Link:
    path = layout.listing_page(layout.index_folder(kind.value), None)
    match kind:
        case ListingKind.YEAR:
            return Link(message("All years"), path)
        case ListingKind.CATEGORY:
            return Link(message("All categories"), path)
        case ListingKind.LICENCE:
            return Link(message("All licences"), path)
        case _:
            return Link(message("All authors"), path)


INDEXES = tuple(
    _index(kind)
    for kind in (
        ListingKind.YEAR,
        ListingKind.CATEGORY,
        ListingKind.LICENCE,
        ListingKind.AUTHOR,
    )
)

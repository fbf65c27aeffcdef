"""What a record page tells machines, as values: `_head.html` and `_cite.html` only spell it."""

from __future__ import annotations

from dataclasses import dataclass

from generator.formats.canonical import JsonObject


@dataclass(frozen=True, slots=True)
class HeadLink:
    """A `link` element: relation types (RFC 8288), address, media type (empty if not known)."""

    relation: str
    href: str
    media_type: str


@dataclass(frozen=True, slots=True)
class ScholarTags:
    """What Google Scholar reads of a paper; made only where its title is proven."""

    title: str
    authors: tuple[str, ...]
    authors_known: str  # a word of `HowKnown`
    date: str  # YYYY/MM/DD
    arxiv_id: str
    doi: str
    abstract_page: str


@dataclass(frozen=True, slots=True)
class RecordHead:
    """The head of a record page. Empty texts stand for what is not said."""

    canonical: str
    links: tuple[HeadLink, ...]
    scholar: ScholarTags | None
    json_ld: JsonObject | None
    preview: str  # address of the record's own picture


@dataclass(frozen=True, slots=True)
class CitationText:
    """The record as one citation format; `text` is empty where it is too long for a page."""

    label: str
    name: str  # of the file beside the page
    text: str

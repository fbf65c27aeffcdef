"""What a feed says of a record. A feed has no marks, so it says in words what is not proven."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator import layout
from generator.catalogued import CataloguedRecord
from generator.config import Configuration
from generator.formats.checks import Verdict
from generator.formats.instant import parse_instant
from generator.limits import DEFAULT_LIMITS
from generator.media_types import media_type
from generator.messages import message, messages
from generator.pages import HowKnown
from generator.xml_text import xml_text

_ARXIV = "https://arxiv.org/abs/"
# The scheme under which arXiv's own feeds name its categories.
_ARXIV_SCHEME = "http://arxiv.org/schemas/atom"
_VERDICTS = {
    Verdict.VERIFIED: message("Every check of this mirror verified."),
    Verdict.PARTLY: message("No check failed; some could not be made."),
    Verdict.DISPUTED: message("Some checks failed; the record's page says which."),
}
_ABSTRACTS = {
    HowKnown.PROVEN.value: message("Abstract:"),
    HowKnown.REPORTED.value: message("Abstract, on the word of the snapshot's signer:"),
    HowKnown.CARRIED.value: message("Abstract, from a snapshot that cannot be checked here:"),
}
_AUTHORS = {
    HowKnown.PROVEN.value: message("The authors are proven."),
    HowKnown.REPORTED.value: message(
        "The authors are the word of the snapshot's signer; the record does not prove them."
    ),
    HowKnown.CARRIED.value: message("The authors are from a snapshot that cannot be checked here."),
}
_WARNINGS = {
    "withdrawn": message("Withdrawn: a signed statement says so."),
    "contradicted": message("A signer has signed statements on this record that contradict."),
}


@dataclass(frozen=True, slots=True)
class FeedLink:
    """An `atom:link` (RFC 4287 4.2.7); `media_type` is empty where it is not known."""

    relation: str
    href: str
    media_type: str


@dataclass(frozen=True, slots=True)
class FeedCategory:
    """An `atom:category` (RFC 4287 4.2.2)."""

    term: str
    scheme: str


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An `atom:entry` (RFC 4287 4.1.2). Messages are translated by the template."""

    id: str
    title: str
    updated: str  # RFC 3339, in UTC, whole seconds
    published: str
    authors: tuple[str, ...]
    categories: tuple[FeedCategory, ...]
    rights: str  # empty if the record names no licence
    links: tuple[FeedLink, ...]
    summary: tuple[str, ...]  # paragraphs


def feed_entry(record: CataloguedRecord, configuration: Configuration, *, feed: str) -> FeedEntry:
    """Say what a feed says of a record.

    Args:
        record: as catalogued.
        configuration: gives the first upstream, and says whether records are examples.
        feed: the path of the feed, from where links lead without a `base_url`.

    Returns:
        The entry. Its id is the Pith Number, so that readers of several mirrors see a record once.
    """
    title = xml_text(record.title) or record.pith_number
    if record.is_withdrawn:
        title = message("Withdrawn: {title}", title=title)
    authors = tuple(map(xml_text, record.authors[: DEFAULT_LIMITS.feed_authors_max_count]))
    withdrawn = (FeedCategory("withdrawn", ""),) if record.is_withdrawn else ()
    return FeedEntry(
        id=record.pith_number,
        title=title,
        updated=parse_instant(record.changed_at, subject="changed_at").utc,
        published=parse_instant(record.receipt_at, subject="receipt_at").utc,
        # An entry without an author would have that of the feed: the mirror's operator.
        authors=authors or (message("Authors not known here"),),
        categories=(
            *(FeedCategory(category, _ARXIV_SCHEME) for category in record.categories),
            *withdrawn,
        ),
        rights=xml_text(record.license),
        links=tuple(_links(record, configuration, feed)),
        summary=tuple(_summary(record, configuration)),
    )


def _links(record: CataloguedRecord, configuration: Configuration, feed: str) -> Iterator[FeedLink]:
    for path in (
        layout.record_page(record.suffix),
        layout.record_file(record.suffix, "bundle.json"),
    ):
        address = layout.address_of(path, base_url=configuration.base_url, source=feed)
        yield FeedLink("alternate", address, media_type(path).partition(";")[0])
    upstream = next(iter(configuration.upstreams), None)
    if upstream is not None:
        yield FeedLink("via", f"{upstream.base_url}pith/{record.suffix}", "text/html")
    yield FeedLink("related", f"{_ARXIV}{record.arxiv_id}v{record.version}", "text/html")
    if record.license_url:
        yield FeedLink("license", record.license_url, "")  # RFC 4946


def _summary(record: CataloguedRecord, configuration: Configuration) -> Iterator[str]:
    if configuration.example_registry:
        yield message("An invented record of an example registry.")
    for warning in record.warnings:
        yield _WARNINGS.get(warning, warning)
    if record.abstract:
        abstract = _cut(xml_text(record.abstract))
        yield message(
            "{label} {text}", label=_ABSTRACTS.get(record.abstract_known, ""), text=abstract
        )
    yield _VERDICTS.get(record.verdict, record.verdict.value)
    if not record.title:
        yield message("The title is not known here.")
    if record.authors:
        yield _AUTHORS.get(record.authors_known, record.authors_known)
    left = len(record.authors) - DEFAULT_LIMITS.feed_authors_max_count
    if left > 0:
        yield messages("{number} more author.", "{number} more authors.", left)


def _cut(text: str) -> str:
    limit = DEFAULT_LIMITS.feed_abstract_max_length
    return text if len(text) <= limit else f"{text[:limit].rstrip()}…"

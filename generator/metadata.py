"""What a record page tells search engines and other programs about the paper.

These vocabularies have no marks of how a thing is known. So they hold a title only where it is
proven, and nothing at all of the invented records of an example registry, which a harvester would
take for papers (docs/formats/metadata.md).
"""

from __future__ import annotations

from collections.abc import Iterator

from generator import layout
from generator.citation_export import ARXIV_ABSTRACT, shown_authors, shown_title
from generator.config import Canonical, Configuration, PreviewImages
from generator.display import is_plain_url
from generator.facts import KnownRecord
from generator.formats.canonical import JsonObject
from generator.head import HeadLink, RecordHead, ScholarTags
from generator.limits import DEFAULT_LIMITS
from generator.linkset import DOI_RESOLVER, LINKSET, Signpost, signposts
from generator.media_types import media_type
from generator.pages import HowKnown
from generator.profiles import is_written

RECORD_PREVIEW = "preview.png"
_AUTHORS = {
    HowKnown.REPORTED: "authors not proven: a signer says so, maybe in another order",
    HowKnown.CARRIED: "authors not proven: from an unchecked snapshot, maybe in another order",
}


def record_head(known: KnownRecord, configuration: Configuration) -> RecordHead:
    """Say what the head of a record page says.

    Args:
        known: what is known of the record.
        configuration: gives the addresses, and whose page is the canonical one.

    Returns:
        The head.
    """
    example, base_url = configuration.example_registry, configuration.base_url
    own = configuration.presentation.preview_images is PreviewImages.RECORDS
    preview = layout.record_file(known.suffix, RECORD_PREVIEW)
    linkset = Signpost("linkset", layout.record_file(known.suffix, LINKSET))
    posts = (
        *(post for post in signposts(known, configuration) if post.in_head),
        *([linkset] if is_written(linkset.path, configuration) else []),
    )
    return RecordHead(
        canonical=canonical_address(known.suffix, configuration),
        links=tuple(
            HeadLink(post.relations, post.href or _beside(post.path, known), post.media_type)
            for post in posts
        ),
        scholar=None if example else _scholar(known),
        json_ld=None if example else article_json_ld(known, configuration),
        preview=f"{base_url}{preview}" if base_url and own else "",
    )


def canonical_address(suffix: str, configuration: Configuration) -> str:
    """Give the address of a record that search engines are asked to show (RFC 6596).

    Args:
        suffix: the record's id.
        configuration: names the registry, and says whether it comes first.

    Returns:
        The registry's page, or this mirror's; empty where neither address is known.
    """
    upstream = next(iter(configuration.upstreams), None)
    defers = configuration.presentation.canonical is Canonical.REGISTRY
    # No registry has the records of an example: its pages stand for themselves.
    if defers and upstream is not None and not configuration.example_registry:
        return f"{upstream.base_url}pith/{suffix}"
    page = layout.record_page(suffix)
    base_url = configuration.base_url
    return layout.address_of(page, base_url=base_url, source=page) if base_url else ""


def _beside(path: layout.SitePath, known: KnownRecord) -> str:
    """Give the way to a file from its record's page; shorter than by the site's root."""
    folder = f"pith/{known.suffix}/"
    return path.removeprefix(folder) if path.startswith(folder) else f"../{path[5:]}"


def _scholar(known: KnownRecord) -> ScholarTags | None:
    authors, _ = shown_authors(known)
    title, record = shown_title(known), known.state.record
    if not title or not authors:  # Google Scholar takes neither without the other
        return None
    return ScholarTags(
        title=title,
        authors=authors[: DEFAULT_LIMITS.head_authors_max_count],
        authors_known=known.paper.authors.known.value if known.paper.authors else "",
        date=record.submitted_at.date.replace("-", "/"),
        arxiv_id=record.source.id,
        doi=_doi(known),
        abstract_page=f"{ARXIV_ABSTRACT}{record.source.versioned_id}",
    )


def _doi(known: KnownRecord) -> str:
    return next((alias.value for alias in known.state.aliases if alias.kind == "doi"), "")


def article_json_ld(known: KnownRecord, configuration: Configuration) -> JsonObject:
    """Describe a paper in the vocabulary of schema.org, and the record as a data set about it.

    Args:
        known: what is known of the record.
        configuration: gives the addresses and the mirror's title.

    Returns:
        A `ScholarlyArticle`. What is not proven of it is said by the description of the data set.
    """
    record, title, doi = known.state.record, shown_title(known), _doi(known)
    authors, _ = shown_authors(known)
    arxiv = f"{ARXIV_ABSTRACT}{record.source.versioned_id}"
    identifiers = (
        ("Pith Number", str(known.state.pith_number)),
        ("arXiv", record.source.versioned_id),
        ("DOI", doi),
    )
    article: JsonObject = {
        "@context": "https://schema.org",
        "@type": "ScholarlyArticle",
        "@id": str(known.state.pith_number),
        "name": title,
        "headline": title,
        "author": [
            {"@type": "Person", "name": name}
            for name in authors[: DEFAULT_LIMITS.head_authors_max_count]
        ],
        "datePublished": record.submitted_at.date,
        "version": record.source.version,
        "identifier": [
            {"@type": "PropertyValue", "propertyID": kind, "value": value}
            for kind, value in identifiers
            if value
        ],
        "sameAs": [*([f"{DOI_RESOLVER}{doi}"] if doi else []), arxiv],
        "license": record.license if is_plain_url(record.license) else "",
        "url": canonical_address(known.suffix, configuration),
        "subjectOf": _data_set(known, configuration),
    }
    return {name: value for name, value in article.items() if value not in ("", [])}


def _data_set(known: KnownRecord, configuration: Configuration) -> JsonObject:
    base_url = configuration.base_url
    number = str(known.state.pith_number)
    bundle = layout.record_file(known.suffix, "bundle.json")
    download: JsonObject = {
        "@type": "DataDownload",
        "contentUrl": f"{base_url}{bundle}" if base_url else _beside(bundle, known),
        "encodingFormat": media_type(bundle),
    }
    catalogue = {"@type": "DataCatalog", "name": configuration.title, "url": base_url}
    data_set: JsonObject = {
        "@type": "Dataset",
        "name": f"Pith Number record {number}",
        "description": ". ".join(_what_is_known(known)) + ".",
        "creativeWorkStatus": "withdrawn" if "withdrawn" in known.warnings else "",
        "includedInDataCatalog": {key: value for key, value in catalogue.items() if value},
        "distribution": download,
    }
    return {name: value for name, value in data_set.items() if value}


def _what_is_known(known: KnownRecord) -> Iterator[str]:
    paper = known.paper
    title = "title proven by it" if paper.title else "title not known"
    words = [f"Signed record of arXiv:{known.state.record.source.versioned_id}", title]
    if paper.authors:
        words.append(_AUTHORS.get(paper.authors.known, ""))
    yield "; ".join(filter(None, words))
    names, more = shown_authors(known)
    limit = DEFAULT_LIMITS.head_authors_max_count
    if more or len(names) > limit:
        yield f"Only the first {min(len(names), limit)} authors are named"
    if "contradicted" in known.warnings:
        yield "A signer has signed statements on this record that contradict each other"

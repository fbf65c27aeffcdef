"""Signposting: where a record's files and names are, for programs that follow typed links.

The FAIR Signposting Profile, levels 1 and 2: links in the head of the page, and all links of the
record with those of its files in one link set (RFC 9264).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator import layout
from generator.citation_export import BIBTEX, CSL, RIS
from generator.config import Configuration
from generator.display import is_plain_url
from generator.facts import KnownRecord
from generator.formats.canonical import JsonObject, JsonValue
from generator.media_types import media_type
from generator.profiles import is_written

LINKSET = "linkset.json"
DOI_RESOLVER = "https://doi.org/"
_SCHEMA_ORG = "https://schema.org/"
# How a file leads back to its page.
_REVERSE = {"item": "collection", "describedby": "describes"}


@dataclass(frozen=True, slots=True)
class Signpost:
    """A typed link of a record page: to a file of this site (`path`) or to elsewhere (`href`)."""

    relations: str  # separated by spaces; the last one is that of the file's use
    path: layout.SitePath = ""
    href: str = ""
    in_head: bool = True  # otherwise it is in the link set alone, since a page must stay small

    @property
    def media_type(self) -> str:
        """The media type of a file, without its charset; empty for what is elsewhere."""
        return media_type(self.path).partition(";")[0] if self.path else ""


def signposts(known: KnownRecord, configuration: Configuration) -> Iterator[Signpost]:
    """Give the typed links of a record page, but for that to the link set itself.

    Args:
        known: what is known of the record.
        configuration: says whether the records are invented: then no link leads to a real paper;
            and which files there are.

    Returns:
        The links.
    """
    suffix, example = known.suffix, configuration.example_registry
    doi = next((alias.value for alias in known.state.aliases if alias.kind == "doi"), "")
    if doi and not example:
        yield Signpost("cite-as", href=f"{DOI_RESOLVER}{doi}")
    # The profile wants the page's own type, and that of what it is about.
    yield Signpost("type", href=f"{_SCHEMA_ORG}AboutPage")
    if not example:
        yield Signpost("type", href=f"{_SCHEMA_ORG}ScholarlyArticle")
    if is_plain_url(known.state.record.license):
        yield Signpost("license", href=known.state.record.license)
    yield from (post for post in _files(suffix) if is_written(post.path, configuration))


def _files(suffix: str) -> Iterator[Signpost]:
    yield Signpost("alternate describedby", layout.resolver(suffix))
    yield Signpost("alternate item", layout.record_file(suffix, "bundle.json"))
    yield Signpost("alternate describedby", layout.record_file(suffix, "state.json"))
    for name in (BIBTEX, RIS, CSL):
        yield Signpost("describedby", layout.record_file(suffix, name), in_head=False)


def linkset_json(known: KnownRecord, configuration: Configuration) -> JsonObject:
    """Give the link set of a record (RFC 9264, 4.2).

    Args:
        known: what is known of the record.
        configuration: gives the address of the site; without it links are relative to the set.

    Returns:
        Its contexts: the record page, then each file that leads back to it.
    """
    source = layout.record_file(known.suffix, LINKSET)
    base_url = configuration.base_url

    def address(path: layout.SitePath) -> str:
        return layout.address_of(path, base_url=base_url, source=source)

    page = address(layout.record_page(known.suffix))
    own: dict[str, list[JsonValue]] = {}
    back: list[JsonValue] = []
    for post in signposts(known, configuration):
        target = _target(post.href or address(post.path), post.media_type)
        for relation in post.relations.split(" "):
            own.setdefault(relation, []).append(target)
        reverse = _REVERSE.get(post.relations.rpartition(" ")[2])
        if reverse and post.path:
            back.append({"anchor": address(post.path), reverse: [_target(page, "text/html")]})
    return {"linkset": [{"anchor": page, **own}, *back]}


def _target(href: str, media_type: str) -> JsonObject:
    return {"href": href, "type": media_type} if media_type else {"href": href}

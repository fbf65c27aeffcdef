"""Search: its page, the files behind it, and how a browser is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator import layout
from generator.limits import DEFAULT_LIMITS, Limits
from generator.render import SitePart
from generator.search_index import index_files
from generator.site_inputs import SiteInputs
from generator.xml_text import xml_text

# OpenSearch 1.1 (draft 6), "ShortName" and "LongName": the longest they may be.
_SHORT_NAME_LENGTH = 16
_LONG_NAME_LENGTH = 48


@dataclass(frozen=True, slots=True)
class SearchPage:
    """`search.html`; `full_text` says whether abstracts are searched too, over http(s) alone."""

    total: int
    full_text: bool


@dataclass(frozen=True, slots=True)
class SearchDescription:
    """`opensearch.xml`; its texts are not yet escaped."""

    short_name: str
    long_name: str


def search_files(inputs: SiteInputs, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[SitePart]:
    """Make the search page and all that it needs.

    Args:
        inputs: the complete catalogue and what is beside it.
        limits: how long a file may be, and how often a word is told in full.

    Returns:
        The files, streamed.

    Raises:
        RenderError: a template failed.
    """
    files = inputs.full_text.files
    page = SearchPage(inputs.catalogue.record_count(), full_text=bool(files))
    yield inputs.renderer.later("search.html", layout.SEARCH, page)
    yield from index_files(inputs.catalogue, limits=limits)
    yield from files
    if inputs.configuration.base_url:
        # Without the address of the site a browser could not know where to send a query.
        title = xml_text(inputs.configuration.title)
        description = SearchDescription(
            short_name=title if len(title) <= _SHORT_NAME_LENGTH else "Pith Numbers",
            long_name=title[:_LONG_NAME_LENGTH],
        )
        yield inputs.renderer.later("opensearch.xml", layout.OPENSEARCH, description)

"""The files of the site as a whole: listings, content, keys, mirrors, schemas, assets."""

from __future__ import annotations

from collections.abc import Iterator

from generator import layout
from generator.catalogue import Family
from generator.formats.checks import Verdict
from generator.pages import NotFoundPage
from generator.record_files import badge_file
from generator.render import PlannedPage, SiteFile, SitePart, json_file
from generator.resources import REGISTRY_MANIFEST
from generator.site_documents import mirrors_json, read_registry_manifest, signing_key_json
from generator.site_frame import asset_files
from generator.site_inputs import SiteInputs
from generator.site_listings import listing_files, overview_files
from generator.site_machines import machine_files
from generator.site_search import search_files
from generator.verify_page import verify_page


def site_files(inputs: SiteInputs, *, kept: frozenset[Family] = frozenset()) -> Iterator[SitePart]:
    """Make every file that belongs to no single record.

    Args:
        inputs: the complete catalogue and what is beside it.
        kept: files that need not be made, since the site has them as they would be.

    Returns:
        The files, streamed.

    Raises:
        RenderError: a template failed.
    """
    yield from overview_files(inputs)
    if Family.LISTINGS not in kept:
        yield from listing_files(inputs)
    yield from _unpublished_badges(inputs)
    yield from _content(inputs)
    yield from _documents(inputs)
    yield from machine_files(inputs)
    if Family.SEARCH not in kept:
        yield from search_files(inputs)
    # Last, since an operator's own robots.txt and the like replace these.
    yield from asset_files(inputs.resources)
    yield SiteFile(layout.NO_JEKYLL, b"")


def _unpublished_badges(inputs: SiteInputs) -> Iterator[SiteFile]:
    example = inputs.configuration.example_registry
    for suffix in inputs.catalogue.bundles.unpublished():
        yield badge_file(suffix, Verdict.REJECTED, inputs.renderer, example=example)


def _content(inputs: SiteInputs) -> Iterator[PlannedPage]:
    yield inputs.renderer.later("404.html", layout.NOT_FOUND, NotFoundPage())
    for path, page in inputs.content.items():
        if path == layout.VERIFY:
            yield verify_page(page, inputs.configuration, inputs.renderer)
        else:
            yield inputs.renderer.later("content.html", path, page)


def _documents(inputs: SiteInputs) -> Iterator[SiteFile]:
    registry = read_registry_manifest(inputs.resources.registry[REGISTRY_MANIFEST])
    newest = inputs.catalogue.newest_time()
    yield json_file(layout.MIRRORS, mirrors_json(registry, inputs.configuration, newest=newest))
    yield json_file(layout.SIGNING_KEY, signing_key_json(inputs.configuration))
    for name, data in inputs.resources.schemas.items():
        yield SiteFile(layout.schema(name), data)

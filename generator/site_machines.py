"""The files for programs that want all records: feeds, catalogue, sitemap, robots, harvesters."""

from __future__ import annotations

from collections.abc import Iterator

from generator.render import SitePart
from generator.site_catalogue import catalogue_files, has_parquet
from generator.site_feeds import feed_files
from generator.site_inputs import SiteInputs
from generator.site_oai import oai_files
from generator.site_robots import robots_files
from generator.site_sitemap import sitemap_files


def machine_files(inputs: SiteInputs) -> Iterator[SitePart]:
    """Make every file of the whole site that is meant for programs.

    Args:
        inputs: the complete catalogue and what is beside it.

    Returns:
        The files, streamed.

    Raises:
        RenderError: a template failed.
    """
    yield from catalogue_files(inputs)
    yield from feed_files(inputs)
    yield from sitemap_files(inputs)
    yield from oai_files(inputs)
    yield from robots_files(inputs, has_parquet=has_parquet(inputs.configuration))

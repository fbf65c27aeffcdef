"""The catalogue for machines: every record in one file, as lines of JSON and as Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from generator import layout
from generator.catalogue_rows import CatalogueRow, catalogue_row
from generator.config import Configuration
from generator.formats.canonical import compact_json
from generator.limits import DEFAULT_LIMITS, Limits
from generator.render import SiteStream
from generator.site_inputs import SiteInputs


def has_parquet(configuration: Configuration) -> bool:
    """Tell whether the site has the catalogue as Parquet: if it is asked for and can be written."""
    return configuration.presentation.parquet and find_spec("pyarrow") is not None


def catalogue_files(inputs: SiteInputs, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[SiteStream]:
    """Make the catalogue files.

    Args:
        inputs: the complete catalogue and the configuration.
        limits: how many rows a group of the Parquet file has.

    Returns:
        `catalogue.ndjson`, and `catalogue.parquet` if there is one.
    """
    yield SiteStream(layout.CATALOGUE, _lines(inputs))
    if has_parquet(inputs.configuration):
        # pyarrow takes a moment to load, and may not be there at all.
        from generator.parquet import parquet_pieces  # noqa: PLC0415

        pieces = parquet_pieces(_rows(inputs), group_length=limits.parquet_group_length)
        yield SiteStream(layout.CATALOGUE_PARQUET, pieces)


def _lines(inputs: SiteInputs) -> Iterator[bytes]:
    return (compact_json(row.as_json()) + b"\n" for row in _rows(inputs))


def _rows(inputs: SiteInputs) -> Iterator[CatalogueRow]:
    records = inputs.catalogue.every_record()
    return (catalogue_row(record, inputs.configuration) for record in records)

"""`pith-mirror plan`: what a build will write and what a host will make of it, before the build."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from generator.cli_setup import (
    config_option,
    profile_option,
    read_configuration,
    stop,
    with_profile,
)
from generator.errors import MirrorError
from generator.estimate import Estimate, estimate_build
from generator.hosting import GIGABYTE, Cost, Fit, PagesFit, Prices, fit_pages, store_cost
from generator.load import load_bundles
from generator.resources import templates_folder

_MEGABYTE = 10**6
_Command = TypeVar("_Command", bound=Callable[..., None])


class _Number(click.FloatRange):
    """A number from 0 on that is one: not infinite, and not `nan`."""

    name = "number"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - as click has it
        """Read the number."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no number.", param, ctx)
        return number


def _price_options(command: _Command) -> _Command:
    for name, text in reversed(
        (
            ("--price-storage", "Price of a GB stored for a month."),
            ("--price-requests", "Price of 1,000 PUT requests."),
            ("--price-egress", "Price of a GB that readers take."),
            ("--egress-gb", "GB that readers take in a month."),
        )
    ):
        command = click.option(name, type=_Number(min=0), metavar="NUMBER", help=text)(command)
    return command


@click.command()
@click.option(
    "--bundles",
    type=click.Path(path_type=Path),
    default=Path("bundles"),
    show_default=True,
    metavar="DIR",
    help="Folder of bundles, searched recursively, or one file.",
)
@click.option(
    "--records",
    type=click.IntRange(min=1),
    metavar="N",
    help="Plan for so many records like these.  [default: as many as there are]",
)
@profile_option
@_price_options
@click.option("--json", "as_json", is_flag=True, help="Print the estimate as JSON.")
@config_option
def plan(  # noqa: PLR0913 - a parameter an option
    bundles: Path,
    config: Path | None,
    *,
    records: int | None,
    profile: str | None,
    price_storage: float | None,
    price_requests: float | None,
    price_egress: float | None,
    egress_gb: float | None,
    as_json: bool,
) -> None:
    """Estimate what a build will write, and what that comes to at a host.

    Reads every bundle once and builds up to 200 of them in memory. Nothing is written. Prices are
    your host's, in any currency.
    """
    try:
        configuration = with_profile(read_configuration(bundles, config), profile)
        own = configuration.presentation.templates
        found = estimate_build(
            load_bundles(bundles),
            configuration,
            (*([Path(own)] if own else []), templates_folder()),
            records=records,
        )
    except MirrorError as error:
        stop(error)
    prices = Prices(price_storage, price_requests, price_egress)
    fit = fit_pages(found.files, found.length, egress=egress_gb)
    cost = store_cost(found.files, found.length, prices, egress=egress_gb)
    if as_json:
        click.echo(json.dumps(_as_json(found, fit, cost), separators=(",", ":")))
        return
    for line in _lines(found, fit, cost):
        click.echo(line)


def _lines(found: Estimate, fit: PagesFit, cost: Cost) -> Iterator[str]:
    yield _source(found)
    yield f"{'records':<24}{found.records:>14,}"
    yield f"{'files':<24}{found.files:>14,}"
    yield f"{'bytes':<24}{_megabytes(found.length):>14}"
    yield f"{'on a disk':<24}{_megabytes(found.blocks):>14}  in blocks of 4 KiB, without folders"
    yield ""
    for group in found.groups:
        if group.files:
            yield f"{group.name:<24}{group.files:>14,}{_megabytes(group.length):>16}"
    yield ""
    yield "GitHub Pages"
    yield f"  site of at most 1 GB: {fit.site.value}"
    hint = ", give --egress-gb" if fit.month is Fit.NOT_KNOWN else ""
    yield f"  about 100 GB a month: {fit.month.value}{hint}"
    yield (
        f"  deployed within 10 minutes: not known; takes {fit.files_a_second:,.1f} files and "
        f"{fit.bytes_a_second / _MEGABYTE:,.2f} MB a second"
    )
    yield "object store"
    yield from _costs(found, cost)


def _source(found: Estimate) -> str:
    read = f"{found.bundles:,} bundle{'s' if found.bundles != 1 else ''}"
    if found.is_whole:
        return f"an estimate: all of {read} were built in memory"
    built = f"{found.sample_bundles:,} of {read} were built in memory"
    return f"an estimate: {built}, with {found.sample_records:,} records, and the rest counted"


def _costs(found: Estimate, cost: Cost) -> Iterator[str]:
    stored = f"{found.length / GIGABYTE:,.3f} GB stored"
    rows = (
        (f"{stored}, a month", cost.storage, "--price-storage"),
        (f"{found.files:,} PUTs, once", cost.upload, "--price-requests"),
        ("egress, a month", cost.egress, "--price-egress and --egress-gb"),
    )
    for label, amount, options in rows:
        yield f"  {label}: " + (f"{amount:,.2f}" if amount is not None else f"give {options}")
    if cost.storage is not None or cost.egress is not None:
        yield f"  a month, as far as known: {cost.month:,.2f}"


def _megabytes(length: int) -> str:
    return f"{length / _MEGABYTE:,.1f} MB"


def _as_json(found: Estimate, fit: PagesFit, cost: Cost) -> dict[str, object]:
    return {
        "estimate": True,
        "bundles": found.bundles,
        "sample": {
            "bundles": found.sample_bundles,
            "records": found.sample_records,
            "is_whole": found.is_whole,
        },
        "records": found.records,
        "files": found.files,
        "bytes": found.length,
        "disk_bytes": found.blocks,
        "groups": [
            {"name": g.name, "files": g.files, "bytes": g.length, "disk_bytes": g.blocks}
            for g in found.groups
        ],
        "github_pages": {
            "site": fit.site.value,
            "month": fit.month.value,
            "files_a_second": round(fit.files_a_second, 3),
            "bytes_a_second": round(fit.bytes_a_second),
        },
        "object_store": {
            "storage_a_month": cost.storage,
            "upload_once": cost.upload,
            "egress_a_month": cost.egress,
            "known_a_month": cost.month,
        },
    }

"""Hosting: what a site comes to at a host, by the host's limits and the operator's own prices."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from generator.limits import DEFAULT_LIMITS, Limits

GIGABYTE = 10**9  # as hosts count
_PRICED = 1_000  # requests


class Fit(Enum):
    """Whether something is within a limit; what cannot be told is neither."""

    WITHIN = "within"
    OVER = "over"
    NOT_KNOWN = "not known"


@dataclass(frozen=True, slots=True)
class PagesFit:
    """A site against the limits of GitHub Pages.

    Whether a deployment ends in time depends on the way to the host, so only what it takes is told.
    """

    site: Fit
    month: Fit  # a soft limit
    files_a_second: float  # for a deployment that ends in time
    bytes_a_second: float


@dataclass(frozen=True, slots=True)
class Prices:
    """What an object store takes, in any one currency; None for a price that is not known."""

    storage: float | None = None  # a gigabyte and month
    requests: float | None = None  # a thousand PUTs
    egress: float | None = None  # a gigabyte


@dataclass(frozen=True, slots=True)
class Cost:
    """What a site costs in an object store; None where a price or a number is not known."""

    storage: float | None  # a month
    upload: float | None  # once: of every file
    egress: float | None  # a month
    month: float  # what is known of a month: storage and egress


def fit_pages(
    files: int, length: int, *, egress: float | None, limits: Limits = DEFAULT_LIMITS
) -> PagesFit:
    """Compare a site with the limits of GitHub Pages.

    Args:
        files: of the site.
        length: of the site, bytes.
        egress: gigabytes that readers take in a month, if somebody knows.
        limits: the host's.

    Returns:
        What fits.
    """
    month = None if egress is None else egress * GIGABYTE
    return PagesFit(
        site=_fit(length, limits.pages_site_max_length),
        month=_fit(month, limits.pages_month_max_length),
        files_a_second=files / limits.pages_deploy_max_time,
        bytes_a_second=length / limits.pages_deploy_max_time,
    )


def store_cost(files: int, length: int, prices: Prices, *, egress: float | None) -> Cost:
    """Say what a site costs in an object store.

    Args:
        files: of the site, one PUT each.
        length: of the site, bytes.
        prices: the operator's own.
        egress: gigabytes that readers take in a month, if somebody knows.

    Returns:
        The cost, in the currency of the prices.
    """
    storage = _product(prices.storage, length / GIGABYTE)
    out = _product(prices.egress, egress)
    return Cost(
        storage=storage,
        upload=_product(prices.requests, files / _PRICED),
        egress=out,
        month=(storage or 0.0) + (out or 0.0),
    )


def _fit(number: float | None, most: float) -> Fit:
    if number is None:
        return Fit.NOT_KNOWN
    return Fit.WITHIN if number <= most else Fit.OVER


def _product(price: float | None, number: float | None) -> float | None:
    return None if price is None or number is None else price * number

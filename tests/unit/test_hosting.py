"""hosting.py: a site against a host's limits and an operator's prices."""

from __future__ import annotations

import pytest

from generator.hosting import Fit, Prices, fit_pages, store_cost


@pytest.mark.parametrize(
    ("length", "egress", "site", "month"),
    [
        (10**9, 100.0, Fit.WITHIN, Fit.WITHIN),
        (10**9 + 1, 100.1, Fit.OVER, Fit.OVER),
        (0, None, Fit.WITHIN, Fit.NOT_KNOWN),
    ],
)
def test_limits_are_compared(length: int, egress: float | None, site: Fit, month: Fit) -> None:
    """At a limit a site is within; what nobody said is neither within nor over."""
    found = fit_pages(600, length, egress=egress)
    assert (found.site, found.month) == (site, month)
    assert found.files_a_second == 1.0
    assert found.bytes_a_second == length / 600


def test_cost_is_that_of_the_operators_own_prices() -> None:
    """Storage and egress are by the month, PUTs once; the month has both."""
    cost = store_cost(50_000, 2 * 10**9, Prices(0.5, 0.01, 0.25), egress=8.0)
    assert (cost.storage, cost.upload, cost.egress, cost.month) == (1.0, 0.5, 2.0, 3.0)


def test_unknown_prices_cost_nothing_that_is_told() -> None:
    """Without a price there is no amount, and the month has what is known."""
    cost = store_cost(1, 10**9, Prices(storage=3.0), egress=8.0)
    assert (cost.storage, cost.upload, cost.egress, cost.month) == (3.0, None, None, 3.0)
    assert store_cost(1, 1, Prices(egress=3.0), egress=None).egress is None

"""The pages of the example registry, on which everything occurs, are valid HTML and SVG."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import NuChecker

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("built_site")]


def test_pages_of_the_example_registry_are_valid(demo_site: Path, nu_checker: NuChecker) -> None:
    """The Nu checker finds no error in any HTML page of the example registry."""
    assert nu_checker.errors("--skip-non-html", paths=[demo_site]) == []


def test_pictures_of_the_example_registry_are_valid(demo_site: Path, nu_checker: NuChecker) -> None:
    """The Nu checker finds no error in any SVG of the example registry."""
    pictures = sorted(demo_site.rglob("*.svg"))
    assert nu_checker.errors("--svg", paths=pictures) == []

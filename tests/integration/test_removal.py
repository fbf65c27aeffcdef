"""A build never takes most of a site away unless it is told to."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from generator.errors import OutputError
from tests.factories import REAL_MIRROR, build, tree

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(name="mirror")
def _mirror(tmp_path: Path) -> Path:
    shutil.copytree(REPOSITORY / "bundles", tmp_path / "bundles")
    build(tmp_path / "bundles", tmp_path / "site", configuration=REAL_MIRROR)
    return tmp_path


def _keep(mirror: Path, count: int) -> None:
    for path in sorted((mirror / "bundles").glob("*.json"))[count:]:
        path.unlink()


def test_site_keeps_its_records_when_most_would_go(mirror: Path) -> None:
    """With fewer than half of the records left the build is refused and the site is as it was."""
    before = tree(mirror / "site")
    _keep(mirror, 7)
    with pytest.raises(OutputError, match=r"9 of 16 would be removed .*--allow-removal"):
        build(mirror / "bundles", mirror / "site", configuration=REAL_MIRROR)
    assert tree(mirror / "site") == before


def test_half_of_the_records_may_go(mirror: Path) -> None:
    """Removing half of the records needs no word, and their pages and listings go."""
    _keep(mirror, 8)
    summary = build(mirror / "bundles", mirror / "site", configuration=REAL_MIRROR)
    assert summary.records == 8
    pages = [path for path in tree(mirror / "site") if path.startswith("pith/")]
    assert len({path.split("/")[1].removesuffix(".json") for path in pages}) == 8


def test_allowed_removal_removes(mirror: Path) -> None:
    """Told so, a build takes away all but one record."""
    _keep(mirror, 1)
    build(mirror / "bundles", mirror / "site", configuration=REAL_MIRROR, allow_removal=True)
    assert sum(path.endswith("badge.svg") for path in tree(mirror / "site")) == 1

"""The built site, byte for byte. After a meant change: `make golden-update`, and read the diff."""

from __future__ import annotations

import difflib
import hashlib
import json
from pathlib import Path

import pytest

from tests.factories import BUNDLES, tree
from tests.golden.update import HERE, build_expected, expected_sites

# One worker builds the sites for all tests here.
pytestmark = pytest.mark.xdist_group("golden")

SITES = expected_sites()
_OF_OTHERS = ('"pagefind/', '"catalogue.parquet"', '"search/index.html"', '"llms.txt"')
HINT = "meant? then `make golden-update` and read the diff"


@pytest.fixture(name="found", scope="module")
def _found() -> dict[str, dict[str, bytes]]:
    return {name: build_expected(expected) for name, expected in SITES.items()}


def kept(name: str) -> dict[str, bytes]:
    """Read an expected site."""
    return tree(HERE / name)


def difference(expected: bytes, found: bytes) -> str:
    """Show how two files differ, line by line."""
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (expected, found))
    return "\n".join(list(difflib.unified_diff(before, after, "expected", "found", n=1))[:60])


@pytest.mark.parametrize("name", list(SITES))
def test_kept_files_are_those_chosen(name: str, found: dict[str, dict[str, bytes]]) -> None:
    """No chosen file is missing in the repository, and no other is left there."""
    assert kept(name).keys() == found[name].keys(), HINT


@pytest.mark.parametrize("name", list(SITES))
def test_kept_files_are_equal_byte_for_byte(name: str, found: dict[str, dict[str, bytes]]) -> None:
    """Each kept file is exactly what a build writes."""
    for path, data in kept(name).items():
        if path != "manifest.json":
            assert found[name][path] == data, (
                f"{HINT}\n{path}\n{difference(data, found[name][path])}"
            )


@pytest.mark.parametrize("name", list(SITES))
def test_every_file_has_the_expected_digest(name: str, found: dict[str, dict[str, bytes]]) -> None:
    """The manifest, which names every file with its digest, is exactly the expected one."""
    expected = kept(name)["manifest.json"]
    assert found[name]["manifest.json"] == expected, difference(
        expected, found[name]["manifest.json"]
    )


def test_manifest_speaks_of_the_files_that_are_there(built_site: Path) -> None:
    """Path, digest and length of every file of the built site are those of the manifest."""
    site = tree(built_site)
    listed = json.loads(site.pop("manifest.json"))["files"]
    assert {row["path"]: (row["sha256"], row["length"]) for row in listed} == {
        path: (hashlib.sha256(data).hexdigest(), len(data)) for path, data in site.items()
    }
    assert [row["path"] for row in listed] == sorted(site)


def test_command_line_builds_the_expected_site(built_site: Path) -> None:
    """`pith-mirror build` in the checkout gives the files of the expected site, and no others.

    But for those that other programs write, and the two that say whether they are there.
    """

    def rows(manifest: bytes) -> list[str]:
        lines = manifest.decode().splitlines()
        return [line for line in lines if not any(part in line for part in _OF_OTHERS)]

    found = rows((built_site / "manifest.json").read_bytes())
    assert found == rows(kept("site")["manifest.json"])
    assert len(found) > 200


def test_bundles_are_served_byte_for_byte(built_site: Path) -> None:
    """Each of the sixteen bundles stands at both paths, exactly as it was received."""
    names = [path.stem for path in sorted(BUNDLES.glob("*.json"))]
    assert len(names) == 16
    for name in names:
        data = (BUNDLES / f"{name}.json").read_bytes()
        assert (built_site / f"pith/{name}/bundle.json").read_bytes() == data
        assert (built_site / f".well-known/pith/{name}/bundle.json").read_bytes() == data


def test_site_has_every_file_of_the_design(built_site: Path) -> None:
    """Each record has its whole set of files; the site has its pages and documents."""
    site = tree(built_site)
    for path in BUNDLES.glob("*.json"):
        name = path.stem
        beside = ("index.html", "bundle.json", "state.json", "graph.json", "events.json")
        expected = {
            *(f"pith/{name}/{file}" for file in (*beside, "badge.svg")),
            f"pith/{name}.json",
            f".well-known/pith/{name}/bundle.json",
            f"api/pith-number/{name}/graph.json",
            f"p/{name[:8]}/index.html",
        }
        assert expected <= site.keys()
    assert site.keys() >= {
        *("index.html", "browse/index.html", "about/index.html", "verify/index.html"),
        *("report/index.html", "report.json", "pith-mirrors.json", "pith-signing-key.json"),
        *("404.html", "manifest.json", ".nojekyll", "schemas/state.v1.json"),
    }

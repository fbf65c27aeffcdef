"""The files for machines in whole sites: real bundles, the examples, a site with an address."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import feedparser
import pytest

from tests.factories import BUNDLES, REAL_MIRROR, built, tree
from tests.machine_inputs import BASE_URL, OPERATOR
from tests.xml_checks import (
    ATOM,
    atom_faults,
    locations,
    oai_faults,
    parse,
    sitemap_faults,
)

# One worker builds the site of this module.
pytestmark = pytest.mark.xdist_group("machine_files")


@pytest.fixture(name="sites", scope="module")
def _sites(
    built_site: Path, demo_site: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, bytes]]:
    addressed = replace(REAL_MIRROR, base_url=BASE_URL, operator=OPERATOR)
    bundles = {path.name: path.read_bytes() for path in BUNDLES.glob("*.json")}
    folder = tmp_path_factory.mktemp("addressed")
    return {
        "real": tree(built_site),
        "demo": tree(demo_site),
        "addressed": built(folder, bundles, configuration=addressed),
    }


SITES = ("real", "demo", "addressed")


@pytest.mark.parametrize("name", SITES)
def test_every_feed_of_a_site_is_valid(name: str, sites: dict[str, dict[str, bytes]]) -> None:
    """One feed of all records and one for each category, each valid, each link a file."""
    site, base_url = sites[name], BASE_URL if name == "addressed" else ""
    feeds = {path: data for path, data in site.items() if path.endswith(".atom")}
    listings = {path for path in site if re.fullmatch(r"browse/category/[^/]+/index\.html", path)}
    assert feeds.keys() == {
        "feed.atom",
        *(path.replace("index.html", "feed.atom") for path in listings),
    }
    for path, data in feeds.items():
        assert atom_faults(data, base_url=base_url) == [], path
        assert not feedparser.parse(data, sanitize_html=False).bozo
        for link in parse(data).iter(f"{ATOM}link"):
            if link.get("rel") in {"alternate", "self"}:
                target = link.get("href", "").removeprefix(base_url)
                target = target.removeprefix("../" * path.count("/"))
                page = f"{target}index.html" if target.endswith("/") or not target else target
                assert page in site, (path, target)


@pytest.mark.parametrize("name", SITES)
def test_feed_has_every_record_of_a_small_site(
    name: str, sites: dict[str, dict[str, bytes]]
) -> None:
    """Feed and catalogue speak of the same records; those withdrawn are marked in both."""
    rows = [json.loads(line) for line in sites[name]["catalogue.ndjson"].splitlines()]
    entries = parse(sites[name]["feed.atom"]).findall(f"{ATOM}entry")
    titles = {e.findtext(f"{ATOM}id", ""): e.findtext(f"{ATOM}title", "") for e in entries}
    assert titles.keys() == {row["pith_number"] for row in rows}
    withdrawn = {key for key, title in titles.items() if title.startswith("Withdrawn: ")}
    assert withdrawn == {row["pith_number"] for row in rows if row["withdrawn"]}
    assert bool(withdrawn) == (name == "demo")


def test_site_with_an_address_has_sitemap_and_repository(
    sites: dict[str, dict[str, bytes]],
) -> None:
    """Every address in the sitemap is a file of the site, and the harvesters' file is valid."""
    site = sites["addressed"]
    assert sitemap_faults(site["sitemap.xml"], base_url=BASE_URL) == []
    for part in locations(site["sitemap.xml"]):
        data = site[part.removeprefix(BASE_URL)]
        assert sitemap_faults(data, base_url=BASE_URL) == []
        for address in locations(data):
            assert f"{address.removeprefix(BASE_URL)}index.html" in site
    assert oai_faults(site["oai-static.xml"]) == []
    assert f"Sitemap: {BASE_URL}sitemap.xml".encode() in site["robots.txt"]


@pytest.mark.parametrize("name", ["real", "demo"])
def test_site_without_an_address_has_neither(name: str, sites: dict[str, dict[str, bytes]]) -> None:
    """What cannot do without absolute addresses is left out, and nothing names it."""
    site = sites[name]
    assert not {"sitemap.xml", "oai-static.xml"} & site.keys()
    assert b"Sitemap" not in site["robots.txt"]
    expected = b"Disallow: /" if name == "demo" else b"Allow: /"
    assert site["robots.txt"].splitlines()[1] == expected


@pytest.mark.parametrize("name", SITES)
def test_every_address_in_llms_txt_is_a_file(name: str, sites: dict[str, dict[str, bytes]]) -> None:
    """llms.txt names nothing that is not there."""
    text = sites[name]["llms.txt"].decode()
    site, base_url = sites[name], BASE_URL if name == "addressed" else ""
    ours = [
        address.removeprefix(base_url)
        for address in re.findall(r"^- \[.*?\]\((.*?)\)", text, re.MULTILINE)
    ]
    assert len(ours) > 8
    for path in ours:
        assert (f"{path}index.html" if path.endswith("/") else path) in site


def test_manifest_names_the_media_types(sites: dict[str, dict[str, bytes]]) -> None:
    """A host learns from the manifest how to serve each of these files."""
    listed = {
        row["path"]: row["media_type"]
        for row in json.loads(sites["real"]["manifest.json"])["files"]
    }
    assert listed["feed.atom"] == "application/atom+xml"
    assert listed["catalogue.ndjson"] == "application/x-ndjson"
    assert listed["catalogue.parquet"] == "application/vnd.apache.parquet"
    assert listed["robots.txt"] == "text/plain; charset=utf-8"

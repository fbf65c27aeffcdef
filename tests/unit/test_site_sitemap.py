"""site_sitemap.py: parts that hold to the limits, true days, and only canonical pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator.config import Canonical, Presentation
from generator.limits import Limits
from generator.render import SiteFile, SiteStream
from generator.site_inputs import SiteInputs
from generator.site_sitemap import sitemap_files
from tests.machine_inputs import BASE_URL, MIRROR, REGISTRY, changed, files_of, units
from tests.xml_checks import SITEMAP, locations, parse, sitemap_faults

SMALL = Limits(sitemap_urls_max_count=5)


def small(inputs: SiteInputs) -> list[SiteFile | SiteStream]:
    """Make a sitemap with low limits."""
    return list(sitemap_files(inputs, limits=SMALL))


def pages(files: dict[str, bytes]) -> list[str]:
    """Give every page that the sitemap names, by way of its index."""
    parts = [address.removeprefix(BASE_URL) for address in locations(files["sitemap.xml"])]
    assert sorted([*parts, "sitemap.xml"]) == sorted(files)
    return [address for part in parts for address in locations(files[part])]


@pytest.mark.parametrize("count", [0, 1, 30])
def test_sitemap_is_valid(tmp_path: Path, count: int) -> None:
    """Index and parts are valid without a record, with one, and with many."""
    files = files_of(sitemap_files, tmp_path, units(count))
    for path, data in files.items():
        assert sitemap_faults(data, base_url=BASE_URL) == [], path
    records = [page for page in pages(files) if f"{BASE_URL}pith/" in page]
    assert len(records) == count
    assert pages(files)[:2] == [BASE_URL, f"{BASE_URL}browse/"]


def test_parts_hold_to_the_number_of_addresses(tmp_path: Path) -> None:
    """With a limit of five, thirty records stand once each in parts of at most five."""
    records = units(30)
    files = files_of(small, tmp_path, records)
    for path, data in files.items():
        limit = 50_000 if path == "sitemap.xml" else 5
        assert sitemap_faults(data, base_url=BASE_URL, limit=limit) == [], path
    expected = {f"{BASE_URL}pith/{unit.catalogued.suffix}/" for unit in records}
    assert {page for page in pages(files) if f"{BASE_URL}pith/" in page} == expected
    for path, data in files.items():
        prefix = path.removeprefix("sitemap-records-").removesuffix(".xml")
        if prefix != path.removesuffix(".xml"):
            assert all(f"/pith/{prefix}" in address for address in locations(data))


def test_parts_hold_to_the_number_of_bytes(tmp_path: Path) -> None:
    """No part is longer than the limit in bytes, however few addresses that is."""
    limits = Limits(sitemap_max_length=1_000)
    files = files_of(lambda inputs: sitemap_files(inputs, limits=limits), tmp_path, units(30))
    assert len(files) > 5
    assert all(len(data) <= 1_000 for path, data in files.items() if path != "sitemap.xml")


def test_new_record_changes_one_part(tmp_path: Path) -> None:
    """Parts are made by id: one more record changes its part, the index, and listings' days."""
    limits = Limits(sitemap_urls_max_count=25)
    records = units(41)
    before, after = (
        files_of(lambda inputs: sitemap_files(inputs, limits=limits), tmp_path / name, found)
        for name, found in (("a", records[:40]), ("b", records))
    )
    different = {path for path in after if before.get(path) != after[path]}
    prefix = records[40].catalogued.suffix[0]
    parts = {path for path in different if path.startswith("sitemap-records")}
    assert parts == {f"sitemap-records-{prefix}.xml"}


def test_days_are_those_of_the_last_change(tmp_path: Path) -> None:
    """`lastmod` is the day (UTC) of a record's change; of a listing the newest of its records."""
    one, two = units(2)
    records = [
        changed(one, changed_at="2026-05-20T23:30:00-01:00"),
        changed(two, changed_at="2026-06-02T00:00:00Z"),
    ]
    files = files_of(sitemap_files, tmp_path, records)
    days = {
        child.findtext(f"{SITEMAP}loc", "").removeprefix(BASE_URL): child.findtext(
            f"{SITEMAP}lastmod"
        )
        for data in files.values()
        for child in parse(data)
    }
    assert days[f"pith/{one.catalogued.suffix}/"] == "2026-05-21"
    assert days[f"pith/{two.catalogued.suffix}/"] == "2026-06-02"
    assert days["browse/year/2010/"] == "2026-05-21"
    assert days["browse/category/cs.DC/"] == days[""] == "2026-06-02"
    assert days["sitemap-records.xml"] == "2026-06-02"
    assert days["about/"] is None


def test_copies_are_not_listed_where_the_registry_is_canonical(tmp_path: Path) -> None:
    """Record pages are in the sitemap only if this mirror's are canonical, or nobody else's."""
    registry = Presentation(canonical=Canonical.REGISTRY)
    found = {}
    for name, configuration in {
        "deferring": replace(MIRROR, upstreams=(REGISTRY,), presentation=registry),
        "claiming": replace(MIRROR, upstreams=(REGISTRY,)),
        "alone": replace(MIRROR, upstreams=(), presentation=registry),
    }.items():
        files = files_of(sitemap_files, tmp_path, units(2), configuration)
        found[name] = [page for page in pages(files) if f"{BASE_URL}pith/" in page]
    assert {name: len(found[name]) for name in found} == {"deferring": 0, "claiming": 2, "alone": 2}


@pytest.mark.parametrize("fields", [{"base_url": ""}, {"example_registry": True}])
def test_no_sitemap_without_address_or_of_examples(
    tmp_path: Path, fields: dict[str, object]
) -> None:
    """A sitemap needs absolute addresses, and invented records are not for search engines."""
    configuration = replace(MIRROR, **fields)  # type: ignore[arg-type] # the test's own
    assert files_of(sitemap_files, tmp_path, units(1), configuration) == {}


def test_order_of_loading_changes_no_byte(tmp_path: Path) -> None:
    """The sitemap is the same in whatever order records are added."""
    records = units(12)
    assert files_of(small, tmp_path, records) == files_of(small, tmp_path, records[::-1])

"""site_feeds.py: Atom feeds that are valid, complete, and say in words what is not proven."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import feedparser
import pytest
from lxml import etree

from generator.formats.checks import Verdict
from generator.limits import Limits
from generator.render import PlannedPage
from generator.site_feeds import feed_files
from generator.site_inputs import SiteInputs
from tests.factories import TEST_MIRROR
from tests.machine_inputs import (
    BASE_URL,
    HOSTILE,
    MIRROR,
    OPERATOR,
    REGISTRY,
    changed,
    files_of,
    unit_of,
    units,
)
from tests.vectors.builders import OLD, OTHER, PAPER, bundle_of
from tests.xml_checks import ATOM, HISTORY, atom_faults, parse

SMALL = Limits(feed_entries_max_count=3, feed_archive_length=4)


def small(inputs: SiteInputs) -> list[PlannedPage]:
    """Make feeds with low limits."""
    return list(feed_files(inputs, limits=SMALL))


def ids(data: bytes) -> list[str]:
    """Give the ids of a feed's entries, in order."""
    return [entry.findtext(f"{ATOM}id") or "" for entry in parse(data).findall(f"{ATOM}entry")]


def entry_of(data: bytes) -> etree._Element:
    """Give the only entry of a feed."""
    (entry,) = parse(data).findall(f"{ATOM}entry")
    return entry


def links(element: etree._Element) -> list[tuple[str, str]]:
    """Give relation and address of the links that stand in an element itself."""
    return [(link.get("rel", ""), link.get("href", "")) for link in element.findall(f"{ATOM}link")]


@pytest.mark.parametrize("base_url", ["", BASE_URL])
@pytest.mark.parametrize("count", [0, 1, 9])
def test_every_feed_is_valid(tmp_path: Path, base_url: str, count: int) -> None:
    """With and without an address, empty, short and with archives, each feed is valid Atom."""
    files = files_of(small, tmp_path, units(count), replace(MIRROR, base_url=base_url))
    assert ("feed/1.atom" in files) == (count == 9)
    for path, data in files.items():
        assert atom_faults(data, base_url=base_url) == [], path
        parsed = feedparser.parse(data, sanitize_html=False)
        assert not parsed.bozo
        assert parsed.version == "atom10"
        assert len(parsed.entries) == len(ids(data))


def test_feed_of_no_record_has_a_time_without_a_clock(tmp_path: Path) -> None:
    """An empty feed was updated when the first pinned key became valid."""
    (data,) = files_of(feed_files, tmp_path, ()).values()
    first = min(key.valid_from for key in MIRROR.trust.by_id.values())
    assert parse(data).findtext(f"{ATOM}updated") == str(first)


def test_record_is_told_in_full(tmp_path: Path) -> None:
    """An entry has the proven title, the authors, both times, categories, licence and links."""
    configuration = replace(MIRROR, upstreams=(REGISTRY,))
    unit = unit_of(bundle_of(PAPER))
    files = files_of(feed_files, tmp_path, [unit], configuration)
    entry = entry_of(files["feed.atom"])
    suffix = unit.catalogued.suffix
    assert entry.findtext(f"{ATOM}id") == unit.catalogued.pith_number
    assert entry.findtext(f"{ATOM}title") == unit.catalogued.title
    assert [name.text for name in entry.iter(f"{ATOM}name")] == list(unit.catalogued.authors)
    assert entry.findtext(f"{ATOM}published") == "2026-05-18T01:36:37Z"
    assert entry.findtext(f"{ATOM}updated") == "2026-05-18T02:28:13Z"
    assert [c.get("term") for c in entry.findall(f"{ATOM}category")] == ["cs.DC", "cs.AI", "cs.LG"]
    assert entry.findtext(f"{ATOM}rights") == PAPER.license
    assert links(entry) == [
        ("alternate", f"{BASE_URL}pith/{suffix}/"),
        ("alternate", f"{BASE_URL}pith/{suffix}/bundle.json"),
        ("via", f"https://registry.example/pith/{suffix}"),
        ("related", "https://arxiv.org/abs/2305.01234v2"),
        ("license", PAPER.license),
    ]
    summary = entry.findtext(f"{ATOM}summary") or ""
    assert summary.startswith("Abstract: We merge sets of signed events")
    assert "Every check of this mirror verified." in summary
    assert "The authors are the word of the snapshot's signer" in summary


@pytest.mark.parametrize(
    ("fields", "title", "summary"),
    [
        ({"title": ""}, r"pith:2023:\w{26}", r"The title is not known here"),
        ({"warnings": ("withdrawn",)}, r"Withdrawn: Determ.*", r"^Withdrawn: a signed statement"),
        ({"warnings": ("contradicted",)}, r"Determ.*", r"signed statements .* that contradict"),
        ({"verdict": Verdict.DISPUTED}, r"Determ.*", r"Some checks failed"),
        ({"abstract_known": "carried"}, r".*", r"Abstract, from a snapshot that cannot be checked"),
        ({"authors_known": "carried"}, r".*", r"The authors are from a snapshot that cannot be"),
        ({"authors": tuple(map(str, range(103)))}, r".*", r"3 more authors\."),
    ],
)
def test_what_is_not_proven_is_said(
    tmp_path: Path, fields: dict[str, object], title: str, summary: str
) -> None:
    """A feed has no marks, so its words say what is withdrawn, failed, reported, carried, cut."""
    unit = changed(unit_of(bundle_of(PAPER)), **fields)
    entry = entry_of(files_of(feed_files, tmp_path, [unit])["feed.atom"])
    assert re.fullmatch(title, entry.findtext(f"{ATOM}title") or "")
    assert re.search(summary, entry.findtext(f"{ATOM}summary") or "")
    assert len(entry.findall(f"{ATOM}author")) <= 100


def test_unknown_authors_are_not_the_operator(tmp_path: Path) -> None:
    """The feed's author is the operator; an entry whose authors are unknown says so itself."""
    unit = changed(unit_of(bundle_of(PAPER)), authors=(), authors_known="")
    data = files_of(feed_files, tmp_path, [unit])["feed.atom"]
    assert parse(data).findtext(f"{ATOM}author/{ATOM}name") == OPERATOR
    assert entry_of(data).findtext(f"{ATOM}author/{ATOM}name") == "Authors not known here"


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    """Markup and characters that XML forbids come out as text, wherever a record holds them."""
    hostile = changed(
        unit_of(bundle_of(PAPER)), title=HOSTILE, authors=(HOSTILE,), abstract=HOSTILE
    )
    configuration = replace(MIRROR, title='<b>&"', operator="<i>")
    data = files_of(feed_files, tmp_path, [hostile], configuration)["feed.atom"]
    assert atom_faults(data, base_url=BASE_URL) == []
    entry = entry_of(data)
    for text in (entry.findtext(f"{ATOM}title"), entry.findtext(f"{ATOM}author/{ATOM}name")):
        assert "]]><script>&\"'" in (text or "")
        assert "⟨U+0000⟩⟨U+000B⟩" in (text or "")
        assert "⟨U+FFFE⟩" in (text or "")
    assert b"<script" not in data


def test_newest_change_comes_first(tmp_path: Path) -> None:
    """Entries are ordered by the time of change as a moment, whatever its spelling, then by id."""
    one, two, three = (unit_of(bundle_of(paper)) for paper in (PAPER, OTHER, OLD))
    found = [
        changed(one, changed_at="2026-05-18T10:00:00.00000001Z"),
        changed(two, changed_at="2026-05-18T11:00:00.000000009+01:00"),
        changed(three, changed_at="2026-05-18T23:59:60Z"),
    ]
    expected = [found[2], found[0], found[1]]
    for order in (found, found[::-1]):
        data = files_of(feed_files, tmp_path, order)["feed.atom"]
        assert ids(data) == [unit.catalogued.pith_number for unit in expected]
        assert parse(data).findtext(f"{ATOM}updated") == "2026-05-18T23:59:59Z"


def test_feed_and_archives_hold_every_record(tmp_path: Path) -> None:
    """By RFC 5005 a reader who follows prev-archive from the feed meets every record."""
    # Those received last changed least recently: neither order alone would reach them all.
    records = [
        changed(
            unit,
            receipt_at=f"2026-05-18T01:00:{number:02}Z",
            changed_at=f"2026-06-01T00:00:{59 - number:02}Z",
        )
        for number, unit in enumerate(units(10))
    ]
    files = files_of(small, tmp_path, records)
    seen: set[str] = set()
    path = "feed.atom"
    visited = []
    while path:
        visited.append(path)
        seen |= set(ids(files[path]))
        older = dict(links(parse(files[path]))).get("prev-archive", "")
        path = older.removeprefix(BASE_URL)
    assert visited == ["feed.atom", "feed/2.atom", "feed/1.atom"]
    assert seen == {unit.catalogued.pith_number for unit in records}
    for archive in visited[1:]:
        assert parse(files[archive]).find(f"{HISTORY}archive") is not None
        assert len(ids(files[archive])) == 4


def test_new_record_changes_no_archive(tmp_path: Path) -> None:
    """A record that is received later than all others leaves every full archive page as it was."""
    records = [
        changed(unit, receipt_at=f"2026-05-18T01:00:{number:02}Z")
        for number, unit in enumerate(units(9))
    ]
    before = files_of(small, tmp_path / "a", records[:8])
    after = files_of(small, tmp_path / "b", records)
    assert {name: data for name, data in before.items() if name == "feed/1.atom"} == {
        "feed/1.atom": after["feed/1.atom"]
    }
    assert records[8].catalogued.pith_number in ids(after["feed.atom"])


def test_category_has_a_feed_of_its_own(tmp_path: Path) -> None:
    """The feed of a category has its records only, as many as a feed may have, and its own id."""
    records = [*units(5), unit_of(bundle_of(OTHER))]
    files = files_of(small, tmp_path, records)
    math = files["browse/category/math.CO/feed.atom"]
    assert ids(math) == [records[5].catalogued.pith_number]
    assert len(ids(files["browse/category/cs.DC/feed.atom"])) == 3
    names = [parse(data).findtext(f"{ATOM}id") for data in files.values()]
    assert len(set(names)) == len(names)


def test_id_without_an_address_is_stable_and_its_own(tmp_path: Path) -> None:
    """Without base_url the id is a UUID of the mirror's names and of nothing else."""
    mirror = replace(MIRROR, base_url="")
    found = [
        parse(files_of(feed_files, tmp_path, records, configuration)["feed.atom"])
        for records, configuration in (
            ((), mirror),
            (units(2), mirror),
            ((), replace(mirror, operator="Somebody else")),
        )
    ]
    first, again, other = (feed.findtext(f"{ATOM}id") or "" for feed in found)
    assert first == again != other
    assert re.fullmatch(
        r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-\w{12}", first
    )
    assert "self" not in dict(links(found[0]))


def test_example_registry_says_so_in_each_entry(tmp_path: Path) -> None:
    """An entry travels without the feed, so each says that the record is invented."""
    example = replace(TEST_MIRROR, example_registry=True)
    entry = entry_of(files_of(feed_files, tmp_path, units(1), example)["feed.atom"])
    summary = entry.findtext(f"{ATOM}summary") or ""
    assert summary.startswith("An invented record of an example registry.")

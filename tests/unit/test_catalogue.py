"""catalogue.py: what is listed where, in one order whatever the order of loading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from generator.build_state import open_database
from generator.catalogue import Catalogue
from generator.errors import LoadError
from generator.formats.checks import Outcome, Verdict
from generator.limits import DEFAULT_LIMITS
from generator.load import Place
from generator.plan import ListingKind
from generator.record_files import build_record, verified_events
from generator.render import Renderer
from generator.site_frame import prepare_resources, site_frame
from generator.verify import BundleReport, report_unreadable
from tests.factories import LATER, TEMPLATES, TEST_MIRROR, report_on, suffix_of
from tests.vectors.builders import (
    OLD,
    OTHER,
    PAPER,
    Json,
    Paper,
    bundle_of,
    event_of,
    record_of,
    signed,
)

RENDERER = Renderer(
    [TEMPLATES], site_frame(TEST_MIRROR, prepare_resources([TEMPLATES], TEST_MIRROR))
)
PAPERS = (PAPER, OTHER, OLD)


def keep(catalogue: Catalogue, report: BundleReport) -> None:
    """Keep one of several bundles of the record, as a build does; a rejected one is none."""
    if report.verified is not None:
        data = report.verified.raw.data
        put(catalogue, report)
        catalogue.bundles.add_copy(suffix_of(), str(report.digest), data)


def put(catalogue: Catalogue, report: BundleReport) -> None:
    """Note what came of a bundle, as the next one of an input."""
    place = Place(b"", len(list(catalogue.bundles.reports())))
    verified = None if report.verified is None else verified_events(report)
    catalogue.bundles.put(place, report, verified=verified)


@pytest.fixture(name="catalogue")
def _catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    with closing(open_database(tmp_path / "state.sqlite")) as database:
        yield Catalogue(database)


def fill(catalogue: Catalogue, *bundles: Json | bytes) -> None:
    """Put bundles into a catalogue as a build does."""
    for number, bundle in enumerate(bundles):
        report = report_on(bundle, origin=f"{number}.json")
        put(catalogue, report)
        if report.verified is not None:
            unit = build_record(report, configuration=TEST_MIRROR, renderer=RENDERER)
            catalogue.add_record(unit)


def said(catalogue: Catalogue) -> list[object]:
    """Everything that the listings of a site ask for."""
    listings = catalogue.listings
    return [
        catalogue.record_count(),
        catalogue.newest(10),
        catalogue.newest_time(),
        [list(listings.groups(kind)) for kind in ListingKind],
        [
            list(listings.records(folder))
            for kind in ListingKind
            for folder, *_ in listings.groups(kind)
        ],
        list(listings.authors()),
        listings.author_prefixes(""),
        catalogue.check_counts(),
        list(catalogue.event_counts()),
        catalogue.primary_categories(),
        list(catalogue.aliases()),
        catalogue.bundles.counts(),
    ]


def test_order_of_loading_changes_no_listing(tmp_path: Path) -> None:
    """Listings, aliases and counts are the same in whatever order records are added."""
    found = []
    for number, papers in enumerate(permutations(PAPERS)):
        with closing(open_database(tmp_path / f"{number}.sqlite")) as database:
            catalogue = Catalogue(database)
            fill(catalogue, *(bundle_of(paper) for paper in papers))
            found.append(said(catalogue))
    assert all(listing == found[0] for listing in found)


def test_newest_records_come_first(catalogue: Catalogue) -> None:
    """The home page shows the records submitted last, at most as many as asked for."""
    fill(catalogue, *(bundle_of(paper) for paper in PAPERS))
    assert [record.suffix for record in catalogue.newest(2)] == [suffix_of(PAPER), suffix_of(OTHER)]


def test_years_and_categories_are_counted(catalogue: Catalogue) -> None:
    """Years come newest first, categories by name, cross-listed ones included."""
    fill(catalogue, *(bundle_of(paper) for paper in PAPERS))
    assert catalogue.listings.years() == ((2023, 1), (2012, 1), (1997, 1))
    assert catalogue.listings.categories() == (
        ("cs.AI", 1),
        ("cs.DC", 1),
        ("cs.LG", 1),
        ("gr-qc", 1),
        ("hep-th", 1),
        ("math.CO", 1),
    )


def test_listings_run_from_the_oldest(catalogue: Catalogue) -> None:
    """Inside a year and a category records come in the order of submission."""
    papers = [
        replace(PAPER, source_id=f"2305.0{n}", submitted_at=f"2023-05-0{n % 3 + 1}T00:00:00Z")
        for n in range(1000, 1006)
    ]
    fill(catalogue, *(bundle_of(paper) for paper in papers))
    expected = sorted(papers, key=lambda paper: (paper.submitted_at, suffix_of(paper)))
    for folder in ("browse/year/2023", "browse/month/2023-05", "browse/category/cs.LG"):
        found = [record.suffix for record in catalogue.listings.records(folder)]
        assert found == [suffix_of(paper) for paper in expected]
        assert catalogue.listings.count(folder) == len(papers)


def test_alias_may_name_several_records(catalogue: Catalogue) -> None:
    """Two versions of one paper share the id without version; each keeps its own with version."""
    papers = [replace(PAPER, version=version) for version in (1, 2)]
    fill(catalogue, *(bundle_of(paper) for paper in papers))
    rows = list(catalogue.aliases())
    shared = [row[3].suffix for row in rows if row[0] == "arxiv/2305.01234/index.html"]
    assert sorted(shared) == sorted(suffix_of(paper) for paper in papers)
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    versions = [row[2] for row in rows if row[1] == "arxiv_version"]
    assert versions == ["2305.01234v1", "2305.01234v2"]


def test_record_is_replaced_and_not_listed_twice(catalogue: Catalogue) -> None:
    """Adding a record again replaces what is listed of it."""
    fill(catalogue, bundle_of(), {**bundle_of(PAPER, None), "extra": 1})
    assert catalogue.record_count() == 1
    (record,) = catalogue.newest(10)
    assert record.verdict is Verdict.DISPUTED


def test_every_verdict_is_counted(catalogue: Catalogue) -> None:
    """Counts name each verdict, best first, zeros included; faulty is what needs a look."""
    assert catalogue.bundles.counts() == tuple(
        (verdict, 0)
        for verdict in (Verdict.VERIFIED, Verdict.PARTLY, Verdict.DISPUTED, Verdict.REJECTED)
    )
    carried = event_of(record_of(OTHER), "n", {})
    fill(catalogue, bundle_of(), bundle_of(OTHER, carried), bundle_of(OLD, None), b"{", b"[]")
    assert [count for _, count in catalogue.bundles.counts()] == [1, 1, 1, 2]
    assert catalogue.bundles.faulty_count() == 3
    assert catalogue.record_count() == 3


def test_report_lists_every_bundle_in_the_order_of_loading(catalogue: Catalogue) -> None:
    """report.json has a row a bundle, with digest, number and what did not verify."""
    fill(catalogue, bundle_of(OLD, None), b"{", bundle_of())
    fault = LoadError("x.zip", expected="a zip archive", found="none")
    put(catalogue, report_unreadable("x.zip", fault))
    rows = list(catalogue.bundles.reports())
    assert [row.origin for row in rows] == ["0.json", "1.json", "2.json", "x.zip"]
    assert [row.suffix for row in rows] == [suffix_of(OLD), "", suffix_of(PAPER), ""]
    assert [bool(row.digest) for row in rows] == [True, True, True, False]
    assert [[check.outcome for check in row.checks] for row in rows] == [
        [Outcome.FAILED],
        [Outcome.FAILED],
        [],
        [Outcome.FAILED],
    ]


def test_faulty_reports_end_with_the_rejected_ones(catalogue: Catalogue) -> None:
    """report.html is cut from this list and turned round: rejected bundles stand on top."""
    fill(catalogue, b"{", bundle_of(OLD, None), bundle_of(), b"[]")
    found = [(row.origin, row.verdict) for row in catalogue.bundles.shown_reports()]
    assert found == [
        ("1.json", Verdict.DISPUTED),
        ("3.json", Verdict.REJECTED),
        ("0.json", Verdict.REJECTED),
    ]


def test_rejected_record_is_unpublished_unless_another_bundle_has_it(catalogue: Catalogue) -> None:
    """A badge "not published" is drawn only for records that no bundle publishes."""
    rejected = [{**bundle_of(paper), "short_pith_number": "pith:AAAAAAAA"} for paper in PAPERS]
    fill(catalogue, *rejected, bundle_of(OTHER), b"{")
    assert list(catalogue.bundles.unpublished()) == sorted((suffix_of(PAPER), suffix_of(OLD)))


def test_newest_time_is_a_signed_one(catalogue: Catalogue) -> None:
    """The date of the site's manifest is the latest signed time; a carried event cannot move it."""
    future = {**event_of(record_of(PAPER), "note", {}), "created_at": "9999-01-01T00:00:00Z"}
    fill(catalogue, bundle_of(PAPER, future), bundle_of(OTHER))
    assert catalogue.newest_time() == "2026-05-18T02:28:13Z"
    late = signed(event_of(record_of(OLD), "note", {}), created_at=LATER)
    fill(catalogue, bundle_of(OLD, late))
    assert catalogue.newest_time() == LATER


def test_empty_catalogue_has_no_time(catalogue: Catalogue) -> None:
    """Without records there is no newest time to tell."""
    assert catalogue.newest_time() == ""
    assert catalogue.newest(5) == ()


def test_duplicates_are_kept_once_each(catalogue: Catalogue) -> None:
    """Bundles of one record are kept by their bytes, those with more verified events first."""
    more = signed(event_of(record_of(PAPER), "note", {}))
    whole, part = report_on(bundle_of(PAPER, more)), report_on(bundle_of())
    fill(catalogue, bundle_of())
    assert not catalogue.bundles.has_copies(suffix_of())
    for report in (part, whole, part, report_on(b"{")):
        keep(catalogue, report)
    assert catalogue.bundles.has_copies(suffix_of())
    assert list(catalogue.bundles.to_unite()) == [suffix_of()]
    assert whole.verified is not None
    assert part.verified is not None
    assert [raw.data for raw in catalogue.bundles.copies(suffix_of())] == [
        whole.verified.raw.data,
        part.verified.raw.data,
    ]


def test_copies_are_bounded_in_length(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of more copies than fit into the bound those with most verified events are kept."""
    more = [signed(event_of(record_of(PAPER), "note", {"n": n})) for n in range(3)]
    reports = [report_on(bundle_of(PAPER, *more[:count])) for count in range(4)]
    fill(catalogue, bundle_of())
    for report in reports:
        keep(catalogue, report)
    datas = [report.verified.raw.data for report in reports if report.verified][::-1]
    assert [raw.data for raw in catalogue.bundles.copies(suffix_of())] == datas
    for bound, kept in ((len(datas[0]) + len(datas[1]), 2), (1, 1)):
        limits = replace(DEFAULT_LIMITS, united_max_length=bound)
        monkeypatch.setattr("generator.bundle_index.DEFAULT_LIMITS", limits)
        assert [raw.data for raw in catalogue.bundles.copies(suffix_of())] == datas[:kept]


def test_hostile_values_are_bound_not_spliced(catalogue: Catalogue) -> None:
    """Quotes and SQL in an origin or a title are values and nothing else."""
    paper: Paper = replace(PAPER, title="x'); DROP TABLE records; --")
    report = report_on(bundle_of(paper), origin="'; DROP TABLE bundles; --.json")
    put(catalogue, report)
    unit = build_record(report, configuration=TEST_MIRROR, renderer=RENDERER)
    catalogue.add_record(unit)
    assert [row.origin for row in catalogue.bundles.reports()] == ["'; DROP TABLE bundles; --.json"]
    assert catalogue.newest(1)[0].title == "x'); DROP TABLE records; --"

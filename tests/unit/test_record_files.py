"""record_files.py: one record as a unit of work; what is served is what is spoken of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator import record_files
from generator.formats.checks import Outcome, Verdict
from generator.record_files import (
    build_record,
    check_raw_bundle,
    published_bundle,
    report_served,
)
from generator.render import Renderer
from generator.site_frame import prepare_resources, site_frame
from tests.factories import (
    ACCEPTING,
    TEMPLATES,
    TEST_MIRROR,
    raw,
    report_on,
    state_of,
    suffix_of,
)
from tests.vectors.builders import PAPER, Json, bundle_of, compact, event_of, record_of, signed

RENDERER = Renderer(
    [TEMPLATES], site_frame(TEST_MIRROR, prepare_resources([TEMPLATES], TEST_MIRROR))
)
NOTES = [signed(event_of(record_of(PAPER), "note", {}, target=f"t{n}")) for n in range(2)]


def paths(bundle: Json) -> set[str]:
    """Name the files that a record gives."""
    unit = build_record(report_on(bundle), configuration=TEST_MIRROR, renderer=RENDERER)
    return {file.path for file in unit.files}


def page_of(bundle: Json) -> bytes:
    """Give the page of a record."""
    unit = build_record(report_on(bundle), configuration=TEST_MIRROR, renderer=RENDERER)
    return next(file.data for file in unit.files if file.path.endswith("/index.html"))


def test_record_has_its_whole_set_of_files() -> None:
    """Page, bundle at both paths, state, resolver, events, badge, and the graph at both paths."""
    name = suffix_of()
    beside = ("index.html", "bundle.json", "state.json", "events.json", "badge.svg", "graph.json")
    machines = ("cite.bib", "cite.ris", "cite.csl.json", "linkset.json")
    assert paths(bundle_of()) == {
        *(f"pith/{name}/{file}" for file in (*beside, *machines)),
        f"pith/{name}.json",
        f".well-known/pith/{name}/bundle.json",
        f"api/pith-number/{name}/graph.json",
    }


def test_record_without_snapshot_has_no_graph() -> None:
    """Where the bundle has no snapshot, no graph is served."""
    bundle = bundle_of()
    bare = {**bundle, "events": bundle["events"][:1]}
    assert {path.rpartition("/")[2] for path in paths(bundle) - paths(bare)} == {"graph.json"}


def test_bytes_received_are_the_bytes_served() -> None:
    """Spacing, key order and final newline of the bundle survive."""
    data = b" " + compact(bundle_of()) + b" \n"
    unit = build_record(report_on(data), configuration=TEST_MIRROR, renderer=RENDERER)
    served = [file.data for file in unit.files if file.path.endswith("/bundle.json")]
    assert served == [data, data]


@pytest.mark.parametrize("likely", [0, 1_000_000])
def test_bundle_stands_in_the_page_where_it_has_room(
    likely: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page holds the bundle if it stays below its bound, whichever of the two is tried first."""
    monkeypatch.setattr(record_files, "_LIKELY_LENGTH", likely)
    monkeypatch.setattr(record_files, "_PAGE_LENGTH", 1_000_000)
    whole = page_of(bundle_of())
    found = []
    for more in (-6_000, -1_000, -1, 0, 1, 1_000):
        monkeypatch.setattr(record_files, "_PAGE_LENGTH", len(whole) + more)
        page = page_of(bundle_of())
        assert (page == whole) == (b'id="self-check-bundle"' in page)
        found.append(page == whole)
    assert found == [False, False, False, False, True, True]


def test_report_of_a_rejected_bundle_gives_no_files() -> None:
    """A rejected bundle is never rendered: asking for it is the caller's mistake."""
    report = report_on(b"{")
    with pytest.raises(ValueError, match="an admitted bundle"):
        build_record(report, configuration=TEST_MIRROR, renderer=RENDERER)
    with pytest.raises(ValueError, match="admitted bundles"):
        report_served([report_on(bundle_of()), report], TEST_MIRROR)
    with pytest.raises(ValueError, match="admitted bundles"):
        report_served([], TEST_MIRROR)


def test_every_check_includes_the_claimed_state() -> None:
    """V11 is made with the policy of the mirror, and only where a state is claimed."""
    bundle = bundle_of(PAPER, event_of(record_of(PAPER), "note", {}))
    claim = {**bundle, "state": {"valid_event_count": 3}}
    assert "V11" not in {check.step for check in check_raw_bundle(raw(bundle), TEST_MIRROR).checks}
    last = {
        m.policy.uncheckable: check_raw_bundle(raw(claim), m).checks[-1]
        for m in (TEST_MIRROR, ACCEPTING)
    }
    assert {policy.value: check.outcome for policy, check in last.items()} == {
        "carry": Outcome.NOT_CHECKABLE,
        "accept": Outcome.VERIFIED,
    }


def test_one_bundle_is_served_as_it_is() -> None:
    """A record in one file is that file."""
    report = report_on(bundle_of())
    assert report.verified is not None
    assert published_bundle([report]) is report.verified.raw
    assert report_served([report], TEST_MIRROR) is report


def test_report_of_the_union_speaks_of_the_union() -> None:
    """The checks of the served union are made on the union itself."""
    parts = [report_on(bundle_of(PAPER, note), origin=f"{n}.json") for n, note in enumerate(NOTES)]
    served = report_served(parts, TEST_MIRROR)
    assert served.verdict is Verdict.VERIFIED
    assert served.origin == "0.json + 1.json"
    assert sum(1 for check in served.checks if check.step == "V8") == 4


def test_newest_time_of_a_record_is_signed() -> None:
    """The newest time of a record is that of a signed event or of its receipt."""
    future = {**event_of(record_of(PAPER), "note", {}), "created_at": "9999-01-01T00:00:00Z"}
    unit = build_record(
        report_on(bundle_of(PAPER, future)), configuration=TEST_MIRROR, renderer=RENDERER
    )
    assert str(unit.newest) == "2026-05-18T02:28:13Z"
    assert unit.record == state_of(bundle_of()).record
    assert replace(unit, files=()).listed.suffix == suffix_of()

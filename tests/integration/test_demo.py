"""The example registry shows everything there is to show, and says on every page what it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from demo import papers
from demo.bundles import examples, failures
from demo.generate import HERE, differences
from demo.speakers import Desk
from generator.formats.block_headers import NO_BLOCK_HEADERS
from generator.formats.checks import Outcome, Reason, Verdict
from generator.formats.identifiers import is_arxiv_id
from generator.formats.kinds import KINDS
from generator.formats.payloads import (
    RELATIONS,
    REPLICATION_KINDS,
    REPLICATION_OUTCOMES,
    STRENGTHS,
)
from generator.formats.raw import RawBundle
from generator.merge import RecordState, merge_bundles
from generator.record_files import check_raw_bundle
from generator.standing import Standing
from generator.timestamps import check_timestamps
from generator.verify import BundleReport
from tests.factories import read_configuration, tree

MIRROR = read_configuration(HERE / "mirror.toml")
EXAMPLES = examples()
REPORTS = {e.name: check_raw_bundle(RawBundle(e.name, e.data), MIRROR) for e in EXAMPLES}


def state(*names: str) -> RecordState:
    """Merge what some files hold of one record."""
    verified = [REPORTS[f"{name}.json"].verified for name in names]
    return merge_bundles([found for found in verified if found], policy=MIRROR.policy)


STATES = [state(e.name[:-5]) for e in EXAMPLES if REPORTS[e.name].verified]


def reports_of(verdict: Verdict) -> list[BundleReport]:
    """The reports that end in a verdict."""
    return [report for report in REPORTS.values() if report.verdict is verdict]


def payload_values(kind: str, field: str) -> set[Any]:
    """The values of a field in the verified events of a kind."""
    return {
        event.event.payload[field]
        for found in STATES
        for event in found.events
        if event.event_type == kind and event.event and event.outcome is Outcome.VERIFIED
    }


def generate(folder: Path, **environment: str) -> None:
    """Write the bundles in a process of their own."""
    command = [sys.executable, str(HERE / "generate.py"), "--out", str(folder)]
    subprocess.run(
        command,
        cwd=folder.parent,
        env={**os.environ, **environment},
        capture_output=True,
        check=True,
    )


def test_bundles_are_the_same_wherever_they_are_made(tmp_path: Path) -> None:
    """Hash seed, time zone and locale change no byte of the example registry."""
    generate(tmp_path / "a", PYTHONHASHSEED="1", TZ="Asia/Tokyo", LC_ALL="C")
    assert tree(tmp_path / "a") == {example.name: example.data for example in EXAMPLES}


def test_kept_files_are_as_generated() -> None:
    """Configuration, headers and rotations beside the generator are what it makes."""
    assert differences() == []


def test_readme_lists_every_bundle() -> None:
    """The table of the demo's README has a row for each bundle, and no other."""
    lines = (HERE / "README.md").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| `")]
    assert rows == [f"| `{example.name}` | {example.shows} |" for example in EXAMPLES]


def test_no_example_can_be_taken_for_a_real_paper() -> None:
    """Every arXiv id has the form of one and a month that there is not."""
    ids = {state.record.source.id for state in STATES}
    ids |= {p.source_id for p in (papers.BAD_RECEIPT, papers.ALTERED, papers.OTHER_REGISTRY)}
    assert all(is_arxiv_id(name) for name in ids)
    assert {name.rpartition("/")[2][2:4] for name in ids} == {"13"}


def test_every_verdict_occurs() -> None:
    """Records are published, partly checkable, disputed and refused."""
    assert all(reports_of(verdict) for verdict in Verdict)
    assert len(EXAMPLES) > 30


def test_every_kind_occurs_and_counts() -> None:
    """Each kind of event, and one that is not known, is verified and counts somewhere."""
    found = {
        event.event_type
        for state in STATES
        for event in state.of_standing(Standing.COUNTS)
        if event.outcome is Outcome.VERIFIED
    }
    assert found >= set(KINDS)
    assert found - set(KINDS) == {"x.example.review"}


def test_every_standing_occurs() -> None:
    """Some event counts for each thing an event can count for."""
    assert {s for state in STATES for s in state.standings.values()} == set(Standing)


def test_every_reason_occurs() -> None:
    """Some event is not verified for each reason of the closed list."""
    found = {event.reason for state in STATES for event in state.events} - {None}
    assert found == set(Reason)


def test_failures_fail_for_the_reason_they_are_there_for() -> None:
    """Each event of the record of failures fails, for its own reason and no other."""
    report = REPORTS["04-failed-events.json"]
    assert report.verified is not None
    reasons = [event.reason for event in report.verified.events[2:]]
    expected = list(failures(Desk(papers.SPOILT)))
    assert [reason and reason.value for reason in reasons] == expected


@pytest.mark.parametrize(
    ("kind", "field", "words"),
    [
        ("citation", "relation", RELATIONS),
        ("replication", "kind", REPLICATION_KINDS),
        ("replication", "outcome", REPLICATION_OUTCOMES),
        ("author_claim", "strength", STRENGTHS),
        ("author_claim", "method", ("orcid", "key")),
    ],
)
def test_every_word_of_a_payload_occurs(kind: str, field: str, words: Iterable[str]) -> None:
    """Each relation, kind and outcome of a replication, strength and method occurs."""
    assert payload_values(kind, field) == set(words)


def test_every_severity_occurs() -> None:
    """Integrity findings of each severity are verified, and one is of an unknown key."""
    events = state("12-integrity-findings").events
    found = {e.integrity.severity for e in events if e.integrity and e.reason is None}
    assert found == {"critical", "advisory", "informational"}


def test_every_end_of_a_timestamp_occurs() -> None:
    """Timestamps are verified, failed, without header, pending and of a kind not checked."""
    ends = [check_timestamps(state, MIRROR.block_headers) for state in STATES]
    stamps = [stamp for row in ends for stamp in row]
    found = {check.finding.outcome for stamp in stamps for _, check in stamp.bitcoin}
    assert found == set(Outcome)
    assert any(stamp.pending for stamp in stamps)
    assert any(not stamp.pending and not stamp.bitcoin for stamp in stamps)


def test_timestamp_is_verified_by_the_header_alone() -> None:
    """Without the file of headers no timestamp of the example registry is verified."""
    ends = [check_timestamps(state, NO_BLOCK_HEADERS) for state in STATES]
    found = {c.finding.outcome for row in ends for stamp in row for _, c in stamp.bitcoin}
    assert found == {Outcome.NOT_CHECKABLE}


def test_rotated_key_is_trusted_through_the_file() -> None:
    """The registry's next key is pinned by the rotation, and the first one ends by it."""
    first, following = (MIRROR.trust.find(f"example-registry-2026{c}") for c in "ab")
    assert first is not None
    assert following is not None
    assert (following.rotated_from, str(first.valid_until)) == (
        first.key_id,
        "2026-09-01T00:00:00Z",
    )


@pytest.mark.xdist_group("demo_site")
def test_two_mirrors_bundles_are_united(demo_site: Path) -> None:
    """The record that two files share is shown with the events of both."""
    both = state("26-mirror-a", "26-mirror-b")
    path = demo_site / "pith" / both.pith_number.suffix / "state.json"
    shown = json.loads(path.read_bytes())
    assert shown["event_count"] == 4
    assert len(shown["current"]["citations"]) == len(shown["current"]["storage"]) == 1


@pytest.mark.xdist_group("demo_site")
def test_every_page_says_that_it_is_an_example(demo_site: Path) -> None:
    """Each HTML page and each badge says so; the site of real records does not."""
    pages = sorted(demo_site.rglob("*.html"))
    assert len(pages) > 60
    assert [p for p in pages if "Example registry." not in p.read_text(encoding="utf-8")] == []
    badges = sorted(demo_site.rglob("badge.svg"))
    assert [p for p in badges if "example" not in p.read_text(encoding="utf-8")] == []


@pytest.mark.xdist_group("built_site")
def test_site_of_real_records_says_nothing_of_examples(built_site: Path) -> None:
    """The mark of an example stands on no page of the repository's own site."""
    pages = sorted(built_site.rglob("*.html"))
    assert pages
    assert [p for p in pages if "Example registry." in p.read_text(encoding="utf-8")] == []


def test_badge_and_chips_tell_of_withdrawal_and_contradiction(demo_site: Path) -> None:
    """What speaks against a record stands on its badge and among its chips."""
    words = {"15-withdrawn-record.json": "withdrawn", "11-equivocation.json": "contradicted"}
    for name, word in words.items():
        number = REPORTS[name].pith_number
        assert number is not None
        folder = demo_site / "pith" / number.suffix
        assert f", {word}</title>" in (folder / "badge.svg").read_text(encoding="utf-8")
        page = (folder / "index.html").read_text(encoding="utf-8")
        assert f'class="alarm">{word}</li>' in page

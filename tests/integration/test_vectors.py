"""Every vector of tests/vectors gives exactly what was reasoned from the protocol."""

from __future__ import annotations

import subprocess
import sys

import pytest

from generator.formats.checks import Outcome, Verdict
from generator.formats.event import GRAPH_SNAPSHOT, INTEGRITY, RECORD_CREATED
from generator.formats.kinds import KINDS
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS
from generator.standing import Standing
from generator.verify import BundleReport, check_bundle
from tests.vectors import kinds
from tests.vectors.builders import bundle_of, compact
from tests.vectors.cases_large import GREATEST_COUNT, GREATEST_LENGTH, GREATEST_PROOF
from tests.vectors.reading import (
    BUNDLES,
    EXPECTED,
    EXPECTED_ROTATIONS,
    HERE,
    ROTATIONS,
    StoredVector,
    said,
    said_of_rotations,
    stored_rotations,
    stored_vectors,
)
from tests.vectors.reading import vector_trust as read_trust

VECTORS = stored_vectors()
ROTATION_VECTORS = stored_rotations()
TRUST = read_trust()


def check(data: bytes) -> BundleReport:
    """Check bytes under the vectors' trust."""
    return check_bundle(RawBundle("test", data), TRUST)


@pytest.mark.parametrize("vector", VECTORS, ids=[vector.name for vector in VECTORS])
def test_vector_gives_what_is_expected(vector: StoredVector) -> None:
    """Verdict, rows that do not verify, numbers of rows and events, standings are as expected."""
    found = said(check(vector.data), vector.expected)
    assert found == {key: vector.expected[key] for key in found}, vector.expected["why"]


@pytest.mark.parametrize("vector", ROTATION_VECTORS, ids=[v.name for v in ROTATION_VECTORS])
def test_rotations_give_the_keys_that_are_expected(vector: StoredVector) -> None:
    """A file of rotations is refused, or adds and ends exactly the keys that are expected."""
    found = said_of_rotations(vector.data, TRUST)
    assert found == {key: vector.expected[key] for key in found}, vector.expected["why"]


def test_every_file_has_an_expectation_and_every_expectation_a_file() -> None:
    """No vector runs without an expectation, and no expectation stands without its vector."""
    for folder, expected in ((BUNDLES, EXPECTED), (ROTATIONS, EXPECTED_ROTATIONS)):
        assert {path.name for path in folder.iterdir()} == {
            path.name for path in expected.iterdir()
        }


def test_folder_is_as_generated() -> None:
    """The files on disk are what the generator makes, byte for byte."""
    command = [sys.executable, str(HERE / "generate.py"), "--check"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout


@pytest.mark.parametrize("step", [f"V{number}" for number in range(1, 11)])
def test_every_step_has_vectors_that_fail_it(step: str) -> None:
    """There are at least three vectors for each step in which that step alone fails."""
    alone = [
        vector.name
        for vector in VECTORS
        if (rows := vector.expected["not_verified"]) and {row[0] for row in rows} == {step}
    ]
    assert len(alone) >= 3


def test_verdicts_are_all_covered() -> None:
    """Each of the four verdicts is expected of some vector."""
    assert {vector.expected["verdict"] for vector in VECTORS} == {v.value for v in Verdict}


def test_every_kind_has_its_vectors() -> None:
    """The program knows the kinds of the vectors and no other, each with its list in the state."""
    elsewhere = {RECORD_CREATED: "", GRAPH_SNAPSHOT: "graph_snapshots", INTEGRITY: "integrity"}
    expected = {**elsewhere, **{case.name: case.collection for case in kinds.KINDS}}
    assert {kind.name: kind.collection for kind in KINDS.values()} == expected


def test_standings_are_all_covered() -> None:
    """Each standing but "counts" is expected of some event."""
    expected = {row[0] for v in VECTORS for row in v.expected["not_counting"] or ()}
    assert expected == {standing.value for standing in Standing} - {Standing.COUNTS.value}


def test_bounds_of_the_vectors_are_those_of_the_program() -> None:
    """The large vectors stand at the bounds that the program has."""
    assert DEFAULT_LIMITS.bundle_max_length == GREATEST_LENGTH
    assert DEFAULT_LIMITS.events_max_count == GREATEST_COUNT
    assert DEFAULT_LIMITS.timestamp_proof_max_length == GREATEST_PROOF


def test_report_names_the_record_it_computed() -> None:
    """The Pith Number of a report is computed from the record, not the bundle's claim."""
    bundle = {**bundle_of(), "pith_number": "pith:1999:AAAAAAAAAAAAAAAAAAAAAAAAAA"}
    assert str(check(compact(bundle)).pith_number) == bundle_of()["pith_number"]


def test_rejected_bundle_is_not_a_verified_bundle() -> None:
    """No vector that is not published gives the value that a merge accepts."""
    published = {vector.name for vector in VECTORS if check(vector.data).verified is not None}
    expected = {v.name for v in VECTORS if v.expected["verdict"] != Verdict.REJECTED.value}
    assert published == expected


def test_rows_that_do_not_verify_say_what_was_expected_and_found() -> None:
    """Each row that does not verify says both, and not the same, of printable text on one line."""
    rows = [c for v in VECTORS for c in check(v.data).checks if c.outcome is not Outcome.VERIFIED]
    assert len(rows) > 1_000
    odd = [row for row in rows if not row.expected or not row.found or row.expected == row.found]
    assert odd == []
    texts = [text for row in rows for text in (row.subject, row.expected, row.found, row.note)]
    assert [text for text in texts if not text.isprintable() or len(text) > 600] == []


def test_published_hostile_vectors_are_records_of_their_own() -> None:
    """A site of all published hostile vectors shows each: no two are of one record."""
    reports = [check(v.data) for v in VECTORS if v.name.startswith("hostile-")]
    numbers = [report.pith_number for report in reports if report.verified is not None]
    assert len(numbers) == len(set(numbers)) > 50

"""Verdicts: what a bundle's checks amount to."""

from __future__ import annotations

import pytest

from generator.formats.checks import ADMISSION_STEPS, Check, Outcome, Verdict, verdict_of

ADMITTED = tuple(
    Check(f"V{number}", "name", "subject", Outcome.VERIFIED, "", "") for number in range(1, 8)
)


def row(step: str, outcome: Outcome) -> Check:
    """A row of a report."""
    return Check(step, "name", "subject", outcome, "expected", "found", "note")


def test_no_checks_are_a_rejection() -> None:
    """A report without a single check is never a pass."""
    assert verdict_of(()) is Verdict.REJECTED


@pytest.mark.parametrize("step", sorted(ADMISSION_STEPS))
def test_step_that_did_not_run_is_a_rejection(step: str) -> None:
    """A record is not published if one of V1 to V7 has no row at all."""
    without = tuple(check for check in ADMITTED if check.step != step)
    assert verdict_of(without) is Verdict.REJECTED


@pytest.mark.parametrize("step", sorted(ADMISSION_STEPS))
@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.NOT_CHECKABLE])
def test_step_that_does_not_verify_is_a_rejection(step: str, outcome: Outcome) -> None:
    """One row of V1 to V7 that does not verify rejects, beside others of its step that do."""
    assert verdict_of((*ADMITTED, row(step, outcome))) is Verdict.REJECTED


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ([], Verdict.VERIFIED),
        ([Outcome.VERIFIED], Verdict.VERIFIED),
        ([Outcome.NOT_CHECKABLE, Outcome.VERIFIED], Verdict.PARTLY),
        ([Outcome.NOT_CHECKABLE, Outcome.FAILED, Outcome.VERIFIED], Verdict.DISPUTED),
    ],
)
def test_weakest_outcome_decides(outcomes: list[Outcome], verdict: Verdict) -> None:
    """After admission the weakest outcome decides: failed, then not checkable, then verified."""
    assert verdict_of((*ADMITTED, *(row("V8", outcome) for outcome in outcomes))) is verdict


def test_outcomes_are_three_and_have_no_truth_value_of_their_own() -> None:
    """Verified, failed and not checkable are three words, spelled as the report spells them."""
    assert [outcome.value for outcome in Outcome] == ["verified", "failed", "not checkable"]


def test_row_as_json_has_every_field() -> None:
    """A row in report.json says step, name, subject, outcome, expected, found and note."""
    assert row("V8", Outcome.NOT_CHECKABLE).as_json() == {
        "step": "V8",
        "name": "name",
        "subject": "subject",
        "outcome": "not checkable",
        "expected": "expected",
        "found": "found",
        "note": "note",
    }

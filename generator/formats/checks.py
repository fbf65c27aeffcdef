"""What a check says: three outcomes, never two (protocol part 8)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from generator.formats.canonical import JsonObject


class Outcome(Enum):
    """The end of a check. An enum and not a boolean, so that nothing can be true by accident."""

    VERIFIED = "verified"
    FAILED = "failed"
    NOT_CHECKABLE = "not checkable"


class Verdict(Enum):
    """What a mirror does with a bundle, from all its checks."""

    VERIFIED = "verified"  # published, every check verified
    PARTLY = "partly checkable"  # published, nothing failed, but a check could not be made
    DISPUTED = "checks failed"  # published, but a check outside the admission rule failed
    REJECTED = "not published"  # content address, identifiers or receipt did not verify


@dataclass(frozen=True, slots=True)
class Check:
    """One row of a report.

    `step` is V1 to V11, `subject` is what was looked at, `note` says why where the values do not.
    """

    step: str
    name: str
    subject: str
    outcome: Outcome
    expected: str
    found: str
    note: str = ""

    def as_json(self) -> JsonObject:
        """Give the row as it stands in report.json and in `verify --json`."""
        return {
            "step": self.step,
            "name": self.name,
            "subject": self.subject,
            "outcome": self.outcome.value,
            "expected": self.expected,
            "found": self.found,
            "note": self.note,
        }


class Reason(Enum):
    """Why an event is not verified: the closed list of `docs/formats/verification.md`.

    The state holds this word and none of our prose, so that mirrors of other versions agree on it.
    """

    MALFORMED = "malformed"
    OTHER_RECORD = "another record"
    TARGET = "wrong target"
    ROLE = "wrong role"
    SIGNER = "wrong signer"
    EVENT_ID = "wrong event id"
    SIGNATURE = "wrong signature"
    WINDOW = "outside window"
    DIGEST = "wrong digest"
    RECORD = "wrong record"
    RECEIPT = "wrong receipt"
    PAYLOAD = "wrong payload"
    UNSIGNED = "unsigned"  # not checkable, as the two that follow
    UNKNOWN_KEY = "unknown key"
    UNKNOWN_RULE = "unknown rule"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule found; a check may be made of several rules.

    Of an event that is not verified, `reason` is the word for it.
    """

    outcome: Outcome
    expected: str
    found: str
    note: str = ""
    reason: Reason | None = None


def check_from_json(row: dict[str, str]) -> Check:
    """Read back what `Check.as_json` gave.

    Args:
        row: its seven fields.

    Returns:
        The check.
    """
    return Check(
        step=row["step"],
        name=row["name"],
        subject=row["subject"],
        outcome=Outcome(row["outcome"]),
        expected=row["expected"],
        found=row["found"],
        note=row["note"],
    )


ADMISSION_STEPS = frozenset(f"V{number}" for number in range(1, 8))


def verdict_of(checks: tuple[Check, ...]) -> Verdict:
    """Draw the verdict from all checks of a bundle (record admission, protocol part 8).

    Args:
        checks: in the order of the steps; an empty tuple is a rejection, never a pass.

    Returns:
        Rejected unless V1 to V7 all ran and verified; then the weakest outcome of the rest decides.
    """
    admission = [check for check in checks if check.step in ADMISSION_STEPS]
    steps = {check.step for check in admission}
    if steps != ADMISSION_STEPS or any(c.outcome is not Outcome.VERIFIED for c in admission):
        return Verdict.REJECTED
    outcomes = {check.outcome for check in checks}
    if Outcome.FAILED in outcomes:
        return Verdict.DISPUTED
    return Verdict.PARTLY if Outcome.NOT_CHECKABLE in outcomes else Verdict.VERIFIED

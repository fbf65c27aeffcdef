"""Taking a whole step out of the verification is noticed by a vector (more: mutate_checks.py)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from generator import verify, verify_creation, verify_events, verify_snapshots
from generator.errors import FormatError
from generator.formats import record
from generator.formats.canonical import JsonObject, JsonValue
from generator.formats.checks import Check, Outcome
from generator.formats.raw import RawBundle
from tests.vectors.reading import StoredVector, stored_vectors, vector_trust

SCRIPT = Path(__file__).resolve().parent / "mutate_checks.py"
TRUST = vector_trust()
VECTORS = stored_vectors()


def without_strict_json(patch: pytest.MonkeyPatch) -> None:
    """Parse as the standard library does when asked for nothing."""

    def parse(data: bytes, **_: object) -> JsonObject:
        try:
            value: JsonValue = json.loads(data.decode("utf-8-sig", "replace"), strict=False)
        except ValueError as error:
            raise FormatError("bundle", expected="JSON", found="none") from error
        if not isinstance(value, dict):
            raise FormatError("bundle", expected="an object", found="none")
        return value

    patch.setattr(verify, "parse_json_object", parse)


def without_type(patch: pytest.MonkeyPatch) -> None:
    """Take any object for a bundle of this version."""
    patch.setattr(verify, "_require_type", lambda _: None)


def without_spelling(patch: pytest.MonkeyPatch) -> None:
    """Take any text for a licence or a category, and any further field."""
    patch.setattr(record, "_refuse_unknown", lambda *_: None)
    patch.setattr(record, "_category", lambda text, _: text)
    patch.setattr(record, "_license", lambda metadata: metadata.text("license"))


def always_verified(step: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Let every row of a step end verified."""

    def forged(made_step: str, name: str, subject: str, outcome: Outcome, *texts: str) -> Check:
        outcome = Outcome.VERIFIED if made_step == step else outcome
        return Check(made_step, name, subject, outcome, *texts)

    def remove(patch: pytest.MonkeyPatch) -> None:
        for module in (verify, verify_creation, verify_events, verify_snapshots):
            patch.setattr(module, "Check", forged)

    return remove


REMOVALS = {
    "V1": without_strict_json,
    "V2": without_type,
    "V3": without_spelling,
    **{f"V{number}": always_verified(f"V{number}") for number in range(4, 11)},
}


def only_this_step_fails(vector: StoredVector, step: str) -> bool:
    """Tell whether a vector has rows of one step that do not verify, and of no other."""
    return {row[0] for row in vector.expected["not_verified"]} == {step}


def verdict_of(vector: StoredVector) -> str | None:
    """Give the verdict of a vector, or None if the program broke on it."""
    try:
        return verify.check_bundle(RawBundle("test", vector.data), TRUST).verdict.value
    except Exception:  # noqa: BLE001 - without a step, what comes after it may meet anything
        return None


@pytest.mark.parametrize("step", REMOVALS)
def test_removed_step_is_noticed(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the step, at least three vectors that it alone holds back get a better verdict."""
    REMOVALS[step](monkeypatch)
    vectors = [vector for vector in VECTORS if only_this_step_fails(vector, step)]
    freed = [vector.name for vector in vectors if verdict_of(vector) == "verified"]
    assert len(freed) >= 3


def test_mutation_script_notices_mutants_of_a_check() -> None:
    """The script that takes out single decisions runs, and a vector notices each of a check."""
    command = [sys.executable, str(SCRIPT), "verify_snapshots title_is_bound"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.stdout == "2 mutants, 2 noticed, 0 allowed with a reason, 0 survived\n"
    assert finished.returncode == 0


def test_mutation_script_fails_on_a_survivor() -> None:
    """A mutant that no vector notices fails the script: here, one of a message's words."""
    command = [sys.executable, str(SCRIPT), "--no-allowed", "formats.fields Fields.at"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.stdout.endswith("2 mutants, 0 noticed, 0 allowed with a reason, 2 survived\n")
    assert finished.returncode == 1

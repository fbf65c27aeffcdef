"""The merge in the browser gives the state that Python gives, byte for byte."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generator.browser_trust import browser_trust
from generator.check_script import PARTS
from generator.config import Configuration
from generator.formats.canonical import compact_json
from generator.formats.raw import RawBundle
from generator.merge import merge_bundles
from generator.record_files import check_raw_bundle, report_served
from generator.standing import MergePolicy, UncheckableEvents
from generator.state import state_json
from generator.verify import BundleReport
from tests.browser.scripts_page import VERIFIER_SCRIPTS, ScriptsPage, verifier
from tests.factories import ACCEPT, CARRY, REAL_MIRROR, ROOT, TEST_MIRROR, read_configuration
from tests.vectors.reading import StoredVector, stored_vectors

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_merge")]

# What a page says of a bundle: its merged state as text, and the row of V11.
_STATE_AND_CLAIM = """
async (bytes, trust) => {
    const report = await PithMirror.checkAll(bytes, trust);
    const claim = report.checks.filter((row) => row.step === "V11");
    return [report.merged === null ? null : report.merged.text, claim, report.verdict];
}
"""
# What a page would serve of several bundles: the bytes as text, and the state merged from them.
_SERVED = """
async (bytes, trust) => {
    const texts = JSON.parse(new TextDecoder().decode(bytes));
    const bytesOf = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const parts = [];
    for (const [index, text] of texts.entries()) {
        const data = bytesOf(text);
        const report = await PithMirror.checkAll(data, trust);
        parts.push({ name: `part-${index}`, bytes: data, report });
    }
    const served = await PithMirror.servedPart(parts, trust);
    return [new TextDecoder().decode(served.bytes), served.report.merged.text];
}
"""


__all__ = ["verifier"]  # a fixture of all tests here


def under(configuration: Configuration, policy: MergePolicy) -> Configuration:
    """Give a configuration another policy."""
    return replace(configuration, policy=policy)


def said_by_python(data: bytes, configuration: Configuration) -> list[Any]:
    """Give what Python says of a bundle, in the form of `_STATE_AND_CLAIM`."""
    report = check_raw_bundle(RawBundle("test", data), configuration)
    claim = [check.as_json() for check in report.checks if check.step == "V11"]
    if report.verified is None:
        return [None, claim, report.verdict.value]
    state = state_json(merge_bundles([report.verified], policy=configuration.policy))
    return [compact_json(state).decode("ascii"), claim, report.verdict.value]


def differing(
    page: ScriptsPage, bundles: Iterable[bytes], configuration: Configuration
) -> list[int]:
    """Compare page and Python on bundles; give the places of those on which they differ."""
    items = list(bundles)
    trust = browser_trust(configuration)
    found = page.each(_STATE_AND_CLAIM, items, trust)
    expected = [said_by_python(data, configuration) for data in items]
    pairs = enumerate(zip(found, expected, strict=True))
    return [index for index, (here, there) in pairs if here != there]


def policy_of(vector: StoredVector) -> MergePolicy:
    """Read the policy that a vector's expectation names."""
    table = vector.expected.get("policy", {})
    thresholds = tuple(table.get("thresholds", {}).items())
    return MergePolicy(UncheckableEvents(table.get("uncheckable_events", "carry")), thresholds)


def test_joined_script_has_every_part() -> None:
    """What pages load is what these tests load, in the same order, and the view beside it."""
    assert list(PARTS) == [*VERIFIER_SCRIPTS, "verify-view.js"]


@pytest.mark.parametrize("policy", [CARRY, ACCEPT], ids=["carry", "accept"])
def test_state_of_every_vector_is_pythons(verifier: ScriptsPage, policy: MergePolicy) -> None:
    """For each vector the browser gives Python's state.json, or none, verdict and row of V11."""
    vectors = [vector for vector in stored_vectors() if policy_of(vector) == CARRY]
    # The large ones take seconds each; what they hold does not depend on this policy.
    chosen = [v for v in vectors if policy == CARRY or len(v.data) < 1_000_000]
    assert len(chosen) > 1_000
    wrong = differing(verifier, (v.data for v in chosen), under(TEST_MIRROR, policy))
    assert [chosen[index].name for index in wrong] == []


def test_state_under_other_policies_is_pythons(verifier: ScriptsPage) -> None:
    """The same for the vectors whose expectation names thresholds or accepts unchecked events."""
    groups: dict[MergePolicy, list[StoredVector]] = {}
    for vector in stored_vectors():
        groups.setdefault(policy_of(vector), []).append(vector)
    del groups[CARRY]
    assert len(groups) > 3
    for policy, vectors in groups.items():
        wrong = differing(verifier, (v.data for v in vectors), under(TEST_MIRROR, policy))
        assert [vectors[index].name for index in wrong] == []


def test_state_of_every_real_record_is_pythons(verifier: ScriptsPage) -> None:
    """For each real bundle the browser gives Python's state.json and verdict."""
    paths = sorted((ROOT / "bundles").glob("*.json"))
    assert len(paths) >= 16
    wrong = differing(verifier, (path.read_bytes() for path in paths), REAL_MIRROR)
    assert [paths[index].name for index in wrong] == []


def test_state_of_every_example_is_pythons(verifier: ScriptsPage, tmp_path: Path) -> None:
    """For each bundle of the example registry, under its rotations, the states are the same."""
    command = [sys.executable, str(ROOT / "demo" / "generate.py"), "--out", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    paths = sorted(tmp_path.rglob("*.json"))
    assert len(paths) > 10
    configuration = read_configuration(ROOT / "demo" / "mirror.toml")
    wrong = differing(verifier, (path.read_bytes() for path in paths), configuration)
    assert [paths[index].name for index in wrong] == []


def admitted_reports() -> dict[str, list[BundleReport]]:
    """Check the small vectors and group those that are admitted by record."""
    groups: dict[str, list[BundleReport]] = {}
    for vector in stored_vectors():
        report = check_raw_bundle(RawBundle("part", vector.data), TEST_MIRROR)
        if report.verified is not None and len(vector.data) < 50_000:
            groups.setdefault(str(report.pith_number), []).append(report)
    return {number: reports for number, reports in groups.items() if len(reports) > 1}


def test_union_of_several_bundles_is_pythons(verifier: ScriptsPage) -> None:
    """Of two to four bundles of one record the browser serves the bytes that a build serves."""
    draw = random.Random(4)  # noqa: S311 - which bundles, not a secret
    groups = list(admitted_reports().values())
    chosen = [draw.sample(draw.choice(groups), k=2) for _ in range(60)]
    largest = max(groups, key=len)
    chosen += [draw.sample(largest, k=draw.choice((2, 3, 4))) for _ in range(120)]
    found = verifier.each(_SERVED, map(_as_texts, chosen), browser_trust(TEST_MIRROR))
    spelled_anew = 0
    for reports, (served, state) in zip(chosen, found, strict=True):
        expected = report_served(reports, TEST_MIRROR).verified
        assert expected is not None
        assert served == expected.raw.data.decode()
        merged = state_json(merge_bundles([expected], policy=TEST_MIRROR.policy))
        assert state == compact_json(merged).decode("ascii")
        spelled_anew += expected.raw not in [r.verified.raw for r in reports if r.verified]
    assert 20 < spelled_anew < len(chosen)


def _as_texts(reports: list[BundleReport]) -> bytes:
    data = [report.verified.raw.data for report in reports if report.verified is not None]
    return json.dumps([b64encode(item).decode("ascii") for item in data]).encode()

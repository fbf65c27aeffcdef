"""The independent checker agrees with the program, and finds damage to a site.

`checker/pith_check.py` was written from docs/formats/ alone. Where the two differ, one of the
documents, the checker and the program is wrong.
"""

from __future__ import annotations

import ast
import hashlib
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from checker import pith_check
from generator.formats.canonical import compact_json
from generator.formats.ed25519 import SMALL_ORDER, SMALL_ORDER_OTHERWISE
from generator.formats.raw import RawBundle
from generator.merge import merge_bundles
from generator.record_files import check_raw_bundle
from generator.standing import MergePolicy, UncheckableEvents
from generator.state import state_json
from tests.factories import TEST_MIRROR
from tests.vectors.reading import CONFIGURATION, stored_rotations, stored_vectors

ROOT = Path(__file__).resolve().parents[2]
CHECKER = ROOT / "checker" / "pith_check.py"
DEMO = ROOT / "demo"
Json = Any

pytestmark = pytest.mark.xdist_group("checker")


def run(*arguments: str | Path) -> int:
    """Run the checker in this process."""
    return pith_check.main([str(argument) for argument in arguments])


def test_checker_stands_alone() -> None:
    """One file that needs the standard library and `cryptography`, and nothing of this project."""
    tree = ast.parse(CHECKER.read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [a.name for a in node.names]
        )
    }
    assert imported - sys.stdlib_module_names == {"cryptography"}


def test_checker_runs_anywhere(demo_site: Path, tmp_path: Path) -> None:
    """Copied away and run in isolation it still checks a site, a line a record and a summary."""
    alone = shutil.copy(CHECKER, tmp_path)
    command = [sys.executable, "-I", alone, "--config", str(DEMO / "mirror.toml"), str(demo_site)]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout
    *lines, summary = finished.stdout.splitlines()
    assert all(line.startswith("ok    pith:") for line in lines)
    assert summary == f"{len(lines)} records, 0 of them wrong; 0 files not as listed"


def test_agrees_on_the_sample_bundles(built_site: Path) -> None:
    """Every record of the repository's own bundles, under the registry's real key."""
    assert run("--config", ROOT / "mirror.toml", built_site) == 0


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["carry", "accept"])
def test_agrees_on_a_site_of_the_vectors(policy: str, vector_site: Callable[[str], Path]) -> None:
    """Every published record of the vectors, hostile ones and unions too, under both policies."""
    site = vector_site(policy)
    assert run("--config", site.parent / "mirror.toml", site) == 0


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["carry", "accept"])
def test_agrees_on_each_vector(policy: str, tmp_path: Path) -> None:
    """Every row, every verdict and every byte of the state, vector by vector."""
    uncheckable = UncheckableEvents(policy)
    configuration = replace(TEST_MIRROR, policy=MergePolicy(uncheckable))
    second = pith_check.load_configuration(configuration_of(policy, tmp_path))
    disagreements = []
    for vector in stored_vectors():
        report = check_raw_bundle(RawBundle("test", vector.data), configuration)
        found = pith_check.check_bundle(vector.data, second)
        rows = [(check.step, check.outcome.value) for check in report.checks]
        same = [(row.step, row.outcome) for row in found.rows] == rows
        if report.verified is not None:
            state = merge_bundles([report.verified], policy=configuration.policy)
            same &= pith_check.compact(found.state) == compact_json(state_json(state))
        if not same or found.verdict != report.verdict.value:
            disagreements.append(vector.name)
    assert disagreements == []


def test_comes_to_what_the_vectors_expect(tmp_path: Path) -> None:
    """The checker alone gives rows, reasons, standings and lists as reasoned from the protocol."""
    keys = pith_check.load_configuration(configuration_of("carry", tmp_path))
    wrong = []
    for vector in stored_vectors():
        policy = vector.expected.get("policy", {})
        accept = policy.get("uncheckable_events") == "accept"
        configuration = replace(keys, accept=accept, thresholds=policy.get("thresholds", {}))
        found = said(pith_check.check_bundle(vector.data, configuration))
        if found != {name: vector.expected.get(name, found[name]) for name in found}:
            wrong.append(vector.name)
    assert wrong == []


def said(report: pith_check.Report) -> dict[str, Json]:
    """Put what the checker says into the form of an expectation of the vectors."""
    not_verified = []
    for row in report.rows:
        if row.outcome != pith_check.VERIFIED:
            event = [] if row.event is None else [f"events[{row.event}]"]
            judged = report.events[row.event or 0] if row.step == "V8" else None
            reason = [judged.reason] if judged else []
            not_verified.append([row.step, row.name, row.outcome, *event, *reason])
    found = {
        "verdict": report.verdict,
        "not_verified": not_verified,
        "rows": dict(Counter(row.step for row in report.rows)),
        "distinct_events": None,
        "not_counting": None,
        "equivocations": None,
    }
    if report.state is None:
        return found
    lists = {name: len(items) for name, items in report.state["current"].items() if items}
    standings = [report.standings[event.identity] for event in report.events]
    return found | {
        "distinct_events": len(report.merged),
        "not_counting": [
            [standing, f"events[{index}]"]
            for index, standing in enumerate(standings)
            if standing != pith_check.COUNTS
        ],
        "equivocations": report.state["equivocation_count"],
        "current": {name: lists[name] for name in pith_check.LISTS if name in lists},
    }


def test_comes_to_what_the_rotations_expect(tmp_path: Path) -> None:
    """The same files of rotations are refused, and the others give the same keys."""
    wrong = []
    for vector in stored_rotations():
        keys = dict(pith_check.load_configuration(configuration_of("carry", tmp_path)).keys)
        before = dict(keys)
        try:
            after = pith_check.rotated(keys, pith_check.read_json(vector.data))
            changed = {name for name, key in after.items() if before.get(name) != key}
            found: Json = sorted(changed)
        except pith_check.Malformed:
            found = None
        rows = vector.expected["keys"]
        if found != (None if rows is None else sorted(row["key_id"] for row in rows)):
            wrong.append(vector.name)
    assert wrong == []


def configuration_of(policy: str, folder: Path) -> Path:
    """Write the vectors' configuration with a policy."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    path = folder / "mirror.toml"
    text = text.replace("[build]\n", f'[build]\nuncheckable_events = "{policy}"\n')
    path.write_text(text, encoding="utf-8")
    return path


# What follows damages a site by hand, each time so that manifest.json agrees with the damage.


def edit(path: Path, change: Callable[[Json], Json]) -> None:
    """Read a JSON file, change it, and spell it as the mirror does."""
    value = json.loads(path.read_bytes())
    path.write_bytes(pith_check.compact(change(value) or value))


def restate(path: Path, change: Callable[[Json], object]) -> None:
    """Change a state and make its digest right again."""
    state = json.loads(path.read_bytes())
    change(state)
    state.pop("state_sha256")
    path.write_bytes(pith_check.compact({**state, "state_sha256": pith_check.sha256(state)}))


def rebundle(site: Path, suffix: str, change: Callable[[Json], object]) -> None:
    """Change a bundle in both of its places."""
    path = site / "pith" / suffix / "bundle.json"
    bundle = json.loads(path.read_bytes())
    change(bundle)
    path.write_bytes(pith_check.compact(bundle))
    shutil.copy(path, site / ".well-known/pith" / suffix / "bundle.json")


def swap(first: Path, second: Path) -> None:
    """Let two files change places."""
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)


def swap_bundles(site: Path, first: str, second: str) -> None:
    """Let the bundles of two records change places, in both of them."""
    for top in (site / "pith", site / ".well-known/pith"):
        swap(top / first / "bundle.json", top / second / "bundle.json")


def flipped(text: str) -> str:
    """Change one bit of base64."""
    return ("B" if text[0] == "A" else "A") + text[1:]


def remanifest(site: Path) -> None:
    """Make manifest.json list the files as they are now."""
    path = site / "manifest.json"
    manifest = json.loads(path.read_bytes())
    kept = []
    for entry in manifest["files"]:
        file = site / entry["path"]
        if file.is_file():
            data = file.read_bytes()
            entry |= {"sha256": hashlib.sha256(data).hexdigest(), "length": len(data)}
            kept.append(entry)
    path.write_text(json.dumps({**manifest, "files": kept}), encoding="utf-8")


def count_of(state: Json) -> None:
    """Say that one event more is valid."""
    state["valid_event_count"] += 1


def drop_citations(state: Json) -> None:
    """Leave the citations out."""
    state["current"]["citations"] = []


def unsay_failure(state: Json) -> None:
    """Leave the rejected events out."""
    state["rejected_events"], state["invalid_event_count"] = [], 0


def win(state: Json) -> None:
    """Let both sides of a contradiction count."""
    for entries in state["current"].values():
        for entry in entries:
            if isinstance(entry, dict) and entry.get("standing") == "contradicted":
                entry["standing"] = "counts"


def first_signed(bundle: Json) -> Json:
    """Give the first signed event of a bundle."""
    return next(event for event in bundle["events"] if "signature_b64" in event)


def break_signature(bundle: Json) -> None:
    """Flip a bit in the signature of an event."""
    event = first_signed(bundle)
    event["signature_b64"] = flipped(event["signature_b64"])


def break_receipt(bundle: Json) -> None:
    """Flip a bit in the signature of the receipt."""
    receipt = bundle["events"][0]["payload"]["receipt"]
    receipt["signature_b64"] = flipped(receipt["signature_b64"])


def change_licence(bundle: Json) -> None:
    """Change the record itself."""
    bundle["canonical_record"]["metadata"]["license"] = "http://example.org/other/"


def change_payload(bundle: Json) -> None:
    """Put other words into a signed event."""
    first_signed(bundle)["payload"]["note"] = "other words"


def site_of(site: Path, name: str) -> str:
    """Find the record of one of the example bundles."""
    bundle = json.loads((site.parent / "bundles" / f"{name}.json").read_bytes())
    return str(bundle["pith_number"])[-26:]


Damage = Callable[[Path, str, str], object]
COMPLETE, FAILING = "01-complete", "04-failed-events"
DAMAGES: dict[str, tuple[str, Damage]] = {
    "a count in the state": (
        COMPLETE,
        lambda site, a, b: restate(site / f"pith/{a}/state.json", count_of),
    ),
    "citations left out of the state": (
        COMPLETE,
        lambda site, a, b: restate(site / f"pith/{a}/state.json", drop_citations),
    ),
    "failures left out of the state": (
        FAILING,
        lambda site, a, b: restate(site / f"pith/{a}/state.json", unsay_failure),
    ),
    "a contradiction resolved in the state": (
        "11-equivocation",
        lambda site, a, b: restate(site / f"pith/{a}/state.json", win),
    ),
    "the state spelled otherwise": (
        COMPLETE,
        lambda site, a, b: edit(site / f"pith/{a}/state.json", pith_check.sorted_keys),
    ),
    "a bit of the state": (
        COMPLETE,
        lambda site, a, b: (site / f"pith/{a}/state.json").write_bytes(
            (site / f"pith/{a}/state.json").read_bytes().replace(b'"sha256:1', b'"sha256:0', 1)
            + b"\n"
        ),
    ),
    "states of two records swapped": (
        COMPLETE,
        lambda site, a, b: swap(site / f"pith/{a}/state.json", site / f"pith/{b}/state.json"),
    ),
    "bundles of two records swapped": (COMPLETE, swap_bundles),
    "an event dropped from the bundle": (
        COMPLETE,
        lambda site, a, b: rebundle(site, a, lambda bundle: bundle["events"].pop()),
    ),
    "an event added to the bundle": (
        COMPLETE,
        lambda site, a, b: rebundle(
            site, a, lambda bundle: bundle["events"].append({"event_type": "citation"})
        ),
    ),
    "a bit of an event's signature": (
        COMPLETE,
        lambda site, a, b: rebundle(site, a, break_signature),
    ),
    "words of a signed event": (
        COMPLETE,
        lambda site, a, b: rebundle(site, a, change_payload),
    ),
    "a bit of the receipt": (
        COMPLETE,
        lambda site, a, b: rebundle(site, a, break_receipt),
    ),
    "a field of the record": (
        COMPLETE,
        lambda site, a, b: rebundle(site, a, change_licence),
    ),
    "another second copy of the bundle": (
        COMPLETE,
        lambda site, a, b: edit(site / f".well-known/pith/{a}/bundle.json", pith_check.sorted_keys),
    ),
    "a failure called verified in events.json": (
        FAILING,
        lambda site, a, b: edit(
            site / f"pith/{a}/events.json",
            lambda document: (
                [row.update(outcome="verified") for row in document["events"]] and None
            ),
        ),
    ),
    "the record in the resolver record": (
        COMPLETE,
        lambda site, a, b: edit(
            site / f"pith/{a}.json",
            lambda value: value["canonical_record"]["source"].update(version=7),
        ),
    ),
    "the verdict in the resolver record": (
        FAILING,
        lambda site, a, b: edit(
            site / f"pith/{a}.json", lambda value: value["mirror"].update(verdict="verified")
        ),
    ),
    "a timestamp that no header proves": (
        "18-timestamp-pending",
        lambda site, a, b: edit(
            site / f"pith/{a}.json",
            lambda value: value["verification_status"].update(externally_anchored=True),
        ),
    ),
    "another title": (
        COMPLETE,
        lambda site, a, b: edit(
            site / f"pith/{a}.json", lambda value: value["paper"].update(title="Another title")
        ),
    ),
    "a state that is missing": (
        COMPLETE,
        lambda site, a, b: (site / f"pith/{a}/state.json").unlink(),
    ),
    "a bundle that is missing": (
        COMPLETE,
        lambda site, a, b: (site / f"pith/{a}/bundle.json").unlink(),
    ),
    "a record that must not be published": (
        COMPLETE,
        lambda site, a, b: shutil.copy(
            site.parent / "bundles/09-unknown-key.json", site / f"pith/{a}/bundle.json"
        ),
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_finds_damage(
    name: str, demo_site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each damage is found in the record it was done to, although manifest.json was made to fit."""
    bundle, damage = DAMAGES[name]
    site = tmp_path / "site"
    shutil.copytree(demo_site, site)
    (tmp_path / "bundles").symlink_to(demo_site.parent / "bundles")
    first, second = site_of(site, bundle), site_of(site, "13-superseded-snapshots")
    damage(site, first, second)
    remanifest(site)
    assert run("--quiet", "--config", DEMO / "mirror.toml", site) == 1
    wrong = [line for line in capsys.readouterr().out.splitlines() if line.startswith("WRONG")]
    assert wrong
    assert any(first in line for line in wrong)
    assert len(wrong) == (2 if "swapped" in name else 1)


def test_finds_files_that_are_not_as_listed(
    demo_site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that was changed, and one that is gone, are named even if no record speaks of them."""
    site = tmp_path / "site"
    shutil.copytree(demo_site, site)
    (site / "index.html").write_bytes(b"changed")
    (site / "404.html").unlink()
    assert run("--quiet", "--config", DEMO / "mirror.toml", site) == 1
    assert capsys.readouterr().out.splitlines() == [
        "WRONG 404.html: missing",
        "WRONG index.html: not the bytes that manifest.json lists",
        "30 records, 0 of them wrong; 2 files not as listed",
    ]


def test_other_keys_trust_nothing_of_a_site(
    demo_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under keys that did not sign the receipts no record of a site may be published."""
    assert run("--config", CONFIGURATION, demo_site) == 1
    assert "30 records, 30 of them wrong" in capsys.readouterr().out


def test_prints_the_state_of_a_bundle(
    demo_site: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """`--state` gives the bytes of state.json and nothing else."""
    bundle = demo_site.parent / "bundles" / f"{COMPLETE}.json"
    assert run("--state", "--config", DEMO / "mirror.toml", bundle) == 0
    suffix = site_of(demo_site, COMPLETE)
    assert capfdbinary.readouterr().out == (demo_site / f"pith/{suffix}/state.json").read_bytes()


def test_exit_codes_of_bundles(demo_site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bundle that is rejected, or in which a check failed, ends with 1 and says which check."""
    bundles = demo_site.parent / "bundles"
    config = DEMO / "mirror.toml"
    assert run("--config", config, bundles / f"{COMPLETE}.json") == 0
    assert run("--config", config, "--rows", bundles / f"{FAILING}.json") == 1
    assert "(wrong signature)" in capsys.readouterr().out
    assert run("--config", config, bundles / "10-cut-file.json") == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[[trusted_keys]]",
        "not toml",
        'uncheckable_events = "perhaps"',
        "[thresholds]\nendorsement = 2",
        '[trust]\nrotations = "missing.json"',
    ],
)
def test_wrong_configuration_ends_with_2(text: str, demo_site: Path, tmp_path: Path) -> None:
    """Nothing is checked under a configuration that cannot be read."""
    path = tmp_path / "mirror.toml"
    keys = "" if text in {"", "[[trusted_keys]]"} else CONFIGURATION.read_text(encoding="utf-8")
    path.write_text(f"{keys}\n{text}\n", encoding="utf-8")
    assert run("--config", path, demo_site) == 2


def test_a_folder_that_is_no_site_ends_with_2(tmp_path: Path) -> None:
    """A wrong path is not a site in which nothing is wrong."""
    assert run("--config", CONFIGURATION, tmp_path) == 2


def test_keys_of_small_order_are_refused() -> None:
    """A configuration cannot pin what anyone could sign for, in any spelling."""
    assert not any(map(pith_check.is_key, SMALL_ORDER | SMALL_ORDER_OTHERWISE))
    keys = TEST_MIRROR.trust.by_id.values()
    assert all(pith_check.is_key(key.public_key) for key in keys)


@pytest.mark.parametrize(
    ("digest", "empty", "words"),
    [
        (
            pith_check.ripemd160,
            "9c1185a5c5e9fc54612808977ee8f548b2258d31",
            "37f332f68db77bd9d7edd4969571ad671cf9dd3b",
        ),
        (
            pith_check.keccak256,
            "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
            "4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15",
        ),
    ],
)
def test_digests_that_the_standard_library_lacks(
    digest: Callable[[bytes], bytes], empty: str, words: str
) -> None:
    """RIPEMD-160 and Keccak-256 give the published values for two texts."""
    assert digest(b"").hex() == empty
    assert digest(b"The quick brown fox jumps over the lazy dog").hex() == words

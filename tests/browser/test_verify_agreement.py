"""The verifier in the browser says of every bundle what the build says of it, row by row."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from bundles.import_corpus import bundle_files
from generator.browser_trust import browser_trust
from generator.config import Configuration, parse_configuration
from generator.formats.canonical import JsonObject
from generator.formats.checks import Outcome
from generator.formats.raw import RawBundle
from generator.verify import BundleReport, check_bundle
from tests.browser.scripts_page import ScriptsPage, open_scripts, verifier
from tests.vectors import builders
from tests.vectors.reading import CONFIGURATION, StoredVector, stored_vectors

__all__ = ["verifier"]  # a fixture

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("verifier")]

ROOT = Path(__file__).resolve().parent.parent.parent
CORPUS = ROOT / "tests" / "corpus"
REAL_KEY = """
[[trusted_keys]]
key_id = "pith-v1-2026-05"
algorithm = "ed25519"
public_key_b64 = "stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbM="
signer_id = "pith.science"
roles = ["registry"]
valid_from = 2026-05-01T00:00:00Z
"""

# What a report says, as text that crosses to Python.
CHECK = """
async (bytes, trust) => {
    const report = await PithMirror.checkBundle(bytes, trust, "test");
    const events = report.verified?.events ?? null;
    return {
        origin: report.origin,
        digest: report.digest,
        pithNumber: report.pithNumber,
        verdict: report.verdict,
        missing: report.missing,
        checks: report.checks,
        receipt: report.verified?.receipt.signedAt.text ?? null,
        events: events?.map(({ identity, eventType, signed, reason, createdAt }) =>
            [identity, eventType, signed, reason, createdAt?.text ?? null]) ?? null,
    };
}
"""


def configured(text: str) -> Configuration:
    """Read a configuration."""
    return parse_configuration(text.encode(), name="mirror.toml")


CONFIGURED = configured(CONFIGURATION.read_text(encoding="utf-8") + REAL_KEY)
TRUST = browser_trust(CONFIGURED)


def checked(data: bytes) -> BundleReport:
    """Check a bundle as a build does."""
    return check_bundle(RawBundle("test", data), CONFIGURED.trust)


def said(report: BundleReport) -> dict[str, Any]:
    """Spell a report of a build as CHECK does."""
    verified = report.verified
    return {
        "origin": report.origin,
        "digest": str(report.digest),
        "pithNumber": None if report.pith_number is None else str(report.pith_number),
        "verdict": report.verdict.value,
        "missing": None,
        "checks": [comparable(check.as_json()) for check in report.checks],
        "receipt": None if verified is None else str(verified.receipt.signed_at),
        "events": None
        if verified is None
        else [
            [
                event.identity,
                event.event_type,
                event.signed,
                None if event.reason is None else event.reason.value,
                None if event.created_at is None else str(event.created_at),
            ]
            for event in verified.events
        ],
    }


def comparable(row: JsonObject) -> JsonObject:
    """Leave out what two JSON parsers may say in other words: why a text is no JSON."""
    if row["step"] == "V1" and row["outcome"] == "failed":
        return {**row, "expected": "", "found": ""}
    return row


def disagreements(verifier: ScriptsPage, bundles: dict[str, bytes]) -> list[str]:
    """Check bundles in the browser and as a build does.

    Args:
        verifier: the page.
        bundles: by name.

    Returns:
        The names of the bundles of which the two do not say the same.
    """
    answers = verifier.each(CHECK, bundles.values(), TRUST)
    found = []
    for (name, data), answer in zip(bundles.items(), answers, strict=True):
        answer["checks"] = [comparable(row) for row in answer["checks"]]
        if answer != said(checked(data)):
            found.append(name)
    return found


def rows_of(name: str) -> list[dict[str, Any]]:
    """Read a file of the corpus."""
    return [json.loads(line) for line in (CORPUS / name).read_bytes().splitlines()]


def corpus_bundles() -> Iterator[tuple[str, bytes]]:
    """Give a bundle for every record, snapshot and integrity event of the corpus.

    Yields:
        A name and the bundle: with the real receipt where there is one, else with a test key's.
    """
    yield from bundle_files(CORPUS / "signed_records.jsonl")
    for file in ("records.jsonl", "signed_records.jsonl", "snapshots.jsonl"):
        for row in rows_of(file):
            record = row["canonical_record"]
            shown = {key: row[key] for key in ("title", "authors_text", "abstract") if key in row}
            graphs = [row["graph_snapshot"]] if "graph_snapshot" in row else []
            graphs += [{"paper": shown}] if "title" in shown else []
            events = [builders.snapshot_event(record, graph) for graph in graphs]
            bundle = builders.bundle_with(record, [builders.creation_of(record), *events])
            yield f"{file} {row['pith_number']}", builders.compact(bundle)
    graph = json.loads((CORPUS / "graph-LE7CUDAUBRLBUYN7JFJN4ODXCY.json").read_bytes())
    events = [builders.snapshot_event(builders.record_of(builders.PAPER), graph)]
    yield "graph", builders.compact(builders.bundle_of(builders.PAPER, *events))
    for row in rows_of("integrity_events.jsonl"):
        paper = builders.Paper(source_id=row["payload"]["arxiv_id"])
        yield f"integrity {paper.source_id}", builders.compact(builders.bundle_of(paper, row))


def test_every_vector_gets_the_rows_of_the_build(verifier: ScriptsPage) -> None:
    """Of every vector the browser has the rows, verdict and events of a build, in its order."""
    bundles = {vector.name: vector.data for vector in stored_vectors()}
    assert len(bundles) > 1_200
    assert disagreements(verifier, bundles) == []


def test_every_record_of_the_corpus_gets_the_rows_of_the_build(verifier: ScriptsPage) -> None:
    """Of every real record, snapshot and integrity event the browser says what a build says."""
    bundles = dict(corpus_bundles())
    assert len(bundles) == 16 + 160 + 16 + 1 + 1 + 2
    assert disagreements(verifier, bundles) == []


def test_real_receipts_and_findings_verify_in_the_browser(verifier: ScriptsPage) -> None:
    """Each real receipt and each real integrity event is verified by the browser's own Ed25519."""
    bundles = dict(corpus_bundles())
    names = [name for name in bundles if name.endswith(".json") or name.startswith("integrity ")]
    assert len(names) == 18
    answers = verifier.each(CHECK, [bundles[name] for name in names], TRUST)
    wanted = {name: "receipt signature" if name.endswith(".json") else "event" for name in names}
    for (name, row_name), answer in zip(wanted.items(), answers, strict=True):
        rows = [row for row in answer["checks"] if row["name"] == row_name]
        last = rows[-1] if name.startswith("integrity ") else rows[0]
        assert last["outcome"] == "verified", name


def test_of_several_receipts_the_order_of_events_chooses_none(verifier: ScriptsPage) -> None:
    """Of two creations that prove the record the browser takes the receipt that a build takes."""
    record = builders.record_of(builders.PAPER)
    times = ("2026-06-01T00:00:00Z", builders.SIGNED_AT)
    receipts = [builders.receipt_of(record, signed_at=time) for time in times]
    creations = [builders.creation_of(record, receipt=receipt) for receipt in receipts]
    orders = {"late first": creations, "late last": creations[::-1]}
    bundles = {
        name: builders.compact(builders.bundle_with(record, events))
        for name, events in orders.items()
    }
    assert disagreements(verifier, bundles) == []
    answers = verifier.each(CHECK, bundles.values(), TRUST)
    assert [answer["receipt"] for answer in answers] == [builders.SIGNED_AT] * 2


def small_vectors() -> list[StoredVector]:
    """Give the vectors that are small enough to be checked again and again."""
    return [vector for vector in stored_vectors() if len(vector.data) < 20_000]


WITHOUT = {
    "ed25519": """
        const importKey = SubtleCrypto.prototype.importKey;
        SubtleCrypto.prototype.importKey = function (format, key, algorithm, ...rest) {
            return algorithm.name === "Ed25519"
                ? Promise.reject(new DOMException("unknown", "NotSupportedError"))
                : importKey.call(this, format, key, algorithm, ...rest);
        };
    """,
    "digest": 'Object.defineProperty(Crypto.prototype, "subtle", {get: () => undefined});',
}


def comparable_without(report: BundleReport) -> Callable[[dict[str, Any]], bool]:
    """Tell which rows of a browser that lacks something a build has too.

    Of several creations none is proven there, so the rows may be those of another one. A build has
    no rows of what it refuses: of a bundle from V8 on, of a failed event's snapshot.
    """
    failed = {
        check.subject.split(" ")[0]
        for check in report.checks
        if check.step == "V8" and check.outcome is Outcome.FAILED
    }
    reading = {"V1", "V2", "V3", "V5", "V6"}

    def comparable_row(row: dict[str, Any]) -> bool:
        if row["outcome"] == "not checkable":
            return False
        if report.verified is None:
            return row["step"] in reading
        return row["step"] not in {"V9", "V10"} or row["subject"].split(" ")[0] not in failed

    return comparable_row


@pytest.mark.parametrize("missing", WITHOUT)
def test_browser_that_lacks_something_claims_nothing(
    chromium: Browser, tmp_path: Path, missing: str
) -> None:
    """Without Ed25519, or without any digest, what needs it is not checkable, and no row is worse.

    A row that verifies or fails does so in a build too; no bundle is admitted.
    """
    context = chromium.new_context()
    page = open_scripts(context, tmp_path, before=WITHOUT[missing])
    vectors = small_vectors()
    answers = page.each(CHECK, [vector.data for vector in vectors], TRUST)
    context.close()
    seen = set()
    for vector, answer in zip(vectors, answers, strict=True):
        report = checked(vector.data)
        outcomes = {(c.step, c.name, c.subject, c.outcome.value) for c in report.checks}
        for row in filter(comparable_without(report), answer["checks"]):
            key = (row["step"], row["name"], row["subject"], row["outcome"])
            assert key in outcomes, vector.name
        seen |= {(row["step"], row["outcome"]) for row in answer["checks"]}
        assert answer["missing"] == missing
        assert answer["events"] is None
        # What a build admits is not called refused, and what it refuses may only be left open.
        allowed = {"not checkable"} if report.verified else {"not checkable", "not published"}
        assert answer["verdict"] in allowed, vector.name
    assert ("V7", "verified") in seen  # its time needs no signature
    assert {("V7", "not checkable"), ("V8", "not checkable"), ("V8", "failed")} <= seen
    assert (("V9", "verified") in seen) is (missing == "ed25519")


def test_page_gets_its_turns_while_many_events_are_checked(verifier: ScriptsPage) -> None:
    """A bundle of 2,000 signed events is checked in pieces: the page is never blocked for long."""
    record = builders.record_of(builders.PAPER)
    event = builders.event_of(record, "challenge", {"about": "record", "reason": "a doubt"})
    times = [f"2026-05-19T00:{number // 60 % 60:02}:{number % 60:02}Z" for number in range(2_000)]
    events = [
        builders.signed(event, created_at=f"{time[:-1]}.{n}Z") for n, time in enumerate(times)
    ]
    data = builders.compact(builders.bundle_of(builders.PAPER, *events))
    program = """
    async (bytes, trust) => {
        let last = performance.now(), longest = 0, turns = 0, done = false;
        const look = () => {
            longest = Math.max(longest, performance.now() - last);
            last = performance.now();
            turns += 1;
            if (!done) setTimeout(look);
        };
        setTimeout(look);
        const report = await PithMirror.checkBundle(bytes, trust);
        done = true;
        return { verdict: report.verdict, rows: report.checks.length, longest, turns };
    }
    """
    [answer] = verifier.each(program, [data], TRUST)
    assert answer["verdict"] == checked(data).verdict.value
    assert answer["rows"] > 2_000
    assert answer["turns"] > 5
    # Far above what it takes, since the machine may be busy; unbroken work would take longer.
    assert answer["longest"] < 1_000


def test_keys_of_two_trusts_are_two(verifier: ScriptsPage) -> None:
    """A bundle is checked under the trust that is given with it, not under an earlier one."""
    data = builders.compact(builders.bundle_of())
    trusts = (TRUST, browser_trust(configured(REAL_KEY)), TRUST)
    answers = [verifier.each(CHECK, [data], trust)[0]["verdict"] for trust in trusts]
    assert answers == ["verified", "not published", "verified"]

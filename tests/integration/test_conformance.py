"""Every real fact of the corpus is reproduced by the program's rules (protocol parts 1 to 7)."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bundles.import_corpus import bundle_of
from generator.formats.bundle import parse_bundle
from generator.formats.canonical import JsonObject, JsonValue, compact_json, parse_json_object
from generator.formats.checks import Outcome, Verdict
from generator.formats.digest import canonical_digest, parse_digest, sha256
from generator.formats.event import parse_event
from generator.formats.identifiers import derive_aliases
from generator.formats.instant import parse_instant
from generator.formats.integrity import parse_integrity_event
from generator.formats.keys import Role, TrustedKey, parse_base64, trusted_keys
from generator.formats.raw import RawBundle
from generator.formats.record import CanonicalRecord, parse_record
from generator.formats.snapshot import EXCERPT_LENGTH, Snapshot, parse_snapshot
from generator.formats.text import text_digest
from generator.verify import BundleReport, check_bundle

ROOT = Path(__file__).resolve().parent.parent.parent
CORPUS = ROOT / "tests" / "corpus"
BUNDLES = ROOT / "bundles"
EMPTY_LIST_DIGEST = "258153158e38e3291e3d48162225fcdb2d5a3ed65a07baac614ab91432fd4f57"


def rows(name: str) -> list[dict[str, Any]]:
    """Read a file of one JSON object a line, strictly."""
    lines = (CORPUS / name).read_bytes().splitlines()
    return [dict(parse_json_object(line, subject=name)) for line in lines]


def names_of(listed: list[dict[str, Any]]) -> list[str]:
    """Name rows by the suffix of their Pith Number."""
    return [row["pith_number"][-26:] for row in listed]


RECORDS = rows("records.jsonl")
SIGNED = rows("signed_records.jsonl")
SNAPSHOTS = rows("snapshots.jsonl")
WHOLE_RECORDS = [*RECORDS, *SIGNED, *SNAPSHOTS]
TITLED = [row for row in (*RECORDS, *SIGNED) if "title" in row]
ABSTRACTED = [row for row in (*RECORDS, *SIGNED) if "abstract" in row]
ALIASED = [row for row in (*RECORDS, *SIGNED) if row.get("aliases")]
INTEGRITY_EVENTS = rows("integrity_events.jsonl")
INTEGRITY_PREFIXES = [row["first_2000_bytes"] for row in rows("integrity-prefixes.jsonl")]
BUNDLE_PREFIXES = rows("bundle-prefixes.jsonl")
PUBLISHED_KEY: dict[str, str] = json.loads((CORPUS / "pith-mirrors.json").read_bytes())["mirrors"][
    0
]["public_key"]
KEY = TrustedKey(
    key_id=PUBLISHED_KEY["key_id"],
    public_key=base64.b64decode(PUBLISHED_KEY["public_key_b64"], validate=True),
    signer_id="pith.science",
    roles=(Role.REGISTRY,),
    valid_from=parse_instant("2026-05-01T00:00:00Z", subject="valid_from"),
)


def record_of(row: dict[str, Any]) -> CanonicalRecord:
    """Read the record of a row."""
    return parse_record(row["canonical_record"], subject="canonical_record")


def test_corpus_has_what_the_tests_count_on() -> None:
    """No list that a parametrised test runs over is empty or shorter than the corpus says."""
    counts = [len(x) for x in (RECORDS, SIGNED, TITLED, ABSTRACTED, ALIASED, BUNDLE_PREFIXES)]
    assert counts == [160, 16, 108, 16, 160, 38]


@pytest.mark.parametrize("row", WHOLE_RECORDS, ids=names_of(WHOLE_RECORDS))
def test_record_has_the_published_digest_and_pith_number(row: dict[str, Any]) -> None:
    """A real record gives the published canonical SHA-256, suffix and year (part 1)."""
    record = record_of(row)
    assert str(record.digest) == row["canonical_sha256"]
    assert str(record.pith_number) == row["pith_number"]


@pytest.mark.parametrize("row", TITLED, ids=names_of(TITLED))
def test_title_has_the_digest_of_the_record(row: dict[str, Any]) -> None:
    """A real title gives the digest that the record holds of it (part 1)."""
    assert text_digest(row["title"]) == record_of(row).title_digest


@pytest.mark.parametrize("row", ABSTRACTED, ids=names_of(ABSTRACTED))
def test_abstract_has_the_digest_of_the_record(row: dict[str, Any]) -> None:
    """A real whole abstract gives the digest that the record holds of it (part 1)."""
    assert text_digest(row["abstract"]) == record_of(row).abstract_digest


@pytest.mark.parametrize("row", ALIASED, ids=names_of(ALIASED))
def test_aliases_are_those_published(row: dict[str, Any]) -> None:
    """The derived aliases are the known ones, kind and value and order (part 4)."""
    record = record_of(row)
    source, suffix = record.source, record.pith_number.suffix
    derived = derive_aliases(source_id=source.id, version=source.version, suffix=suffix)
    known = [(alias["alias_kind"], alias["alias_value"]) for alias in row["aliases"]]
    assert [(alias.kind, alias.value) for alias in derived][: len(known)] == known
    assert len(known) in {3, 6}


@pytest.mark.parametrize("row", SIGNED, ids=names_of(SIGNED))
def test_receipt_verifies_with_the_real_key(row: dict[str, Any]) -> None:
    """A real receipt is the registry key's signature over the raw digest (part 2)."""
    receipt = row["receipt"]
    signature = parse_base64(receipt["signature_b64"], subject="signature_b64", length=64)
    assert receipt["key_id"] == KEY.key_id
    assert KEY.signed(record_of(row).digest, signature)


def test_receipt_of_one_record_is_none_of_another() -> None:
    """No real signature verifies over the digest of another real record."""
    raw = [base64.b64decode(row["receipt"]["signature_b64"]) for row in SIGNED]
    digests = [record_of(row).digest for row in SIGNED]
    crossed = [KEY.signed(digests[i], raw[j]) for i in range(16) for j in range(16) if i != j]
    assert len(crossed) == 240
    assert not any(crossed)


def test_key_has_the_published_fingerprints() -> None:
    """Both fingerprints of the real manifest are those derived from the raw key (part 2)."""
    assert KEY.public_key.hex() == PUBLISHED_KEY["public_key_hex"]
    assert KEY.fingerprint == PUBLISHED_KEY["fingerprint_sha256_hex"]
    assert KEY.fingerprint_base32 == PUBLISHED_KEY["fingerprint_sha256_b32_first128bits"]


def test_state_event_names_the_fingerprint_of_the_key() -> None:
    """The signer of the real state's event names the key by the hex fingerprint."""
    assert SNAPSHOTS[0]["state_event"]["signer"]["public_key_fingerprint"] == KEY.fingerprint


def snapshot_of(graph: JsonValue) -> Snapshot:
    """Read a graph snapshot as the payload of an event."""
    event: JsonObject = {
        "event_type": "graph_snapshot",
        "subject_pith_number": "pith:2013:LE7CUDAUBRLBUYN7JFJN4ODXCY",
        "target": "graph",
        "payload": {"graph_snapshot": graph},
    }
    return parse_snapshot(parse_event(event, path="event"), path="event")


def whole_graphs() -> list[Any]:
    """The two whole graph snapshots of the corpus."""
    served = (CORPUS / "graph-LE7CUDAUBRLBUYN7JFJN4ODXCY.json").read_bytes()
    return [parse_json_object(served, subject="graph"), SNAPSHOTS[0]["graph_snapshot"]]


@pytest.mark.parametrize("graph", whole_graphs(), ids=["LE7CUDAU", "O2NTBV4L"])
def test_snapshot_sections_have_their_digests(graph: JsonObject) -> None:
    """Every section digest of a whole real snapshot is reproduced (part 6)."""
    sections = snapshot_of(graph).sections
    assert [str(section.computed) for section in sections] == [EMPTY_LIST_DIGEST] * 4
    assert [section.claimed for section in sections] == [section.computed for section in sections]


def test_digest_of_the_empty_list_is_the_published_one() -> None:
    """SHA-256 of the canonical JSON of `{"payload":[]}` is the constant of every real snapshot."""
    assert str(canonical_digest({"payload": []})) == EMPTY_LIST_DIGEST


def test_whole_graph_is_compact_json_of_the_registry() -> None:
    """The real graph file is byte for byte our compact spelling of what it holds."""
    served = (CORPUS / "graph-LE7CUDAUBRLBUYN7JFJN4ODXCY.json").read_bytes()
    assert compact_json(parse_json_object(served, subject="graph")) == served


def test_snapshot_title_is_bound_and_its_excerpt_is_cut_at_600() -> None:
    """The title of the real snapshot is bound to its record, its excerpt has 600 characters."""
    paper = snapshot_of(SNAPSHOTS[0]["graph_snapshot"]).paper
    assert text_digest(paper.title) == record_of(SNAPSHOTS[0]).title_digest
    lengths = {len(graph["paper"]["abstract_excerpt"]) for graph in whole_graphs()}
    assert lengths == {EXCERPT_LENGTH}


@pytest.mark.parametrize("text", INTEGRITY_PREFIXES, ids=["2604.23340", "2605.11997"])
def test_integrity_section_has_its_digest(text: str) -> None:
    """The digest of a real integrity section is over its detectors and findings (part 6)."""
    section, _ = json.JSONDecoder().raw_decode(text, text.index('{"available"'))
    empty: JsonObject = {"count": 0, "items": [], "snapshot_sha256": EMPTY_LIST_DIGEST}
    graph: JsonObject = {"paper": {"title": ""}, "claims": empty, "integrity": section}
    sections = {part.name: part for part in snapshot_of(graph).sections}
    assert str(sections["integrity"].computed) == section["snapshot_sha256"]


@pytest.mark.parametrize("row", INTEGRITY_EVENTS, ids=lambda row: str(row["payload"]["arxiv_id"]))
def test_integrity_event_verifies(row: dict[str, Any]) -> None:
    """Payload digest, evidence hash and signature of a whole real event verify (part 7)."""
    event = parse_integrity_event(row, path="event")
    assert event.computed_payload_digest == event.payload_digest
    assert event.computed_evidence_digest == event.evidence_digest
    assert event.key_id == KEY.key_id
    assert KEY.signed(event.payload_digest, event.signature)
    assert KEY.window_fault(event.audited_at) is None


def test_event_3600_of_the_prefix_is_the_whole_one() -> None:
    """The event that a real file shows in part has the digest and signature of the whole one."""
    text = INTEGRITY_PREFIXES[0]
    head = re.search(r'"events":\[(\{"event_id":3600,.*?),"payload":\{', text)
    assert head is not None
    shown = json.loads(head[1] + "}")
    whole = next(row for row in INTEGRITY_EVENTS if row.get("event_id") == 3600)
    assert shown == {key: whole[key] for key in shown}
    digest = parse_digest(shown["payload_sha256"], subject="payload_sha256")
    assert KEY.signed(digest, base64.b64decode(shown["signature_b64"]))


def importer_row(text: str) -> JsonObject:
    """Turn what a cut bundle says of its record into a row of the corpus, the rest made up."""
    decoder = json.JSONDecoder()

    def value_of(key: str) -> Any:  # noqa: ANN401
        return decoder.raw_decode(text, text.index(f'"{key}":') + len(key) + 3)[0]

    return {
        "pith_number": value_of("pith_number"),
        "canonical_record": value_of("canonical_record"),
        "canonical_sha256": value_of("canonical_sha256"),
        "aliases": value_of("source_aliases"),
        "receipt": {
            "kind": "pith_receipt",
            "key_id": KEY.key_id,
            "algorithm": "ed25519",
            "signature_b64": "",
        },
        "first_computed": "",
        "title": "",
    }


@pytest.mark.parametrize("row", BUNDLE_PREFIXES, ids=lambda row: row["path"][6:32])
def test_importer_spells_a_bundle_as_the_registry_does(row: dict[str, Any]) -> None:
    """From the facts of a real bundle the importer writes its bytes, as far as they are known."""
    text = row["first_2000_bytes"]
    ours = compact_json(bundle_of(importer_row(text))).decode()
    # The receipt's time and what follows it are not in the corpus.
    known = text.partition('"signed_at":"')[0]
    assert len(known) > 1_700
    assert ours[: len(known)] == known


def checked(path: Path) -> BundleReport:
    """Check a bundle with the registry's real key."""
    return check_bundle(RawBundle(path.name, path.read_bytes()), trusted_keys([KEY]))


STORED = sorted(BUNDLES.glob("*.json"))


def test_importer_gives_the_bundles_that_are_checked_in(tmp_path: Path) -> None:
    """Running the importer again gives the files of bundles/, byte for byte and no other."""
    command = [sys.executable, str(BUNDLES / "import_corpus.py"), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in STORED}
    assert len(made) == 16


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_bundle_is_admitted_with_the_real_key(path: Path) -> None:
    """A bundle of bundles/ is published; only its unsigned snapshot event is not checkable."""
    report = checked(path)
    odd = [
        (check.step, check.outcome) for check in report.checks if check.outcome.value != "verified"
    ]
    assert report.verdict is Verdict.PARTLY
    assert odd == [("V8", Outcome.NOT_CHECKABLE)]
    assert str(report.pith_number)[-26:] == path.stem


def test_bundles_bind_titles_and_abstracts() -> None:
    """Of the sixteen bundles all bind the title, and all but one the whole abstract."""
    bound = [
        check.subject.rpartition(".")[2]
        for path in STORED
        for check in checked(path).checks
        if check.step == "V10" and check.outcome is Outcome.VERIFIED
    ]
    counts = [bound.count(key) for key in ("title", "abstract", "abstract_excerpt")]
    assert counts == [16, 15, 15]


def test_bundles_are_compact_ascii() -> None:
    """Each bundle is spelled as the registry serves one: compact, ASCII, no newline (part 4)."""
    for path in STORED:
        data = path.read_bytes()
        parsed = parse_json_object(data, subject=path.name)
        assert compact_json(parsed) == data
        assert data.isascii()
        assert str(parse_bundle(parsed).record.pith_number) == parsed["pith_number"]


def test_copies_of_the_corpus_are_the_ones_named() -> None:
    """Each file of the corpus has the SHA-256 that its README gives."""
    readme = (CORPUS / "README.md").read_text(encoding="utf-8")
    named = dict(re.findall(r"^\| `([\w.-]+)` \| `([0-9a-f]{64})` \|", readme, re.MULTILINE))
    files = {path.name: path for path in CORPUS.iterdir() if path.name != "README.md"}
    assert named == {name: str(sha256(path.read_bytes())) for name, path in files.items()}

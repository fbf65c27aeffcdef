"""The bundles of the example registry: each shows something, and together they show everything.

Every kind of event, every standing, every verdict, every reason for which an event is not verified.
`tests/integration/test_demo.py` holds that none is missing.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass, replace

from demo import papers
from demo.speakers import (
    ADA,
    BEN,
    LAB,
    LIBRARY,
    LOST,
    NEXT,
    REGISTRY,
    RETIRES_AT,
    SILENT,
    STRANGER,
    Desk,
)
from tests.timestamps import generate as timestamps
from tests.vectors.builders import (
    Json,
    Paper,
    bundle_with,
    compact,
    digest,
    edited,
    flipped,
    number_of,
    receipt_of,
    record_of,
    sealed,
    snapshot_of,
    snapshot_sha256,
)
from tests.vectors.cases_integrity import integrity_event, payload_of

STAMPED_BLOCK = 101  # holds the complete record
OTHER_BLOCK = 102  # holds another merkle root
MISSING_BLOCK = 103  # its header is not supplied


@dataclass(frozen=True)
class Example:
    """A file of the example registry, and what it is there for."""

    name: str
    shows: str
    data: bytes


def examples() -> tuple[Example, ...]:
    """Every file, by name."""
    found = (*_sound(), *_faulty(), *_merged(), *_trusted(), *_written(), *_linked(), *_odd())
    return tuple(sorted(found, key=lambda example: example.name))


def _example(name: str, shows: str, desk: Desk, *events: Json, **more: Json) -> Example:
    bundle = {**bundle_with(desk.record, [desk.creation(), *events]), **more}
    return Example(f"{name}.json", shows, compact(bundle))


def _sound() -> Iterator[Example]:
    desk = Desk(papers.COMPLETE)
    statement = {"author_name": "Ada Example", "statement": "I am an author of this paper."}
    yield _example(
        "01-complete",
        "every check verifies, every step of the completeness list is reached",
        desk,
        desk.snapshot(
            references=_references([]) | {"resolved_work": 12},
            formal_canon={"evidence_count": 0, "snapshot_sha256": snapshot_sha256([])},
        ),
        desk.says("timestamp_anchored", stamp(papers.COMPLETE, STAMPED_BLOCK)),
        desk.says("storage_attested", _copy("internet-archive", "archive.example"), by=LIBRARY),
        desk.says("storage_attested", _copy("example-library", "library.example"), by=LIBRARY),
        desk.claims(REGISTRY, ADA, "orcid", "strong"),
        desk.claims(BEN, BEN, "key", "weak"),
        desk.says("author_attestation", statement, by=ADA),
        desk.cites(papers.OLD, "extends", note="Section 4 takes up its Theorem 1."),
        desk.says("replication", _replication("replication", "confirmed"), by=LAB),
        desk.says("alias_added", {"alias_kind": "doi", "alias_value": "10.1000/example.1"}),
    )
    for paper in papers.CACTUS_VERSIONS:
        desk = Desk(paper)
        earlier = [replace(paper, version=v) for v in range(1, paper.version)]
        yield _example(
            f"02-version-{paper.version}",
            "one of three versions of one arXiv id, each a record of its own",
            desk,
            desk.snapshot(),
            *(desk.cites(before, "replaces") for before in earlier[-1:]),
        )
    desk = Desk(papers.CARRIED)
    snapshot = {"graph_snapshot": snapshot_of(papers.CARRIED)}
    yield _example(
        "03-carried-snapshot",
        "partly checkable: the snapshot has no signature, so it is carried",
        desk,
        desk.says_unsigned("graph_snapshot", snapshot),
    )
    desk = Desk(papers.UNTITLED)
    yield _example("06-no-snapshot", "no snapshot, so no title is known", desk)


def _faulty() -> Iterator[Example]:
    desk = Desk(papers.SPOILT)
    yield _example(
        "04-failed-events",
        "one event for each reason for which an event fails; none of them changes anything",
        desk,
        desk.snapshot(),
        *failures(desk).values(),
    )
    desk = Desk(papers.RENAMED)
    paper = {**snapshot_of(papers.RENAMED)["paper"], "title": "A title that somebody has changed"}
    yield _example(
        "05-wrong-title",
        "the snapshot is signed, but its title is not the one that the receipt signs",
        desk,
        desk.snapshot(paper=paper),
    )
    desk, other = Desk(papers.BAD_RECEIPT), record_of(papers.COMPLETE)
    creation = edited(desk.creation(), ("payload.receipt", receipt_of(other, key=REGISTRY)))
    bundle = bundle_with(desk.record, [creation])
    yield Example(
        "07-wrong-receipt.json", "not published: the receipt is of another record", compact(bundle)
    )
    desk = Desk(papers.ALTERED)
    bundle = edited(
        bundle_with(desk.record, [desk.creation()]), ("canonical_record.metadata.license", "")
    )
    yield Example(
        "08-altered-record.json", "not published: the record was altered", compact(bundle)
    )
    desk = Desk(papers.OTHER_REGISTRY)
    bundle = bundle_with(desk.record, [desk.creation(key=STRANGER)])
    shows = "not published: the receipt is by a key that is not pinned"
    yield Example("09-unknown-key.json", shows, compact(bundle))
    cut = compact(bundle_with(desk.record, [desk.creation()]))[:700]
    yield Example("10-cut-file.json", "not published: the file ends in the middle", cut)


def failures(desk: Desk) -> dict[str, Json]:
    """One event for each reason for which an event fails, by the word of the state for it."""
    doubt = {"about": "record", "reason": "Is this genuine?"}
    whole, genuine = desk.says("challenge", doubt), desk.creation()
    other_signature = flipped(whole["signature_b64"])
    statement = {"author_name": "Ada Example", "statement": "Said by a library."}
    finding = _finding(desk.paper, "2026-06-01T00:00:00Z")
    itself = {"relation": "cites", "cited_pith_number": desk.number}
    return {
        "malformed": edited(whole, ("payload.reason", 1)),
        "another record": Desk(papers.COMPLETE).says("challenge", doubt),
        "wrong target": desk.says("record_created", genuine["payload"], target="elsewhere"),
        "wrong role": desk.says("author_attestation", statement, by=LIBRARY),
        "wrong signer": sealed(
            edited(whole, ("signer.signer_id", "library.example")), key=REGISTRY
        ),
        "wrong event id": edited(whole, ("payload.reason", "This was altered.")),
        "wrong signature": edited(whole, ("signature_b64", other_signature)),
        "outside window": desk.says("challenge", doubt, at="2025-12-31T00:00:00Z"),
        "wrong digest": edited(finding, ("payload.severity", "critical")),
        "wrong record": {
            **Desk(papers.COMPLETE).creation(),
            "subject_pith_number": desk.number,
        },
        "wrong receipt": edited(genuine, ("payload.receipt.signature_b64", other_signature)),
        "wrong payload": desk.says("citation", itself),
    }


def _merged() -> Iterator[Example]:
    desk = Desk(papers.EQUIVOCAL)
    supports = desk.cites(papers.COMPLETE, "supports")
    refutes = {**supports["payload"], "relation": "refutes"}
    first = desk.snapshot()
    second = {"graph_snapshot": {**snapshot_of(papers.EQUIVOCAL), "headline": "Refuted."}}
    third = desk.snapshot()
    yield _example(
        "11-equivocation",
        "contradictions of one signer: none of the contradicting events counts",
        desk,
        supports,
        desk.contradicts(supports, refutes),
        first,
        third,
        desk.contradicts(third, second),
    )
    desk, paper = Desk(papers.AUDITED), papers.AUDITED
    yield _example(
        "12-integrity-findings",
        "findings of each severity: one rescinded, one found again, one of a key unknown here",
        desk,
        desk.snapshot(),
        _finding(paper, "2026-06-01T00:00:00Z", ref_index=3),
        _finding(paper, "2026-06-02T00:00:00Z", ref_index=3, verdict_class="rescinded"),
        _finding(paper, "2026-06-01T00:00:00Z", ref_index=7, verdict_class="rescinded"),
        _finding(paper, "2026-06-03T00:00:00Z", ref_index=7, severity="critical"),
        _finding(paper, "2026-06-03T00:00:00Z", ref_index=8, severity="informational"),
        _finding(paper, "2026-06-03T00:00:00Z", ref_index=9, key=STRANGER),
    )
    desk = Desk(papers.REVISED)
    yield _example(
        "13-superseded-snapshots",
        "three snapshots of the paper, the newest current, and one of another target",
        desk,
        *(desk.snapshot(headline=f"Snapshot number {number}.") for number in (1, 2, 3)),
        desk.says(
            "graph_snapshot",
            {"graph_snapshot": snapshot_of(papers.REVISED)},
            target="references",
        ),
    )
    yield from _taken_back()
    yield from _shared()


def _taken_back() -> Iterator[Example]:
    desk = Desk(papers.TAKEN_BACK)
    claim = desk.claims(BEN, BEN, "orcid", "weak")
    challenge = desk.says("challenge", {"about": "record", "reason": "Is n odd?"}, by=LAB)
    answer = {"challenge": challenge["event_id"], "text": "It is, by the first line of the proof."}
    citation = desk.cites(papers.COMPLETE, "depends_on")
    yield _example(
        "14-withdrawn-statements",
        "a claim, a challenge and a citation that their signers have taken back",
        desk,
        desk.snapshot(),
        claim,
        challenge,
        desk.says("response", answer, by=ADA),
        citation,
        desk.withdraws(claim, "Not my paper.", by=BEN),
        desk.withdraws(challenge, "Answered.", by=LAB),
        desk.withdraws(citation, "Wrong record."),
        desk.withdraws(desk.snapshot(at="2026-06-02T00:00:00Z"), "It is not here."),
    )
    desk = Desk(papers.WITHDRAWN)
    yield _example(
        "15-withdrawn-record",
        "the record itself is withdrawn by an author",
        desk,
        desk.snapshot(),
        desk.claims(REGISTRY, ADA, "orcid", "strong"),
        desk.withdraws("record", "The proof of Lemma 2 fails for the number four.", by=ADA),
    )
    desk = Desk(papers.WAITING)
    waiting = desk.says("correction", {"about": "record", "text": "In (3), read 2 for 3."})
    met = desk.says("correction", {"about": "record", "text": "In Table 1, read 0.5 for 5.0."})
    yield _example(
        "16-thresholds",
        "two corrections: one has the two signers that this mirror asks for, one waits",
        desk,
        desk.snapshot(),
        waiting,
        met,
        desk.endorses(met, by=ADA),
    )


def _shared() -> Iterator[Example]:
    desk = Desk(papers.SHARED)
    snapshot = desk.snapshot()
    yield _example(
        "26-mirror-a",
        "what one mirror holds of a record; this mirror unites it with the next file",
        desk,
        snapshot,
        desk.cites(papers.COMPLETE, "cites"),
    )
    copy = _copy("example-library", "library.example")
    yield _example(
        "26-mirror-b",
        "what another mirror holds of the same record",
        desk,
        snapshot,
        desk.says("storage_attested", copy, by=LIBRARY),
    )
    for number, paper, count, shows in (
        ("27", papers.STATED, 2, "the bundle claims a state, which agrees with the recomputed one"),
        ("28", papers.MISSTATED, 3, "the bundle claims a state, which does not agree"),
    ):
        desk = Desk(paper)
        state = {"state_type": "pith_open_graph_state", "event_count": count}
        yield _example(f"{number}-claimed-state", shows, desk, desk.snapshot(), state=state)


def _trusted() -> Iterator[Example]:
    desk = Desk(papers.KEYS)
    doubt = {"about": "record", "reason": "Which key signed this?"}
    yield _example(
        "17-keys",
        "events by a key that was rotated in, one after its end, one before and one after its loss",
        desk,
        desk.snapshot(),
        rotation(desk),
        desk.says("challenge", doubt, by=NEXT, at="2026-08-15T00:00:00Z"),
        desk.says("challenge", doubt, by=REGISTRY, at="2026-09-15T00:00:00Z"),
        desk.says("correction", {"about": "record", "text": "Before the loss."}, by=LOST),
        desk.says("challenge", doubt, by=LOST, at="2026-06-20T00:00:00Z"),
    )
    desk, paper = Desk(papers.STAMPED), papers.STAMPED
    start = digest(desk.record)
    litecoin = timestamps.attestation(timestamps.LITECOIN, timestamps.varuint(7))
    yield _example(
        "18-timestamps-of-all-kinds",
        "timestamps that need a header, fail, are of another chain, another record, or no proof",
        desk,
        desk.snapshot(),
        desk.says("timestamp_anchored", stamp(paper, MISSING_BLOCK)),
        desk.says("timestamp_anchored", stamp(paper, OTHER_BLOCK)),
        desk.says("timestamp_anchored", _proof(start, timestamps.append(b"n") + litecoin)),
        desk.says("timestamp_anchored", _pending(paper), by=LIBRARY),
        desk.says("timestamp_anchored", _pending(papers.COMPLETE)),
        desk.says("timestamp_anchored", _proof(start, b"")),
    )
    desk = Desk(papers.PENDING)
    yield _example(
        "18-timestamp-pending",
        "a timestamp that waits for its block",
        desk,
        desk.snapshot(),
        desk.says("timestamp_anchored", _pending(papers.PENDING)),
    )


def _written() -> Iterator[Example]:
    for name, paper, shows in (
        ("19-tex", papers.TEX, "a title and authors with TeX in them"),
        ("20-greek-and-cyrillic", papers.GREEK_AND_CYRILLIC, "a title in two scripts"),
        ("21-chinese", papers.CHINESE, "a title in Chinese"),
        ("22-arabic", papers.ARABIC, "a title that runs from right to left"),
        ("29-old-identifier", papers.OLD, "an arXiv id with a slash, and no licence"),
        ("30-long", papers.LONG, "many authors, and an abstract of which only a part is bound"),
    ):
        desk = Desk(paper)
        yield _example(name, shows, desk, desk.snapshot())


def _linked() -> Iterator[Example]:
    desk = Desk(papers.RELATED)
    elsewhere = Paper(source_id="2613.99999", title="Not in this mirror")
    cited = (
        ("supports", papers.COMPLETE),
        ("refutes", papers.WITHDRAWN),
        ("extends", papers.CACTUS_VERSIONS[2]),
        ("uses_method", papers.TEX),
        ("depends_on", papers.CHINESE),
        ("replaces", papers.OLD),
        ("compares", papers.ARABIC),
        ("cites", elsewhere),
    )
    yield _example(
        "23-relations",
        "citations in each of the eight relations, one of them of a record that is not here",
        desk,
        desk.snapshot(),
        *(desk.cites(paper, relation) for relation, paper in cited),
        desk.cites(papers.COMPLETE, "uses_method", by=LAB, note="Said by a laboratory."),
    )
    desk = Desk(papers.REPEATED)
    challenge = desk.says("challenge", {"about": "record", "reason": "Is the sum finite?"}, by=BEN)
    answer = {"challenge": challenge["event_id"], "text": "It is: see the last remark."}
    response = desk.says("response", answer, by=ADA)
    better = {"about": response["event_id"], "text": "Read: the first remark."}
    correction = desk.says("correction", better, by=ADA)
    yield _example(
        "24-replications",
        "replications of each kind and outcome, a challenge, its response and a correction of it",
        desk,
        desk.snapshot(),
        *(
            desk.says("replication", _replication(kind, outcome), by=LAB)
            for kind, outcome in (
                ("replication", "partial"),
                ("replication", "inconclusive"),
                ("falsification", "refuted"),
                ("formal_bridge", "confirmed"),
            )
        ),
        challenge,
        response,
        correction,
        desk.endorses(correction, by=REGISTRY),
    )
    desk = Desk(papers.REFERRED)
    sample = [
        {"arxiv_id": papers.COMPLETE.source_id, "title": papers.COMPLETE.title},
        {"pith_number": number_of(record_of(papers.OLD))},
        {"doi": "10.1000/example.2", "title": "A work elsewhere"},
    ]
    yield _example(
        "31-references",
        "a snapshot with references, two of which are records of this mirror",
        desk,
        desk.snapshot(references=_references(sample)),
    )


def _odd() -> Iterator[Example]:
    desk = Desk(papers.STRANGE)
    doubt = {"about": "record", "reason": "Who says so?"}
    underivable = desk.says("challenge", doubt, by=SILENT)
    yield _example(
        "25-unknown",
        "events of a kind, of a key and by a rule that are not known here",
        desk,
        desk.snapshot(),
        desk.says("x.example.review", {"stars": 4, "words": "Of a kind not known here."}, by=LAB),
        desk.says("challenge", doubt, by=STRANGER),
        edited(underivable, ("event_id", f"sha256:{'e' * 64}")),
        desk.says_unsigned("x.example.note", {"text": "Nobody signed this."}),
    )


def rotation(desk: Desk) -> Json:
    """The rotation from the registry's first key to the next."""
    payload = {
        "key_id": NEXT.key_id,
        "algorithm": "ed25519",
        "public_key_b64": NEXT.public_b64,
        "valid_from": NEXT.valid_from,
        "retires_at": RETIRES_AT,
    }
    return desk.says("key_rotation", payload, at="2026-07-15T00:00:00Z")


def stamp(paper: Paper, height: int) -> Json:
    """A timestamp whose path ends in a block."""
    start = digest(record_of(paper))
    return _proof(start, timestamps.path_to_block(start)[0] + timestamps.bitcoin(height))


def _pending(paper: Paper) -> Json:
    tree = timestamps.append(b"nonce") + timestamps.SHA256
    promise = timestamps.pending("https://calendar.example")
    return _proof(digest(record_of(paper)), tree + promise)


def _proof(start: bytes, tree: bytes) -> Json:
    raw = timestamps.detached(start, tree)
    return {"proof_type": "opentimestamps", "proof_b64": base64.b64encode(raw).decode()}


def _finding(paper: Paper, at: str, *, key: Json = REGISTRY, **changes: Json) -> Json:
    return integrity_event(payload_of(paper, audited_at=at, **changes), key=key)


def _copy(store: str, host: str) -> Json:
    copy = f"a copy that {store} says it holds"
    return {
        "store": store,
        "url": f"https://{host}/2026/copy",
        "sha256": digest(copy).hex(),
        "stored_at": "2026-05-31T12:00:00Z",
    }


def _replication(kind: str, outcome: str) -> Json:
    payload = {"kind": kind, "outcome": outcome, "url": f"https://lab.example/{kind}/{outcome}"}
    return {**payload, "system": "Lean 4"} if kind == "formal_bridge" else payload


def _references(sample: list[Json]) -> Json:
    return {
        "count": len(sample),
        "sample": sample,
        "resolved_work": len(sample),
        "internal_anchors": 0,
        "snapshot_sha256": snapshot_sha256(sample),
    }

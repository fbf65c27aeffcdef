"""Bundles in which every kind of event says something, and records that cite one another.

The bundles come from `tests/vectors/builders.py`, which knows nothing of the program.
"""

from __future__ import annotations

import base64
from dataclasses import replace

from generator.config import Configuration, parse_configuration
from generator.facts import KnownRecord
from generator.formats.raw import RawBundle
from generator.record_files import check_raw_bundle, known_record
from tests.timestamps import generate as timestamps
from tests.vectors.builders import (
    AUTHOR,
    OPERATOR,
    OTHER,
    PAPER,
    REGISTRY,
    Json,
    Paper,
    SigningKey,
    bundle_with,
    compact,
    creation_of,
    digest,
    edited,
    event_of,
    number_of,
    record_of,
    signed,
    snapshot_event,
    snapshot_of,
)
from tests.vectors.cases_integrity import integrity_event, payload_of
from tests.vectors.reading import CONFIGURATION

# A key of the registry's signer that no mirror pins: what it signs cannot be checked.
UNPINNED = SigningKey("test-unpinned", signer_id="nobody.test")


def mirror(
    *,
    headers: bytes = b"",
    accept: bool = False,
    example: bool = True,
    thresholds: str = "",
    base_url: str = "",
) -> Configuration:
    """Configure a mirror with the vectors' test keys."""
    title = f'title = "Test mirror"\nbase_url = "{base_url}"\n'
    text = CONFIGURATION.read_text(encoding="utf-8").replace(
        'title = "Test vectors"\n', f"{title}example_registry = {str(example).lower()}\n"
    )
    if headers:
        text += '\n[trust]\nblock_headers = "headers.txt"\n'
    if accept:
        text = text.replace("[build]\n", '[build]\nuncheckable_events = "accept"\n')
    if thresholds:
        text += f"\n[thresholds]\n{thresholds}\n"
    return parse_configuration(text.encode(), name="mirror.toml", read=lambda _: headers)


def say(
    kind: str,
    payload: Json,
    *,
    key: SigningKey = REGISTRY,
    day: int = 18,
    paper: Paper = PAPER,
) -> Json:
    """Sign an event about a paper's record, on a day of May 2026."""
    event = event_of(record_of(paper), kind, payload, target="record")
    return signed(event, key=key, created_at=f"2026-05-{day:02}T10:00:00Z")


def bundle(*events: Json, paper: Paper = PAPER, references: list[Json] | None = None) -> Json:
    """Make a bundle of a paper with its snapshot and further events."""
    record, snapshot = record_of(paper), snapshot_of(paper)
    if references is not None:
        snapshot = edited(
            snapshot, ("references.sample", references), ("references.count", len(references))
        )
    return bundle_with(
        record, [creation_of(record), signed(snapshot_event(record, snapshot)), *events]
    )


def known(value: Json, configuration: Configuration | None = None) -> KnownRecord:
    """Check and merge a bundle that has to be admitted."""
    configuration = configuration or mirror()
    report = check_raw_bundle(RawBundle("test.json", compact(value)), configuration)
    return known_record(report, configuration)


def proof_payload(tree: bytes, *, paper: Paper = PAPER) -> Json:
    """Give the payload of a timestamp whose proof starts at a paper's record."""
    raw = timestamps.detached(digest(record_of(paper)), tree)
    return {"proof_type": "opentimestamps", "proof_b64": base64.b64encode(raw).decode()}


def headers_of(height: int, *, paper: Paper = PAPER) -> bytes:
    """Give a file with one easy block header that holds the path of a paper's record."""
    _, root = timestamps.path_to_block(digest(record_of(paper)))
    header = timestamps.header(root, time=timestamps.FIRST_BLOCK_TIME)
    return f"{height} {header.hex()}\n".encode()


def path_of(*, paper: Paper = PAPER) -> bytes:
    """Give the operations that lead from a paper's record to the root in `headers_of`."""
    return timestamps.path_to_block(digest(record_of(paper)))[0]


def citation(cited: Paper, relation: str = "extends", **further: Json) -> Json:
    """Give the payload of a citation."""
    return {
        "relation": relation,
        "cited_pith_number": number_of(record_of(cited)),
        **further,
    }


def numbered(index: int) -> Paper:
    """Give one of any number of papers, each with its own record."""
    return replace(
        OTHER,
        source_id=f"2401.{index:05}",
        submitted_at=f"2024-01-{index % 28 + 1:02}T00:00:00Z",
        title=f"Paper number {index} of a series on Schr\\\"odinger's cats",
    )


def every_kind() -> Json:
    """Make a bundle with each kind of event, in most standings."""
    tree = timestamps.FORK + timestamps.append(b"n") + timestamps.pending("https://alice.example/x")
    challenge = say("challenge", {"about": "record", "reason": "Lemma 2 fails for n = 3."}, day=20)
    kept = say("citation", citation(OTHER, note="See section 3."), key=AUTHOR, day=19)
    taken = say("citation", citation(numbered(1), "cites"), key=AUTHOR, day=18)
    about_taken = {"about": taken["event_id"], "reason": "Sent by mistake."}
    copy = {
        "store": "internet-archive",
        "url": "https://web.archive.example/web/20260518/https://arxiv.org/abs/2305.01234v2",
        "sha256": "0123456789abcdef" * 4,
        "stored_at": "2026-05-18T00:00:00Z",
    }
    orcid = {"method": "orcid", "author_name": "Ada Q. Testova", "orcid": "0000-0002-1825-0097"}
    by_key = {"method": "key", "author_name": "Ada Q. Testova"}
    next_key = SigningKey("test-next")
    finding = payload_of(audited_at="2026-05-19T00:00:00Z")
    rescinded = {**finding, "verdict_class": "rescinded", "audited_at": "2026-05-21T00:00:00Z"}
    return bundle(
        say(
            "timestamp_anchored", proof_payload(tree + path_of() + timestamps.bitcoin(250)), day=19
        ),
        say("timestamp_anchored", proof_payload(path_of() + timestamps.bitcoin(100)), day=20),
        say("storage_attested", copy, key=OPERATOR, day=19),
        say("author_claim", {**orcid, "strength": "strong"}, day=19),
        say(
            "author_claim",
            {**by_key, "strength": "strong", "public_key_fingerprint": AUTHOR.fingerprint},
            key=AUTHOR,
            day=20,
        ),
        say("author_claim", {**orcid, "strength": "weak"}, key=AUTHOR, day=21),
        say(
            "author_attestation",
            {"author_name": "Herv\\'e Exemplaire", "statement": "I wrote this, and stand by it."},
            key=AUTHOR,
            day=20,
        ),
        kept,
        taken,
        say(
            "replication",
            {
                "kind": "formal_bridge",
                "outcome": "confirmed",
                "url": "https://lab.example/run/1",
                "system": "Lean 4.9",
                "note": "With the authors’ own data.",
            },
            key=OPERATOR,
            day=22,
        ),
        integrity_event(finding),
        integrity_event(rescinded),
        challenge,
        say(
            "response",
            {"challenge": challenge["event_id"], "text": "Lemma 2 asks for n above 3."},
            key=AUTHOR,
            day=21,
        ),
        say("correction", {"about": "record", "text": "In Table 1 read 0.5."}, key=AUTHOR, day=22),
        say("withdrawal", about_taken, key=AUTHOR, day=23),
        say("alias_added", {"alias_kind": "doi", "alias_value": "10.1000/182"}, day=22),
        say(
            "key_rotation",
            {
                "key_id": next_key.key_id,
                "algorithm": "ed25519",
                "public_key_b64": next_key.public_b64,
                "valid_from": "2026-06-01T00:00:00Z",
                "retires_at": "2026-07-01T00:00:00Z",
            },
            day=24,
        ),
        say("endorsement", {"endorses": kept["event_id"]}, key=OPERATOR, day=22),
        say("peer_review", {"score": 3}, key=OPERATOR, day=22),
        say("citation", citation(numbered(2), "refutes"), key=UNPINNED, day=22),
        say("correction", {"about": "record", "text": "One."}, key=OPERATOR, day=25),
        say("correction", {"about": "record", "text": "Another."}, key=OPERATOR, day=25),
        references=[
            {"arxiv_id": OTHER.source_id},
            {"doi": "10.1007/978-1-84800-044-5_11"},
            {"title": "Nothing that names a work"},
        ],
    )

"""Makes events and bundles from choices: mostly right, sometimes damaged, sometimes signed anew."""

from __future__ import annotations

import json
from copy import deepcopy

from tests.fuzz.choices import Choices
from tests.fuzz.payloads import KEYS, PAPERS, TIMES, claimed_signer, payload_of
from tests.vectors.builders import (
    AUTHOR,
    CREATED_AT,
    EXPIRED,
    REGISTRY,
    SILENT,
    STRANGER,
    Json,
    Paper,
    bundle_with,
    creation_of,
    digest,
    event_of,
    receipt_of,
    record_of,
    sealed,
    snapshot_event,
    snapshot_of,
)

HOSTILE: tuple[Json, ...] = (
    None,
    True,
    0,
    -1,
    1,
    2**53 - 1,
    0.5,
    1e300,
    -0.0,
    [],
    {},
    "",
    " ",
    "record",
    "graph",
    "rescinded",
    "strong",
    "2026-05-18T02:28:13Z",
    "sha256:" + "0" * 64,
    "pith:2023:" + "A" * 26,
    "</script><script>alert(1)</script>",
    "{{ 7*7 }}",
    "\\frac{\\'e}{$x$}\\begin{a}",
    "\u202ea\u0301\u0000\u2028",
    "\U0001f600\U000e0001\ufffe",
    "../" * 20,
    "x" * 300,
    "x" * 11_000,
    [[[[[[]]]]]],
    {"": {"a": [None]}},
    "https://example.org/%00",
    "javascript:alert(1)",
)
TYPES = (
    "citation",
    "endorsement",
    "withdrawal",
    "graph_snapshot",
    "pith.integrity.v1",
    "timestamp_anchored",
    "storage_attested",
    "author_claim",
    "author_attestation",
    "replication",
    "challenge",
    "response",
    "correction",
    "key_rotation",
    "alias_added",
    "record_created",
    "example.unknown.v1",
)


def configuration_text(choices: Choices) -> str:
    """Spell a `mirror.toml` with every test key, under one of a few policies.

    Args:
        choices: decide on the policy.

    Returns:
        TOML.
    """
    policy = choices.pick(("carry", "accept"))
    lines = ["[build]", f'uncheckable_events = "{policy}"']
    if choices.seldom(3):
        lines += ["[thresholds]", "citation = 2", "withdrawal = 2", "graph_snapshot = 1"]
    for key in KEYS[:-1]:
        lines += [
            "[[trusted_keys]]",
            f'key_id = "{key.key_id}"',
            'algorithm = "ed25519"',
            f'public_key_b64 = "{key.public_b64}"',
            f'signer_id = "{key.signer_id}"',
            f"roles = {json.dumps(list(key.roles))}",
            f'event_profile = "{key.profile}"',
            f"valid_from = {key.valid_from}",
        ]
        lines += [f"valid_until = {key.valid_until}"] if key.valid_until else []
        lines += [f"revoked_at = {key.revoked_at}"] if key.revoked_at else []
    return "\n".join(lines) + "\n"


def hostile(choices: Choices) -> Json:
    """Pick a value that no field expects; a copy, since what is made may be damaged further."""
    return deepcopy(choices.pick(HOSTILE))


def integrity_event(choices: Choices, paper: Paper) -> Json:
    """Make an integrity event by the registry's own rule (protocol part 7), mostly a right one.

    Args:
        choices: decide on its fields.
        paper: what the record is of.

    Returns:
        The event.
    """
    detector = choices.pick(("doi_compliance", "other"))
    evidence = choices.pick((None, {"a": 1}, {"ref_index": 2}))
    payload = dict.fromkeys(
        ("detected_arxiv_id", "detected_doi", "external_url", "note", "resolved_title", "snippet")
    ) | {
        "arxiv_id": choices.pick((paper.source_id, paper.source_id, "2001.00001")),
        "audited_at": choices.pick(TIMES[:-1]),
        "detector": detector,
        "detector_url": "https://example.org/",
        "detector_version": "1",
        "event_type": "pith.integrity.v1",
        "evidence": evidence,
        "evidence_hash": digest({"d": detector, "e": evidence}).hex(),
        "finding_type": "recoverable_identifier",
        "paper_version": 1,
        "ref_index": choices.pick((1, 2)),
        "severity": choices.pick(("advisory", "critical", "informational")),
        "verdict_class": choices.pick(("incontrovertible", "rescinded")),
    }
    damage(payload, choices, odds=12)
    key = choices.pick((REGISTRY, REGISTRY, SILENT, EXPIRED, AUTHOR, STRANGER))
    value = digest(payload)
    return {
        "event_id": choices.below(4),
        "event_type": "pith.integrity.v1",
        "payload_sha256": value.hex(),
        "signature_b64": key.signature(value),
        "signing_key_id": key.key_id,
        "created_at": "2026-05-19T23:15:26+00:00",
        "payload": payload,
    }


def make_event(choices: Choices, paper: Paper, known: list[str], *, odds: int) -> Json:
    """Make one event.

    Args:
        choices: decide on kind, payload, signer, time and damage.
        paper: what the record is of.
        known: ids of events made before; the new one's is added.
        odds: one in how many things is damaged.

    Returns:
        The event.
    """
    kind = choices.pick(TYPES)
    if kind == "pith.integrity.v1":
        event = integrity_event(choices, paper)
        known.append("sha256:" + str(event["payload_sha256"]))
        return event
    record = record_of(paper)
    target = choices.pick(("graph", "graph", "record", "other"))
    event = event_of(record, kind, payload_of(kind, choices, paper, known), target=target)
    damage(event["payload"], choices, odds=odds)
    time = choices.pick(TIMES[:4] if odds > 50 else TIMES)
    key = choices.pick(KEYS)
    event |= {"signer": dict(claimed_signer(key))} | ({} if time is None else {"created_at": time})
    damage(event, choices, odds=odds)
    if choices.seldom(6):
        return event  # unsigned
    event = sealed(event, key=choices.pick(KEYS) if choices.seldom(12) else key)
    known.append(str(event["event_id"]))
    damage(event, choices, odds=odds * 2)
    return event


def make_bundle(choices: Choices, *, odds: int = 16) -> Json:
    """Make a bundle with up to ten further events.

    Args:
        choices: decide on everything.
        odds: one in how many things is damaged.

    Returns:
        The bundle; the record, its identifiers and its receipt are made anew after some damage.
    """
    paper = choices.pick(PAPERS)
    record = record_of(paper)
    damage(record, choices, odds=odds * 2)
    receipt = receipt_of(record, key=choices.pick((REGISTRY, REGISTRY, REGISTRY, SILENT, AUTHOR)))
    creation = creation_of(record, receipt=receipt)
    known: list[str] = []
    events = [creation]
    if choices.seldom(2):
        events.append(sealed_snapshot(record, paper, known))
    while choices.left and len(events) < 12:
        events.append(make_event(choices, paper, known, odds=odds))
    if choices.seldom(4):
        events.append(choices.pick(events))
    if choices.seldom(4):
        events.reverse()
    bundle = bundle_with(record, events)
    damage(bundle, choices, odds=odds)
    return bundle


def sealed_snapshot(record: Json, paper: Paper, known: list[str]) -> Json:
    """Make a right snapshot and note its id.

    Args:
        record: the record.
        paper: what it is of.
        known: ids of events made before.

    Returns:
        The event.
    """
    event = snapshot_event(record, snapshot_of(paper))
    event = sealed({**event, "created_at": CREATED_AT, "signer": claimed_signer(REGISTRY)})
    known.append(str(event["event_id"]))
    return event


def damage(value: Json, choices: Choices, *, odds: int) -> None:
    """Change one place of a value, if the choice says so.

    Args:
        value: an object or array; changed in place.
        choices: decide whether, where and how.
        odds: one in how many is changed.
    """
    if not choices.seldom(odds):
        return
    place = value
    for _ in range(choices.below(7)):
        inner = _inner(place)
        if not inner:
            break
        place = choices.pick(inner)
    if isinstance(place, list):
        _damage_array(place, choices)
    elif isinstance(place, dict):
        _damage_object(place, choices)


def _inner(value: Json) -> list[Json]:
    items = value.values() if isinstance(value, dict) else value
    return [item for item in items if isinstance(item, dict | list)]


def _damage_array(place: list[Json], choices: Choices) -> None:
    action = choices.below(3)
    if action == 0 or not place:
        place.insert(choices.below(len(place) + 1), hostile(choices))
    elif action == 1:
        place.pop(choices.below(len(place)))
    else:
        place.append(deepcopy(choices.pick(place)))


def _damage_object(place: dict[str, Json], choices: Choices) -> None:
    keys = sorted(place) or ["key"]
    key = choices.pick(keys)
    action = choices.below(6)
    if action == 0:
        place.pop(key, None)
    elif action == 1:
        place[choices.pick(("extra", "state", "", "\u202e", "signer", "created_at"))] = deepcopy(
            place.get(key)
        )
    elif action == 2:
        place[key] = choices.pick(TIMES)
    elif action == 3 and isinstance(place.get(key), str):
        text = str(place[key])
        at = choices.below(len(text) + 1)
        new = choices.pick(("", "=", "A", "\u00e9", " ", "\n", "0"))
        place[key] = text[:at] + new + text[at + 1 :]
    elif action == 4:
        place[key] = deepcopy(place.get(choices.pick(keys)))
    else:
        place[key] = hostile(choices)


def spelled(bundle: Json) -> bytes:
    """Spell a bundle as a file holds it; equal values may be one object in memory.

    Args:
        bundle: any JSON.

    Returns:
        Compact ASCII.
    """
    return json.dumps(bundle, separators=(",", ":"), allow_nan=True).encode()

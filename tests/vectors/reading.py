"""Reads the vectors back from disk, and compares what the program says with what was expected."""

from __future__ import annotations

import base64
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.errors import FormatError
from generator.formats.canonical import parse_json_array
from generator.formats.instant import Instant, parse_instant
from generator.formats.keys import EventProfile, Role, TrustedKey, TrustedKeys, trusted_keys
from generator.formats.rotation import apply_rotations
from generator.merge import RecordState, merge_bundles
from generator.standing import MergePolicy, Standing, UncheckableEvents
from generator.state import state_json
from generator.verify import BundleReport
from tests.vectors.cases_large import large_vectors

HERE = Path(__file__).resolve().parent
BUNDLES = HERE / "bundles"
EXPECTED = HERE / "expected"
ROTATIONS = HERE / "rotations"
EXPECTED_ROTATIONS = HERE / "rotations-expected"
CONFIGURATION = HERE / "mirror.toml"


@dataclass(frozen=True, slots=True)
class StoredVector:
    """A vector read back."""

    name: str
    data: bytes
    expected: dict[str, Any]


def stored_vectors() -> tuple[StoredVector, ...]:
    """Read every file of the folder with its expectation, and build those too large for it.

    Returns:
        The vectors, by name, and the large ones last.
    """
    stored = (
        StoredVector(
            path.stem,
            path.read_bytes(),
            json.loads((EXPECTED / path.name).read_text(encoding="utf-8")),
        )
        for path in sorted(BUNDLES.iterdir())
    )
    large = (StoredVector(item.name, item.data, item.sidecar) for item in large_vectors())
    return (*stored, *large)


def stored_rotations() -> tuple[StoredVector, ...]:
    """Read every file of key rotations with its expectation.

    Returns:
        The vectors, by name.
    """
    return tuple(
        StoredVector(
            path.stem,
            path.read_bytes(),
            json.loads((EXPECTED_ROTATIONS / path.name).read_text(encoding="utf-8")),
        )
        for path in sorted(ROTATIONS.iterdir())
    )


def said_of_rotations(data: bytes, trust: TrustedKeys) -> dict[str, Any]:
    """Apply a file of rotations and put what comes of it into the form of an expectation.

    Args:
        data: the file.
        trust: the keys that are pinned by hand.

    Returns:
        Whether it is refused, and the keys that are new or have changed.
    """
    try:
        after = apply_rotations(trust, parse_json_array(data, subject="rotations"))
    except FormatError:
        return {"refused": True, "keys": None}
    keys = [_key_row(key) for key in after.by_id.values() if key != trust.find(key.key_id)]
    return {"refused": False, "keys": keys}


def vector_trust() -> TrustedKeys:
    """The keys that the vectors' configuration pins.

    Returns:
        The trust under which every expectation holds.
    """
    table = tomllib.loads(CONFIGURATION.read_text(encoding="utf-8"))
    return trusted_keys(_key(row) for row in table["trusted_keys"])


def said(report: BundleReport, expected: dict[str, Any]) -> dict[str, Any]:
    """Put a report, and the state merged from it, into the form of an expectation.

    Args:
        report: what the program says of a vector.
        expected: the expectation; it holds the operator's policy, and says whether the lists of the
            state are asked for.

    Returns:
        What `published` in `vector.py` describes.
    """
    rows: dict[str, int] = {}
    not_verified = []
    judged = () if report.verified is None else report.verified.events
    reasons = {event.check: event.reason for event in judged}
    for check in report.checks:
        rows[check.step] = rows.get(check.step, 0) + 1
        if check.outcome.value != "verified":
            row = [check.step, check.name, check.outcome.value]
            # From V8 on there is a row for each event: which one, is part of what is expected.
            event = [check.subject.split(" ", maxsplit=1)[0]] if int(check.step[1:]) >= 8 else []
            reason = reasons.get(check)
            not_verified.append([*row, *event, *([reason.value] if reason else [])])
    events = None if report.verified is None else report.verified.events
    found = {
        "verdict": report.verdict.value,
        "not_verified": not_verified,
        "rows": rows,
        "distinct_events": None if events is None else len({event.identity for event in events}),
        "not_counting": None,
        "equivocations": None,
    }
    if report.verified is not None:
        state = merge_bundles([report.verified], policy=_policy(expected.get("policy", {})))
        found["not_counting"] = [
            [state.standing(event).value, f"events[{index}]"]
            for index, event in enumerate(report.verified.events)
            if state.standing(event) is not Standing.COUNTS
        ]
        found["equivocations"] = len(state.equivocations)
        if "current" in expected:
            found["current"] = _lists(state)
    return found


def _policy(table: dict[str, Any]) -> MergePolicy:
    return MergePolicy(
        UncheckableEvents(table.get("uncheckable_events", "carry")),
        tuple(table.get("thresholds", {}).items()),
    )


def _lists(state: RecordState) -> dict[str, int]:
    current: Any = state_json(state)["current"]
    return {
        name: len(items)
        for name, items in current.items()
        if isinstance(items, list) and items and name != "source_aliases"
    }


def _key_row(key: TrustedKey) -> dict[str, Any]:
    return {
        "key_id": key.key_id,
        "public_key_b64": key.public_key_b64,
        "signer_id": key.signer_id,
        "roles": [role.value for role in key.roles],
        "event_profile": key.event_profile.value,
        "valid_from": _text(key.valid_from),
        "valid_until": _text(key.valid_until),
        "revoked_at": _text(key.revoked_at),
    }


def _text(moment: Instant | None) -> str | None:
    # `mirror.toml` is read with Python's spelling of an offset.
    return None if moment is None else str(moment).replace("+00:00", "Z")


def _key(row: dict[str, Any]) -> TrustedKey:
    return TrustedKey(
        key_id=row["key_id"],
        public_key=base64.b64decode(row["public_key_b64"], validate=True),
        signer_id=row["signer_id"],
        roles=tuple(Role(role) for role in row["roles"]),
        valid_from=_instant(row["valid_from"].isoformat()),
        valid_until=_instant(row["valid_until"].isoformat()) if "valid_until" in row else None,
        revoked_at=_instant(row["revoked_at"].isoformat()) if "revoked_at" in row else None,
        event_profile=EventProfile(row["event_profile"]),
    )


def _instant(text: str) -> Instant:
    return parse_instant(text, subject="mirror.toml")

"""Reads the vectors back from disk, and compares what the program says with what was expected."""

from __future__ import annotations

import base64
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.formats.instant import Instant, parse_instant
from generator.formats.keys import EventProfile, Role, TrustedKey, TrustedKeys, trusted_keys
from generator.verify import BundleReport
from tests.vectors.cases_large import large_vectors

HERE = Path(__file__).resolve().parent
BUNDLES = HERE / "bundles"
EXPECTED = HERE / "expected"
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


def vector_trust() -> TrustedKeys:
    """The keys that the vectors' configuration pins.

    Returns:
        The trust under which every expectation holds.
    """
    table = tomllib.loads(CONFIGURATION.read_text(encoding="utf-8"))
    return trusted_keys(_key(row) for row in table["trusted_keys"])


def said(report: BundleReport) -> dict[str, Any]:
    """Put a report into the form of an expectation.

    Args:
        report: what the program says of a vector.

    Returns:
        Verdict, rows not verified, number of rows of each step, events of different identity.
    """
    rows: dict[str, int] = {}
    not_verified = []
    for check in report.checks:
        rows[check.step] = rows.get(check.step, 0) + 1
        if check.outcome.value != "verified":
            row = [check.step, check.name, check.outcome.value]
            # From V8 on there is a row for each event: which one, is part of what is expected.
            event = [check.subject.split(" ", maxsplit=1)[0]] if int(check.step[1:]) >= 8 else []
            not_verified.append([*row, *event])
    events = None if report.verified is None else report.verified.events
    return {
        "verdict": report.verdict.value,
        "not_verified": not_verified,
        "rows": rows,
        "distinct_events": None if events is None else len({event.identity for event in events}),
    }


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

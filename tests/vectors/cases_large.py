"""Vectors too large for the repository: built where they are used, never written."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from tests.vectors.builders import PAPER, bundle_of, compact, creation_of, event_of, record_of
from tests.vectors.vector import (
    MALFORMED,
    NO_SIGNATURE,
    Vector,
    event_row,
    published,
    unread,
    vector,
)

GREATEST_LENGTH = 8 * 1024 * 1024  # bytes of a bundle
GREATEST_COUNT = 10_000  # events of a bundle
GREATEST_PROOF = 64 * 1024  # bytes of an OpenTimestamps proof


def large_vectors() -> Iterator[Vector]:
    """Bundles at a bound, and one beyond it."""
    data = compact(bundle_of())
    why = "8 MiB is the greatest length of a bundle"
    yield vector("valid-length-8-mib", why, data.ljust(GREATEST_LENGTH), published())
    yield vector("v1-length-8-mib-and-1", why, data.ljust(GREATEST_LENGTH + 1), unread("V1"))
    record = record_of(PAPER)
    for name, count, row in (
        ("", GREATEST_PROOF, event_row(1, NO_SIGNATURE)),
        ("-and-1", GREATEST_PROOF + 1, event_row(1, MALFORMED)),
    ):
        payload = {
            "proof_type": "opentimestamps",
            "proof_b64": base64.b64encode(bytes(count)).decode(),
        }
        anchored = event_of(record, "timestamp_anchored", payload)
        bundle = {**bundle_of(), "events": [creation_of(record), anchored]}
        expected = published(row, sections=0, bindings=0)
        why = "64 KiB is the greatest length of a proof, even of one that nobody signed"
        yield vector(f"v8-timestamp-proof-64-kib{name}", why, bundle, expected)
    note = event_of(record, "n", {})
    for name, count in (("10000", GREATEST_COUNT), ("10001", GREATEST_COUNT + 1)):
        bundle = {**bundle_of(), "events": [creation_of(record), *[note] * (count - 1)]}
        rows = tuple(event_row(index, NO_SIGNATURE) for index in range(1, count))
        read = published(*rows, events=count, sections=0, bindings=0, distinct=2)
        expected = read if count == GREATEST_COUNT else unread("V3")
        yield vector(
            f"v3-events-{name}", "10,000 is the greatest number of events", bundle, expected
        )

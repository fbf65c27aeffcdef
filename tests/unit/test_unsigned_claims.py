"""What nobody signed is never shown beside "verified", and never chosen by the order of ids."""

from __future__ import annotations

from generator.event_table import event_table
from generator.formats.checks import Outcome
from tests.factories import known_of, state_of
from tests.vectors.builders import (
    AUTHOR,
    PAPER,
    bundle_of,
    creation_of,
    edited,
    record_of,
    signed,
    signer_of,
    snapshot_event,
    snapshot_of,
)

RECORD = record_of(PAPER)
SNAPSHOT = signed(snapshot_event(RECORD, snapshot_of(PAPER)))


def test_forged_signer_of_a_creation_is_not_shown_as_verified() -> None:
    """A creation proven by its receipt alone can claim any signer and time; neither is shown."""
    bundle = bundle_of(PAPER)
    claims = {"created_at": "9999-01-01T00:00:00Z", "signer": signer_of(AUTHOR)}
    bundle["events"][0] = {**creation_of(RECORD), **claims}
    rows = event_table(known_of(bundle)).rows
    creation = next(row for row in rows if row.event_type == "record_created")
    assert creation.outcome == Outcome.VERIFIED.value
    assert (creation.signer, creation.created_at) == ("", "")


def test_snapshot_of_another_target_is_never_the_current_one() -> None:
    """Two snapshots that one signer dates alike under two targets do not compete by their ids."""
    other = edited(snapshot_of(PAPER), ("verdict.strongest_claim", "other"))
    for number in range(8):
        rival = signed({**snapshot_event(RECORD, other), "target": f"graph{number}"})
        current = state_of(bundle_of(PAPER, rival)).current_snapshot
        assert current is not None
        assert current.json == SNAPSHOT

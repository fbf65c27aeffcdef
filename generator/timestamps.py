"""What the timestamps of a record prove: each attestation against the operator's block headers.

This is not part of `state.json`: which headers a mirror holds is its operator's choice, and two
mirrors with the same events must have the same state.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.formats.block_headers import AttestationCheck, BlockHeaders, check_attestation
from generator.formats.checks import Outcome
from generator.formats.payloads import Timestamp
from generator.formats.timestamp_proof import Bitcoin, Pending, Unknown, parse_timestamp_proof
from generator.merge import RecordState
from generator.verify_events import JudgedEvent


@dataclass(frozen=True, slots=True)
class AnchoredTimestamp:
    """A `timestamp_anchored` event: the calendars it waits for, and each Bitcoin attestation.

    `unknown` are tags of attestations of kinds that nothing here checks.
    """

    event: JudgedEvent
    pending: tuple[str, ...]
    bitcoin: tuple[tuple[int, AttestationCheck], ...]
    unknown: tuple[str, ...] = ()


def check_timestamps(state: RecordState, headers: BlockHeaders) -> tuple[AnchoredTimestamp, ...]:
    """Check the timestamps of a record.

    Args:
        state: the merged state; only events that count are looked at.
        headers: the block headers that the operator supplies.

    Returns:
        One row per event, in merge order.
    """
    return tuple(
        _check(event, event.payload, headers)
        for event in state.counting("timestamp_anchored")
        if isinstance(event.payload, Timestamp) and event.outcome is Outcome.VERIFIED
    )


def is_anchored(timestamps: tuple[AnchoredTimestamp, ...]) -> bool:
    """Tell whether a block is proven to hold a record.

    Args:
        timestamps: from `check_timestamps`.

    Returns:
        True if an attestation verified against a block header.
    """
    return any(
        check.finding.outcome is Outcome.VERIFIED
        for timestamp in timestamps
        for _, check in timestamp.bitcoin
    )


def _check(event: JudgedEvent, payload: Timestamp, headers: BlockHeaders) -> AnchoredTimestamp:
    # The event verified, so V8 has parsed this proof and found that it commits to the record.
    proof = parse_timestamp_proof(payload.proof, subject=event.identity)
    return AnchoredTimestamp(
        event=event,
        pending=tuple(a.uri for a in proof.attestations if isinstance(a, Pending)),
        bitcoin=tuple(
            (a.height, check_attestation(a, headers))
            for a in proof.attestations
            if isinstance(a, Bitcoin)
        ),
        unknown=tuple(a.tag for a in proof.attestations if isinstance(a, Unknown)),
    )

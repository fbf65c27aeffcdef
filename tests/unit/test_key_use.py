"""key_use.py: what each key signed, each signature once; announced keys are never trusted."""

from __future__ import annotations

import pytest

from generator.formats.checks import Outcome
from generator.formats.raw import RawBundle
from generator.key_use import KeyUse, count_key_use
from tests.statement_bundles import bundle, citation, every_kind, mirror, say
from tests.vectors.builders import (
    AUTHOR,
    OPERATOR,
    OTHER,
    PAPER,
    REGISTRY,
    SILENT,
    STRANGER,
    Json,
    SigningKey,
    bundle_with,
    compact,
    creation_of,
    edited,
    flipped,
    receipt_of,
    record_of,
)

MIRROR = mirror()
CITES = say("citation", citation(OTHER), key=AUTHOR)
NEXT = SigningKey("test-next")


def use_of(*values: Json | bytes, limit: int = 10) -> KeyUse:
    """Count what the keys signed in bundles."""
    raws = (
        RawBundle("x.json", value if isinstance(value, bytes) else compact(value))
        for value in values
    )
    return count_key_use(raws, MIRROR, unpinned_limit=limit)


def counts(use: KeyUse, key: SigningKey) -> dict[tuple[str, str], int]:
    """Give the counts of a key by kind and outcome."""
    return {(c.kind, c.outcome.value): c.count for c in use.signed[key.key_id]}


def rotation(key: SigningKey = NEXT, *, by: SigningKey = REGISTRY, **changes: Json) -> Json:
    """Announce a key."""
    payload = {
        "key_id": key.key_id,
        "algorithm": "ed25519",
        "public_key_b64": key.public_b64,
        "valid_from": "2026-06-01T00:00:00Z",
    }
    return say("key_rotation", {**payload, **changes}, key=by)


def test_receipts_and_events_are_counted_by_key_kind_and_outcome() -> None:
    """A key's receipts and its events stand apart, each with its outcome."""
    use = use_of(bundle(CITES), bundle(paper=OTHER))
    assert counts(use, REGISTRY) == {
        ("receipt", "verified"): 2,
        ("graph_snapshot", "verified"): 2,
    }
    assert counts(use, AUTHOR) == {("citation", "verified"): 1}
    assert counts(use, OPERATOR) == {}
    assert use.bundles == 2


def test_signature_counts_once() -> None:
    """Copies of a bundle, or of an event in several bundles, are one signature."""
    use = use_of(bundle(CITES), bundle(CITES), bundle(CITES, CITES))
    assert counts(use, AUTHOR) == {("citation", "verified"): 1}
    assert counts(use, REGISTRY) == {("receipt", "verified"): 1, ("graph_snapshot", "verified"): 1}


def test_time_in_a_receipt_makes_no_other_receipt() -> None:
    """The time is signed by nobody, so a changed one does not count as a second signature."""
    later = edited(bundle(), ("events.0.payload.receipt.signed_at", "2026-05-19T00:00:00Z"))
    assert counts(use_of(bundle(), later), REGISTRY)["receipt", "verified"] == 1


def test_forged_signature_is_counted_as_failed() -> None:
    """A signature in the name of a key that is not the key's counts as failed, receipts too."""
    forged = edited(CITES, ("signature_b64", flipped(CITES["signature_b64"])))
    wrong = edited(receipt_of(record_of(OTHER)), ("signature_b64", NEXT.signature(b"")))
    record = record_of(OTHER)
    rejected = bundle_with(record, [creation_of(record, receipt=wrong)])
    use = use_of(bundle(forged), rejected)
    assert counts(use, AUTHOR) == {("citation", "failed"): 1}
    assert counts(use, REGISTRY)["receipt", "failed"] == 1
    assert counts(use, REGISTRY)["receipt", "verified"] == 1


def test_unsigned_event_is_signed_by_nobody() -> None:
    """An event that names a signer but holds no signature is not booked on that signer's key."""
    unsigned = {key: value for key, value in CITES.items() if key != "signature_b64"}
    assert counts(use_of(bundle(unsigned)), AUTHOR) == {}
    creation = {**creation_of(record_of(PAPER)), "signer": CITES["signer"]}
    assert counts(use_of(bundle_with(record_of(PAPER), [creation])), AUTHOR) == {}


def test_events_that_cannot_be_checked_are_counted_as_such() -> None:
    """An id by a rule nobody knows is neither verified nor failed."""
    strange = edited(
        say("citation", citation(OTHER), key=SILENT), ("event_id", f"sha256:{'0' * 64}")
    )
    assert counts(use_of(bundle(strange)), SILENT) == {("citation", "not checkable"): 1}


def test_integrity_findings_are_booked_on_their_key() -> None:
    """Integrity events name their key in another field; they are counted like the others."""
    assert counts(use_of(every_kind()), REGISTRY)["pith.integrity.v1", "verified"] == 2


def test_announced_key_is_told_and_not_trusted() -> None:
    """A genuine rotation to a key that is not pinned is listed as announced, with who says so."""
    event = rotation(retires_at="2026-07-01T00:00:00Z")
    use = use_of(bundle(event))
    (announced,) = use.announced
    assert announced.key_id == "test-next"
    assert announced.old_key_id == "test-registry"
    assert announced.fingerprint == NEXT.fingerprint
    assert announced.valid_from == "2026-06-01T00:00:00Z"
    assert announced.retires_at == "2026-07-01T00:00:00Z"
    assert announced.event_id == event["event_id"]
    assert not announced.contradicts_pin
    assert "test-next" not in use.signed


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(rotation(by=STRANGER), id="by-a-stranger"),
        pytest.param(edited(rotation(), ("payload.key_id", "test-else")), id="altered"),
        pytest.param(
            edited(rotation(), ("signature_b64", flipped(rotation()["signature_b64"]))), id="forged"
        ),
        pytest.param(rotation(AUTHOR), id="pinned-already"),
    ],
)
def test_no_other_rotation_announces_a_key(event: Json) -> None:
    """Only a rotation that verified announces anything, and not of a key that is pinned anyway."""
    assert use_of(bundle(event)).announced == ()


def test_announcement_that_contradicts_a_pinned_key_says_so() -> None:
    """A rotation to a pinned id with another key is told apart: somebody is wrong."""
    (announced,) = use_of(bundle(rotation(key_id=AUTHOR.key_id))).announced
    assert announced.contradicts_pin
    assert announced.fingerprint == NEXT.fingerprint


def test_keys_that_are_not_pinned_are_named_by_frequency() -> None:
    """Other key ids that bundles name are listed, the most frequent first, and the rest counted."""
    strangers = [
        say("citation", citation(OTHER), key=SigningKey(f"stranger-{n}", signer_id="s"), day=day)
        for n in range(5)
        for day in range(1, n + 2)
    ]
    use = use_of(bundle(*strangers), limit=2)
    assert use.unpinned == (("stranger-4", 5), ("stranger-3", 4))
    assert use.unpinned_count == 5


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff"])
def test_bundle_that_cannot_be_read_signs_nothing(data: bytes) -> None:
    """Bytes that are no bundle are passed over, but were looked at."""
    use = use_of(data)
    assert use.bundles == 1
    assert not any(use.signed.values())


@pytest.mark.parametrize("receipt", [None, {}, [], {"kind": "pith_receipt"}])
def test_malformed_receipt_is_booked_on_no_key(receipt: Json) -> None:
    """A receipt without key or signature is nobody's."""
    value = edited(bundle(), ("events.0.payload.receipt", receipt))
    assert not any(use_of(value).signed.values())
    assert Outcome.VERIFIED not in {c.outcome for c in use_of(value).signed["test-registry"]}

"""Key use: what each key signed in a collection of bundles, counted in SQLite on disk.

A signature counts once, however many bundles repeat it. Keys that bundles announce or name are
listed apart from the trusted ones: a bundle never adds to the trust (protocol part 8).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from generator.config import Configuration
from generator.errors import FormatError
from generator.formats.bundle import shape_of
from generator.formats.canonical import JsonObject
from generator.formats.checks import Outcome
from generator.formats.digest import Digest, canonical_digest, sha256
from generator.formats.keys import FINGERPRINT_LENGTH, TrustedKeys
from generator.formats.payloads import KeyRotation
from generator.formats.raw import RawBundle
from generator.load import Loaded
from generator.verify import BundleReport, check_bundle
from generator.verify_creation import RECEIPT_STEP, check_creation, receipt_of
from generator.verify_events import JudgedEvent

RECEIPT = "receipt"
_SCHEMA = """
CREATE TABLE signatures (key_id TEXT, kind TEXT, outcome TEXT, identity TEXT,
    PRIMARY KEY (key_id, kind, outcome, identity)) WITHOUT ROWID;
CREATE TABLE rotations (key_id TEXT, old_key_id TEXT, public_key BLOB, valid_from TEXT,
    retires_at TEXT, event_id TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_COUNTS = """
SELECT kind, outcome, count(*) FROM signatures WHERE key_id = ?
GROUP BY kind, outcome ORDER BY kind != 'receipt', kind, outcome
"""
_WORST_FIRST = (Outcome.FAILED, Outcome.NOT_CHECKABLE, Outcome.VERIFIED)
_OTHERS = """
SELECT key_id, count(*) AS signed FROM signatures GROUP BY key_id ORDER BY signed DESC, key_id
"""


@dataclass(frozen=True, slots=True)
class SignedCount:
    """How many signatures of one kind and outcome bundles hold in the name of a key."""

    kind: str  # "receipt" or an event type
    outcome: Outcome
    count: int


@dataclass(frozen=True, slots=True)
class AnnouncedKey:
    """A key that a trusted key's own signed rotation names."""

    key_id: str
    old_key_id: str
    fingerprint: str
    valid_from: str
    retires_at: str  # empty where the rotation does not say
    event_id: str
    contradicts_pin: bool  # the id is pinned, but for another key


@dataclass(frozen=True, slots=True)
class KeyUse:
    """What bundles say of keys, by key id. `unpinned` are the most frequent other ids they name."""

    signed: Mapping[str, tuple[SignedCount, ...]]
    announced: tuple[AnnouncedKey, ...]
    unpinned: tuple[tuple[str, int], ...]
    unpinned_count: int
    bundles: int


def count_key_use(
    loaded: Iterable[Loaded], configuration: Configuration, *, unpinned_limit: int = 10
) -> KeyUse:
    """Count what each key signed.

    Args:
        loaded: bundles, one at a time.
        configuration: the mirror's.
        unpinned_limit: how many of the other key ids to name.

    Returns:
        The counts. In a bundle that is rejected only the receipts are counted, since its events are
        not verified.
    """
    tally = _Tally(configuration.trust)
    try:
        bundles = 0
        for item in loaded:
            if isinstance(item, RawBundle):
                tally.add(check_bundle(item, configuration.trust), item)
                bundles += 1
        return tally.result(bundles, unpinned_limit)
    finally:
        tally.close()


class _Tally:
    """The signatures of one run, in a file that is gone when it is closed."""

    def __init__(self, trust: TrustedKeys) -> None:
        self._trust = trust
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_SCHEMA} BEGIN;")

    def close(self) -> None:
        self._db.close()

    def add(self, report: BundleReport, raw: RawBundle) -> None:
        bundle = report.verified.bundle if report.verified else shape_of(raw)
        if bundle is not None:
            for creation in bundle.creations:
                self._add_receipt(creation, bundle.record.digest)
        for event in report.verified.events if report.verified else ():
            self._add_event(event)

    def result(self, bundles: int, limit: int) -> KeyUse:
        others = [
            (str(key_id), int(count))
            for key_id, count in self._db.execute(_OTHERS)
            if self._trust.find(key_id) is None
        ]
        return KeyUse(
            signed={key_id: tuple(self._counts(key_id)) for key_id in self._trust.by_id},
            announced=tuple(self._announced()),
            unpinned=tuple(others[:limit]),
            unpinned_count=len(others),
            bundles=bundles,
        )

    def _add_receipt(self, creation: JsonObject, digest: Digest) -> None:
        try:
            receipt = receipt_of(creation)
        except FormatError:
            return
        checks = check_creation(creation, digest, self._trust)
        outcomes = {check.outcome for check in checks if check.step == RECEIPT_STEP}
        outcome = next(o for o in _WORST_FIRST if o in outcomes)
        # The time in a receipt is signed by nobody: another one makes no other receipt.
        identity = str(digest)
        if outcome is not Outcome.VERIFIED:
            identity += f" {canonical_digest(receipt.json)}"
        self._add(receipt.key_id, RECEIPT, outcome, identity)

    def _add_event(self, judged: JudgedEvent) -> None:
        if judged.integrity is not None:
            self._add(judged.integrity.key_id, judged.event_type, judged.outcome, judged.identity)
        event = judged.event
        # An event that names a signer and holds no signature is signed by nobody.
        if event is None or event.signer is None or event.signature is None:
            return
        self._add(event.signer.key_id, judged.event_type, judged.outcome, judged.identity)
        if judged.signed and isinstance(judged.payload, KeyRotation):
            self._add_rotation(judged.payload, event.signer.key_id, judged.identity)

    def _add(self, key_id: str, kind: str, outcome: Outcome, identity: str) -> None:
        self._db.execute(
            "INSERT OR IGNORE INTO signatures VALUES (?, ?, ?, ?)",
            (key_id, kind, outcome.value, identity),
        )

    def _add_rotation(self, rotation: KeyRotation, old_key_id: str, event_id: str) -> None:
        self._db.execute(
            "INSERT OR IGNORE INTO rotations VALUES (?, ?, ?, ?, ?, ?)",
            (
                rotation.key_id,
                old_key_id,
                rotation.public_key,
                str(rotation.valid_from),
                str(rotation.retires_at or ""),
                event_id,
            ),
        )

    def _counts(self, key_id: str) -> Iterator[SignedCount]:
        for kind, outcome, count in self._db.execute(_COUNTS, (key_id,)):
            yield SignedCount(kind, Outcome(outcome), count)

    def _announced(self) -> Iterator[AnnouncedKey]:
        rows = self._db.execute("SELECT * FROM rotations ORDER BY key_id, event_id")
        for key_id, old_key_id, public_key, valid_from, retires_at, event_id in rows:
            pinned = self._trust.find(key_id)
            if pinned is None or pinned.public_key != public_key:
                yield AnnouncedKey(
                    key_id=key_id,
                    old_key_id=old_key_id,
                    fingerprint=sha256(public_key).raw[:FINGERPRINT_LENGTH].hex(),
                    valid_from=valid_from,
                    retires_at=retires_at,
                    event_id=event_id,
                    contradicts_pin=pinned is not None,
                )

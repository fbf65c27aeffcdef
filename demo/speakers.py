"""Who speaks in the example registry, and how they sign.

Every secret is the SHA-256 of a label, so the keys are worth nothing. The two ORCID iDs have right
check digits and lie outside the numbers that ORCID gives to people.
"""

from __future__ import annotations

from tests.vectors.builders import (
    Json,
    Paper,
    SigningKey,
    creation_of,
    event_of,
    number_of,
    receipt_of,
    record_of,
    sealed,
    signed,
    signer_of,
    snapshot_of,
)

REGISTRY = SigningKey("example-registry-2026a", signer_id="registry.example")
# What the rotation below makes of it; `mirror.toml` pins only the first.
RETIRES_AT = "2026-09-01T00:00:00Z"
NEXT = SigningKey(
    "example-registry-2026b", signer_id="registry.example", valid_from="2026-08-01T00:00:00Z"
)
LOST = SigningKey(
    "example-registry-lost", signer_id="registry.example", revoked_at="2026-06-15T00:00:00Z"
)
ADA = SigningKey("example-ada", signer_id="orcid:0000-0000-0000-0001", roles=("author",))
BEN = SigningKey("example-ben", signer_id="orcid:0000-0000-0000-001X", roles=("author",))
LIBRARY = SigningKey("example-library", signer_id="library.example", roles=("operator",))
LAB = SigningKey("example-lab", signer_id="lab.example", roles=("operator",))
# Its owner has not said how event ids are derived.
SILENT = SigningKey(
    "example-silent", signer_id="silent.example", roles=("operator",), profile="unknown"
)
PINNED = (REGISTRY, LOST, ADA, BEN, LIBRARY, LAB, SILENT)
# Pinned nowhere.
STRANGER = SigningKey("example-stranger", signer_id="stranger.example")

ORCID = {ADA: "0000-0000-0000-0001", BEN: "0000-0000-0000-001X"}
NAMES = {ADA: "Ada Example", BEN: "Ben Sample"}


class Desk:
    """Where events about one record are written, each a minute after the one before."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.record = record_of(paper)
        self._minute = 0

    @property
    def number(self) -> str:
        """The record's Pith Number."""
        return number_of(self.record)

    def now(self) -> str:
        """The next time at which something is said."""
        self._minute += 1
        return f"2026-06-0{1 + self._minute // 60}T09:{self._minute % 60:02}:00Z"

    def creation(self, *, key: SigningKey = REGISTRY) -> Json:
        """The creation with a receipt and no envelope, as the registry publishes it."""
        return creation_of(self.record, receipt=receipt_of(self.record, key=key))

    def says(
        self,
        kind: str,
        payload: Json,
        *,
        by: SigningKey = REGISTRY,
        at: str = "",
        target: str = "record",
    ) -> Json:
        """A signed event about the record."""
        event = event_of(self.record, kind, payload, target=target)
        return signed(event, key=by, created_at=at or self.now())

    def says_unsigned(self, kind: str, payload: Json, *, by: SigningKey = REGISTRY) -> Json:
        """An event with a time and a signer, and nothing that proves it."""
        event = event_of(self.record, kind, payload, target="record")
        return {"created_at": self.now(), "signer": signer_of(by), **event}

    def contradicts(self, event: Json, payload: Json, *, by: SigningKey = REGISTRY) -> Json:
        """Another event of one type, target and time."""
        bare = {**event, "payload": payload, "signer": signer_of(by)}
        return sealed(bare, key=by)

    def snapshot(self, *, by: SigningKey = REGISTRY, at: str = "", **changes: Json) -> Json:
        """A signed snapshot of the paper, some of its sections changed."""
        content = {**snapshot_of(self.paper), **changes}
        return self.says(
            "graph_snapshot", {"graph_snapshot": content}, by=by, at=at, target="graph"
        )

    def withdraws(self, about: Json, reason: str, *, by: SigningKey = REGISTRY) -> Json:
        """A withdrawal of an event, or of the record."""
        name = about if isinstance(about, str) else about["event_id"]
        return self.says("withdrawal", {"about": name, "reason": reason}, by=by)

    def endorses(self, event: Json, *, by: SigningKey) -> Json:
        """An endorsement of an event."""
        return self.says("endorsement", {"endorses": event["event_id"]}, by=by)

    def cites(
        self, other: Paper, relation: str, *, by: SigningKey = REGISTRY, note: str = ""
    ) -> Json:
        """A citation of another record."""
        payload = {"relation": relation, "cited_pith_number": number_of(record_of(other))}
        return self.says("citation", {**payload, **({"note": note} if note else {})}, by=by)

    def claims(self, by: SigningKey, person: SigningKey, method: str, strength: str) -> Json:
        """An author claim of a person, by ORCID iD or by key."""
        named = (
            {"orcid": ORCID[person]}
            if method == "orcid"
            else {"public_key_fingerprint": person.fingerprint}
        )
        payload = {"method": method, "strength": strength, "author_name": NAMES[person], **named}
        return self.says("author_claim", payload, by=by)

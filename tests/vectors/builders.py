"""Makes bundles for the vectors, from the protocol alone: nothing of `generator` is imported here.

A second reading of the same rules: where the two differ, a vector fails.
"""

from __future__ import annotations

import base64
import hashlib
import json
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

# Vectors are JSON of every shape, right and wrong; a precise type would only be cast away again.
Json = Any

SIGNED_AT = "2026-05-18T01:36:37.204113Z"
CREATED_AT = "2026-05-18T02:28:13Z"
# SHA-256 of `{"payload":[]}` (protocol part 6).
EMPTY_LIST_DIGEST = "258153158e38e3291e3d48162225fcdb2d5a3ed65a07baac614ab91432fd4f57"


@dataclass(frozen=True)
class SigningKey:
    """An Ed25519 key whose secret is the SHA-256 of a label: known to all, worth nothing."""

    key_id: str
    signer_id: str = "registry.test"
    roles: tuple[str, ...] = ("registry",)
    profile: str = "mirror/1"
    valid_from: str = "2026-05-01T00:00:00Z"
    valid_until: str | None = None
    revoked_at: str | None = None

    @property
    def secret(self) -> Ed25519PrivateKey:
        """The private key."""
        label = f"pith-mirror test vectors: {self.key_id}"
        return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(label.encode()).digest())

    @property
    def public(self) -> bytes:
        """The raw public key."""
        return self.secret.public_key().public_bytes_raw()

    @property
    def public_b64(self) -> str:
        """The raw public key in base64."""
        return base64.b64encode(self.public).decode()

    @property
    def fingerprint(self) -> str:
        """First 16 bytes of the SHA-256 of the raw key, hex (protocol part 2)."""
        return hashlib.sha256(self.public).hexdigest()[:32]

    def signature(self, message: bytes) -> str:
        """Sign bytes; Ed25519 is deterministic."""
        return base64.b64encode(self.secret.sign(message)).decode()


REGISTRY = SigningKey("test-registry")
SILENT = SigningKey("test-registry-silent", profile="unknown")
EXPIRED = SigningKey(
    "test-registry-expired", valid_from="2025-01-01T00:00:00Z", valid_until="2026-01-01T00:00:30.5Z"
)
REVOKED = SigningKey(
    "test-registry-revoked", valid_from="2025-01-01T00:00:00Z", revoked_at="2026-02-01T00:00:00Z"
)
AUTHOR = SigningKey("test-author", signer_id="orcid:0000-0002-1825-0097", roles=("author",))
REVOKED_AUTHOR = SigningKey(
    "test-author-revoked",
    signer_id="orcid:0000-0002-1694-233X",
    roles=("author",),
    valid_from="2025-01-01T00:00:00Z",
    revoked_at="2026-02-01T00:00:00Z",
)
OPERATOR = SigningKey("test-operator", signer_id="mirror.test", roles=("operator",))
STRANGER = SigningKey("test-stranger", signer_id="stranger.test")
TRUSTED = (REGISTRY, SILENT, EXPIRED, REVOKED, AUTHOR, REVOKED_AUTHOR, OPERATOR)


def canonical(value: Json) -> bytes:
    """Canonical JSON (protocol part 1)."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode("utf-8", "surrogatepass")


def compact(value: Json) -> bytes:
    """Compact ASCII, keys in the given order (protocol part 4)."""
    return json.dumps(value, separators=(",", ":")).encode()


def digest(value: Json) -> bytes:
    """SHA-256 of the canonical JSON."""
    return hashlib.sha256(canonical(value)).digest()


def text_sha256(text: str) -> str:
    """The digest a record holds of a title or an abstract (protocol part 1)."""
    folded = " ".join(text.split()).lower()
    return hashlib.sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()


def snapshot_sha256(value: Json) -> str:
    """The digest a snapshot holds of one of its sections (protocol part 6)."""
    return digest({"payload": value}).hex()


@dataclass(frozen=True)
class Paper:
    """A made-up paper, shaped like the real ones."""

    source_id: str = "2305.01234"
    version: int = 2
    submitted_at: str = "2023-05-02T06:55:44Z"
    category: str = "cs.DC"
    cross: tuple[str, ...] = ("cs.AI", "cs.LG")
    license: str = "http://creativecommons.org/licenses/by/4.0/"
    title: str = 'Deterministic merging of signed event sets in the Schr\\"odinger picture'
    authors: str | None = "Ada Q. Testova, Herv\\'e Exemplaire, J. M. Sample"
    abstract: str = (
        "We merge sets of signed events so that the order of arrival changes nothing. "
        "The result, $O(n \\log n)$ in the number of events, is compared on 222 records."
    )


PAPER = Paper()
OTHER = Paper(
    source_id="1204.05678",
    version=1,
    submitted_at="2012-04-25T14:00:01Z",
    category="math.CO",
    cross=(),
    license="http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
    title="Another record altogether",
    abstract="Its receipt is genuine, and says nothing of any other record.",
)
OLD = Paper(
    source_id="hep-th/9704123",
    version=1,
    submitted_at="1997-04-15T09:30:00Z",
    category="hep-th",
    cross=("gr-qc",),
    license="",
    title="On quivers with an old-style identifier",
    abstract="Written before April 2007, so its identifier has a slash.",
)


def record_of(paper: Paper) -> Json:
    """The canonical record, spelled as the registry spells it inside a bundle (protocol part 4)."""
    return {
        "source": {"id": paper.source_id, "kind": "arxiv", "version": paper.version},
        "metadata": {
            "license": paper.license,
            "primary_cat": paper.category,
            "submitted_at": paper.submitted_at,
            "cross_cats_sorted": list(paper.cross),
            "title_canon_sha256": text_sha256(paper.title),
            "abstract_canon_sha256": text_sha256(paper.abstract),
        },
        "schema_version": "1.0",
    }


def suffix_of(record: Json) -> str:
    """First 26 characters of the base32 of the record's digest (protocol part 1)."""
    return base64.b32encode(digest(record)).decode()[:26]


def number_of(record: Json, *, year: str | None = None) -> str:
    """The Pith Number; a malformed record gives as much of a year as it has."""
    metadata = record.get("metadata")
    written = metadata.get("submitted_at") if isinstance(metadata, dict) else None
    return f"pith:{year or str(written)[:4]}:{suffix_of(record)}"


def aliases_of(record: Json) -> list[Json]:
    """The six aliases in the registry's order (protocol part 4)."""
    source = record.get("source")
    source = source if isinstance(source, dict) else {}
    name, version, suffix = source.get("id"), source.get("version"), suffix_of(record)
    pairs = [
        ("arxiv", f"{name}"),
        ("arxiv_version", f"{name}v{version}"),
        ("doi", f"10.48550/arxiv.{name}"),
        ("pith_short_12", suffix[:12]),
        ("pith_short_16", suffix[:16]),
        ("pith_short_8", suffix[:8]),
    ]
    return [{"alias_kind": k, "alias_value": v, "created_at": CREATED_AT} for k, v in pairs]


def receipt_of(record: Json, *, key: SigningKey = REGISTRY, signed_at: str = SIGNED_AT) -> Json:
    """A receipt over a record (protocol part 2)."""
    return {
        "kind": "pith_receipt",
        "key_id": key.key_id,
        "algorithm": "ed25519",
        "signed_at": signed_at,
        "signature_b64": key.signature(digest(record)),
    }


def creation_of(record: Json, *, receipt: Json = None) -> Json:
    """A `record_created` event without an envelope signature."""
    return {
        "event_type": "record_created",
        "subject_pith_number": number_of(record),
        "target": "record",
        "payload": {
            "canonical_record": record,
            "canonical_sha256": digest(record).hex(),
            "receipt": receipt or receipt_of(record),
        },
    }


def signer_of(key: SigningKey) -> Json:
    """What an envelope says of its signer (protocol part 8)."""
    kinds = {"registry": "pith_registry", "author": "author", "operator": "mirror_operator"}
    return {
        "signer_id": key.signer_id,
        "signer_type": kinds[key.roles[0]],
        "key_id": key.key_id,
        "public_key_fingerprint": key.fingerprint,
    }


def signed(event: Json, *, key: SigningKey = REGISTRY, created_at: str = CREATED_AT) -> Json:
    """Put an event into a `mirror/1` envelope (protocol part 8); fields already there stay."""
    return sealed({"created_at": created_at, "signer": signer_of(key), **event}, key=key)


def sealed(event: Json, *, key: SigningKey = REGISTRY) -> Json:
    """Add id and signature to an event, its other fields as they stand (protocol part 8)."""
    bare = {k: v for k, v in event.items() if k not in {"event_id", "signature_b64"}}
    value = digest(bare)
    return {**bare, "event_id": f"sha256:{value.hex()}", "signature_b64": key.signature(value)}


def event_of(record: Json, event_type: str, payload: Json, *, target: str = "graph") -> Json:
    """An event without envelope."""
    return {
        "event_type": event_type,
        "subject_pith_number": number_of(record),
        "target": target,
        "payload": payload,
    }


def paper_section(paper: Paper) -> Json:
    """The `paper` section of a snapshot (protocol part 6)."""
    section = {
        "title": paper.title,
        "license": paper.license,
        "headline": "",
        "cross_cats": list(paper.cross),
        "primary_cat": paper.category,
        "submitted_at": paper.submitted_at,
        "abstract_excerpt": paper.abstract[:600],
    }
    return section if paper.authors is None else {**section, "authors_text": paper.authors}


def snapshot_of(paper: Paper) -> Json:
    """A graph snapshot with all five sections that carry a digest (protocol part 6)."""
    detectors = [
        {
            "name": "doi_compliance",
            "version": "1.0.0",
            "status": "completed",
            "ran_at": "2026-05-19T23:15:25.767223Z",
            "findings_count": 0,
        }
    ]
    return {
        "paper": paper_section(paper),
        "claims": {"count": 0, "items": [], "snapshot_sha256": EMPTY_LIST_DIGEST},
        "source": {"kind": "arxiv", "id": paper.source_id, "version": paper.version},
        "verdict": {"id": None, "model_set": {}, "strongest_claim": "", "one_line_summary": ""},
        "integrity": {
            "clean": True,
            "summary": {"critical": 0, "advisory": 0, "informational": 0},
            "endpoint": f"/pith/{paper.source_id}/integrity.json",
            "findings": [],
            "available": True,
            "detectors_run": detectors,
            "snapshot_sha256": snapshot_sha256({"detectors": detectors, "findings": []}),
        },
        "references": {
            "count": 0,
            "sample": [],
            "resolved_work": 0,
            "internal_anchors": 0,
            "snapshot_sha256": EMPTY_LIST_DIGEST,
        },
        "formal_canon": {"evidence_count": 0, "snapshot_sha256": EMPTY_LIST_DIGEST},
        "author_claims": {"count": 0, "strong_count": 0, "snapshot_sha256": EMPTY_LIST_DIGEST},
        "builder_version": "pith-number-builder-2026-05-17-v1",
    }


def snapshot_event(record: Json, snapshot: Json) -> Json:
    """A `graph_snapshot` event without envelope."""
    return event_of(record, "graph_snapshot", {"graph_snapshot": snapshot})


def bundle_with(record: Json, events: list[Json], *, year: str | None = None) -> Json:
    """A bundle of a record, right or wrong, with the given events (protocol part 4)."""
    source = record.get("source")
    source = source if isinstance(source, dict) else {}
    return {
        "bundle_type": "pith_open_graph_bundle",
        "bundle_version": "1.0",
        "pith_number": number_of(record, year=year),
        "short_pith_number": f"pith:{suffix_of(record)[:8]}",
        "canonical_record": record,
        "canonical_sha256": digest(record).hex(),
        "source": {key: source.get(key) for key in ("kind", "id", "version")},
        "source_aliases": aliases_of(record),
        "events": events,
    }


def bundle_of(paper: Paper = PAPER, *extra: Json) -> Json:
    """A bundle in which every check verifies: creation, signed snapshot, further events."""
    record = record_of(paper)
    snapshot = signed(snapshot_event(record, snapshot_of(paper)))
    return bundle_with(record, [creation_of(record), snapshot, *extra])


class _Gone:
    """Marks a field to be taken away."""


GONE = _Gone()


def edited(value: Json, *edits: tuple[str, Json]) -> Json:
    """Copy a value with some of its fields replaced, added or, with `GONE`, taken away.

    Args:
        value: any JSON value.
        edits: dotted path (numbers index arrays) and the new value.

    Returns:
        The copy.
    """
    # A round trip, not deepcopy: the record stands twice in a bundle as one object, and one of
    # the two places may be changed alone.
    result = json.loads(json.dumps(value))
    for path, new in edits:
        place = result
        *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
        for step in steps:
            place = place[step]
        if new is GONE:
            del place[last]
        else:
            place[last] = deepcopy(new)
    return result


def flipped(signature: str, *, bit: int = 100) -> str:
    """A signature with one bit changed, in canonical base64."""
    raw = bytearray(base64.b64decode(signature))
    raw[bit // 8] ^= 1 << bit % 8
    return base64.b64encode(raw).decode()

"""The kinds of events as `docs/formats/events.md` has them: a second reading, by hand.

Each row gives a payload that is right, who may sign it, where it stands in the state, and values of
its fields that are wrong.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.timestamps import generate as timestamps
from tests.vectors.builders import (
    AUTHOR,
    OTHER,
    PAPER,
    REGISTRY,
    Json,
    SigningKey,
    digest,
    number_of,
    record_of,
)

EVENT = f"sha256:{'ab' * 32}"  # an event id of the right shape; no such event is in the bundle
LONGEST = 10_000  # characters of a text in an event
CALENDAR = "https://calendar.example"

# Wrong values that several fields share.
_ID = (
    ("bare", EVENT.removeprefix("sha256:")),
    ("uppercase", EVENT.upper()),
    ("short", EVENT[:-1]),
    ("with-newline", EVENT + "\n"),
)
_ABOUT = (*_ID, ("empty", ""), ("other-word", "Record"))
_WORDS = (("empty", ""), ("blank", " \n\t"), ("too-long", "x" * (LONGEST + 1)))
_TOKEN = (("empty", ""), ("too-long", "x" * 257), ("with-line-break", "a\nb"))
_NAME = (
    ("empty", ""),
    ("capitals", "Archive"),
    ("with-space", "an archive"),
    ("with-hyphen-first", "-archive"),
    ("too-long", "a" * 65),
    ("with-newline", "archive\n"),
)
_URL = (
    ("empty", ""),
    ("script", "javascript:alert(1)"),
    ("ftp", "ftp://archive.example/1"),
    ("without-scheme", "//archive.example/1"),
    ("without-rest", "https://"),
    ("with-space", "https://archive.example/a b"),
    ("with-newline", "https://archive.example/\n"),
    ("not-ascii", "https://archive.example/\u00e9"),
    ("too-long", "https://" + "a" * 2001),
)
_TIME = (
    ("date-only", "2026-05-18"),
    ("without-zone", "2026-05-18T00:00:00"),
    ("no-such-day", "2026-02-30T00:00:00Z"),
)
_DIGEST = "0123456789abcdef" * 4
# No field of a payload is anything but a string.
OTHER_TYPES: tuple[tuple[str, Json], ...] = (("null", None), ("number", 1), ("array", ["x"]))


@dataclass(frozen=True)
class KindCase:
    """One kind: `payload` with every field it requires, and `optional` further ones.

    `wrong` gives, by field, labelled values that break a rule of that field.
    """

    name: str
    collection: str
    roles: frozenset[str]
    payload: Mapping[str, Json]
    wrong: Mapping[str, tuple[tuple[str, Json], ...]]
    optional: Mapping[str, Json] = field(default_factory=dict)
    target: str = "record"
    # Labels of wrong values whose shape is right: a rule beyond it refuses them.
    beyond_shape: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """The name as part of a file's name."""
        return self.name.replace("_", "-")


def proof_of(
    start: bytes, *, tree: bytes | None = None, algorithm: bytes = timestamps.SHA256
) -> str:
    """An OpenTimestamps proof in base64, pending unless another tree is given."""
    promise = timestamps.append(b"nonce") + timestamps.SHA256 + timestamps.pending(CALENDAR)
    raw = timestamps.detached(start, promise if tree is None else tree, algorithm=algorithm)
    return base64.b64encode(raw).decode()


def proof_bytes(data: bytes) -> str:
    """Any bytes in the place of a proof."""
    return base64.b64encode(data).decode()


START = digest(record_of(PAPER))
PENDING = proof_of(START)
RAW = base64.b64decode(PENDING)
SHORT_PATH = timestamps.append(b"x") + timestamps.bitcoin(1)  # no hash after it

EVERY = frozenset(("registry", "author", "operator"))
RELATIONS = (
    "supports",
    "refutes",
    "extends",
    "uses_method",
    "depends_on",
    "replaces",
    "compares",
    "cites",
)

KINDS = (
    KindCase(
        "timestamp_anchored",
        "timestamps",
        EVERY,
        {"proof_type": "opentimestamps", "proof_b64": PENDING},
        {
            "proof_type": (("other", "rfc3161"), ("capitals", "OpenTimestamps"), ("empty", "")),
            "proof_b64": (
                ("of-no-bytes", ""),
                ("hexadecimal", RAW.hex()),
                ("with-newline", PENDING + "\n"),
                ("with-stray-character", "#" + PENDING),
                ("with-base64-cut", PENDING[:-1]),
                ("of-another-record", proof_of(digest(record_of(OTHER)))),
                ("of-the-digest-as-text", proof_of(hashlib.sha256(START.hex().encode()).digest())),
                ("sha1", proof_of(START[:20], algorithm=timestamps.SHA1)),
                ("truncated", proof_bytes(RAW[:-1])),
                ("header-only", proof_bytes(RAW[: len(timestamps.MAGIC) + 1])),
                ("with-bytes-after-its-end", proof_bytes(RAW + b"\x00")),
                ("other-first-bytes", proof_bytes(b"\x01" + RAW[1:])),
                ("other-version", proof_bytes(RAW[:31] + b"\x02" + RAW[32:])),
                ("without-attestation", proof_of(START, tree=b"")),
                ("with-merkle-root-of-33-bytes", proof_of(START, tree=SHORT_PATH)),
            ),
        },
        # Hexadecimal digits are letters of base64, too.
        beyond_shape=(
            "of-no-bytes",
            "hexadecimal",
            "of-another-record",
            "of-the-digest-as-text",
            "sha1",
            "truncated",
            "header-only",
            "with-bytes-after-its-end",
            "other-first-bytes",
            "other-version",
            "without-attestation",
            "with-merkle-root-of-33-bytes",
        ),
    ),
    KindCase(
        "storage_attested",
        "storage",
        frozenset(("registry", "operator")),
        {
            "store": "internet-archive",
            "url": "https://web.archive.example/web/20260518/https://arxiv.org/abs/2305.01234v2",
            "sha256": _DIGEST,
            "stored_at": "2026-05-18T00:00:00Z",
        },
        {
            "store": _NAME,
            "url": _URL,
            "sha256": (
                ("prefixed", f"sha256:{_DIGEST}"),
                ("uppercase", _DIGEST.upper()),
                ("short", _DIGEST[:-1]),
            ),
            "stored_at": _TIME,
        },
    ),
    KindCase(
        "author_claim",
        "author_claims",
        frozenset(("registry", "author")),
        {
            "method": "orcid",
            "strength": "weak",
            "author_name": "Ada Q. Testova",
            "orcid": "0000-0002-1825-0097",
        },
        {
            "method": (("other", "email"), ("capitals", "ORCID"), ("key-without-one", "key")),
            "strength": (("other", "certain"), ("capitals", "Weak")),
            "author_name": _WORDS,
            "orcid": (
                ("with-wrong-check-digit", "0000-0002-1825-0098"),
                ("with-wrong-check-letter", "0000-0002-1825-009X"),
                ("with-digits-exchanged", "0000-0002-1852-0097"),
                ("with-small-letter", "0000-0002-1694-233x"),
                ("without-hyphens", "0000000218250097"),
                ("as-url", "https://orcid.org/0000-0002-1825-0097"),
                ("in-other-digits", "0000-0002-1825-009\u0667"),
                ("with-newline", "0000-0002-1825-0097\n"),
            ),
        },
    ),
    KindCase(
        "author_attestation",
        "author_attestations",
        frozenset(("author",)),
        {"author_name": "Ada Q. Testova", "statement": "I wrote this, and stand by it."},
        {"author_name": _WORDS, "statement": _WORDS},
    ),
    KindCase(
        "citation",
        "citations",
        EVERY,
        {"relation": "extends", "cited_pith_number": number_of(record_of(OTHER))},
        {
            "relation": (("other", "mentions"), ("capitals", "Extends"), ("empty", "")),
            "cited_pith_number": (
                ("short", f"pith:{number_of(record_of(OTHER))[10:18]}"),
                ("lowercase", number_of(record_of(OTHER)).lower()),
                ("without-year", f"pith:{number_of(record_of(OTHER))[10:]}"),
                ("arxiv-id", OTHER.source_id),
                ("with-newline", number_of(record_of(OTHER)) + "\n"),
                ("of-the-record-itself", number_of(record_of(PAPER))),
                ("of-the-record-itself-in-another-year", number_of(record_of(PAPER), year="2022")),
            ),
            "note": _WORDS,
        },
        optional={"note": "See section 3."},
        target="graph",
        beyond_shape=("of-the-record-itself", "of-the-record-itself-in-another-year"),
    ),
    KindCase(
        "replication",
        "replications",
        EVERY,
        {"kind": "replication", "outcome": "confirmed", "url": "https://lab.example/run/1"},
        {
            "kind": (("other", "reproduction"), ("with-space", "formal bridge")),
            "outcome": (("other", "true"), ("capitals", "Confirmed")),
            "url": _URL,
            "system": _WORDS,
            "note": _WORDS,
        },
        optional={"system": "Lean 4.9", "note": "With the authors' own data."},
    ),
    KindCase(
        "challenge",
        "challenges",
        EVERY,
        {"about": "record", "reason": "Lemma 2 does not hold for n = 3."},
        {"about": _ABOUT, "reason": _WORDS},
    ),
    KindCase(
        "response",
        "responses",
        EVERY,
        {"challenge": EVENT, "text": "Lemma 2 asks for n above 3."},
        {"challenge": (*_ID, ("record", "record")), "text": _WORDS},
    ),
    KindCase(
        "correction",
        "corrections",
        EVERY,
        {"about": "record", "text": "In Table 1 read 0.5 for 5.0."},
        {"about": _ABOUT, "text": _WORDS},
    ),
    KindCase(
        "withdrawal",
        "withdrawals",
        EVERY,
        {"about": EVENT, "reason": "Sent by mistake."},
        {"about": _ABOUT, "reason": _WORDS},
    ),
    KindCase(
        "key_rotation",
        "key_rotations",
        EVERY,
        {
            "key_id": "test-next",
            "algorithm": "ed25519",
            "public_key_b64": SigningKey("test-next").public_b64,
            "valid_from": "2026-06-01T00:00:00Z",
        },
        {
            "key_id": _TOKEN,
            "algorithm": (("other", "rsa"), ("capitals", "Ed25519")),
            "public_key_b64": (
                ("empty", ""),
                ("short", base64.b64encode(b"x" * 31).decode()),
                ("long", base64.b64encode(b"x" * 33).decode()),
                ("hexadecimal", REGISTRY.public.hex()),
                ("with-newline", REGISTRY.public_b64 + "\n"),
            ),
            "valid_from": _TIME,
            "retires_at": _TIME,
        },
        optional={"retires_at": "2026-07-01T00:00:00Z"},
    ),
    KindCase(
        "alias_added",
        "added_aliases",
        frozenset(("registry", "author")),
        {"alias_kind": "doi", "alias_value": "10.1000/182"},
        {"alias_kind": _NAME, "alias_value": _TOKEN},
    ),
    KindCase(
        "endorsement",
        "endorsements",
        EVERY,
        {"endorses": EVENT},
        {"endorses": (*_ID, ("record", "record"))},
    ),
)

BY_NAME = {case.name: case for case in KINDS}
CLAIM_BY_KEY = {
    "method": "key",
    "strength": "strong",
    "author_name": "Ada Q. Testova",
    "public_key_fingerprint": AUTHOR.fingerprint,
}

"""Recompute what a mirror of Pith Numbers shows, apart from the program that made it.

    python pith_check.py --config mirror.toml SITE            a built site
    python pith_check.py --config mirror.toml BUNDLE.json...  bundles

One file, Python 3.11 or newer and the package `cryptography`, no network, no clock. It was written
from `docs/formats/` and not from the mirror's code, so that the two can disagree: verification.md
(V1 to V11), events.md, state.md, timestamps.md, site.md. Of a site it checks that

- every file that `manifest.json` lists is there with its digest and length;
- the bundle of every record passes V1 to V7 with the keys of mirror.toml and stands under its id;
- state.json is the state recomputed from the bundle, byte for byte;
- events.json, the resolver record and the second copy of the bundle say the same.

A site of the profile `compact` has none of these files for any record: what its manifest does not
list is then no fault.

Exit code: 0 all agrees, 1 something does not, 2 wrong command line or configuration.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Json = Any
Moment = tuple[int, int]  # seconds since 1970 and nanoseconds; a leap second has 10^9 of them more

VERIFIED, FAILED, NOT_CHECKABLE = "verified", "failed", "not checkable"
MEBIBYTE = 1 << 20


class Malformed(Exception):  # noqa: N818 - it names what the data is
    """A document or a value is not what the format says."""


def need(condition: object, words: str) -> None:
    """Go on only if a condition holds."""
    if not condition:
        raise Malformed(words)


# ---- strict JSON: verification.md, V1 ----


def read_json(data: bytes) -> Json:
    """Read strict JSON, at most 8 MiB."""
    need(len(data) <= 8 * MEBIBYTE, "more than 8 MiB")
    try:
        text = data.decode("utf-8")
        need(not text.startswith("\ufeff"), "a byte order mark")
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_fraction,
            parse_constant=_constant,
        )
        # Lone surrogates have no UTF-8.
        canonical(value)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"no strict JSON: {error}") from error
    need(_depth(value) <= 64, "more than 64 levels")
    return value


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    need(len(result) == len(pairs), "a key twice in one object")
    return result


def _integer(number: str) -> int:
    need(len(number) <= 32, "a number of more than 32 characters")
    value = int(number)
    need(number != "-0" and abs(value) < 1 << 53, "an integer that not every reader holds")
    return value


def _fraction(number: str) -> float:
    need(len(number) <= 32, "a number of more than 32 characters")
    exponent = number.lower().partition("e")[2] or "0"
    need(abs(int(exponent)) <= 9999, "an exponent beyond 9,999")
    value = float(number)
    need(abs(value) != float("inf"), "a number that no float holds")
    need(Decimal(number) == Decimal(repr(value)), "a number that does not survive as a float")
    return value


def _constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is no JSON")


def _depth(value: Json) -> int:
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [
            inner for item in level for inner in (item.values() if isinstance(item, dict) else item)
        ]
    return depth


def canonical(value: Json) -> bytes:
    """Spell canonical JSON (protocol.md, part 1)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def compact(value: Json) -> bytes:
    """Spell compact ASCII JSON with the keys as they stand."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode()


def sha256(value: Json) -> str:
    """Digest the canonical JSON of a value."""
    return hashlib.sha256(canonical(value)).hexdigest()


def sorted_keys(value: Json) -> Json:
    """Sort the keys at every level."""
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    return [sorted_keys(item) for item in value] if isinstance(value, list) else value


# ---- values and times ----

WHITE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
)
TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})"
    r"(?:\.([0-9]{1,9}))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Test = Callable[[Json], bool]


def matches(pattern: str) -> Test:
    """Make a test for a string of a form."""
    expression = re.compile(pattern)
    return lambda value: isinstance(value, str) and expression.fullmatch(value) is not None


def one_of(*words: str) -> Test:
    """Make a test for one of some strings."""
    return lambda value: isinstance(value, str) and value in words


def base64_of(length: int) -> Test:
    """Make a test for canonical base64 of so many bytes."""
    return lambda value: len(decoded(value) or b"") == length


def decoded(value: Json) -> bytes | None:
    """Decode canonical base64."""
    if not isinstance(value, str):
        return None
    try:
        raw = base64.b64decode(value.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return None
    return raw if base64.b64encode(raw).decode() == value else None


is_token = matches(r"[ -~]{1,256}")
is_digest = matches(r"[0-9a-f]{64}")
is_event_id = matches(r"sha256:[0-9a-f]{64}")
is_web_address = matches(r"https?://[!-~]{1,2000}")
is_name = matches(r"[a-z0-9][a-z0-9_.-]{0,63}")


def is_words(value: Json) -> bool:
    """Test for a signer's words."""
    return isinstance(value, str) and len(value) <= 10_000 and value.strip(WHITE) != ""


def is_about(value: Json) -> bool:
    """Test for what an event speaks of."""
    return value == "record" or is_event_id(value)


def is_count(value: Json, least: int = 0) -> bool:
    """Test for an integer; a boolean is none."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def is_orcid(value: Json) -> bool:
    """Test for an ORCID iD with its check character (ISO 7064, MOD 11-2)."""
    if not isinstance(value, str) or not re.fullmatch(r"([0-9]{4}-){3}[0-9]{3}[0-9X]", value):
        return False
    total = 0
    for character in value.replace("-", ""):
        total = total * 2 + (10 if character == "X" else int(character))
    return total % 11 == 1


def moment_of(value: Json) -> Moment | None:
    """Read a time; None if it is none."""
    match = TIME.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    *parts, second = (int(match[index]) for index in range(1, 7))
    hours, minutes = int(match[9] or 0), int(match[10] or 0)
    if second > 60 or hours > 23 or minutes > 59:
        return None
    offset = timedelta(hours=hours, minutes=minutes) * (-1 if match[8] == "-" else 1)
    try:
        year, month, day, hour, minute = parts
        local = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=timezone(offset))
        utc = local.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    if second == 60 and (utc.hour, utc.minute) != (23, 59):
        return None
    fraction = int((match[7] or "").ljust(9, "0"))
    return (utc - EPOCH) // timedelta(seconds=1), fraction + (10**9 if second == 60 else 0)


def is_time(value: Json) -> bool:
    """Test for a time."""
    return moment_of(value) is not None


def held(value: Json, **tests: Test) -> bool:
    """Test an object for fields that have to be there; further ones are allowed."""
    return isinstance(value, dict) and all(
        name in value and test(value[name]) for name, test in tests.items()
    )


# ---- trust and policy: mirror.toml ----

PRIME = 2**255 - 19
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME
ROLES = ("registry", "author", "operator")


@dataclass(frozen=True)
class Key:
    """A pinned key."""

    key_id: str
    public: bytes
    signer_id: str
    roles: frozenset[str]
    start: Moment
    until: Moment | None = None
    revoked: Moment | None = None
    profile: str = "unknown"

    @property
    def fingerprint(self) -> str:
        """The first 16 bytes of the SHA-256 of the key, hex."""
        return hashlib.sha256(self.public).hexdigest()[:32]

    def signed(self, digest: str, signature_b64: Json) -> bool:
        """Tell whether this key signed the raw bytes of a digest."""
        signature = decoded(signature_b64)
        try:
            verifier = Ed25519PublicKey.from_public_bytes(self.public)
            verifier.verify(signature or b"", bytes.fromhex(digest))
        except InvalidSignature:
            return False
        return signature is not None

    def covers(self, moment: Moment) -> bool:
        """Tell whether a time is inside the window."""
        ends = (end for end in (self.until, self.revoked) if end is not None)
        return self.start <= moment and all(moment < end for end in ends)


@dataclass(frozen=True)
class Configuration:
    """What mirror.toml decides about verification and merge."""

    keys: Mapping[str, Key]
    accept: bool = False
    thresholds: Mapping[str, int] = field(default_factory=dict)
    headers: Mapping[int, bytes] = field(default_factory=dict)  # 80 bytes by height


def load_configuration(path: Path) -> Configuration:
    """Read mirror.toml and the files it names.

    Only what this program needs is read; whether the rest is right is for the mirror to say.
    """
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    keys: dict[str, Key] = {}
    for table in document.get("trusted_keys", ()):
        key = _pinned(table)
        need(key.key_id not in keys, f"two keys {key.key_id}")
        keys[key.key_id] = key
    need(keys, "no trusted key")
    trust = document.get("trust", {})
    if "rotations" in trust:
        keys = rotated(keys, read_json((path.parent / trust["rotations"]).read_bytes()))
    headers: dict[int, bytes] = {}
    if "block_headers" in trust:
        headers = read_headers((path.parent / trust["block_headers"]).read_bytes())
    policy = document.get("build", {}).get("uncheckable_events", "carry")
    need(policy in {"carry", "accept"}, "uncheckable_events")
    thresholds = document.get("thresholds", {})
    need(all(kind in THRESHOLD_KINDS for kind in thresholds), "thresholds: a kind without")
    need(all(is_count(count, 1) for count in thresholds.values()), "thresholds: a number")
    ordered = {kind: thresholds[kind] for kind in THRESHOLD_KINDS if kind in thresholds}
    return Configuration(keys, policy == "accept", ordered, headers)


def _pinned(table: Mapping[str, Any]) -> Key:
    need(table.get("algorithm") == "ed25519", "algorithm of a trusted key")
    public = decoded(table.get("public_key_b64")) or b""
    need(is_key(public), "public_key_b64 of a trusted key")
    roles = frozenset(table.get("roles", ()))
    need(roles and roles <= set(ROLES), "roles of a trusted key")
    profile = table.get("event_profile", "unknown")
    need(profile in {"unknown", "mirror/1"}, "event_profile of a trusted key")
    until, revoked = (
        _toml_moment(table[name]) if name in table else None
        for name in ("valid_until", "revoked_at")
    )
    start = _toml_moment(table.get("valid_from"))
    return Key(table["key_id"], public, table["signer_id"], roles, start, until, revoked, profile)


def _toml_moment(value: object) -> Moment:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise Malformed("a time without zone in mirror.toml")
    past = value - EPOCH
    return past // timedelta(seconds=1), past % timedelta(seconds=1) // timedelta.resolution * 1000


def is_key(public: bytes) -> bool:
    """Tell whether bytes are a public key that may be pinned (events.md, Keys and signatures)."""
    number = int.from_bytes(public, "little")
    y, sign = number % (1 << 255), number >> 255
    if len(public) != 32 or y >= PRIME:
        return False
    # x^2 = (y^2 - 1) / (d y^2 + 1); multiplied by the square of the denominator.
    square = (y * y - 1) * (CURVE * y * y + 1) % PRIME
    if pow(square, (PRIME - 1) // 2, PRIME) not in {0, 1}:
        return False
    # Orders 1 and 2 are y = 1 and y = -1, order 4 is y = 0, order 8 the roots of d y^4 + 2 y^2 = 1;
    # the first two have x = 0, which has no sign.
    small = y in {0, 1, PRIME - 1} or (CURVE * y**4 + 2 * y * y - 1) % PRIME == 0
    return not small and not (square == 0 and sign)


def rotated(keys: dict[str, Key], events: Json) -> dict[str, Key]:
    """Apply a file of rotations (events.md)."""
    need(isinstance(events, list), "rotations: no array")
    for event in events:
        need(envelope_fault(event) is None, "rotations: a malformed event")
        need(event["event_type"] == "key_rotation", "rotations: another kind of event")
        payload = event["payload"]
        need(payload_is_right("key_rotation", payload), "rotations: a malformed payload")
        need({"signer", "event_id", "signature_b64", "created_at"} <= event.keys(), "rotations")
        old = keys.get(event["signer"]["key_id"])
        if old is None:
            raise Malformed("rotations: a signer who is not trusted")
        _, reason = judge_signature(event, keys)
        need(reason == "", f"rotations: {reason}")
        need(payload["key_id"] not in keys, "rotations: a key id that is taken")
        public = decoded(payload["public_key_b64"]) or b""
        need(is_key(public), "rotations: no public key")
        retired = moment_of(payload.get("retires_at"))
        ends = [end for end in (old.until, retired) if end is not None]
        keys[old.key_id] = replace(old, until=min(ends, default=None))
        start = moment_of(payload["valid_from"]) or (0, 0)
        keys[payload["key_id"]] = replace(
            old, key_id=payload["key_id"], public=public, start=start, until=None, revoked=None
        )
    return keys


# ---- kinds and payloads: events.md ----

ANY = frozenset(ROLES)
# Kind -> list under `current`, and who may sign it; in the order of the table.
KINDS: Mapping[str, tuple[str, frozenset[str]]] = {
    "record_created": ("", frozenset({"registry"})),
    "graph_snapshot": ("graph_snapshots", frozenset({"registry"})),
    "timestamp_anchored": ("timestamps", ANY),
    "storage_attested": ("storage", frozenset({"registry", "operator"})),
    "author_claim": ("author_claims", frozenset({"registry", "author"})),
    "author_attestation": ("author_attestations", frozenset({"author"})),
    "citation": ("citations", ANY),
    "replication": ("replications", ANY),
    "pith.integrity.v1": ("integrity", frozenset({"registry"})),
    "challenge": ("challenges", ANY),
    "response": ("responses", ANY),
    "correction": ("corrections", ANY),
    "withdrawal": ("withdrawals", ANY),
    "key_rotation": ("key_rotations", ANY),
    "alias_added": ("added_aliases", frozenset({"registry", "author"})),
    "endorsement": ("endorsements", ANY),
}
LISTS = (*(name for name, _ in KINDS.values() if name), "other_events")
THRESHOLD_KINDS = [
    kind for kind in KINDS if kind not in {"record_created", "pith.integrity.v1", "endorsement"}
]

# Kind -> fields of its payload; a name that ends in "?" may be absent.
PAYLOADS: Mapping[str, Mapping[str, Test]] = {
    "timestamp_anchored": {
        "proof_type": one_of("opentimestamps"),
        "proof_b64": lambda value: (
            decoded(value) is not None and len(decoded(value) or b"") <= 65_536
        ),
    },
    "storage_attested": {
        "store": is_name,
        "url": is_web_address,
        "sha256": is_digest,
        "stored_at": is_time,
    },
    "author_claim": {
        "method": one_of("orcid", "key"),
        "strength": one_of("weak", "strong"),
        "author_name": is_words,
        "orcid?": is_orcid,
        "public_key_fingerprint?": matches(r"[0-9a-f]{32}"),
    },
    "author_attestation": {"author_name": is_words, "statement": is_words},
    "citation": {
        "relation": one_of(
            *("supports", "refutes", "extends", "uses_method"),
            *("depends_on", "replaces", "compares", "cites"),
        ),
        "cited_pith_number": matches(r"pith:[0-9]{4}:[A-Z2-7]{26}"),
        "note?": is_words,
    },
    "replication": {
        "kind": one_of("replication", "falsification", "formal_bridge"),
        "outcome": one_of("confirmed", "partial", "refuted", "inconclusive"),
        "url": is_web_address,
        "system?": is_words,
        "note?": is_words,
    },
    "challenge": {"about": is_about, "reason": is_words},
    "response": {"challenge": is_event_id, "text": is_words},
    "correction": {"about": is_about, "text": is_words},
    "withdrawal": {"about": is_about, "reason": is_words},
    "key_rotation": {
        "key_id": is_token,
        "algorithm": one_of("ed25519"),
        "public_key_b64": base64_of(32),
        "valid_from": is_time,
        "retires_at?": is_time,
    },
    "alias_added": {"alias_kind": is_name, "alias_value": is_token},
    "endorsement": {"endorses": is_event_id},
}


def payload_is_right(kind: str, payload: Mapping[str, Json]) -> bool:
    """Tell whether a payload has the shape of its kind; unknown kinds have none."""
    if kind == "graph_snapshot":
        return snapshot_is_right(payload.get("graph_snapshot"))
    if kind not in PAYLOADS:
        return True
    tests = PAYLOADS[kind]
    names = {name.rstrip("?") for name in tests}
    required = {name for name in tests if not name.endswith("?")}
    if not required <= payload.keys() <= names:
        return False
    if kind == "author_claim":
        named = {"orcid": "orcid", "key": "public_key_fingerprint"}.get(str(payload["method"]))
        if {named} != payload.keys() & {"orcid", "public_key_fingerprint"}:
            return False
    return all(
        test(payload[name.rstrip("?")])
        for name, test in tests.items()
        if name.rstrip("?") in payload
    )


# Section -> name of its count and of its list ("" where the list is not in the snapshot).
SECTIONS = {
    "claims": ("count", "items"),
    "references": ("count", "sample"),
    "formal_canon": ("evidence_count", ""),
    "author_claims": ("count", ""),
}


def snapshot_is_right(snapshot: Json) -> bool:
    """Tell whether a snapshot has what V9 and V10 read."""
    if not held(snapshot, paper=lambda paper: held(paper, title=_is_string)):
        return False
    optional = ("authors_text", "abstract_excerpt", "abstract")
    if not all(_is_string(snapshot["paper"].get(name, "")) for name in optional):
        return False
    for name, (count, items) in SECTIONS.items():
        tests: dict[str, Test] = {count: is_count, "snapshot_sha256": is_digest}
        if items:
            tests[items] = _is_array
        if name in snapshot and not held(snapshot[name], **tests):
            return False
    return "integrity" not in snapshot or held(
        snapshot["integrity"],
        detectors_run=_is_array,
        findings=_is_array,
        snapshot_sha256=is_digest,
    )


def _is_string(value: Json) -> bool:
    return isinstance(value, str)


def _is_array(value: Json) -> bool:
    return isinstance(value, list)


def envelope_fault(event: Json) -> str | None:
    """Say which field of an envelope is malformed, if one is."""
    if not isinstance(event, dict):
        return "event"
    tests: dict[str, Test] = {
        "event_type": is_token,
        "subject_pith_number": is_token,
        "target": is_token,
        "payload": lambda value: isinstance(value, dict),
    }
    optional: dict[str, Test] = {
        "created_at": is_time,
        "signer": lambda value: held(
            value,
            signer_id=is_token,
            signer_type=is_token,
            key_id=is_token,
            public_key_fingerprint=is_token,
        ),
        "event_id": is_event_id,
        "signature_b64": base64_of(64),
    }
    tests |= {name: test for name, test in optional.items() if name in event}
    return next(
        (name for name, test in tests.items() if name not in event or not test(event[name])), None
    )


# ---- OpenTimestamps proofs: timestamps.md ----

MAGIC = bytes.fromhex("004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294")
BITCOIN, PENDING = "0588960d73d71901", "83dfe30d2ef90c8e"
OTHER_CHAINS = ("06869a0d73d71b45", "30fe8087b5c7ead7")  # Litecoin, Ethereum


@dataclass(frozen=True, order=True)
class Attestation:
    """What a proof says of a message: tag, number or bytes, and the message itself."""

    tag: str
    number: int
    data: bytes
    message: bytes


class Reader:
    """Bytes read in pieces, of which only so many are allowed."""

    def __init__(self, data: bytes, pieces: int) -> None:
        self.data, self.at, self.pieces = data, 0, pieces

    def take(self, length: int) -> bytes:
        """Take one piece."""
        need(self.pieces > 0, "a proof of too many pieces")
        piece = self.data[self.at : self.at + length]
        need(len(piece) == length, "a proof that ends in the middle")
        self.at, self.pieces = self.at + length, self.pieces - 1
        return piece

    def number(self) -> int:
        """Take a number, a piece a byte."""
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def run(self, least: int, most: int) -> bytes:
        """Take a length and so many bytes."""
        length = self.number()
        need(least <= length <= most, "a length out of bounds")
        return self.take(length)

    def end(self) -> None:
        """Look for the end."""
        need(self.pieces > 0 and self.at == len(self.data), "bytes after the end of a proof")


def read_proof(data: bytes) -> tuple[bytes, list[Attestation]]:
    """Read a proof: the digest it starts from and its attestations, each once, in order."""
    need(len(data) <= 65_536, "a proof above 65,536 bytes")
    reader = Reader(data, 2048)
    need(reader.take(len(MAGIC)) == MAGIC and reader.number() == 1, "no OpenTimestamps proof")
    need(reader.take(1) == b"\x08", "a proof of another digest than SHA-256")
    digest = reader.take(32)
    leaves = _node(reader, digest, 256)
    reader.end()
    need(len(leaves) <= 64, "more than 64 attestations")
    for leaf in leaves:
        if leaf.tag == BITCOIN:
            need(len(leaf.message) == 32, "a Bitcoin attestation of no 32 bytes")
            need(leaf.number <= 499_999_999, "a block height out of bounds")
        need(leaf.tag != PENDING or leaf.data, "a calendar without URI")
    return digest, sorted(set(leaves))


def _node(reader: Reader, message: bytes, levels: int) -> list[Attestation]:
    need(levels > 0, "more than 255 operations in a row")
    here: set[Attestation] = set()
    below: dict[tuple[int, bytes], list[Attestation]] = {}
    more = True
    while more:
        tag = reader.take(1)[0]
        more = tag == 0xFF
        if more:
            tag = reader.take(1)[0]
        if tag == 0:
            here.add(_attestation(reader, message))
        else:
            argument = reader.run(1, 4096) if tag in {0xF0, 0xF1} else b""
            result = _applied(tag, argument, message)
            below[tag, argument] = _node(reader, result, levels - 1)
    return [*here, *(leaf for leaves in below.values() for leaf in leaves)]


def _applied(tag: int, argument: bytes, message: bytes) -> bytes:
    operations: dict[int, Callable[[], bytes]] = {
        0xF0: lambda: message + argument,
        0xF1: lambda: argument + message,
        0xF2: lambda: message[::-1],
        0xF3: lambda: message.hex().encode(),
        0x02: lambda: hashlib.sha1(message, usedforsecurity=False).digest(),
        0x03: lambda: ripemd160(message),
        0x08: lambda: hashlib.sha256(message).digest(),
        0x67: lambda: keccak256(message),
    }
    need(tag in operations, "an unknown operation in a proof")
    result = operations[tag]()
    need(len(result) <= 4096, "a message above 4,096 bytes")
    return result


def _attestation(reader: Reader, message: bytes) -> Attestation:
    tag = reader.take(8).hex()
    data = reader.run(0, 8192)
    # What is inside is at most as many pieces as it has bytes, and the look for the end.
    inner = Reader(data, len(data) + 1)
    number, text = 0, data
    if tag == BITCOIN or tag in OTHER_CHAINS:
        number, text = inner.number(), b""
        inner.end()
    elif tag == PENDING:
        text = inner.run(0, 1000)
        need(re.fullmatch(rb"[A-Za-z0-9._/:-]*", text), "a calendar's URI")
        inner.end()
    return Attestation(tag, number, text, message)


Mix = Callable[[int, int, int], int]


def _rotate(value: int, count: int, width: int) -> int:
    return (value << count | value >> width - count) & (1 << width) - 1


def keccak256(message: bytes) -> bytes:
    """Keccak-256 with the padding it had before it became SHA-3."""
    rate, state = 136, [[0] * 5 for _ in range(5)]
    padded = bytearray(message + b"\x01" + bytes(-(len(message) + 1) % rate))
    padded[-1] |= 0x80
    for start in range(0, len(padded), rate):
        for lane in range(rate // 8):
            piece = padded[start + 8 * lane : start + 8 * lane + 8]
            state[lane % 5][lane // 5] ^= int.from_bytes(piece, "little")
        state = _keccak_f(state)
    return b"".join(state[lane][0].to_bytes(8, "little") for lane in range(4))


def _keccak_f(state: list[list[int]]) -> list[list[int]]:
    register = 1
    for _ in range(24):
        parity = [a ^ b ^ c ^ d ^ e for a, b, c, d, e in state]
        change = [parity[x - 1] ^ _rotate(parity[(x + 1) % 5], 1, 64) for x in range(5)]
        state = [[lane ^ change[x] for lane in state[x]] for x in range(5)]
        moved = [[0] * 5 for _ in range(5)]
        moved[0][0] = state[0][0]
        x, y = 1, 0
        for step in range(24):
            count = (step + 1) * (step + 2) // 2 % 64
            moved[y][(2 * x + 3 * y) % 5] = _rotate(state[x][y], count, 64)
            x, y = y, (2 * x + 3 * y) % 5
        state = [
            [moved[x][y] ^ ~moved[(x + 1) % 5][y] & moved[(x + 2) % 5][y] for y in range(5)]
            for x in range(5)
        ]
        for bit in range(7):
            state[0][0] ^= (register & 1) << (1 << bit) - 1
            register = register << 1 ^ (register >> 7) * 0x171
    return state


# The permutation of the words from one round to the next, and the rotations, a hex digit a step.
_NEXT_WORDS = (7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8)
_LEFT_TURNS = "befc5879bdef6798 768db97f7cf9b7dc bd67e9dfe8d65c75 bcefef989e56865c 9f5b68dc5cdeb856"
_RIGHT_TURNS = (
    "899bdff5778beec6 9df7c89b77c76fdb 97fb866ecd5edd75 f58bee6e69c9c5f8 85c9c5e68d65fdbb"
)
_LEFT_SUMS = (0, 0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xA953FD4E)
_RIGHT_SUMS = (0x50A28BE6, 0x5C4DD124, 0x6D703EF3, 0x7A6D76E9, 0)
_MIXES: tuple[Mix, ...] = (
    lambda x, y, z: x ^ y ^ z,
    lambda x, y, z: x & y | ~x & z,
    lambda x, y, z: (x | ~y) ^ z,
    lambda x, y, z: x & z | y & ~z,
    lambda x, y, z: x ^ (y | ~z),
)


def ripemd160(message: bytes) -> bytes:
    """RIPEMD-160, which many builds of OpenSSL no longer have."""
    padded = message + b"\x80" + bytes(-(len(message) + 9) % 64)
    padded += (8 * len(message)).to_bytes(8, "little")
    chain = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0]
    for start in range(0, len(padded), 64):
        block = padded[start : start + 64]
        words = [int.from_bytes(block[at : at + 4], "little") for at in range(0, 64, 4)]
        order = tuple(range(16))
        left = _ripemd_line(words, chain, (order, _LEFT_TURNS, _LEFT_SUMS), _MIXES)
        order = tuple((9 * at + 5) % 16 for at in range(16))
        right = _ripemd_line(words, chain, (order, _RIGHT_TURNS, _RIGHT_SUMS), _MIXES[::-1])
        chain = [
            (chain[(at + 1) % 5] + left[(at + 2) % 5] + right[(at + 3) % 5]) & 0xFFFFFFFF
            for at in range(5)
        ]
    return b"".join(word.to_bytes(4, "little") for word in chain)


def _ripemd_line(
    words: list[int],
    chain: list[int],
    tables: tuple[tuple[int, ...], str, tuple[int, ...]],
    mixes: tuple[Mix, ...],
) -> list[int]:
    order, turns, sums = tables
    a, b, c, d, e = chain
    for turn, constant, mix in zip(turns.split(), sums, mixes, strict=True):
        for word, count in zip(order, turn, strict=True):
            total = (a + mix(b, c, d) + words[word] + constant) & 0xFFFFFFFF
            total = (_rotate(total, int(count, 16), 32) + e) & 0xFFFFFFFF
            a, e, d, c, b = e, d, _rotate(c, 10, 32), b, total
        order = tuple(_NEXT_WORDS[word] for word in order)
    return [a, b, c, d, e]


def read_headers(data: bytes) -> dict[int, bytes]:
    """Read a file of block headers; 80 bytes by height."""
    need(len(data) <= 32 * MEBIBYTE, "block headers: more than 32 MiB")
    headers: dict[int, bytes] = {}
    last, before = -1, b""
    for line in data.split(b"\n"):
        if not line or line.startswith(b"#"):
            continue
        match = re.fullmatch(rb"(0|[1-9][0-9]{0,8}) ([0-9a-f]{160})", line)
        if match is None:
            raise Malformed("block headers: a line of another form")
        height, header = int(match[1]), bytes.fromhex(match[2].decode())
        need(last < height <= 499_999_999, "block headers: a height out of order")
        first = hashlib.sha256(header).digest()
        own = hashlib.sha256(first).digest()
        need(int.from_bytes(own, "little") <= _target(header), "block headers: no proof of work")
        need(height != last + 1 or not headers or header[4:36] == before, "block headers: a break")
        headers[height], last, before = header, height, own
        need(len(headers) <= 100_000, "block headers: more than 100,000")
    return headers


def _target(header: bytes) -> int:
    bits = int.from_bytes(header[72:76], "little")
    target = (bits & 0x7FFFFF) * 256 ** (bits >> 24) // 256**3
    return 0 if bits & 0x800000 or target >> 256 else target


# ---- one bundle: verification.md, V1-V11 ----

RECORD_FIELDS = {"metadata", "schema_version", "source"}
CATEGORY = r"[a-z]+(-[a-z]+)*(\.[A-Za-z]+(-[A-Za-z]+)*)?"
ARXIV_ID = r"[0-9]{4}\.[0-9]{4,5}|[a-z]+(-[a-z]+)*(\.[A-Z]{2})?/[0-9]{7}"
# Lists of the snapshot whose digest is known to be over what is shown, also where it is not empty.
WHOLE_LISTS = {"integrity"}


@dataclass(frozen=True)
class Row:
    """One row of a report; `event` is the place of the event it is about."""

    step: str
    name: str
    outcome: str
    event: int | None = None


@dataclass(frozen=True)
class Event:
    """An item of `events` and what V8 says of it."""

    value: Json
    outcome: str
    reason: str
    identity: str
    moment: Moment | None = None
    signed: bool = False
    well_formed: bool = True

    @property
    def kind(self) -> str:
        """The type it claims, if that has the form of one."""
        kind = self.value.get("event_type") if isinstance(self.value, dict) else None
        return str(kind) if is_token(kind) else ""

    @property
    def payload(self) -> Json:
        """Its payload, of an event that is well formed."""
        return self.value["payload"]

    @property
    def signer_id(self) -> str:
        """Who signed it, of an event that is signed."""
        return str(self.value["signer"]["signer_id"])


@dataclass(frozen=True)
class Report:
    """Everything about one bundle; `state` only of one that is admitted."""

    rows: tuple[Row, ...]
    bundle: Json = None
    number: str = ""
    receipt: Json = None
    events: tuple[Event, ...] = ()
    state: Json = None
    merged: tuple[Event, ...] = ()
    standings: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """What the mirror does with the bundle."""
        return verdict_of(self.rows)


def verdict_of(rows: Iterable[Row]) -> str:
    """Draw the verdict from rows."""
    rows = tuple(rows)
    admission = {f"V{step}": VERIFIED for step in range(1, 8)}
    seen = {row.step: row.outcome for row in rows if row.step in admission}
    wrong = [row for row in rows if row.step in admission and row.outcome != VERIFIED]
    if wrong or seen != admission:
        return "not published"
    outcomes = {row.outcome for row in rows}
    if FAILED in outcomes:
        return "checks failed"
    return "partly checkable" if NOT_CHECKABLE in outcomes else "verified"


def check_bundle(data: bytes, configuration: Configuration) -> Report:
    """Make every check on a bundle."""
    rows: list[Row] = []
    try:
        bundle = read_json(data)
        need(isinstance(bundle, dict), "no object")
        rows.append(Row("V1", "size and strict JSON", VERIFIED))
        _check_type(bundle)
        rows.append(Row("V2", "bundle type and version", VERIFIED))
        _check_schema(bundle)
        rows.append(Row("V3", "schema", VERIFIED))
    except Malformed:
        names = ("size and strict JSON", "bundle type and version", "schema")
        rows.append(Row(f"V{len(rows) + 1}", names[len(rows)], FAILED))
        return Report(tuple(rows))
    record = bundle["canonical_record"]
    digest = sha256(record)
    suffix = base64.b32encode(bytes.fromhex(digest)).decode()[:26]
    number = f"pith:{record['metadata']['submitted_at'][:4]}:{suffix}"
    rows.append(_row("V4", "content address", bundle["canonical_sha256"] == digest))
    creation, receipt = _check_creations(bundle, digest, configuration.keys)
    rows += [row for row in creation if row.step == "V4"]
    rows += _check_identifiers(bundle, number)
    rows += _check_source(bundle, suffix)
    rows += [row for row in creation if row.step == "V7"]
    if receipt is None or verdict_of(rows) == "not published":
        return Report(tuple(rows), bundle, number)
    events = tuple(judge(event, bundle, digest, configuration.keys) for event in bundle["events"])
    rows += [Row("V8", "event", event.outcome, index) for index, event in enumerate(events)]
    rows += _check_snapshots(events, record["metadata"])
    merged, standings, state = merge(events, bundle, number, configuration)
    if "state" in bundle:
        uncheckable = any(event.outcome == NOT_CHECKABLE for event in events)
        outcome = _claimed_outcome(bundle["state"], state, uncheckable=uncheckable)
        rows.append(Row("V11", "claimed state", outcome))
    return Report(tuple(rows), bundle, number, receipt, events, state, merged, standings)


def _row(step: str, name: str, condition: object, event: int | None = None) -> Row:
    return Row(step, name, VERIFIED if condition else FAILED, event)


def _check_type(bundle: Json) -> None:
    need(bundle.get("bundle_type") == "pith_open_graph_bundle", "bundle_type")
    need(bundle.get("bundle_version") == "1.0", "bundle_version")


def _check_schema(bundle: Json) -> None:
    is_source = _source_test()
    shape = held(
        bundle,
        pith_number=is_token,
        short_pith_number=is_token,
        canonical_record=lambda record: (
            held(record, metadata=_is_metadata, schema_version=one_of("1.0"), source=is_source)
            and record.keys() == RECORD_FIELDS
            and record["source"].keys() == {"id", "kind", "version"}
        ),
        canonical_sha256=is_digest,
        source=is_source,
        source_aliases=_is_array,
        events=lambda events: _is_array(events) and len(events) <= 10_000,
    )
    need(shape, "a field that is missing or malformed")
    for alias in bundle["source_aliases"]:
        time_or_null: Test = lambda value: value is None or is_time(value)  # noqa: E731
        tests = {"alias_kind": is_token, "alias_value": is_token, "created_at": time_or_null}
        need(held(alias, **tests), "an alias")
    need(isinstance(bundle.get("state", {}), dict), "state")


def _source_test() -> Test:
    return lambda source: held(
        source, kind=is_token, id=is_token, version=lambda version: is_count(version, 1)
    )


def _is_metadata(metadata: Json) -> bool:
    is_category: Test = lambda value: matches(CATEGORY)(value) and len(value) <= 40  # noqa: E731
    submitted = matches(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
    tests: dict[str, Test] = {
        "abstract_canon_sha256": is_digest,
        "cross_cats_sorted": lambda items: _is_array(items) and all(map(is_category, items)),
        "license": matches(r"(https?://[!-~]{1,240})?"),
        "primary_cat": is_category,
        "submitted_at": lambda value: submitted(value) and is_time(value),
        "title_canon_sha256": is_digest,
    }
    if not held(metadata, **tests) or metadata.keys() != tests.keys():
        return False
    cross = metadata["cross_cats_sorted"]
    return cross == sorted(set(cross)) and metadata["primary_cat"] not in cross


def _check_creations(bundle: Json, digest: str, keys: Mapping[str, Key]) -> tuple[list[Row], Json]:
    """Check V4 and V7 on every creation: rows, and the receipt that counts if one does."""
    creations = [
        event
        for event in bundle["events"]
        if isinstance(event, dict) and event.get("event_type") == "record_created"
    ]
    if not creations:
        return [Row("V4", "record_created", FAILED), Row("V7", "receipt signature", FAILED)], None
    checked = [(creation_rows(event, digest, keys), event) for event in creations]
    proven = [
        (rows, event["payload"]["receipt"])
        for rows, event in checked
        if all(row.outcome == VERIFIED for row in rows)
    ]
    if not proven:
        return checked[0][0], None
    return min(proven, key=lambda item: canonical(item[1]))


def creation_rows(event: Json, digest: str, keys: Mapping[str, Key]) -> list[Row]:
    """Check V4 and V7 on one creation; one that is right has rows of both."""
    payload = event.get("payload")
    malformed = Row("V4", "record_created payload", FAILED)
    if not isinstance(payload, dict):
        return [malformed]
    if held(
        payload, canonical_record=lambda value: isinstance(value, dict), canonical_sha256=is_digest
    ):
        same = sha256(payload["canonical_record"]) == payload["canonical_sha256"] == digest
        rows = [_row("V4", "content address in record_created", same)]
    else:
        rows = [malformed]
    receipt: Json = payload.get("receipt")
    shape = held(
        receipt,
        kind=one_of("pith_receipt"),
        algorithm=one_of("ed25519"),
        key_id=is_token,
        signed_at=is_time,
        signature_b64=base64_of(64),
    )
    if not shape:
        return [*rows, Row("V7", "receipt signature", FAILED)]
    key = keys.get(receipt["key_id"])
    if key is None:
        return [*rows, Row("V7", "receipt signature", NOT_CHECKABLE)]
    if "registry" not in key.roles:
        return [*rows, Row("V7", "receipt signature", FAILED)]
    inside = key.covers(moment_of(receipt["signed_at"]) or (0, 0))
    return [
        *rows,
        _row("V7", "receipt signature", key.signed(digest, receipt["signature_b64"])),
        _row("V7", "receipt time", inside),
    ]


def _check_identifiers(bundle: Json, number: str) -> list[Row]:
    head, _, suffix = number.rpartition(":")
    claimed_head, _, claimed_suffix = bundle["pith_number"].rpartition(":")
    return [
        _row("V5", "suffix", claimed_suffix == suffix),
        _row("V5", "year", claimed_head == head),
        _row("V5", "short form", bundle["short_pith_number"] == f"pith:{suffix[:8]}"),
    ]


def _check_source(bundle: Json, suffix: str) -> list[Row]:
    source = bundle["canonical_record"]["source"]
    same = all(bundle["source"][name] == source[name] for name in ("kind", "id", "version"))
    rows = [_row("V6", "source", same)]
    if source["kind"] != "arxiv":
        return [*rows, Row("V6", "aliases", NOT_CHECKABLE)]
    if not re.fullmatch(ARXIV_ID, source["id"]):
        return [*rows, Row("V6", "arXiv id", FAILED)]
    expected = [
        ("arxiv", source["id"]),
        ("arxiv_version", f"{source['id']}v{source['version']}"),
        ("doi", f"10.48550/arxiv.{source['id']}"),
        *((f"pith_short_{length}", suffix[:length]) for length in (12, 16, 8)),
    ]
    found = [(alias["alias_kind"], alias["alias_value"]) for alias in bundle["source_aliases"]]
    return [*rows, _row("V6", "aliases", found == expected)]


# ---- V8, V9, V10, V11 ----


def judge(event: Json, bundle: Json, digest: str, keys: Mapping[str, Key]) -> Event:
    """Judge one item of `events` of an admitted bundle."""
    if isinstance(event, dict) and event.get("event_type") == "pith.integrity.v1":
        return _judge_integrity(event, bundle, keys)
    content = f"content:{sha256(event)}"
    if envelope_fault(event) or not payload_is_right(event["event_type"], event["payload"]):
        return Event(event, FAILED, "malformed", content, well_formed=False)
    moment = moment_of(event.get("created_at"))
    outcome, reason = FAILED, "another record"
    if event["subject_pith_number"] == bundle["pith_number"]:
        outcome, reason = judge_signature(event, keys)
    if event["event_type"] == "record_created" and outcome != FAILED:
        outcome, reason = _judge_creation(event, digest, keys, (outcome, reason))
    signed = outcome == VERIFIED and "event_id" in event and "signature_b64" in event
    if signed:
        key = keys[event["signer"]["key_id"]]
        reason = payload_rule(event, key, digest)
        outcome, signed = (FAILED, False) if reason else (VERIFIED, True)
    identity = content
    if signed:
        identity = event["event_id"]
    elif outcome == VERIFIED:
        identity = f"receipt:{digest}"
    return Event(event, outcome, reason, identity, moment, signed)


def judge_signature(event: Json, keys: Mapping[str, Key]) -> tuple[str, str]:
    """Judge the envelope of an event: outcome and reason."""
    if not {"event_id", "signer", "signature_b64"} <= event.keys():
        return NOT_CHECKABLE, "unsigned"
    signer = event["signer"]
    key = keys.get(signer["key_id"])
    if key is None:
        return NOT_CHECKABLE, "unknown key"
    bare = {name: event[name] for name in event if name not in {"event_id", "signature_b64"}}
    digest = sha256(bare)
    moment = moment_of(event.get("created_at"))
    own_id = event["event_id"] == f"sha256:{digest}"
    rules = (
        (key.roles & KINDS.get(event["event_type"], ("", ANY))[1], FAILED, "wrong role"),
        (signer["public_key_fingerprint"] == key.fingerprint, FAILED, "wrong signer"),
        (signer["signer_id"] == key.signer_id, FAILED, "wrong signer"),
        (own_id or key.profile != "mirror/1", FAILED, "wrong event id"),
        (own_id, NOT_CHECKABLE, "unknown rule"),
        (own_id and key.signed(digest, event["signature_b64"]), FAILED, "wrong signature"),
        (moment is not None and key.covers(moment), FAILED, "outside window"),
    )
    faults = ((outcome, reason) for holds, outcome, reason in rules if not holds)
    return next(faults, (VERIFIED, ""))


def _judge_creation(
    event: Json, digest: str, keys: Mapping[str, Key], envelope: tuple[str, str]
) -> tuple[str, str]:
    if event["target"] != "record":
        return FAILED, "wrong target"
    for row in creation_rows(event, digest, keys):
        if row.outcome == NOT_CHECKABLE:
            return NOT_CHECKABLE, "unknown key"
        if row.outcome == FAILED:
            return FAILED, "wrong record" if row.step == "V4" else "wrong receipt"
    if envelope[0] == VERIFIED or "signature_b64" in event:
        return envelope
    return VERIFIED, ""


def payload_rule(event: Json, key: Key, digest: str) -> str:
    """Apply the rules beyond the shape: the reason of a failure, or nothing."""
    kind, payload, wrong = event["event_type"], event["payload"], False
    if kind == "timestamp_anchored":
        try:
            wrong = read_proof(decoded(payload["proof_b64"]) or b"")[0].hex() != digest
        except Malformed:
            wrong = True
    elif kind == "author_claim":
        own = payload.get("public_key_fingerprint") == key.fingerprint
        wrong = "registry" not in key.roles and payload["strength"] == "strong" and not own
    elif kind == "citation":
        wrong = payload["cited_pith_number"][-26:] == event["subject_pith_number"][-26:]
    elif kind == "withdrawal" and payload["about"] == "record":
        return "" if key.roles & {"registry", "author"} else "wrong role"
    return "wrong payload" if wrong else ""


INTEGRITY_KEYS = {
    *("arxiv_id", "audited_at", "detected_arxiv_id", "detected_doi", "detector", "detector_url"),
    *("detector_version", "event_type", "evidence", "evidence_hash", "external_url"),
    *("finding_type", "note", "paper_version", "ref_index", "resolved_title", "severity"),
    *("snippet", "verdict_class"),
}


def _judge_integrity(event: Json, bundle: Json, keys: Mapping[str, Key]) -> Event:
    content = f"content:{sha256(event)}"
    if not _integrity_is_right(event):
        return Event(event, FAILED, "malformed", content, well_formed=False)
    payload = event["payload"]
    digest, moment = sha256(payload), moment_of(payload["audited_at"]) or (0, 0)
    evidence = sha256({"d": payload["detector"], "e": payload["evidence"]})
    key = keys.get(event["signing_key_id"])
    outcome = FAILED
    if (evidence, digest) != (payload["evidence_hash"], event["payload_sha256"]):
        reason = "wrong digest"
    elif payload["arxiv_id"] != bundle["canonical_record"]["source"]["id"]:
        reason = "another record"
    elif key is None:
        outcome, reason = NOT_CHECKABLE, "unknown key"
    elif "registry" not in key.roles:
        reason = "wrong role"
    elif not key.signed(digest, event["signature_b64"]):
        reason = "wrong signature"
    elif not key.covers(moment):
        reason = "outside window"
    else:
        return Event(event, VERIFIED, "", f"sha256:{digest}", moment)
    return Event(event, outcome, reason, content, moment)


def _integrity_is_right(event: Json) -> bool:
    severities = one_of("critical", "advisory", "informational")
    classes = ("incontrovertible", "cross_source", "threshold_with_margin", "rescinded")
    return held(
        event,
        payload=lambda payload: (
            held(
                payload,
                event_type=one_of("pith.integrity.v1"),
                arxiv_id=is_token,
                audited_at=is_time,
                detector=is_token,
                finding_type=is_token,
                evidence_hash=is_digest,
                severity=severities,
                verdict_class=one_of(*classes),
            )
            and payload.keys() == INTEGRITY_KEYS
        ),
        payload_sha256=is_digest,
        signature_b64=base64_of(64),
        signing_key_id=is_token,
    )


def _check_snapshots(events: Sequence[Event], metadata: Json) -> list[Row]:
    kept = [
        (index, event.payload["graph_snapshot"])
        for index, event in enumerate(events)
        if event.kind == "graph_snapshot" and event.outcome != FAILED
    ]
    digests = [row for index, snapshot in kept for row in _digest_rows(snapshot, index)]
    bindings = [row for index, snapshot in kept for row in _binding_rows(snapshot, metadata, index)]
    return digests + bindings


def _digest_rows(snapshot: Json, index: int) -> Iterator[Row]:
    for name, (count_name, list_name) in SECTIONS.items():
        if name in snapshot:
            section = snapshot[name]
            items = section[list_name] if list_name else []
            missing = section[count_name] - len(items)
            same = section["snapshot_sha256"] == sha256({"payload": items})
            outcome = VERIFIED if same else NOT_CHECKABLE if items else FAILED
            if missing:
                outcome = NOT_CHECKABLE if missing > 0 else FAILED
            yield Row("V9", "snapshot digest", outcome, index)
    if "integrity" in snapshot:
        section = snapshot["integrity"]
        whole = {"detectors": section["detectors_run"], "findings": section["findings"]}
        same = section["snapshot_sha256"] == sha256({"payload": whole})
        yield _row("V9", "snapshot digest", same, index)


def folded(text: str) -> str:
    """Fold white space and case, as titles and abstracts are digested."""
    return " ".join(text.split()).lower()


def _bound(text: str, digest: str) -> bool:
    return hashlib.sha256(folded(text).encode()).hexdigest() == digest


def _binding_rows(snapshot: Json, metadata: Json, index: int) -> Iterator[Row]:
    paper, digest = snapshot["paper"], metadata["abstract_canon_sha256"]
    yield _row(
        "V10", "title binding", _bound(paper["title"], metadata["title_canon_sha256"]), index
    )
    abstract, excerpt = paper.get("abstract"), paper.get("abstract_excerpt", "")
    whole_is_bound = abstract is not None and _bound(abstract, digest)
    if abstract is not None:
        yield _row("V10", "abstract binding", whole_is_bound, index)
    if excerpt and whole_is_bound:
        begins = folded(abstract).startswith(folded(excerpt))
        yield _row("V10", "abstract binding", begins, index)
    elif excerpt:
        unbound = FAILED if len(excerpt) < 600 else NOT_CHECKABLE
        yield Row(
            "V10", "abstract binding", VERIFIED if _bound(excerpt, digest) else unbound, index
        )


def _claimed_outcome(claimed: Json, state: Json, *, uncheckable: bool) -> str:
    of_record = ("state_type", "state_version", "pith_number", "merge_version")
    own = {name: claimed[name] for name in of_record if name in claimed}
    current = claimed.get("current")
    if isinstance(current, dict):
        names = ("canonical_record", "source_aliases")
        own["current"] = {name: current[name] for name in names if name in current}
    if not _agrees(own, state):
        return FAILED
    if _agrees(claimed, state):
        return VERIFIED
    return NOT_CHECKABLE if uncheckable else FAILED


def _agrees(claimed: Json, state: Json) -> bool:
    if isinstance(claimed, dict) and isinstance(state, dict):
        return all(_agrees(claimed[name], state[name]) for name in claimed.keys() & state.keys())
    return canonical(claimed) == canonical(state)


# ---- merge: state.md ----

COUNTS, CONTRADICTED, WAITING = "counts", "contradicted", "waiting for signers"
WITHDRAWN, RESCINDED, SUPERSEDED = "withdrawn", "rescinded", "superseded"
CARRIED, SET_ASIDE = "carried", "set aside"
IN_STATE = {COUNTS, SUPERSEDED, RESCINDED, WITHDRAWN, CONTRADICTED}

Merged = tuple[tuple[Event, ...], dict[str, str], Json]


def merge(
    events: Iterable[Event], bundle: Json, number: str, configuration: Configuration
) -> Merged:
    """Merge a set of events: the events in order, their standings, the state."""
    distinct: dict[str, Event] = {}
    for event in events:
        other = distinct.get(event.identity)
        if other is None or canonical(event.value) < canonical(other.value):
            distinct[event.identity] = event
    ordered = tuple(sorted(distinct.values(), key=_place))
    groups = find_equivocations(ordered)
    standings = find_standings(ordered, groups, configuration)
    state = spell_state(ordered, groups, standings, (bundle, number, configuration))
    return ordered, standings, state


def _place(event: Event) -> tuple[bool, Moment, bool, str]:
    if event.moment is None:
        return False, (0, 0), event.kind != "record_created", event.identity
    return True, event.moment, False, event.identity


def find_equivocations(events: Iterable[Event]) -> list[list[Event]]:
    """Find the groups of events that contradict each other."""
    groups: dict[tuple[Json, ...], list[Event]] = {}
    for event in events:
        if event.signed:
            place = (event.signer_id, event.kind, event.value["target"], event.moment)
            groups.setdefault(place, []).append(event)
    return [group for group in groups.values() if len(group) > 1]


def find_standings(
    events: Sequence[Event], groups: list[list[Event]], configuration: Configuration
) -> dict[str, str]:
    """Apply rules 1 to 7."""
    contradicted = {event.identity for group in groups for event in group}
    standings = {}
    for event in events:
        if event.identity in contradicted:
            standings[event.identity] = CONTRADICTED
        elif event.outcome == FAILED:
            standings[event.identity] = SET_ASIDE
        elif event.outcome == NOT_CHECKABLE and not configuration.accept:
            standings[event.identity] = CARRIED
        else:
            standings[event.identity] = COUNTS

    def counting() -> list[Event]:
        return [event for event in events if standings[event.identity] == COUNTS]

    standings |= _waiting(counting(), configuration.thresholds, withdrawals=True)
    standings |= _withdrawn(events, counting(), standings)
    standings |= _waiting(counting(), configuration.thresholds, withdrawals=False)
    standings |= _rescinded(counting())
    standings |= _superseded(counting())
    return standings


def _waiting(
    counting: list[Event], thresholds: Mapping[str, int], *, withdrawals: bool
) -> dict[str, str]:
    behind: dict[str, set[str]] = {}
    for event in counting:
        if event.signed:
            endorses = event.kind == "endorsement"
            about = event.payload["endorses"] if endorses else event.identity
            behind.setdefault(about, set()).add(event.signer_id)
    return {
        event.identity: WAITING
        for event in counting
        if (event.kind == "withdrawal") is withdrawals
        and len(behind.get(event.identity, ())) < thresholds.get(event.kind, 0)
    }


def _withdrawn(
    events: Sequence[Event], counting: list[Event], standings: Mapping[str, str]
) -> dict[str, str]:
    by_identity = {event.identity: event for event in events if event.signed}
    found = {}
    for event in counting:
        if event.kind != "withdrawal" or not event.signed:
            continue
        target = by_identity.get(event.payload["about"])
        if (
            target is not None
            and target.kind != "withdrawal"
            and target.signer_id == event.signer_id
            and standings[target.identity] in {COUNTS, CONTRADICTED}
        ):
            found[target.identity] = WITHDRAWN
    return found


def _finding_place(event: Event) -> tuple[str, str, bytes]:
    payload = event.payload
    where = canonical([payload["paper_version"], payload["ref_index"]])
    return payload["detector"], payload["finding_type"], where


def _rescinded(counting: list[Event]) -> dict[str, str]:
    findings = [event for event in counting if event.kind == "pith.integrity.v1"]
    latest: dict[tuple[str, str, bytes], Moment] = {}
    for event in findings:
        if event.outcome == VERIFIED and event.payload["verdict_class"] == "rescinded":
            place, moment = _finding_place(event), event.moment or (0, 0)
            latest[place] = max(latest.get(place, moment), moment)
    return {
        event.identity: RESCINDED
        for event in findings
        if event.payload["verdict_class"] != "rescinded"
        and _finding_place(event) in latest
        and (event.moment or (0, 0)) <= latest[_finding_place(event)]
    }


def _superseded(counting: list[Event]) -> dict[str, str]:
    snapshots = [event for event in counting if event.kind == "graph_snapshot"]
    last = {event.value["target"]: event.identity for event in snapshots}
    return {
        event.identity: SUPERSEDED
        for event in snapshots
        if last[event.value["target"]] != event.identity
    }


def spell_state(
    events: Sequence[Event],
    groups: list[list[Event]],
    standings: Mapping[str, str],
    context: tuple[Json, str, Configuration],
) -> Json:
    """Spell state.json, its keys in their order."""
    bundle, number, configuration = context
    admitted = [event for event in events if standings[event.identity] in IN_STATE]

    def of_outcome(outcome: str) -> list[Event]:
        return [event for event in events if event.outcome == outcome]

    def of_standing(standing: str) -> list[Event]:
        return [event for event in events if standings[event.identity] == standing]

    state = {
        "state_type": "pith_open_graph_state",
        "state_version": "1.0",
        "pith_number": number,
        "merge_version": "pith-open-graph-merge-v1",
        "event_count": len(events),
        "valid_event_count": len(admitted),
        "invalid_event_count": len(of_outcome(FAILED)),
        "equivocation_count": len(groups),
        "current": _current(admitted, standings, bundle),
        "uncheckable_event_count": len(of_outcome(NOT_CHECKABLE)),
        "uncheckable_events": "accept" if configuration.accept else "carry",
        "thresholds": dict(configuration.thresholds),
        "profile": "mirror/1",
        "equivocations": [_equivocation(group) for group in groups],
        "rejected_events": [_set_aside(event) for event in of_outcome(FAILED)],
        "carried_events": [_set_aside(event) for event in of_standing(CARRIED)],
        "waiting_events": [_entry(event, standings) for event in of_standing(WAITING)],
    }
    return {**state, "state_sha256": sha256(state)}


def _current(admitted: list[Event], standings: Mapping[str, str], bundle: Json) -> Json:
    lists: dict[str, list[Json]] = {name: [] for name in LISTS}
    for event in admitted:
        if event.kind != "record_created":
            name = KINDS.get(event.kind, ("other_events", ANY))[0]
            lists[name].append(_entry(event, standings))
    names = ("alias_kind", "alias_value", "created_at")
    return {
        "canonical_record": sorted_keys(bundle["canonical_record"]),
        "source_aliases": [{n: alias[n] for n in names} for alias in bundle["source_aliases"]],
        **lists,
    }


def _entry(event: Event, standings: Mapping[str, str]) -> Json:
    value = event.value
    entry: dict[str, Json]
    if event.kind == "pith.integrity.v1":
        entry = {"event_id": event.identity, "signing_key_id": value["signing_key_id"]}
    else:
        entry = {
            "event_id": value.get("event_id", event.identity),
            "target": value["target"],
            "created_at": value.get("created_at"),
            "signer": sorted_keys(value.get("signer")),
        }
    return entry | {
        "payload": sorted_keys(event.payload),
        "event_type": event.kind,
        "verification": event.outcome,
        "standing": standings[event.identity],
    }


def _equivocation(group: list[Event]) -> Json:
    first = group[0]
    return {
        "signer_id": first.signer_id,
        "event_type": first.kind,
        "target": first.value["target"],
        "created_at": first.value["created_at"],
        "event_ids": sorted(event.identity for event in group),
    }


def _set_aside(event: Event) -> Json:
    return {"identity": event.identity, "event_type": event.kind, "reason": event.reason}


# ---- what else is read off the state: state.md ----


@dataclass(frozen=True)
class Anchors:
    """What the proofs of one event say under the headers at hand."""

    event: Event
    pending: list[str]
    bitcoin: list[tuple[int, str, str | None]]  # height, outcome, time of the block

    @property
    def proven(self) -> bool:
        """Whether a block is proven to hold the record."""
        return any(outcome == VERIFIED for _, outcome, _ in self.bitcoin)


def counting(report: Report, kind: str) -> list[Event]:
    """Give the verified events of a kind that count."""
    return [
        event
        for event in report.merged
        if event.kind == kind
        and event.outcome == VERIFIED
        and report.standings[event.identity] == COUNTS
    ]


def anchors_of(report: Report, headers: Mapping[int, bytes]) -> list[Anchors]:
    """Check the timestamps that count against block headers (timestamps.md)."""
    result = []
    for event in counting(report, "timestamp_anchored"):
        _, attestations = read_proof(decoded(event.payload["proof_b64"]) or b"")
        pending = sorted({leaf.data.decode() for leaf in attestations if leaf.tag == PENDING})
        blocks = sorted(
            {(leaf.number, leaf.message) for leaf in attestations if leaf.tag == BITCOIN}
        )
        bitcoin = [(height, *_anchor(headers.get(height), root)) for height, root in blocks]
        result.append(Anchors(event, pending, bitcoin))
    return result


def _anchor(header: bytes | None, root: bytes) -> tuple[str, str | None]:
    if header is None:
        return NOT_CHECKABLE, None
    if header[36:68] != root:
        return FAILED, None
    seconds = int.from_bytes(header[68:72], "little")
    return VERIFIED, f"{EPOCH + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%SZ}"


def status_of(report: Report, anchors: Sequence[Anchors]) -> Json:
    """Compute `verification_status` of the resolver record."""
    claims = [event.payload for event in counting(report, "author_claim")]
    everyone = {_claimant(claim) for claim in claims}
    strong = {_claimant(claim) for claim in claims if claim["strength"] == "strong"}
    current: Json = None
    for event in report.merged:
        if event.kind == "graph_snapshot" and report.standings[event.identity] == COUNTS:
            current = event.payload["graph_snapshot"]
    snapshot = current or {}
    return {
        "content_addressed": True,
        "pith_receipt": True,
        "author_attested": bool(counting(report, "author_attestation")),
        "weak_author_claims": len(everyone - strong),
        "strong_author_claims": len(strong),
        "externally_anchored": any(anchor.proven for anchor in anchors),
        "storage_verified": False,
        "citation_signatures": len(counting(report, "citation")),
        "replication_records": len(counting(report, "replication")),
        "graph_snapshot": current is not None,
        "references_resolved": is_count(snapshot.get("references", {}).get("resolved_work"), 1),
        "formal_links_present": is_count(snapshot.get("formal_canon", {}).get("evidence_count"), 1),
    }


def _claimant(claim: Json) -> str:
    return str(claim.get("orcid") or claim.get("public_key_fingerprint"))


# ---- a site: site.md ----


class Site:
    """A built site below a folder, checked record by record."""

    def __init__(self, root: Path, configuration: Configuration) -> None:
        self.root = root
        self.configuration = configuration

    def manifest_faults(self) -> Iterator[str]:
        """Compare every file with what manifest.json says of it."""
        yield from self._listed_faults("manifest.json", "")

    def _listed_faults(self, document: str, key: str) -> Iterator[str]:
        """Compare what a manifest, or the part of one that `key` names, lists."""
        try:
            manifest = json.loads((self.root / document).read_bytes())
            parts = [str(entry["path"]) for entry in manifest.get("parts", [])]
            files = [
                (entry["path"], entry["sha256"], entry["length"])
                for entry in manifest["parts" if parts else "files"]
            ]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            yield f"{document}: {error}"
            return
        for path in parts:
            # A part names longer keys than its own, so that no chain of parts has no end.
            match = re.fullmatch(r"manifest/m-([a-z2-7]{1,4})\.json", path)
            if match is None or len(match[1]) <= len(key) or not match[1].startswith(key):
                yield f"{document}: a part {path!r}"
            elif self.read(path) is not None:
                yield from self._listed_faults(path, match[1])
        for path, digest, length in files:
            if not re.fullmatch(r"(?!.*(^|/)\.{1,2}(/|$))[A-Za-z0-9._/-]+", str(path)):
                yield f"{document}: a path {path!r}"
                continue
            data = self.read(path)
            if data is None:
                yield f"{path}: missing"
            elif (hashlib.sha256(data).hexdigest(), len(data)) != (digest, length):
                yield f"{path}: not the bytes that {document} lists"

    @cache  # noqa: B019 - one site a run
    def is_compact(self) -> bool:
        """Tell whether the manifest lists a merged state of no record at all."""
        text = (self.read("manifest.json") or b"").decode("utf-8", "replace")
        return '"manifest_type"' in text and re.search(r'"pith/[^"/]+/state\.json"', text) is None

    def suffixes(self) -> list[str]:
        """List the records: whatever has more than a badge."""
        found = {path.stem for path in self.root.glob("pith/*.json")}
        for pattern in ("pith/*/*", ".well-known/pith/*/*"):
            paths = self.root.glob(pattern)
            found |= {path.parent.name for path in paths if path.name != "badge.svg"}
        return sorted(found)

    def check_record(self, suffix: str) -> tuple[Report, list[str]]:
        """Check one record: what was recomputed, and every file that does not agree."""
        folder = f"pith/{suffix}"
        data = self.read(f"{folder}/bundle.json")
        if data is None:
            return Report(()), [f"{folder}/bundle.json: missing"]
        report = check_bundle(data, self.configuration)
        if report.state is None:
            row = next((row for row in report.rows if row.outcome != VERIFIED), None)
            why = "" if row is None else f": {row.step} {row.name} {row.outcome}"
            return report, [f"{folder}/bundle.json: must not be published{why}"]
        faults = []
        if report.number[-26:] != suffix:
            faults.append(f"{folder}/bundle.json: the record {report.number}")
        if self.is_compact():
            return report, faults
        if self.read(f".well-known/{folder}/bundle.json") != data:
            faults.append(f".well-known/{folder}/bundle.json: another bundle")
        faults += self._state_faults(f"{folder}/state.json", report)
        faults += self._events_faults(f"{folder}/events.json", report)
        faults += self._resolver_faults(f"{folder}.json", report)
        return report, faults

    def read(self, path: str) -> bytes | None:
        """Read a file, or None."""
        try:
            return (self.root / path).read_bytes()
        except OSError:
            return None

    def _json(self, path: str) -> Json:
        try:
            return json.loads(self.read(path) or b"")
        except ValueError:
            return None

    def _state_faults(self, path: str, report: Report) -> Iterator[str]:
        if self.read(path) == compact(report.state):
            return
        found = self._json(path)
        place = first_difference(report.state, found)
        yield f"{path}: {place} is not as recomputed" if place else f"{path}: spelled otherwise"

    def _events_faults(self, path: str, report: Report) -> Iterator[str]:
        document = self._json(path)
        rows = document.get("events") if isinstance(document, dict) else None
        if not isinstance(rows, list) or document.get("pith_number") != report.number:
            yield f"{path}: missing or malformed"
            return
        expected = [
            {
                "identity": event.identity,
                "outcome": event.outcome,
                "reason": event.reason or None,
                "standing": report.standings[event.identity],
                "event": event.value,
            }
            for event in report.merged
        ]
        names = ("identity", "outcome", "reason", "standing", "event")
        found = [{name: row.get(name) for name in names} for row in rows if isinstance(row, dict)]
        place = first_difference(expected, found)
        if place or len(found) != len(rows):
            yield f"{path}: events{place} is not as recomputed"

    def _resolver_faults(self, path: str, report: Report) -> Iterator[str]:
        found = self._json(path)
        if not isinstance(found, dict):
            yield f"{path}: missing or malformed"
            return
        anchors = anchors_of(report, self.configuration.headers)
        expected = resolver_of(report, anchors)
        place = first_difference(expected, {name: found.get(name) for name in expected})
        if place:
            yield f"{path}: {place} is not as recomputed"
        mirror = found.get("mirror")
        mirror = mirror if isinstance(mirror, dict) else {}
        if mirror.get("verdict") != report.verdict:
            yield f"{path}: mirror.verdict is not {report.verdict!r}"
        if not _anchors_agree(mirror.get("timestamps"), anchors):
            yield f"{path}: mirror.timestamps is not as recomputed"
        if not _paper_is_proven(found.get("paper"), report.bundle["canonical_record"]["metadata"]):
            yield f"{path}: paper contradicts the record"


def resolver_of(report: Report, anchors: Sequence[Anchors]) -> Json:
    """Compute the fields of the resolver record that follow from the record and the state."""
    record = report.bundle["canonical_record"]
    aliases = report.bundle["source_aliases"]
    names = ("alias_kind", "alias_value")
    return {
        "record_type": "pith_number_record",
        "pith_number": report.number,
        "short_pith_number": f"pith:{report.number[-26:-18]}",
        "schema_version": "1.0",
        "canonical_sha256": sha256(record),
        "source": {name: record["source"][name] for name in ("kind", "id", "version")},
        "attestation_state": "computed",
        "verification_status": status_of(report, anchors),
        "canonical_record": record,
        "source_aliases": [{name: alias[name] for name in names} for alias in aliases],
        "receipt": report.receipt,
    }


def _anchors_agree(found: Json, anchors: Sequence[Anchors]) -> bool:
    expected = [
        {
            "event_id": anchor.event.identity,
            "pending": anchor.pending,
            "bitcoin": [
                {"height": height, "outcome": outcome, "block_time": time}
                for height, outcome, time in anchor.bitcoin
            ],
        }
        for anchor in anchors
    ]
    return _agrees_in(expected, found)


def _agrees_in(expected: Json, found: Json) -> bool:
    """Compare, letting objects of the second have further keys."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            name in found and _agrees_in(value, found[name]) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(found, list)
            and len(expected) == len(found)
            and all(map(_agrees_in, expected, found))
        )
    return bool(canonical(expected) == canonical(found))


def _paper_is_proven(paper: Json, metadata: Json) -> bool:
    """Tell whether nothing is shown of a paper that its record contradicts."""
    if paper is None:
        return True
    if not isinstance(paper, dict):
        return False
    fields = {
        "license": metadata["license"],
        "cross_cats": metadata["cross_cats_sorted"],
        "primary_cat": metadata["primary_cat"],
        "submitted_at": metadata["submitted_at"],
    }
    title, abstract = paper.get("title"), paper.get("abstract")
    return (
        all(paper.get(name, value) == value for name, value in fields.items())
        and (title is None or _bound(title, metadata["title_canon_sha256"]))
        and (abstract is None or _bound(abstract, metadata["abstract_canon_sha256"]))
    )


def first_difference(expected: Json, found: Json, place: str = "") -> str:
    """Name the first place in which two values differ; empty if they are equal."""
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        inner = ((f"{place}.{name}", expected[name], found[name]) for name in expected)
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = zip(expected, found, strict=True)
        inner = ((f"{place}[{index}]", *pair) for index, pair in enumerate(pairs))
    else:
        same = canonical(expected) == canonical(found)
        return "" if same else place.lstrip(".") or "the whole"
    return next(filter(None, (first_difference(a, b, name) for name, a, b in inner)), "")


# ---- command line ----


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="pith_check.py",
        description="Recompute what a mirror of Pith Numbers shows, apart from its own program.",
        epilog="Exit code: 0 all agrees, 1 something does not, 2 wrong command line or settings.",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", type=Path, help="a site, or bundles")
    parser.add_argument(
        "--config",
        required=True,
        metavar="FILE",
        type=Path,
        help="the mirror.toml with the keys you trust; never one from the site",
    )
    parser.add_argument("--quiet", action="store_true", help="print what does not agree, only")
    parser.add_argument("--rows", action="store_true", help="print every check of each record")
    parser.add_argument("--state", action="store_true", help="print the state of each bundle, only")
    options = parser.parse_args(arguments)
    try:
        configuration = load_configuration(options.config)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, Malformed) as error:
        print(f"{options.config}: {error}", file=sys.stderr)
        return 2
    good = True
    for path in options.paths:
        try:
            agrees = (
                _print_site(Site(path, configuration), options)
                if path.is_dir()
                else _print_bundle(path, configuration, options)
            )
        except OSError as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
        good = good and agrees
    return 0 if good else 1


def _print_site(site: Site, options: argparse.Namespace) -> bool:
    if not (site.root / "manifest.json").is_file():
        raise FileNotFoundError("no manifest.json here, so this is no site")
    wrong, records = 0, site.suffixes()
    for suffix in records:
        report, faults = site.check_record(suffix)
        wrong += bool(faults)
        if faults or not options.quiet:
            name = report.number if report.number.endswith(suffix) else suffix
            print(_line("WRONG" if faults else "ok", report, name))
        if options.rows:
            _print_rows(report)
        for fault in faults:
            print(f"      {fault}")
    damaged = list(site.manifest_faults())
    for fault in damaged:
        print(f"WRONG {fault}")
    print(f"{len(records)} records, {wrong} of them wrong; {len(damaged)} files not as listed")
    return not wrong and not damaged


def _print_bundle(path: Path, configuration: Configuration, options: argparse.Namespace) -> bool:
    report = check_bundle(path.read_bytes(), configuration)
    good = report.verdict in {"verified", "partly checkable"}
    if options.state:
        sys.stdout.buffer.write(compact(report.state) if report.state else b"")
        return good
    if not good or not options.quiet:
        print(_line("ok" if good else "WRONG", report, f"{path.name} {report.number}".strip()))
    if options.rows:
        _print_rows(report)
    return good


def _line(word: str, report: Report, name: str) -> str:
    counts = [
        f"{len(found)} {outcome}"
        for outcome in (VERIFIED, FAILED, NOT_CHECKABLE)
        if (found := [event for event in report.merged if event.outcome == outcome])
    ]
    state = f"; state {report.state['state_sha256'][:16]}" if report.state else ""
    events = f"; events: {', '.join(counts)}" if counts else ""
    return f"{word:5} {name}: {report.verdict}{events}{state}"


def _print_rows(report: Report) -> None:
    for row in report.rows:
        event = None if row.event is None else report.events[row.event]
        about = "" if event is None else f" events[{row.event}] {event.kind}"
        reason = (
            f" ({event.reason})" if event is not None and row.step == "V8" and event.reason else ""
        )
        print(f"      {row.step:4}{row.outcome:14}{row.name}{about}{reason}")


if __name__ == "__main__":
    sys.exit(main())

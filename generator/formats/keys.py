"""Trusted keys: pinned in the mirror's configuration, never from a bundle (protocol part 8)."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import Enum

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from generator.errors import FormatError
from generator.formats.canonical import JsonValue, canonical_json, json_kind
from generator.formats.digest import Digest, sha256
from generator.formats.ed25519 import public_key_fault
from generator.formats.instant import Instant
from generator.limits import shorten

PUBLIC_KEY_LENGTH = 32  # bytes, RFC 8032 5.1.5
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")  # RFC 4648 4
SIGNATURE_LENGTH = 64  # bytes, RFC 8032 5.1.6
FINGERPRINT_LENGTH = 16  # bytes of the SHA-256 of the raw key, protocol part 2


class EventProfile(Enum):
    """How a signer derives event ids: only where it is known can a wrong id be called a failure."""

    UNKNOWN = "unknown"
    MIRROR1 = "mirror/1"


class Role(Enum):
    """What a trusted key may speak for."""

    REGISTRY = "registry"
    AUTHOR = "author"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class TrustedKey:
    """An Ed25519 public key with the time in which its signatures count.

    No key can be made of bytes that `public_key_fault` refuses; then a FormatError says why.
    """

    key_id: str
    public_key: bytes
    signer_id: str
    roles: tuple[Role, ...]
    valid_from: Instant
    valid_until: Instant | None = None
    revoked_at: Instant | None = None
    event_profile: EventProfile = EventProfile.UNKNOWN
    rotated_from: str | None = None  # the key id whose rotation named this key
    # Building the key object costs a third of a verification, so it is built once.
    _verifier: Ed25519PublicKey = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Build the verifier, which itself refuses nothing but another length than 32 bytes."""
        fault = public_key_fault(self.public_key)
        if fault is not None:
            raise FormatError(f"public key {self.key_id}", expected=fault[0], found=fault[1])
        object.__setattr__(self, "_verifier", Ed25519PublicKey.from_public_bytes(self.public_key))

    @property
    def fingerprint(self) -> str:
        """First 16 bytes of the SHA-256 of the raw key, hex (protocol part 2)."""
        return sha256(self.public_key).raw[:FINGERPRINT_LENGTH].hex()

    @property
    def fingerprint_base32(self) -> str:
        """First 26 characters of the base32 of the SHA-256 of the raw key (protocol part 2)."""
        return base64.b32encode(sha256(self.public_key).raw).decode("ascii")[:26]

    @property
    def public_key_b64(self) -> str:
        """The raw key in base64, as the registry publishes it."""
        return base64.b64encode(self.public_key).decode("ascii")

    def signed(self, message: Digest, signature: bytes) -> bool:
        """Tell whether this key made an Ed25519 signature over the raw 32 bytes of a digest.

        Args:
            message: the digest that was signed.
            signature: 64 bytes.

        Returns:
            True if it did. This says nothing of the time window; see `window_fault`.
        """
        try:
            self._verifier.verify(signature, message.raw)
        except InvalidSignature:
            return False
        return True

    def roles_fault(self, allowed: AbstractSet[Role]) -> tuple[str, str] | None:
        """Say why this key may not sign something, if it may not.

        Args:
            allowed: the roles that may sign it.

        Returns:
            None if the key has one of the roles, else what was expected and what was found.
        """
        if not allowed.isdisjoint(self.roles):
            return None
        expected = " or ".join(role.value for role in Role if role in allowed)
        found = ", ".join(known.value for known in self.roles)
        return f"a key with the role {expected}", f"key {self.key_id} with the role {found}"

    def window_fault(self, moment: Instant) -> tuple[str, str] | None:
        """Say why a signature made at a moment does not count, if it does not.

        Args:
            moment: the time the signature claims.

        Returns:
            None inside the window, else what was expected and what was found.
        """
        found = f"signed at {moment}"
        if moment < self.valid_from:
            return f"signed from {self.valid_from} on (key {self.key_id})", found
        if self.valid_until is not None and moment >= self.valid_until:
            return f"signed before {self.valid_until} (key {self.key_id})", found
        if self.revoked_at is not None and moment >= self.revoked_at:
            return f"signed before the revocation at {self.revoked_at} (key {self.key_id})", found
        return None


@dataclass(frozen=True, slots=True)
class TrustedKeys:
    """The mirror's whole trust: the pinned keys, by key id."""

    by_id: Mapping[str, TrustedKey]

    def find(self, key_id: str) -> TrustedKey | None:
        """Give the pinned key of an id.

        Args:
            key_id: as named by a receipt or an event.

        Returns:
            The key, or None if the mirror does not trust one of that name.
        """
        return self.by_id.get(key_id)

    @property
    def digest(self) -> Digest:
        """One value for the whole trust: verdicts are comparable only under equal ones."""
        rows: list[JsonValue] = [_key_row(key) for _, key in sorted(self.by_id.items())]
        return sha256(canonical_json(rows))


def trusted_keys(keys: Iterable[TrustedKey]) -> TrustedKeys:
    """Collect keys by id.

    Args:
        keys: in any order.

    Returns:
        The trust they make.

    Raises:
        FormatError: two keys have one id.
    """
    by_id: dict[str, TrustedKey] = {}
    for key in keys:
        if key.key_id in by_id:
            raise FormatError(
                f"trusted key {key.key_id}", expected="each key id once", found="two keys"
            )
        by_id[key.key_id] = key
    return TrustedKeys(by_id)


def parse_base64(value: JsonValue, *, subject: str, length: int) -> bytes:
    """Decode base64 of a known length, accepting only its canonical spelling (RFC 4648 3.5).

    Args:
        value: what stands in the document.
        subject: the field's path, for messages.
        length: bytes expected.

    Returns:
        The bytes.

    Raises:
        FormatError: not a string, stray characters, spare bits set, or another length.
    """
    expected = f"base64 of {length} bytes"
    if not isinstance(value, str):
        raise FormatError(subject, expected=expected, found=json_kind(value))
    # Python takes more padding than there may be.
    if len(value) % 4 or not _BASE64.fullmatch(value):
        raise FormatError(subject, expected=expected, found=repr(shorten(value)))
    try:
        raw = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise FormatError(subject, expected=expected, found=repr(shorten(value))) from error
    # Python ignores spare bits; two spellings of one signature would be two events.
    if len(raw) != length or base64.b64encode(raw).decode("ascii") != value:
        raise FormatError(
            subject,
            expected=expected,
            found=f"{len(raw)} bytes" if len(raw) != length else "spare bits that are not zero",
        )
    return raw


def _key_row(key: TrustedKey) -> JsonValue:
    return {
        "key_id": key.key_id,
        "public_key_b64": key.public_key_b64,
        "signer_id": key.signer_id,
        "roles": [role.value for role in key.roles],
        "valid_from": str(key.valid_from),
        "valid_until": None if key.valid_until is None else str(key.valid_until),
        "revoked_at": None if key.revoked_at is None else str(key.revoked_at),
        "event_profile": key.event_profile.value,
        "rotated_from": key.rotated_from,
    }

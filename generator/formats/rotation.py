"""Key rotation: a signed statement of the old key that names the next (`docs/formats/events.md`).

A rotation in a bundle is shown and changes no trust. It counts only once the operator puts the
event into a file that `mirror.toml` names: trust is never taken from a bundle (protocol part 8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generator.errors import FormatError
from generator.formats import mirror1
from generator.formats.canonical import JsonValue
from generator.formats.event import Event, parse_event
from generator.formats.fields import Fields
from generator.formats.instant import Instant
from generator.formats.keys import TrustedKey, TrustedKeys, trusted_keys
from generator.formats.payloads import KeyRotation, parse_key_rotation

KEY_ROTATION = "key_rotation"


def apply_rotations(trust: TrustedKeys, events: Sequence[JsonValue]) -> TrustedKeys:
    """Extend the pinned keys by a chain of rotations.

    Args:
        trust: the keys pinned by hand.
        events: `key_rotation` events in the order of the chain, each signed (profile `mirror/1`) by
            a key that is trusted by then.

    Returns:
        The keys with the new ones, which take over signer, roles and event profile of the key that
        names them. An old key ends at the rotation's `retires_at`, if it says so.

    Raises:
        FormatError: an event is malformed, not a rotation, not signed by a trusted key inside its
            window, or names a key id that is taken.
    """
    keys = dict(trust.by_id)
    for index, value in enumerate(events):
        event = parse_event(value, path=f"rotations[{index}]")
        rotation = _rotation(event, path=f"rotations[{index}]")
        old = _signing_key(keys, event, path=f"rotations[{index}]")
        if rotation.key_id in keys:
            raise FormatError(
                f"rotations[{index}].payload.key_id", expected="a new key id", found=rotation.key_id
            )
        keys[old.key_id] = replace(old, valid_until=_earlier(old.valid_until, rotation.retires_at))
        keys[rotation.key_id] = TrustedKey(
            key_id=rotation.key_id,
            public_key=rotation.public_key,
            signer_id=old.signer_id,
            roles=old.roles,
            valid_from=rotation.valid_from,
            event_profile=old.event_profile,
            rotated_from=old.key_id,
        )
    return trusted_keys(keys.values())


def _rotation(event: Event, *, path: str) -> KeyRotation:
    if event.event_type != KEY_ROTATION:
        raise FormatError(f"{path}.event_type", expected=KEY_ROTATION, found=event.event_type)
    return parse_key_rotation(Fields(f"{path}.payload", event.payload))


def _signing_key(keys: dict[str, TrustedKey], event: Event, *, path: str) -> TrustedKey:
    if event.signer is None or event.signature is None or event.created_at is None:
        raise FormatError(path, expected="a signed envelope with signer and time", found="less")
    key = keys.get(event.signer.key_id)
    if key is None:
        raise FormatError(
            f"{path}.signer.key_id", expected="a trusted key", found=event.signer.key_id
        )
    # The rules of V8: an envelope that contradicts the pinned key must not change trust either.
    if (event.signer.fingerprint, event.signer.signer_id) != (key.fingerprint, key.signer_id):
        raise FormatError(
            f"{path}.signer",
            expected=f"{key.signer_id} with fingerprint {key.fingerprint}",
            found=f"{event.signer.signer_id} with {event.signer.fingerprint}",
        )
    digest = mirror1.event_digest(event.json)
    if event.event_id != mirror1.event_id(digest) or not key.signed(digest, event.signature):
        raise FormatError(
            path, expected=f"a signature of {digest} by {key.key_id}", found="another"
        )
    fault = key.window_fault(event.created_at)
    if fault is not None:
        raise FormatError(path, expected=fault[0], found=fault[1])
    return key


def _earlier(first: Instant | None, second: Instant | None) -> Instant | None:
    return min((moment for moment in (first, second) if moment is not None), default=None)

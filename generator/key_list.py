"""What `pith-mirror keys` shows: the trusted keys, and what bundles hold in their names. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.canonical import JsonObject, JsonValue
from generator.formats.keys import TrustedKey, TrustedKeys
from generator.key_use import AnnouncedKey, KeyUse, SignedCount
from generator.terminal import Line, Tone

KEYS_TYPE = "pith_mirror_keys"
VERSION = "1.0"
_COLUMN = 16
_BLANK = Line("")


def key_lines(trust: TrustedKeys, use: KeyUse | None) -> Iterator[Line]:
    """Say which keys are trusted.

    Args:
        trust: the mirror's.
        use: what bundles say of keys, or None where no bundles were looked at.

    Yields:
        Lines in the order of `mirror.toml`, then the keys that rotations have brought in.
    """
    for number, key in enumerate(trust.by_id.values()):
        if number:
            yield _BLANK
        yield from _key(key)
        for count in use.signed.get(key.key_id, ()) if use is not None else ():
            yield _row("signed", _count_text(count))
    if use is not None:
        yield from _untrusted(use)


def keys_json(trust: TrustedKeys, use: KeyUse | None) -> JsonObject:
    """Spell the same for `keys --json`.

    Args:
        trust: the mirror's.
        use: what bundles say of keys, or None where no bundles were looked at.

    Returns:
        The object; what only bundles can tell is null without them.
    """
    return {
        "keys_type": KEYS_TYPE,
        "keys_version": VERSION,
        "trust_sha256": str(trust.digest),
        "keys": [_key_json(key, use) for key in trust.by_id.values()],
        "announced_not_trusted": None
        if use is None
        else [_announced_json(key) for key in use.announced],
        "not_pinned": None
        if use is None
        else [{"key_id": key_id, "signatures": count} for key_id, count in use.unpinned],
        "not_pinned_count": None if use is None else use.unpinned_count,
        "bundle_count": None if use is None else use.bundles,
    }


def _key(key: TrustedKey) -> Iterator[Line]:
    yield Line(key.key_id, tone=Tone.HEADING)
    yield _row("signer", key.signer_id)
    yield _row("roles", ", ".join(role.value for role in key.roles))
    yield _row("fingerprint", key.fingerprint)
    yield _row("in base32", key.fingerprint_base32)
    yield _row("public key", key.public_key_b64)
    until = f", before {key.valid_until}" if key.valid_until else ", without end"
    yield _row("valid", f"from {key.valid_from}{until}")
    if key.revoked_at is not None:
        yield _row("revoked", f"at {key.revoked_at}; earlier signatures stay", tone=Tone.BAD)
    if key.rotated_from is not None:
        yield _row("rotated from", key.rotated_from)
    yield _row("event profile", key.event_profile.value)


def _untrusted(use: KeyUse) -> Iterator[Line]:
    if use.announced:
        yield _BLANK
        yield Line("Announced, not trusted", tone=Tone.HEADING)
    for key in use.announced:
        yield _row(key.key_id, _announced_text(key), tone=Tone.UNSURE)
        yield Line(key.event_id, indent=4)
    if use.unpinned:
        yield _BLANK
        yield Line("Not pinned here: nothing they signed can be checked", tone=Tone.HEADING)
    for key_id, count in use.unpinned:
        yield _row(f"{count}×", key_id)
    left_out = use.unpinned_count - len(use.unpinned)
    if left_out:
        yield _row("", f"and {left_out} further key ids")


def _announced_text(key: AnnouncedKey) -> str:
    ends = f", which then ends at {key.retires_at}" if key.retires_at else ""
    text = f"{key.fingerprint}, from {key.valid_from}, by {key.old_key_id}{ends}"
    return f"{text}; this id is pinned for ANOTHER key" if key.contradicts_pin else text


def _row(label: str, text: str, *, tone: Tone = Tone.PLAIN) -> Line:
    return Line(text, label=label, indent=2, column=_COLUMN, tone=tone)


def _count_text(count: SignedCount) -> str:
    return f"{count.kind}: {count.count} {count.outcome.value}"


def _key_json(key: TrustedKey, use: KeyUse | None) -> JsonObject:
    return {
        "key_id": key.key_id,
        "algorithm": "ed25519",
        "public_key_b64": key.public_key_b64,
        "fingerprint_sha256_hex": key.fingerprint,
        "fingerprint_sha256_b32_first128bits": key.fingerprint_base32,
        "signer_id": key.signer_id,
        "roles": [role.value for role in key.roles],
        "valid_from": str(key.valid_from),
        "valid_until": None if key.valid_until is None else str(key.valid_until),
        "revoked_at": None if key.revoked_at is None else str(key.revoked_at),
        "rotated_from": key.rotated_from,
        "event_profile": key.event_profile.value,
        "signed": None if use is None else _signed_json(use.signed.get(key.key_id, ())),
    }


def _signed_json(counts: tuple[SignedCount, ...]) -> JsonValue:
    return [
        {"kind": count.kind, "outcome": count.outcome.value, "count": count.count}
        for count in counts
    ]


def _announced_json(key: AnnouncedKey) -> JsonObject:
    return {
        "key_id": key.key_id,
        "fingerprint_sha256_hex": key.fingerprint,
        "announced_by": key.old_key_id,
        "valid_from": key.valid_from,
        "retires_at": key.retires_at or None,
        "event_id": key.event_id,
        "contradicts_pin": key.contradicts_pin,
    }

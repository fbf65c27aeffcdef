"""The trust of a page: what its scripts need to check a bundle as this mirror would.

The keys are those of `mirror.toml`, rotations applied; a page can only repeat what the operator
pinned. Whoever serves the page could change both, so it proves a bundle to readers who trust the
mirror they read it on.
"""

from __future__ import annotations

from generator.config import Configuration
from generator.formats.canonical import JsonObject
from generator.formats.instant import Instant
from generator.formats.keys import TrustedKey


def browser_trust(configuration: Configuration) -> JsonObject:
    """Spell trust and merge policy for the scripts of a page.

    Args:
        configuration: the mirror's.

    Returns:
        `keys`, by key id, each with its window, roles and `event_profile` in the words of
        `mirror.toml`; `policy`, in the words of `state.json`.
    """
    keys = sorted(configuration.trust.by_id.values(), key=lambda key: key.key_id)
    policy = configuration.policy
    return {
        "keys": [_key(key) for key in keys],
        "policy": {
            "uncheckable_events": policy.uncheckable.value,
            "thresholds": dict(policy.thresholds),
        },
    }


def _key(key: TrustedKey) -> JsonObject:
    return {
        "key_id": key.key_id,
        "public_key_b64": key.public_key_b64,
        "signer_id": key.signer_id,
        "roles": [role.value for role in key.roles],
        "fingerprint": key.fingerprint,
        "valid_from": str(key.valid_from),
        "valid_until": _text(key.valid_until),
        "revoked_at": _text(key.revoked_at),
        "event_profile": key.event_profile.value,
    }


def _text(moment: Instant | None) -> str | None:
    return None if moment is None else str(moment)

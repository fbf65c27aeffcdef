"""Profile `mirror/1`: our reading where the registry has published no rule (protocol part 8).

Everything this project *defines* about events stands here and in `docs/formats/events.md`, so that
the registry's own rules can replace it in one place.
"""

from __future__ import annotations

from generator.formats.canonical import JsonObject
from generator.formats.digest import Digest, canonical_digest

PROFILE = "mirror/1"
ENVELOPE_PROOF = ("event_id", "signature_b64")


def event_digest(event: JsonObject) -> Digest:
    """Digest an event as `mirror/1` does: the value that is named in its id and signed raw.

    Args:
        event: the event as received.

    Returns:
        SHA-256 of the canonical JSON of the event without `event_id` and `signature_b64`.
    """
    return canonical_digest({k: v for k, v in event.items() if k not in ENVELOPE_PROOF})


def event_id(digest: Digest) -> str:
    """Spell an event id.

    Args:
        digest: from `event_digest`.

    Returns:
        `sha256:` and 64 hex digits.
    """
    return f"sha256:{digest}"

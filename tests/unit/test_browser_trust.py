"""browser_trust.py: a page is given the trust of the mirror, whole and in its words."""

from __future__ import annotations

from generator.browser_trust import browser_trust
from generator.config import parse_configuration
from generator.formats.canonical import canonical_json, parse_json
from tests.factories import ROOT

CONFIGURATION = """\
[[trusted_keys]]
key_id = "second"
algorithm = "ed25519"
public_key_b64 = "MLjK/pB4WWJwmJgqwEaElPGbIZqFGgViVZn3JJ+QGMA="
signer_id = "mirror.test"
roles = ["operator", "author"]
valid_from = 2026-05-01T02:00:00+02:00
valid_until = 2027-05-01T00:00:00Z
revoked_at = 2026-12-01T00:00:00.5Z
event_profile = "mirror/1"

[[trusted_keys]]
key_id = "first"
algorithm = "ed25519"
public_key_b64 = "stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbM="
signer_id = "pith.science"
roles = ["registry"]
valid_from = 2026-05-01T00:00:00Z

[build]
uncheckable_events = "accept"

[thresholds]
citation = 2
challenge = 3
"""


def test_trust_of_a_page_is_the_whole_trust_of_the_mirror() -> None:
    """Keys by id with window, roles, profile and fingerprint, and the merge policy; all is JSON."""
    found = browser_trust(parse_configuration(CONFIGURATION.encode(), name="m.toml"))
    assert found == {
        "keys": [
            {
                "key_id": "first",
                "public_key_b64": "stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbM=",
                "signer_id": "pith.science",
                "roles": ["registry"],
                "fingerprint": "8d4b5ee74e4693bcd1df2446408b0d54",
                "valid_from": "2026-05-01T00:00:00Z",
                "valid_until": None,
                "revoked_at": None,
                "event_profile": "unknown",
            },
            {
                "key_id": "second",
                "public_key_b64": "MLjK/pB4WWJwmJgqwEaElPGbIZqFGgViVZn3JJ+QGMA=",
                "signer_id": "mirror.test",
                "roles": ["operator", "author"],
                "fingerprint": "110c5c0fccb019596fbf0832858a7988",
                "valid_from": "2026-05-01T00:00:00Z",
                "valid_until": "2027-05-01T00:00:00Z",
                "revoked_at": "2026-12-01T00:00:00.500000Z",
                "event_profile": "mirror/1",
            },
        ],
        "policy": {
            "uncheckable_events": "accept",
            "thresholds": {"challenge": 3, "citation": 2},
        },
    }
    assert parse_json(canonical_json(found), subject="trust") == found


def test_trust_of_a_page_holds_the_keys_that_the_repository_pins() -> None:
    """Each pinned key of the repository's configuration is there, with its own public key."""
    configuration = parse_configuration((ROOT / "mirror.toml").read_bytes(), name="mirror.toml")
    keys = browser_trust(configuration)["keys"]
    assert isinstance(keys, list)
    pinned = [row["public_key_b64"] for row in keys if isinstance(row, dict)]
    assert pinned == [key.public_key_b64 for key in configuration.trust.by_id.values()]

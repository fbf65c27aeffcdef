"""What a record page holds so that a browser can check the record, from a server or a disk."""

from __future__ import annotations

from dataclasses import replace

from generator.browser_trust import browser_trust
from generator.config import Configuration
from generator.formats.canonical import JsonObject
from generator.limits import DEFAULT_LIMITS
from generator.pages import SelfCheck
from generator.verify import VerifiedBundle

# What check V7 reads; further fields of a receipt can be of any size.
_RECEIPT_FIELDS = ("kind", "key_id", "algorithm", "signed_at", "signature_b64")


def self_check(
    served: VerifiedBundle, state: JsonObject, configuration: Configuration
) -> SelfCheck:
    """Gather what a record page holds for its own check.

    Args:
        served: the bundle that the mirror serves.
        state: `state_json` of the state merged from it.
        configuration: gives the keys and the policy that the browser applies.

    Returns:
        The data, with the bundle if it is small.
    """
    check = SelfCheck(
        trust=browser_trust(configuration),
        state_sha256=str(state["state_sha256"]),
        bundle=served.bundle.json,
        receipt=None,
    )
    small = len(served.raw.data) <= DEFAULT_LIMITS.embedded_bundle_max_length
    return check if small else without_bundle(check, served)


def without_bundle(check: SelfCheck, served: VerifiedBundle) -> SelfCheck:
    """Leave the bundle out of a page that has no room for it.

    Args:
        check: the data with the bundle.
        served: the bundle.

    Returns:
        The data with the receipt alone.
    """
    receipt: JsonObject = {name: served.receipt.json[name] for name in _RECEIPT_FIELDS}
    return replace(check, bundle=None, receipt=receipt)

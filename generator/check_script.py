"""The verifier of the pages as one script: pages load one file, people read many."""

from __future__ import annotations

from collections.abc import Mapping

CHECK_SCRIPT = "checks.js"
# In the order in which they run.
PARTS = (
    "bundle-text.js",
    "bundle-json.js",
    "bundle-fields.js",
    "bundle-crypto.js",
    "bundle-kinds.js",
    "bundle-payloads.js",
    "bundle-proof.js",
    "bundle-shape.js",
    "bundle-events.js",
    "bundle-snapshots.js",
    "bundle-check.js",
    "bundle-standing.js",
    "bundle-merge.js",
    "bundle-state.js",
    "bundle-union.js",
    "verify-view.js",
)


def join_check_script(assets: Mapping[str, bytes]) -> dict[str, bytes]:
    """Put the parts of the verifier together.

    Args:
        assets: all assets by name, the parts among them.

    Returns:
        The assets, sorted by name, with `checks.js` in place of its parts. Nothing is done if a
        part is missing, as in a folder that is not ours.
    """
    if not all(name in assets for name in PARTS):
        return dict(assets)
    rest = {name: data for name, data in assets.items() if name not in PARTS}
    rest[CHECK_SCRIPT] = b"\n".join(assets[name] for name in PARTS)
    return {name: rest[name] for name in sorted(rest)}

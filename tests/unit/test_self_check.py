"""What pages hold for the checks that a browser makes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.check_script import CHECK_SCRIPT, PARTS, join_check_script
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS
from generator.merge import merge_bundles
from generator.pages import SelfCheck
from generator.resources import read_resources
from generator.self_check import self_check, without_bundle
from generator.state import state_json
from generator.verify import VerifiedBundle
from tests.factories import TEMPLATES, TEST_MIRROR, verified
from tests.vectors.builders import bundle_of


def check_of(served: VerifiedBundle) -> SelfCheck:
    """Gather the data of a bundle's page."""
    state = merge_bundles([served], policy=TEST_MIRROR.policy)
    return self_check(served, state_json(state), TEST_MIRROR)


def test_small_bundle_stands_in_the_page() -> None:
    """A small bundle is in the data as a whole, with the digest of its state, and no receipt."""
    served = verified(bundle_of())
    check = check_of(served)
    state = state_json(merge_bundles([served], policy=TEST_MIRROR.policy))
    assert check.bundle == served.bundle.json
    assert check.receipt is None
    assert check.state_sha256 == state["state_sha256"]


def test_large_bundle_stands_beside_the_page() -> None:
    """Of a bundle over the bound the receipt's five fields are in the data, and nothing more."""
    served = verified(bundle_of())
    spaces = b" " * DEFAULT_LIMITS.embedded_bundle_max_length
    check = check_of(replace(served, raw=RawBundle("large", served.raw.data + spaces)))
    assert check.bundle is None
    assert check.receipt is not None
    assert set(check.receipt) == {"kind", "key_id", "algorithm", "signed_at", "signature_b64"}


def test_receipt_takes_the_place_of_the_bundle() -> None:
    """Leaving the bundle out changes nothing else."""
    served = verified(bundle_of())
    check = check_of(served)
    bare = without_bundle(check, served)
    assert replace(bare, bundle=check.bundle, receipt=None) == check
    assert bare.bundle is None


def test_every_part_of_the_check_script_is_joined_in_order() -> None:
    """The published script is its parts one after the other, and no part is published alone."""
    parts = {name: (TEMPLATES / "assets" / name).read_bytes() for name in PARTS}
    assets = read_resources([TEMPLATES]).assets
    assert assets[CHECK_SCRIPT] == b"\n".join(parts[name] for name in PARTS)
    assert not set(PARTS) & set(assets)
    assert list(assets) == sorted(assets)


@pytest.mark.parametrize("missing", [PARTS[0], PARTS[-1]])
def test_parts_are_not_joined_when_one_is_missing(missing: str) -> None:
    """Half a verifier is never published: without one part the others stay as they are."""
    assets = {name: name.encode() for name in PARTS if name != missing}
    assert join_check_script(assets) == assets


def test_assets_beside_the_parts_stay() -> None:
    """Assets that are no part of the script are published as they are."""
    assets = {name: name.encode() for name in (*PARTS, "site.css")}
    assert set(join_check_script(assets)) == {CHECK_SCRIPT, "site.css"}

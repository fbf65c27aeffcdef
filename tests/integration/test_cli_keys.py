"""`pith-mirror keys`: the trusted keys, what each signed, what is announced; every exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.terminal import cells
from tests.commands import put, run, run_tested
from tests.statement_bundles import bundle, every_kind
from tests.vectors.builders import (
    AUTHOR,
    PAPER,
    REGISTRY,
    REVOKED,
    SILENT,
    STRANGER,
    TRUSTED,
    SigningKey,
    edited,
    event_of,
    record_of,
    signed,
)
from tests.vectors.reading import CONFIGURATION

REPOSITORY = Path(__file__).resolve().parents[2]
REAL = ("--config", REPOSITORY / "mirror.toml")
NEXT = SigningKey("test-next")


def rotation(key: SigningKey) -> dict[str, object]:
    """A genuine rotation by the test registry."""
    payload = {
        "key_id": key.key_id,
        "algorithm": "ed25519",
        "public_key_b64": key.public_b64,
        "valid_from": "2026-06-01T00:00:00Z",
    }
    return dict(signed(event_of(record_of(PAPER), "key_rotation", payload, target="key")))


def test_real_key_is_listed_with_both_fingerprints() -> None:
    """The registry's key has the fingerprints that its mirror manifest publishes (part 2)."""
    done = run("keys", *REAL)
    assert done.code == 0
    assert done.text.splitlines() == [
        "pith-v1-2026-05",
        "  signer          pith.science",
        "  roles           registry",
        "  fingerprint     8d4b5ee74e4693bcd1df2446408b0d54",
        "  in base32       RVFV5Z2OI2J3ZUO7ERDEBCYNKS",
        "  public key      stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbM=",
        "  valid           from 2026-05-01T00:00:00Z, without end",
        "  event profile   unknown",
    ]


def test_real_key_signed_the_receipts_of_the_real_bundles() -> None:
    """With --bundles the sixteen real receipts are counted, and nothing unsigned is."""
    done = run("keys", "--bundles", REPOSITORY / "bundles", *REAL)
    assert done.text.splitlines()[-1] == "  signed          receipt: 16 verified"
    (row,) = run("keys", "--bundles", REPOSITORY / "bundles", "--json", *REAL).rows
    assert row["keys"][0]["signed"] == [{"kind": "receipt", "outcome": "verified", "count": 16}]
    assert row["bundle_count"] == 16


def test_every_trusted_key_is_listed_in_order() -> None:
    """All keys of mirror.toml are there, with window, revocation and profile."""
    done = run_tested("keys")
    headings = [line for line in done.text.splitlines() if line and not line.startswith(" ")]
    assert headings == [key.key_id for key in TRUSTED]
    assert f"  revoked         at {REVOKED.revoked_at}; earlier signatures stay" in done.text
    assert ", before 2026-01-01T00:00:30.500000Z" in done.text
    (row,) = run_tested("keys", "--json").rows
    for key, listed in zip(TRUSTED, row["keys"], strict=True):
        assert listed["fingerprint_sha256_hex"] == key.fingerprint
        assert listed["public_key_b64"] == key.public_b64
        assert listed["roles"] == list(key.roles)
        assert listed["event_profile"] == key.profile
        assert listed["revoked_at"] == key.revoked_at
        assert listed["signed"] is None
    assert row["announced_not_trusted"] is None


def test_rotated_key_names_where_it_comes_from(tmp_path: Path) -> None:
    """A key that the operator's rotations bring in is trusted and says so."""
    (tmp_path / "rotations.json").write_text(json.dumps([rotation(NEXT)]))
    text = CONFIGURATION.read_text(encoding="utf-8") + '\n[trust]\nrotations = "rotations.json"\n'
    (tmp_path / "mirror.toml").write_text(text, encoding="utf-8")
    done = run("keys", "--config", tmp_path / "mirror.toml")
    assert done.code == 0
    assert done.text.splitlines()[-2:] == [
        "  rotated from    test-registry",
        "  event profile   mirror/1",
    ]
    assert f"  fingerprint     {NEXT.fingerprint}" in done.text


def test_what_each_key_signed_is_counted(tmp_path: Path) -> None:
    """Receipts, events by kind and outcomes stand under the key that is named as their signer."""
    folder = put(tmp_path, a=every_kind(), b=every_kind())
    text = run_tested("keys", "--bundles", folder).text
    author = text[text.index(f"\n{AUTHOR.key_id}\n") :].split("\n\n")[0]
    for line in ("author_attestation: 1 verified", "withdrawal: 1 verified"):
        assert f"  signed          {line}" in author
    registry = text[: text.index(f"\n{SILENT.key_id}\n")]
    assert registry.startswith(REGISTRY.key_id)
    assert "  signed          receipt: 1 verified" in registry
    assert "  signed          pith.integrity.v1: 2 verified" in registry


def test_announced_key_is_shown_as_not_trusted(tmp_path: Path) -> None:
    """A rotation found in a bundle is announced, not trusted, until the operator pins it."""
    folder = put(tmp_path, a=bundle(rotation(NEXT)))
    done = run_tested("keys", "--bundles", folder)
    tail = done.text[done.text.index("Announced, not trusted") :]
    said = f"test-next {NEXT.fingerprint}, from 2026-06-01T00:00:00Z, by test-registry sha256:"
    assert said in " ".join(tail.split())
    (row,) = run_tested("keys", "--bundles", folder, "--json").rows
    (announced,) = row["announced_not_trusted"]
    assert announced["key_id"] == "test-next"
    assert announced["announced_by"] == "test-registry"
    assert "test-next" not in {key["key_id"] for key in row["keys"]}


def test_rotation_by_a_stranger_announces_nothing(tmp_path: Path) -> None:
    """What nobody here can verify is no announcement; the stranger is named as not pinned."""
    record = record_of(PAPER)
    payload = rotation(NEXT)["payload"]
    event = signed(event_of(record, "key_rotation", payload, target="key"), key=STRANGER)
    done = run_tested("keys", "--bundles", put(tmp_path, a=bundle(event)))
    assert "Announced" not in done.text
    tail = done.text[done.text.index("Not pinned here") :]
    assert f"  1×              {STRANGER.key_id}" in tail


@pytest.mark.parametrize(
    "path",
    sorted((REPOSITORY / "tests" / "vectors" / "bundles").glob("hostile-*.json")),
    ids=lambda path: path.stem,
)
def test_hostile_text_never_reaches_the_terminal(path: Path) -> None:
    """Key ids and kinds of hostile bundles are printed as visible characters, in 80 cells."""
    done = run_tested("keys", "--bundles", path)
    assert done.code == 0
    for line in done.text.splitlines():
        assert line.isprintable()
        assert cells(line) <= 80


def test_longest_key_id_spoils_no_line(tmp_path: Path) -> None:
    """A key id of 256 characters is broken over lines."""
    key = SigningKey("k" * 256, signer_id="s")
    folder = put(tmp_path, a=bundle(rotation(key)))
    done = run_tested("keys", "--bundles", folder)
    assert max(cells(line) for line in done.text.splitlines()) <= 80
    assert done.text.replace("\n  ", "").count("k" * 256) == 1


def test_empty_folder_ends_with_code_6(tmp_path: Path) -> None:
    """No bundle at all is a wrong path more often than a wish."""
    done = run_tested("keys", "--bundles", tmp_path)
    assert (done.code, done.stdout) == (6, b"")


def test_wrong_command_line_ends_with_code_2(tmp_path: Path) -> None:
    """A folder that is not there and an argument are usage errors."""
    assert run("keys", "--bundles", tmp_path / "none").code == 2
    assert run("keys", "test-registry").code == 2


def test_wrong_configuration_ends_with_code_5(tmp_path: Path) -> None:
    """A key of small order in mirror.toml stops the command and names the line."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    weak = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    (tmp_path / "mirror.toml").write_text(text.replace(REGISTRY.public_b64, weak))
    done = run("keys", "--config", tmp_path / "mirror.toml")
    assert (done.code, done.stdout) == (5, b"")
    assert "trusted_keys.public_key_b64" in done.stderr
    assert "a point of small order" in done.stderr


def test_rejected_bundle_still_counts_its_receipt(tmp_path: Path) -> None:
    """A record that is rejected for another reason has a genuine receipt, and it is counted."""
    folder = put(tmp_path, a=edited(bundle(), ("short_pith_number", "pith:AAAAAAAA")))
    done = run_tested("keys", "--bundles", folder)
    assert done.code == 0
    assert "  signed          receipt: 1 verified" in done.text
    assert "graph_snapshot" not in done.text

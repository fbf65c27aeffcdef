"""Write the test vectors, or compare them with what is on disk.

    python tests/vectors/generate.py [--check]

Each vector is a file `bundles/<name>.json` and an expectation `expected/<name>.json`; files of key
rotations and their expectations stand in `rotations/` and `rotations-expected/`. The keys are
derived from labels and Ed25519 is deterministic, so the bytes are always the same. Expectations are
reasoned from the protocol in the `cases_*` modules; nothing here runs the program.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from tests.vectors import (  # noqa: E402
    cases_events,
    cases_hostile,
    cases_integrity,
    cases_kinds,
    cases_reading,
    cases_receipt,
    cases_record,
    cases_rotations,
    cases_schema,
    cases_snapshots,
    cases_standing,
    cases_thresholds,
)
from tests.vectors.builders import TRUSTED, SigningKey, bundle_of  # noqa: E402
from tests.vectors.vector import Vector, published, unique, vector  # noqa: E402

_SOURCES: tuple[Callable[[], Iterator[Vector]], ...] = (
    cases_reading.reading_vectors,
    cases_reading.spelling_vectors,
    cases_schema.schema_vectors,
    cases_record.address_vectors,
    cases_record.identifier_vectors,
    cases_record.source_vectors,
    cases_record.alias_vectors,
    cases_record.source_id_vectors,
    cases_receipt.signature_vectors,
    cases_receipt.receipt_vectors,
    cases_receipt.window_vectors,
    cases_receipt.creation_vectors,
    cases_events.envelope_vectors,
    cases_events.signer_vectors,
    cases_events.shape_vectors,
    cases_events.replay_vectors,
    cases_events.type_vectors,
    cases_integrity.binding_vectors,
    cases_integrity.signer_vectors,
    cases_integrity.shape_vectors,
    cases_integrity.valid_vectors,
    cases_kinds.payload_vectors,
    cases_kinds.signer_vectors,
    cases_kinds.equivocation_vectors,
    cases_kinds.value_vectors,
    cases_kinds.author_claim_vectors,
    cases_kinds.withdrawal_vectors,
    cases_kinds.rotation_vectors,
    cases_kinds.profile_vectors,
    cases_standing.snapshot_vectors,
    cases_standing.equivocation_vectors,
    cases_standing.withdrawal_vectors,
    cases_standing.rescission_vectors,
    cases_thresholds.threshold_vectors,
    cases_snapshots.digest_vectors,
    cases_snapshots.title_vectors,
    cases_snapshots.abstract_vectors,
    cases_hostile.hostile_vectors,
)


def all_vectors() -> tuple[Vector, ...]:
    """Every vector, by name."""
    whole = vector("valid-whole", "every check verifies", bundle_of(), published())
    return unique([whole, *(item for source in _SOURCES for item in source())])


def files() -> dict[Path, bytes]:
    """Every file that belongs in this folder, but for the programs."""
    written = {HERE / "mirror.toml": _configuration().encode()}
    for item in all_vectors():
        sidecar = json.dumps(item.sidecar, indent=1, ensure_ascii=True) + "\n"
        written[HERE / "bundles" / f"{item.name}.json"] = item.data
        written[HERE / "expected" / f"{item.name}.json"] = sidecar.encode()
    for rotations in cases_rotations.rotation_vectors():
        sidecar = json.dumps(rotations.sidecar, indent=1) + "\n"
        data = json.dumps(rotations.events, indent=1) + "\n"
        written[HERE / "rotations" / f"{rotations.name}.json"] = data.encode()
        written[HERE / "rotations-expected" / f"{rotations.name}.json"] = sidecar.encode()
    return written


def differences(written: dict[Path, bytes]) -> list[str]:
    """What of the folder is not as generated."""
    found = {HERE / "mirror.toml", *_present()}
    changed = [
        path for path, data in written.items() if not path.is_file() or path.read_bytes() != data
    ]
    return sorted(str(path.relative_to(HERE)) for path in {*changed, *(found - written.keys())})


def main() -> int:
    """Write or compare."""
    parser = argparse.ArgumentParser(description="Write the test vectors.")
    parser.add_argument(
        "--check", action="store_true", help="compare with the files; write nothing"
    )
    written = files()
    if parser.parse_args().check:
        changed = differences(written)
        print(
            "\n".join(f"differs: {name}" for name in changed)
            or f"{len(written)} files are as generated"
        )
        return 1 if changed else 0
    for path in _present():
        if path not in written:
            path.unlink()
    for path, data in written.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    print(f"{len(written)} files written")
    return 0


def _present() -> Iterator[Path]:
    for folder in ("bundles", "expected", "rotations", "rotations-expected"):
        yield from HERE.glob(f"{folder}/*")


def _configuration() -> str:
    head = (
        "# Written by generate.py. Keys for tests: their secrets are SHA-256 digests of labels.\n"
        '[mirror]\ntitle = "Test vectors"\noperator = ""\n'
    )
    # `make golden-update` builds these bundles with this file.
    end = (
        "\n# Their bytes depend on the versions of other programs; tests of their own build them.\n"
        "[build]\nfull_text_search = false\nparquet = false\n"
    )
    return head + "".join(_key_table(key) for key in TRUSTED) + end


def _key_table(key: SigningKey) -> str:
    lines = [
        f'key_id = "{key.key_id}"',
        'algorithm = "ed25519"',
        f'public_key_b64 = "{key.public_b64}"',
        f'signer_id = "{key.signer_id}"',
        f"roles = {json.dumps(list(key.roles))}",
        f'event_profile = "{key.profile}"',
        f"valid_from = {key.valid_from}",
    ]
    lines += [f"valid_until = {key.valid_until}"] if key.valid_until else []
    lines += [f"revoked_at = {key.revoked_at}"] if key.revoked_at else []
    return "\n[[trusted_keys]]\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())

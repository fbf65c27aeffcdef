"""Make the example registry: bundles that show every kind of event, every status and every failure.

    python demo/generate.py --out DIR     write the bundles
    python demo/generate.py --update      write mirror.toml, headers.txt and rotations.json anew
    python demo/generate.py --check       compare those three with what is here

Nothing is random and no clock is read, so the bytes are always the same. The generator uses nothing
of the program, only the builders of the test vectors.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from demo import papers  # noqa: E402
from demo.bundles import OTHER_BLOCK, STAMPED_BLOCK, examples, rotation  # noqa: E402
from demo.speakers import PINNED, Desk  # noqa: E402
from tests.timestamps import generate as timestamps  # noqa: E402
from tests.vectors.builders import SigningKey, digest, record_of  # noqa: E402


def write_bundles(folder: Path) -> int:
    """Write every bundle, in place of what is in the folder.

    Args:
        folder: made if need be; only its `*.json` files are replaced.

    Returns:
        The number of files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.json"):
        path.unlink()
    files = examples()
    for example in files:
        (folder / example.name).write_bytes(example.data)
    return len(files)


def fixed_files() -> dict[Path, bytes]:
    """Give the files beside this one that follow from the bundles.

    Returns:
        Paths and bytes.
    """
    chain = json.dumps([rotation(Desk(papers.KEYS))], indent=1) + "\n"
    return {
        HERE / "mirror.toml": _configuration().encode(),
        HERE / "headers.txt": _headers().encode(),
        HERE / "rotations.json": chain.encode(),
    }


def differences() -> list[str]:
    """Name the files that are not as generated.

    Returns:
        Their names, sorted.
    """
    return sorted(
        path.name
        for path, data in fixed_files().items()
        if not path.is_file() or path.read_bytes() != data
    )


def main() -> int:
    """Write or compare.

    Returns:
        1 if a comparison found a difference.
    """
    parser = argparse.ArgumentParser(description="Make the example registry.")
    chosen = parser.add_mutually_exclusive_group(required=True)
    chosen.add_argument("--out", type=Path, metavar="DIR", help="write the bundles there")
    chosen.add_argument("--update", action="store_true", help="write the files that are kept here")
    chosen.add_argument("--check", action="store_true", help="compare those files; write nothing")
    options = parser.parse_args()
    if options.out is not None:
        print(f"{write_bundles(options.out)} bundles of the example registry in {options.out}")
    elif options.update:
        for path, data in fixed_files().items():
            path.write_bytes(data)
    elif changed := differences():
        print("\n".join(f"differs: {name}" for name in changed))
        return 1
    return 0


def _headers() -> str:
    _, root = timestamps.path_to_block(digest(record_of(papers.COMPLETE)))
    first = timestamps.header(root, time=timestamps.FIRST_BLOCK_TIME)
    second = timestamps.header(
        digest("another tree of transactions"),
        previous=hashlib.sha256(hashlib.sha256(first).digest()).digest(),
        time=timestamps.FIRST_BLOCK_TIME + 600,
    )
    rows = ((STAMPED_BLOCK, first), (OTHER_BLOCK, second))
    lines = "".join(f"{height} {raw.hex()}\n" for height, raw in rows)
    return f"# Made up by generate.py for the example registry; no block of any chain.\n{lines}"


def _configuration() -> str:
    head = """\
# Written by generate.py. The keys are examples: their secrets are SHA-256 digests of labels.
# Never pin one of them for real records.

[mirror]
title = "Example registry"
operator = "Nobody: every record here is invented"
example_registry = true    # says so on every page

[trust]
rotations = "rotations.json"      # the registry's next key, named by the one before
block_headers = "headers.txt"     # of a chain made up for the examples

[thresholds]
correction = 2             # signers behind a correction, before it counts

[[upstream]]
name = "registry.example"
base_url = "https://registry.example"
"""
    return head + "".join(_key(key) for key in PINNED)


def _key(key: SigningKey) -> str:
    lines = [
        "[[trusted_keys]]",
        f'key_id = "{key.key_id}"',
        'algorithm = "ed25519"',
        f'public_key_b64 = "{key.public_b64}"',
        f'signer_id = "{key.signer_id}"',
        f"roles = {json.dumps(list(key.roles))}",
        f'event_profile = "{key.profile}"',
        f"valid_from = {key.valid_from}",
    ]
    lines += [f"revoked_at = {key.revoked_at}"] if key.revoked_at else []
    return "\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())

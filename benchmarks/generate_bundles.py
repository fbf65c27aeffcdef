"""Make signed bundles shaped like the registry's real ones, for measuring.

    python benchmarks/generate_bundles.py --count 10000 --out DIR/bundles
    python benchmarks/generate_bundles.py --count 10000 --out DIR/bundles.ndjson
    python benchmarks/generate_bundles.py --change 17 --revision 1 --out DIR/bundles.ndjson

The last one puts another revision of one bundle in place of it and leaves all others as they are.
Each holds a `record_created` event with receipt and a `graph_snapshot` event with every section of
protocol part 6, both signed in profile `mirror/1`, and the six aliases. The bytes depend on count
and seed alone. The key is a test key whose secret anybody can compute: `mirror.toml`, written
beside the output, pins it and nothing else.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benchmarks.made_papers import Dice, Paper, made_up_paper
from generator.formats import mirror1
from generator.formats.bundle import BUNDLE_TYPE, BUNDLE_VERSION
from generator.formats.canonical import JsonObject, JsonValue, compact_json
from generator.formats.digest import Digest, canonical_digest, sha256
from generator.formats.identifiers import PithNumber, derive_aliases, derive_suffix
from generator.formats.snapshot import EXCERPT_LENGTH
from generator.formats.text import text_digest

DEFAULT_COUNT = 10_000
DEFAULT_SEED = 1
KEY_ID = "benchmark-2026-05"
SIGNER_ID = "registry.benchmark"
SIGNATURES = 3  # a bundle: receipt, creation, snapshot
LAST_REVISION = 22  # of a bundle; each is signed a second after the one before it

_SECRET = Ed25519PrivateKey.from_private_bytes(
    hashlib.sha256(b"pith-mirror benchmark key, worth nothing").digest()
)
_PUBLIC = _SECRET.public_key().public_bytes_raw()


def bundles(count: int, *, seed: int = DEFAULT_SEED) -> Iterator[tuple[str, bytes]]:
    """Make bundles one after another; nothing is kept.

    Args:
        count: how many, below 20 million, where identifiers would repeat.
        seed: another seed gives other records.

    Yields:
        Suffix and bytes. The first n of a longer run are those of a run of n.
    """
    for index in range(count):
        yield _bundle(index, Dice(f"{seed}:{index}"))


def configuration() -> bytes:
    """Spell the `mirror.toml` under which the bundles verify.

    Returns:
        TOML that pins the test key.
    """
    return (
        "# Made by benchmarks/generate_bundles.py. The secret of this key is public.\n"
        "[mirror]\n"
        'title = "Benchmark mirror"\n\n'
        "[[trusted_keys]]\n"
        f'key_id = "{KEY_ID}"\n'
        'algorithm = "ed25519"\n'
        f'public_key_b64 = "{base64.b64encode(_PUBLIC).decode()}"\n'
        f'signer_id = "{SIGNER_ID}"\n'
        'roles = ["registry"]\n'
        "valid_from = 2026-05-01T00:00:00Z\n"
        f'event_profile = "{mirror1.PROFILE}"\n'
    ).encode()


def write_bundles(out: Path, count: int, *, seed: int = DEFAULT_SEED) -> int:
    """Write bundles and, beside them, the configuration.

    Args:
        out: a file ending in `.ndjson` for all bundles in one, else a folder for a file each.
        count: how many.
        seed: see `bundles`.

    Returns:
        The bytes of all bundles together.

    Raises:
        FileExistsError: `out` exists, or a different `mirror.toml` stands beside it.
    """
    if out.exists():
        raise FileExistsError(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    _write_configuration(out.parent / "mirror.toml")
    total = 0
    if out.suffix == ".ndjson":
        with out.open("xb") as file:
            for _, data in bundles(count, seed=seed):
                total += len(data)
                file.write(data + b"\n")
        return total
    for suffix, data in bundles(count, seed=seed):
        # Shards keep folders small; two letters hold no name that is reserved on Windows.
        folder = out / suffix[:2]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{suffix}.json").write_bytes(data)
        total += len(data)
    return total


def change_bundle(out: Path, index: int, *, revision: int, seed: int = DEFAULT_SEED) -> None:
    """Put another revision of one bundle in place of it; every other bundle stays as it is.

    Args:
        out: as written by `write_bundles`.
        index: which bundle, from 0.
        revision: from 0, the one that is written at first, to LAST_REVISION; the record is the
            same one, its snapshot is signed at another time.
        seed: of the other bundles.

    Raises:
        FileNotFoundError: there is no such bundle in `out`.
    """
    suffix, data = _bundle(index, Dice(f"{seed}:{index}"), revision=revision)
    if out.suffix != ".ndjson":
        path = out / suffix[:2] / f"{suffix}.json"
        if not path.is_file():
            raise FileNotFoundError(path)
        path.write_bytes(data)
        return
    beside = out.with_suffix(".changed")
    found = False
    with out.open("rb") as old, beside.open("wb") as new:
        for number, line in enumerate(old):
            found = found or number == index
            new.write(data + b"\n" if number == index else line)
    if not found:
        beside.unlink()
        raise FileNotFoundError(f"{out}, bundle {index}")
    beside.replace(out)


def main() -> None:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(description="Make signed bundles for measuring.")
    parser.add_argument("--count", type=int, default=DEFAULT_COUNT, help="bundles (%(default)s)")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="seed (%(default)s)")
    parser.add_argument("--out", type=Path, required=True, help="a new folder, or FILE.ndjson")
    parser.add_argument("--change", type=int, metavar="INDEX", help="change this bundle of --out")
    parser.add_argument(
        "--revision",
        type=int,
        choices=range(LAST_REVISION + 1),
        default=1,
        metavar="N",
        help=f"of the changed bundle, up to {LAST_REVISION} (%(default)s)",
    )
    options = parser.parse_args()
    if options.change is not None:
        _change(options)
        return
    try:
        total = write_bundles(options.out, options.count, seed=options.seed)
    except FileExistsError as error:
        sys.exit(f"{error} exists: name another place with --out")
    print(f"{options.count} bundles, {total} bytes, in {options.out}")


def _change(options: argparse.Namespace) -> None:
    try:
        change_bundle(options.out, options.change, revision=options.revision, seed=options.seed)
    except FileNotFoundError as error:
        sys.exit(f"there is no bundle {options.change}: {error}")
    print(f"bundle {options.change} of {options.out} is now of revision {options.revision}")


def _bundle(index: int, dice: Dice, *, revision: int = 0) -> tuple[str, bytes]:
    paper = made_up_paper(index, dice)
    record = _record(paper)
    digest = canonical_digest(record)
    number = PithNumber(int(paper.submitted_at[:4]), derive_suffix(digest))
    # The registry's events of a record are some minutes apart.
    day, hour, minute = 18 + dice.below(13), dice.below(22), dice.below(50)
    seconds = (37, 37 + revision)
    moments = tuple(
        f"2026-05-{day:02}T{hour + step:02}:{minute:02}:{second}"
        for step, second in enumerate(seconds)
    )
    created = _signed(
        number,
        "record_created",
        "record",
        payload={
            "canonical_record": record,
            "canonical_sha256": str(digest),
            "receipt": _receipt(digest, f"{moments[0]}.204113Z"),
        },
        created_at=f"{moments[0]}Z",
    )
    snapshot = _signed(
        number,
        "graph_snapshot",
        "graph",
        payload={"graph_snapshot": _snapshot(paper)},
        created_at=f"{moments[1]}Z",
    )
    aliases: list[JsonValue] = [
        {"alias_kind": alias.kind, "alias_value": alias.value, "created_at": f"{moments[0]}Z"}
        for alias in derive_aliases(
            source_id=str(paper.source["id"]), version=_version(paper), suffix=number.suffix
        )
    ]
    bundle: JsonObject = {
        "bundle_type": BUNDLE_TYPE,
        "bundle_version": BUNDLE_VERSION,
        "pith_number": str(number),
        "short_pith_number": number.short,
        "canonical_record": record,
        "canonical_sha256": str(digest),
        "source": paper.source,
        "source_aliases": aliases,
        "events": [created, snapshot],
    }
    return number.suffix, compact_json(bundle)


def _version(paper: Paper) -> int:
    version = paper.source["version"]
    return version if isinstance(version, int) else 1


def _record(paper: Paper) -> JsonObject:
    # The order in which the registry spells a record inside a bundle (protocol part 4).
    return {
        "source": {key: paper.source[key] for key in ("id", "kind", "version")},
        "metadata": {
            "license": paper.license,
            "primary_cat": paper.category,
            "submitted_at": paper.submitted_at,
            "cross_cats_sorted": list(paper.cross),
            "title_canon_sha256": str(text_digest(paper.title)),
            "abstract_canon_sha256": str(text_digest(paper.abstract)),
        },
        "schema_version": "1.0",
    }


def _receipt(digest: Digest, signed_at: str) -> JsonObject:
    return {
        "kind": "pith_receipt",
        "key_id": KEY_ID,
        "algorithm": "ed25519",
        "signed_at": signed_at,
        "signature_b64": _signature(digest),
    }


def _signed(
    number: PithNumber, event_type: str, target: str, *, payload: JsonObject, created_at: str
) -> JsonObject:
    event: JsonObject = {
        "event_type": event_type,
        "subject_pith_number": str(number),
        "target": target,
        "payload": payload,
        "created_at": created_at,
        "signer": {
            "key_id": KEY_ID,
            "public_key_fingerprint": sha256(_PUBLIC).raw[:16].hex(),
            "signer_id": SIGNER_ID,
            "signer_type": "pith_registry",
        },
    }
    digest = mirror1.event_digest(event)
    return {**event, "event_id": mirror1.event_id(digest), "signature_b64": _signature(digest)}


def _signature(digest: Digest) -> str:
    return base64.b64encode(_SECRET.sign(digest.raw)).decode()


def _snapshot(paper: Paper) -> JsonObject:
    nothing: list[JsonValue] = []
    return {
        "paper": {
            "title": paper.title,
            "license": paper.license,
            "headline": "",
            "cross_cats": list(paper.cross),
            "primary_cat": paper.category,
            "authors_text": paper.authors,
            "submitted_at": paper.submitted_at,
            "abstract_excerpt": paper.abstract[:EXCERPT_LENGTH],
        },
        "claims": {"count": 0, "items": nothing, "snapshot_sha256": _section_digest(nothing)},
        "source": paper.source,
        "verdict": {
            "id": None,
            "model_set": {},
            "created_at": None,
            "strongest_claim": "",
            "one_line_summary": "",
            "pipeline_version": None,
            "weakest_assumption": "",
            "pith_extraction_headline": "",
        },
        "integrity": {
            "clean": True,
            "summary": {"advisory": 0, "critical": 0, "informational": 0},
            "endpoint": f"/pith/{paper.source['id']}/integrity.json",
            "findings": nothing,
            "available": True,
            "detectors_run": nothing,
            "snapshot_sha256": _section_digest({"detectors": nothing, "findings": nothing}),
        },
        "references": {
            "count": 0,
            "sample": nothing,
            "resolved_work": 0,
            "snapshot_sha256": _section_digest(nothing),
            "internal_anchors": 0,
        },
        "formal_canon": {"evidence_count": 0, "snapshot_sha256": _section_digest(nothing)},
        "author_claims": {
            "count": 0,
            "strong_count": 0,
            "snapshot_sha256": _section_digest(nothing),
        },
        "builder_version": "pith-number-builder-2026-05-17-v1",
    }


def _section_digest(value: JsonValue) -> str:
    return str(canonical_digest({"payload": value}))


def _write_configuration(path: Path) -> None:
    data = configuration()
    # A mirror's own trust must never be replaced by a key whose secret is public.
    if path.exists() and path.read_bytes() != data:
        raise FileExistsError(path)
    path.write_bytes(data)


if __name__ == "__main__":
    main()

"""Make one bundle a record out of the corpus of real, signed records.

    python bundles/import_corpus.py [--corpus FILE] [--out DIR]

The bytes depend on the corpus alone: running it again gives the files that are checked in. Where
each byte comes from and what is missing stands in `bundles/README.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from generator.formats.bundle import BUNDLE_TYPE, BUNDLE_VERSION
from generator.formats.canonical import JsonObject, JsonValue, compact_json, parse_json_object
from generator.formats.fields import Fields, fields_of
from generator.formats.identifiers import derive_aliases, parse_pith_number
from generator.formats.snapshot import EXCERPT_LENGTH

HERE = Path(__file__).resolve().parent
CORPUS_NAME = "signed_records.jsonl"

# The order in which the registry spells a record inside a bundle (protocol part 4).
_SOURCE_ORDER = ("id", "kind", "version")
_METADATA_ORDER = (
    "license",
    "primary_cat",
    "submitted_at",
    "cross_cats_sorted",
    "title_canon_sha256",
    "abstract_canon_sha256",
)


def bundle_of(row: JsonObject) -> JsonObject:
    """Assemble the bundle of one row of the corpus.

    Args:
        row: a line of `signed_records.jsonl`.

    Returns:
        The bundle, keys in the registry's order (protocol part 4).

    Raises:
        FormatError: the row lacks a field that a bundle needs.
    """
    fields = Fields("", row)
    record = _spelled_record(fields.object("canonical_record"))
    source = fields.object("canonical_record").object("source")
    number = parse_pith_number(row["pith_number"], subject="pith_number")
    digest = fields.text("canonical_sha256")
    times = _alias_times(fields)
    aliases: list[JsonValue] = [
        {"alias_kind": alias.kind, "alias_value": alias.value, "created_at": times.get(alias.kind)}
        for alias in derive_aliases(
            source_id=source.text("id"), version=source.integer("version"), suffix=number.suffix
        )
    ]
    return {
        "bundle_type": BUNDLE_TYPE,
        "bundle_version": BUNDLE_VERSION,
        "pith_number": str(number),
        "short_pith_number": number.short,
        "canonical_record": record,
        "canonical_sha256": digest,
        "source": {key: source.value[key] for key in ("kind", "id", "version")},
        "source_aliases": aliases,
        "events": [
            _event(
                str(number),
                "record_created",
                "record",
                {
                    "canonical_record": record,
                    "canonical_sha256": digest,
                    "receipt": _receipt(fields),
                },
            ),
            _event(
                str(number),
                "graph_snapshot",
                "graph",
                {"graph_snapshot": {"paper": _paper(fields)}},
            ),
        ],
    }


def bundle_files(corpus: Path) -> Iterator[tuple[str, bytes]]:
    """Give the files that the corpus makes.

    Args:
        corpus: `signed_records.jsonl`.

    Yields:
        File name and bytes, in the corpus's order.

    Raises:
        FormatError: a line is not strict JSON or lacks a field.
    """
    for number, line in enumerate(corpus.read_bytes().splitlines(), start=1):
        bundle = bundle_of(parse_json_object(line, subject=f"{corpus.name}:{number}"))
        suffix = parse_pith_number(bundle["pith_number"], subject="pith_number").suffix
        yield f"{suffix}.json", compact_json(bundle)


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description="Make bundles of the corpus's signed records.")
    parser.add_argument(
        "--corpus",
        type=Path,
        default=HERE.parent / "tests" / "corpus" / CORPUS_NAME,
        help=f"{CORPUS_NAME}, or the folder that holds it (default: tests/corpus)",
    )
    parser.add_argument("--out", type=Path, default=HERE, help="where to write (default: bundles)")
    options = parser.parse_args()
    corpus = options.corpus / CORPUS_NAME if options.corpus.is_dir() else options.corpus
    options.out.mkdir(parents=True, exist_ok=True)
    names = []
    for name, data in bundle_files(corpus):
        (options.out / name).write_bytes(data)
        names.append(name)
    print(f"{len(names)} bundles in {options.out}")


def _event(number: str, kind: str, target: str, payload: JsonObject) -> JsonObject:
    # No created_at, signer, event_id, signature_b64: the registry's are not published for these.
    return {
        "event_type": kind,
        "subject_pith_number": number,
        "target": target,
        "payload": payload,
    }


def _spelled_record(record: Fields) -> JsonObject:
    source = record.object("source").value
    metadata = record.object("metadata").value
    return {
        "source": {key: source[key] for key in _SOURCE_ORDER},
        "metadata": {key: metadata[key] for key in _METADATA_ORDER},
        "schema_version": record.text("schema_version"),
    }


def _receipt(row: Fields) -> JsonObject:
    receipt = row.object("receipt")
    return {
        "kind": receipt.text("kind"),
        "key_id": receipt.text("key_id"),
        "algorithm": receipt.text("algorithm"),
        "signed_at": row.text("first_computed"),
        "signature_b64": receipt.text("signature_b64"),
    }


def _alias_times(row: Fields) -> dict[str, JsonValue]:
    aliases = [fields_of(item, path="aliases") for item in row.array("aliases")]
    return {alias.text("alias_kind"): alias.value.get("created_at") for alias in aliases}


def _paper(row: Fields) -> JsonObject:
    paper: JsonObject = {"title": row.text("title")}
    if "authors_text" in row.value:
        paper["authors_text"] = row.text("authors_text")
    if "abstract" in row.value:
        abstract = row.text("abstract")
        paper["abstract_excerpt"] = abstract[:EXCERPT_LENGTH]
        paper["abstract"] = abstract
    return paper


if __name__ == "__main__":
    main()

"""Every JSON file of a site and every line of `verify --json` is valid by the published schemas."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from generator.cli import main
from tests.factories import BUNDLES, TEMPLATES, tree
from tests.vectors.builders import Json
from tests.vectors.reading import BUNDLES as VECTORS
from tests.vectors.reading import CONFIGURATION

# One worker builds the sites for all tests here.
pytestmark = pytest.mark.xdist_group("schemas")

FOLDER = TEMPLATES / "schemas"
NAMES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.json"))
SCHEMAS = {name: json.loads((FOLDER / name).read_bytes()) for name in NAMES}
VALIDATORS = {name: Draft202012Validator(schema) for name, schema in SCHEMAS.items()}
SUFFIX = "[A-Z2-7]{26}"
# Which schema describes which file of a site.
FILES = {
    rf"(\.well-known/)?pith/{SUFFIX}/bundle\.json": "bundle.v1.json",
    rf"pith/{SUFFIX}/state\.json": "state.v1.json",
    rf"pith/{SUFFIX}/events\.json": "events.v1.json",
    rf"pith/{SUFFIX}/cited-by\.json": "cited-by.v1.json",
    rf"pith/{SUFFIX}/graph\.json|api/pith-number/{SUFFIX}/graph\.json": "graph.v1.json",
    rf"pith/{SUFFIX}\.json": "pith-number/v1.json",
    r"report\.json": "report.v1.json",
    r"manifest\.json|manifest/m-[a-z2-7]+\.json": "site-manifest.v1.json",
    r"pith-mirrors\.json": "mirrors.v1.json",
    r"stats\.json": "stats.v1.json",
    r"pith-signing-key\.json": "signing-key.v1.json",
}
# Formats of others, validated by their own readers: tests/integration/test_citation_files.py and
# test_full_text.py.
FOREIGN = rf"pith/{SUFFIX}/(cite\.csl|linkset)\.json|pagefind/pagefind-entry\.json"
SITES = ("real", "demo", "vectors", "vectors-accepted")


@pytest.fixture(name="sites", scope="module")
def _sites(
    built_site: Path, demo_site: Path, vector_site: Callable[[str], Path]
) -> dict[str, dict[str, bytes]]:
    return {
        "real": tree(built_site),
        "demo": tree(demo_site),
        "vectors": tree(vector_site("carry")),
        "vectors-accepted": tree(vector_site("accept")),
    }


def schema_of(path: str) -> str | None:
    """Name the schema of a file of a site."""
    return next((name for pattern, name in FILES.items() if re.fullmatch(pattern, path)), None)


def faults(name: str, document: Json) -> list[str]:
    """Validate a document.

    Args:
        name: of the schema.
        document: parsed JSON.

    Returns:
        What is wrong with it.
    """
    return [f"{e.json_path}: {e.message[:200]}" for e in VALIDATORS[name].iter_errors(document)]


@pytest.fixture(name="examples", scope="module")
def _examples(sites: dict[str, dict[str, bytes]]) -> dict[str, Any]:
    """One document of each schema that a build wrote, the longest of the real and the demo site."""
    found: dict[str, bytes] = {}
    for path, data in (*sites["real"].items(), *sites["demo"].items()):
        name = schema_of(path)
        if name is not None and len(data) > len(found.get(name, b"")):
            found[name] = data
    line = CliRunner().invoke(main, ["verify", str(BUNDLES), "--json"]).stdout.splitlines()[0]
    examples = {name: json.loads(data) for name, data in found.items()}
    row = max(sites["demo"]["catalogue.ndjson"].splitlines(), key=len)
    return {
        **examples,
        "check-report.v1.json": json.loads(line),
        "catalogue-row.v1.json": json.loads(row),
    }


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_a_schema(name: str) -> None:
    """Each schema is valid by draft 2020-12, names itself, and refers to nothing outside."""
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    stem = name.removesuffix("/v1.json").removesuffix(".v1.json")
    assert schema["$id"] == f"urn:pith-mirror:schema:{stem}:v1"
    references = re.findall(r'"\$ref": ?"([^"]*)"', json.dumps(schema))
    assert all(reference.startswith("#/$defs/") for reference in references)


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_served(name: str, sites: dict[str, dict[str, bytes]]) -> None:
    """The site serves each schema as it is."""
    assert sites["real"][f"schemas/{name}"] == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("site", SITES)
def test_every_json_file_of_a_site_is_valid(site: str, sites: dict[str, dict[str, bytes]]) -> None:
    """Each JSON file of a site, but for formats of others, has a schema and is valid by it."""
    wrong = {}
    for path, data in sites[site].items():
        if not path.endswith(".json") or path.startswith("schemas/"):
            continue
        if re.fullmatch(FOREIGN, path):
            continue
        name = schema_of(path)
        assert name is not None, path
        found = faults(name, json.loads(data))
        if found:
            wrong[path] = found[:3]
    assert wrong == {}


@pytest.mark.parametrize("site", SITES)
def test_every_line_of_the_catalogue_is_valid(
    site: str, sites: dict[str, dict[str, bytes]]
) -> None:
    """Each line of a site's catalogue is valid, and there is one for each record page."""
    rows = [json.loads(line) for line in sites[site]["catalogue.ndjson"].splitlines()]
    wrong = [found for row in rows if (found := faults("catalogue-row.v1.json", row))]
    assert wrong == []
    pages = {path for path in sites[site] if re.fullmatch(rf"pith/{SUFFIX}/index\.html", path)}
    assert sorted(row["page_path"] for row in rows) == sorted(pages)


def test_every_line_of_verify_is_valid() -> None:
    """For every vector, good and bad, the line of `verify --json` is valid."""
    arguments = ["verify", str(VECTORS), "--json", "--config", str(CONFIGURATION)]
    lines = CliRunner().invoke(main, arguments).stdout.splitlines()
    assert len(lines) == len(list(VECTORS.iterdir()))
    wrong = [found for line in lines if (found := faults("check-report.v1.json", json.loads(line)))]
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_schema_needs_every_field_it_requires(name: str, examples: dict[str, Any]) -> None:
    """A document without one of the required fields is refused, at the top level."""
    example = examples[name]
    assert faults(name, example) == []
    assert SCHEMAS[name]["required"]
    for key in SCHEMAS[name]["required"]:
        assert faults(name, {k: v for k, v in example.items() if k != key}), key


@pytest.mark.parametrize("name", NAMES)
def test_schema_refuses_other_types(name: str, examples: dict[str, Any]) -> None:
    """Each required field has a type, so a fraction in its place is refused; so is no object."""
    for key in SCHEMAS[name]["required"]:
        assert faults(name, {**examples[name], key: 0.5}), key
    others: tuple[Json, ...] = (None, [], "x", 1)
    assert all(faults(name, value) for value in others)


WRONG: list[tuple[str, str, Any]] = [
    ("bundle.v1.json", "bundle_version", "2.0"),
    ("bundle.v1.json", "canonical_sha256", "AB" * 32),
    ("bundle.v1.json", "pith_number", "pith:2017:short"),
    ("bundle.v1.json", "source_aliases.0.alias_kind", "isbn"),
    ("bundle.v1.json", "canonical_record.metadata.primary_cat", "../x"),
    ("bundle.v1.json", "events", []),
    ("catalogue-row.v1.json", "suffix", "short"),
    ("catalogue-row.v1.json", "title_known", "reported"),
    ("catalogue-row.v1.json", "verdict", "not published"),
    ("catalogue-row.v1.json", "categories", []),
    ("catalogue-row.v1.json", "changed_at", "2026-05-18"),
    ("catalogue-row.v1.json", "events", [{"event_type": "citation", "month": "2026-05"}]),
    ("catalogue-row.v1.json", "page_path", "../x"),
    ("check-report.v1.json", "checks", []),
    ("check-report.v1.json", "checks.0.step", "V12"),
    ("check-report.v1.json", "checks.0.outcome", "passed"),
    ("check-report.v1.json", "verdict", "valid"),
    ("check-report.v1.json", "extra", 1),
    ("events.v1.json", "events.0.outcome", "ok"),
    ("events.v1.json", "events.0.standing", "in state"),
    ("events.v1.json", "events.0.reason", "no reason"),
    ("events.v1.json", "events.0.in_state", True),
    ("cited-by.v1.json", "count", 0),
    ("cited-by.v1.json", "items", []),
    ("cited-by.v1.json", "items.0.relation", "mentions"),
    ("cited-by.v1.json", "items.0.event_id", "x"),
    ("graph.v1.json", "paper", []),
    ("mirrors.v1.json", "mirrors", []),
    ("mirrors.v1.json", "mirrors.0.public_key.public_key_hex", "zz"),
    ("pith-number/v1.json", "canonical_sha256", "0"),
    ("pith-number/v1.json", "verification_status.pith_receipt", "true"),
    ("pith-number/v1.json", "mirror.verdict", "valid"),
    ("pith-number/v1.json", "mirror.timestamps", {}),
    ("pith-number/v1.json", "mirror.cites.count", -1),
    ("pith-number/v1.json", "mirror.cited_by.record_count", "1"),
    ("report.v1.json", "counts.verified", -1),
    ("report.v1.json", "bundles.0.verdict", "valid"),
    ("report.v1.json", "bundles.0.failed", {}),
    ("stats.v1.json", "stats_type", "pith_mirror_report"),
    ("stats.v1.json", "bundles.verified", -1),
    ("stats.v1.json", "checks.failed", "0"),
    ("stats.v1.json", "years.0.year", "2024"),
    ("stats.v1.json", "categories.0.category", "../x"),
    ("stats.v1.json", "licences.0.licence", ""),
    ("stats.v1.json", "events.0.month", "2026-05-18"),
    ("signing-key.v1.json", "algorithm", "rsa"),
    ("signing-key.v1.json", "keys", []),
    ("site-manifest.v1.json", "files.0.sha256", "0"),
    ("site-manifest.v1.json", "files.0.length", -1),
    ("site-manifest.v1.json", "files.0.path", "../x"),
    ("site-manifest.v1.json", "files.0.path", "/etc/passwd"),
    ("site-manifest.v1.json", "parts", []),
    ("state.v1.json", "event_count", -1),
    ("state.v1.json", "current.source_aliases", []),
    ("state.v1.json", "current.graph_snapshots.0.standing", "superfluous"),
    ("state.v1.json", "current.graph_snapshots.0.equivocates", False),
    ("state.v1.json", "uncheckable_events", "ignore"),
    ("state.v1.json", "thresholds.record_created", 2),
    ("state.v1.json", "thresholds.citation", 0),
    ("state.v1.json", "waiting_events", {}),
    ("state.v1.json", "rejected_events", [{"identity": "x", "event_type": "y", "reason": "z"}]),
    ("state.v1.json", "state_sha256", "sha256:0"),
    ("state.v1.json", "extra", 1),
]


@pytest.mark.parametrize(("name", "path", "value"), WRONG)
def test_schema_refuses_wrong_documents(
    name: str, path: str, value: Json, examples: dict[str, Any]
) -> None:
    """A value that our own readers would refuse is refused by the schema."""
    document = copy.deepcopy(examples[name])
    place = document
    *steps, last = path.split(".")
    for step in steps:
        place = place[int(step) if step.isdigit() else step]
    place[last] = value
    assert faults(name, document), path


def test_every_schema_has_wrong_documents() -> None:
    """No schema is left out of the table above."""
    assert {name for name, _, _ in WRONG} == set(NAMES)

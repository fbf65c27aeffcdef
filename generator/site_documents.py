"""The JSON files of the site as a whole: mirrors, keys, report."""

from __future__ import annotations

from collections.abc import Iterator

from generator import layout
from generator.catalogue import Catalogue
from generator.config import Configuration
from generator.errors import FormatError, InputError
from generator.formats.canonical import JsonObject, JsonValue, compact_json, parse_json_object
from generator.formats.checks import Outcome
from generator.formats.fields import Fields
from generator.formats.instant import Instant
from generator.formats.keys import TrustedKey
from generator.listing_pages import ReportEntry
from generator.profiles import is_written
from generator.state import MERGE_VERSION

REPORT_TYPE = "pith_mirror_report"
VERSION = "1.0"


def mirrors_json(
    registry_manifest: JsonObject, configuration: Configuration, *, newest: str
) -> JsonObject:
    """Add this mirror to the registry's manifest: `/pith-mirrors.json` (protocol part 3).

    Args:
        registry_manifest: the registry's own, as published.
        configuration: gives this mirror's address, name and key.
        newest: the latest time any published record claims, or empty; there is no clock in a build.

    Returns:
        The registry's manifest with one more entry. Without a `base_url` the entry's patterns are
        relative to this file. A pattern whose files are not written is left out.
    """
    listed = registry_manifest["mirrors"]
    base = configuration.base_url
    key = next(iter(configuration.trust.by_id.values()))
    patterns = {
        "bundle_pattern": layout.record_file("{suffix}", "bundle.json"),
        "state_pattern": layout.record_file("{suffix}", "state.json"),
        "well_known_pattern": layout.well_known_bundle("{suffix}"),
    }
    entry: JsonObject = {
        "name": configuration.title,
        "mirror_type": "https",
        "base_url": base.rstrip("/") or None,
        **{
            name: f"{base}{path}"
            for name, path in patterns.items()
            if is_written(path, configuration)
        },
        "public_key": _public_key(key, url=f"{base}pith-signing-key.json"),
        "status": "mirror",
    }
    return {
        "manifest_type": "pith_mirror_manifest",
        "manifest_version": "1.0",
        "generated_at": newest or registry_manifest["generated_at"],
        "merge_version": MERGE_VERSION,
        "mirrors": [*(listed if isinstance(listed, list) else ()), entry],
        "notes": registry_manifest["notes"],
    }


def signing_key_json(configuration: Configuration) -> JsonObject:
    """Spell the keys this mirror trusts: `/pith-signing-key.json`.

    Args:
        configuration: gives the pinned keys.

    Returns:
        The fields of the first key, as the registry's manifest spells a key, and all keys under
        `keys`.
    """
    url = f"{configuration.base_url}pith-signing-key.json"
    keys: list[JsonValue] = [
        {
            **_public_key(key, url=url),
            "signer_id": key.signer_id,
            "roles": [role.value for role in key.roles],
            "valid_from": str(key.valid_from),
            "valid_until": _optional(key.valid_until),
            "revoked_at": _optional(key.revoked_at),
        }
        for key in configuration.trust.by_id.values()
    ]
    first = keys[0]
    return {**(first if isinstance(first, dict) else {}), "keys": keys}


def report_lines(
    catalogue: Catalogue, configuration: Configuration, *, generator: str
) -> Iterator[bytes]:
    """Spell `report.json`: the verdict on every bundle, with what failed or could not be checked.

    Args:
        catalogue: holding the reports.
        configuration: gives the trust under which the verdicts hold.
        generator: name and version of the program.

    Returns:
        The pieces of one JSON document, a bundle a line, in the order of loading.
    """
    head: JsonObject = {
        "report_type": REPORT_TYPE,
        "report_version": VERSION,
        "generator": generator,
        "trust_sha256": str(configuration.trust.digest),
        "counts": {verdict.value: count for verdict, count in catalogue.bundles.counts()},
    }
    yield compact_json(head)[:-1] + b',"bundles":[\n'
    separator = b""
    for entry in catalogue.bundles.reports():
        yield separator + compact_json(_report_row(entry))
        separator = b",\n"
    yield b"\n]}\n"


def read_registry_manifest(data: bytes) -> JsonObject:
    """Read the copy of the registry's manifest among the templates.

    Args:
        data: its bytes.

    Returns:
        The object.

    Raises:
        InputError: no manifest of mirrors.
    """
    try:
        manifest = Fields("", parse_json_object(data, subject="registry/pith-mirrors.json"))
        manifest.array("mirrors")
        manifest.text("generated_at")
        manifest.text("notes")
    except FormatError as error:
        raise InputError(error.subject, expected=error.expected, found=error.found) from error
    return manifest.value


def _report_row(entry: ReportEntry) -> JsonObject:
    return {
        "origin": entry.origin,
        "sha256": entry.digest or None,
        "pith_number": entry.pith_number or None,
        "verdict": entry.verdict.value,
        "failed": [c.as_json() for c in entry.checks if c.outcome is Outcome.FAILED],
        "not_checkable": [c.as_json() for c in entry.checks if c.outcome is Outcome.NOT_CHECKABLE],
    }


def _public_key(key: TrustedKey, *, url: str) -> JsonObject:
    return {
        "key_id": key.key_id,
        "algorithm": "ed25519",
        "format": "raw",
        "public_key_b64": key.public_key_b64,
        "public_key_hex": key.public_key.hex(),
        "fingerprint_sha256_b32_first128bits": key.fingerprint_base32,
        "fingerprint_sha256_hex": key.fingerprint,
        "rotates_at": _optional(key.valid_until),
        "url": url,
    }


def _optional(moment: Instant | None) -> str | None:
    return None if moment is None else str(moment)

"""The canonical record: the part of a bundle that the receipt signs (protocol part 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.errors import FormatError
from generator.formats.canonical import JsonObject, JsonValue, json_kind
from generator.formats.digest import Digest, canonical_digest, parse_digest
from generator.formats.fields import Fields, fields_of
from generator.formats.identifiers import PithNumber, derive_suffix
from generator.formats.instant import Instant, parse_instant
from generator.limits import shorten

SCHEMA_VERSION = "1.0"
SOURCE_KIND = "arxiv"

_SUBMITTED_AT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_CATEGORY_MAX_LENGTH = 40  # characters
_CATEGORY = re.compile(r"[a-z]+(?:-[a-z]+)*(?:\.[A-Za-z]+(?:-[A-Za-z]+)*)?")
_RECORD_KEYS = {"metadata", "schema_version", "source"}
_METADATA_KEYS = {
    "abstract_canon_sha256",
    "cross_cats_sorted",
    "license",
    "primary_cat",
    "submitted_at",
    "title_canon_sha256",
}
_SOURCE_KEYS = {"id", "kind", "version"}


@dataclass(frozen=True, slots=True)
class Source:
    """Where the record comes from: kind `arxiv`, an arXiv id and a version from 1."""

    kind: str
    id: str
    version: int

    @property
    def versioned_id(self) -> str:
        """The id with its version, as arXiv writes it."""
        return f"{self.id}v{self.version}"


@dataclass(frozen=True, slots=True)
class CanonicalRecord:
    """A record read into types, with the JSON it was read from (received key order)."""

    json: JsonObject
    digest: Digest
    source: Source
    primary_category: str
    cross_categories: tuple[str, ...]
    license: str
    submitted_at: Instant
    title_digest: Digest
    abstract_digest: Digest

    @property
    def pith_number(self) -> PithNumber:
        """The identifier that the record's own bytes give (protocol part 1)."""
        # The year as written: `submitted_at` is UTC, whole seconds, `Z`.
        return PithNumber(int(self.submitted_at.text[:4]), derive_suffix(self.digest))


def parse_record(value: JsonValue, *, subject: str) -> CanonicalRecord:
    """Read a canonical record.

    Args:
        value: what stands in the bundle.
        subject: its path, for messages.

    Returns:
        The record with its digest.

    Raises:
        FormatError: a field missing, unknown, or not in the spelling of protocol part 1. An unknown
        field
            is refused because its meaning would be signed without anyone here knowing it.
    """
    record = fields_of(value, path=subject)
    _refuse_unknown(record, _RECORD_KEYS)
    record.constant("schema_version", SCHEMA_VERSION)
    metadata = record.object("metadata")
    _refuse_unknown(metadata, _METADATA_KEYS)
    source = record.object("source")
    _refuse_unknown(source, _SOURCE_KEYS)
    return CanonicalRecord(
        json=record.value,
        digest=canonical_digest(record.value),
        source=parse_source(source),
        primary_category=_category(metadata.text("primary_cat"), metadata.at("primary_cat")),
        cross_categories=_cross_categories(metadata),
        license=_license(metadata),
        submitted_at=_submitted_at(metadata),
        title_digest=_digest(metadata, "title_canon_sha256"),
        abstract_digest=_digest(metadata, "abstract_canon_sha256"),
    )


def is_category(text: str) -> bool:
    """Tell whether a text has the form of an arXiv category.

    Args:
        text: any text.

    Returns:
        True for letters with hyphens and one dot. A category becomes a folder of the site, so
        nothing else may pass.
    """
    return len(text) <= _CATEGORY_MAX_LENGTH and _CATEGORY.fullmatch(text) is not None


def parse_source(source: Fields) -> Source:
    """Read a `source` object; whether the id is an arXiv id is check V6, not a matter of shape.

    Args:
        source: the object with its path.

    Returns:
        Kind, id and version.

    Raises:
        FormatError: a field missing or of the wrong type.
    """
    return Source(source.token("kind"), source.token("id"), source.integer("version", minimum=1))


def _refuse_unknown(fields: Fields, known: set[str]) -> None:
    unknown = sorted(set(fields.value) - known)
    if unknown:
        raise FormatError(
            fields.path,
            expected=f"only the fields {', '.join(sorted(known))}",
            found=repr(shorten(unknown[0])),
        )


def _digest(metadata: Fields, key: str) -> Digest:
    return parse_digest(metadata.required(key), subject=metadata.at(key))


def _category(text: str, path: str) -> str:
    if not is_category(text):
        raise FormatError(path, expected="an arXiv category", found=repr(shorten(text)))
    return text


def _cross_categories(metadata: Fields) -> tuple[str, ...]:
    path = metadata.at("cross_cats_sorted")
    categories = []
    for item in metadata.array("cross_cats_sorted"):
        if not isinstance(item, str):
            raise FormatError(path, expected="strings", found=json_kind(item))
        categories.append(_category(item, path))
    if categories != sorted(set(categories)):
        raise FormatError(
            path, expected="categories sorted by code point, each once", found=str(categories)[:160]
        )
    if metadata.value.get("primary_cat") in categories:
        raise FormatError(
            path, expected="categories other than the primary", found=str(categories)[:160]
        )
    return tuple(categories)


def _license(metadata: Fields) -> str:
    text = metadata.text("license")
    # Older papers have none. A page links to it, so no other scheme than the web's may stand here.
    if text and not re.fullmatch(r"https?://[!-~]{1,240}", text):
        raise FormatError(
            metadata.at("license"), expected="an http(s) URL or ''", found=repr(shorten(text))
        )
    return text


def _submitted_at(metadata: Fields) -> Instant:
    text = metadata.text("submitted_at")
    path = metadata.at("submitted_at")
    if not _SUBMITTED_AT.fullmatch(text):
        raise FormatError(
            path, expected="YYYY-MM-DDThh:mm:ssZ, whole seconds", found=repr(shorten(text))
        )
    return parse_instant(text, subject=path)

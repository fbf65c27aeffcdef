"""Vectors of V3: every field that is read has one type and one spelling."""

from __future__ import annotations

from collections.abc import Iterator

from tests.vectors.builders import (
    GONE,
    PAPER,
    Json,
    bundle_of,
    bundle_with,
    creation_of,
    edited,
    record_of,
)
from tests.vectors.vector import Vector, published, unread, vector

WHOLE = bundle_of()

# name, path, value: outside the record.
_BUNDLE_FIELDS: tuple[tuple[str, str, Json], ...] = (
    ("pith-number-missing", "pith_number", GONE),
    ("pith-number-null", "pith_number", None),
    ("pith-number-number", "pith_number", 2023),
    ("pith-number-empty", "pith_number", ""),
    ("pith-number-with-line-break", "pith_number", "pith:2023:A\r\nX-Injected: yes"),
    ("short-pith-number-missing", "short_pith_number", GONE),
    ("short-pith-number-array", "short_pith_number", ["pith:AAAAAAAA"]),
    ("canonical-record-missing", "canonical_record", GONE),
    ("canonical-record-null", "canonical_record", None),
    ("canonical-record-string", "canonical_record", "{}"),
    ("canonical-record-array", "canonical_record", []),
    ("canonical-sha256-missing", "canonical_sha256", GONE),
    ("canonical-sha256-number", "canonical_sha256", 0),
    ("canonical-sha256-uppercase", "canonical_sha256", WHOLE["canonical_sha256"].upper()),
    ("canonical-sha256-short", "canonical_sha256", WHOLE["canonical_sha256"][:-1]),
    ("canonical-sha256-prefixed", "canonical_sha256", f"sha256:{WHOLE['canonical_sha256']}"),
    ("canonical-sha256-with-newline", "canonical_sha256", f"{WHOLE['canonical_sha256']}\n"),
    ("source-missing", "source", GONE),
    ("source-string", "source", "arxiv:2305.01234v2"),
    ("source-kind-missing", "source.kind", GONE),
    ("source-kind-null", "source.kind", None),
    ("source-id-number", "source.id", 2305.01234),
    ("source-version-missing", "source.version", GONE),
    ("source-version-string", "source.version", "2"),
    ("source-aliases-missing", "source_aliases", GONE),
    ("source-aliases-object", "source_aliases", {}),
    ("source-aliases-null", "source_aliases", None),
    ("source-alias-string", "source_aliases.0", "arxiv:2305.01234"),
    ("source-alias-kind-missing", "source_aliases.2.alias_kind", GONE),
    ("source-alias-kind-number", "source_aliases.2.alias_kind", 1),
    ("source-alias-value-missing", "source_aliases.3.alias_value", GONE),
    ("source-alias-value-array", "source_aliases.3.alias_value", []),
    ("source-alias-value-of-257-characters", "source_aliases.3.alias_value", "A" * 257),
    ("source-alias-value-with-line-break", "source_aliases.3.alias_value", "A\nB"),
    ("source-alias-time-missing", "source_aliases.5.created_at", GONE),
    ("source-alias-time-number", "source_aliases.5.created_at", 1779071173),
    ("source-alias-time-malformed", "source_aliases.5.created_at", "yesterday"),
    ("events-missing", "events", GONE),
    ("events-null", "events", None),
    ("events-object", "events", {"0": {}}),
    ("events-string", "events", "[]"),
    ("state-not-an-object", "state", []),
)

_LICENSE = "metadata.license"
_CATEGORY = "metadata.primary_cat"
_CROSS = "metadata.cross_cats_sorted"
_TIME = "metadata.submitted_at"
_TITLE = "metadata.title_canon_sha256"
_ABSTRACT = "metadata.abstract_canon_sha256"

# name, path in the record, value. The record is signed all the same: nothing but V3 can refuse it.
_RECORD_FIELDS: tuple[tuple[str, str, Json], ...] = (
    ("record-unknown-field", "extra", "x"),
    ("record-unknown-metadata-field", "metadata.authors", "A. Testova"),
    ("record-unknown-source-field", "source.url", "https://example.org/"),
    ("record-metadata-missing", "metadata", GONE),
    ("record-metadata-array", "metadata", []),
    ("record-schema-version-missing", "schema_version", GONE),
    ("record-schema-version-2", "schema_version", "2.0"),
    ("record-schema-version-number", "schema_version", 1.0),
    ("record-source-missing", "source", GONE),
    ("record-source-null", "source", None),
    ("record-source-id-missing", "source.id", GONE),
    ("record-source-id-empty", "source.id", ""),
    ("record-source-id-array", "source.id", ["2305.01234"]),
    ("record-source-id-with-header-line", "source.id", "2305.01234\r\nX-Injected: yes"),
    ("record-source-id-of-257-characters", "source.id", "1" * 257),
    ("record-source-kind-missing", "source.kind", GONE),
    ("record-source-kind-number", "source.kind", 7),
    ("record-source-version-missing", "source.version", GONE),
    ("record-source-version-0", "source.version", 0),
    ("record-source-version-minus-1", "source.version", -1),
    ("record-source-version-true", "source.version", True),
    ("record-source-version-string", "source.version", "2"),
    ("record-source-version-float", "source.version", 2.0),
    ("record-source-version-null", "source.version", None),
    ("record-license-missing", _LICENSE, GONE),
    ("record-license-null", _LICENSE, None),
    ("record-license-javascript", _LICENSE, "javascript:alert(1)//http://x/"),
    ("record-license-data-url", _LICENSE, "data:text/html,<script>alert(1)</script>"),
    ("record-license-without-scheme", _LICENSE, "creativecommons.org/licenses/by/4.0/"),
    ("record-license-with-newline", _LICENSE, "http://creativecommons.org/\nlicenses/by/4.0/"),
    ("record-license-with-space", _LICENSE, "http://creativecommons.org/ licenses/"),
    ("record-license-of-300-characters", _LICENSE, f"http://{'a' * 300}/"),
    ("record-primary-cat-missing", _CATEGORY, GONE),
    ("record-primary-cat-empty", _CATEGORY, ""),
    ("record-primary-cat-number", _CATEGORY, 1),
    ("record-primary-cat-with-dots-and-slash", _CATEGORY, "../cs"),
    ("record-primary-cat-dots", _CATEGORY, ".."),
    ("record-primary-cat-with-slash", _CATEGORY, "cs/DC"),
    ("record-primary-cat-uppercase-archive", _CATEGORY, "CS.DC"),
    ("record-primary-cat-with-markup", _CATEGORY, "cs.<b>"),
    ("record-primary-cat-of-41-characters", _CATEGORY, f"cs.{'A' * 38}"),
    ("record-primary-cat-with-newline", _CATEGORY, "cs.DC\n"),
    ("record-cross-cats-missing", _CROSS, GONE),
    ("record-cross-cats-string", _CROSS, "cs.AI"),
    ("record-cross-cats-of-numbers", _CROSS, [1]),
    ("record-cross-cats-unsorted", _CROSS, ["cs.LG", "cs.AI"]),
    ("record-cross-cats-duplicate", _CROSS, ["cs.AI", "cs.AI"]),
    ("record-cross-cats-with-slash", _CROSS, ["../../etc", "cs.AI"]),
    ("record-cross-cats-contain-primary", _CROSS, ["cs.AI", "cs.DC"]),
    ("record-title-digest-missing", _TITLE, GONE),
    ("record-title-digest-uppercase", _TITLE, "A" * 64),
    ("record-title-digest-of-63-characters", _TITLE, "a" * 63),
    ("record-title-digest-null", _TITLE, None),
    ("record-abstract-digest-missing", _ABSTRACT, GONE),
    ("record-abstract-digest-not-hex", _ABSTRACT, "g" * 64),
    ("record-abstract-digest-in-other-digits", _ABSTRACT, "\u0661" * 64),
    ("record-submitted-at-missing", _TIME, GONE),
    ("record-submitted-at-number", _TIME, 2023),
    ("record-submitted-at-date-only", _TIME, "2023-05-02"),
    ("record-submitted-at-without-zone", _TIME, "2023-05-02T06:55:44"),
    ("record-submitted-at-with-offset", _TIME, "2023-05-02T06:55:44+00:00"),
    ("record-submitted-at-with-fraction", _TIME, "2023-05-02T06:55:44.0Z"),
    ("record-submitted-at-with-space", _TIME, "2023-05-02 06:55:44Z"),
    ("record-submitted-at-lowercase", _TIME, "2023-05-02t06:55:44z"),
    ("record-submitted-at-in-other-digits", _TIME, "\u0662023-05-02T06:55:44Z"),
    ("record-submitted-at-february-30", _TIME, "2023-02-30T06:55:44Z"),
    ("record-submitted-at-hour-24", _TIME, "2023-05-02T24:00:00Z"),
    ("record-submitted-at-month-13", _TIME, "2023-13-02T06:55:44Z"),
    ("record-submitted-at-year-0", _TIME, "0000-05-02T06:55:44Z"),
    ("record-submitted-at-year-of-5-digits", _TIME, "12023-05-02T06:55:44Z"),
    ("record-submitted-at-leap-second-at-noon", _TIME, "2016-12-31T12:00:60Z"),
    ("record-source-id-in-other-digits", "source.id", "\u0662\u0663\u0660\u0665.01234"),
    ("record-submitted-at-with-newline", _TIME, "2023-05-02T06:55:44Z\n"),
)


def signed_record(path: str, value: Json) -> Json:
    """A bundle of a record with one field changed before it was signed."""
    record = edited(record_of(PAPER), (path, value))
    return bundle_with(record, [creation_of(record)])


def schema_vectors() -> Iterator[Vector]:
    """Vectors of V3."""
    for name, path, value in _BUNDLE_FIELDS:
        why = f"{path} is not what protocol part 4 says"
        yield vector(f"v3-{name}", why, edited(WHOLE, (path, value)), unread("V3"))
    for name, path, value in _RECORD_FIELDS:
        why = f"{path} of the record is not what protocol part 1 says, though signed"
        yield vector(f"v3-{name}", why, signed_record(path, value), unread("V3"))
    yield vector(
        "v3-every-list-empty",
        "empty lists prove nothing",
        {
            "bundle_type": "pith_open_graph_bundle",
            "bundle_version": "1.0",
            "pith_number": [],
            "short_pith_number": [],
            "canonical_record": [],
            "canonical_sha256": [],
            "source": [],
            "source_aliases": [],
            "events": [],
        },
        unread("V3"),
    )
    for name, path, value in (
        ("license-empty", _LICENSE, ""),
        ("license-https", _LICENSE, "https://example.org/licence"),
        ("cross-cats-empty", _CROSS, []),
        ("primary-cat-without-subject", _CATEGORY, "quant-ph"),
        ("primary-cat-of-40-characters", _CATEGORY, f"cs.{'A' * 37}"),
        ("primary-cat-with-hyphens", _CATEGORY, "cond-mat.mtrl-sci"),
        ("leap-second", _TIME, "2016-12-31T23:59:60Z"),
        ("source-version-12", "source.version", 12),
    ):
        bundle = signed_record(path, value)
        expected = published(events=1, sections=0, bindings=0)
        yield vector(f"valid-{name}", "as in real records", bundle, expected)
    times = edited(WHOLE, *((f"source_aliases.{i}.created_at", None) for i in range(6)))
    yield vector("valid-alias-times-unknown", "null: the time is not known", times, published())

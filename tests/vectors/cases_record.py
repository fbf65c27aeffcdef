"""Vectors of V4 to V6: the content address and what follows from the record."""

from __future__ import annotations

from collections.abc import Iterator

from tests.vectors.builders import (
    GONE,
    OLD,
    OTHER,
    PAPER,
    Json,
    Paper,
    bundle_of,
    bundle_with,
    creation_of,
    digest,
    edited,
    receipt_of,
    record_of,
    suffix_of,
)
from tests.vectors.vector import FAILED, NOT_CHECKABLE, Row, Vector, published, refused, vector

WHOLE = bundle_of()
RECORD = record_of(PAPER)
ANOTHER = record_of(OTHER)

TOP: Row = ("V4", "content address", FAILED)
INSIDE: Row = ("V4", "content address in record_created", FAILED)
PAYLOAD: Row = ("V4", "record_created payload", FAILED)
SUFFIX: Row = ("V5", "suffix", FAILED)
YEAR: Row = ("V5", "year", FAILED)
SHORT: Row = ("V5", "short form", FAILED)
SOURCE: Row = ("V6", "source", FAILED)
ALIASES: Row = ("V6", "aliases", FAILED)
ARXIV_ID: Row = ("V6", "arXiv id", FAILED)
SIGNATURE: Row = ("V7", "receipt signature", FAILED)
NO_CREATION: tuple[Row, Row] = (("V4", "record_created", FAILED), SIGNATURE)


def _address_cases() -> tuple[tuple[str, Json, tuple[Row, ...]], ...]:
    other = digest(ANOTHER).hex()
    inside = "events.0.payload"
    licence = "metadata.license"
    altered = edited(RECORD, (licence, ""))
    return (
        ("canonical-sha256-of-another-record", edited(WHOLE, ("canonical_sha256", other)), (TOP,)),
        (
            "payload-sha256-of-another-record",
            edited(WHOLE, (f"{inside}.canonical_sha256", other)),
            (INSIDE,),
        ),
        (
            "payload-record-is-another",
            edited(WHOLE, (f"{inside}.canonical_record", ANOTHER)),
            (INSIDE,),
        ),
        (
            "payload-record-altered",
            edited(WHOLE, (f"{inside}.canonical_record.{licence}", "")),
            (INSIDE,),
        ),
        (
            "payload-record-is-another-with-its-digest",
            edited(
                WHOLE,
                (f"{inside}.canonical_record", ANOTHER),
                (f"{inside}.canonical_sha256", other),
            ),
            (INSIDE,),
        ),
        (
            "payload-record-with-a-float-version",
            edited(WHOLE, (f"{inside}.canonical_record.source.version", 2.0)),
            (INSIDE,),
        ),
        ("payload-record-missing", edited(WHOLE, (f"{inside}.canonical_record", GONE)), (PAYLOAD,)),
        ("payload-record-array", edited(WHOLE, (f"{inside}.canonical_record", [])), (PAYLOAD,)),
        ("payload-sha256-missing", edited(WHOLE, (f"{inside}.canonical_sha256", GONE)), (PAYLOAD,)),
        (
            "payload-sha256-uppercase",
            edited(WHOLE, (f"{inside}.canonical_sha256", digest(RECORD).hex().upper())),
            (PAYLOAD,),
        ),
        (
            "record-altered-at-the-top",
            edited(WHOLE, (f"canonical_record.{licence}", "")),
            (TOP, INSIDE, SUFFIX, SHORT, ALIASES, SIGNATURE),
        ),
        (
            "record-altered-everywhere-but-unsigned",
            edited(
                bundle_with(altered, [creation_of(altered)]),
                (f"{inside}.receipt", receipt_of(RECORD)),
            ),
            (SIGNATURE,),
        ),
    )


def address_vectors() -> Iterator[Vector]:
    """Vectors of V4."""
    for name, bundle, rows in _address_cases():
        yield vector(
            f"v4-{name}", "the record is not the one that was addressed", bundle, refused(*rows)
        )
    for name, payload in (("missing", GONE), ("null", None), ("array", []), ("string", "{}")):
        bundle = edited(WHOLE, ("events.0.payload", payload))
        why = "no payload to read the record or the receipt from"
        yield vector(f"v4-payload-{name}", why, bundle, refused(PAYLOAD, V7=0))
    for name, events in (
        ("no-record-created", WHOLE["events"][1:]),
        ("events-empty", []),
        ("events-null-only", [None]),
        ("record-created-in-capitals", [{**WHOLE["events"][0], "event_type": "RECORD_CREATED"}]),
        ("record-created-with-space", [{**WHOLE["events"][0], "event_type": "record_created "}]),
    ):
        why = "without a creation there is nothing that could verify: absence is a failure"
        bundle = edited(WHOLE, ("events", events))
        yield vector(f"v4-{name}", why, bundle, refused(*NO_CREATION, V7=1))
    spelled = {key: RECORD[key] for key in ("schema_version", "metadata", "source")}
    bundle = edited(WHOLE, ("events.0.payload.canonical_record", spelled))
    why = "the digest is of the canonical JSON, whatever the order of keys (protocol part 4)"
    yield vector("valid-other-key-order-in-payload", why, bundle, published())


def identifier_vectors() -> Iterator[Vector]:
    """Vectors of V5."""
    suffix, year = suffix_of(RECORD), 2023
    changed = suffix[:-1] + ("A" if suffix[-1] != "A" else "B")
    for name, path, value, row in (
        ("suffix-of-another-record", "pith_number", f"pith:{year}:{suffix_of(ANOTHER)}", SUFFIX),
        ("suffix-last-character", "pith_number", f"pith:{year}:{changed}", SUFFIX),
        ("suffix-first-character", "pith_number", f"pith:{year}:_{suffix[1:]}", SUFFIX),
        ("suffix-lowercase", "pith_number", f"pith:{year}:{suffix.lower()}", SUFFIX),
        ("suffix-too-long", "pith_number", f"pith:{year}:{suffix}A", SUFFIX),
        ("suffix-with-path", "pith_number", f"pith:{year}:../../{suffix}", SUFFIX),
        ("year-next", "pith_number", f"pith:{year + 1}:{suffix}", YEAR),
        ("year-missing", "pith_number", f"pith:{suffix}", YEAR),
        ("year-of-two-digits", "pith_number", f"pith:23:{suffix}", YEAR),
        ("year-with-zero", "pith_number", f"pith:0{year}:{suffix}", YEAR),
        ("scheme-in-capitals", "pith_number", f"PITH:{year}:{suffix}", YEAR),
        ("short-of-another-record", "short_pith_number", f"pith:{suffix_of(ANOTHER)[:8]}", SHORT),
        ("short-of-12-characters", "short_pith_number", f"pith:{suffix[:12]}", SHORT),
        ("short-without-scheme", "short_pith_number", suffix[:8], SHORT),
        ("short-lowercase", "short_pith_number", f"pith:{suffix[:8].lower()}", SHORT),
    ):
        why = "the identifier does not follow from the record (protocol part 1)"
        yield vector(f"v5-{name}", why, edited(WHOLE, (path, value)), refused(row))
    submitted = "2023-12-31T23:59:59Z"
    record = record_of(Paper(submitted_at=submitted))
    for wrong in ("2022", "2024"):
        bundle = bundle_with(record, [creation_of(record)], year=wrong)
        why = f"submitted at {submitted}: the year is that of the record, UTC"
        yield vector(f"v5-year-{wrong}-on-new-years-eve", why, bundle, refused(YEAR))


def source_vectors() -> Iterator[Vector]:
    """Vectors of V6."""
    for name, path, value in (
        ("id-of-another-record", "source.id", OTHER.source_id),
        ("version-other", "source.version", 3),
        ("kind-other", "source.kind", "doi"),
    ):
        why = "the source beside the record is not the one in the record"
        yield vector(f"v6-source-{name}", why, edited(WHOLE, (path, value)), refused(SOURCE))


def alias_vectors() -> Iterator[Vector]:
    """Vectors of V6 for the six aliases."""
    aliases = WHOLE["source_aliases"]
    others = bundle_of(OTHER)["source_aliases"]
    for index, alias in enumerate(aliases):
        kind = alias["alias_kind"].replace("_", "-")
        for name, changed in (
            ("of-another-record", [*aliases[:index], others[index], *aliases[index + 1 :]]),
            ("missing", [*aliases[:index], *aliases[index + 1 :]]),
        ):
            why = "not the six aliases that follow from the record (protocol part 4)"
            bundle = edited(WHOLE, ("source_aliases", changed))
            yield vector(f"v6-alias-{kind}-{name}", why, bundle, refused(ALIASES))
    extra = {**aliases[2], "alias_value": "10.1000/182"}
    for name, changed in (
        ("kind-other", edited(aliases, ("2.alias_kind", "isbn"))),
        ("doi-in-capitals", edited(aliases, ("2.alias_value", aliases[2]["alias_value"].upper()))),
        ("version-missing", edited(aliases, ("1.alias_value", aliases[0]["alias_value"]))),
        ("extra-at-the-end", [*aliases, extra]),
        ("extra-at-the-start", [extra, *aliases]),
        ("twice", [aliases[0], *aliases]),
        ("reversed", aliases[::-1]),
        ("short-forms-by-length", [*aliases[:3], aliases[5], aliases[3], aliases[4]]),
        ("none", []),
    ):
        why = "not the six aliases in the registry's order"
        bundle = edited(WHOLE, ("source_aliases", changed))
        yield vector(f"v6-aliases-{name}", why, bundle, refused(ALIASES))


def source_id_vectors() -> Iterator[Vector]:
    """Vectors of V6 for the source's id and kind."""
    for name, source_id in (
        ("with-dots-and-slash", "../../etc/passwd"),
        ("with-backslash", "..\\..\\x"),
        ("in-capitals", "HEP-TH/9704123"),
        ("with-version", "2305.01234v2"),
        ("of-six-digits", "2305.012345"),
        ("of-three-digits", "2305.012"),
        ("url", "https://arxiv.org/abs/2305.01234"),
        ("with-markup", '2305.01234"><script>alert(1)</script>'),
        ("old-style-with-two-slashes", "hep-th/9704123/.."),
        ("old-style-of-six-digits", "hep-th/970412"),
        ("with-percent", "2305%2E01234"),
        ("with-query", "2305.01234?x=1"),
        ("with-space", " 2305.01234"),
    ):
        record = record_of(Paper(source_id=source_id))
        why = "signed, but no arXiv id: it would become a path and a link"
        bundle = bundle_with(record, [creation_of(record)])
        yield vector(f"v6-id-{name}", why, bundle, refused(ARXIV_ID))
    record = edited(RECORD, ("source.kind", "doi"))
    unknown: Row = ("V6", "aliases", NOT_CHECKABLE)
    yield vector(
        "v6-kind-doi",
        "how aliases of another kind of source follow from the record is not published",
        bundle_with(record, [creation_of(record)]),
        refused(unknown),
    )
    for name, paper in (
        ("old-id", OLD),
        ("old-id-with-subject", Paper(source_id="math.GT/0309136", cross=())),
        ("old-id-with-hyphen", Paper(source_id="cond-mat/9901001", cross=())),
        ("id-of-four-digits", Paper(source_id="0912.2820", cross=())),
        ("version-10", Paper(version=10)),
    ):
        yield vector(f"valid-{name}", "as real records have it", bundle_of(paper), published())

"""Vectors of V9 and V10: the digests inside a snapshot, and what of it is bound to the record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.vectors.builders import (
    EMPTY_LIST_DIGEST,
    GONE,
    OTHER,
    PAPER,
    Json,
    Paper,
    bundle_of,
    bundle_with,
    creation_of,
    edited,
    event_of,
    record_of,
    signed,
    snapshot_event,
    snapshot_of,
    snapshot_sha256,
)
from tests.vectors.vector import (
    CONTRADICTED,
    MALFORMED,
    NO_SIGNATURE,
    NOT_CHECKABLE,
    Vector,
    abstract_row,
    event_row,
    published,
    section_row,
    title_row,
    vector,
)

RECORD = record_of(PAPER)
SNAPSHOT = snapshot_of(PAPER)
SECTIONS = ("claims", "references", "formal_canon", "author_claims", "integrity")


def bundle_with_snapshot(snapshot: Json, *, paper: Paper = PAPER) -> Json:
    """A bundle with a properly signed snapshot of any content."""
    record = record_of(paper)
    return bundle_with(record, [creation_of(record), signed(snapshot_event(record, snapshot))])


def changed(*edits: tuple[str, Json]) -> Json:
    """The bundle with a snapshot that was changed and then signed."""
    return bundle_with_snapshot(edited(SNAPSHOT, *edits))


def digest_vectors() -> Iterator[Vector]:
    """Vectors of V9."""
    value: Json
    why = "the digest is not that of the section it stands in, though the snapshot is signed"
    for name in SECTIONS:
        bundle = changed((f"{name}.snapshot_sha256", snapshot_sha256(["other"])))
        kind = name.replace("_", "-")
        yield vector(f"v9-{kind}-digest-of-another", why, bundle, published(section_row(1)))
    detectors = SNAPSHOT["integrity"]["detectors_run"]
    finding = {"detector": "doi_compliance", "severity": "advisory"}
    path: str
    for name, path, value in (
        ("integrity-detector-altered", "integrity.detectors_run.0.version", "1.0.1"),
        ("integrity-detectors-removed", "integrity.detectors_run", []),
        ("integrity-finding-added", "integrity.findings", [finding]),
    ):
        yield vector(f"v9-{name}", why, changed((path, value)), published(section_row(1)))
    why = "what the registry digests of a list that is not empty is not published"
    for name, path, value in (
        ("claims-item-added-and-counted", "claims", _list_section("items", ["a"], [])),
        ("references-item-altered", "references", _list_section("sample", ["b"], ["a"])),
    ):
        expected = published(section_row(1, NOT_CHECKABLE))
        yield vector(f"v9-{name}", why, changed((path, value)), expected)
    why = "the section contradicts itself: more items than it counts"
    for name, path, value in (
        ("claims-count-below-list", "claims.items", ["a"]),
        (
            "claims-count-below-list-of-its-digest",
            "claims",
            {**_list_section("items", ["a"], ["a"]), "count": 0},
        ),
        ("references-count-below-sample", "references.sample", [{"doi": "10.1000/182"}]),
    ):
        yield vector(f"v9-{name}", why, changed((path, value)), published(section_row(1)))
    why = "the digest is over a list that is not in the snapshot"
    for name, path, value in (
        ("claims-count-above-list", "claims.count", 3),
        ("references-count-above-sample", "references.count", 40),
        ("formal-canon-counted-only", "formal_canon.evidence_count", 2),
        ("author-claims-counted-only", "author_claims.count", 1),
    ):
        expected = published(section_row(1, NOT_CHECKABLE))
        yield vector(f"v9-{name}", why, changed((path, value)), expected)
    yield from _shape_vectors()
    for name, edits in (
        ("claims-listed", (("claims", _list_section("items", ["a", {"b": 1}], ["a", {"b": 1}])),)),
        ("references-listed", (("references", _list_section("sample", ["a"], ["a"])),)),
        (
            "integrity-with-finding",
            (
                ("integrity.findings", [finding]),
                (
                    "integrity.snapshot_sha256",
                    snapshot_sha256({"detectors": detectors, "findings": [finding]}),
                ),
            ),
        ),
    ):
        yield vector(
            f"valid-{name}", "the digest is over the whole list", changed(*edits), published()
        )
    for name in SECTIONS:
        why = "an absent section makes no row"
        kind = name.replace("_", "-")
        yield vector(f"valid-without-{kind}", why, changed((name, GONE)), published(sections=4))


def _list_section(key: str, items: list[Json], hashed: list[Json]) -> Json:
    return {"count": len(items), key: items, "snapshot_sha256": snapshot_sha256(hashed)}


def _shape_vectors() -> Iterator[Vector]:
    why = "signed, but no snapshot of the known shape"
    for name, path, value in (
        ("claims-array", "claims", []),
        ("claims-without-items", "claims.items", GONE),
        ("claims-without-digest", "claims.snapshot_sha256", GONE),
        ("claims-digest-uppercase", "claims.snapshot_sha256", EMPTY_LIST_DIGEST.upper()),
        ("claims-count-negative", "claims.count", -1),
        ("claims-count-string", "claims.count", "0"),
        ("claims-count-true", "claims.count", True),
        ("references-without-sample", "references.sample", GONE),
        ("formal-canon-without-count", "formal_canon.evidence_count", GONE),
        ("author-claims-null", "author_claims", None),
        ("integrity-findings-object", "integrity.findings", {}),
        ("integrity-without-detectors", "integrity.detectors_run", GONE),
        ("integrity-without-digest", "integrity.snapshot_sha256", GONE),
        ("integrity-digest-short", "integrity.snapshot_sha256", EMPTY_LIST_DIGEST[1:]),
        ("paper-missing", "paper", GONE),
        ("paper-string", "paper", "A title"),
        ("title-missing", "paper.title", GONE),
        ("title-null", "paper.title", None),
        ("title-array", "paper.title", ["A title"]),
        ("authors-array", "paper.authors_text", ["A. Testova"]),
        ("authors-null", "paper.authors_text", None),
        ("excerpt-number", "paper.abstract_excerpt", 1),
        ("abstract-object", "paper.abstract", {}),
    ):
        expected = published(event_row(1, MALFORMED), sections=0, bindings=0)
        yield vector(f"v8-snapshot-{name}", why, changed((path, value)), expected)
    for name, payload in (
        ("missing", {}),
        ("array", {"graph_snapshot": []}),
        ("null", {"graph_snapshot": None}),
    ):
        event = signed(event_of(RECORD, "graph_snapshot", payload))
        bundle = bundle_with(RECORD, [creation_of(RECORD), event])
        expected = published(event_row(1, MALFORMED), sections=0, bindings=0)
        yield vector(f"v8-snapshot-{name}", why, bundle, expected)


LONG = replace(
    PAPER, abstract=" ".join(f"Sentence number {i} of a long abstract." for i in range(40))
)
EXACT = replace(PAPER, abstract=("Exactly six hundred characters. " * 19)[:600].ljust(600, "x"))
GREEK = replace(PAPER, title="ΟΔΥΣΣΕΥΣ και\u00a0ΣΊΣΥΦΟΣ\u2003İstanbul Straße")


def title_vectors() -> Iterator[Vector]:
    """Vectors of V10 for titles."""
    why = "not the title whose digest was signed"
    for name, title in (
        ("of-another-record", OTHER.title),
        ("word-added", f"{PAPER.title} revisited"),
        ("empty", ""),
        ("without-tex", PAPER.title.replace("\\", "")),
        ("with-zero-width-space", PAPER.title.replace(" ", " \u200b", 1)),
        ("words-joined", PAPER.title.replace(" ", "", 1)),
        ("with-no-break-hyphen", PAPER.title.replace("-", "\u2011").replace("of", "0f")),
    ):
        bundle = changed(("paper.title", title))
        yield vector(f"v10-title-{name}", why, bundle, published(title_row(1)))
    for name, title in (
        ("in-capitals", PAPER.title.upper()),
        ("in-lowercase", PAPER.title.lower()),
        ("with-more-white-space", f"  {PAPER.title.replace(' ', '  ')}\n"),
        ("broken-over-lines", PAPER.title.replace(" ", "\r\n\t")),
        ("with-no-break-spaces", PAPER.title.replace(" ", "\u00a0")),
    ):
        why = "the digest folds letter case and white space (protocol part 1)"
        yield vector(f"valid-title-{name}", why, changed(("paper.title", title)), published())
    why = "case folding of text that is not ASCII is Python's lower()"
    yield vector("valid-title-not-ascii", why, bundle_of(GREEK), published())
    folded = bundle_with_snapshot(
        edited(snapshot_of(GREEK), ("paper.title", GREEK.title.casefold())), paper=GREEK
    )
    yield vector(
        "v10-title-casefolded", "lower() is not casefold()", folded, published(title_row(1))
    )
    other = signed(snapshot_event(RECORD, edited(SNAPSHOT, ("paper.title", OTHER.title))))
    bundle = bundle_of(PAPER, other)
    # Both were signed at one time, so they contradict each other as well.
    expected = published(
        title_row(2),
        events=3,
        sections=10,
        bindings=4,
        standings={1: CONTRADICTED, 2: CONTRADICTED},
        equivocations=1,
    )
    yield vector("v10-second-snapshot-with-another-title", "one of two is bound", bundle, expected)
    carried = snapshot_event(RECORD, edited(SNAPSHOT, ("paper.title", OTHER.title)))
    bundle = bundle_with(RECORD, [creation_of(RECORD), carried])
    expected = published(event_row(1, NO_SIGNATURE), title_row(1))
    why = "the envelope cannot be checked, the title can, and is another"
    yield vector("v10-carried-snapshot-with-another-title", why, bundle, expected)
    bundle = bundle_with(RECORD, [creation_of(RECORD)])
    expected = published(events=1, sections=0, bindings=0)
    yield vector("valid-without-snapshot", "a record without a known title", bundle, expected)


def abstract_vectors() -> Iterator[Vector]:
    """Vectors of V10 for abstracts."""
    abstract = "paper.abstract"
    excerpt = "paper.abstract_excerpt"
    for name, edits in (
        ("whole-altered", ((excerpt, GONE), (abstract, f"{PAPER.abstract} Not."))),
        ("whole-empty", ((excerpt, GONE), (abstract, ""))),
        ("whole-of-another-record", ((excerpt, GONE), (abstract, OTHER.abstract))),
        ("short-excerpt-altered", ((excerpt, PAPER.abstract.replace("222", "223")),)),
        ("short-excerpt-cut", ((excerpt, PAPER.abstract[:100]),)),
    ):
        why = "not the abstract whose digest was signed, and short enough to be the whole"
        yield vector(f"v10-abstract-{name}", why, changed(*edits), published(abstract_row(1)))
    why = "599 characters would be the whole abstract"
    cut = edited(snapshot_of(LONG), (excerpt, LONG.abstract[:599]))
    bundle = bundle_with_snapshot(cut, paper=LONG)
    yield vector("v10-abstract-excerpt-of-599", why, bundle, published(abstract_row(1)))
    why = "the first 600 characters prove nothing of the whole (protocol part 2)"
    expected = published(abstract_row(1, NOT_CHECKABLE))
    yield vector("v10-abstract-excerpt-of-600", why, bundle_of(LONG), expected)
    cut = edited(snapshot_of(LONG), (excerpt, LONG.abstract[:601]))
    bundle = bundle_with_snapshot(cut, paper=LONG)
    yield vector("v10-abstract-excerpt-of-601", why, bundle, expected)
    why = "the excerpt is not the start of the abstract beside it"
    both = edited(
        snapshot_of(LONG), (abstract, LONG.abstract), (excerpt, f"Not. {LONG.abstract[:595]}")
    )
    bundle = bundle_with_snapshot(both, paper=LONG)
    expected = published(abstract_row(1), bindings=3)
    yield vector("v10-abstract-excerpt-contradicts-whole", why, bundle, expected)
    why = "the excerpt is the start of an abstract that is not bound itself"
    altered = changed((abstract, f"{PAPER.abstract} Not."), (excerpt, PAPER.abstract[:50]))
    expected = published(abstract_row(1), abstract_row(1), bindings=3)
    yield vector("v10-abstract-altered-and-its-excerpt", why, altered, expected)
    both = edited(snapshot_of(LONG), (abstract, LONG.abstract))
    bundle = bundle_with_snapshot(both, paper=LONG)
    why = "the whole is bound, the excerpt is its start"
    yield vector("valid-abstract-and-excerpt", why, bundle, published(bindings=3))
    why = "an excerpt of 600 characters that is the whole"
    yield vector("valid-abstract-of-600", why, bundle_of(EXACT), published())
    whole = changed((excerpt, GONE), (abstract, PAPER.abstract.upper().replace(" ", "\n")))
    why = "the digest folds letter case and white space"
    yield vector("valid-abstract-in-capitals", why, whole, published())
    for name, value in (("without-abstract", GONE), ("with-empty-excerpt", "")):
        why = "no abstract to bind: no row"
        yield vector(f"valid-{name}", why, changed((excerpt, value)), published(bindings=1))
    why = "the title alone"
    bundle = changed(("paper", {"title": PAPER.title}))
    yield vector("valid-title-only", why, bundle, published(bindings=1))

"""The graph snapshot: what the registry knew of the paper, a digest a section (protocol 6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.formats.canonical import JsonObject, JsonValue
from generator.formats.digest import Digest, canonical_digest, parse_digest
from generator.formats.event import Event
from generator.formats.fields import Fields

# The registry cuts `abstract_excerpt` here; a text of this length or more proves nothing by a
# mismatch.
EXCERPT_LENGTH = 600  # characters


@dataclass(frozen=True, slots=True)
class Paper:
    """What a snapshot says of the paper; None where it says nothing."""

    title: str
    authors_text: str | None
    abstract_excerpt: str | None
    abstract: str | None


@dataclass(frozen=True, slots=True)
class Section:
    """A section with a digest, the value it is taken over, and how many items that should have.

    `listed` below `count`: the bundle holds a part only, so the digest cannot be checked. Above:
    the section contradicts itself.
    """

    name: str
    claimed: Digest
    preimage: JsonValue
    count: int
    listed: int

    @property
    def computed(self) -> Digest:
        """SHA-256 of the canonical JSON of `{"payload": x}`."""
        return canonical_digest({"payload": self.preimage})


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot of the right shape, `json` as received."""

    json: JsonObject
    paper: Paper
    sections: tuple[Section, ...]


def parse_snapshot(event: Event, *, path: str) -> Snapshot:
    """Read the payload of a `graph_snapshot` event.

    Args:
        event: the event; its type is known.
        path: the event's path, for messages.

    Returns:
        The snapshot; its digests are not yet checked.

    Raises:
        FormatError: no snapshot in the payload, or a field that is read has the wrong type.
    """
    snapshot = Fields(f"{path}.payload", event.payload).object("graph_snapshot")
    paper = snapshot.object("paper")
    return Snapshot(
        json=snapshot.value,
        paper=Paper(
            title=paper.text("title"),
            authors_text=_optional_text(paper, "authors_text"),
            abstract_excerpt=_optional_text(paper, "abstract_excerpt"),
            abstract=_optional_text(paper, "abstract"),
        ),
        sections=tuple(_sections(snapshot)),
    )


def _optional_text(fields: Fields, key: str) -> str | None:
    return fields.text(key) if key in fields.value else None


def _sections(snapshot: Fields) -> Iterator[Section]:
    # Where a list is whole, the digest is taken over it; where only its length stands in the
    # snapshot, the digest can be checked for the empty list alone (protocol part 6).
    lists = (
        ("claims", "count", "items"),
        ("references", "count", "sample"),
        ("formal_canon", "evidence_count", None),
        ("author_claims", "count", None),
    )
    for name, count_key, items_key in lists:
        if name in snapshot.value:
            section = snapshot.object(name)
            count = section.integer(count_key)
            items = section.array(items_key) if items_key else []
            yield _section(section, preimage=items, count=count, listed=len(items))
    # An older snapshot has no integrity section.
    if "integrity" in snapshot.value:
        integrity = snapshot.object("integrity")
        preimage: JsonValue = {
            "detectors": integrity.array("detectors_run"),
            "findings": integrity.array("findings"),
        }
        yield _section(integrity, preimage=preimage, count=0, listed=0)


def _section(section: Fields, *, preimage: JsonValue, count: int, listed: int) -> Section:
    claimed = parse_digest(
        section.required("snapshot_sha256"), subject=section.at("snapshot_sha256")
    )
    return Section(section.path.rpartition(".")[2], claimed, preimage, count, listed)

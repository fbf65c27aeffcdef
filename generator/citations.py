"""Citations: what a record cites, and the ends of those links that are in this mirror. Pure.

Two things link a record to another work: a `citation` event that verified and counts, and an item
of `references.sample` in the current snapshot, if that verified. Both are the signer's word. Nobody
checks here whether the paper cites anything; links of events that did not verify are not followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType

from generator.formats.checks import Outcome
from generator.formats.instant import Instant
from generator.formats.payloads import Citation
from generator.formats.record import CanonicalRecord
from generator.formats.works import Work, work_of_arxiv, work_of_record, work_of_reference
from generator.limits import DEFAULT_LIMITS
from generator.merge import RecordState
from generator.verify_events import JudgedEvent

REFERENCE_RELATION = "cites"  # a list of references says no more than that


class Via(Enum):
    """What a link was read from. The value is the word in JSON."""

    CITATION = "citation"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class OutgoingLink:
    """A record names a work, in the words of the signer of one event."""

    via: Via
    relation: str
    work: Work
    signer_id: str
    created_at: Instant
    event_id: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A record of this mirror at the other end of a link; the title as listed, or empty."""

    suffix: str
    pith_number: str
    title: str


@dataclass(frozen=True, slots=True)
class IncomingLink:
    """A record of this mirror that cites the one at hand."""

    source: Neighbour
    via: Via
    relation: str
    signer_id: str
    created_at: str
    event_id: str


@dataclass(frozen=True, slots=True)
class RecordLinks:
    """How a record is linked inside this mirror.

    `targets` gives the records that a cited work names; `cited_by` the newest incoming links, of
    `incoming_count` in all, from `citing_count` records.
    """

    targets: Mapping[Work, tuple[Neighbour, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    cited_by: tuple[IncomingLink, ...] = ()
    incoming_count: int = 0
    citing_count: int = 0


UNLINKED = RecordLinks()


def paper_of(record: CanonicalRecord) -> Work | None:
    """Name the version of a paper that a record is about.

    Args:
        record: the record.

    Returns:
        Its arXiv id in normal form, with version.
    """
    paper = work_of_arxiv(record.source.id)
    return None if paper is None else Work(paper.kind, paper.name, record.source.version)


def outgoing_links(state: RecordState) -> tuple[OutgoingLink, ...]:
    """Collect what a record cites.

    Args:
        state: the merged state.

    Returns:
        Citations, newest first, then references in the snapshot's order, as many as the bound on
        links allows. Of several with one signer, relation and work the newest stands; a work that
        is the record itself is left out.
    """
    itself = (work_of_record(state.pith_number), paper_of(state.record))
    chosen: dict[tuple[Via, str, str, Work], OutgoingLink] = {}
    for link in (*_citations(state), *_references(state)):
        place = (link.via, link.relation, link.signer_id, link.work)
        if place in chosen or _is_itself(link.work, itself):
            continue
        chosen[place] = link
        if len(chosen) == DEFAULT_LIMITS.record_links_max_count:
            break
    return tuple(chosen.values())


def _citations(state: RecordState) -> Iterator[OutgoingLink]:
    for judged in reversed(state.counting("citation")):
        payload = judged.payload
        if judged.outcome is Outcome.VERIFIED and isinstance(payload, Citation):
            work = work_of_record(payload.cited)
            yield from _link(judged, Via.CITATION, payload.relation, work, note=payload.note)


def _references(state: RecordState) -> Iterator[OutgoingLink]:
    judged = state.current_snapshot
    if judged is None or judged.outcome is not Outcome.VERIFIED or judged.snapshot is None:
        return
    sections = judged.snapshot.sections
    if any(section.name == "references" and section.listed > section.count for section in sections):
        # V9 failed: a list longer than its own count contradicts itself.
        return
    references = judged.snapshot.json.get("references")
    sample = references.get("sample") if isinstance(references, dict) else None
    for item in sample if isinstance(sample, list) else ():
        work = work_of_reference(item)
        if work is not None:
            yield from _link(judged, Via.REFERENCE, REFERENCE_RELATION, work)


def _link(
    judged: JudgedEvent, via: Via, relation: str, work: Work, *, note: str = ""
) -> Iterator[OutgoingLink]:
    # A verified event of these kinds has a signed envelope, so both are there.
    if judged.signer is not None and judged.created_at is not None:
        signer_id, moment = judged.signer.signer_id, judged.created_at
        yield OutgoingLink(via, relation, work, signer_id, moment, judged.identity, note)


def _is_itself(work: Work, itself: tuple[Work, Work | None]) -> bool:
    number, paper = itself
    # Without a version an arXiv id is every version, this one included.
    return work in (number, paper) or (paper is not None and work == replace(paper, version=0))

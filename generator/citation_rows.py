"""The citation lists of a record page: what the record cites, and who in this mirror cites it."""

from __future__ import annotations

from generator import layout
from generator.citations import IncomingLink, Neighbour, OutgoingLink, Via
from generator.display import make_visible, shown_text
from generator.event_table import EventTable
from generator.event_words import value_words
from generator.facts import KnownRecord
from generator.formats.works import ARXIV_ID, Work
from generator.limits import DEFAULT_LIMITS
from generator.messages import message
from generator.pages import CitationList, CitationPart, CitationRow, Link
from generator.pictures import draw_neighbourhood


def describe_citations(known: KnownRecord, table: EventTable) -> CitationPart:
    """Describe what a record cites and who cites it.

    Args:
        known: what is known of the record.
        table: its events, as the page names them.

    Returns:
        Both lists: outgoing links to records of this mirror first, incoming ones newest first.
    """
    limit = DEFAULT_LIMITS.shown_links_max_count
    targets = known.links.targets
    # Stable, so that what leads nowhere keeps its order behind what does.
    cites = sorted(known.cites, key=lambda link: link.work not in targets)
    cited_by = known.links.cited_by[:limit]
    return CitationPart(
        cites=CitationList(
            tuple(_outgoing(link, targets.get(link.work, ()), table) for link in cites[:limit]),
            left_out=max(0, len(cites) - limit),
        ),
        cited_by=CitationList(
            tuple(_incoming(link) for link in cited_by),
            left_out=known.links.incoming_count - len(cited_by),
        ),
        citing_count=known.links.citing_count,
        picture=draw_neighbourhood(known),
    )


def work_words(work: Work) -> str:
    """Spell a work for people.

    Args:
        work: any work.

    Returns:
        A Pith Number, `arXiv:` and an id, or a DOI.
    """
    return f"arXiv:{work}" if work.kind == ARXIV_ID else make_visible(str(work))


def _outgoing(link: OutgoingLink, targets: tuple[Neighbour, ...], table: EventTable) -> CitationRow:
    limit = DEFAULT_LIMITS.shown_statement_max_length
    return CitationRow(
        relation=value_words(link.relation),
        links=tuple(_link(target) for target in targets),
        text=work_words(link.work),
        signed=_signed(link.via, link.signer_id, str(link.created_at)),
        event=table.mention(link.event_id),
        note=shown_text(link.note, limit=limit),
    )


def _incoming(link: IncomingLink) -> CitationRow:
    return CitationRow(
        relation=value_words(link.relation),
        links=(_link(link.source),),
        text=link.source.pith_number if link.source.title else "",
        signed=_signed(link.via, link.signer_id, link.created_at),
    )


def _link(neighbour: Neighbour) -> Link:
    return Link(neighbour.title or neighbour.pith_number, layout.record_page(neighbour.suffix))


def _signed(via: Via, signer_id: str, created_at: str) -> str:
    if via is Via.REFERENCE:
        text = message(
            "in a snapshot’s references signed by {signer}, {time}",
            signer=signer_id,
            time=created_at,
        )
    else:
        text = message(
            "in a citation signed by {signer}, {time}", signer=signer_id, time=created_at
        )
    return make_visible(text)

"""A merged state as the values of its record page (design, "What a page says")."""

from __future__ import annotations

import json
from collections.abc import Sequence

from generator import layout, snippets
from generator.authors import shorten_name, split_authors
from generator.badge import badge_of
from generator.citation_rows import describe_citations
from generator.completeness import bundle_note, completeness_rows, status_chips
from generator.config import Configuration
from generator.display import is_plain_url, shown_text
from generator.event_table import equivocation_rows, event_table, shown_checks
from generator.facts import KnownRecord, KnownText, PaperFacts
from generator.formats.checks import Outcome, Verdict
from generator.formats.record import Source
from generator.limits import DEFAULT_LIMITS
from generator.listing_pages import ListedRecord
from generator.merge import RecordState
from generator.messages import message
from generator.metadata import record_head
from generator.pages import AliasRow, Fact, HowKnown, Link, RecordPage
from generator.pictures import draw_timeline
from generator.profiles import is_written
from generator.statements import describe_statements, record_withdrawals

_ARXIV_ABSTRACT = "https://arxiv.org/abs/"
_VERDICT_TEXT = {
    Verdict.VERIFIED: message("Every check on this record's bundle was made here and verified."),
    Verdict.PARTLY: message(
        "The record, its identifiers and the registry's receipt verified. "
        "Some other parts of the bundle cannot be checked here; each is marked."
    ),
    Verdict.DISPUTED: message(
        "The record, its identifiers and the registry's receipt verified, but another part of the "
        "bundle failed its check; it is listed below and changes nothing on this page."
    ),
    Verdict.REJECTED: message("Not published."),
}


def describe_record(known: KnownRecord, *, configuration: Configuration) -> RecordPage:
    """Say everything a record page says, but for `cite` and `self_check`.

    Args:
        known: what is known of the record.
        configuration: the mirror's; gives base URL and the registry to link to.

    Returns:
        The page's values; texts are decoded and made visible, never yet escaped.
    """
    state, facts = known.state, known.paper
    record, suffix = state.record, state.pith_number.suffix
    limits, base_url, names = DEFAULT_LIMITS, configuration.base_url, _names(facts)
    table, checks = event_table(known), shown_checks(known.checks)
    withdrawals, statements = record_withdrawals(known, table), describe_statements(known, table)
    return RecordPage(
        pith_number=str(state.pith_number),
        short_pith_number=state.pith_number.short,
        suffix=suffix,
        verdict=known.verdict,
        verdict_text=_VERDICT_TEXT[known.verdict],
        title=_fact(facts.title, limits.shown_title_max_length),
        title_missing=facts.title_missing,
        authors=_fact(facts.authors, limits.shown_authors_max_length),
        authors_list=author_links(names),
        author_count=len(names),
        abstract=_fact(facts.abstract, limits.shown_abstract_max_length),
        source_line=_source_line(record.source),
        arxiv_id=record.source.id,
        submitted_on=Fact(record.submitted_at.date, HowKnown.PROVEN),
        year=state.pith_number.year,
        categories=tuple(map(_category, (record.primary_category, *record.cross_categories))),
        license=Fact(record.license or message("none stated"), HowKnown.PROVEN),
        license_url=record.license if is_plain_url(record.license) else "",
        chips=status_chips(known, withdrawn=bool(withdrawals)),
        links=_written(_links(state), configuration),
        latex=snippets.latex_snippet(suffix),
        badge_width=_badge_width(known, configuration),
        badge_snippets=snippets.badge_snippets(suffix, str(state.pith_number), base_url=base_url),
        completeness=completeness_rows(known, configuration, statements),
        bundle_note=bundle_note(state),
        withdrawals=withdrawals,
        statements=statements,
        citations=describe_citations(known, table),
        receipt=_receipt(state, facts),
        canonical_sha256=str(record.digest),
        aliases=_aliases(state, configuration),
        api=_written(_api(state, facts), configuration),
        verify_command=_verify_command(state, configuration),
        canonical_record=json.dumps(record.json, indent=2, sort_keys=True),
        check_counts=_check_counts(known),
        checks=checks,
        checks_left_out=len(known.checks) - len(checks),
        events=table.rows,
        events_left_out=table.left_out,
        timeline=draw_timeline(state),
        equivocations=equivocation_rows(state, table),
        head=record_head(known, configuration),
    )


def list_record(known: KnownRecord) -> ListedRecord:
    """Say what a listing says of a record.

    Args:
        known: what is known of the record.

    Returns:
        The row; its title is proven or empty.
    """
    state, facts, limits = known.state, known.paper, DEFAULT_LIMITS
    title = _fact(facts.title, limits.listed_title_max_length)
    names = _names(facts)
    return ListedRecord(
        suffix=state.pith_number.suffix,
        pith_number=str(state.pith_number),
        title=title.text if title else "",
        submitted_on=state.record.submitted_at.date,
        source=state.record.source.versioned_id,
        category=state.record.primary_category,
        verdict=known.verdict,
        authors=tuple(shorten_name(name) for name in names[: limits.listed_names_max_count]),
        author_count=len(names),
        warnings=known.warnings,
        received_on=state.receipt.signed_at.date,
    )


def author_links(names: Sequence[str]) -> tuple[Link, ...]:
    """Link the first authors of a record to the listings of the records that name them.

    Args:
        names: as `split_authors` gives them.

    Returns:
        A link each, in order, as many as a page may hold. No name is more than somebody's word.
    """
    return tuple(
        Link(shorten_name(name), layout.listing_page(layout.author_folder(name), None))
        for name in names[: DEFAULT_LIMITS.linked_authors_max_count]
    )


def _category(category: str) -> Link:
    return Link(category, layout.listing_page(layout.category_folder(category), None))


def _source_line(source: Source) -> Fact:
    return Fact(f"{source.kind}:{source.id} v{source.version}", HowKnown.PROVEN)


def _names(facts: PaperFacts) -> tuple[str, ...]:
    return split_authors(facts.authors.raw) if facts.authors else ()


def _badge_width(known: KnownRecord, configuration: Configuration) -> int:
    warnings, example = known.warnings, configuration.example_registry
    badge = badge_of(known.suffix, known.verdict, warnings=warnings, example=example)
    return badge.total_width


def _check_counts(known: KnownRecord) -> tuple[tuple[str, int], ...]:
    outcomes = [check.outcome for check in known.checks]
    order = (Outcome.VERIFIED, Outcome.NOT_CHECKABLE, Outcome.FAILED)
    return tuple((outcome.value, outcomes.count(outcome)) for outcome in order)


def _fact(text: KnownText | None, limit: int) -> Fact | None:
    return None if text is None else Fact(shown_text(text.raw, limit=limit), text.known, text.note)


def _links(state: RecordState) -> tuple[Link, ...]:
    suffix = state.pith_number.suffix
    return (
        Link(
            message("Open paper page"),
            f"{_ARXIV_ABSTRACT}{state.record.source.versioned_id}",
            external=True,
        ),
        Link(message("JSON"), layout.resolver(suffix)),
        Link(message("Open Graph Bundle"), layout.record_file(suffix, "bundle.json")),
        Link(message("Merged state"), layout.record_file(suffix, "state.json")),
        Link(message("Verification badge"), layout.record_file(suffix, "badge.svg")),
        Link(message("What is a Pith Number?"), f"{layout.ABOUT}#pith-number"),
    )


def _api(state: RecordState, facts: PaperFacts) -> tuple[Link, ...]:
    suffix = state.pith_number.suffix
    graph = (
        (Link(message("Graph JSON"), layout.record_file(suffix, "graph.json")),)
        if facts.snapshot
        else ()
    )
    return (
        Link(message("Resolver JSON"), layout.resolver(suffix)),
        *graph,
        Link(message("Events JSON"), layout.record_file(suffix, "events.json")),
        Link(message("Schema"), layout.schema("pith-number/v1.json")),
        Link(message("Signing key"), layout.SIGNING_KEY),
    )


def _receipt(state: RecordState, facts: PaperFacts) -> tuple[tuple[str, Fact], ...]:
    builder = facts.snapshot.json.get("builder_version") if facts.snapshot else None
    word = (
        HowKnown.REPORTED
        if facts.judged and facts.judged.outcome is Outcome.VERIFIED
        else HowKnown.CARRIED
    )
    limit = DEFAULT_LIMITS.token_max_length
    return (
        (
            message("First computed"),
            Fact(
                str(state.receipt.signed_at),
                HowKnown.REPORTED,
                message("the receipt's signature covers the canonical digest, not this time"),
            ),
        ),
        *(
            ((message("Builder"), Fact(shown_text(builder, limit=limit), word)),)
            if isinstance(builder, str) and builder
            else ()
        ),
        (
            message("Signature"),
            Fact(message("Ed25519 by {key_id}", key_id=state.receipt.key_id), HowKnown.PROVEN),
        ),
        (message("Schema"), Fact("pith-number/v1.0", HowKnown.PROVEN)),
    )


def _aliases(state: RecordState, configuration: Configuration) -> tuple[AliasRow, ...]:
    pages = [layout.alias_page(alias.kind, alias.value) for alias in state.aliases]
    return tuple(
        AliasRow(alias.kind, alias.value, path if is_written(path, configuration) else "")
        for alias, path in zip(state.aliases, pages, strict=True)
    )


def _written(links: tuple[Link, ...], configuration: Configuration) -> tuple[Link, ...]:
    return tuple(link for link in links if link.external or is_written(link.href, configuration))


def _verify_command(state: RecordState, configuration: Configuration) -> str:
    suffix, digest = state.pith_number.suffix, str(state.record.digest)
    source = layout.resolver(suffix)  # as on the registry's page, and smaller than the bundle
    if not is_written(source, configuration):
        source = layout.record_file(suffix, "bundle.json")
    return snippets.verify_command(source, digest, base_url=configuration.base_url)

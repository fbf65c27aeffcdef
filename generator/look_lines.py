"""What `pith-mirror inspect` prints: a record as lines for a terminal. Pure.

Every fact says how it is known, as on the record's page, and no check that did not run looks as if
it had.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator import layout
from generator.citations import outgoing_links
from generator.config import Configuration
from generator.display import shown_text
from generator.event_table import standing_words
from generator.event_words import event_words
from generator.facts import KnownRecord, KnownText
from generator.formats.canonical import JsonValue
from generator.formats.checks import Check, Outcome, Verdict
from generator.formats.record import SOURCE_KIND
from generator.limits import DEFAULT_LIMITS
from generator.look import Inspection
from generator.profiles import is_written
from generator.standing import Standing
from generator.state import state_json
from generator.terminal import Line, Tone
from generator.timestamps import AnchoredTimestamp
from generator.verify_events import JudgedEvent

_BLANK = Line("")
_COLUMN = 14  # cells: a label, and 64 hex digits beside it in 80 cells
_TONES = {
    Outcome.VERIFIED: Tone.GOOD,
    Outcome.FAILED: Tone.BAD,
    Outcome.NOT_CHECKABLE: Tone.UNSURE,
}
_VERDICT_TONES = {
    Verdict.VERIFIED: Tone.GOOD,
    Verdict.PARTLY: Tone.UNSURE,
    Verdict.DISPUTED: Tone.BAD,
    Verdict.REJECTED: Tone.BAD,
}


def inspection_lines(
    inspection: Inspection, configuration: Configuration, *, site: str
) -> Iterator[Line]:
    """Say everything about a record, or what is wrong with a bundle that is not published.

    Args:
        inspection: of one record.
        configuration: the mirror's; gives addresses to link to.
        site: the folder of the built site with a final slash, or empty.

    Yields:
        Lines in the order in which they are shown.
    """
    report, known = inspection.report, inspection.known
    number = "no Pith Number" if report.pith_number is None else str(report.pith_number)
    yield Line(number, tone=Tone.HEADING)
    yield Line(report.verdict.value, tone=_VERDICT_TONES[report.verdict])
    for word in known.warnings if known is not None else ():
        yield Line(f"{word}, see the events", tone=Tone.BAD)
    for origin in inspection.origins:
        yield _row("from", origin)
    for origin in inspection.rejected:
        yield _row("rejected", origin, tone=Tone.BAD)
    if known is not None:
        yield from _numbers(known)
        yield from _paper(known)
    yield from _checks(report.checks)
    if known is not None:
        yield from _timeline(known)
        yield from _timestamps(known)
        yield from _citations(known)
        yield from _links(known, configuration, site)


def match_lines(inspection: Inspection) -> Iterator[Line]:
    """Name a record in a list of several.

    Args:
        inspection: of one record.

    Yields:
        Number and verdict, then what it is about.
    """
    report, known = inspection.report, inspection.known
    number = inspection.origins[0] if report.pith_number is None else str(report.pith_number)
    yield Line(f"{number}: {report.verdict.value}", tone=_VERDICT_TONES[report.verdict])
    if known is not None:
        title = known.paper.title
        about = known.state.record.source.versioned_id
        if title is not None:
            about += f": {shown_text(title.raw, limit=DEFAULT_LIMITS.listed_title_max_length)}"
        yield Line(about, indent=2)


def _heading(text: str) -> Iterator[Line]:
    yield _BLANK
    yield Line(text, tone=Tone.HEADING)


def _row(label: str, text: str, *, tone: Tone = Tone.PLAIN) -> Line:
    return Line(text, label=label, indent=2, column=_COLUMN, tone=tone)


def _numbers(known: KnownRecord) -> Iterator[Line]:
    state = known.state
    yield from _heading("Numbers")
    yield _row("Pith Number", str(state.pith_number))
    yield _row("short forms", ", ".join(state.pith_number.suffix[:n] for n in (8, 12, 16)))
    yield _row("record", str(state.record.digest))
    yield _row("state", _text(state_json(state)["state_sha256"]))
    for alias in state.aliases:
        if not alias.kind.startswith("pith_short_"):
            yield _row(alias.kind, alias.value)


def _paper(known: KnownRecord) -> Iterator[Line]:
    record, facts, limits = known.state.record, known.paper, DEFAULT_LIMITS
    yield from _heading("Paper")
    if facts.title is None:
        yield _row("title", facts.title_missing, tone=Tone.UNSURE)
    else:
        yield _known("title", facts.title, limits.shown_title_max_length)
    if facts.authors is not None:
        yield _known("authors", facts.authors, limits.shown_authors_max_length)
    if facts.abstract is not None:
        yield _known("abstract", facts.abstract, limits.shown_abstract_max_length)
    source = record.source
    yield _row("source", f"{source.kind} {source.versioned_id} [proven]")
    categories = ", ".join((record.primary_category, *record.cross_categories))
    yield _row("categories", f"{categories} [proven]")
    yield _row("submitted", f"{record.submitted_at} [proven]")
    yield _row("licence", f"{record.license or 'none stated'} [proven]")
    receipt = known.state.receipt
    yield _row(
        "receipt", f"Ed25519 by {receipt.key_id} [proven], at {receipt.signed_at} [reported]"
    )


def _known(label: str, text: KnownText, limit: int) -> Line:
    note = f"; {text.note}" if text.note else ""
    return _row(label, f"{shown_text(text.raw, limit=limit)} [{text.known.value}{note}]")


def _checks(checks: tuple[Check, ...]) -> Iterator[Line]:
    counts = (
        f"{sum(1 for check in checks if check.outcome is outcome)} {outcome.value}"
        for outcome in Outcome
    )
    yield from _heading("Checks")
    yield Line(", ".join(counts), indent=2)
    for outcome in (Outcome.FAILED, Outcome.NOT_CHECKABLE):
        for check in checks:
            if check.outcome is outcome:
                note = f" ({check.note})" if check.note else ""
                text = (
                    f"{outcome.value}: {check.name}, {check.subject}: expected {check.expected}, "
                    f"found {check.found}{note}"
                )
                yield _row(check.step, text, tone=_TONES[outcome])


def _timeline(known: KnownRecord) -> Iterator[Line]:
    state = known.state
    yield from _heading("Events")
    for number, event in enumerate(state.events, start=1):
        kind = shown_text(event.event_type, limit=DEFAULT_LIMITS.token_max_length) or "(none)"
        when = str(event.created_at if event.created_at and event.vouches else "no time given")
        yield _row(f"{number}", f"{when}, {kind}{_signer(event)}")
        standing = f"{event.outcome.value}: {standing_words(state, event)}"
        counts = state.standing(event) is Standing.COUNTS
        good = counts or event.outcome is not Outcome.VERIFIED
        yield _row("", standing, tone=_TONES[event.outcome] if good else Tone.PLAIN)
        if words := event_words(event):
            yield _row("", words)
        # By this name other events speak of it.
        yield Line(event.identity, indent=4)
    for group in state.equivocations:
        text = (
            f"{group.signer_id} signed {len(group.identities)} different {group.event_type} "
            f"events for {group.target} at {group.created_at}: {', '.join(group.identities)}"
        )
        yield _row("contradiction", text, tone=Tone.BAD)


def _signer(event: JudgedEvent) -> str:
    if event.signer is not None and event.vouches:
        return f", by {event.signer.signer_id} with {event.signer.key_id}"
    return f", with {event.integrity.key_id}" if event.integrity is not None else ""


def _timestamps(known: KnownRecord) -> Iterator[Line]:
    if known.timestamps:
        yield from _heading("Timestamps")
    for timestamp in known.timestamps:
        yield from _timestamp(timestamp)


def _timestamp(timestamp: AnchoredTimestamp) -> Iterator[Line]:
    for height, check in timestamp.bitcoin:
        finding = check.finding
        text = f"{finding.outcome.value}: {finding.note or finding.found}"
        if check.block_time is not None:
            text += f", block of {check.block_time}"
        yield _row(f"block {height}", text, tone=_TONES[finding.outcome])
    for calendar in timestamp.pending:
        yield _row("waiting", f"not checkable: promised by {calendar}", tone=Tone.UNSURE)


def _citations(known: KnownRecord) -> Iterator[Line]:
    links = outgoing_links(known.state)
    if links:
        yield from _heading("Cites (the signer's word)")
    for link in links:
        note = f": {link.note}" if link.note else ""
        text = f"{link.work} ({link.via.value} event by {link.signer_id}){note}"
        yield _row(link.relation, text)


def _links(known: KnownRecord, configuration: Configuration, site: str) -> Iterator[Line]:
    suffix, source = known.suffix, known.state.record.source
    yield from _heading("Links")
    if source.kind == SOURCE_KIND:
        yield _row("paper", f"https://arxiv.org/abs/{source.versioned_id}")
    for upstream in configuration.upstreams:
        yield _row("registry", f"{upstream.base_url}pith/{suffix}")
    for root in filter(None, (configuration.base_url, site)):
        yield _row("page", f"{root}{layout.record_page(suffix)}")
        for name in ("bundle.json", "state.json", "events.json"):
            path = layout.record_file(suffix, name)
            if is_written(path, configuration):
                yield _row(name.removesuffix(".json"), f"{root}{path}")


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""

"""One record as a unit of work: verified bundles → every file of that record. Pure.

Load, verify, merge and render of a record depend on its bytes, the trust configuration and the
templates alone (design, The flow); so a build is the same work in one process or in many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generator import layout
from generator.badge import badge_of
from generator.catalogued import CataloguedRecord, catalogue_record
from generator.citation_export import citation_files, citation_texts
from generator.citations import OutgoingLink, RecordLinks, outgoing_links
from generator.config import Configuration, Profile
from generator.describe import describe_record, list_record
from generator.documents import events_json, resolver_json
from generator.facts import KnownRecord, paper_facts
from generator.formats.bundle import Bundle, unite_bundles
from generator.formats.canonical import JsonObject, canonical_json, compact_json
from generator.formats.checks import Outcome, Verdict
from generator.formats.instant import Instant
from generator.formats.raw import RawBundle
from generator.formats.record import CanonicalRecord
from generator.limits import DEFAULT_LIMITS
from generator.linkset import LINKSET, linkset_json
from generator.listing_pages import ListedRecord
from generator.merge import check_claimed_state, merge_bundles
from generator.preview import record_preview
from generator.render import Renderer, SiteFile, json_block, json_file
from generator.self_check import self_check, without_bundle
from generator.state import state_json
from generator.timestamps import check_timestamps
from generator.verify import BundleReport, VerifiedBundle, check_bundle

PAGE_TEMPLATE, BADGE_TEMPLATE = "record.html", "badge.svg"
# All that make files of records, and those of them that name a record's neighbours.
RECORD_TEMPLATES = frozenset((PAGE_TEMPLATE, BADGE_TEMPLATE))
LINKED_TEMPLATES = frozenset((PAGE_TEMPLATE,))


@dataclass(frozen=True, slots=True)
class RecordUnit:
    """What one record contributes to the site; `newest` is the latest time signed in it.

    `cites` are its own links; who cites it is not known before all records are.
    """

    record: CanonicalRecord
    listed: ListedRecord
    files: tuple[SiteFile, ...]
    newest: Instant
    cites: tuple[OutgoingLink, ...]
    catalogued: CataloguedRecord


def check_raw_bundle(raw: RawBundle, configuration: Configuration) -> BundleReport:
    """Make every check on a bundle, V1 to V11.

    Args:
        raw: the bundle.
        configuration: gives the trusted keys and the policy on events that cannot be checked.

    Returns:
        Its report.
    """
    report = check_bundle(raw, configuration.trust)
    bundle = report.verified
    if bundle is None or bundle.bundle.claimed_state is None:
        return report
    # V11 needs the merged state, so it is made here and not in `verify`.
    state = merge_bundles([bundle], policy=configuration.policy)
    return report.with_checks(check_claimed_state(bundle, state, state_json(state)))


def published_bundle(reports: Sequence[BundleReport]) -> RawBundle:
    """Choose or make the bytes that the mirror serves for a record found in several bundles.

    Bytes received are served wherever one bundle holds every event of the others; only where none
    does is the union spelled anew (protocol part 8). Of a copy in which a check failed only the
    verified events are taken where there are sound ones: its failure belongs in the report, not on
    the record's page and badge, and yet it cannot silence an event that it alone holds.

    Args:
        reports: of the record's admitted bundles, in any order.

    Returns:
        The bundle to serve; which one is chosen does not depend on the order.
    """
    sound = [report for report in reports if report.verdict is not Verdict.DISPUTED] or reports
    parts = [(report, _offered(report, whole=report in sound)) for report in reports]
    sets = [frozenset(map(canonical_json, bundle.events)) for _, bundle in parts]
    union = frozenset().union(*sets)
    whole = [
        report.verified.raw
        for (report, _), events in zip(parts, sets, strict=True)
        if events == union and report in sound and report.verified is not None
    ]
    if whole:
        return min(whole, key=lambda raw: (raw.data, raw.origin))
    origin = " + ".join(sorted(report.origin for report in reports))
    return RawBundle(origin, unite_bundles(bundle for _, bundle in parts))


def _offered(report: BundleReport, *, whole: bool) -> Bundle:
    verified = served_bundle(report)
    if whole:
        return verified.bundle
    events = (event.json for event in verified.events if event.outcome is Outcome.VERIFIED)
    return replace(verified.bundle, events=tuple(events))


def report_served(reports: Sequence[BundleReport], configuration: Configuration) -> BundleReport:
    """Give the report on the bundle that the mirror serves for a record.

    A page speaks of the bundle that is served, so the checks it shows are those of exactly that
    one.

    Args:
        reports: the reports of the record's admitted bundles, one or more.
        configuration: the mirror's.

    Returns:
        One of the reports, or that of the union; if the union is over a bound, the report of the
        part with the most verified events, so that no copy of a record can unpublish it.

    Raises:
        ValueError: a report of a rejected bundle is among them: the caller's mistake.
    """
    bundles = [report.verified for report in reports if report.verified is not None]
    if not bundles or len(bundles) != len(reports):
        raise ValueError("report_served takes admitted bundles, one or more")
    raw = published_bundle(reports)
    for report in reports:
        if report.verified is not None and report.verified.raw == raw:
            return report
    united = check_raw_bundle(raw, configuration)
    if united.verified is not None:
        return united
    # Anyone can blow up a union with unsigned events until it is over a bound. Then the part with
    # the most verified events is served.
    return min(reports, key=_least_verified)


def _least_verified(report: BundleReport) -> tuple[int, bytes]:
    return -verified_events(report), report.verified.raw.data if report.verified else b""


def verified_events(report: BundleReport) -> int:
    """Count the verified events of a bundle; a rejected one has none."""
    events = report.verified.events if report.verified else ()
    return sum(1 for event in events if event.outcome is Outcome.VERIFIED)


def known_record(report: BundleReport, configuration: Configuration) -> KnownRecord:
    """Gather what is known of a record.

    Args:
        report: of the bundle that is served, V1 to V11.
        configuration: the mirror's.

    Returns:
        What pages, files and the terminal show.

    Raises:
        ValueError: the report is of a rejected bundle: the caller's mistake.
    """
    state = merge_bundles([served_bundle(report)], policy=configuration.policy)
    return KnownRecord(
        state=state,
        paper=paper_facts(state),
        timestamps=check_timestamps(state, configuration.block_headers),
        checks=report.checks,
        verdict=report.verdict,
        cites=outgoing_links(state),
    )


def served_bundle(report: BundleReport) -> VerifiedBundle:
    """Give the admitted bundle of a report.

    Args:
        report: of the bundle that is served.

    Returns:
        Its verified bundle.

    Raises:
        ValueError: the report is of a rejected bundle: the caller's mistake.
    """
    if report.verified is None:
        raise ValueError("a record is known only from an admitted bundle")
    return report.verified


def build_record(
    report: BundleReport, *, configuration: Configuration, renderer: Renderer
) -> RecordUnit:
    """Make every file of one record.

    Args:
        report: of the bundle that is served, V1 to V11.
        configuration: the mirror's.
        renderer: the loaded templates.

    Returns:
        The record's contribution to the site.

    Raises:
        RenderError: a template failed.
        ValueError: the report is of a rejected bundle: the caller's mistake.
    """
    known = known_record(report, configuration)
    parts = _parts(known, report, configuration)
    raw, state, suffix = parts.served.raw, known.state, known.suffix
    files = [
        *_linked_files(parts, configuration, renderer),
        SiteFile(layout.record_file(suffix, "bundle.json"), raw.data),
        _badge(known, configuration, renderer),
        *record_preview(known, configuration),
    ]
    if configuration.presentation.profile is Profile.FULL:
        files += _derived_files(parts, configuration)
    # Only what is signed, or held by its key's window, may move the site's clock: anything else
    # can claim any year.
    signed = (event for event in state.events if event.signed or event.integrity is not None)
    times = [e.created_at for e in signed if e.created_at and e.outcome is Outcome.VERIFIED]
    newest = max((state.receipt.signed_at, *times))
    return RecordUnit(
        record=state.record,
        listed=list_record(known),
        files=tuple(files),
        newest=newest,
        cites=known.cites,
        catalogued=catalogue_record(known, raw=raw, newest=newest),
    )


@dataclass(frozen=True, slots=True)
class _Parts:
    """What several files of one record are made from, made once."""

    known: KnownRecord
    served: VerifiedBundle
    state: JsonObject  # state.json
    citations: tuple[tuple[str, str], ...]  # name and text of the citation files


def _parts(known: KnownRecord, report: BundleReport, configuration: Configuration) -> _Parts:
    citations = citation_files(known, example=configuration.example_registry)
    return _Parts(known, served_bundle(report), state_json(known.state), citations)


def _derived_files(parts: _Parts, configuration: Configuration) -> Iterator[SiteFile]:
    """Make what anyone can compute from the bundle, and second copies (see `profiles`)."""
    known, suffix, snapshot = parts.known, parts.known.suffix, parts.known.paper.snapshot
    yield SiteFile(layout.well_known_bundle(suffix), parts.served.raw.data)
    yield json_file(layout.record_file(suffix, "state.json"), parts.state)
    yield json_file(layout.record_file(suffix, "events.json"), events_json(known.state))
    if snapshot:
        graph = compact_json(snapshot.json)
        yield SiteFile(layout.record_file(suffix, "graph.json"), graph)
        yield SiteFile(layout.api_graph(suffix), graph)
    for name, text in parts.citations:
        yield SiteFile(layout.record_file(suffix, name), text.encode())
    yield json_file(layout.record_file(suffix, LINKSET), linkset_json(known, configuration))


def link_record(
    report: BundleReport,
    links: RecordLinks,
    templates: frozenset[str],
    *,
    configuration: Configuration,
    renderer: Renderer,
) -> tuple[SiteFile, ...]:
    """Make the files of a record that some templates make, once all records are known.

    Args:
        report: of the bundle that is served.
        links: of the record inside this mirror.
        templates: their names, of those in `RECORD_TEMPLATES`.
        configuration: the mirror's.
        renderer: the loaded templates.

    Returns:
        Its page and, where the profile has one, its resolver record, which names its neighbours
        too; its badge.

    Raises:
        RenderError: a template failed.
        ValueError: the report is of a rejected bundle: the caller's mistake.
    """
    known = replace(known_record(report, configuration), links=links)
    files: list[SiteFile] = []
    if PAGE_TEMPLATE in templates:
        files += _linked_files(_parts(known, report, configuration), configuration, renderer)
    if BADGE_TEMPLATE in templates:
        files.append(_badge(known, configuration, renderer))
    return tuple(files)


def _badge(known: KnownRecord, configuration: Configuration, renderer: Renderer) -> SiteFile:
    example = configuration.example_registry
    badge = badge_of(known.suffix, known.verdict, warnings=known.warnings, example=example)
    return renderer.page(BADGE_TEMPLATE, layout.record_file(known.suffix, "badge.svg"), badge)


def _linked_files(
    parts: _Parts, configuration: Configuration, renderer: Renderer
) -> tuple[SiteFile, ...]:
    page, known = _record_page(parts, configuration, renderer), parts.known
    if configuration.presentation.profile is Profile.COMPACT:
        return (page,)
    return (page, json_file(layout.resolver(known.suffix), resolver_json(known)))


_PAGE_LENGTH = DEFAULT_LIMITS.record_page_max_length
# Whether the page has room for the bundle is known only from its length, and rendering is the most
# expensive step of a record. With more bytes of bundle than this it probably has none, so the page
# without is tried first; a wrong guess costs a second rendering and changes no page.
_LIKELY_LENGTH = 4_500


def _record_page(parts: _Parts, configuration: Configuration, renderer: Renderer) -> SiteFile:
    known, served = parts.known, parts.served
    path, check = layout.record_page(known.suffix), self_check(served, parts.state, configuration)
    page = replace(
        describe_record(known, configuration=configuration),
        cite=citation_texts(parts.citations),
        self_check=check,
    )
    if check.bundle is None:
        return renderer.page(PAGE_TEMPLATE, path, page)
    bare_check = without_bundle(check, served)
    bare = replace(page, self_check=bare_check)
    if len(served.raw.data) > _LIKELY_LENGTH:
        file = renderer.page(PAGE_TEMPLATE, path, bare)
        # The page with the bundle is longer by more than this: it needs no receipt of its own.
        added = len(json_block(check.bundle)) - len(json_block(bare_check.receipt))
        if len(file.data) + added >= _PAGE_LENGTH:
            return file
    file = renderer.page(PAGE_TEMPLATE, path, page)
    return file if len(file.data) < _PAGE_LENGTH else renderer.page(PAGE_TEMPLATE, path, bare)


def badge_file(
    suffix: str, verdict: Verdict, renderer: Renderer, *, example: bool = False
) -> SiteFile:
    """Draw the badge of a record that is not published, or of any by its verdict alone.

    Args:
        suffix: the record's id, computed here.
        verdict: this mirror's verdict.
        renderer: the loaded templates.
        example: whether this is an example registry, which the badge then says.

    Returns:
        `badge.svg`.

    Raises:
        RenderError: the template failed.
    """
    path = layout.record_file(suffix, "badge.svg")
    return renderer.page(BADGE_TEMPLATE, path, badge_of(suffix, verdict, example=example))

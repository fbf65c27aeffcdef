"""Look: bundles of one record or several → what `pith-mirror inspect` shows of them. Pure.

Bundles are found by what their record says, then verified and united as in a build, so the terminal
says of a record what its page says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from generator.config import Configuration
from generator.documents import events_json, resolver_json
from generator.facts import KnownRecord
from generator.formats.bundle import shape_of
from generator.formats.canonical import JsonObject
from generator.formats.checks import Verdict
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS
from generator.load import Loaded
from generator.lookup import Identifier
from generator.record_files import check_raw_bundle, known_record, report_served
from generator.state import state_json
from generator.verify import BundleReport, report_unreadable

INSPECTION_TYPE = "pith_mirror_inspection"
VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to. `left_out` bundles matched too, but were over the bound on memory."""

    reports: tuple[BundleReport, ...]
    left_out: int
    unreadable: int


@dataclass(frozen=True, slots=True)
class Inspection:
    """A record, or a bundle that is none: `known` is None where nothing is published."""

    report: BundleReport
    origins: tuple[str, ...]
    rejected: tuple[str, ...]  # origins of other bundles of the record, which were rejected
    known: KnownRecord | None

    @property
    def faulty(self) -> bool:
        """Whether the bundle was rejected or a check in it failed."""
        return self.report.verdict in {Verdict.REJECTED, Verdict.DISPUTED}


def search(
    loaded: Iterable[Loaded], identifier: Identifier | None, configuration: Configuration
) -> Found:
    """Find and check the bundles of the records that an identifier names.

    Args:
        loaded: bundles, one at a time; only those that match are kept.
        identifier: what to look for; None takes everything, also what cannot be read.
        configuration: the mirror's.

    Returns:
        The reports of what matched, in the order of loading.
    """
    reports: list[BundleReport] = []
    left_out = unreadable = 0
    room = DEFAULT_LIMITS.united_max_length
    for item in loaded:
        report = _report(item, identifier, configuration)
        if not isinstance(item, RawBundle):
            unreadable += 1
        elif report is not None:
            room -= len(item.data)
        if report is not None and reports and room < 0:
            left_out += 1
        elif report is not None:
            reports.append(report)
    return Found(tuple(reports), left_out, unreadable)


def inspections(
    reports: Sequence[BundleReport], configuration: Configuration
) -> tuple[Inspection, ...]:
    """Group reports by record, and unite the bundles of each as a build does.

    Args:
        reports: from `search`.
        configuration: the mirror's.

    Returns:
        One for each record, by Pith Number, then one for each bundle that names no record.
    """
    groups: dict[str, list[BundleReport]] = {}
    nameless: list[BundleReport] = []
    for report in reports:
        if report.pith_number is None:
            nameless.append(report)
        else:
            groups.setdefault(str(report.pith_number), []).append(report)
    return (
        *(_inspection(groups[name], configuration) for name in sorted(groups)),
        *(Inspection(report, (report.origin,), (), None) for report in nameless),
    )


def inspection_json(inspection: Inspection) -> JsonObject:
    """Spell an inspection for `inspect --json`.

    Args:
        inspection: of a record, or of a rejected bundle.

    Returns:
        The object; what only an admitted record has is null for a rejected bundle.
    """
    report, known = inspection.report, inspection.known
    return {
        "inspection_type": INSPECTION_TYPE,
        "inspection_version": VERSION,
        "pith_number": None if report.pith_number is None else str(report.pith_number),
        "verdict": report.verdict.value,
        "origins": list(inspection.origins),
        "rejected_origins": list(inspection.rejected),
        "sha256": None if report.digest is None else str(report.digest),
        "checks": [check.as_json() for check in report.checks],
        "record": None if known is None else resolver_json(known),
        "state": None if known is None else state_json(known.state),
        "events": None if known is None else events_json(known.state)["events"],
    }


def _report(
    item: Loaded, identifier: Identifier | None, configuration: Configuration
) -> BundleReport | None:
    """Check a bundle if it is of a record that is looked for."""
    if not isinstance(item, RawBundle):
        return report_unreadable(item.origin, item.error) if identifier is None else None
    if identifier is None:
        return check_raw_bundle(item, configuration)
    # Most bundles of a folder are others; so much is read of each as tells which record it holds.
    bundle = shape_of(item)
    if bundle is None:
        return None
    if identifier.names(bundle.record):
        return check_raw_bundle(item, configuration)
    if not identifier.may_be_added(bundle):
        return None
    report = check_raw_bundle(item, configuration)
    added = report.verified and identifier.is_added(known_record(report, configuration).state)
    return report if added else None


def _inspection(reports: Sequence[BundleReport], configuration: Configuration) -> Inspection:
    admitted = [report for report in reports if report.verified is not None]
    rejected = tuple(report.origin for report in reports if report.verified is None)
    if not admitted:
        return Inspection(reports[0], (reports[0].origin,), rejected[1:], None)
    served = report_served(admitted, configuration)
    origins = tuple(report.origin for report in admitted)
    return Inspection(served, origins, rejected, known_record(served, configuration))

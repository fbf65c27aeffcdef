"""Union: bundles of one record from several mirrors → one bundle that holds every event. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.config import Configuration
from generator.errors import InputError, RejectedError
from generator.formats.checks import Outcome, Verdict
from generator.formats.identifiers import PithNumber
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS, shorten
from generator.merge import merge_bundles
from generator.record_files import check_raw_bundle, known_record, published_bundle
from generator.state import state_json
from generator.verify import BundleReport, VerifiedBundle


@dataclass(frozen=True, slots=True)
class Union:
    """The bytes of a united bundle; `parts` gives each part's origin and number of distinct events.

    `as_received` names the part whose bytes they are, or is empty where they had to be spelled
    anew.
    """

    data: bytes
    pith_number: PithNumber
    verdict: Verdict
    parts: tuple[tuple[str, int], ...]
    event_count: int
    as_received: str
    state_sha256: str


def unite(raws: Sequence[RawBundle], configuration: Configuration) -> Union:
    """Verify bundles and unite them, byte for byte as a build would serve their record.

    Args:
        raws: one or more, in any order.
        configuration: the mirror's.

    Returns:
        The union, verified like any bundle.

    Raises:
        RejectedError: one of them is rejected, or the union is over a bound.
        InputError: no bundle, bundles of several records, or more than memory is given to.
    """
    if not raws:
        raise InputError("merge", expected="one or more bundles", found="none")
    size, limit = sum(len(raw.data) for raw in raws), DEFAULT_LIMITS.united_max_length
    if size > limit:
        raise InputError("merge", expected=f"at most {limit} bytes", found=f"{size} bytes")
    reports = [admitted_report(raw, configuration) for raw in raws]
    bundles = [report.verified for report in reports if report.verified is not None]
    _require_one_record(bundles)
    chosen = published_bundle(reports)
    united = known_record(admitted_report(chosen, configuration), configuration)
    return Union(
        data=chosen.data,
        pith_number=united.state.pith_number,
        verdict=_weakest(reports, united.verdict),
        parts=tuple((b.raw.origin, _event_count(b, configuration)) for b in bundles),
        event_count=len(united.state.events),
        as_received=chosen.origin if chosen in raws else "",
        state_sha256=str(state_json(united.state)["state_sha256"]),
    )


def _weakest(reports: Sequence[BundleReport], united: Verdict) -> Verdict:
    # What failed in a part does not enter the union, and must be told all the same.
    disputed = any(report.verdict is Verdict.DISPUTED for report in reports)
    return Verdict.DISPUTED if disputed else united


def admitted_report(raw: RawBundle, configuration: Configuration) -> BundleReport:
    """Check a bundle that a command cannot do without.

    Args:
        raw: the bundle.
        configuration: the mirror's.

    Returns:
        Its report, with `verified` set.

    Raises:
        RejectedError: it is rejected; the message has the first check that did not verify.
    """
    report = check_raw_bundle(raw, configuration)
    if report.verified is None:
        failed = next(check for check in report.checks if check.outcome is not Outcome.VERIFIED)
        raise RejectedError(
            report.origin,
            expected=f"{failed.expected} ({failed.step}, {failed.name})",
            found=f"{failed.found}, so the bundle is rejected",
        )
    return report


def _require_one_record(bundles: Sequence[VerifiedBundle]) -> None:
    first = bundles[0]
    other = next((b for b in bundles if b.pith_number != first.pith_number), None)
    if other is not None:
        raise InputError(
            shorten(other.raw.origin, limit=400),
            expected=f"a bundle of {first.pith_number}, as {first.raw.origin}",
            found=f"one of {other.pith_number}",
        )


def _event_count(bundle: VerifiedBundle, configuration: Configuration) -> int:
    return len(merge_bundles([bundle], policy=configuration.policy).events)

"""The verification of a bundle, as the numbered list of `docs/formats/verification.md`.

V1   size and strict JSON
V2   bundle type and version
V3   schema: every field that is read has its type and spelling
V4   content address: the canonical record at the top and in `record_created` has the claimed digest
V5   suffix, year and short form follow from the record
V6   source and the six aliases follow from the record
V7   the receipt's signature by a pinned key, inside that key's window
V8   each event                                             (verify_events)
V9   the digests inside each snapshot                       (verify_snapshots)
V10  title and abstract are bound to the signed record      (verify_snapshots)
V11  a state the bundle claims equals the recomputed one    (merge: it needs the merged state)

V1 to V3 stop at the first failure, since nothing after them could be read; V4 to V7 all run and all
must verify, or the record is not published and V8 to V11 are not run. This module alone makes a
`VerifiedBundle`, and merge accepts nothing else: unverified data cannot reach a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from generator.errors import MirrorError
from generator.formats.bundle import BUNDLE_TYPE, BUNDLE_VERSION, Bundle, parse_bundle
from generator.formats.canonical import JsonObject, canonical_json, parse_json_object
from generator.formats.checks import Check, Outcome, Verdict, verdict_of
from generator.formats.digest import Digest, sha256
from generator.formats.fields import Fields
from generator.formats.identifiers import Alias, PithNumber, derive_aliases, is_arxiv_id
from generator.formats.keys import TrustedKeys
from generator.formats.raw import RawBundle
from generator.formats.receipt import Receipt
from generator.formats.record import SOURCE_KIND
from generator.limits import DEFAULT_LIMITS, Limits, shorten
from generator.verify_creation import RECEIPT_STEP, RECORD_STEP, check_creation, receipt_of
from generator.verify_events import JudgedEvent, judge_events
from generator.verify_snapshots import check_snapshots


@dataclass(frozen=True, slots=True)
class VerifiedBundle:
    """A bundle whose record, identifiers and receipt verified, with its judged events."""

    raw: RawBundle
    bundle: Bundle
    pith_number: PithNumber
    receipt: Receipt
    events: tuple[JudgedEvent, ...]


@dataclass(frozen=True, slots=True)
class BundleReport:
    """Every check of one bundle, in the order of the steps, and what came of it.

    `digest` is of the bytes received (None if they could not be read); `pith_number` is computed
    from the record wherever V3 verified, never taken from the bundle's own claim.
    """

    origin: str
    digest: Digest | None
    pith_number: PithNumber | None
    checks: tuple[Check, ...]
    verified: VerifiedBundle | None = None

    @property
    def verdict(self) -> Verdict:
        """What the mirror does with the bundle."""
        return verdict_of(self.checks)

    def with_checks(self, checks: tuple[Check, ...]) -> BundleReport:
        """Add checks that could only be made later (V11).

        Args:
            checks: further checks.

        Returns:
            A report with them at the end.
        """
        return replace(self, checks=self.checks + checks)


def check_bundle(
    raw: RawBundle, trust: TrustedKeys, *, limits: Limits = DEFAULT_LIMITS
) -> BundleReport:
    """Check one bundle, V1 to V10.

    Args:
        raw: the bytes as loaded.
        trust: the keys pinned in the mirror's configuration.
        limits: bounds on the bundle.

    Returns:
        The report; `verified` is set only if V1 to V7 verified.
    """
    digest = sha256(raw.data)
    try:
        bundle = _read_bundle(raw, limits)
    except _StepFailedError as failure:
        return BundleReport(raw.origin, digest, None, failure.checks)
    checks = [*_passed_reading(raw), *_check_address(bundle)]
    checks += [*_check_identifiers(bundle), *_check_source(bundle)]
    creation, creation_checks = _best_creation(bundle, trust)
    checks = sorted((*checks, *creation_checks), key=lambda check: int(check.step[1:]))
    pith_number = bundle.record.pith_number
    if creation is None or verdict_of(tuple(checks)) is Verdict.REJECTED:
        return BundleReport(raw.origin, digest, pith_number, tuple(checks))
    events = judge_events(bundle, trust, proven_creation=creation)
    checks += [event.check for event in events]
    checks += check_snapshots(bundle, events)
    verified = VerifiedBundle(raw, bundle, pith_number, receipt_of(creation), events)
    return BundleReport(raw.origin, digest, pith_number, tuple(checks), verified)


def report_unreadable(origin: str, error: MirrorError) -> BundleReport:
    """Report a file, archive or member that could not even be read (V1).

    Args:
        origin: what was read, as shown to people.
        error: why it could not be.

    Returns:
        A rejecting report.
    """
    check = Check(
        "V1", "size and strict JSON", error.subject, Outcome.FAILED, error.expected, error.found
    )
    return BundleReport(origin, None, None, (check,))


class _StepFailedError(Exception):
    """V1, V2 or V3 failed; carries the checks made so far."""

    def __init__(self, checks: tuple[Check, ...]) -> None:
        super().__init__(checks)
        self.checks = checks


_READING = (("V1", "size and strict JSON"), ("V2", "bundle type and version"), ("V3", "schema"))


def _passed_reading(raw: RawBundle, count: int = len(_READING)) -> tuple[Check, ...]:
    kind = f"{BUNDLE_TYPE} {BUNDLE_VERSION}"
    words = (
        ("strict JSON within the bounds", f"{len(raw.data)} bytes of strict JSON"),
        (kind, kind),
        ("every field of its type and spelling", "every field of its type and spelling"),
    )
    return tuple(
        Check(step, name, "bundle", Outcome.VERIFIED, *words[index])
        for index, (step, name) in enumerate(_READING[:count])
    )


def _read_bundle(raw: RawBundle, limits: Limits) -> Bundle:
    passed = 0
    try:
        value = parse_json_object(raw.data, subject="bundle", limits=limits)  # V1
        passed = 1
        _require_type(value)  # V2
        passed = 2
        return parse_bundle(value, limits=limits)  # V3
    except MirrorError as error:
        step, name = _READING[passed]
        failed = Check(step, name, error.subject, Outcome.FAILED, error.expected, error.found)
        raise _StepFailedError((*_passed_reading(raw, passed), failed)) from error


def _require_type(value: JsonObject) -> None:
    fields = Fields("", value)
    fields.constant("bundle_type", BUNDLE_TYPE)
    fields.constant("bundle_version", BUNDLE_VERSION)


def _check_address(bundle: Bundle) -> Iterator[Check]:
    yield _equal(
        RECORD_STEP,
        "content address",
        "canonical_sha256",
        expected=str(bundle.record.digest),
        found=str(bundle.canonical_sha256),
    )


def _check_identifiers(bundle: Bundle) -> Iterator[Check]:
    expected = bundle.record.pith_number
    # Split the claim as `pith:<YYYY>:<suffix>` and compare part by part, so that a report says
    # which.
    head, _, suffix = bundle.pith_number.rpartition(":")
    yield _equal("V5", "suffix", "pith_number", expected=expected.suffix, found=suffix)
    yield _equal("V5", "year", "pith_number", expected=f"pith:{expected.year:04}", found=head)
    yield _equal(
        "V5",
        "short form",
        "short_pith_number",
        expected=expected.short,
        found=bundle.short_pith_number,
    )


def _check_source(bundle: Bundle) -> Iterator[Check]:
    source = bundle.record.source
    yield _equal(
        "V6",
        "source",
        "source",
        expected=f"{source.kind} {source.versioned_id}",
        found=f"{bundle.source.kind} {bundle.source.versioned_id}",
    )
    if source.kind != SOURCE_KIND:
        yield Check(
            "V6",
            "aliases",
            "source_aliases",
            Outcome.NOT_CHECKABLE,
            f"source kind {SOURCE_KIND}",
            source.kind,
            "the alias rules of other sources are not known",
        )
    elif not is_arxiv_id(source.id):
        # The id becomes a path of the site and a link: nothing but the two known forms may pass.
        yield Check(
            "V6",
            "arXiv id",
            "canonical_record.source.id",
            Outcome.FAILED,
            "an arXiv id, YYMM.NNNNN or archive/YYMMNNN",
            repr(shorten(source.id)),
        )
    else:
        yield _check_aliases(bundle)


def _check_aliases(bundle: Bundle) -> Check:
    source = bundle.record.source
    expected = derive_aliases(
        source_id=source.id,
        version=source.version,
        suffix=bundle.record.pith_number.suffix,
    )
    found = tuple(Alias(alias.kind, alias.value) for alias in bundle.aliases)
    wrong = next(
        (
            index
            for index in range(max(len(expected), len(found)))
            if expected[index : index + 1] != found[index : index + 1]
        ),
        None,
    )
    if wrong is None:
        text = "the six aliases in the registry's order"
        return Check("V6", "aliases", "source_aliases", Outcome.VERIFIED, text, text)
    return Check(
        "V6",
        "aliases",
        f"source_aliases[{wrong}]",
        Outcome.FAILED,
        _alias_text(expected[wrong : wrong + 1]),
        _alias_text(found[wrong : wrong + 1]),
    )


def _alias_text(aliases: tuple[Alias, ...]) -> str:
    return "; ".join(f"{alias.kind}: {shorten(alias.value)}" for alias in aliases) or "nothing"


def _best_creation(
    bundle: Bundle, trust: TrustedKeys
) -> tuple[JsonObject | None, tuple[Check, ...]]:
    # Zero creations would let "all verify" pass on an empty list: absence is a failure of its own.
    if not bundle.creations:
        expected, found = "a record_created event", "none"
        return None, tuple(
            Check(step, name, "events", Outcome.FAILED, expected, found)
            for step, name in ((RECORD_STEP, "record_created"), (RECEIPT_STEP, "receipt signature"))
        )
    checked = [
        (event, check_creation(event, bundle.record.digest, trust)) for event in bundle.creations
    ]
    proven = [(event, checks) for event, checks in checked if _proves(checks)]
    if not proven:
        return None, checked[0][1]
    # The receipt's time is not signed: the smallest spelling decides, so that the union of two
    # bundles has the receipt that their merge has.
    return min(proven, key=lambda item: canonical_json(receipt_of(item[0]).json))


def _proves(checks: tuple[Check, ...]) -> bool:
    return {check.step for check in checks} == {RECORD_STEP, RECEIPT_STEP} and all(
        check.outcome is Outcome.VERIFIED for check in checks
    )


def _equal(step: str, name: str, subject: str, *, expected: str, found: str) -> Check:
    outcome = Outcome.VERIFIED if expected == found else Outcome.FAILED
    return Check(step, name, subject, outcome, expected, shorten(found))

"""One loaded thing → its report, its record's contribution, staged files: all a worker does.

What is given back is small and can leave a process; pages and bundles stay on the disk.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from generator import layout
from generator.citations import RecordLinks
from generator.config import Configuration
from generator.formats.raw import RawBundle
from generator.ledger import LedgerRow
from generator.load import Loaded, Place, PlacedBundle
from generator.precompress import with_siblings
from generator.record_files import (
    RecordUnit,
    build_record,
    check_raw_bundle,
    link_record,
    served_bundle,
    verified_events,
)
from generator.render import Renderer, SiteFile
from generator.sink import FileStager
from generator.verify import BundleReport, report_unreadable


@dataclass(frozen=True, slots=True)
class BuiltRecord:
    """What a record contributes; its files are staged, so `unit` has none any more."""

    unit: RecordUnit
    raw: RawBundle  # the bytes that are served
    verified_events: int
    files: tuple[LedgerRow, ...]


@dataclass(frozen=True, slots=True)
class BuiltBundle:
    """What came of one loaded thing; `report` has no verified bundle any more."""

    place: Place
    report: BundleReport
    record: BuiltRecord | None  # None for a bundle that was rejected


@dataclass(frozen=True, slots=True)
class LinkedRecord:
    """A record whose neighbours in this mirror are known, by the bytes that are served.

    `templates` are those by which it is to be rendered again.
    """

    suffix: str
    data: bytes
    links: RecordLinks
    templates: frozenset[str]


@dataclass(frozen=True, slots=True)
class PageOrder:
    """A page of the site to render: template, path, view model, and the digest of all of it."""

    template: str
    path: layout.SitePath
    page: object
    made_from: str


@dataclass(frozen=True, slots=True)
class RecordBuilder:
    """Verifies, merges, renders and stages; one in every process of a build."""

    configuration: Configuration
    renderer: Renderer
    stager: FileStager

    def build(self, placed: PlacedBundle) -> BuiltBundle:
        """Make every check on one loaded thing, V1 to V11, and the files of its record.

        Args:
            placed: a raw bundle, or what could not be read.

        Returns:
            What came of it.

        Raises:
            RenderError: a template failed.
            OutputError: a file cannot be staged.
        """
        report = report_bundle(placed.loaded, self.configuration)
        record = None if report.verified is None else self.build_record(report)
        return BuiltBundle(placed.place, replace(report, verified=None), record)

    def build_record(self, report: BundleReport) -> BuiltRecord:
        """Make and stage every file of one record.

        Args:
            report: of the bundle that is served, V1 to V11.

        Returns:
            What the record contributes.

        Raises:
            RenderError: a template failed.
            OutputError: a file cannot be staged.
            ValueError: the report is of a rejected bundle: the caller's mistake.
        """
        unit = build_record(report, configuration=self.configuration, renderer=self.renderer)
        return BuiltRecord(
            unit=replace(unit, files=()),
            raw=served_bundle(report).raw,
            verified_events=verified_events(report),
            files=self._stage(unit.files),
        )

    def link(self, linked: LinkedRecord) -> tuple[LedgerRow, ...]:
        """Make and stage the files of a record that are made by some templates.

        Args:
            linked: the record. It is checked once more from the bytes that are served: nothing is
                kept of a record meanwhile.

        Returns:
            The rows of its files.

        Raises:
            RenderError: a template failed.
            OutputError: a file cannot be staged.
        """
        raw = RawBundle(linked.suffix, linked.data)
        report = check_raw_bundle(raw, self.configuration)
        return self._stage(
            link_record(
                report,
                linked.links,
                linked.templates,
                configuration=self.configuration,
                renderer=self.renderer,
            )
        )

    def render(self, order: PageOrder | LedgerRow) -> tuple[LedgerRow, ...]:
        """Render and stage a page of the site and its compressed siblings.

        Args:
            order: the page, or the row of a file that is staged already.

        Returns:
            Their rows, the page's first.

        Raises:
            RenderError: the template failed.
            OutputError: the file cannot be staged.
        """
        if isinstance(order, LedgerRow):
            return (order,)
        file = self.renderer.page(order.template, order.path, order.page)
        page, *siblings = self._stage((file,))
        return replace(page, made_from=order.made_from), *siblings

    def _stage(self, files: Iterable[SiteFile]) -> tuple[LedgerRow, ...]:
        parts = (part for file in files for part in with_siblings(file, self.configuration))
        return tuple(map(self.stager.stage, parts))


def report_bundle(loaded: Loaded, configuration: Configuration) -> BundleReport:
    """Make every check on one loaded thing, V1 to V11.

    Args:
        loaded: a raw bundle, or what could not be read.
        configuration: the mirror's.

    Returns:
        Its report.
    """
    if not isinstance(loaded, RawBundle):
        return report_unreadable(loaded.origin, loaded.error)
    return check_raw_bundle(loaded, configuration)

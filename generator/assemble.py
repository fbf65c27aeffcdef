"""Assemble: the reports of one build → catalogue and staged files, record by record.

A record found in one bundle is rendered at once. One found in several waits until all are there and
is rendered once more, from their union.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator import layout
from generator.catalogue import Catalogue
from generator.config import Configuration
from generator.formats.raw import RawBundle
from generator.record_files import build_record, check_raw_bundle, report_served
from generator.render import Renderer
from generator.verify import BundleReport
from generator.write import SiteWriter


@dataclass(frozen=True, slots=True)
class Assembly:
    """One build under way."""

    configuration: Configuration
    renderer: Renderer
    writer: SiteWriter
    catalogue: Catalogue

    def add(self, report: BundleReport) -> None:
        """Take in one bundle.

        Args:
            report: V1 to V11; of an admitted bundle the record is rendered and staged.

        Raises:
            RenderError: a template failed.
            OutputError: a file cannot be staged.
        """
        self.catalogue.add_report(report)
        if report.verified is None:
            return
        suffix = report.verified.pith_number.suffix
        first = self.catalogue.first_origin(suffix)
        if first is None:
            self._add_record(report, origin=report.origin)
            return
        # United once all are there: else each further copy would cost all the earlier ones again.
        if not self.catalogue.has_duplicates(suffix):
            data = self.writer.read(layout.record_file(suffix, "bundle.json"))
            earlier = check_raw_bundle(RawBundle(first, data), self.configuration)
            self.catalogue.add_duplicate(suffix, earlier)
        self.catalogue.add_duplicate(suffix, report)

    def unite_duplicates(self) -> None:
        """Render every record that has several bundles from their union.

        Raises:
            RenderError: a template failed.
            OutputError: a file cannot be staged.
        """
        for suffix, origin in self.catalogue.duplicated():
            raws = self.catalogue.duplicates(suffix)
            parts = [check_raw_bundle(raw, self.configuration) for raw in raws]
            self._add_record(report_served(parts, self.configuration), origin=origin)

    def _add_record(self, report: BundleReport, *, origin: str) -> None:
        unit = build_record(report, configuration=self.configuration, renderer=self.renderer)
        for file in unit.files:
            self.writer.stage(file)
        self.catalogue.add_record(unit, origin=origin)

"""Assemble: the reports of one build → catalogue and staged files, record by record.

A record found in one bundle is rendered at once. One found in several waits until all are there and
is rendered once more, from their union. Who cites a record is known last of all: the pages of
records that are linked are rendered again then, and no others.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator import layout
from generator.catalogue import Catalogue
from generator.citation_index import CitationIndex
from generator.config import Configuration
from generator.documents import cited_by_lines
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS
from generator.record_files import build_record, check_raw_bundle, link_record, report_served
from generator.render import Renderer, SiteStream
from generator.verify import BundleReport
from generator.write import SiteWriter

CITED_BY = "cited-by.json"


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

    def link_records(self) -> None:
        """Render the records that cite one another with their neighbours.

        Raises:
            RenderError: a template failed.
            OutputError: a file cannot be staged.
        """
        citations = self.catalogue.citations
        citations.resolve()
        for suffix in citations.linked():
            self._link_record(suffix, citations)

    def _link_record(self, suffix: str, citations: CitationIndex) -> None:
        # Checked once more from the bytes that are served: nothing is kept of a record meanwhile.
        data = self.writer.read(layout.record_file(suffix, "bundle.json"))
        report = check_raw_bundle(RawBundle(suffix, data), self.configuration)
        links = citations.links_of(suffix, limit=DEFAULT_LIMITS.shown_links_max_count)
        files = link_record(report, links, configuration=self.configuration, renderer=self.renderer)
        for file in files:
            self.writer.stage(file)
        if links.incoming_count and report.pith_number is not None:
            lines = cited_by_lines(report.pith_number, links, citations.cited_by(suffix))
            self.writer.stage(SiteStream(layout.record_file(suffix, CITED_BY), lines))

    def _add_record(self, report: BundleReport, *, origin: str) -> None:
        unit = build_record(report, configuration=self.configuration, renderer=self.renderer)
        for file in unit.files:
            self.writer.stage(file)
        self.catalogue.add_record(unit, origin=origin)

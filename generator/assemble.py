"""Assemble: what came of the bundles of one build → catalogue and ledger, record by record.

A record found in one bundle is built at once. One found in several waits until all are there and
is built once more, from their union. Who cites a record is known last of all: the pages of records
that are linked are rendered again then, and no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from generator import layout
from generator.catalogue import Catalogue
from generator.citations import RecordLinks
from generator.documents import cited_by_lines
from generator.formats.raw import RawBundle
from generator.limits import DEFAULT_LIMITS
from generator.progress import OnProgress, Stage, counted
from generator.record_builder import (
    BuiltBundle,
    BuiltRecord,
    LinkedRecord,
    RecordBuilder,
)
from generator.record_files import check_raw_bundle, report_served, verified_events
from generator.render import SiteStream
from generator.workers import Workers
from generator.write import SiteWriter

CITED_BY = "cited-by.json"


@dataclass(frozen=True, slots=True)
class Assembly:
    """One build under way."""

    builder: RecordBuilder
    workers: Workers
    writer: SiteWriter
    catalogue: Catalogue

    def add(self, built: BuiltBundle) -> None:
        """Take in one bundle.

        Args:
            built: what came of it, in the order of loading.

        Raises:
            OutputError: something that is not ours stands where a file is to go.
        """
        self.catalogue.add_report(built.report)
        if built.record is None:
            return
        suffix = built.record.unit.listed.suffix
        first = self.catalogue.first_origin(suffix)
        if first is None:
            self._add_record(built.record, origin=built.report.origin)
            return
        # United once all are there: else each further copy would cost all the earlier ones again.
        if not self.catalogue.has_duplicates(suffix):
            data = self.writer.read(layout.record_file(suffix, "bundle.json"))
            raw = RawBundle(first, data)
            earlier = check_raw_bundle(raw, self.builder.configuration)
            self.catalogue.add_duplicate(suffix, raw, verified=verified_events(earlier))
        self.catalogue.add_duplicate(
            suffix, built.record.raw, verified=built.record.verified_events
        )

    def unite_duplicates(self, on_progress: OnProgress) -> None:
        """Build every record that has several bundles from their union.

        Args:
            on_progress: called after each.

        Raises:
            RenderError: a template failed.
            OutputError: a file cannot be staged.
        """
        configuration = self.builder.configuration
        duplicated = self.catalogue.duplicated()
        for suffix, origin in counted(duplicated, Stage.COPIES, on_progress, total=len(duplicated)):
            raws = self.catalogue.duplicates(suffix)
            parts = [check_raw_bundle(raw, configuration) for raw in raws]
            united = self.builder.build_record(report_served(parts, configuration))
            self._add_record(united, origin=origin)

    def link_records(self, on_progress: OnProgress) -> None:
        """Render the records that cite one another with their neighbours.

        Args:
            on_progress: called after each.

        Raises:
            RenderError: a template failed.
            OutputError: a file cannot be staged.
        """
        self.catalogue.citations.resolve()
        total = self.catalogue.citations.linked_count()
        linked = self.workers.link(self._linked())
        for files in counted(linked, Stage.LINKS, on_progress, total=total):
            for row in files:
                self.writer.add(row)

    def _linked(self) -> Iterator[LinkedRecord]:
        citations = self.catalogue.citations
        for suffix in citations.linked():
            links = citations.links_of(suffix, limit=DEFAULT_LIMITS.shown_links_max_count)
            if links.incoming_count:
                self._stage_cited_by(suffix, links)
            data = self.writer.read(layout.record_file(suffix, "bundle.json"))
            # A view of a mapping cannot leave the process; the mapping can.
            yield LinkedRecord(suffix, data, replace(links, targets=dict(links.targets)))

    def _stage_cited_by(self, suffix: str, links: RecordLinks) -> None:
        number = self.catalogue.pith_number(suffix)
        lines = cited_by_lines(number, links, self.catalogue.citations.cited_by(suffix))
        self.writer.stage(SiteStream(layout.record_file(suffix, CITED_BY), lines))

    def _add_record(self, built: BuiltRecord, *, origin: str) -> None:
        for row in built.files:
            self.writer.add(row)
        self.catalogue.add_record(built.unit, origin=origin)

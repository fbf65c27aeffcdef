"""Assemble: what came of the bundles of one build → catalogue and ledger, record by record.

A record found in one bundle is built at once. One found in several waits until all are there and
is built once more, from their union. Who cites a record is known last of all: the pages of records
whose links are new or have changed are rendered again then, and no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from generator import layout
from generator.catalogue import Catalogue
from generator.citations import RecordLinks
from generator.documents import cited_by_lines
from generator.formats.digest import sha256
from generator.limits import DEFAULT_LIMITS
from generator.progress import OnProgress, Stage, counted
from generator.record_builder import BuiltBundle, BuiltRecord, LinkedRecord, RecordBuilder
from generator.record_files import LINKED_TEMPLATES, check_raw_bundle, report_served
from generator.render import SiteStream
from generator.sink import Sink
from generator.workers import Workers

CITED_BY = "cited-by.json"


def _has_any(links: RecordLinks) -> bool:
    return bool(links.targets or links.incoming_count)


@dataclass(frozen=True, slots=True)
class Assembly:
    """One build under way."""

    builder: RecordBuilder
    workers: Workers
    writer: Sink
    catalogue: Catalogue
    on_progress: OnProgress

    def add(self, built: BuiltBundle) -> None:
        """Take in one bundle.

        Args:
            built: what came of it, in the order of loading.

        Raises:
            OutputError: the bundle of another copy cannot be read back.
        """
        bundles, record = self.catalogue.bundles, built.record
        if record is None:
            bundles.put(built.place, built.report, verified=None)
            return
        bundles.put(built.place, built.report, verified=record.verified_events)
        suffix = record.unit.listed.suffix
        if not bundles.is_held_elsewhere(suffix, built.place):
            self._add_record(record)
            return
        # United once all are there: else each further copy would cost all the earlier ones again.
        if not bundles.has_copies(suffix):
            data = self.writer.read(layout.record_file(suffix, "bundle.json"))
            bundles.add_copy(suffix, str(sha256(data)), data)
        bundles.add_copy(suffix, str(built.report.digest), record.raw.data)
        self.writer.discard(record.files)

    def settle(self) -> None:
        """Build every record anew that has several bundles, and remove those that have none.

        Raises:
            RenderError: a template failed.
            OutputError: a file cannot be staged.
        """
        configuration, bundles = self.builder.configuration, self.catalogue.bundles
        for suffix in bundles.gone():
            self.writer.ledger.drop(layout.record_ranges(suffix))
            self.catalogue.remove_record(suffix)
        for suffix in counted(bundles.to_unite(), Stage.COPIES, self.on_progress):
            parts = [check_raw_bundle(raw, configuration) for raw in bundles.copies(suffix)]
            self._add_record(self.builder.build_record(report_served(parts, configuration)))
        bundles.drop_single_copies()

    def link_records(self) -> None:
        """Render the records whose neighbours have changed.

        Raises:
            RenderError: a template failed.
            OutputError: a file cannot be staged.
        """
        self.catalogue.citations.resolve()
        self._render_again(self._linked())

    def restyle_records(self, templates: frozenset[str]) -> None:
        """Render the records that this build has not made anew by templates that have changed.

        Args:
            templates: their names; only what is made by them is made again.

        Raises:
            RenderError: a template failed.
            OutputError: a file cannot be staged, or was changed since the last build.
        """
        self._render_again(
            self._with_links(suffix, templates)
            for suffix in self.catalogue.suffixes()
            if not self.catalogue.is_rebuilt(suffix)
        )

    def _render_again(self, records: Iterator[LinkedRecord]) -> None:
        with closing(self.workers.link(records)) as linked:
            for files in counted(linked, Stage.LINKS, self.on_progress):
                for row in files:
                    self.writer.add(row)

    def _linked(self) -> Iterator[LinkedRecord]:
        citations = self.catalogue.citations
        for suffix, shown in citations.linked():
            links = self._links_of(suffix)
            digest = self._digest_of(suffix, links) if _has_any(links) else ""
            is_rebuilt = self.catalogue.is_rebuilt(suffix)
            if digest == shown and not is_rebuilt:
                continue
            citations.note_links(suffix, digest)
            if not self.catalogue.is_listed(suffix):
                continue
            self._stage_cited_by(suffix, links)
            # What was built now shows no neighbours yet, and is right where there are none.
            if digest or not is_rebuilt:
                yield self._with_links(suffix, LINKED_TEMPLATES)

    def _with_links(self, suffix: str, templates: frozenset[str]) -> LinkedRecord:
        data = self.writer.read(layout.record_file(suffix, "bundle.json"))
        links = self._links_of(suffix)
        # A view of a mapping cannot leave the process; the mapping can.
        links = replace(links, targets=dict(links.targets))
        return LinkedRecord(suffix, data, links, templates)

    def _links_of(self, suffix: str) -> RecordLinks:
        limit = DEFAULT_LIMITS.shown_links_max_count
        return self.catalogue.citations.links_of(suffix, limit=limit)

    def _digest_of(self, suffix: str, links: RecordLinks) -> str:
        """Give the digest of all links of a record, those that its page does not show included."""
        every = (dict(links.targets), *self.catalogue.citations.cited_by(suffix))
        return str(sha256(repr(every).encode()))

    def _stage_cited_by(self, suffix: str, links: RecordLinks) -> None:
        path = layout.record_file(suffix, CITED_BY)
        self.writer.ledger.drop([(path, f"{path}0")])
        if links.incoming_count:
            number = self.catalogue.pith_number(suffix)
            lines = cited_by_lines(number, links, self.catalogue.citations.cited_by(suffix))
            self.writer.stage(SiteStream(path, lines))

    def _add_record(self, built: BuiltRecord) -> None:
        self.writer.ledger.drop(layout.record_ranges(built.unit.listed.suffix))
        for row in built.files:
            self.writer.add(row)
        self.catalogue.add_record(built.unit)

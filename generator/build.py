"""The whole flow on one screen: load → verify → merge → catalogue → plan → render → write.

bundles/ ─load→ RawBundle ─verify→ BundleReport ─merge, render→ RecordUnit ─┬→ catalogue ─→ site
files
                                                                           └→ write → site/
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from generator import layout
from generator.catalogue import Catalogue
from generator.config import Configuration
from generator.errors import InputError
from generator.formats.checks import Verdict
from generator.formats.raw import RawBundle
from generator.load import Loaded, load_bundles
from generator.record_files import build_record, finish_checks, report_served
from generator.render import Renderer
from generator.resources import SiteResources, read_resources
from generator.site_files import GENERATOR, site_files, site_frame
from generator.verify import BundleReport, check_bundle, report_unreadable
from generator.write import SiteWriter, WriteSummary, open_site


@dataclass(frozen=True, slots=True)
class BuildSummary:
    """What a build came to; `written` is None if `strict` refused to write."""

    counts: tuple[tuple[Verdict, int], ...]
    records: int
    faulty: int
    written: WriteSummary | None


def build_site(
    *,
    bundles: Path,
    site: Path,
    configuration: Configuration,
    templates: Sequence[Path],
    strict: bool = False,
    on_report: Callable[[BundleReport], None] = lambda _: None,
) -> BuildSummary:
    """Build the site of a folder of bundles.

    Args:
        bundles: the folder, or one file.
        site: the folder to write; see `write.open_site`.
        configuration: the mirror's.
        templates: folders of templates; a file in an earlier one replaces that of a later one.
        strict: write nothing if any bundle was rejected or any check failed.
        on_report: called with the report of each bundle, in the order of loading.

    Returns:
        What was done.

    Raises:
        InputError: there is no bundle at all.
        OutputError: the site cannot be written; it is as it was.
        RenderError: a template failed; the site is as it was.
    """
    resources = read_resources(templates)
    renderer = Renderer(templates, site_frame(configuration, resources))
    with (
        open_site(site) as writer,
        closing(Catalogue(writer.workspace / "catalogue.sqlite")) as catalogue,
    ):
        build = _Build(configuration, renderer, writer, catalogue)
        for loaded in load_bundles(bundles):
            report = report_bundle(loaded, configuration)
            on_report(report)
            build.add(report)
        return build.finish(bundles, resources, strict=strict)


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
    return finish_checks(check_bundle(loaded, configuration.trust), configuration)


@dataclass(frozen=True, slots=True)
class _Build:
    """One build under way."""

    configuration: Configuration
    renderer: Renderer
    writer: SiteWriter
    catalogue: Catalogue

    def add(self, report: BundleReport) -> None:
        self.catalogue.add_report(report)
        if report.verified is None:
            return
        suffix = report.verified.pith_number.suffix
        first = self.catalogue.first_origin(suffix)
        if first is None:
            self.add_record(report, origin=report.origin)
            return
        # United once all are there: else each further copy would cost all the earlier ones again.
        if not self.catalogue.has_duplicates(suffix):
            data = self.writer.read(layout.record_file(suffix, "bundle.json"))
            earlier = report_bundle(RawBundle(first, data), self.configuration)
            self.catalogue.add_duplicate(suffix, earlier)
        self.catalogue.add_duplicate(suffix, report)

    def add_record(self, report: BundleReport, *, origin: str) -> None:
        unit = build_record(report, configuration=self.configuration, renderer=self.renderer)
        for file in unit.files:
            self.writer.stage(file)
        self.catalogue.add_record(unit, origin=origin)

    def unite_duplicates(self) -> None:
        for suffix, origin in self.catalogue.duplicated():
            raws = self.catalogue.duplicates(suffix)
            parts = [report_bundle(raw, self.configuration) for raw in raws]
            self.add_record(report_served(parts, self.configuration), origin=origin)

    def finish(self, bundles: Path, resources: SiteResources, *, strict: bool) -> BuildSummary:
        counts, records = self.catalogue.counts(), self.catalogue.record_count()
        faulty = self.catalogue.faulty_count()
        if not sum(count for _, count in counts):
            # An empty folder must not empty a site: it is a wrong path more often than a wish.
            raise InputError(str(bundles), expected="one or more bundles", found="none")
        if strict and faulty:
            return BuildSummary(counts, records, faulty, written=None)
        self.unite_duplicates()
        for file in site_files(self.catalogue, self.configuration, resources, self.renderer):
            self.writer.stage(file)
        written = self.writer.commit(generator=GENERATOR)
        return BuildSummary(counts, records, faulty, written)

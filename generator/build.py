"""The whole flow on one screen: load → verify → merge → catalogue → plan → render → write.

bundles/ ─load→ RawBundle ─verify→ BundleReport ─merge, render→ RecordUnit ─┬→ catalogue ─→ site
files
                                                                           └→ write → site/
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from generator.assemble import Assembly
from generator.catalogue import Catalogue
from generator.config import Configuration
from generator.content import require_links
from generator.errors import InputError
from generator.formats.checks import Verdict
from generator.full_text import make_full_text
from generator.load import load_bundles
from generator.preview import with_preview
from generator.progress import OnProgress, Stage, counted
from generator.record_builder import RecordBuilder
from generator.render import Renderer
from generator.site_files import site_files
from generator.site_frame import (
    GENERATOR,
    prepare_resources,
    site_content,
    site_frame,
    site_language,
)
from generator.site_inputs import SiteInputs
from generator.verify import BundleReport
from generator.workers import Workers
from generator.write import WriteSummary, open_site


@dataclass(frozen=True, slots=True)
class BuildSummary:
    """What a build came to; `written` is None if `strict` refused to write.

    `notes` are for the operator: what the site was asked to have and does not.
    """

    counts: tuple[tuple[Verdict, int], ...]
    records: int
    faulty: int
    written: WriteSummary | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What one build is asked to do."""

    bundles: Path  # the folder, or one file
    site: Path  # the folder to write; see `write.open_site`
    templates: tuple[Path, ...]  # a file in an earlier folder replaces that of a later one
    strict: bool = False  # write nothing if any bundle was rejected or any check failed
    allow_removal: bool = False  # write also if most records of the site would go
    jobs: int = 1  # processes that work on records


def build_site(
    options: BuildOptions,
    configuration: Configuration,
    *,
    on_report: Callable[[BundleReport], None] = lambda _: None,
    on_progress: OnProgress = lambda _: None,
) -> BuildSummary:
    """Build the site of a folder of bundles.

    Args:
        options: where from, where to, and how careful.
        configuration: the mirror's.
        on_report: called with the report of each bundle, in the order of loading.
        on_progress: called often, in this process, with how far the build has come.

    Returns:
        What was done.

    Raises:
        ConfigurationError: preview images of records are asked for, and nothing can draw them.
        InputError: there is no bundle at all.
        OutputError: the site cannot be written; it is as it was.
        RenderError: a template failed; the site is as it was.
    """
    resources = with_preview(prepare_resources(options.templates, configuration), configuration)
    content = site_content(configuration, resources)
    renderer = Renderer(
        options.templates,
        site_frame(configuration, resources, content),
        language=site_language(configuration, resources),
    )
    with (
        open_site(options.site) as writer,
        closing(Catalogue(writer.workspace / "catalogue.sqlite")) as catalogue,
    ):
        builder = RecordBuilder(configuration, renderer, writer.stager)
        workers = Workers(builder, jobs=options.jobs)
        assembly = Assembly(builder, workers, writer, catalogue)
        loaded = workers.build(load_bundles(options.bundles))
        for built in counted(loaded, Stage.RECORDS, on_progress):
            on_report(built.report)
            assembly.add(built)
        counts, faulty = catalogue.counts(), catalogue.faulty_count()
        if not any(count for _, count in counts):
            # An empty folder must not empty a site: it is a wrong path more often than a wish.
            raise InputError(str(options.bundles), expected="one or more bundles", found="none")
        if options.strict and faulty:
            return BuildSummary(counts, catalogue.record_count(), faulty, written=None)
        assembly.unite_duplicates(on_progress)
        assembly.link_records(on_progress)
        full_text = make_full_text(catalogue, configuration)
        inputs = SiteInputs(catalogue, configuration, resources, renderer, content, full_text)
        for file in counted(site_files(inputs), Stage.PAGES, on_progress):
            writer.stage(file)
        require_links(content, writer.has)
        written = writer.commit(
            generator=GENERATOR, allow_removal=options.allow_removal, on_progress=on_progress
        )
        notes = (full_text.left_out,) if full_text.left_out else ()
        return BuildSummary(counts, catalogue.record_count(), faulty, written, notes)

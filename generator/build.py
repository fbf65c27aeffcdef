"""The whole flow on one screen: load → verify → merge → catalogue → plan → render → write.

bundles/ ─load→ RawBundle ─verify→ BundleReport ─merge, render→ RecordUnit ─┬→ catalogue ─→ site
files
                                                                           └→ write → site/

What has not changed since the last build passes through none of it (see `update`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from generator.assemble import Assembly
from generator.build_context import build_context, digest_of_everything, digest_of_program
from generator.catalogue import Catalogue
from generator.config import Configuration
from generator.errors import InputError
from generator.formats.checks import Verdict
from generator.listing_pages import ReportEntry
from generator.precompress import require_codings
from generator.progress import OnProgress
from generator.record_builder import RecordBuilder
from generator.sink import WriteSummary
from generator.site_folder import hold_site, time_of
from generator.site_frame import GENERATOR
from generator.site_materials import prepare_materials
from generator.update import open_last_build, stage_site, update_records
from generator.workers import Workers
from generator.write import open_writer


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
    site: Path  # the folder to write; see `write.open_writer`
    templates: tuple[Path, ...]  # a file in an earlier folder replaces that of a later one
    strict: bool = False  # write nothing if any bundle was rejected or any check failed
    allow_removal: bool = False  # write also if most records of the site would go
    jobs: int = 1  # processes that work on records
    keep_state: bool = True  # for the next build, inside the site


def build_site(
    options: BuildOptions,
    configuration: Configuration,
    *,
    on_fault: Callable[[ReportEntry], None] = lambda _: None,
    on_progress: OnProgress = lambda _: None,
) -> BuildSummary:
    """Build the site of a folder of bundles.

    Args:
        options: where from, where to, and how careful.
        configuration: the mirror's.
        on_fault: called with the report of each faulty bundle, in the order of loading.
        on_progress: called often, in this process, with how far the build has come.

    Returns:
        What was done.

    Raises:
        ConfigurationError: preview images of records or a coding of siblings are asked for, and
            nothing here can make them.
        InputError: there is no bundle at all.
        OutputError: the site cannot be written; it is as it was.
        RenderError: a template failed; the site is as it was.
    """
    require_codings(configuration)
    program = digest_of_program()
    everything = digest_of_everything(program, configuration, options.templates)
    with hold_site(options.site) as workspace, open_last_build(options.site, program) as last:
        started = time_of(workspace)
        if last is not None and last.holds(everything, options.bundles):
            summary = _summary(last.catalogue, options, on_fault)
            return replace(summary, written=last.kept(), notes=last.state.notes)
        materials = prepare_materials(options.templates, configuration)
        context = build_context(program, everything, materials)
        usable = last if last is not None and last.is_of(context) else None
        with open_writer(options.site, previous=usable.state.path if usable else None) as writer:
            catalogue = Catalogue(writer.database)
            builder = RecordBuilder(configuration, materials.renderer, writer.stager)
            workers = Workers(builder, jobs=options.jobs)
            assembly = Assembly(builder, workers, writer, catalogue, on_progress)
            change = update_records(assembly, options.bundles, usable, context, started=started)
            summary = _summary(catalogue, options, on_fault)
            if options.strict and summary.faulty:
                return summary
            notes = change.notes
            if change.is_any:
                notes = stage_site(assembly, materials, context, change)
            written = writer.commit(
                generator=GENERATOR,
                allow_removal=options.allow_removal,
                context=context.as_digests() if options.keep_state else None,
                notes=notes,
                on_progress=on_progress,
            )
            return replace(summary, written=written, notes=notes)


def _summary(
    catalogue: Catalogue, options: BuildOptions, on_fault: Callable[[ReportEntry], None]
) -> BuildSummary:
    bundles = catalogue.bundles
    for report in bundles.faulty_reports():
        on_fault(report)
    counts, faulty = bundles.counts(), bundles.faulty_count()
    if not any(count for _, count in counts):
        # An empty folder must not empty a site: it is a wrong path more often than a wish.
        raise InputError(str(options.bundles), expected="one or more bundles", found="none")
    return BuildSummary(counts, catalogue.record_count(), faulty, written=None)

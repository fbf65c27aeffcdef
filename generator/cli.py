"""The command line: results on stdout, what is going on on stderr. Only `cli` modules print."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import click

from generator import __version__
from generator.build import BuildOptions, BuildSummary, build_site
from generator.cli_check import check
from generator.cli_compare import diff, merge
from generator.cli_look import inspect, keys
from generator.cli_plan import plan
from generator.cli_progress import Display, progress_display
from generator.cli_setup import (
    CONTEXT_SETTINGS,
    Door,
    config_option,
    prepare_streams,
    profile_option,
    read_configuration,
    stop,
    with_profile,
)
from generator.errors import ExitCode, InputError, MirrorError, OutputError
from generator.formats.checks import Check, Outcome, Verdict
from generator.limits import DEFAULT_LIMITS
from generator.listing_pages import ReportEntry
from generator.load import load_bundles
from generator.record_builder import report_bundle
from generator.resources import templates_folder
from generator.verify import BundleReport
from generator.workers import default_jobs

_GC_THRESHOLD = 10_000  # objects made and not let go of, before a search for cycles
_FAULTY = (Verdict.REJECTED, Verdict.DISPUTED)


@click.group(cls=Door, context_settings=CONTEXT_SETTINGS)
@click.version_option(__version__, prog_name="pith-mirror")
def main() -> None:
    """Turn signed Pith Number bundles into a verified static mirror."""
    prepare_streams()


for _command in (check, merge, diff, inspect, keys, plan):
    main.add_command(_command)


@main.command()
@click.option(
    "--bundles",
    type=click.Path(path_type=Path),
    default=Path("bundles"),
    show_default=True,
    metavar="DIR",
    help="Folder of bundles, searched recursively, or one file.",
)
@click.option(
    "--site",
    type=click.Path(path_type=Path),
    default=Path("site"),
    show_default=True,
    metavar="DIR",
    help="Folder to write the site into.",
)
@click.option(
    "--templates",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Folder whose templates, assets and content replace the packaged ones, file by file.",
)
@profile_option
@click.option(
    "--strict",
    is_flag=True,
    help="Write nothing if any bundle is rejected or any check fails.",
)
@click.option(
    "--allow-removal",
    is_flag=True,
    help="Write also if more than half of the site's records would be removed.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, DEFAULT_LIMITS.jobs_max_count),
    metavar="N",
    help="Processes that work on records.  [default: one a core]",
)
@click.option("--no-progress", is_flag=True, help="Do not show progress on stderr.")
@click.option(
    "--no-state", is_flag=True, help="Keep nothing in the site for the next build to go on from."
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@config_option
def build(  # noqa: PLR0913 - a parameter an option
    bundles: Path,
    site: Path,
    templates: Path | None,
    config: Path | None,
    *,
    profile: str | None,
    strict: bool,
    allow_removal: bool,
    jobs: int | None,
    no_progress: bool,
    no_state: bool,
    as_json: bool,
) -> None:
    """Verify the bundles and build the site."""
    try:
        _require_apart(bundles, site)
        # Nearly all that a build makes is soon let go of and in no cycle: looking for cycles less
        # often saves a twentieth of the time.
        gc.set_threshold(_GC_THRESHOLD)
        configuration = with_profile(read_configuration(bundles, config), profile)
        own = (templates, configuration.presentation.templates)
        options = BuildOptions(
            bundles=bundles,
            site=site,
            templates=(*(Path(folder) for folder in own if folder), templates_folder()),
            strict=strict,
            allow_removal=allow_removal,
            jobs=jobs or default_jobs(),
            keep_state=not no_state,
        )
        with progress_display(wanted=not no_progress) as display:
            summary = build_site(
                options,
                configuration,
                on_fault=partial(_say_fault, display),
                on_progress=display.show,
            )
    except MirrorError as error:
        stop(error)
    for note in summary.notes:
        click.echo(note, err=True)
    click.echo(_summary_json(summary) if as_json else _summary_text(summary, site))
    if summary.faulty:
        sys.exit(ExitCode.STRICT if summary.written is None else ExitCode.REJECTED)


@main.command()
@click.argument(
    "paths",
    type=click.Path(path_type=Path, exists=True),
    nargs=-1,
    required=True,
    metavar="PATH...",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object a bundle, a line each."
)
@config_option
def verify(paths: tuple[Path, ...], config: Path | None, *, as_json: bool) -> None:
    """Make every check on bundles, archives or folders of them.

    Prints a line a bundle with its verdict and a line a check with its outcome.
    """
    seen = faulty = 0
    try:
        configuration = read_configuration(paths[0], config)
        for path in paths:
            for loaded in load_bundles(path):
                report = report_bundle(loaded, configuration)
                click.echo(_report_json(report) if as_json else _report_text(report, report.checks))
                seen += 1
                faulty += report.verdict in _FAULTY
        if not seen:
            names = ", ".join(str(path) for path in paths)
            raise InputError(names, expected="one or more bundles", found="none")
    except MirrorError as error:
        stop(error)
    bundles = "1 bundle" if seen == 1 else f"{seen} bundles"
    click.echo(f"{bundles}, {faulty} rejected or with a failed check", err=True)
    if faulty:
        sys.exit(ExitCode.REJECTED)


def _require_apart(bundles: Path, site: Path) -> None:
    try:
        inside, outside = site.resolve(), bundles.resolve()
    except (OSError, RuntimeError) as error:
        raise OutputError(str(site), expected="a folder", found="a link to itself") from error
    if inside == outside or inside in outside.parents or outside in inside.parents:
        raise OutputError(
            str(site),
            expected="a folder apart from the bundles",
            found=f"one that shares files with {bundles}",
        )


def _say_fault(display: Display, report: ReportEntry) -> None:
    # What took part in the verdict: for a rejected bundle that is also what cannot be checked.
    told = {Outcome.FAILED}
    if report.verdict is Verdict.REJECTED:
        told.add(Outcome.NOT_CHECKABLE)
    checks = (check for check in report.checks if check.outcome in told)
    display.say(_report_text(report, checks))


def _report_text(report: BundleReport | ReportEntry, checks: Iterable[Check]) -> str:
    number = f" ({report.pith_number})" if report.pith_number else ""
    lines = [f"{report.origin}: {report.verdict.value}{number}", *map(_check_text, checks)]
    return "\n".join(lines)


def _check_text(check: Check) -> str:
    verified = check.outcome is Outcome.VERIFIED
    detail = check.found if verified else f"expected {check.expected}, found {check.found}"
    note = f" ({check.note})" if check.note else ""
    words = f"{check.step:<3} {check.outcome.value:<13} {check.name}, {check.subject}"
    return f"  {words}: {detail}{note}"


def _report_json(report: BundleReport) -> str:
    row = {
        "origin": report.origin,
        "sha256": None if report.digest is None else str(report.digest),
        "pith_number": None if report.pith_number is None else str(report.pith_number),
        "verdict": report.verdict.value,
        "checks": [check.as_json() for check in report.checks],
    }
    return json.dumps(row, separators=(",", ":"))


def _summary_text(summary: BuildSummary, site: Path) -> str:
    counts = ", ".join(f"{count} {verdict.value}" for verdict, count in summary.counts if count)
    read = _count(sum(count for _, count in summary.counts), "bundle")
    if summary.written is None:
        return f"{read}: {counts}\nnothing was written (--strict)"
    written = summary.written
    return (
        f"{read}: {counts}\n"
        f"{_count(summary.records, 'record')} published\n"
        f"{_count(written.total, 'file')}: {written.written} written, {written.removed} removed\n"
        f"open {site / 'index.html'}"
    )


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _summary_json(summary: BuildSummary) -> str:
    written = summary.written
    row = {
        "records": summary.records,
        "counts": {verdict.value: count for verdict, count in summary.counts},
        "files": None
        if written is None
        else {"total": written.total, "written": written.written, "removed": written.removed},
    }
    return json.dumps(row, separators=(",", ":"))

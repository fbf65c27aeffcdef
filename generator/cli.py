"""The command line: the only place that prints. Results on stdout, what is going on on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn, TypeVar

import click

from generator import __version__
from generator.build import BuildOptions, BuildSummary, build_site, report_bundle
from generator.config import Configuration, parse_configuration
from generator.errors import ConfigurationError, ExitCode, InputError, MirrorError, OutputError
from generator.formats.checks import Check, Outcome, Verdict
from generator.load import load_bundles
from generator.resources import find_configuration, templates_folder
from generator.verify import BundleReport

_FAULTY = (Verdict.REJECTED, Verdict.DISPUTED)
_Command = TypeVar("_Command", bound=Callable[..., None])


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pith-mirror")
def main() -> None:
    """Turn signed Pith Number bundles into a verified static mirror."""
    # A terminal that cannot spell a hostile title is no reason to stop.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _config_option(command: _Command) -> _Command:
    return click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Configuration.  [default: mirror.toml beside the bundles, else in the working "
        "folder, else the packaged one]",
    )(command)


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
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@_config_option
def build(  # noqa: PLR0913 - a parameter an option
    bundles: Path,
    site: Path,
    templates: Path | None,
    config: Path | None,
    *,
    strict: bool,
    allow_removal: bool,
    as_json: bool,
) -> None:
    """Verify the bundles and build the site."""
    try:
        _require_apart(bundles, site)
        options = BuildOptions(
            bundles=bundles,
            site=site,
            templates=(*([templates] if templates else []), templates_folder()),
            strict=strict,
            allow_removal=allow_removal,
        )
        configuration = _configuration(bundles, config)
        summary = build_site(options, configuration, on_report=_print_fault)
    except MirrorError as error:
        _stop(error)
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
@_config_option
def verify(paths: tuple[Path, ...], config: Path | None, *, as_json: bool) -> None:
    """Make every check on bundles, archives or folders of them.

    Prints a line a bundle with its verdict and a line a check with its outcome.
    """
    seen = faulty = 0
    try:
        configuration = _configuration(paths[0], config)
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
        _stop(error)
    bundles = "1 bundle" if seen == 1 else f"{seen} bundles"
    click.echo(f"{bundles}, {faulty} rejected or with a failed check", err=True)
    if faulty:
        sys.exit(ExitCode.REJECTED)


def _configuration(bundles: Path, config: Path | None) -> Configuration:
    path = config or find_configuration(bundles, Path.cwd())
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            str(path), expected="a readable file", found=error.strerror or "an error"
        ) from error
    return parse_configuration(data, name=str(path))


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


def _print_fault(report: BundleReport) -> None:
    if report.verdict in _FAULTY:
        # What took part in the verdict: for a rejected bundle that is also what cannot be checked.
        told = {Outcome.FAILED}
        if report.verdict is Verdict.REJECTED:
            told.add(Outcome.NOT_CHECKABLE)
        checks = (check for check in report.checks if check.outcome in told)
        click.echo(_report_text(report, checks), err=True)


def _report_text(report: BundleReport, checks: Iterable[Check]) -> str:
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
    if summary.written is None:
        return f"{counts}\nnothing was written (--strict)"
    written = summary.written
    return (
        f"{summary.records} records: {counts}\n"
        f"{written.total} files: {written.written} written, {written.removed} removed\n"
        f"open {site / 'index.html'}"
    )


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


def _stop(error: MirrorError) -> NoReturn:
    click.echo(f"pith-mirror: {error}", err=True)
    sys.exit(error.exit_code)

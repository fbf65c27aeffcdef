"""`pith-mirror check`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import click

from generator.cli_setup import stop
from generator.errors import ExitCode, InputError, OutputError
from generator.fixity import Fault, FaultKind, fault_json, fault_line
from generator.fixity_walk import SiteCheck
from generator.ledger import DatabaseError


@click.command()
@click.option(
    "--site",
    type=click.Path(path_type=Path),
    default=Path("site"),
    show_default=True,
    metavar="DIR",
    help="Built site to read.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a fault, then counts.")
def check(site: Path, *, as_json: bool) -> None:
    """Read a built site again and compare every file with its manifest.

    Nothing is changed. Files that no manifest lists, and names that some file systems cannot hold,
    are warnings.
    """
    if not site.is_dir():
        stop(InputError(str(site), expected="a built site", found="no folder"))
    reading = SiteCheck(site)
    counts: Counter[FaultKind] = Counter()
    faulty = False
    try:
        for fault in reading.faults():
            counts[fault.kind] += 1
            faulty = faulty or not fault.is_warning
            click.echo(_spell(fault, as_json=as_json))
    except DatabaseError as error:
        where = "the folder for temporary files"
        stop(OutputError(where, expected="room to write", found=str(error)))
    if as_json:
        row = {"files": reading.files, "bytes": reading.length, "counts": _named(counts)}
        click.echo(json.dumps(row, separators=(",", ":")))
    else:
        click.echo(f"{reading.files} files with {reading.length} bytes are as listed")
        found = ", ".join(f"{count} {name}" for name, count in _named(counts).items())
        click.echo(found or "no faults")
    if faulty:
        sys.exit(ExitCode.REJECTED)


def _spell(fault: Fault, *, as_json: bool) -> str:
    return json.dumps(fault_json(fault), separators=(",", ":")) if as_json else fault_line(fault)


def _named(counts: Counter[FaultKind]) -> dict[str, int]:
    return {kind.value: counts[kind] for kind in FaultKind if counts[kind]}

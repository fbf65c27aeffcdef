"""`pith-mirror check`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import click

from generator.cli_setup import config_option, load_named, read_configuration, stop
from generator.errors import ExitCode, InputError, MirrorError, OutputError
from generator.fixity import Fault, FaultKind, fault_json, fault_line
from generator.fixity_index import FixityIndex
from generator.fixity_repair import open_repair
from generator.fixity_stale import SIDE, stale_faults
from generator.fixity_walk import SiteCheck
from generator.holdings import Holdings
from generator.ledger import DatabaseError

_Further = Callable[[FixityIndex], Iterator[Fault]]


@dataclass(slots=True)
class _Tally:
    """What was found; `faulty` tells whether anything but warnings is left."""

    as_json: bool
    counts: Counter[FaultKind] = field(default_factory=Counter)
    restored: int = 0
    faulty: bool = False

    def add(self, fault: Fault) -> None:
        self.counts[fault.kind] += 1
        self.restored += bool(fault.restored_from)
        self.faulty = self.faulty or not (fault.is_warning or fault.restored_from)
        if self.as_json:
            click.echo(json.dumps(fault_json(fault), separators=(",", ":")))
        else:
            click.echo(fault_line(fault))

    def end(self, reading: SiteCheck) -> None:
        named = {kind.value: self.counts[kind] for kind in FaultKind if self.counts[kind]}
        if self.as_json:
            row = {
                "files": reading.files,
                "bytes": reading.length,
                "counts": named,
                "restored": self.restored,
            }
            click.echo(json.dumps(row, separators=(",", ":")))
            return
        click.echo(f"{reading.files} files with {reading.length} bytes are as listed")
        click.echo(", ".join(f"{count} {name}" for name, count in named.items()) or "no faults")
        if self.restored:
            click.echo(f"{self.restored} restored")


@click.command()
@click.option(
    "--site",
    type=click.Path(path_type=Path),
    default=Path("site"),
    show_default=True,
    metavar="DIR",
    help="Built site to read.",
)
@click.option(
    "--bundles",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Name also records that a build of these bundles would change, add or remove.",
)
@config_option
@click.option(
    "--repair", is_flag=True, help="Put back files of which the site has another, whole copy."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a fault, then counts.")
def check(
    site: Path, bundles: Path | None, config: Path | None, *, repair: bool, as_json: bool
) -> None:
    """Read a built site again and compare every file with its manifest.

    Nothing is changed without --repair. Files that no manifest lists, and names that some file
    systems cannot hold, are warnings.
    """
    tally = _Tally(as_json)
    try:
        if not site.is_dir():
            raise InputError(str(site), expected="a built site", found="no folder")
        with (
            _comparison(bundles, config) as further,
            open_repair(site) if repair else nullcontext() as mending,
        ):
            reading = SiteCheck(site, repair=mending, further=further)
            for fault in reading.faults():
                tally.add(fault)
    except MirrorError as error:
        stop(error)
    except DatabaseError as error:
        where = "the folder for temporary files"
        stop(OutputError(where, expected="room to write", found=str(error)))
    tally.end(reading)
    if tally.faulty:
        sys.exit(ExitCode.REJECTED)


@contextmanager
def _comparison(bundles: Path | None, config: Path | None) -> Iterator[_Further]:
    if bundles is None:
        yield lambda _: iter(())
        return
    with closing(Holdings(read_configuration(bundles, config))) as holdings:
        for loaded in load_named(bundles):
            holdings.add(SIDE, loaded)
        if not holdings.bundle_count(SIDE) + holdings.nameless_count(SIDE):
            # As in a build: an empty folder is a wrong path more often than a wish.
            raise InputError(str(bundles), expected="one or more bundles", found="none")
        yield partial(stale_faults, holdings)

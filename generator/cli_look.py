"""`pith-mirror inspect` and `pith-mirror keys`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from generator.cli_setup import config_option, echo_lines, load_named, read_configuration, stop
from generator.config import Configuration
from generator.errors import ExitCode, InputError, MirrorError
from generator.key_list import key_lines, keys_json
from generator.key_use import KeyUse, count_key_use
from generator.load import Loaded
from generator.look import Inspection, inspection_json, inspections, search
from generator.look_lines import inspection_lines, match_lines
from generator.lookup import FORMS, Identifier, parse_identifier


@click.command()
@click.argument("what", metavar="ID|FILE")
@click.option(
    "--bundles",
    type=click.Path(path_type=Path),
    default=Path("bundles"),
    show_default=True,
    metavar="DIR",
    help="Folder of bundles in which to look for ID.",
)
@click.option(
    "--site",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Built site in which to look for ID instead, and whose files to name.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a record.")
@config_option
def inspect(
    what: str, bundles: Path, site: Path | None, config: Path | None, *, as_json: bool
) -> None:
    """Show a record: numbers, paper, checks, events, timestamps, citations, links.

    ID is a Pith Number, its suffix, a short form of 8, 12 or 16 letters, an arXiv id with or
    without version, or a DOI. If several records match, they are listed. FILE is a bundle, or a
    file of several.
    """
    identifier = parse_identifier(what)
    try:
        configuration = read_configuration(Path(what) if identifier is None else bundles, config)
        found = _inspections(what, identifier, site or bundles, configuration, site=site)
    except MirrorError as error:
        stop(error)
    if as_json:
        for inspection in found:
            click.echo(json.dumps(inspection_json(inspection), separators=(",", ":")))
    elif len(found) == 1:
        root = f"{site}/" if site is not None else ""
        echo_lines(inspection_lines(found[0], configuration, site=root))
    else:
        for inspection in found:
            echo_lines(match_lines(inspection))
    if any(inspection.faulty for inspection in found):
        sys.exit(ExitCode.REJECTED)


@click.command()
@click.option(
    "--bundles",
    type=click.Path(path_type=Path, exists=True),
    metavar="DIR",
    help="Also count what each key signed in these bundles.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@config_option
def keys(bundles: Path | None, config: Path | None, *, as_json: bool) -> None:
    """List the trusted keys: signer, roles, fingerprints, window, revocation, rotation.

    With --bundles also what each of them signed, which next keys they announce that are not
    trusted, and which other keys the bundles name.
    """
    try:
        configuration = read_configuration(bundles or Path("bundles"), config)
        use = None if bundles is None else _key_use(bundles, configuration)
    except MirrorError as error:
        stop(error)
    trust = configuration.trust
    if as_json:
        click.echo(json.dumps(keys_json(trust, use), separators=(",", ":")))
    else:
        echo_lines(key_lines(trust, use))


def _inspections(
    what: str,
    identifier: Identifier | None,
    folder: Path,
    configuration: Configuration,
    *,
    site: Path | None,
) -> tuple[Inspection, ...]:
    if identifier is None:
        if not Path(what).exists():
            raise InputError(repr(what), expected=f"{FORMS}, or a file", found="neither")
        loaded = load_named(Path(what))
    else:
        loaded = load_named(folder) if site is None else _site_bundles(site, identifier)
    found = search(loaded, identifier, configuration)
    if identifier is not None and found.unreadable:
        click.echo(f"{folder}: {found.unreadable} could not be read", err=True)
    if found.left_out:
        click.echo(f"{found.left_out} further bundles match and are left out", err=True)
    if not found.reports:
        place = str(folder) if identifier is not None else what
        raise InputError(place, expected=f"a bundle of {what}", found="none")
    return inspections(found.reports, configuration)


def _site_bundles(site: Path, identifier: Identifier) -> Iterator[Loaded]:
    start = identifier.suffix_start
    for folder in sorted((site / "pith").glob(f"{start}*/")):
        if (folder / "bundle.json").is_file():
            yield from load_named(folder / "bundle.json")


def _key_use(bundles: Path, configuration: Configuration) -> KeyUse:
    use = count_key_use(load_named(bundles), configuration)
    if not use.bundles:
        raise InputError(str(bundles), expected="one or more bundles", found="none")
    return use

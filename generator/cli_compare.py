"""`pith-mirror merge` and `pith-mirror diff`."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path

import click

from generator.cli_setup import config_option, echo_lines, load_named, read_configuration, stop
from generator.compare import (
    Change,
    RecordDiff,
    compare_record,
    diff_json,
    diff_lines,
    gained_record,
    lost_record,
)
from generator.config import Configuration
from generator.errors import ExitCode, InputError, MirrorError, OutputError, RejectedError
from generator.formats.checks import Verdict
from generator.formats.raw import RawBundle
from generator.holdings import Holdings, Side
from generator.record_files import known_record
from generator.seen import Seen, is_state, read_state, seen_as_state, seen_record
from generator.terminal import Line
from generator.union import Union, admitted_report, unite


@click.command()
@click.argument(
    "files",
    type=click.Path(path_type=Path, exists=True),
    nargs=-1,
    required=True,
    metavar="FILE...",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to write the union; without it the bytes go to stdout.",
)
@config_option
def merge(files: tuple[Path, ...], out: Path | None, config: Path | None) -> None:
    """Unite bundles of one record, from several mirrors, into one.

    Each bundle is verified first. If one of them holds every event of the others, its bytes are
    the union; only else the union is spelled anew. The order of the files changes nothing.
    """
    try:
        configuration = read_configuration(files[0], config)
        union = unite([raw for path in files for raw in _bundles(path)], configuration)
        _write(out, union.data)
    except MirrorError as error:
        stop(error)
    click.echo(_union_text(union), err=True)
    if union.verdict is Verdict.DISPUTED:
        sys.exit(ExitCode.REJECTED)


@click.command()
@click.argument("old", type=click.Path(path_type=Path, exists=True))
@click.argument("new", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object a record, then the counts."
)
@config_option
def diff(old: Path, new: Path, config: Path | None, *, as_json: bool) -> None:
    """Say what NEW gained, lost and changed against OLD.

    Both are bundles, state.json files, or folders or archives of bundles. A bundle may also be
    compared with a state. A record or an event that is lost is an alarm: then the exit code is 3.
    """
    try:
        configuration = read_configuration(old, config)
        documents = (_single_document(old), _single_document(new))
        if documents[0] is not None and documents[1] is not None:
            diffs = _compare_documents(documents[0], documents[1], configuration)
            counts = _print_diffs(diffs, equal=0, as_json=as_json, all_of_them=True)
        else:
            _refuse_state_beside_collection(documents)
            with closing(Holdings(configuration)) as holdings:
                _fill(holdings, old, new)
                counts = _print_diffs(
                    holdings.differences(),
                    equal=holdings.equal_count(),
                    as_json=as_json,
                    all_of_them=False,
                )
    except MirrorError as error:
        stop(error)
    if counts["alarms"]:
        sys.exit(ExitCode.REJECTED)


def _bundles(path: Path) -> Iterator[RawBundle]:
    for loaded in load_named(path):
        if not isinstance(loaded, RawBundle):
            error = loaded.error
            raise RejectedError(loaded.origin, expected=error.expected, found=error.found)
        yield loaded


def _single_document(path: Path) -> RawBundle | None:
    """Read a file that holds one document; a folder, or a file of several, is a collection."""
    if path.is_dir():
        return None
    found = list(islice(load_named(path), 2))
    return found[0] if len(found) == 1 and isinstance(found[0], RawBundle) else None


def _refuse_state_beside_collection(documents: Iterable[RawBundle | None]) -> None:
    for document in documents:
        if document is not None and is_state(document.data):
            raise InputError(
                document.origin,
                expected="a bundle, to be compared with a collection of bundles",
                found="a state",
            )


def _compare_documents(
    old: RawBundle, new: RawBundle, configuration: Configuration
) -> tuple[RecordDiff, ...]:
    as_state = is_state(old.data) or is_state(new.data)
    before, after = (_seen(raw, configuration, as_state=as_state) for raw in (old, new))
    if before.pith_number == after.pith_number:
        return (compare_record(before, after),)
    return (lost_record(before), gained_record(after))


def _seen(raw: RawBundle, configuration: Configuration, *, as_state: bool) -> Seen:
    if is_state(raw.data):
        return read_state(raw.data, subject=raw.origin)
    known = known_record(admitted_report(raw, configuration), configuration)
    return seen_as_state(known) if as_state else seen_record(known)


def _fill(holdings: Holdings, old: Path, new: Path) -> None:
    for side, path in ((Side.OLD, old), (Side.NEW, new)):
        for loaded in load_named(path):
            holdings.add(side, loaded)
        unread = holdings.nameless_count(side)
        if unread:
            click.echo(f"{path}: {unread} that are no bundle of any record", err=True)
        if not holdings.bundle_count(side):
            # Everything would be lost, or gained: it is a wrong path more often than that.
            raise InputError(str(path), expected="one or more bundles", found="none")


def _print_diffs(
    diffs: Iterable[RecordDiff], *, equal: int, as_json: bool, all_of_them: bool
) -> Counter[str]:
    counts = Counter({change.value: 0 for change in Change} | {"alarms": 0})
    counts[Change.EQUAL.value] = equal
    for difference in diffs:
        counts[difference.change.value] += 1
        counts["alarms"] += difference.is_alarm
        if difference.change is Change.EQUAL and not all_of_them:
            continue
        if as_json:
            click.echo(json.dumps(diff_json(difference), separators=(",", ":")))
        else:
            echo_lines(diff_lines(difference))
    if as_json:
        click.echo(json.dumps({"records": dict(counts)}, separators=(",", ":")))
    else:
        names = ", ".join(f"{counts[change.value]} {change.value}" for change in Change)
        alarm = f"; ALARM: {counts['alarms']} with a loss" if counts["alarms"] else ""
        echo_lines([Line(f"records: {names}{alarm}")])
    return counts


def _union_text(union: Union) -> str:
    lines = [f"{origin}: {_events(count)}" for origin, count in union.parts]
    how = f"the bytes of {union.as_received}" if union.as_received else "spelled anew"
    lines.append(f"union: {_events(union.event_count)}, {how}")
    lines.append(f"{union.pith_number}: {union.verdict.value}")
    lines.append(f"state_sha256 {union.state_sha256}")
    return "\n".join(lines)


def _events(count: int) -> str:
    return f"{count} {'event' if count == 1 else 'events'}"


def _write(out: Path | None, data: bytes) -> None:
    if out is None:
        click.echo(data, nl=False)
        return
    try:
        # A link is followed; a device or a pipe is not replaced by a file.
        target = out.resolve()
        if target.exists() and not target.is_file():
            raise OutputError(str(out), expected="a file, or nothing yet", found="something else")
        _replace(target, data)
    except OSError as error:
        found = error.strerror or "an error"
        raise OutputError(str(out), expected="a place to write to", found=found) from error


def _replace(target: Path, data: bytes) -> None:
    staged = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with staged.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        staged.replace(target)
    except OSError:
        with suppress(OSError):
            staged.unlink()
        raise

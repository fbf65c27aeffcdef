"""What every command needs at the door: the configuration, the files, and how to print and stop."""

from __future__ import annotations

import errno
import io
import logging
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from generator.config import Configuration, Profile, parse_configuration
from generator.errors import ConfigurationError, ExitCode, MirrorError, OutputError
from generator.limits import shorten
from generator.load import Loaded, load_bundles
from generator.resources import find_configuration
from generator.terminal import DEFAULT_WIDTH, Line, Tone, wrap_lines

CONTEXT_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_ORIGIN_LENGTH = 400  # characters of a path that a message quotes
_CANNOT_WRITE = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF))
_COLOURS = {Tone.GOOD: "green", Tone.BAD: "red", Tone.UNSURE: "yellow"}
_Command = TypeVar("_Command", bound=Callable[..., None])


def config_option(command: _Command) -> _Command:
    """Give a command the option `--config`.

    Args:
        command: the function of a command.

    Returns:
        The same, with the option.
    """
    return click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Configuration.  [default: mirror.toml beside the bundles, else in the working "
        "folder, else the packaged one]",
    )(command)


def profile_option(command: _Command) -> _Command:
    """Give a command the option `--profile`.

    Args:
        command: the function of a command.

    Returns:
        The same, with the option.
    """
    return click.option(
        "--profile",
        type=click.Choice([profile.value for profile in Profile]),
        help="Which files of each record are written.  [default: as configured, else full]",
    )(command)


def with_profile(configuration: Configuration, profile: str | None) -> Configuration:
    """Put the profile of the command line in place of the configured one.

    Args:
        configuration: as read.
        profile: what `--profile` names, if anything.

    Returns:
        The configuration that counts.
    """
    if profile is None:
        return configuration
    presentation = replace(configuration.presentation, profile=Profile(profile))
    return replace(configuration, presentation=presentation)


def read_configuration(bundles: Path, config: Path | None) -> Configuration:
    """Read the configuration that counts.

    Args:
        bundles: the folder or file of bundles.
        config: what `--config` names, if anything.

    Returns:
        The configuration.

    Raises:
        ConfigurationError: it cannot be read or is wrong.
        InputError: the installation is damaged.
    """
    path = config or find_configuration(bundles, Path.cwd())
    configuration = parse_configuration(
        _read_file(path), name=str(path), read=lambda name: _read_file(path.parent / name)
    )
    presentation = configuration.presentation
    if not presentation.templates:
        return configuration
    # As every file that it names, relative to the configuration and not to where we were started.
    templates = path.parent / presentation.templates
    if not templates.is_dir():
        raise ConfigurationError(
            f"{path}, build.templates", expected="a folder", found=f"no folder {templates}"
        )
    return replace(configuration, presentation=replace(presentation, templates=str(templates)))


def load_named(path: Path) -> Iterator[Loaded]:
    """Load bundles under names that tell the files of several folders apart.

    Args:
        path: a folder or a file, as a person named it.

    Yields:
        What `load_bundles` gives, each with the way to it in its origin.

    Raises:
        InputError: the folder is missing or unreadable.
    """
    folder = path if path.is_dir() else path.parent
    for loaded in load_bundles(path):
        origin = shorten(str(folder / loaded.origin), limit=_ORIGIN_LENGTH)
        yield replace(loaded, origin=origin)


class Door(click.Group):
    """The group of all commands; what cannot be printed ends it without a traceback."""

    def main(self, *args: Any, **extra: Any) -> Any:  # noqa: ANN401 - click's own signature
        """Run a command, as click does."""
        try:
            return super().main(*args, **extra)
        except OSError as error:
            if error.errno not in _CANNOT_WRITE:
                raise
            where = OutputError(
                "output", expected="a place that takes it", found=error.strerror or str(error)
            )
            with suppress(OSError):
                click.echo(f"pith-mirror: {where}", err=True)
            # The stream still holds what it could not write, and would fail once more at the end.
            os._exit(ExitCode.OUTPUT)


def prepare_streams() -> None:
    """Let no character that a terminal's encoding lacks end the program with a traceback.

    The TeX library logs what it cannot decode; that is no news to an operator, since such text is
    shown as written.
    """
    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def echo_lines(lines: Iterable[Line]) -> None:
    """Print lines on stdout, wrapped to the terminal and in colour only where that is wanted.

    Args:
        lines: in order.
    """
    # https://no-color.org: set to anything but the empty string. Without a terminal click strips.
    colour = False if os.environ.get("NO_COLOR") else None
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else DEFAULT_WIDTH
    for text, tone in wrap_lines(lines, width=width):
        styled = click.style(text, fg=_COLOURS.get(tone), bold=tone is Tone.HEADING or None)
        click.echo(styled if text else text, color=colour)


def stop(error: MirrorError) -> NoReturn:
    """End the program with an error's message and exit code.

    Args:
        error: what went wrong.
    """
    click.echo(f"pith-mirror: {error}", err=True)
    sys.exit(error.exit_code)


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            str(path), expected="a readable file", found=error.strerror or "an error"
        ) from error

"""docs/cli.md says what the command line does, in the words of its own help."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from generator.cli import main
from generator.errors import EXIT_MEANINGS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cli.md"
assert isinstance(main, click.Group)
# Options that click itself adds.
BUILT_IN = {"--help", "--version"}


def plain(text: str) -> str:
    """Reduce Markdown and help text to the words both have.

    Args:
        text: Markdown or help.

    Returns:
        The text without backticks, table bars and doubled spaces.
    """
    return " ".join(re.sub(r"[`|]|\\", " ", text).split())


def section(command: str) -> str:
    """Give the part of the page that speaks of one command.

    Args:
        command: its name.

    Returns:
        Everything from the heading `pith-mirror <command>` to the next heading of that level.
    """
    text = PAGE.read_text(encoding="utf-8")
    match = re.search(
        rf"^## `?pith-mirror {command}\b.*?(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL
    )
    assert match, f"docs/cli.md has no section `pith-mirror {command}`"
    return match.group()


def records() -> list[tuple[str, str, str]]:
    """List every parameter of every command.

    Returns:
        Command, spelling with metavar, help text; options have all three.
    """
    found = []
    for name, command in sorted(main.commands.items()):
        context = click.Context(command, info_name=name)
        for parameter in command.get_params(context):
            record = parameter.get_help_record(context)
            if record is not None and "--help" not in record[0]:
                found.append((name, *record))
    return found


@pytest.mark.parametrize("name", sorted(main.commands))
def test_command_is_described_as_in_its_help(name: str) -> None:
    """The page has a section for each command, with the help's own text and usage."""
    command = main.commands[name]
    text = plain(section(name))
    assert plain(command.help or "") in text
    usage = " ".join(command.collect_usage_pieces(click.Context(command, info_name=name)))
    assert plain(f"pith-mirror {name} {usage}") in text


@pytest.mark.parametrize(("name", "spelling", "text"), records())
def test_option_is_described_as_in_the_help(name: str, spelling: str, text: str) -> None:
    """Each option stands in its command's section with the spelling and words of --help."""
    words = plain(section(name))
    assert plain(spelling) in words
    assert plain(text) in words


def test_page_describes_no_option_that_does_not_exist() -> None:
    """Every long option that the page names is one that some command has."""
    options = {
        option
        for command in main.commands.values()
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", PAGE.read_text(encoding="utf-8")))
    assert named
    assert named - options - BUILT_IN == set()


def test_exit_codes_are_those_of_the_program() -> None:
    """The table of exit codes on the page has the codes and meanings of generator/errors.py."""
    rows = re.findall(r"^\| `?(\d+)`? \| (.+?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [(int(code), meaning) for code, meaning in rows] == [
        (int(code), meaning) for code, meaning in EXIT_MEANINGS.items()
    ]

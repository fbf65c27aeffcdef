"""errors.py: one tree, one line a message, one exit code a branch."""

from __future__ import annotations

import pickle

import pytest

from generator.errors import (
    EXIT_MEANINGS,
    ConfigurationError,
    ExitCode,
    FormatError,
    InputError,
    LoadError,
    MirrorError,
    OutputError,
    RejectedError,
    RenderError,
)

CODES = {
    MirrorError: 1,
    FormatError: 1,
    LoadError: 1,
    RejectedError: 3,
    ConfigurationError: 5,
    InputError: 6,
    OutputError: 7,
    RenderError: 8,
}


def test_message_says_subject_expected_and_found() -> None:
    """The message of an error is one line with what was looked at, expected and found."""
    error = FormatError("a.json", expected="an object", found="null")
    assert str(error) == "a.json: expected an object, found null"


def test_hint_stands_behind_the_message() -> None:
    """A hint follows in brackets where there is one."""
    error = OutputError("site", expected="a folder", found="a file", hint="move it away")
    assert str(error) == "site: expected a folder, found a file (move it away)"


@pytest.mark.parametrize("kind", list(CODES), ids=lambda kind: kind.__name__)
def test_error_survives_pickling(kind: type[MirrorError]) -> None:
    """Every class comes whole out of a process pool."""
    error = kind("s", expected="e", found="f", hint="h")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes, made in this line
    assert type(again) is kind
    assert (again.subject, again.expected, again.found, again.hint) == ("s", "e", "f", "h")
    assert str(again) == str(error)


@pytest.mark.parametrize(("kind", "code"), list(CODES.items()))
def test_branch_has_its_exit_code(kind: type[MirrorError], code: int) -> None:
    """Each branch of the tree that ends a command has a code of its own."""
    assert kind.exit_code == code


def test_every_class_of_the_tree_is_known_here() -> None:
    """No class joins the tree without an exit code in this table."""
    assert {MirrorError, *MirrorError.__subclasses__()} == set(CODES)


def test_every_exit_code_has_a_meaning() -> None:
    """The table for people and the codes are one list, and no two meanings are the same."""
    assert list(EXIT_MEANINGS) == list(ExitCode)
    assert len(set(EXIT_MEANINGS.values())) == len(ExitCode)


def test_exit_codes_are_stable() -> None:
    """Scripts depend on the numbers, so they are held one by one."""
    assert {code.name: code.value for code in ExitCode} == {
        "OK": 0,
        "BUG": 1,
        "USAGE": 2,
        "REJECTED": 3,
        "STRICT": 4,
        "CONFIGURATION": 5,
        "INPUT": 6,
        "OUTPUT": 7,
        "RENDER": 8,
    }

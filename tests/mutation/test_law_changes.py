"""Each law of merging can fail: a wrong line in the merge breaks it (`mutate_laws.py`)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.mutate_laws import CHANGES, changed
from tests.property import test_merge_laws, test_standing_laws
from tests.property.merge_pool import EXAMPLES

SCRIPT = Path(__file__).resolve().parent / "mutate_laws.py"


@pytest.mark.slow
def test_every_law_is_broken_by_its_change() -> None:
    """The script that changes one line at a time finds every law broken by the line it names."""
    command = [sys.executable, str(SCRIPT)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    count = len(CHANGES)
    assert finished.stdout == f"{count} laws, {count} broken by a change\n"
    assert finished.returncode == 0


def test_every_law_has_a_change() -> None:
    """The laws that are to be broken are all laws there are, each once."""
    modules = (test_merge_laws, test_standing_laws)
    laws = sorted(n for module in modules for n in vars(module) if n.startswith("test_"))
    assert sorted(change.law for change in CHANGES) == laws


def test_laws_are_tried_on_ten_thousand_sets_of_events() -> None:
    """All laws together, but for one that costs more, are tried on 10,000 examples or more."""
    assert EXAMPLES * (len(CHANGES) - 1) >= 10_000


def test_each_change_is_one_line_of_its_module() -> None:
    """Every change finds its line once in the module, and leaves one that can be compiled."""
    for change in CHANGES:
        compile(changed(change), change.module, "exec")

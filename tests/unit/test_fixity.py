"""fixity.py: lines of a manifest are hostile input; names are judged for every file system."""

from __future__ import annotations

import json

import pytest

from generator.errors import FormatError
from generator.fixity import (
    Entry,
    Fault,
    FaultKind,
    OnDisk,
    compare,
    fault_line,
    parse_entry,
    portability_faults,
)

GOOD = {"path": "a/b.json", "sha256": "a" * 64, "length": 3, "media_type": "application/json"}
ENTRY = Entry("a/b.json", "a" * 64, 3)


def test_line_is_read() -> None:
    """A line as a build spells it gives its entry and its media type."""
    assert parse_entry(json.dumps(GOOD).encode(), subject="x") == (ENTRY, "application/json")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        json.dumps({**GOOD, "more": 1}).encode(),
        json.dumps({**GOOD, "path": "manifest.json"}).encode(),
        *(json.dumps({**GOOD, "path": path}).encode() for path in ("../a", "/a", "a//b", "", 1)),
        *(json.dumps({**GOOD, "length": length}).encode() for length in (-1, True, 1.5, "3")),
        *(json.dumps({**GOOD, "sha256": digest}).encode() for digest in ("a", "A" * 64, None)),
        json.dumps(GOOD).encode()[:-1] + b',"path":"c"}',
    ],
)
def test_line_of_another_shape_is_refused(line: bytes) -> None:
    """Other keys, types, spellings and places are each refused."""
    with pytest.raises(FormatError):
        parse_entry(line, subject="x")


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        (OnDisk(length=3, sha256="a" * 64), None),
        (OnDisk(length=3, sha256="b" * 64), FaultKind.CHANGED),
        (OnDisk(length=4, sha256="a" * 64), FaultKind.LENGTH),
        (OnDisk(FaultKind.MISSING, "none"), FaultKind.MISSING),
        (OnDisk(FaultKind.UNREADABLE, "an error"), FaultKind.UNREADABLE),
    ],
)
def test_file_is_compared_with_its_line(found: OnDisk, kind: FaultKind | None) -> None:
    """The first difference of a file from its line names the fault."""
    fault = compare(ENTRY, found)
    assert (fault and fault.kind) == kind


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("a/con/x", 1),
        ("a/Nul.tar.gz", 1),
        ("lpt1", 1),
        ("a./b ", 2),
        ("x/" * 121, 1),
        ("a/console/com10/w-con.js", 0),
        (".nojekyll", 0),
    ],
)
def test_names_that_some_systems_cannot_hold(path: str, count: int) -> None:
    """Reserved names, dots and spaces at an end and long paths are warnings, others are not."""
    found = list(portability_faults(path))
    assert len(found) == count
    assert all(fault.is_warning for fault in found)


def test_line_for_a_person_has_no_control_character() -> None:
    """Names and values of a hostile site are printed escaped."""
    text = fault_line(Fault(FaultKind.EXTRA, "a\x1b[2J\n", "x\x07", "\u202e"))
    assert text.isprintable()

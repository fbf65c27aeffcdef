"""Full-text search by Pagefind: the same bytes every time, and a whole site without it."""

from __future__ import annotations

import gzip
import importlib
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from generator import full_text
from generator.config import Configuration, Presentation
from generator.full_text import FullText, make_full_text
from generator.layout import is_site_path
from generator.limits import DEFAULT_LIMITS, Limits
from generator.media_types import media_type
from generator.record_files import RecordUnit
from tests.factories import ROOT
from tests.machine_inputs import HOSTILE, MIRROR, changed, inputs_of, units


def full_text_of(
    folder: Path,
    records: Sequence[RecordUnit],
    configuration: Configuration = MIRROR,
    limits: Limits = DEFAULT_LIMITS,
) -> FullText:
    """Make the files of full-text search."""
    with inputs_of(folder, records, configuration) as inputs:
        return make_full_text(inputs.catalogue, inputs.configuration, limits=limits)


def test_files_are_what_a_browser_needs(tmp_path: Path) -> None:
    """Script, worker, program, entry, index and a fragment a record; no user interface."""
    made = full_text_of(tmp_path, units(7))
    assert made.left_out == ""
    paths = [file.path for file in made.files]
    assert paths == sorted(paths)
    fragments = [
        path for path in paths if re.fullmatch(r"pagefind/fragment/\w+\.pf_fragment", path)
    ]
    assert len(fragments) == 7
    others = [re.sub("en_[0-9a-f]+", "en_#", path) for path in paths if path not in fragments]
    assert others == [
        "pagefind/index/en_#.pf_index",
        "pagefind/pagefind-entry.json",
        "pagefind/pagefind-worker.js",
        "pagefind/pagefind.en_#.pf_meta",
        "pagefind/pagefind.js",
        "pagefind/wasm.en.pagefind",
    ]
    assert all(map(is_site_path, paths))
    assert all(file.data for file in made.files)
    assert media_type("pagefind/pagefind.js") == "text/javascript; charset=utf-8"
    assert media_type(fragments[0]) == media_type(paths[-1]) == "application/octet-stream"


def test_fragment_says_what_a_result_shows(tmp_path: Path) -> None:
    """A fragment leads to the record's page and holds abstract, authors, ids and verdict."""
    unit = changed(units(1)[0], abstract="On things.", warnings=("withdrawn",))
    files = full_text_of(tmp_path, [unit]).files
    (data,) = [file.data for file in files if file.path.endswith(".pf_fragment")]
    fragment = json.loads(gzip.decompress(data).removeprefix(b"pagefind_dcd"))
    record = unit.catalogued
    assert fragment["url"] == f"pith/{record.suffix}/index.html"
    for text in ("Paper 0", "Hervé Exemplaire", "On things.", record.pith_number, "cs.DC"):
        assert text in fragment["content"]
    assert fragment["meta"] == {
        "title": "Paper 0",
        "authors": ", ".join(record.authors),
        "author_count": "3",
        "date": "2010-05-01",
        "suffix": record.suffix,
        "verdict": "verified",
        "warnings": "withdrawn",
    }


def test_order_of_reading_changes_nothing(tmp_path: Path) -> None:
    """The same records give the same bytes, in whichever order they are read."""
    first = full_text_of(tmp_path / "a", units(20))
    assert full_text_of(tmp_path / "b", units(20)[::-1]) == first


_DIGEST_OF_FILES = """
import hashlib, pathlib, sys
from tests.integration.test_full_text import full_text_of
from tests.machine_inputs import units
made = full_text_of(pathlib.Path(sys.argv[1]), units(20))
assert made.files, made.left_out
print(hashlib.sha256(repr(made.files).encode()).hexdigest())
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no way to take cores away")
def test_number_of_cores_changes_nothing(tmp_path: Path) -> None:
    """One core and another time zone, language and hash seed: the same bytes."""
    core = min(os.sched_getaffinity(0))
    digests = {
        subprocess.run(
            [sys.executable, "-c", _DIGEST_OF_FILES, str(tmp_path / name)],
            cwd=ROOT,
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": name, "TZ": f"UTC+{name}", "LC_ALL": language},
            preexec_fn=limit,
        ).stdout
        for name, language, limit in (
            ("1", "C.UTF-8", None),
            ("2", "C", lambda: os.sched_setaffinity(0, {core})),
        )
    }
    assert len(digests) == 1


def test_hostile_text_is_indexed(tmp_path: Path) -> None:
    """No title or name stops the index, and none is left out of it."""
    unit = changed(units(1)[0], title=HOSTILE, authors=(HOSTILE,), abstract=HOSTILE)
    made = full_text_of(tmp_path, [unit])
    assert made.left_out == ""
    assert sum(file.path.endswith(".pf_fragment") for file in made.files) == 1


def test_not_asked_for(tmp_path: Path) -> None:
    """A mirror that wants no full-text search has no files of it, and nothing to say."""
    quiet = replace(MIRROR, presentation=Presentation(full_text_search=False))
    assert full_text_of(tmp_path / "a", units(1), quiet) == FullText()
    assert full_text_of(tmp_path / "b", ()) == FullText()


def test_too_many_records(tmp_path: Path) -> None:
    """Above the limit the files are left out, with the reason; at the limit they are made."""
    limits = replace(DEFAULT_LIMITS, full_text_max_count=2)
    assert full_text_of(tmp_path / "a", units(2), limits=limits).files
    made = full_text_of(tmp_path / "b", units(3), limits=limits)
    assert made == FullText(left_out=made.left_out)
    assert made.left_out.startswith("full-text search is left out: 3 records are more than the 2")


def test_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package the files are left out, and the reason says how to get it."""
    monkeypatch.setattr(full_text, "_PACKAGES", ("no_such_package_of_pagefind",))
    made = full_text_of(tmp_path, units(1))
    assert made == FullText(left_out=made.left_out)
    assert 'install "pith-mirror[search]"' in made.left_out


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 1", "Pagefind failed: "),
        ("head -c 1 >/dev/null; printf 'not base64,'; cat >/dev/null", "Pagefind failed: "),
        ("head -c 1 >/dev/null; printf 'e30=,'; cat >/dev/null", "expected NewIndex"),
        ("head -c 1 >/dev/null; printf 'MTI=,'; cat >/dev/null", "Pagefind failed: "),
    ],
)
def test_program_that_fails(
    script: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that ends early or answers nonsense leaves a site without full-text search."""
    program = tmp_path / "pagefind"
    program.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n")
    program.chmod(stat.S_IRWXU)
    package = importlib.import_module("pagefind_bin")
    monkeypatch.setattr(package, "get_executable", lambda: program)
    made = full_text_of(tmp_path / "inputs", units(1))
    assert made == FullText(left_out=made.left_out)
    assert reason in made.left_out
    assert made.left_out.isprintable()


def test_program_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package without its program is one more reason to go without."""
    package = importlib.import_module("pagefind_bin")
    monkeypatch.setattr(package, "get_executable", lambda: tmp_path / "none")
    assert "Pagefind failed" in full_text_of(tmp_path / "inputs", units(1)).left_out

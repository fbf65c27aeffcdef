"""site_oai.py: the static repository file, whole and valid, or none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator.limits import Limits
from generator.site_oai import admin_email, oai_files
from tests.machine_inputs import BASE_URL, HOSTILE, MIRROR, changed, files_of, unit_of, units
from tests.vectors.builders import PAPER, bundle_of
from tests.xml_checks import DC, OAI, oai_faults, parse

OWN = f"{BASE_URL}oai-static.xml"


def repository(folder: Path, *records: object, **fields: object) -> bytes:
    """Make the file of some records, with changes to the mirror."""
    configuration = replace(MIRROR, **fields)  # type: ignore[arg-type] # the test's own
    files = files_of(oai_files, folder, records, configuration)  # type: ignore[arg-type]
    assert list(files) == ["oai-static.xml"]
    return files["oai-static.xml"]


def texts(data: bytes, name: str) -> list[str]:
    """Give the text of each element of a name."""
    return [element.text or "" for element in parse(data).iter(name)]


def test_file_is_a_static_repository(tmp_path: Path) -> None:
    """Structure, order and namespaces are those of the specification; days are of the change."""
    data = repository(tmp_path, *units(3))
    assert oai_faults(data) == []
    assert texts(data, f"{OAI}adminEmail") == ["mirror@library.example"]
    assert texts(data, f"{OAI}datestamp") == ["2026-05-18"] * 3
    assert texts(data, f"{OAI}earliestDatestamp") == ["2026-05-18"]


def test_base_url_is_that_of_the_gateway(tmp_path: Path) -> None:
    """With a gateway baseURL is its address and this file's without scheme; without, it says so."""
    gateway = replace(MIRROR.presentation, oai_gateway="https://gateway.example/oai/")
    data = repository(tmp_path, *units(1), presentation=gateway)
    expected = "https://gateway.example/oai/mirror.example/pith/oai-static.xml"
    assert texts(data, f"{OAI}baseURL") == [expected]
    assert b"No gateway is configured" not in data
    without = repository(tmp_path, *units(1))
    assert texts(without, f"{OAI}baseURL") == [OWN]
    assert b"<!-- No gateway is configured" in without


def test_dublin_core_says_what_is_known_and_how(tmp_path: Path) -> None:
    """Title, creators and identifiers are there; a note says whose word the creators are."""
    unit = unit_of(bundle_of(PAPER))
    data = repository(tmp_path, unit)
    assert texts(data, f"{DC}title") == [unit.catalogued.title]
    assert texts(data, f"{DC}creator") == list(unit.catalogued.authors)
    assert texts(data, f"{DC}date") == ["2023-05-02"]
    assert texts(data, f"{DC}identifier") == [
        unit.catalogued.pith_number,
        f"{BASE_URL}pith/{unit.catalogued.suffix}/",
        "https://arxiv.org/abs/2305.01234v2",
    ]
    assert texts(data, f"{DC}rights") == [PAPER.license]
    notes = [text for text in texts(data, f"{DC}description") if text.startswith("Note:")]
    assert len(notes) == 1
    assert "creators are on the word of the snapshot's signer" in notes[0]


def test_notes_say_what_is_missing_or_withdrawn(tmp_path: Path) -> None:
    """A withdrawn record without a title and with a carried abstract says all three."""
    unit = changed(
        unit_of(bundle_of(PAPER)), title="", warnings=("withdrawn",), abstract_known="carried"
    )
    data = repository(tmp_path, unit)
    assert oai_faults(data) == []
    assert texts(data, f"{DC}title") == []
    notes = " ".join(texts(data, f"{DC}description"))
    for words in ("is withdrawn", "title is not known", "cannot check, not proven"):
        assert words in notes


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    """Markup and characters that XML forbids come out as text."""
    unit = changed(unit_of(bundle_of(PAPER)), title=HOSTILE, authors=(HOSTILE,), abstract=HOSTILE)
    data = repository(tmp_path, unit, title="<&\"'>")
    assert oai_faults(data) == []
    assert b"<script" not in data
    assert "]]><script>&\"'" in texts(data, f"{DC}title")[0]


@pytest.mark.parametrize(
    "fields",
    [{"base_url": ""}, {"operator": "nobody to be reached"}, {"example_registry": True}],
)
def test_no_file_where_something_is_missing(tmp_path: Path, fields: dict[str, object]) -> None:
    """Without an address, without an e-mail address, and of examples there is no file."""
    configuration = replace(MIRROR, **fields)  # type: ignore[arg-type] # the test's own
    assert files_of(oai_files, tmp_path, units(1), configuration) == {}


def test_no_file_of_no_record_or_of_too_many(tmp_path: Path) -> None:
    """A part of the records would look like all of them, so beyond the limit there is no file."""
    limits = Limits(oai_records_max_count=2)
    for count, expected in ((0, 0), (2, 1), (3, 0)):
        files = files_of(lambda inputs: oai_files(inputs, limits=limits), tmp_path, units(count))
        assert len(files) == expected, count


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ("Example Library, mirror@library.example", "mirror@library.example"),
        ("Ada <ada.t+pith@a-b.example>, or phone", "ada.t+pith@a-b.example"),
        ("@nobody, nobody@localhost", ""),
        ("", ""),
    ],
)
def test_address_is_found_in_the_operator(operator: str, expected: str) -> None:
    """The first e-mail address in what the mirror says of its operator counts."""
    assert admin_email(replace(MIRROR, operator=operator)) == expected

"""citation_export.py: BibTeX, RIS and CSL-JSON say the same, and what is not proven."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from generator.citation_export import (
    Citation,
    citation_files,
    citation_texts,
    cite_record,
    spell_bibtex,
    spell_csl,
    spell_ris,
)
from generator.limits import DEFAULT_LIMITS
from generator.names import PersonName
from tests.citation_readers import (
    bibtexparser_fields,
    csl_item,
    pybtex_entry,
    pybtex_names,
    rendered,
    ris_reference,
    typeset,
)
from tests.factories import known_of
from tests.vectors.builders import (
    PAPER,
    Json,
    bundle_of,
    bundle_with,
    creation_of,
    event_of,
    record_of,
    signed,
    snapshot_event,
    snapshot_of,
)

TITLE = "Deterministic merging of signed event sets in the Schrödinger picture"


def cited(bundle: Json, *, example: bool = False) -> Citation:
    """Cite the record of a bundle."""
    return cite_record(known_of(bundle), example=example)


def test_bibtex_is_read_back_by_two_parsers() -> None:
    """Title, authors, identifiers and date come back from bibtexparser and pybtex alike."""
    text = spell_bibtex(cited(bundle_of()))
    entry, fields = pybtex_entry(text), bibtexparser_fields(text)
    for found in (entry.fields, fields):
        assert typeset(found["title"]) == TITLE
        assert found["eprint"] == "2305.01234v2"
        assert found["archivePrefix"] == "arXiv"
        assert found["primaryClass"] == "cs.DC"
        assert found["doi"] == "10.48550/arxiv.2305.01234"
        assert found["url"] == "https://arxiv.org/abs/2305.01234v2"
        assert found["year"] == "2023"
    assert entry.fields["month"] == "May"
    assert (fields["ENTRYTYPE"], fields["ID"]) == ("misc", entry.key)
    assert pybtex_names(entry) == ["Ada Q. Testova", "Hervé Exemplaire", "J. M. Sample"]
    assert [(name.first, name.last) for name in fields["author"]] == [
        (["Ada", "Q."], ["Testova"]),
        (["Hervé"], ["Exemplaire"]),
        (["J.", "M."], ["Sample"]),
    ]


def test_ris_is_read_back() -> None:
    """The same comes back from a reader of RIS."""
    found = ris_reference(spell_ris(cited(bundle_of())))
    assert found["title"] == TITLE
    assert found["authors"] == ["Testova, Ada Q.", "Exemplaire, Hervé", "Sample, J. M."]
    assert found["doi"] == "10.48550/arxiv.2305.01234"
    assert found["year"] == "2023"
    assert found["date"] == "2023/05/02"
    assert found["accession_number"].startswith("pith:2023:")
    assert found["keywords"] == ["cs.DC", "cs.AI", "cs.LG"]


def test_csl_is_rendered_by_a_processor() -> None:
    """A citation processor makes a reference with authors, year, title and DOI of it."""
    item = csl_item(spell_csl(cited(bundle_of())))
    (reference,) = rendered([item])
    for part in ("Testova, A.Q.", "Exemplaire, H.", "(2023)", TITLE, item["DOI"]):
        assert part in reference


def test_ris_ends_every_line_with_cr_lf() -> None:
    """Each tag is a line with the two spaces and the dash of the format, ended by CR LF."""
    lines = spell_ris(cited(bundle_of())).split("\r\n")
    assert lines.pop() == ""
    assert all(line[2:6] == "  - " and "\n" not in line for line in lines)
    assert (lines[0], lines[-1]) == ("TY  - UNPB", "ER  - ")


def test_key_is_made_of_twelve_characters_of_the_id() -> None:
    """The key is the same in all three, valid in each, and as unique as the alias it is made of."""
    known = known_of(bundle_of())
    texts = dict(citation_files(known, example=False))
    key = f"pith{known.suffix[:12]}"
    assert pybtex_entry(texts["cite.bib"]).key == key
    assert ris_reference(texts["cite.ris"])["id"] == key
    assert csl_item(texts["cite.csl.json"])["id"] == key


def notes_of(bundle: Json, *, example: bool = False) -> list[tuple[str, str]]:
    """Give note and annotation of a record's citation from each format."""
    texts = dict(citation_files(known_of(bundle), example=example))
    fields = pybtex_entry(texts["cite.bib"]).fields
    ris, csl = ris_reference(texts["cite.ris"]), csl_item(texts["cite.csl.json"])
    return [
        (typeset(fields["note"]), typeset(fields["annote"])),
        (ris["notes"][0], ris["notes"][1]),
        (csl["note"], csl["annote"]),
    ]


def test_every_format_says_how_the_authors_are_known() -> None:
    """Reported authors are a signer's word, carried ones an unchecked snapshot's."""
    record = record_of(PAPER)
    unsigned = bundle_with(
        record, [creation_of(record), snapshot_event(record, snapshot_of(PAPER))]
    )
    for bundle, words in ((bundle_of(), "a signer says so"), (unsigned, "unchecked snapshot")):
        for _, annotation in notes_of(bundle):
            assert annotation.startswith("Title proven")
            assert f"Authors not proven: {'' if words[0] == 'a' else 'from an '}{words}" in (
                annotation
            )


def test_record_without_snapshot_has_neither_title_nor_authors() -> None:
    """What is not known is left out and said, and BibTeX still has something to sort by."""
    record = record_of(PAPER)
    citation = cited(bundle_with(record, [creation_of(record)]))
    fields = pybtex_entry(spell_bibtex(citation)).fields
    assert "title" not in fields
    assert "author" not in bibtexparser_fields(spell_bibtex(citation))
    assert fields["key"] == citation.pith_number
    assert fields["annote"] == "Title not known."
    assert "TI  -" not in spell_ris(citation)
    assert {"title", "author"}.isdisjoint(csl_item(spell_csl(citation)))


def test_withdrawn_and_example_records_say_so_in_the_printed_note() -> None:
    """A withdrawal and an invented record are named where a list of references prints it."""
    payload = {"about": "record", "reason": "The proof is wrong."}
    withdrawal = signed(event_of(record_of(PAPER), "withdrawal", payload, target="record"))
    for note, _ in notes_of(bundle_of(PAPER, withdrawal), example=True):
        assert note.endswith("an invented record of an example registry, withdrawn record")
    for note, _ in notes_of(bundle_of()):
        assert note == f"Pith Number {known_of(bundle_of()).state.pith_number}"


NAMES = {
    PersonName("Berg", "Jan", "van den"): ("van den Berg, Jan", "van den Berg, Jan"),
    PersonName("Van den Bussche", "Jan"): ("{Van den Bussche}, Jan", "Van den Bussche, Jan"),
    PersonName("King", "M. L.", suffix="Jr."): ("King, Jr., M. L.", "King, M. L., Jr."),
    PersonName(literal="A, B and C"): ("{A, B and C}", "A B and C"),
    PersonName("And", "X"): ("{X And}", "And, X"),
    PersonName(literal="others"): ("{others}", "others"),
    PersonName(literal="The {X} Team"): (
        r"{The \textbraceleft{}X\textbraceright{} Team}",
        "The {X} Team",
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_each_name_is_one_author_in_each_format(name: PersonName) -> None:
    """No comma, no brace and no word of a name makes two authors of it."""
    base = cited(bundle_of())
    bibtex, ris = NAMES[name]
    citation = replace(base, authors=(name, *base.authors[:1]))
    text = spell_bibtex(citation)
    assert f"author        = {{{bibtex} and Testova, Ada Q.}}" in text
    assert len(pybtex_names(pybtex_entry(text))) == 2
    assert ris_reference(spell_ris(citation))["authors"][0] == ris
    assert len(csl_item(spell_csl(citation))["author"]) == 2


def test_more_authors_than_are_listed_are_mentioned() -> None:
    """Where the list is cut, BibTeX says "and others" and the rest say so in words."""
    names = ", ".join(f"Ada N{n:04}" for n in range(1_500))
    citation = cited(bundle_of(replace(PAPER, authors=names)))
    assert citation.more_authors
    assert len(citation.authors) <= DEFAULT_LIMITS.listed_authors_max_count
    assert all("…" not in name.literal for name in citation.authors)
    assert spell_bibtex(citation).count(" and others}") == 1
    assert "There are more authors" in spell_ris(citation)
    assert "There are more authors" in csl_item(spell_csl(citation))["annote"]


def test_page_shows_what_the_files_hold() -> None:
    """The texts of a page are those of the files; one that is too long is left to its file."""
    known = known_of(bundle_of())
    files = dict(citation_files(known, example=False))
    texts = citation_texts(tuple(files.items()))
    assert [text.name for text in texts] == list(files)
    assert texts[0].text == files["cite.bib"].rstrip("\n")
    assert texts[1].text.replace("\n", "\r\n") + "\r\n" == files["cite.ris"]
    many = replace(PAPER, authors=", ".join(f"Ada Name{n}" for n in range(300)))
    long = citation_files(known_of(bundle_of(many)), example=False)
    assert [text.text for text in citation_texts(long)] == ["", "", ""]


def test_csl_has_a_variable_a_line() -> None:
    """The file is JSON that a person can read on the page."""
    text = spell_csl(cited(bundle_of()))
    assert len(text.splitlines()) == len(json.loads(text)[0]) + 2

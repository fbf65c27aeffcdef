"""Hostile titles and names come back from parsers as one title and one author each."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from generator.citation_export import Citation, cite_record, spell_bibtex, spell_csl, spell_ris
from generator.display import decode_tex, make_visible, shown_text, split_formulas
from generator.names import PersonName, parse_name
from generator.tex_text import title_tex
from tests.citation_readers import (
    bibtexparser_fields,
    csl_item,
    pybtex_entry,
    pybtex_names,
    ris_reference,
    typeset,
)
from tests.factories import known_of
from tests.vectors.builders import bundle_of

SPECIAL = "\\{}$%&#_^~@\"'=,;:-()<>|`[]*!?/ \n\r\t\u2028\u202e\u0085\x0bABab1é中"
LINES = st.sampled_from(["\nTY  - JOUR\nER  - ", "}, evil = {x", "\\input{x}", "@misc{a,", "%"])
HOSTILE = st.lists(
    st.text(st.sampled_from(SPECIAL), min_size=1, max_size=8) | LINES, min_size=1, max_size=6
).map(" ".join)
BASE = cite_record(known_of(bundle_of()), example=False)
FIELDS = {"author", "title", "year", "month", "eprint", "archivePrefix", "primaryClass", "doi"}
FIELDS |= {"url", "note", "annote", "key"}


def titled(raw: str) -> Citation:
    """A citation with another title, as a record would have it."""
    return replace(BASE, raw_title=raw, title=shown_text(raw, limit=1_000))


@given(HOSTILE)
def test_title_ends_no_field_and_begins_no_other(raw: str) -> None:
    """Two parsers find one entry with the known fields, and the title is what was written."""
    text = spell_bibtex(titled(raw))
    expected = title_tex(raw, limit=1_000)
    entry, fields = pybtex_entry(text), bibtexparser_fields(text)
    assert set(fields) - {"ENTRYTYPE", "ID"} <= FIELDS
    assert set(entry.fields) <= FIELDS
    if expected:
        assert fields["title"] == expected
        assert entry.fields["title"] == expected
    assert pybtex_names(entry) == ["Ada Q. Testova", "Hervé Exemplaire", "J. M. Sample"]


@given(HOSTILE)
def test_title_without_formula_typesets_as_the_page_shows_it(raw: str) -> None:
    """Escaping is undone by TeX: what is typeset is what the page shows."""
    folded = " ".join(raw.split())
    if any(formula for _, formula in split_formulas(folded)):
        return
    field = title_tex(raw, limit=1_000)
    assert typeset(field) == make_visible(decode_tex(folded))


@given(HOSTILE)
def test_title_injects_no_ris_tag(raw: str) -> None:
    """A reader of RIS finds one reference with the title on one line."""
    citation = replace(BASE, title=raw)
    reference = ris_reference(spell_ris(citation))
    expected = " ".join(raw.split())
    assert reference.get("title", "") == expected
    assert reference["type_of_reference"] == "UNPB"
    assert len(reference["authors"]) == 3


@given(HOSTILE)
def test_title_survives_csl(raw: str) -> None:
    """The title is the same after JSON."""
    citation = titled(raw)
    assert csl_item(spell_csl(citation)).get("title", "") == citation.title


@given(st.lists(HOSTILE.map(lambda text: " ".join(make_visible(text).split())), max_size=4))
def test_each_name_stays_one_name(names: list[str]) -> None:
    """However names are written, parsers count as many authors as there are."""
    people = tuple(parse_name(name) for name in names if name)
    citation = replace(BASE, authors=people)
    text = spell_bibtex(citation)
    assert len(pybtex_entry(text).persons.get("author", [])) == len(people)
    found = bibtexparser_fields(text).get("author", [])
    assert len(found) == len(people)
    authors = [name for name in people if _ris_text(name)]
    assert len(ris_reference(spell_ris(citation)).get("authors", [])) == len(authors)


def _ris_text(name: PersonName) -> str:
    return (name.literal.replace(",", " ") or name.family).strip()

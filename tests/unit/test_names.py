"""names.py: names of people cut by the custom of the Latin script."""

from __future__ import annotations

import pytest

from generator.names import PersonName, parse_name, parse_names

PEOPLE = {
    "Connor Holmes": PersonName("Holmes", "Connor"),
    "J. M. Cordes": PersonName("Cordes", "J. M."),
    "E.Mirabella": PersonName("Mirabella", "E."),
    "H.van Deurzen": PersonName("Deurzen", "H.", "van"),
    "J.F. von Soden-Fraunhofen": PersonName("Soden-Fraunhofen", "J. F.", "von"),
    "Juan de la Cruz": PersonName("Cruz", "Juan", "de la"),
    "Jan Van den Bussche": PersonName("Van den Bussche", "Jan"),
    "Martin Luther King Jr.": PersonName("King", "Martin Luther", suffix="Jr."),
    "Robert Downey III": PersonName("Downey", "Robert", suffix="III"),
    "Van Morrison": PersonName("Morrison", "Van"),
    "Una Stojnić": PersonName("Stojnić", "Una"),
    "Max Tegmark (IAS)": PersonName("Tegmark", "Max"),
    "Jean-Luc de": PersonName("de", "Jean-Luc"),
}
WHOLE = (
    "The ATLAS Collaboration",
    "ATLAS Collaboration",
    "Euclid Consortium",
    "LHCb",
    "王小明",
    "김 철수",
    "Agent 007",
    "Nobody⟨U+202E⟩ Here",
    "Anon: a bot",
    "Smith,John Q",
    "for the Working Group",
)


@pytest.mark.parametrize("text", PEOPLE)
def test_name_of_a_person_is_cut(text: str) -> None:
    """Given names, particles, family name and suffix are told apart; an affiliation is left out."""
    assert parse_name(text) == PEOPLE[text]


@pytest.mark.parametrize("text", WHOLE)
def test_what_is_no_latin_name_stays_whole(text: str) -> None:
    """Groups, single words, other scripts and odd signs are never cut."""
    assert parse_name(text) == PersonName(literal=text)


def test_rests_of_affiliations_are_no_authors() -> None:
    """The tail of an affiliation that a comma cut off is left out, as in real data."""
    names = ("Daniel Augot (GRACE)", "GRACE)", "William George (LIX")
    assert [name.family for name in parse_names(names)] == ["Augot", "George"]

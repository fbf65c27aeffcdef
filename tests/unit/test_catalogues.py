"""The catalogues of interface text: complete, up to date, and safe to print."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from jinja2 import Environment, FileSystemLoader

from generator.language import read_language
from generator.messages import message
from tests.factories import TEMPLATES
from tests.languages.collect import LANGUAGES, Entry, collect, updated

CATALOGUES = sorted(LANGUAGES.glob("*.po"))
CONTENT = TEMPLATES / "content"
_OF_TEMPLATES = re.compile(r"%\((\w+)\)s")
_TAG = re.compile(r"<[^<>]*>")
every_catalogue = pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)


def _pairs(path: Path) -> Iterator[tuple[str, str]]:
    """Each text with each of its translations; of a plural, each form with the text for many."""
    for entry in polib.pofile(str(path)):
        if entry.msgid_plural:
            forms = entry.msgstr_plural.items()
            yield from ((entry.msgid if n == 0 else entry.msgid_plural, text) for n, text in forms)
        else:
            yield entry.msgid, entry.msgstr


def _values(text: str) -> Counter[str]:
    """The names of values in a text: of a template's if there are any, else of a message's."""
    of_templates = _OF_TEMPLATES.findall(text)
    if of_templates:
        return Counter(of_templates)
    return Counter(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def test_a_catalogue_is_there() -> None:
    """The package speaks one language besides English at least, as proof that it can."""
    assert [path.stem for path in CATALOGUES] == ["de"]


@every_catalogue
def test_a_catalogue_has_the_entries_of_today(path: Path) -> None:
    """A catalogue holds exactly the entries of templates and code, as collect.py writes them."""
    text = str(updated(polib.pofile(str(path)), collect())).rstrip() + "\n"
    assert text == path.read_text(encoding="utf-8"), "run `make messages`"


@every_catalogue
def test_every_entry_is_translated(path: Path) -> None:
    """No entry is left empty, in any form of its plural, and none is marked as a guess."""
    catalogue = polib.pofile(str(path))
    assert catalogue.untranslated_entries() == []
    assert catalogue.fuzzy_entries() == []
    assert [source for source, text in _pairs(path) if not text.strip()] == []


@every_catalogue
def test_translations_name_the_same_values(path: Path) -> None:
    """A translation names each value as often as the English text does, and no other."""
    wrong = [(a, b) for a, b in _pairs(path) if _values(a) != _values(b)]
    assert wrong == []


@every_catalogue
def test_translations_bring_no_markup(path: Path) -> None:
    """A translation has the English text's tags with the same attributes, and no other."""
    wrong = [
        (source, text)
        for source, text in _pairs(path)
        if sorted(_TAG.findall(source)) != sorted(_TAG.findall(text))
        or (source.count("<"), source.count(">")) != (text.count("<"), text.count(">"))
    ]
    assert wrong == []


@every_catalogue
def test_translations_keep_spaces_at_the_ends(path: Path) -> None:
    """Spaces at the ends join a text to its neighbours, so a translation keeps them."""

    def ends(text: str) -> tuple[str, str]:
        return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]

    assert [(a, b) for a, b in _pairs(path) if ends(a) != ends(b)] == []


@every_catalogue
def test_a_catalogue_can_be_loaded(path: Path) -> None:
    """The generator itself reads the catalogue and translates with it."""
    language = read_language(path.stem, path.read_bytes())
    assert language.say(message("verified")) != "verified"
    assert language.say(message("event {number}", number=7)) != "event 7"


def test_german_spells_numbers_and_dates_its_own_way() -> None:
    """German has points between thousands, and a point after the day."""
    language = read_language("de", (LANGUAGES / "de.po").read_bytes())
    assert language.number(1234567) == "1.234.567"
    assert language.date("2024-03-01T12:00:00Z") == "1. März 2024"
    assert language.date("2024-03") == "März 2024"


def test_german_marks_are_the_chosen_words() -> None:
    """The words that everything rests on are these, and no two of them are the same."""
    language = read_language("de", (LANGUAGES / "de.po").read_bytes())
    words = {
        "proven": "bewiesen",
        "computed": "berechnet",
        "reported": "berichtet",
        "carried": "mitgeführt",
        "verified": "verifiziert",
        "failed": "fehlgeschlagen",
        "not checkable": "nicht prüfbar",
        "partly checkable": "teilweise prüfbar",
        "checks failed": "Prüfungen fehlgeschlagen",
        "not published": "nicht veröffentlicht",
    }
    said = {word: language.translations.gettext(word) for word in words}
    assert said == words


def test_german_quotes_are_german() -> None:
    """A German text has no straight or English quotes outside of tags, and pairs of its own."""
    for _, text in _pairs(LANGUAGES / "de.po"):
        bare = _TAG.sub("", text)
        assert not re.search("[\"'“”‘’](?<!“)", bare), text
        assert bare.count("„") == bare.count("“"), text


def test_entries_are_found_by_their_marks(tmp_path: Path) -> None:
    """Collecting finds a text of a template, a plural, a sentence with markup, and one of code."""
    entries = {(entry.context, entry.one, entry.many) for entry in collect()}
    assert ("", "Skip to the content", "") in entries
    assert ("", "%(num)s record", "%(num)s records") in entries
    assert ("", "from <bdi>%(origin)s</bdi>", "") in entries
    assert ("", "partly checkable", "") in entries
    assert ("thousands", ",", "") in entries


def test_updating_keeps_what_is_there_and_drops_what_is_gone() -> None:
    """An entry that stays keeps its translation, a new one is empty, a gone one is dropped."""
    catalogue = polib.POFile()
    catalogue.metadata = {"Plural-Forms": "nplurals=2; plural=(n != 1);"}
    catalogue.append(polib.POEntry(msgid="stays", msgstr="bleibt"))
    catalogue.append(polib.POEntry(msgid="goes", msgstr="geht"))
    entries = (Entry("", "new", ""), Entry("", "one", "many"), Entry("", "stays", ""))
    fresh = updated(catalogue, entries)
    assert [(entry.msgid, entry.msgstr) for entry in fresh] == [
        ("new", ""),
        ("one", ""),
        ("stays", "bleibt"),
    ]
    assert fresh[1].msgstr_plural == {0: "", 1: ""}


def test_every_template_can_be_read_for_entries() -> None:
    """Every template parses with the extension on, so that collecting leaves out none of them."""
    loader = FileSystemLoader(TEMPLATES)
    environment = Environment(loader=loader, autoescape=True, extensions=["jinja2.ext.i18n"])
    environment.filters.update(number=str, date=str, json_block=str)
    names = environment.list_templates(extensions=["html", "svg", "atom"])
    assert len(names) > 10
    for name in names:
        environment.get_template(name)


@pytest.mark.parametrize("name", ["about", "verify"])
def test_translated_pages_keep_anchors_and_code(name: str) -> None:
    """A translated page has the English one's anchors, code blocks, links and shape of tables."""
    english, german = (
        (CONTENT / f"{name}{ending}.md").read_text(encoding="utf-8") for ending in ("", ".de")
    )
    for pattern in (
        r"^#+ .*?(\{#[\w-]+\})?$",  # every heading, and its anchor
        r"^```[a-z]*\n(?:.*\n)*?```$",
        r"\]\(([^)]+)\)",
        r"^\|(?: [^|]*\|)+$",
        r"`[^`\n]+`",
    ):
        found = [_shape(pattern, text) for text in (english, german)]
        assert found[0], pattern
        assert found[0] == found[1], pattern
    assert german.startswith("---\ntitle: ")


def _shape(pattern: str, text: str) -> list[str]:
    """What a pattern finds, without the words between: anchors, code, targets, counts of cells."""
    matches = list(re.finditer(pattern, text, re.MULTILINE))
    if pattern.startswith(r"^\|"):
        return [str(match[0].count("|")) for match in matches]
    if pattern.startswith("^#"):
        return [f"{match[0].split()[0]} {match[1] or ''}" for match in matches]
    if pattern.startswith("`"):
        return sorted(match[0] for match in matches)
    return [match[1] if match.re.groups else match[0] for match in matches]

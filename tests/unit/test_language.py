"""messages.py and language.py: English text that remembers its entry, and its translation."""

from __future__ import annotations

import pickle

import pytest

from generator.errors import ConfigurationError, InputError
from generator.language import ENGLISH_LANGUAGE, Language, read_language
from generator.messages import Message, message, messages

HEADER = (
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    '"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);\\n"\n\n'
)


def language(entries: str) -> Language:
    """A language of these entries, with three plural forms."""
    return read_language("xx", (HEADER + entries).encode())


def test_message_is_its_english_text() -> None:
    """Whoever does not translate sees English, with the values in it."""
    assert message("{count} of {what}", count=2, what="a") == "2 of a"
    assert message("braces {} stay") == "braces {} stay"
    assert messages("one", "{number} many", 1) == "one"
    assert messages("one", "{number} many", 0) == "0 many"


def test_message_is_translated_with_its_values() -> None:
    """A translation may move the values; messages among them are translated too."""
    spoken = language(
        'msgid "{a} before {b}"\nmsgstr "{b} nach {a}"\n\nmsgid "cat"\nmsgstr "Katze"\n'
    )
    text = message("{a} before {b}", a=message("cat"), b="<dog>")
    assert spoken.say(text) == "<dog> nach Katze"
    assert text == "cat before <dog>"


def test_plural_follows_the_rules_of_the_language() -> None:
    """The catalogue's own rule chooses the form."""
    spoken = language(
        'msgid "{number} file"\nmsgid_plural "{number} files"\n'
        'msgstr[0] "{number} A"\nmsgstr[1] "{number} B"\nmsgstr[2] "{number} C"\n'
    )
    said = [spoken.say(messages("{number} file", "{number} files", n)) for n in (1, 2, 7)]
    assert said == ["1 A", "2 B", "7 C"]


@pytest.mark.parametrize(
    "translation", ["{gone}", "{", "{0}", "{a.b}", "{a[b]}", "{a.__class__}", "{a:>9}", "{a!r:>9}"]
)
def test_broken_translation_stays_english(translation: str) -> None:
    """A translation that asks for a value that is not there cannot break a page."""
    spoken = language(f'msgid "{{a}} text"\nmsgstr "{translation}"\n')
    assert spoken.say(message("{a} text", a="1")) == "1 text"


@pytest.mark.parametrize("rule", ["x", "nplurals=2; plural=n/0;", "nplurals=2; plural=7;"])
def test_rule_of_plurals_that_fails_is_an_error_of_the_catalogue(rule: str) -> None:
    """A rule that is none, divides by zero or names no form is refused before any page is made."""
    header = HEADER.replace("nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);", rule)
    assert rule in header
    with pytest.raises(InputError, match=r"languages/xx\.po"):
        read_language("xx", header.encode())


def test_text_of_a_bundle_is_never_an_entry() -> None:
    """Only messages are translated: a title that equals an entry stays as it is."""
    spoken = language('msgid "Abstract"\nmsgstr "Zusammenfassung"\n')
    assert spoken.say("Abstract") == "Abstract"
    assert spoken.say(message("Abstract")) == "Zusammenfassung"


def test_values_are_not_read_as_entries() -> None:
    """Braces in a value stay braces."""
    assert message("{a}", a="{b} {0}") == "{b} {0}"
    assert ENGLISH_LANGUAGE.say(message("{a}", a="{b} {0}")) == "{b} {0}"


def test_message_survives_a_process_boundary() -> None:
    """A worker's message still translates."""
    text = messages("one", "{number} {what}", 2, what=message("cats"))
    copy = pickle.loads(pickle.dumps(text))  # noqa: S301 - made on the same line
    assert isinstance(copy, Message)
    assert (copy, copy.source, copy.plural) == ("2 cats", "one", ("{number} {what}", 2))


@pytest.mark.parametrize(
    ("iso", "text"),
    [
        ("2024-03-01", "1 March 2024"),
        ("2024-03-01T10:00:00Z", "1 March 2024"),
        ("2024-12", "December 2024"),
        ("2024-13-01", "2024-13-01"),
        ("soon", "soon"),
        ("0001-01-01", "1 January 1"),
    ],
)
def test_dates_have_a_readable_form(iso: str, text: str) -> None:
    """A date of ISO 8601 is spelled out; what is none stays as it is."""
    assert ENGLISH_LANGUAGE.date(iso) == text


def test_numbers_have_the_languages_groups() -> None:
    """Thousands are set apart as the catalogue says."""
    assert ENGLISH_LANGUAGE.number(1234567) == "1,234,567"
    spoken = language('msgctxt "thousands"\nmsgid ","\nmsgstr "."\n')
    assert spoken.number(1234567) == "1.234.567"


def test_direction_is_that_of_the_usual_script() -> None:
    """Arabic and Hebrew run from right to left."""
    assert read_language("he", HEADER.encode()).direction == "rtl"
    assert read_language("ar-EG", HEADER.encode()).direction == "rtl"
    assert ENGLISH_LANGUAGE.direction == "ltr"


def test_missing_catalogue_is_an_error_of_the_configuration() -> None:
    """A language without a catalogue is a fault of `mirror.language`, which names both."""
    with pytest.raises(ConfigurationError, match=r"mirror\.language.*languages/xx\.po.*xx"):
        read_language("xx", None)


@pytest.mark.parametrize("data", [b"\xff", b"garbage"])
def test_broken_catalogue_is_an_error(data: bytes) -> None:
    """A language without a readable catalogue stops the build and names the file."""
    with pytest.raises(InputError, match=r"languages/xx\.po"):
        read_language("xx", data)

"""Language: the catalogue of interface text of one language, in gettext's format.

English is the language of the entries themselves. Another language is a file
`languages/<code>.po` among the templates (GNU gettext manual, "The Format of PO Files").
"""

from __future__ import annotations

import gettext
import io
import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import polib

from generator.errors import ConfigurationError, InputError
from generator.formats.canonical import JsonValue
from generator.limits import shorten
from generator.messages import Message

ENGLISH = "en"
CODE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")  # RFC 5646 2.1, without private use
# Scripts of these languages run from right to left.
_RIGHT_TO_LEFT = frozenset(("ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"))
_MONTHS = (
    Message("January", {}),
    Message("February", {}),
    Message("March", {}),
    Message("April", {}),
    Message("May", {}),
    Message("June", {}),
    Message("July", {}),
    Message("August", {}),
    Message("September", {}),
    Message("October", {}),
    Message("November", {}),
    Message("December", {}),
)
# No language known to gettext looks at more than the last two digits and a few thresholds.
_PLURALS_TRIED = 1_001
_ISO_DATE = re.compile(r"([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?(?:$|T)")


class _NamesOnly(string.Formatter):
    """Fills in `{name}` and nothing else: `{a.b}`, `{a[0]}` and widths are a program's business."""

    def get_field(
        self,
        field_name: str,
        args: Sequence[object],  # noqa: ARG002 - of the library's signature
        kwargs: Mapping[str, object],
    ) -> tuple[object, str]:
        """Give the value of a bare name; `KeyError` for any other field."""
        return kwargs[field_name], field_name

    def format_field(self, value: object, format_spec: str) -> str:
        """Spell a value, for which no width or form can be asked."""
        if format_spec:
            raise ValueError(format_spec)
        return str(value)


_FORMAT = _NamesOnly()


@dataclass(frozen=True, slots=True)
class Language:
    """A language that pages speak."""

    code: str  # RFC 5646
    translations: gettext.NullTranslations
    digest: str = ""  # SHA-256 of the catalogue, hex; empty for English

    @property
    def direction(self) -> str:
        """`ltr` or `rtl`, of the language's usual script."""
        return "rtl" if self.code.partition("-")[0] in _RIGHT_TO_LEFT else "ltr"

    @property
    def _is_of_entries(self) -> bool:
        """Whether there is nothing to translate, since messages are their English text."""
        return type(self.translations) is gettext.NullTranslations

    def say(self, value: object) -> object:
        """Translate a message; give anything else back.

        Args:
            value: any value a template prints.

        Returns:
            The text in this language, or the value as it is. An entry that is missing, or whose
            translation names a value that is not there, stays English.
        """
        if not isinstance(value, Message):
            return value
        if self._is_of_entries:
            return str(value)
        values = {name: self.say(item) for name, item in value.values.items()}
        if value.plural is None:
            chosen = self.translations.gettext(value.source)
        else:
            chosen = self.translations.ngettext(value.source, *value.plural)
        if not values:
            return chosen
        try:
            return _FORMAT.vformat(chosen, (), values)
        except (KeyError, ValueError):
            return str(value)

    def say_all(self, value: JsonValue) -> JsonValue:
        """Translate every message in a JSON value; the rest is as it was."""
        if self._is_of_entries:
            return value  # JSON spells a message as its English text
        if isinstance(value, dict):
            return {key: self.say_all(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.say_all(item) for item in value]
        return str(self.say(value)) if isinstance(value, str) else value

    def number(self, value: int) -> str:
        """Spell a whole number for people, its thousands apart.

        Args:
            value: the number.

        Returns:
            Its digits in groups, as the language does.
        """
        # Translators: what stands between thousands, as the comma in 1,234.
        return f"{value:,}".replace(",", self.translations.pgettext("thousands", ","))

    def date(self, iso: str) -> str:
        """Spell a date for people.

        Args:
            iso: a date or time of ISO 8601, or a year and month.

        Returns:
            Such as `1 March 2024` or `March 2024`; anything else as it is.
        """
        match = _ISO_DATE.match(iso)
        if match is None or not 1 <= int(match[2]) <= 12:
            return iso
        month = self.say(_MONTHS[int(match[2]) - 1])
        if match[3] is None:
            return str(self.say(Message("{month} {year}", {"month": month, "year": int(match[1])})))
        values = {"day": int(match[3]), "month": month, "year": int(match[1])}
        return str(self.say(Message("{day} {month} {year}", values)))


def month_words(month: str) -> Message:
    """Spell a month for people.

    Args:
        month: as `2024-03`.

    Returns:
        Such as `March 2024`, to be translated where it is shown.
    """
    values = {"month": _MONTHS[int(month[5:]) - 1], "year": int(month[:4])}
    return Message("{month} {year}", values)


ENGLISH_LANGUAGE = Language(ENGLISH, gettext.NullTranslations())


def read_language(code: str, catalogue: bytes | None) -> Language:
    """Read the catalogue of a language.

    Args:
        code: RFC 5646.
        catalogue: the bytes of its PO file; None for English, which needs none.

    Returns:
        The language.

    Raises:
        ConfigurationError: there is no catalogue of the language.
        InputError: it is no PO file in UTF-8, or its rule of plurals fails.
    """
    subject = f"languages/{code}.po"
    if catalogue is None:
        if code == ENGLISH:
            return ENGLISH_LANGUAGE
        raise ConfigurationError(
            "mirror.language", expected=f"a language with a catalogue, {subject}", found=code
        )
    try:
        entries = polib.pofile(catalogue.decode("utf-8"), encoding="utf-8")
        compiled = gettext.GNUTranslations(io.BytesIO(entries.to_binary()))
    except (IndexError, OSError, UnicodeDecodeError, ValueError) as error:
        raise InputError(
            subject, expected="a PO file in UTF-8", found=shorten(str(error))
        ) from error
    _require_plurals(compiled, subject)
    return Language(code, compiled, sha256(catalogue).hexdigest())


def _require_plurals(translations: gettext.GNUTranslations, subject: str) -> None:
    """Refuse a rule that gives no form for some number: else a page would find out."""
    forms = re.search(r"nplurals\s*=\s*([0-9])", translations.info().get("plural-forms", ""))
    for number in range(_PLURALS_TRIED):
        try:
            # What the library itself calls; it has no other way to ask.
            form = translations.plural(number)  # type: ignore[attr-defined]
        except (ArithmeticError, ValueError) as error:
            form = error
        if not isinstance(form, int) or not 0 <= form < (int(forms[1]) if forms else 2):
            raise InputError(
                subject,
                expected="Plural-Forms with a form for every number",
                found=f"{shorten(str(form))} for {number}",
            )

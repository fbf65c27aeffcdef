"""Render: a view model and its template → bytes. Pure once the templates are loaded."""

from __future__ import annotations

import gettext
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from pathlib import Path

from jinja2 import (
    ChoiceLoader,
    FileSystemLoader,
    PrefixLoader,
    Template,
    TemplateSyntaxError,
)
from jinja2.meta import find_referenced_templates
from markupsafe import Markup

from generator import layout
from generator.errors import RenderError
from generator.formats.canonical import JsonValue, compact_json
from generator.language import ENGLISH_LANGUAGE, Language
from generator.limits import shorten
from generator.page_code import PageEnvironment
from generator.pages import SiteFrame


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A file of the site: where it stands and its bytes."""

    path: layout.SitePath
    data: bytes


@dataclass(frozen=True, slots=True)
class SiteStream:
    """A file of the site that grows with the records, in pieces."""

    path: layout.SitePath
    pieces: Iterable[bytes]


@dataclass(frozen=True, slots=True)
class PlannedPage:
    """A page of the site that is not rendered yet: the site may hold it already."""

    template: str
    path: layout.SitePath
    page: object
    renderer: Renderer = field(repr=False, compare=False)

    @property
    def data(self) -> bytes:
        """Its bytes, rendered at each call."""
        return self.renderer.page(self.template, self.path, self.page).data

    def made_from(self, everything_else: str) -> str:
        """Give the digest of all that its bytes depend on.

        Args:
            everything_else: a digest of the program, the configuration and what pages share.

        Returns:
            SHA-256, hex.
        """
        template = self.renderer.template_digest(self.template)
        # View models are values through and through, so what they print is all they are.
        parts = (everything_else, template, self.path, repr(self.page))
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


# A file of the site as a whole, on its way to be written.
SitePart = SiteFile | SiteStream | PlannedPage


class Renderer:
    """The loaded templates and what every page shares."""

    def __init__(
        self, folders: Sequence[Path], frame: SiteFrame, *, language: Language = ENGLISH_LANGUAGE
    ) -> None:
        """Load the templates.

        Args:
            folders: searched in this order for each template.
            frame: what every page shares.
            language: what the pages speak.
        """
        said = _sayings(language.translations)
        # A template of the operator's extends the one it replaces as packaged/NAME.
        packaged = PrefixLoader({"packaged": FileSystemLoader(folders[-1])})
        self._loader = ChoiceLoader([FileSystemLoader(folders), packaged])
        self._environment = PageEnvironment(
            self._loader,
            say=language.say,
            translate=said.one,
        )
        self._environment.filters.update(
            number=language.number,
            date=language.date,
            json_block=lambda value: json_block(language.say_all(value)),
        )
        self._environment.globals.update(
            language=language,
            gettext=said.one,
            _=said.one,
            ngettext=said.many,
            pgettext=said.one_in,
            npgettext=said.many_in,
        )
        self.language_digest = language.digest
        self._frame = frame
        self._templates: dict[str, Template] = {}
        self._digests: dict[str, str] = {}
        self._read: dict[str, tuple[str, tuple[str, ...]]] = {}

    def later(self, template: str, path: layout.SitePath, page: object) -> PlannedPage:
        """Plan a page; the arguments are those of `page`."""
        return PlannedPage(template, path, page, self)

    def template_digest(self, name: str) -> str:
        """Give the digest of a template and of every one that it includes, imports or extends.

        Args:
            name: the template's.

        Returns:
            SHA-256, hex.

        Raises:
            RenderError: one is missing or cannot be parsed.
        """
        if name not in self._digests:
            try:
                parts = self._sources(name)
            except Exception as error:  # as in `page`
                raise RenderError(
                    f"{_place(error) or name}", expected="a template", found=shorten(str(error))
                ) from error
            text = "\0".join(f"{path}\0{source}" for path, source in sorted(parts.items()))
            self._digests[name] = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return self._digests[name]

    def _sources(self, name: str) -> dict[str, str]:
        """Give the sources of a template and of all that it refers to, by name."""
        found: dict[str, str] = {}
        pending = [name]
        while pending:
            at = pending.pop()
            if at not in found:
                found[at], others = self._source(at)
                pending += others
        return found

    def _source(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Give the source of a template and the names of those that it refers to itself."""
        if name not in self._read:
            environment = self._environment
            source = self._loader.get_source(environment, name)[0]
            others = find_referenced_templates(environment.parse(source, name))
            # A name that only the running template knows could be any.
            names = [environment.list_templates() if other is None else [other] for other in others]
            self._read[name] = source, tuple(chain.from_iterable(names))
        return self._read[name]

    def page(self, template: str, path: layout.SitePath, page: object) -> SiteFile:
        """Render one page.

        Args:
            template: its file name, such as `record.html`.
            path: where it stands; links are made relative from there.
            page: its view model.

        Returns:
            The file.

        Raises:
            RenderError: the template is missing or failed.
        """
        try:
            if template not in self._templates:
                self._templates[template] = self._environment.get_template(template)
            text = self._templates[template].render(
                site=self._frame, page=page, root=layout.root_of(path), path=path
            )
        except Exception as error:  # a template is a program, and may be the operator's
            raise RenderError(
                f"{_place(error) or template} for {path}",
                expected="a page",
                found=shorten(f"{type(error).__name__}: {error}"),
            ) from error
        return SiteFile(path, text.encode())


def _place(error: Exception) -> str:
    """Name template and line of an error in a template; Jinja puts the lines into the traceback."""
    if isinstance(error, TemplateSyntaxError) and error.name:
        return f"{error.name}, line {error.lineno},"
    places = [
        (frame.filename, frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).suffix in {".html", ".svg", ".atom", ".xml"}
    ]
    return f"{Path(places[-1][0]).name}, line {places[-1][1]}," if places else ""


@dataclass(frozen=True, slots=True)
class _Sayings:
    """Interface text as templates ask for it: markup whose values are escaped as they go in.

    The extension's own functions want the context, to ask at every call whether text is escaped. In
    a loop Jinja copies all the names in sight for that, which was half the time of a record page.
    """

    one: Callable[..., str]
    many: Callable[..., str]
    one_in: Callable[..., str]
    many_in: Callable[..., str]


def _sayings(translations: gettext.NullTranslations) -> _Sayings:
    # The entries are the templates' own and an operator's catalogue: as trusted as the templates.
    marked = lru_cache(maxsize=4096)(lambda text: Markup(translations.gettext(text)))  # noqa: S704
    plain = lru_cache(maxsize=4096)(lambda text: marked(text) % {})

    def one(text: str, /, **values: object) -> str:
        return marked(text) % values if values else plain(text)

    def many(text: str, plural: str, number: int, /, **values: object) -> str:
        chosen = translations.ngettext(text, plural, number)
        return Markup(chosen) % {"num": number, **values}  # noqa: S704

    def one_in(context: str, text: str, /, **values: object) -> str:
        return Markup(translations.pgettext(context, text)) % values  # noqa: S704

    def many_in(context: str, text: str, plural: str, number: int, /, **values: object) -> str:
        chosen = translations.npgettext(context, text, plural, number)
        return Markup(chosen) % {"num": number, **values}  # noqa: S704

    return _Sayings(one, many, one_in, many_in)


def json_block(value: JsonValue) -> Markup:
    """Spell a value for a data block inside a page.

    Args:
        value: any JSON value.

    Returns:
        JSON in ASCII that can end no element and begin no comment (HTML 4.12.1.3).
    """
    text = compact_json(value).decode()
    escaped = text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")
    return Markup(escaped)  # noqa: S704 - no character of it has a meaning in HTML


def json_file(path: layout.SitePath, value: JsonValue) -> SiteFile:
    """Spell a JSON file as the registry serves its own: compact and ASCII.

    Args:
        path: where it stands.
        value: its content.

    Returns:
        The file.
    """
    return SiteFile(path, compact_json(value))

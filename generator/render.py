"""Render: a view model and its template → bytes. Pure once the templates are loaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import markdown
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from generator import layout
from generator.errors import RenderError
from generator.formats.canonical import JsonValue, compact_json
from generator.limits import shorten
from generator.pages import ContentPage, SiteFrame

_MARKDOWN_EXTENSIONS = ("tables", "fenced_code", "attr_list")


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


class Renderer:
    """The loaded templates and what every page shares."""

    def __init__(self, folders: Sequence[Path], frame: SiteFrame) -> None:
        """Load the templates.

        Args:
            folders: searched in this order for each template.
            frame: what every page shares.
        """
        # Everything from a bundle reaches a page through autoescape; no template may undo it (a
        # test looks), and an undefined name is an error, not an empty string.
        self._environment = Environment(
            loader=FileSystemLoader(folders),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            auto_reload=False,
        )
        self._frame = frame
        self._templates: dict[str, Template] = {}

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
                f"{template} for {path}",
                expected="a page",
                found=shorten(f"{type(error).__name__}: {error}"),
            ) from error
        return SiteFile(path, text.encode())


def render_markdown(data: bytes, *, name: str, title: str) -> ContentPage:
    """Render a content page. It comes from the operator's own folder, so its HTML is trusted.

    Args:
        data: Markdown in UTF-8.
        name: the file, for messages.
        title: the page's title and first heading.

    Returns:
        The page.

    Raises:
        RenderError: not UTF-8, or beyond what the Markdown library can do.
    """
    try:
        text = data.decode("utf-8")
        html = markdown.markdown(text, extensions=list(_MARKDOWN_EXTENSIONS), output_format="html")
    except (UnicodeDecodeError, RecursionError) as error:
        raise RenderError(name, expected="Markdown in UTF-8", found=shorten(str(error))) from error
    return ContentPage(title, Markup(html))  # noqa: S704 - the operator's own text, see above


def json_file(path: layout.SitePath, value: JsonValue) -> SiteFile:
    """Spell a JSON file as the registry serves its own: compact and ASCII.

    Args:
        path: where it stands.
        value: its content.

    Returns:
        The file.
    """
    return SiteFile(path, compact_json(value))

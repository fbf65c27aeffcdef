"""Content pages: the operator's Markdown → HTML, its links resolved, its surprises refused.

A page is `content/<name>.md` in a folder of templates, or `content/<name>.<language>.md`. It is the
operator's own text; what is refused here would break the page's content security policy, leave the
mirror's host, or lead nowhere.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element, fromstring

import markdown
from markdown.extensions.tables import TableExtension
from markdown.extensions.toc import TocExtension
from markdown.treeprocessors import Treeprocessor
from markupsafe import Markup

from generator import layout
from generator.errors import RenderError
from generator.language import CODE, ENGLISH
from generator.limits import shorten
from generator.pages import Asset, ContentPage
from generator.slugs import is_reserved

_NAME = re.compile(r"([a-z0-9][a-z0-9-]{0,63})(?:\.([A-Za-z-]+))?\.md")
_FRONT_MATTER = ("title", "description", "menu", "contents")
_FENCE = "---"
_WEB = ("http", "https")
# What Markdown itself writes, and what its attribute lists may add.
_ATTRIBUTES = frozenset(
    ("alt", "class", "dir", "href", "id", "lang", "role", "src", "start", "title")
)
# Invalid in HTML, and the library's own marks are two of them.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_AMPERSAND = "\x02amp\x03"  # how the library writes the ampersand of a mail address
_ALIGNED = re.compile(r"text-align: (left|center|right);")


@dataclass(frozen=True, slots=True)
class ContentSource:
    """A content page as found: `name` is its file, `slug` its folder in the site."""

    name: str
    slug: str
    language: str
    data: bytes

    @property
    def path(self) -> layout.SitePath:
        """Where it stands in the site."""
        return layout.content_page(self.slug)


def choose_content(found: Mapping[str, bytes], language: str) -> tuple[ContentSource, ...]:
    """Choose the content pages of a site in its language.

    Args:
        found: the bytes of every `content/*.md`, by name.
        language: of the site.

    Returns:
        One source a page, by slug: in the site's language where there is one, else in English.

    Raises:
        RenderError: a name that no page can have.
    """
    chosen: dict[str, ContentSource] = {}
    for name in sorted(found):
        source = _source(name, found[name])
        if source.language == language or (
            source.language == ENGLISH and source.slug not in chosen
        ):
            chosen[source.slug] = source
    return tuple(chosen[slug] for slug in sorted(chosen))


def _source(name: str, data: bytes) -> ContentSource:
    match = _NAME.fullmatch(name)
    language = match[2] if match and match[2] else ENGLISH
    if match is None or not CODE.fullmatch(language):
        raise RenderError(
            f"content/{name}",
            expected="a name of small letters, digits and hyphens, as house-rules.md or"
            " house-rules.de.md",
            found="another",
        )
    if match[1] in layout.TAKEN_FOLDERS or is_reserved(match[1]):
        raise RenderError(
            f"content/{name}",
            expected="a name that neither the site uses itself nor Windows reserves",
            found=match[1],
        )
    return ContentSource(name, match[1], language, data)


def read_content(
    source: ContentSource, *, assets: Mapping[str, Asset], raw_html: bool = False
) -> ContentPage:
    """Render a content page.

    Args:
        source: the page.
        assets: of the site, so that `/assets/plan.svg` finds its published name.
        raw_html: let HTML in the Markdown through; otherwise it is shown as text.

    Returns:
        The page.

    Raises:
        RenderError: not UTF-8, a control character, no title, front matter that is not known, an
            attribute or a link that is refused, or beyond what the Markdown library can do.
    """
    try:
        text = _text(source)
        parser = _parser(has_front_matter=text.startswith(f"{_FENCE}\n"), raw_html=raw_html)
        links = _Links(parser, source, assets)
        parser.treeprocessors.register(links, "site-links", 0)
        html = parser.convert(text)
        if not raw_html:
            links.check_finished(map(str, parser.htmlStash.rawHtmlBlocks))
    except (UnicodeDecodeError, RecursionError) as error:
        raise RenderError(
            f"content/{source.name}", expected="Markdown in UTF-8", found=shorten(str(error))
        ) from error
    matter = _front_matter(source, getattr(parser, "Meta", {}))
    return ContentPage(
        title=matter["title"],
        html=Markup(html),  # noqa: S704 - the operator's own text; see the head of this module
        description=matter.get("description", ""),
        menu=matter.get("menu", ""),
        toc=Markup(getattr(parser, "toc", "")) if matter.get("contents") == "yes" else Markup(""),  # noqa: S704
        language=source.language,
        path=source.path,
        source=f"content/{source.name}",
        links=tuple(links.found),
        anchors=links.anchors,
    )


def read_pages(
    found: Mapping[str, bytes], language: str, *, assets: Mapping[str, Asset], raw_html: bool
) -> dict[layout.SitePath, ContentPage]:
    """Render every content page of a site.

    Args:
        found: the bytes of every `content/*.md`, by name.
        language: of the site.
        assets: of the site.
        raw_html: let HTML in the Markdown through.

    Returns:
        The pages by their paths, in the order of their names.

    Raises:
        RenderError: as `choose_content` and `read_content`; or a link between two of them leads to
            a heading that is not there.
    """
    pages = {
        source.path: read_content(source, assets=assets, raw_html=raw_html)
        for source in choose_content(found, language)
    }
    for error in _dead_fragments(pages):
        raise error
    return pages


def require_links(
    pages: Mapping[layout.SitePath, ContentPage], exists: Callable[[layout.SitePath], bool]
) -> None:
    """Refuse content pages that link to what the site does not have.

    Args:
        pages: the content pages.
        exists: tells whether the site has a file.

    Raises:
        RenderError: a link leads nowhere.
    """
    for page in pages.values():
        for path, _ in page.links:
            if not exists(path):
                raise RenderError(page.source, expected="a link to a file of this site", found=path)


def _dead_fragments(pages: Mapping[layout.SitePath, ContentPage]) -> Iterator[RenderError]:
    for page in pages.values():
        for path, fragment in page.links:
            target = pages.get(path)
            if fragment and target is not None and fragment not in target.anchors:
                yield RenderError(
                    page.source,
                    expected=f"a link to a heading of {path}",
                    found=f"#{shorten(fragment)}, which is not there",
                )


def _text(source: ContentSource) -> str:
    text = source.data.decode("utf-8-sig")
    control = _CONTROLS.search(text)
    if control is not None:
        line = text.count("\n", 0, control.start()) + 1
        raise RenderError(
            f"content/{source.name}, line {line}",
            expected="text without control characters",
            found=f"U+{ord(control[0]):04X}",
        )
    return text


def _parser(*, has_front_matter: bool, raw_html: bool) -> markdown.Markdown:
    extensions: list[str | markdown.Extension] = [
        TableExtension(use_align_attribute=False),
        TocExtension(toc_depth="2-3", title=""),
        "fenced_code",
        "attr_list",
        "def_list",
        "footnotes",
    ]
    if has_front_matter:
        # Without its fence the library takes any first line with a colon for front matter.
        extensions.append("meta")
    parser = markdown.Markdown(extensions=extensions, output_format="html")
    if not raw_html:
        parser.preprocessors.deregister("html_block")
        parser.inlinePatterns.deregister("html")
    return parser


def _front_matter(source: ContentSource, found: Mapping[str, list[str]]) -> dict[str, str]:
    for key in found:
        if key not in _FRONT_MATTER:
            raise RenderError(
                f"content/{source.name}, front matter",
                expected=f"one of {', '.join(_FRONT_MATTER)}",
                found=shorten(key),
            )
    matter = {key: " ".join(lines).strip() for key, lines in found.items()}
    if not matter.get("title"):
        raise RenderError(
            f"content/{source.name}",
            expected=f"front matter: {_FENCE}, a line `title: …`, {_FENCE}",
            found="no title",
        )
    if matter.get("contents", "no") not in {"yes", "no"}:
        raise RenderError(
            f"content/{source.name}, front matter",
            expected="contents: yes or no",
            found=shorten(matter["contents"]),
        )
    return matter


class _Links(Treeprocessor):
    """Resolves links and pictures, and refuses attributes that a page must not have."""

    def __init__(
        self, parser: markdown.Markdown, source: ContentSource, assets: Mapping[str, Asset]
    ) -> None:
        super().__init__(parser)
        self._source = source
        self._assets = assets
        self.found: list[tuple[layout.SitePath, str]] = []
        self.anchors: frozenset[str] = frozenset()

    def run(self, root: Element) -> None:
        for element in root.iter():
            self._check_attributes(element)
            for name in ("href", "src"):
                address = element.get(name)
                if address is not None:
                    element.set(name, self._resolve(address, is_picture=name == "src"))
        self.anchors = frozenset(filter(None, (element.get("id") for element in root.iter())))

    def _check_attributes(self, element: Element) -> None:
        # The table extension aligns by a style attribute, which the policy of the pages refuses.
        aligned = _ALIGNED.fullmatch(element.get("style", ""))
        if aligned:
            del element.attrib["style"]
            element.set("class", aligned[1])
        self._check_names(element.attrib)

    def check_finished(self, blocks: Iterable[str]) -> None:
        """Refuse attributes in what never was part of the tree, as blocks of code are not."""
        for block in blocks:
            if block.startswith("<"):  # others are characters, such as `&copy;`
                for element in fromstring(block).iter():  # noqa: S314 - the library's own
                    self._check_names(element.attrib)

    def _check_names(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in _ATTRIBUTES:
                raise self._fault(f"no attribute but {', '.join(sorted(_ATTRIBUTES))}", name)

    def _resolve(self, address: str, *, is_picture: bool) -> str:
        try:
            parts = urlsplit(unescape(address.replace(_AMPERSAND, "&")))
        except ValueError as error:
            raise self._fault("a link", address) from error
        if parts.scheme or parts.netloc:
            # `http:other` without a host is a path of this site to a browser.
            known = parts.scheme == "mailto" or (parts.scheme in _WEB and bool(parts.netloc))
            if is_picture or not known:
                kind = "a picture of this site" if is_picture else "a link with http(s) or mailto"
                raise self._fault(kind, address)
            return address
        if not parts.path:
            self.found.append((self._source.path, unquote(parts.fragment)))
            return address
        path = self._site_path(unquote(parts.path))
        self.found.append((path, unquote(parts.fragment)))
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        return f"{layout.root_of(self._source.path)}{path}{fragment}"

    def _site_path(self, path: str) -> layout.SitePath:
        if path.endswith(".md") and "/" not in path:
            path = f"/{layout.content_page(path.removesuffix('.md'))}"
        joined = posixpath.normpath(posixpath.join("/", self._source.slug, path)).lstrip("/")
        if path.endswith("/") or not joined:
            joined = posixpath.join(joined, "index.html")
        name = joined.removeprefix(f"{layout.ASSETS}/")
        found = self._assets[name].path if name != joined and name in self._assets else joined
        if not layout.is_site_path(found):
            raise self._fault("a path of this site", path)
        return found

    def _fault(self, expected: str, found: str) -> RenderError:
        return RenderError(f"content/{self._source.name}", expected=expected, found=shorten(found))

"""What a reader of a page sees or hears, piece by piece."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

_ATTRIBUTES = ("alt", "aria-label", "placeholder", "title")
_META = re.compile(r"description|(?:og|twitter):(?:title|description|image:alt)")
_SILENT = ("script", "style")


@dataclass(frozen=True, slots=True)
class Piece:
    """A text of a page, with the elements around it."""

    text: str
    inside: tuple[str, ...]  # from the root: `td.outcome`, and `[lang=en]` where it has one
    attribute: str = ""

    def is_inside(self, name: str) -> bool:
        """Tell whether an element, a class or a language is around it.

        Args:
            name: `code`, `.quiet` or `[lang=en]`.

        Returns:
            True if one of the elements around it is that.
        """
        return any(re.search(rf"(?:^|(?=[.\[])){re.escape(name)}(?![\w-])", e) for e in self.inside)


def pieces_of(html: str) -> Iterator[Piece]:
    """Take a page apart.

    Args:
        html: of the page.

    Yields:
        Each visible text, each attribute that is read out, each description for other sites, and
        each word that a script will show, in the order of the page.
    """
    root = LexborHTMLParser(html).root
    assert root is not None
    yield from _pieces(root, ())


def _pieces(node: LexborNode, inside: tuple[str, ...]) -> Iterator[Piece]:
    attributes = node.attributes
    inside = (*inside, _name(node))
    for name in _ATTRIBUTES:
        if attributes.get(name):
            yield Piece(str(attributes[name]), inside, name)
    key = attributes.get("name") or attributes.get("property") or ""
    if node.tag == "meta" and _META.fullmatch(key):
        yield Piece(attributes.get("content") or "", inside, "content")
    if node.tag == "script" and attributes.get("type") == "application/json":
        yield from _words(node.text(), inside)
    if node.tag in _SILENT:
        return
    child = node.child
    while child is not None:
        if child.is_text_node:
            if child.text_content and child.text_content.strip():
                yield Piece(" ".join(child.text_content.split()), inside)
        elif child.is_element_node:
            yield from _pieces(child, inside)
        child = child.next


def _name(node: LexborNode) -> str:
    classes = "".join(f".{name}" for name in (node.attributes.get("class") or "").split())
    language = node.attributes.get("lang")
    return f"{node.tag}{classes}" + ("" if language is None else f"[lang={language}]")


def _words(text: str, inside: tuple[str, ...]) -> Iterator[Piece]:
    """The words of a data block for a script: those below its key `words`."""
    block = json.loads(text)
    words = block.get("words") if isinstance(block, dict) else None
    todo = [words]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            todo += reversed(item.values())
        elif isinstance(item, list):
            todo += reversed(item)
        elif isinstance(item, str):
            yield Piece(item, inside, "words")

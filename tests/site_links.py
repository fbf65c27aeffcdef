"""Every link of a built site: those of pages, and addresses of records in all other files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

ORIGIN = "http://site.example/"
# What may name a file of a record, wherever it stands, with a suffix or with room for one.
_RECORD_FILE = re.compile(
    r"(?:\.well-known/pith|api/pith-number|pith)/"
    r"(?:[A-Z2-7]{26}|<suffix>|\{suffix\})(?:\.json|/[a-z.-]*)"
)
# Written by others: what stands in them is not the mirror's word.
_FOREIGN = ("bundle.json", "state.json", "events.json", "graph.json")


class _Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note each attribute that a browser, or a program that reads the page, would follow."""
        values = {name: value or "" for name, value in attrs}
        self.found += [values[name] for name in ("href", "src", "action") if name in values]
        content = values.get("content", "")
        if values.get("http-equiv") == "refresh":
            self.found.append(content.partition("url=")[2])
        if values.get("property") == "og:image":
            self.found.append(content)


def dead_links(site: Mapping[str, bytes], *, base_url: str = "") -> Iterator[tuple[str, str]]:
    """Find what leads to no file of the site.

    Args:
        site: its files.
        base_url: where it says that it is, with trailing slash, or empty.

    Yields:
        The file with the link, and the link.
    """
    suffixes = {match[1] for path in site if (match := re.match(r"pith/([A-Z2-7]{26})/", path))}
    for path, data in site.items():
        name = path.rpartition("/")[2]
        if name in _FOREIGN or name.endswith((".png", ".parquet")) or "pagefind/" in path:
            continue
        text = data.decode()
        if name.endswith(".html"):
            for link in _Links(text).found:
                own = base_url != "" and link.startswith(base_url)
                start, way = (ORIGIN, link[len(base_url) :]) if own else (ORIGIN + path, link)
                address = urljoin(start, way)
                if address.startswith(ORIGIN) and not _is_there(site, urlsplit(address).path[1:]):
                    yield path, link
        for link in _named_files(text, base_url):
            example = min(suffixes, default="")
            link_path = re.sub(r"<suffix>|\{suffix\}", example, link)
            if not _is_there(site, link_path):
                yield path, link


def _named_files(text: str, base_url: str) -> Iterator[str]:
    for match in _RECORD_FILE.finditer(text):
        before = text[max(0, match.start() - 200) : match.start()]
        host = re.search(r"https?://[^\s\"'<>()]*$", before)
        # The registry's own addresses are named too.
        if host is None or (base_url and host[0] == base_url):
            yield match[0]


def _is_there(site: Mapping[str, bytes], path: str) -> bool:
    return path in site or f"{path.rstrip('/')}/index.html".lstrip("/") in site

"""What the specifications of the XML files demand, written down by hand.

A second reading of RFC 4287, RFC 5005, sitemaps.org and the OAI static repository: nothing of the
program is used here. Each function gives the faults of a document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from lxml import etree

ATOM = "{http://www.w3.org/2005/Atom}"
HISTORY = "{http://purl.org/syndication/history/1.0}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
STATIC = "{http://www.openarchives.org/OAI/2.0/static-repository}"
OAI = "{http://www.openarchives.org/OAI/2.0/}"
OAI_DC = "{http://www.openarchives.org/OAI/2.0/oai_dc/}"
DC = "{http://purl.org/dc/elements/1.1/}"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"

# RFC 4287 4.1.1 and 4.1.2: child -> least and most; None where there is no most.
_FEED: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(("id", "title", "updated"), (1, 1)),
    **dict.fromkeys(("generator", "icon", "logo", "rights", "subtitle"), (0, 1)),
    **dict.fromkeys(("author", "category", "contributor", "link", "entry"), (0, None)),
}
_ENTRY: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(("id", "title", "updated"), (1, 1)),
    **dict.fromkeys(("published", "rights", "summary", "content", "source"), (0, 1)),
    **dict.fromkeys(("author", "category", "contributor", "link"), (0, None)),
}
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")
_RELATIONS = {
    *("alternate", "related", "self", "enclosure", "via", "license"),
    *("current", "prev-archive", "next-archive"),
}
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_DC_NAMES = {
    *("title", "creator", "subject", "description", "publisher", "contributor", "date", "type"),
    *("format", "identifier", "source", "language", "relation", "coverage", "rights"),
}


def parse(data: bytes) -> etree._Element:
    """Parse XML strictly, without a DTD, entities of its own, or the network."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    return etree.fromstring(data, parser)


def atom_faults(data: bytes, *, base_url: str = "") -> list[str]:
    """Check an Atom feed document by RFC 4287, and by RFC 5005 if it is an archive.

    Args:
        data: the document.
        base_url: what addresses of the site must begin with; if empty, they must be relative.

    Returns:
        The faults.
    """
    feed = parse(data)
    if feed.tag != f"{ATOM}feed":
        return [f"root {feed.tag}"]
    entries = feed.findall(f"{ATOM}entry")
    faults = [*_children(feed, _FEED), *_constructs(feed)]
    for entry in entries:
        faults += _children(entry, _ENTRY)
        links = [link.get("rel") or "alternate" for link in entry.findall(f"{ATOM}link")]
        if entry.find(f"{ATOM}content") is None and "alternate" not in links:
            faults.append("entry without content and alternate link (4.1.2)")
        if entry.find(f"{ATOM}author") is None and feed.find(f"{ATOM}author") is None:
            faults.append("entry without author (4.1.2)")
    if not entries and feed.find(f"{ATOM}author") is None:
        faults.append("feed without author (4.1.1)")
    ids = Counter(entry.findtext(f"{ATOM}id") for entry in entries)
    faults += [f"id twice: {name}" for name, count in ids.items() if count > 1]
    for link in feed.iter(f"{ATOM}link"):
        faults += _link(link, base_url)
    faults += [
        f"language {e.get(LANG)}" for e in feed.iter() if not _is_language(e.get(LANG, "en"))
    ]
    if feed.find(f"{HISTORY}archive") is not None:
        relations = {link.get("rel") for link in feed.findall(f"{ATOM}link")}
        faults += [] if "current" in relations else ["archive without current (RFC 5005 4)"]
    return faults


def _is_language(text: str) -> bool:
    return _LANGUAGE.fullmatch(text) is not None


def _children(parent: etree._Element, rules: dict[str, tuple[int, int | None]]) -> Iterator[str]:
    counts = Counter(str(child.tag) for child in parent)
    for name in counts:
        known = name.removeprefix(ATOM) in rules if name.startswith(ATOM) else True
        if not known:
            yield f"{name} in {parent.tag}"
    for name, (least, most) in rules.items():
        count = counts[ATOM + name]
        if count < least or (most is not None and count > most):
            yield f"{count} of {name} in {parent.tag}"
    pairs = Counter(
        (link.get("type"), link.get("hreflang"))
        for link in parent.findall(f"{ATOM}link")
        if link.get("rel", "alternate") == "alternate"
    )
    yield from (f"two alternates {pair}" for pair, count in pairs.items() if count > 1)


def _constructs(feed: etree._Element) -> Iterator[str]:
    for name in ("updated", "published"):
        for date in feed.iter(ATOM + name):
            if not _is_date_time(date.text or ""):
                yield f"{name} {date.text!r} (3.3)"
    for name in ("title", "subtitle", "summary", "rights"):
        for text in feed.iter(ATOM + name):
            if text.get("type", "text") != "text" or len(text):
                yield f"{name} is no plain text (3.1)"
    yield from _names(feed)


def _names(feed: etree._Element) -> Iterator[str]:
    for identifier in feed.iter(f"{ATOM}id"):
        if not _IRI.fullmatch(identifier.text or ""):
            yield f"id {identifier.text!r} (4.2.6)"
    for author in feed.iter(f"{ATOM}author"):
        names = author.findall(f"{ATOM}name")
        if len(names) != 1 or not (names[0].text or "").strip():
            yield "author without name (3.2)"
    for category in feed.iter(f"{ATOM}category"):
        if not category.get("term"):
            yield "category without term (4.2.2)"


def _is_date_time(text: str) -> bool:
    if not _DATE_TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _link(link: etree._Element, base_url: str) -> Iterator[str]:
    href, relation = link.get("href", ""), link.get("rel", "alternate")
    if relation not in _RELATIONS:
        yield f"relation {relation}"
    if not href or re.search(r"\s", href):
        yield f"href {href!r}"
    ours = relation in {"alternate", "self", "current", "prev-archive", "next-archive"}
    if ours and base_url and not href.startswith(base_url):
        yield f"{relation} {href} is not absolute"
    if ours and not base_url and _IRI.match(href):
        yield f"{relation} {href} is not relative"


def sitemap_faults(data: bytes, *, base_url: str, limit: int = 50_000) -> list[str]:
    """Check a sitemap or a sitemap index by sitemaps.org's schema 0.9 and its text.

    Args:
        data: the document.
        base_url: what every address must begin with.
        limit: addresses in one file.

    Returns:
        The faults.
    """
    root = parse(data)
    kinds = {f"{SITEMAP}urlset": f"{SITEMAP}url", f"{SITEMAP}sitemapindex": f"{SITEMAP}sitemap"}
    if root.tag not in kinds:
        return [f"root {root.tag}"]
    faults = [f"child {child.tag}" for child in root if child.tag != kinds[root.tag]]
    for child in root:
        names = [str(part.tag).removeprefix(SITEMAP) for part in child]
        if names not in (["loc"], ["loc", "lastmod"]):
            faults.append(f"elements {names}")
        location = child.findtext(f"{SITEMAP}loc") or ""
        if not (12 <= len(location) <= 2048 and location.startswith(base_url)):
            faults.append(f"loc {location}")
        day = child.findtext(f"{SITEMAP}lastmod")
        if day is not None and not re.fullmatch(r"\d{4}-\d\d-\d\d", day):
            faults.append(f"lastmod {day}")
    locations = Counter(child.findtext(f"{SITEMAP}loc") for child in root)
    faults += [f"twice {name}" for name, count in locations.items() if count > 1]
    if not 1 <= len(root) <= limit:
        faults.append(f"{len(root)} addresses")
    return faults


def locations(data: bytes) -> list[str]:
    """Give the addresses in a sitemap or an index, in order."""
    return [child.findtext(f"{SITEMAP}loc") or "" for child in parse(data)]


def oai_faults(data: bytes) -> list[str]:
    """Check a static repository file by the OAI specification, 3.2 and A1.

    Args:
        data: the document.

    Returns:
        The faults.
    """
    root = parse(data)
    parts = [child for child in root if isinstance(child.tag, str)]
    names = [f"{STATIC}{name}" for name in ("Identify", "ListMetadataFormats", "ListRecords")]
    if root.tag != f"{STATIC}Repository" or [part.tag for part in parts] != names:
        return [f"{root.tag} with {[part.tag for part in parts]}"]
    identify, formats, records = parts
    faults = _identify_faults(identify)
    prefixes = [element.text for element in formats.iter(f"{OAI}metadataPrefix")]
    if prefixes != ["oai_dc"] or records.get("metadataPrefix") != "oai_dc":
        faults.append(f"formats {prefixes}")
    if not len(records):
        faults.append("no record")
    for record in records:
        faults += _record_faults(record)
    identifiers = Counter(element.text for element in records.iter(f"{OAI}identifier"))
    return faults + [f"twice {name}" for name, count in identifiers.items() if count > 1]


def _identify_faults(identify: etree._Element) -> list[str]:
    found = {str(child.tag): child.text or "" for child in identify}
    rules = {
        "repositoryName": r".+",
        "baseURL": r"https?://\S+",
        "protocolVersion": r"2\.0",
        "adminEmail": r"\S+@(\S+\.)+\S+",
        "earliestDatestamp": r"\d{4}-\d\d-\d\d",
        "deletedRecord": r"no",
        "granularity": r"YYYY-MM-DD",
    }
    faults = [
        f"{name} {found.get(OAI + name)!r}"
        for name, pattern in rules.items()
        if not re.fullmatch(pattern, found.get(OAI + name, ""))
    ]
    return faults + ([] if list(found) == [OAI + name for name in rules] else ["order in Identify"])


def _record_faults(record: etree._Element) -> list[str]:
    if record.tag != f"{OAI}record" or [c.tag for c in record] != [
        f"{OAI}header",
        f"{OAI}metadata",
    ]:
        return [f"record {record.tag}"]
    header, metadata = record
    faults = []
    if [child.tag for child in header] != [f"{OAI}identifier", f"{OAI}datestamp"]:
        faults.append("header")
    if not _IRI.fullmatch(header[0].text or ""):
        faults.append(f"identifier {header[0].text}")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", header[1].text or ""):
        faults.append(f"datestamp {header[1].text}")
    if [child.tag for child in metadata] != [f"{OAI_DC}dc"]:
        return [*faults, "metadata"]
    return faults + [
        f"element {element.tag}"
        for element in metadata[0]
        if str(element.tag).removeprefix(DC) not in _DC_NAMES or len(element)
    ]

"""A part of the vocabulary of schema.org (release 28), and a check of JSON-LD against it.

Property -> classes that it may be used on, and what its values may be; classes -> their parents.
Only what record pages use is here, so anything else is reported.
"""

from __future__ import annotations

import re
from typing import Any

PARENTS = {
    "ScholarlyArticle": "Article",
    "Article": "CreativeWork",
    "Dataset": "CreativeWork",
    "DataCatalog": "CreativeWork",
    "DataDownload": "MediaObject",
    "MediaObject": "CreativeWork",
    "CreativeWork": "Thing",
    "Person": "Thing",
    "PropertyValue": "StructuredValue",
    "StructuredValue": "Intangible",
    "Intangible": "Thing",
}
# Name -> domain, ranges.
PROPERTIES = {
    "name": ("Thing", {"Text"}),
    "description": ("Thing", {"Text", "TextObject"}),
    "identifier": ("Thing", {"PropertyValue", "Text", "URL"}),
    "sameAs": ("Thing", {"URL"}),
    "url": ("Thing", {"URL"}),
    "subjectOf": ("Thing", {"CreativeWork", "Event"}),
    "headline": ("CreativeWork", {"Text"}),
    "author": ("CreativeWork", {"Organization", "Person"}),
    "datePublished": ("CreativeWork", {"Date", "DateTime"}),
    "version": ("CreativeWork", {"Number", "Text"}),
    "license": ("CreativeWork", {"CreativeWork", "URL"}),
    "creativeWorkStatus": ("CreativeWork", {"DefinedTerm", "Text"}),
    "includedInDataCatalog": ("Dataset", {"DataCatalog"}),
    "distribution": ("Dataset", {"DataDownload"}),
    "contentUrl": ("MediaObject", {"URL"}),
    "encodingFormat": ("CreativeWork", {"Text", "URL"}),
    "propertyID": ("PropertyValue", {"Text", "URL"}),
    "value": ("PropertyValue", {"Boolean", "Number", "StructuredValue", "Text"}),
}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_URL = re.compile(r"https?://[^\s<>\"]+|(?:\.\./)*[A-Za-z0-9_./-]+")


def faults(node: dict[str, Any]) -> list[str]:
    """Find what in a document is not as schema.org says.

    Args:
        node: the outermost object.

    Returns:
        A line for each fault.
    """
    found = [] if node.get("@context") == "https://schema.org" else ["no @context of schema.org"]
    inner = {key: value for key, value in node.items() if key != "@context"}
    return [*found, *_faults(inner, at="")]


def _faults(node: dict[str, Any], *, at: str) -> list[str]:
    kind = node.get("@type", "")
    if kind not in PARENTS:
        return [f"{at}: no known type: {kind!r}"]
    found = []
    for name, value in node.items():
        if name in {"@type", "@id"}:
            continue
        if name not in PROPERTIES:
            found.append(f"{at}.{name}: no known property")
            continue
        domain, ranges = PROPERTIES[name]
        if domain not in _line(kind):
            found.append(f"{at}.{name}: no property of {kind}")
        values = value if isinstance(value, list) else [value]
        if not values:
            found.append(f"{at}.{name}: empty")
        for item in values:
            found += _value_faults(item, ranges, at=f"{at}.{name}")
    return found


def _value_faults(item: Any, ranges: set[str], *, at: str) -> list[str]:  # noqa: ANN401 - JSON
    if isinstance(item, dict):
        fits = ranges & set(_line(item.get("@type", "")))
        return _faults(item, at=at) if fits else [f"{at}: type {item.get('@type')!r}"]
    tests = {
        "Text": isinstance(item, str) and bool(item.strip()),
        "Number": isinstance(item, int | float) and not isinstance(item, bool),
        "URL": isinstance(item, str) and _URL.fullmatch(item) is not None,
        "Date": isinstance(item, str) and _DATE.fullmatch(item) is not None,
    }
    return [] if any(tests.get(name, False) for name in ranges) else [f"{at}: {item!r}"]


def _line(kind: str) -> list[str]:
    """Name a class and all above it."""
    line = [kind]
    while line[-1] in PARENTS:
        line.append(PARENTS[line[-1]])
    return line

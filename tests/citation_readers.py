"""Citation formats read back by programs of others: bibtexparser, pybtex, rispy, citeproc-py."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any

import rispy
from bibtexparser import middlewares
from bibtexparser.entrypoint import parse_string as parse_bibtex
from citeproc import (
    Citation,
    CitationItem,
    CitationStylesBibliography,
    CitationStylesStyle,
    formatter,
)
from citeproc.source.json import CiteProcJSON
from pybtex.database import Entry, parse_string

# What the commands of LaTeX's kernel that stand for characters typeset.
_CHARACTERS = {
    "textbackslash": "\\",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
}
_COMMAND = re.compile(r"\\([a-z]+)\{\}|\\([#$%&_])|[{}]")
# The only style that comes with citeproc-py.
STYLE = "harvard-cite-them-right"
# Of csl-data.json, the input schema of the Citation Style Language 1.0.2, as far as it is used.
CSL_VARIABLES = {
    **dict.fromkeys(("id", "type", "title", "publisher", "number", "DOI", "URL"), str),
    **dict.fromkeys(("keyword", "note", "annote"), str),
    "author": list,
    "issued": dict,
}
CSL_NAME_PARTS = {"family", "given", "non-dropping-particle", "suffix", "literal"}


def typeset(field: str) -> str:
    """Give what TeX would show for the text of a field that holds no formula."""
    return _COMMAND.sub(lambda m: _CHARACTERS[m[1]] if m[1] else m[2] or "", field)


def bibtexparser_fields(text: str) -> dict[str, Any]:
    """Read the one entry of a file with bibtexparser, names cut into parts."""
    library = parse_bibtex(
        text, append_middleware=[middlewares.SeparateCoAuthors(), middlewares.SplitNameParts()]
    )
    assert library.failed_blocks == []
    (block,) = library.blocks
    (entry,) = library.entries
    assert block is entry
    return {
        "ENTRYTYPE": entry.entry_type,
        "ID": entry.key,
        **{field.key: field.value for field in entry.fields},
    }


def pybtex_entry(text: str) -> Entry:
    """Read the one entry of a file with pybtex."""
    (entry,) = parse_string(text, "bibtex").entries.values()
    return entry


def pybtex_names(entry: Entry) -> list[str]:
    """Spell the authors of an entry in their usual order, as typeset."""
    return [
        typeset(
            " ".join(
                [
                    *person.first_names,
                    *person.middle_names,
                    *person.prelast_names,
                    *person.last_names,
                    *person.lineage_names,
                ]
            )
        )
        for person in entry.persons.get("author", [])
    ]


def ris_reference(text: str) -> dict[str, Any]:
    """Read the one reference of a file with rispy."""
    assert text.endswith("ER  - \r\n")
    (reference,) = rispy.loads(text)
    return dict(reference)


def csl_item(text: str) -> dict[str, Any]:
    """Read the one item of a file, and hold it against the schema of CSL-JSON."""
    (item,) = json.loads(text)
    for name, value in item.items():
        assert isinstance(value, CSL_VARIABLES[name]), name
    for author in item.get("author", []):
        assert author.keys() <= CSL_NAME_PARTS
        assert all(isinstance(part, str) and part for part in author.values())
    assert [len(parts) for parts in item["issued"]["date-parts"]] == [3]
    return dict(item)


def rendered(items: list[dict[str, Any]]) -> list[str]:
    """Let a citation processor make a list of references."""
    with warnings.catch_warnings():
        # The processor says so of styles that it reads with all their options.
        warnings.simplefilter("ignore")
        source = CiteProcJSON(items)
        style = CitationStylesStyle(STYLE, validate=False)
        bibliography = CitationStylesBibliography(style, source, formatter.plain)
        for item in items:
            bibliography.register(Citation([CitationItem(item["id"])]))
        return [str(entry) for entry in bibliography.bibliography()]

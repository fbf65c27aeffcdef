"""A record as citation formats: BibTeX, RIS, CSL-JSON. Pure.

None of the three has room for marks, so each says in a note what is not proven. All text comes from
strangers: none of it may end a field, begin another one, or run in a reader's TeX. The formats are
described in docs/formats/metadata.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.authors import split_authors
from generator.display import shown_text
from generator.facts import KnownRecord
from generator.formats.canonical import JsonObject, JsonValue
from generator.head import CitationText
from generator.limits import DEFAULT_LIMITS
from generator.names import PersonName, parse_names
from generator.pages import HowKnown
from generator.tex_text import escape_tex, title_tex

ARXIV_ABSTRACT = "https://arxiv.org/abs/"
BIBTEX, RIS, CSL = "cite.bib", "cite.ris", "cite.csl.json"
_LABELS = {BIBTEX: "BibTeX", RIS: "RIS", CSL: "CSL-JSON"}
_TITLE_PROVEN = "Title proven by the signed record."
_TITLE_MISSING = "Title not known."
_AUTHORS = {
    HowKnown.REPORTED: "Authors not proven: a signer says so, maybe in another order.",
    HowKnown.CARRIED: "Authors not proven: from an unchecked snapshot, maybe in another order.",
}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Citation:
    """What a citation says. `raw_title` has its TeX; both titles are empty if none is proven."""

    key: str
    pith_number: str
    raw_title: str
    title: str
    authors: tuple[PersonName, ...]
    more_authors: bool  # there are more than are listed
    date: str  # YYYY-MM-DD
    arxiv_id: str  # with version
    categories: tuple[str, ...]
    doi: str
    note: str  # short enough for a list of references
    annotation: str  # what is proven and what is not


def cite_record(known: KnownRecord, *, example: bool) -> Citation:
    """Say what a citation of a record says.

    Args:
        known: what is known of the record.
        example: whether the record is an invented one of an example registry.

    Returns:
        The citation. Its key is made of the record's alias of twelve characters.
    """
    record, paper = known.state.record, known.paper
    aliases = {alias.kind: alias.value for alias in known.state.aliases}
    names, more = _authors(known)
    notes = [_TITLE_PROVEN if paper.title else _TITLE_MISSING]
    if paper.authors:
        notes.append(_AUTHORS.get(paper.authors.known, ""))
    return Citation(
        key=f"pith{known.suffix[:12]}",
        pith_number=str(known.state.pith_number),
        raw_title=paper.title.raw if paper.title else "",
        title=shown_title(known),
        authors=names,
        more_authors=more,
        date=record.submitted_at.date,
        arxiv_id=record.source.versioned_id,
        categories=(record.primary_category, *record.cross_categories),
        doi=aliases.get("doi", ""),
        note=_note(known, example=example),
        annotation=" ".join(filter(None, notes)),
    )


def citation_files(known: KnownRecord, *, example: bool) -> tuple[tuple[str, str], ...]:
    """Spell a record in every citation format.

    Args:
        known: what is known of the record.
        example: whether the record is an invented one.

    Returns:
        Name and text of each file, BibTeX first.
    """
    citation = cite_record(known, example=example)
    return (
        (BIBTEX, spell_bibtex(citation)),
        (RIS, spell_ris(citation)),
        (CSL, spell_csl(citation)),
    )


def citation_texts(files: Sequence[tuple[str, str]]) -> tuple[CitationText, ...]:
    """Give the citation formats as a record page shows them.

    Args:
        files: as `citation_files` gives them.

    Returns:
        The texts, with line feeds only, in the order of the files. BibTeX is shown before others.
    """
    limits, length = DEFAULT_LIMITS, 0
    found = []
    for name, text in files:
        length += len(text) + 4 * (text.count('"') + text.count("'"))  # HTML: &#34; and &#39;
        fits = length <= limits.shown_citations_max_length or (
            name == BIBTEX and len(text) <= limits.shown_bibtex_max_length
        )
        shown = text.replace("\r\n", "\n").rstrip("\n") if fits else ""
        found.append(CitationText(_LABELS[name], name, shown))
    return tuple(found)


def shown_title(known: KnownRecord) -> str:
    """Give a record's title as shown, or nothing where none is proven."""
    title = known.paper.title
    return shown_text(title.raw, limit=DEFAULT_LIMITS.shown_title_max_length) if title else ""


def shown_authors(known: KnownRecord) -> tuple[tuple[str, ...], bool]:
    """Give the names of a record's authors.

    Args:
        known: what is known of the record.

    Returns:
        As many names as a list may hold, and whether there are more.
    """
    limits, text = DEFAULT_LIMITS, known.paper.authors
    if text is None:
        return (), False
    names, limit = split_authors(text.raw), limits.shown_authors_max_length
    if len(shown_text(text.raw, limit=limit)) > limit:
        return names[:-1], True  # the last one was cut in the middle
    return names, len(names) >= limits.listed_authors_max_count


def _authors(known: KnownRecord) -> tuple[tuple[PersonName, ...], bool]:
    names, more = shown_authors(known)
    return parse_names(names), more


def _note(known: KnownRecord, *, example: bool) -> str:
    words = [f"Pith Number {known.state.pith_number}"]
    if example:
        words.append("an invented record of an example registry")
    if "withdrawn" in known.warnings:
        words.append("withdrawn record")
    if "contradicted" in known.warnings:
        words.append("record with contradicting signed statements")
    return ", ".join(words)


def spell_bibtex(citation: Citation) -> str:
    """Spell a citation as BibTeX, for BibTeX and biber alike, in UTF-8.

    Args:
        citation: the citation.

    Returns:
        One `@misc` entry.
    """
    year, month, _ = citation.date.split("-")
    fields = [
        ("author", _bibtex_authors(citation)),
        ("title", title_tex(citation.raw_title, limit=DEFAULT_LIMITS.shown_title_max_length)),
        ("year", year),
        ("eprint", citation.arxiv_id),
        ("archivePrefix", "arXiv"),
        ("primaryClass", citation.categories[0]),
        ("doi", escape_tex(citation.doi)),
        ("url", f"{ARXIV_ABSTRACT}{citation.arxiv_id}"),
        ("note", escape_tex(citation.note)),
        ("annote", escape_tex(citation.annotation)),
        # What styles sort by where there is no author.
        ("key", "" if citation.authors else citation.pith_number),
    ]
    lines = [f"  {name:<13} = {{{value}}}," for name, value in fields if value]
    lines.insert(_after(lines, "year"), f"  {'month':<13} = {_MONTHS[int(month) - 1]},")
    return "\n".join([f"@misc{{{citation.key},", *lines, "}", ""])


def _after(lines: list[str], name: str) -> int:
    return 1 + next(n for n, line in enumerate(lines) if line.startswith(f"  {name} "))


def _bibtex_authors(citation: Citation) -> str:
    names = [_bibtex_name(name) for name in citation.authors]
    return " and ".join([*names, *(["others"] if citation.more_authors and names else [])])


def _bibtex_name(name: PersonName) -> str:
    words = f"{name.particle} {name.family} {name.given}".lower().split()
    if name.literal or "and" in words or "others" in words:
        # In braces neither a comma nor the word "and" divides it.
        whole = name.literal or " ".join(
            filter(None, (name.given, name.particle, name.family, name.suffix))
        )
        return f"{{{escape_tex(whole)}}}"
    family = escape_tex(name.family)
    if " " in family:
        family = f"{{{family}}}"
    last = f"{escape_tex(name.particle)} {family}".strip()
    parts = (last, escape_tex(name.suffix), escape_tex(name.given))
    return ", ".join(part for part in parts if part)


def spell_ris(citation: Citation) -> str:
    """Spell a citation as RIS, in UTF-8.

    Args:
        citation: the citation; no text in it may hold a line end, or it could begin a tag.

    Returns:
        One reference: a tag a line, each ended by CR LF.
    """
    lines = [f"{tag}  - {_one_line(value)}".rstrip(" ") for tag, value in _ris_tags(citation)]
    # The last tag has no value, but the space of its form.
    return "".join(f"{line}\r\n" for line in [*lines, "ER  - "])


def _ris_tags(citation: Citation) -> Iterator[tuple[str, str]]:
    yield "TY", "UNPB"
    yield "ID", citation.key
    for name in citation.authors:
        yield "AU", _ris_name(name)
    if citation.title:
        yield "TI", citation.title
    yield "PY", citation.date[:4]
    yield "DA", citation.date.replace("-", "/")
    yield "PB", "arXiv"
    yield "M1", f"arXiv:{citation.arxiv_id}"
    if citation.doi:
        yield "DO", citation.doi
    yield "UR", f"{ARXIV_ABSTRACT}{citation.arxiv_id}"
    yield "AN", citation.pith_number
    for category in citation.categories:
        yield "KW", category
    yield "N1", citation.note
    yield "N1", f"{citation.annotation}{_more(citation)}"


def _ris_name(name: PersonName) -> str:
    if name.literal:
        # A comma divides family and given name here, and nothing protects it.
        return " ".join(name.literal.replace(",", " ").split())
    family = f"{name.particle} {name.family}".strip()
    return ", ".join(part for part in (family, name.given, name.suffix) if part)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _more(citation: Citation) -> str:
    return " There are more authors than are listed." if citation.more_authors else ""


def spell_csl(citation: Citation) -> str:
    """Spell a citation as CSL-JSON, the input of citation processors.

    Args:
        citation: the citation.

    Returns:
        A JSON array of one item, in UTF-8.
    """
    year, month, day = (int(part) for part in citation.date.split("-"))
    item: JsonObject = {
        "id": citation.key,
        "type": "article",
        "title": citation.title,
        "author": [_csl_name(name) for name in citation.authors],
        "issued": {"date-parts": [[year, month, day]]},
        "publisher": "arXiv",
        "number": f"arXiv:{citation.arxiv_id}",
        "DOI": citation.doi,
        "URL": f"{ARXIV_ABSTRACT}{citation.arxiv_id}",
        "keyword": ", ".join(citation.categories),
        "note": citation.note,
        "annote": f"{citation.annotation}{_more(citation)}",
    }
    kept = {name: value for name, value in item.items() if value not in ("", [])}
    # A variable a line, for people who look at it on the page.
    lines = (f'"{name}":{_compact(value)}' for name, value in kept.items())
    return "[{\n" + ",\n".join(lines) + "\n}]\n"


def _compact(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _csl_name(name: PersonName) -> JsonObject:
    parts: JsonObject = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
        "literal": name.literal,
    }
    return {key: value for key, value in parts.items() if value}

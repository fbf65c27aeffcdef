"""Names of cited works: spellings of one arXiv id or DOI brought to one form, to be compared.

Which keys of a snapshot's reference are read is our reading (`docs/formats/site.md`, Citations):
the registry has published that `references.sample` is a list, not what its items hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.errors import FormatError
from generator.formats.canonical import JsonValue
from generator.formats.identifiers import PithNumber, parse_pith_number
from generator.limits import DEFAULT_LIMITS

PITH_NUMBER = "pith_number"
ARXIV_ID = "arxiv_id"
DOI = "doi"
# In this order: the first that is well formed names the work.
REFERENCE_KEYS = (PITH_NUMBER, ARXIV_ID, DOI)

# arXiv reads `math.GT/0309136` and `math/0309136` as one paper, so the subject class is left out.
_ARXIV_ID = re.compile(
    r"(?:arxiv:)?"
    r"([0-9]{4}\.[0-9]{4,5}|([a-z]+(?:-[a-z]+)*)(?:\.[a-z]{2})?/([0-9]{7}))"
    r"(?:v([1-9][0-9]{0,3}))?",
    re.IGNORECASE | re.ASCII,
)
_DOI = re.compile(
    r"(?:doi:|https?://(?:dx\.)?doi\.org/)?(10\.[0-9]{4,9}/[!-~]{1,200})", re.IGNORECASE | re.ASCII
)
_ARXIV_DOI = "10.48550/arxiv."  # the DOIs that arXiv gives to its own papers


@dataclass(frozen=True, slots=True, order=True)
class Work:
    """A work as something names it.

    `kind` is one of `REFERENCE_KEYS`, `name` the normal form without a version; version 0 is any.
    """

    kind: str
    name: str
    version: int = 0

    def __str__(self) -> str:
        """Give the name, with its version if there is one."""
        return f"{self.name}v{self.version}" if self.version else self.name


def work_of_record(number: PithNumber) -> Work:
    """Name a record.

    Args:
        number: its Pith Number.

    Returns:
        The work.
    """
    return Work(PITH_NUMBER, str(number))


def work_of_arxiv(text: str) -> Work | None:
    """Read an arXiv id, with or without version, `arXiv:` and subject class.

    Args:
        text: any text.

    Returns:
        The work, or None if the text is no arXiv id.
    """
    match = _ARXIV_ID.fullmatch(text)
    if match is None:
        return None
    name = f"{match[2]}/{match[3]}" if match[2] else match[1]
    return Work(ARXIV_ID, name.lower(), int(match[4] or 0))


def work_of_doi(text: str) -> Work | None:
    """Read a DOI, bare or as an address; one that arXiv gave names the arXiv paper.

    Args:
        text: any text. DOIs do not differ by case (ISO 26324).

    Returns:
        The work, or None if the text is no DOI.
    """
    match = _DOI.fullmatch(text)
    if match is None:
        return None
    name = match[1].lower()
    paper = work_of_arxiv(name[len(_ARXIV_DOI) :]) if name.startswith(_ARXIV_DOI) else None
    return paper or Work(DOI, name)


def work_of_reference(item: JsonValue) -> Work | None:
    """Read an item of a snapshot's `references.sample`.

    Args:
        item: any value.

    Returns:
        The work that its first well-formed name gives, or None.
    """
    if not isinstance(item, dict):
        return None
    for key in REFERENCE_KEYS:
        text = item.get(key)
        # Longer than any identifier: what follows is stored and sorted by it.
        if not isinstance(text, str) or len(text) > DEFAULT_LIMITS.token_max_length:
            continue
        work = _read(key, text)
        if work is not None:
            return work
    return None


def _read(key: str, text: str) -> Work | None:
    if key == ARXIV_ID:
        return work_of_arxiv(text)
    if key == DOI:
        return work_of_doi(text)
    try:
        return work_of_record(parse_pith_number(text, subject=key))
    except FormatError:
        return None

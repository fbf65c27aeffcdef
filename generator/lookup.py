"""Lookup: an identifier as a person writes it → which records it names.

Every form of protocol parts 1 and 4 is read: the Pith Number, its suffix, the short forms, the
arXiv id with or without version, the DOI. What a form names is decided by the record alone, never
by what a bundle lists as its aliases.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from generator.formats.bundle import Bundle
from generator.formats.event import event_type_of
from generator.formats.identifiers import SHORT_LENGTHS, SUFFIX_LENGTH
from generator.formats.record import SOURCE_KIND, CanonicalRecord
from generator.formats.works import DOI, Work, work_of_arxiv, work_of_doi
from generator.merge import RecordState

ALIAS_ADDED = "alias_added"
FORMS = "a Pith Number, its suffix or short form, an arXiv id or a DOI"

_PITH = re.compile(r"(?:pith:)?(?:([0-9]{4}):)?([A-Z2-7]+)", re.IGNORECASE | re.ASCII)
_ARXIV_ADDRESS = re.compile(r"https?://arxiv\.org/(?:abs|pdf)/", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Identifier:
    """What a person is looking for: the letters a suffix begins with, or else a paper's name."""

    suffix_start: str = ""
    work: Work | None = None

    def names(self, record: CanonicalRecord) -> bool:
        """Tell whether a record has this name by the rules of protocol parts 1 and 4.

        Args:
            record: any record, verified or not.

        Returns:
            True if it does.
        """
        if self.work is None:
            return record.pith_number.suffix.startswith(self.suffix_start)
        paper = work_of_arxiv(record.source.id) if record.source.kind == SOURCE_KIND else None
        return (
            paper is not None
            and (paper.kind, paper.name) == (self.work.kind, self.work.name)
            and self.work.version in (0, record.source.version)
        )

    def may_be_added(self, bundle: Bundle) -> bool:
        """Tell whether an event of a bundle, genuine or not, adds this name to its record.

        Args:
            bundle: not verified yet.

        Returns:
            True if it is worth verifying; `is_added` decides.
        """
        return any(
            isinstance(event, dict)
            and event_type_of(event) == ALIAS_ADDED
            and self._is_added_by(event.get("payload"))
            for event in bundle.events
        )

    def is_added(self, state: RecordState) -> bool:
        """Tell whether an event that counts adds this name to a record.

        Args:
            state: the record's merged state.

        Returns:
            True if one does, such as a journal's DOI.
        """
        added = state.counting(ALIAS_ADDED)
        return any(event.event and self._is_added_by(event.event.payload) for event in added)

    def _is_added_by(self, payload: object) -> bool:
        value = payload.get("alias_value") if isinstance(payload, Mapping) else None
        if self.work is None or self.work.kind != DOI or not isinstance(value, str):
            return False
        return work_of_doi(value) == self.work


def parse_identifier(text: str) -> Identifier | None:
    """Read an identifier in any form.

    Args:
        text: as a person wrote it; the year of a full Pith Number is for people and not compared.

    Returns:
        The identifier, or None if the text has no form that a record could have.
    """
    text = text.strip()
    pith = _PITH.fullmatch(text)
    if pith is not None:
        letters = pith[2].upper()
        lengths = {SUFFIX_LENGTH} if pith[1] else {SUFFIX_LENGTH, *SHORT_LENGTHS}
        return Identifier(suffix_start=letters) if len(letters) in lengths else None
    work = work_of_doi(text) or work_of_arxiv(_ARXIV_ADDRESS.sub("", text, count=1))
    return None if work is None else Identifier(work=work)

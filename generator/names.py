"""Names of people, cut into family and given names as citation formats want them: heuristics.

Nothing in a record says which part of a name is which, or that it names a person at all. So this
follows the custom of the Latin script (given names first) and leaves whole what does not look like
that; docs/formats/metadata.md says so to readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

# Small words that begin a family name: van der Berg, de la Cruz, von Neumann.
_PARTICLES = frozenset(
    """
    af al av bin da das de degli dei del della delle den der di dos du el ibn la las le lo los op st
    ten ter tom van vom von y zu zum zur 't
    """.split()  # noqa: SIM905
)
# With a capital they are also middle names of other languages, so only the commonest count.
_CAPITAL_PARTICLES = frozenset(["Van", "Von", "De", "Del", "Della"])
_SUFFIXES = frozenset(["jr", "jr.", "sr", "sr.", "ii", "iii", "iv"])
_GROUP = re.compile(
    r"\b(?:collaboration|consortium|group|team|project|survey|network|committee|observatory|"
    r"institute|university|laboratory|society|association|working|for the|on behalf)\b"
    r"|^the\b",
    re.IGNORECASE,
)
# `E.Mirabella`, `H.van Deurzen`: initials without the space that would end them.
_TIGHT_INITIAL = re.compile(r"(?<=\w)\.(?=[^\W\d_])")
_NO_NAME = re.compile(r"[\d:;@/\\{}$⟨…]")
_BY_CHARACTER = re.compile(r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name. Either `literal` is set and nothing else, or `family` is."""

    family: str = ""
    given: str = ""
    particle: str = ""  # stands before the family name and sorts apart from it
    suffix: str = ""  # Jr., III
    literal: str = ""  # a group, or a name that cannot be cut


def parse_names(names: Iterable[str]) -> tuple[PersonName, ...]:
    """Cut names of authors into parts.

    Args:
        names: as `split_authors` gives them.

    Returns:
        The names in the same order; pieces that can only be the rest of an affiliation in
        parentheses, cut off by the comma in it, are left out.
    """
    return tuple(parse_name(name) for name in names if not _is_rest(name))


def parse_name(text: str) -> PersonName:
    """Cut one name into parts.

    Args:
        text: a name, given names first; an affiliation in parentheses after it is left out.

    Returns:
        The parts; the whole text as `literal` where it does not look like a person's name in the
        Latin order.
    """
    text = " ".join(text.split())
    bare = text.partition("(")[0].strip() or text
    if _GROUP.search(text) or _NO_NAME.search(bare) or _BY_CHARACTER.search(bare) or "," in bare:
        return PersonName(literal=text)
    words = _TIGHT_INITIAL.sub(". ", bare).split(" ")
    suffix = words.pop() if len(words) > 2 and words[-1].lower() in _SUFFIXES else ""
    if len(words) < 2:
        return PersonName(literal=bare)
    first = next((n for n in range(1, len(words) - 1) if _begins_family(words[n])), len(words) - 1)
    last = first
    while last < len(words) - 1 and words[last] in _PARTICLES:
        last += 1
    return PersonName(
        family=" ".join(words[last:]),
        given=" ".join(words[:first]),
        particle=" ".join(words[first:last]),
        suffix=suffix,
    )


def _begins_family(word: str) -> bool:
    return word in _PARTICLES or word in _CAPITAL_PARTICLES


def _is_rest(name: str) -> bool:
    return name.endswith(")") and "(" not in name

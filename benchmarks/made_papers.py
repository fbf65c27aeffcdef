"""Made-up papers for the bundles that measure: the same ones under every version of Python."""

from __future__ import annotations

import calendar
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from generator.formats.canonical import JsonObject

_Item = TypeVar("_Item")
_CATEGORIES = (
    ("cs.DC", ("cs.AI", "cs.LG", "cs.PF")),
    ("cs.CL", ("cs.AI", "cs.LG")),
    ("math.AG", ("math.CO", "math.NT")),
    ("hep-th", ("gr-qc", "math-ph")),
    ("astro-ph.CO", ("astro-ph.GA", "hep-ph")),
    ("quant-ph", ("cond-mat.stat-mech", "cs.ET")),
    ("stat.ML", ("cs.LG", "math.ST")),
    ("q-bio.NC", ("cond-mat.dis-nn", "physics.bio-ph")),
)
_ARCHIVES = ("hep-th", "astro-ph", "cond-mat", "gr-qc", "hep-ph", "math", "quant-ph", "nucl-th")
_LICENSES = (
    "http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
    "http://creativecommons.org/licenses/by/4.0/",
    "http://creativecommons.org/licenses/by-nc-sa/4.0/",
    "",
)
_NAMES = (
    "Ada Testova",
    "Herv\\'e Exemplaire",
    "J. M. Sample",
    "Mina Placeholder",
    'Rafael K\\"unstlich',
    "Wei Shili",
    "Yuki Mihon",
    "Zofia Przyk\\l adowa",
)
_TEXT = (
    "a of the in for with on deterministic signed record event merge digest bundle lattice "
    "quantum gradient sparse compression entropy galaxy cluster neural operator bound spectral "
    "method training communication efficient survey model entanglement topology random graph "
    'estimate convergence robust federated scalar tensor $O(n^2)$ $SL_2$ Schr\\"odinger'
)
_WORDS = _TEXT.split()


@dataclass(frozen=True, slots=True)
class Paper:
    """A made-up paper."""

    source: JsonObject
    category: str
    cross: tuple[str, ...]
    license: str
    submitted_at: str
    title: str
    authors: str
    abstract: str


class Dice:
    """Numbers out of a label through SHAKE-256: the same under every version of Python."""

    def __init__(self, label: str) -> None:
        self._bytes = iter(hashlib.shake_256(label.encode()).digest(2_048))

    def below(self, limit: int) -> int:
        """Give a number from 0 to limit - 1, for limits far below 65,536."""
        return (next(self._bytes) << 8 | next(self._bytes)) % limit

    def one_of(self, items: Sequence[_Item]) -> _Item:
        """Choose an item."""
        return items[self.below(len(items))]


def made_up_paper(index: int, dice: Dice) -> Paper:
    """Make up a paper.

    Args:
        index: another one has another identifier.
        dice: for all the rest.

    Returns:
        The paper.
    """
    year, month, source_id = _identifier(index)
    category, cross = dice.one_of(_CATEGORIES)
    day = 1 + dice.below(calendar.monthrange(year, month)[1])
    return Paper(
        source={"kind": "arxiv", "id": source_id, "version": 1 + dice.below(3)},
        category=category,
        cross=cross[: dice.below(len(cross) + 1)],
        license=dice.one_of(_LICENSES),
        submitted_at=f"{year}-{month:02}-{day:02}T{dice.below(24):02}:{dice.below(60):02}:19Z",
        title=_sentence(dice, 6 + dice.below(7)),
        authors=", ".join(sorted({dice.one_of(_NAMES) for _ in range(1 + dice.below(6))})),
        # As in real life, a few abstracts are shorter than the excerpt and can be proven whole.
        abstract=_sentence(dice, 60 + dice.below(100)) + ".",
    )


def _identifier(index: int) -> tuple[int, int, str]:
    """Give year, month and arXiv id; one of sixteen is of the old style, with a slash."""
    if index % 16 == 15:
        rest, slot = divmod(index // 16, 188)  # months from August 1991 to March 2007
        year, month = divmod(1991 * 12 + 7 + slot, 12)
        archive = _ARCHIVES[rest // 999 % len(_ARCHIVES)]
        return year, month + 1, f"{archive}/{year % 100:02}{month + 1:02}{rest % 999 + 1:03}"
    rest, slot = divmod(index - index // 16, 230)  # months from April 2007 to May 2026
    year, month = divmod(2007 * 12 + 3 + slot, 12)
    width = 4 if year < 2015 else 5
    return year, month + 1, f"{year % 100:02}{month + 1:02}.{rest + 1:0{width}}"


def _sentence(dice: Dice, count: int) -> str:
    text = " ".join(dice.one_of(_WORDS) for _ in range(count))
    # Not `capitalize`, which lowers the rest: TeX commands are case-sensitive.
    return text[0].upper() + text[1:]

"""Papers that nobody has written, for the example registry.

Their arXiv ids are of a thirteenth month, so no real paper has one of them.
"""

from __future__ import annotations

from dataclasses import replace

from tests.vectors.builders import Json, Paper

_NOTICE = "An invented example: no such paper exists."


def _paper(number: int, title: str, abstract: str, **more: Json) -> Paper:
    base = Paper(
        source_id=f"2613.{number:05}",
        version=1,
        submitted_at=f"2026-05-{number % 28 + 1:02}T08:15:30Z",
        category="math.CO",
        cross=(),
        title=title,
        authors="Ada Example, Ben Sample",
        abstract=f"{_NOTICE} {abstract}",
    )
    return replace(base, **more)


COMPLETE = _paper(
    1,
    "Lattice sums in odd dimensions",
    "We bound a lattice sum in every odd dimension, and give the constant for dimension three.",
    cross=("math.NT",),
)
CACTUS = _paper(
    2,
    "Greedy colourings of random cactus graphs",
    "A greedy colouring of a random cactus graph needs three colours with high probability.",
)
CACTUS_VERSIONS = tuple(replace(CACTUS, version=version) for version in (1, 2, 3))
CARRIED = _paper(
    3,
    "Heat flow on a broken torus",
    "Its snapshot came from a published page, without the envelope that would prove it.",
    category="math.AP",
)
SPOILT = _paper(
    4,
    "Twelve ways to misread a signature",
    "The record is sound. Around it stands one event for each way in which an event can fail.",
    category="cs.CR",
)
RENAMED = _paper(
    5,
    "A title that nobody has changed",
    "The snapshot calls the paper by another title than the one the receipt signs.",
    category="cs.DL",
)
UNTITLED = _paper(
    6,
    "A title that stands nowhere",
    "The bundle holds the creation alone, so the title is known by its digest only.",
    category="cs.DL",
)
BAD_RECEIPT = _paper(7, "A receipt of another record", "Its receipt does not verify.")
ALTERED = _paper(8, "A record that was altered", "Its digest is not the claimed one.")
OTHER_REGISTRY = _paper(9, "A record of a registry not trusted here", "Its key is not pinned.")
EQUIVOCAL = _paper(
    11,
    "Two answers to one question",
    "The registry signed two citations and two snapshots that cannot both be meant.",
    category="cs.DC",
)
AUDITED = _paper(
    12,
    "References with broken identifiers",
    "Detectors found something, took some of it back, and found some of it again.",
    category="cs.DL",
)
REVISED = _paper(
    13,
    "Three snapshots and a half",
    "Newer snapshots have superseded older ones; one is of another target.",
    category="cs.DB",
)
TAKEN_BACK = _paper(
    14,
    "Statements that were taken back",
    "A claim, a challenge and a citation were withdrawn by those who made them.",
)
WITHDRAWN = _paper(
    15,
    "Every even number is a sum of two odd primes",
    "Withdrawn by its author, since the proof of Lemma 2 fails for the number four.",
    category="math.NT",
)
WAITING = _paper(
    16,
    "Corrections that need two signers",
    "This mirror asks for two signers behind a correction. One has them, one is waiting.",
)
KEYS = _paper(
    17,
    "Keys that end and keys that begin",
    "Signed by a key that was rotated in, one that retired, and one that was lost.",
    category="cs.CR",
)
STAMPED = _paper(
    18,
    "Six timestamps of one record",
    "One waits for a block, one needs a header, one fails, one is of a kind not checked here.",
    category="cs.CR",
)
PENDING = _paper(
    10,
    "A timestamp that waits",
    "A calendar has promised a block, and the block has not come.",
    category="cs.CR",
)
TEX = _paper(
    19,
    "On $K_{\\alpha}$-spaces, $\\sqrt[3]{x}\\le 2$ and Erd\\H{o}s--R\\'enyi graphs",
    "For $n \\to \\infty$ we have $\\sum_{k=1}^{n} k^{-2} < \\pi^2/6$ \\emph{(of course)}.",
    authors='Zo\\"e {\\O}rsted-Example, \\L{}ukasz Sample, Fran\\c{c}ois Spécimen',
)
GREEK_AND_CYRILLIC = _paper(
    20,
    "Περί αριθμών και о числах",
    "A title in two scripts.",
    authors="Άννα Παράδειγμα, Иван Образец",
)
CHINESE = _paper(
    21, "关于虚构图的着色", "A title in Chinese.", authors="例子 明, 示例 华", category="cs.DM"
)
ARABIC = _paper(
    22,
    "حول الأعداد الأولية في المتتاليات (2026)",
    "A title that runs from right to left, with digits in it.",
    authors="مثال علي",
    category="math.NT",
)
RELATED = _paper(
    23,
    "A paper that cites in every way",
    "It supports, refutes, extends, uses, depends on, replaces, compares and cites.",
    category="cs.SI",
)
REPEATED = _paper(
    24,
    "A result that others have tried again",
    "It was repeated, refuted in part, and carried over into a proof assistant.",
    category="cs.LO",
)
STRANGE = _paper(
    25,
    "Events of kinds yet to come",
    "Some events are of a kind, or by a rule, that this mirror does not know.",
    category="cs.ET",
)
SHARED = _paper(
    26,
    "One record on two mirrors",
    "Two mirrors hold different events of it; here they are united.",
    category="cs.DC",
)
STATED = _paper(27, "A state that agrees", "The bundle claims a state, and the claim is right.")
MISSTATED = _paper(28, "A state that does not agree", "The bundle claims three events; it has two.")
OLD = replace(
    _paper(
        29,
        "Quivers before the turn of the century",
        "An old identifier with a slash, no licence, and no cross-listing.",
        category="hep-th",
    ),
    source_id="hep-th/9613001",
    submitted_at="1996-12-31T23:59:59Z",
    license="",
)
LONG = _paper(
    30,
    "Forty authors and a long abstract",
    " ".join(f"Sentence {number} of an abstract that is cut." for number in range(1, 31)),
    authors=", ".join(f"Author Example-{number}" for number in range(1, 41)),
    category="hep-ex",
)
REFERRED = _paper(
    31,
    "A paper with references",
    "Its snapshot lists references, two of which are records of this mirror.",
    category="cs.DL",
)

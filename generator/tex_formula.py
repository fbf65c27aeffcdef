r"""Formulas a reader's own TeX may be handed as they are: they run nothing, and they typeset.

A formula of a title comes from anyone. `\input` in it would run there; `$\text$` or `$a_b_c$` would
stop the reader's bibliography with an error. So a formula is read by a small grammar, which knows
fewer formulas than TeX does: a formula that it does not know becomes text.
"""

# ruff: noqa: SIM905 - names apart by blanks are read more easily than in quotes
from __future__ import annotations

import re
from dataclasses import dataclass

_PIECE = re.compile(r"\\(?:[A-Za-z]+|.)|.", re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z0-9 +\-=<>|/().,:;'*!?\[\]~]")
_WORDS = re.compile(r"[A-Za-z0-9 +\-=/().,:;'*!?]*")
# Commands of plain TeX, LaTeX, amsmath and amssymb that only typeset. A name that is not in one of
# these lists (`\input`, `\write`, `\def`, `\csname`, a macro of the paper's own) makes the formula
# plain text.
# Each of these may also stand bare where an argument is due, as in `x^\\dagger`.
_CHARACTERS = frozenset(
    """
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi
    varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi
    Pi Sigma Upsilon Phi Psi Omega aleph hbar ell imath jmath wp Re Im partial infty nabla emptyset
    prime pm mp times circ bullet star ast oplus otimes odot perp parallel dagger ddagger sharp flat
    natural to
    """.split()
)
_SYMBOLS = (
    _CHARACTERS
    | frozenset(
        """
        forall exists neg div cdot cdots ldots dots cap cup vee wedge setminus wr leq le geq ge neq
        ne equiv sim simeq approx cong propto ll gg subset subseteq supset supseteq in ni notin mid
        rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow longrightarrow
        mapsto hookrightarrow uparrow downarrow langle rangle lfloor rfloor lceil rceil vert Vert
        sum prod coprod int oint lim sup inf max min sin cos tan log ln exp det dim ker deg gcd hom
        arg lesssim gtrsim ltimes rtimes triangle square Box quad angle top bot models vdash
        """.split()
    )
    | frozenset(",;:! |{}%&#_")
)
# Those that take one argument, of which some only in braces and some only words.
_ACCENTS = frozenset(
    "hat tilde bar vec dot ddot check widehat widetilde overline underline".split()
)
_ALPHABETS = frozenset("mathbb mathbf mathcal mathfrak mathit mathrm mathscr mathsf".split())
# They set no character, so what follows belongs to the one before.
_SWITCHES = frozenset(("rm", "bf", "it", "sf", "cal"))
_TEXTS = frozenset(("text", "textrm", "textit", "textbf"))
_FRACTIONS = frozenset(("frac", "tfrac", "binom"))
_LARGE = frozenset(("big", "Big"))
_DELIMITERS = frozenset("( ) [ ] | / . < >".split()) | frozenset(
    rf"\{name}" for name in "{ } | langle rangle lfloor rfloor lceil rceil vert Vert".split()
)
# Deeper than any formula of a title, and far below what Python can nest.
_MAX_DEPTH = 12


def is_harmless_formula(source: str) -> bool:
    """Tell whether a formula may be handed to TeX as it is.

    Args:
        source: what stands between the dollars.

    Returns:
        True if it has only letters, signs and commands that typeset, each with its arguments; its
        braces balance for TeX and for BibTeX, which counts escaped ones as well.
    """
    # TeX reads ^^5c as a backslash (The TeXbook, chapter 8).
    if "^^" in source or source.count("{") != source.count("}"):
        return False
    reader = _Reader([piece for piece in _PIECE.findall(source) if piece != " "])
    try:
        reader.read_list(end="", depth=0)
    except _UnknownError:
        return False
    return _is_balanced(source)


def _is_balanced(source: str) -> bool:
    depth = 0
    for char in source:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return True


class _UnknownError(Exception):
    """The formula is not one of those this module knows."""


@dataclass
class _Reader:
    """Reads a formula from left to right; `_UnknownError` ends it."""

    pieces: list[str]
    place: int = 0

    def read_list(self, *, end: str, depth: int) -> None:
        """Read atoms with their scripts up to an ending, which is read too."""
        if depth > _MAX_DEPTH:
            raise _UnknownError
        scripts: set[str] = set()
        while (piece := self._next()) != end:
            if piece in {"^", "_"}:
                # A second one of a kind is TeX's "Double superscript"; a prime is one already.
                _require(piece not in scripts)
                scripts.add(piece)
                self._read_operand(depth, fonts=True)
            elif piece == "'":
                _require("^" not in scripts)
                scripts.add("^")
            else:
                scripts = scripts if piece[1:] in _SWITCHES else set()
                self._read_atom(piece, depth)

    def _next(self) -> str:
        """Give the next piece; the empty one at the end, and one character of what is a space."""
        if self.place >= len(self.pieces):
            return ""
        self.place += 1
        return self.pieces[self.place - 1]

    def _read_atom(self, piece: str, depth: int) -> None:
        name = piece[1:]
        if piece == "{":
            self.read_list(end="}", depth=depth + 1)
        elif not piece.startswith("\\"):
            _require(_PLAIN.fullmatch(piece) is not None)
        elif name == "left":
            _require(self._next() in _DELIMITERS)
            self.read_list(end=r"\right", depth=depth + 1)
            _require(self._next() in _DELIMITERS)
        elif name in _LARGE:
            _require(self._next() in _DELIMITERS)
        elif name == "operatorname":
            _require(self._next() == "{")
            self.read_list(end="}", depth=depth + 1)
        elif name in _ACCENTS | _FRACTIONS:
            for _ in range(1 + (name in _FRACTIONS)):
                self._read_operand(depth)
        elif name == "sqrt":
            self._read_root(depth)
        else:
            self._read_word(name, depth)

    def _read_word(self, name: str, depth: int) -> None:
        if name in _ALPHABETS:
            self._read_operand(depth)
        elif name in _TEXTS:
            _require(self._next() == "{")
            while (piece := self._next()) != "}":
                _require(piece != "" and _WORDS.fullmatch(piece) is not None)
        else:
            _require(name in _SYMBOLS | _SWITCHES)

    def _read_root(self, depth: int) -> None:
        if self.pieces[self.place : self.place + 1] == ["["]:
            self._next()
            self.read_list(end="]", depth=depth + 1)
        self._read_operand(depth)

    def _read_operand(self, depth: int, *, fonts: bool = False) -> None:
        r"""Read an argument: a group, a character, a symbol; as a script also `\mathrm{...}`."""
        piece = self._next()
        if piece == "{":
            self.read_list(end="}", depth=depth + 1)
        elif fonts and piece[1:] in _ALPHABETS and piece.startswith("\\"):
            _require(self._next() == "{")
            self.read_list(end="}", depth=depth + 1)
        elif piece.startswith("\\"):
            _require(piece[1:] in _CHARACTERS)
        else:
            _require(piece not in {"]", "'", "~"} and _PLAIN.fullmatch(piece) is not None)


def _require(known: bool) -> None:  # noqa: FBT001 - a condition
    if not known:
        raise _UnknownError

r"""Text for BibTeX: what a bibliography may typeset without running anything.

A title reaches a reader's own TeX through this module, and TeX is a programming language: `\input`
and `\write` in a title would run there. So text is escaped character by character, and a formula
stays TeX only where it is balanced and uses nothing but commands known to be harmless.
"""

from __future__ import annotations

import re

from generator.display import decode_tex, make_visible, split_formulas

# Braces are counted by BibTeX whether escaped or not, so none is ever written as `\{`.
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{char: f"\\{char}" for char in "#$%&_"},
}
_ESCAPE_TABLE = str.maketrans(_ESCAPES)
_FORMULA = re.compile(r"\{\$[^$]*\$\}")
_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_PLAIN_FORMULA = re.compile(r"[A-Za-z0-9 +\-=<>|/().,:;'*!?\[\]^_{}~]*")
# Commands of plain TeX, LaTeX and amsmath that only typeset. A name that is not here (`\input`,
# `\write`, `\def`, `\csname`, a macro of the paper's own) makes the formula plain text.
_FORMULA_COMMANDS = frozenset(
    """
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi
    varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi
    Pi Sigma Upsilon Phi Psi Omega aleph hbar ell imath jmath wp Re Im partial infty nabla emptyset
    prime forall exists neg pm mp times div cdot cdots ldots dots circ bullet star ast oplus otimes
    odot cap cup vee wedge setminus wr leq le geq ge neq ne equiv sim simeq approx cong propto ll gg
    subset subseteq supset supseteq in ni notin mid parallel perp to rightarrow leftarrow Rightarrow
    Leftarrow leftrightarrow Leftrightarrow longrightarrow mapsto hookrightarrow uparrow downarrow
    langle rangle lfloor rfloor lceil rceil vert Vert sum prod coprod int oint lim sup inf max min
    sin cos tan log ln exp det dim ker deg gcd hom arg mathbb mathbf mathcal mathfrak mathit mathrm
    mathscr mathsf text textrm textit textbf rm bf it sf cal operatorname hat tilde bar vec dot ddot
    check widehat widetilde overline underline sqrt frac tfrac binom left right big Big lesssim
    gtrsim ltimes rtimes dagger ddagger triangle square Box quad sharp flat natural angle perp top
    bot models vdash
    """.split()  # noqa: SIM905
)
_FORMULA_SIGNS = frozenset(",;:! |{}%&#_")


def escape_tex(text: str) -> str:
    r"""Escape a text for LaTeX and BibTeX alike.

    Args:
        text: any text; characters outside ASCII stay as they are, in UTF-8.

    Returns:
        Text that typesets as itself, with balanced braces and no command that does anything else.
    """
    return make_visible(text).translate(_ESCAPE_TABLE)


def title_tex(raw: str, *, limit: int) -> str:
    r"""Spell a title as received for a BibTeX field.

    Accents become characters and formulas stay TeX. Words with a capital letter beyond their first
    character, and formulas, stand in braces, so that no style changes their case.

    Args:
        raw: the title as received, TeX and all.
        limit: characters of it that are used.

    Returns:
        The field's content, with balanced braces.
    """
    pieces: list[str] = []
    for text, formula in split_formulas(" ".join(raw[:limit].split())):
        pieces.append(escape_tex(decode_tex(text)))
        if formula:
            pieces.append(_formula(formula))
    words = "".join(pieces).split(" ")
    return " ".join(_protected(words)) + ("…" if len(raw) > limit else "")


def _formula(source: str) -> str:
    if not is_harmless_formula(source):
        return escape_tex(f"${source}$")
    return f"{{${source}$}}"


def is_harmless_formula(source: str) -> bool:
    """Tell whether a formula may be handed to TeX as it is.

    Args:
        source: what stands between the dollars.

    Returns:
        True if its braces are balanced and it has only letters, signs and commands that typeset.
    """
    if "^^" in source:  # TeX reads ^^5c as a backslash (The TeXbook, chapter 8)
        return False
    for command in _COMMAND.findall(source):
        if command not in _FORMULA_COMMANDS and command not in _FORMULA_SIGNS:
            return False
    rest = _COMMAND.sub("", source)
    # BibTeX counts escaped braces as well, so both counts have to come out even.
    return (
        _PLAIN_FORMULA.fullmatch(rest) is not None and _is_balanced(rest) and _is_balanced(source)
    )


def _is_balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0


def _protected(words: list[str]) -> list[str]:
    result: list[str] = []
    depth = 0
    for word in words:
        inside = depth > 0
        depth += word.count("{") - word.count("}")
        whole = not inside and depth == 0
        result.append(_protect(word) if whole else word)
    return result


def _protect(word: str) -> str:
    if not _has_capital(_COMMAND.sub("", _FORMULA.sub("", word))):
        return word
    # At the outermost level a backslash after a brace begins a "special character", whose case
    # BibTeX does change.
    return f"{{{{{word}}}}}" if word.startswith("\\") else f"{{{word}}}"


def _has_capital(word: str) -> bool:
    """Tell whether a word has a capital inside, or alone as in `B meson` and `X-ray`."""
    alone = word[:1].isupper() and not word[1:2].isalpha() and word != "A"
    return alone or any(char.isupper() for char in word[1:])

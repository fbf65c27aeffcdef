r"""tex_text.py: what reaches a reader's TeX typesets, and does nothing else."""

from __future__ import annotations

import pytest

from generator.tex_formula import is_harmless_formula
from generator.tex_text import escape_tex, title_tex

TITLES = {
    "Plain words": "Plain words",
    r"Schr\"odinger & sons": r"Schrödinger \& sons",
    "50% of #1_x": r"50\% of \#1\_x",
    "a ~ b ^ c": r"a \textasciitilde{} b \textasciicircum{} c",
    "{open": r"\textbraceleft{}open",
    "open}": r"open\textbraceright{}",
    "ZeRO++ and NLO": "{ZeRO++} and {NLO}",
    "A study of B mesons by X-ray": "A study of {B} mesons by {X-ray}",
    "The $D^{0}$ decay": r"The {$D^{0}$} decay",
    r"Proton-$\eta^\prime$ interactions": r"Proton-{$\eta^\prime$} interactions",
    "over $SL_2 (x)$ fields": "over {$SL_2 (x)$} fields",
    r"\input{/etc/passwd}": r"\textbackslash{}input\textbraceleft{}/etc/passwd\textbraceright{}",
    r"$\input{x}$": r"\$\textbackslash{}input\textbraceleft{}x\textbraceright{}\$",
    r"\NLO": r"{{\textbackslash{}NLO}}",
    "costs $5 to $10": r"costs \$5 to \$10",
    "two\nlines": "two lines",
    "hid\u202eden": "{hid⟨U+202E⟩den}",
}
HARMLESS = (
    "x",
    r"\mathbb{Z}_2",
    r"O(n \log n)",
    r"\{a\}",
    r"\sqrt{s}=13\,\mathrm{TeV}",
    "^3",
    "_2",
    "x'_1",
    "x^2_1",
    r"\frac12 \binom{n}{k}",
    r"\hat\alpha^{\dagger}",
    r"\left( \frac{a}{b} \right]",
    r"\big\langle x \big\rangle",
    r"\sqrt[3]{x}",
    r"x^\mathrm{T}",
    r"\text{for all } x",
    r"\mathbb R^n",
    r"{\cal N}=4",
)
# What ends a reader's run of LaTeX with errors, one by one or as a hundred of them.
BROKEN = (
    r"\text",
    r"\text x",
    r"\text{a_b}",
    r"\frac",
    r"\frac{a}",
    r"\frac\mathrm{a}{b}",
    r"\hat",
    r"\hat^",
    r"\sqrt[",
    r"\sqrt[3]",
    r"\binom{n}",
    r"\mathbb",
    r"\big",
    r"\big x",
    r"\left(",
    r"\right)",
    r"{\left(} \right)",
    "x_a_b",
    "x^2'",
    "a^",
    "_",
    r"\lim_",
    r"x^\frac12",
    r"x^\sum",
    r"x_\rm d",
    r"\sqrt\,",
    "{" * 20 + "}" * 20,
)
HARMFUL = (
    r"\write18{ls}",
    r"\def\x{y}",
    r"\csname input\endcsname",
    r"\input x",
    r"\catcode`\%",
    r"x^^5cinput y",
    r"\mymacro",
    "a{b",
    "a}b",
    "}{",
    r"\{a",
    r"{\}",
    "a%b",
    "a&b",
    "a#1",
    "é",
    "\\",
)


@pytest.mark.parametrize("raw", TITLES)
def test_title_is_spelled_for_bibtex(raw: str) -> None:
    """Accents become characters, formulas stay TeX, capitals are kept, all else is escaped."""
    assert title_tex(raw, limit=100) == TITLES[raw]


@pytest.mark.parametrize("source", HARMLESS)
def test_common_formulas_stay_tex(source: str) -> None:
    """Balanced formulas of known commands are handed on as they are."""
    assert is_harmless_formula(source)


@pytest.mark.parametrize("source", HARMFUL)
def test_formulas_that_could_do_more_become_text(source: str) -> None:
    """A command that is not known to typeset, `^^`, or an unbalanced brace makes a formula text."""
    assert not is_harmless_formula(source)


@pytest.mark.parametrize("source", BROKEN)
def test_formulas_that_stop_tex_become_text(source: str) -> None:
    """A command without its arguments, or a second script of a kind, makes a formula text."""
    assert not is_harmless_formula(source)


def test_long_title_is_cut_and_says_so() -> None:
    """What is over the limit ends with an ellipsis."""
    assert title_tex("a" * 30, limit=10) == "a" * 10 + "…"


def test_escaped_text_is_balanced() -> None:
    """Braces in a text are written as commands, since BibTeX counts the escaped ones as well."""
    text = escape_tex("}}{\\}")
    assert text.count("{") == text.count("}")
    assert not text.startswith("}")

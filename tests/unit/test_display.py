"""display.py: text for people; nothing is dropped, nothing invisible passes."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latex2text import get_default_latex_context_db

from generator.display import decode_tex, make_visible, shown_text
from tests.property.strategies import TEXTS
from tests.vectors.cases_hostile import _TEXTS as HOSTILE


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"Schr\"odinger", "Schrödinger"),
        (r"Schr\"{o}dinger", "Schrödinger"),
        (r"Schr{\"o}dinger", "Schrödinger"),
        (r"Herv\'e", "Hervé"),
        (r"\'Etale", "Étale"),
        (r"Rafael K\"ung", "Rafael Küng"),
        (r"Dvo\v{r}\'ak", "Dvořák"),
        (r"Ho\v rava", "Hořava"),
        (r"Erd\H{o}s", "Erdős"),
        (r"Fran\c{c}ois", "François"),
        (r"\AA ngstr\"om", "Ångström"),
        (r"{\AA}ngstr{\"o}m", "Ångström"),
        (r"\O rsted", "Ørsted"),
        (r"S\o{}rensen", "Sørensen"),
        (r"Wei{\ss}", "Weiß"),
        (r"\L{}ukasz", "Łukasz"),
        (r"na\"{\i}ve", "naïve"),
        (r"na\"\i ve", "naïve"),
        (r"Garc\'\i a M\'a\~nez", "García Máñez"),
        (r"Ca\~nada", "Cañada"),
        (r"R\&D at 5\% \#1 \$3 a\_b", "R&D at 5% #1 $3 a_b"),
    ],
)
def test_accents_and_letters_are_decoded(source: str, shown: str) -> None:
    """TeX accents, letters and escapes become the characters they mean."""
    assert decode_tex(source) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("$x$", "x"),
        ("$D^{0}$", "D⁰"),
        ("$SL_2$", "SL₂"),
        (r"$\alpha$-decay", "α-decay"),
        (r"$\alpha_{s}$", "αₛ"),
        (r"$\sqrt{s}$ = 7 TeV", "√s = 7 TeV"),
        (r"$\sqrt{13}$", "√(13)"),
        (r"$\mathbb{R}^n$", "ℝⁿ"),
        (r"$90^\circ$", "90°"),
        (r"$f'$", "f'"),
        (r"$a \leq b$", "a ≤ b"),
        (r"$10^{-3}$", "10⁻³"),
        (r"$x^{y^{z}}$", "x^(y^z)"),
        (r"$\mathrm{Ca}^{2+}$", "Ca²⁺"),
    ],
)
def test_simple_math_is_decoded(source: str, shown: str) -> None:
    """Simple formulas become readable text."""
    assert decode_tex(source) == shown


@pytest.mark.parametrize(
    "source",
    [
        r"$\frac{a}{b}$",
        r"$\operatorname{Spec} A$",
        r"$\unknown$",
        r"\unknown{x}",
        r"\today",
        r"\input{/etc/passwd}",
        r"\def\x{\x\x}\x",
        r"\'q",
        "costs $5 and $6",
        "$",
        "$$",
        "\\",
        "a\\",
        "{x}",
        r"\textbf{x}",
        "plain text, 100%",
    ],
)
def test_what_is_not_understood_stays_as_written(source: str) -> None:
    """No guess: a command that is not known, and text without TeX, is shown as it is written."""
    assert decode_tex(source) == source


def test_half_a_formula_is_never_shown() -> None:
    """A formula is decoded whole or not at all."""
    assert decode_tex(r"$\alpha + \unknown$ and $\beta$") == r"$\alpha + \unknown$ and β"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\u202eevil", "⟨U+202E⟩evil"),
        ("a\u2066b\u2069c", "a⟨U+2066⟩b⟨U+2069⟩c"),
        ("a\u200bb", "a⟨U+200B⟩b"),
        ("a\u200db", "a⟨U+200D⟩b"),
        ("\ufeffa", "⟨U+FEFF⟩a"),
        ("a\x00b", "a⟨U+0000⟩b"),
        ("a\x1b[31m", "a⟨U+001B⟩[31m"),
        ("a\x9b31m", "a⟨U+009B⟩31m"),
        ("a\x7f", "a⟨U+007F⟩"),
        ("a\u00adb", "a⟨U+00AD⟩b"),
        ("\ufffe", "⟨U+FFFE⟩"),
        ("\ue000", "⟨U+E000⟩"),
        ("a\u2028b", "a⟨U+2028⟩b"),
        ("a\nb\tc", "a b c"),
        ("a\u00a0b\u3000c", "a b c"),
        ("日本語 עברית é", "日本語 עברית é"),
    ],
)
def test_invisible_characters_are_made_visible(text: str, shown: str) -> None:
    """Controls, direction marks and zero-width characters are spelled out, letters stay."""
    assert make_visible(text) == shown


def test_joiners_inside_words_that_need_them_are_kept() -> None:
    """A zero-width non-joiner between Persian letters and a joiner in Devanagari words stay."""
    assert make_visible("می\u200cخواهم") == "می\u200cخواهم"
    assert make_visible("\u200cمی") == "⟨U+200C⟩می"
    assert make_visible("می\u200c") == "می⟨U+200C⟩"


@given(TEXTS)
def test_visible_text_is_printable(text: str) -> None:
    """Whatever comes in, only printable characters and kept joiners come out."""
    shown = make_visible(text)
    assert all(char.isprintable() or char in "\u200c\u200d" for char in shown)
    assert not any(unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in shown)


@given(st.text(st.sampled_from("\\${}^_'\"~=.uvHc aé<>&1"), max_size=60), st.integers(1, 40))
def test_shown_text_is_printable_and_bounded(text: str, limit: int) -> None:
    """Any TeX-like text gives printable text of at most the bound and a count of what is cut."""
    shown = shown_text(text, limit=limit)
    assert shown.isprintable()
    assert len(shown) <= limit + len("… (123456 characters in all)")


@given(st.text(st.characters(exclude_characters="\\$", exclude_categories=["Cs"]), max_size=60))
def test_text_without_tex_is_not_changed(text: str) -> None:
    """Without a backslash or a dollar there is nothing to decode."""
    assert decode_tex(text) == text


@pytest.mark.parametrize("text", [text for _, text in HOSTILE], ids=[name for name, _ in HOSTILE])
def test_hostile_text_is_printable_and_quick(text: str) -> None:
    """Each hostile text of the vectors gives printable, bounded text in no time."""
    started = time.process_time()
    shown = shown_text(text, limit=1000)
    assert time.process_time() - started < 1
    assert all(char.isprintable() or char in "\u200c\u200d" for char in shown)
    assert len(shown) <= 1000 + len("… (123456 characters in all)")


@pytest.mark.parametrize(
    "text",
    [
        "{" * 8000,
        "$" * 16_000,
        "\\'" * 8000,
        "\\" * 16_000,
        "$" + "^{" * 100 + "}" * 100 + "$",
        "$" + "x_{" * 5000,
        "$" + "a " * 190 + "$" * 1000,
        "{\\" * 8000,
        "\\v " * 5000,
        "{\\v" + " " * 15_000,
        "\\v" + " " * 15_000,
        "\\math" * 3000,
        "$" + "\\mathbb" + " " * 390 + "$",
        "a" * 2_000_000,
        " " * 2_000_000,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    """Texts made to exhaust a parser or a regular expression are shown in less than a second."""
    started = time.process_time()
    shown_text(text, limit=8000)
    assert time.process_time() - started < 1


def test_cut_text_says_how_much_there_is() -> None:
    """A text over the bound is cut and says its whole length; one of exactly the bound is not."""
    assert shown_text("x" * 10, limit=10) == "x" * 10
    assert shown_text("x" * 11, limit=10) == "x" * 10 + "… (11 characters in all)"
    assert shown_text("x" * 9 + " " * 99, limit=10) == "x" * 9 + "… (108 characters in all)"


def test_white_space_is_folded() -> None:
    """Runs of white space, line breaks included, become one space."""
    assert shown_text("  a\n\n b\t\u3000c  ", limit=100) == "a b c"


def test_too_long_tex_is_shown_as_written() -> None:
    """Decoding stops being worth the work at the bound."""
    assert decode_tex(r"\'e" + "x" * 15_997) == "é" + "x" * 15_997
    assert decode_tex(r"\'e" + "x" * 15_998) == r"\'e" + "x" * 15_998


def test_every_macro_of_the_library_is_harmless_alone() -> None:
    """Whatever pylatexenc does with a macro that lacks its arguments, the text is still shown."""
    specs = get_default_latex_context_db().iter_macro_specs()
    macros = {spec.macroname for spec in specs if spec.macroname.isalpha()}
    assert len(macros) > 500
    for name in sorted(macros):
        text = f"a $\\{name}$ b"
        assert shown_text(text, limit=200).startswith("a "), name

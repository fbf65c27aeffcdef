"""pith.sty: what pdfTeX, XeTeX and LuaTeX make of it, read back out of the PDF."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from generator.lookup import parse_identifier
from generator.tex_formula import is_harmless_formula
from tests.latex_papers import (
    FOLDER,
    GIVEN,
    HYPERREF,
    HYPERXMP,
    LINK,
    NUMBER,
    PITH,
    ROOT,
    SUFFIX,
    errors,
    paper,
    typeset,
)

STYLE = (FOLDER / "pith.sty").read_text(encoding="ascii")
PAGE = (ROOT / "docs" / "latex.md").read_text(encoding="utf-8")

# What random formulas are made of.
FORMULA_PIECES = (
    *"x1 ()[]'^_{}*-~",
    *("{a}", "{b}", r"\left(", r"\right)", r"\left.", r"\right|", r"\big(", r"\Big", r"\sqrt"),
    *("[3]", r"\hat", r"\widetilde", r"\overline", r"\mathrm", r"\mathbb", r"\operatorname"),
    *(r"\text", r"\textbf", r"\frac", r"\binom", r"\alpha ", r"\neq ", r"\{", r"\}", r"\sum "),
    *(r"\rm ", r"\cal ", r"\,", r"\%", r"\_", r"\|", r"\lim ", r"\prime "),
)

BEFORE = (HYPERREF, PITH, GIVEN)
AFTER = (PITH, GIVEN, HYPERREF)
PLAIN = (PITH, GIVEN)
# The engine, the class, and the lines of the preamble. LuaTeX takes seconds to start: few cases.
PAPERS = [
    *(
        ("pdflatex", kind, lines)
        for kind in ("article", "amsart")
        for lines in (BEFORE, AFTER, PLAIN)
    ),
    ("pdflatex", "[twocolumn]article", (*PLAIN, r"\usepackage{color}")),
    ("pdflatex", "[titlepage]article", PLAIN),
    ("pdflatex", "report", (r"\usepackage[colorlinks]{hyperref}", r"\usepackage{xcolor}", *PLAIN)),
    ("xelatex", "article", BEFORE),
    ("xelatex", "amsart", AFTER),
    ("xelatex", "[twocolumn]article", PLAIN),
    ("lualatex", "article", AFTER),
    ("lualatex", "amsart", PLAIN),
]


@pytest.mark.parametrize(("engine", "kind", "preamble"), PAPERS)
def test_paper_shows_links_and_carries_the_number(
    tmp_path: Path, engine: str, kind: str, preamble: tuple[str, ...]
) -> None:
    """The badge follows the title once, leads to the record, and the PDF names the number."""
    made = typeset(tmp_path, paper(*preamble, kind=kind), engine=engine)
    assert errors(made.log) == []
    assert "Overfull" not in made.log
    words = re.compile(
        rf"on a title an author pith number {NUMBER} (1 )?body text\.", re.IGNORECASE
    )
    assert words.search(made.text), made.text
    assert made.text.count(SUFFIX) == 1
    assert made.links == [LINK]
    assert made.information["/PithNumber"] == NUMBER
    if HYPERREF in preamble:
        assert made.information["/Keywords"] == NUMBER


@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "lualatex"])
def test_hyperxmp_gets_an_identifier(tmp_path: Path, engine: str) -> None:
    """With hyperxmp the number is the dc:identifier and a dc:subject of the XMP packet."""
    made = typeset(tmp_path, paper(PITH, GIVEN, HYPERXMP, HYPERREF, kind="amsart"), engine=engine)
    assert errors(made.log) == []
    assert made.metadata("dc:identifier") == [NUMBER]
    assert made.metadata("dc:subject") == [NUMBER]
    assert made.information["/PithNumber"] == NUMBER


@pytest.mark.parametrize("field", ["pdfidentifier=mine", "pdfdoi=10.1000/1"])
def test_what_the_author_said_stays(tmp_path: Path, field: str) -> None:
    """Keywords, identifier and DOI of the author are not replaced, only /PithNumber is added."""
    own = rf"\hypersetup{{pdfkeywords={{Größe, two}},{field},pdfsubject=Things}}"
    made = typeset(tmp_path, paper(HYPERXMP, HYPERREF, PITH, GIVEN, own))
    assert errors(made.log) == []
    assert made.metadata("dc:subject") == ["Größe", "two"]
    assert made.metadata("dc:identifier") == ["mine" if "mine" in field else "info:doi/10.1000/1"]
    assert made.information["/PithNumber"] == NUMBER


@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_keywords_without_hyperxmp_stay(tmp_path: Path, engine: str) -> None:
    """With hyperref alone, too, the author's keywords are what /Keywords holds."""
    own = r"\hypersetup{pdfkeywords={one, two}}"
    made = typeset(tmp_path, paper(PITH, GIVEN, HYPERREF, own), engine=engine)
    assert made.information["/Keywords"] == "one, two"
    assert made.information["/PithNumber"] == NUMBER


@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_number_may_stand_after_begin_document(tmp_path: Path, engine: str) -> None:
    """Given right after the document's beginning the badge still follows the title."""
    made = typeset(tmp_path, paper(PITH, begin=GIVEN), engine=engine)
    assert errors(made.log) == []
    assert made.text.startswith(f"On a Title An Author Pith Number {NUMBER} Body text.")
    assert made.information["/PithNumber"] == NUMBER


def test_number_after_the_title_is_printed_there(tmp_path: Path) -> None:
    """A number that comes only when the title is set is printed where it stands."""
    made = typeset(tmp_path, paper(PITH, title=rf"\maketitle First.\par {GIVEN}"))
    assert errors(made.log) == []
    assert f"First. Pith Number {NUMBER} Body text." in made.text


@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_paper_without_a_title_has_the_badge_at_its_end(tmp_path: Path, engine: str) -> None:
    """Without a title the badge comes last, and a warning names the command that places it."""
    made = typeset(tmp_path, paper(*PLAIN, title=""), engine=engine)
    assert errors(made.log) == []
    assert f"Body text. Pith Number {NUMBER}" in made.text
    assert r"\pithbadge prints it where you want it" in made.log
    assert made.links == [LINK]


def test_badge_can_be_placed_by_hand(tmp_path: Path) -> None:
    r"""Where \pithbadge stands the badge is, and nowhere else."""
    made = typeset(tmp_path, paper(*PLAIN, begin=r"See \pithbadge.\par"))
    assert made.text.startswith(f"See Pith Number {NUMBER} .")
    assert made.text.count(SUFFIX) == 1
    assert made.links == [LINK]


def test_badge_can_be_left_out(tmp_path: Path) -> None:
    """With nobadge nothing is printed or linked, and the metadata is there."""
    made = typeset(tmp_path, paper(r"\usepackage[nobadge]{pith}", GIVEN))
    assert made.text.startswith("On a Title An Author Body text.")
    assert SUFFIX not in made.text
    assert made.links == []
    assert made.information["/PithNumber"] == NUMBER


@pytest.mark.parametrize("lines", [(), (HYPERREF,)])
def test_link_can_be_left_out(tmp_path: Path, lines: tuple[str, ...]) -> None:
    """With nolink the badge is printed without a link."""
    made = typeset(tmp_path, paper(*lines, r"\usepackage[nolink]{pith}", GIVEN))
    assert NUMBER in made.text
    assert made.links == []


@pytest.mark.parametrize(
    ("option", "base"),
    [
        ("https://mirror.example/", "https://mirror.example"),
        ("http://localhost:8000", "http://localhost:8000"),
        (r"https://mirror.example/\string~me/sub/", "https://mirror.example/~me/sub"),
    ],
)
def test_link_leads_to_the_mirror_that_is_named(tmp_path: Path, option: str, base: str) -> None:
    """The option url gives the base of the link, with or without a slash at its end."""
    made = typeset(tmp_path, paper(rf"\usepackage[url={option}]{{pith}}", GIVEN))
    assert errors(made.log) == []
    assert made.links == [f"{base}/pith/{SUFFIX}"]


@pytest.mark.parametrize(
    "option",
    [
        "url=mirror.example",
        "url=https://m.example/(a)",
        "url=https://",
        "url=http:///pith",
        "urll=x",
        "no",
    ],
)
def test_wrong_option_is_an_error_that_names_the_right_ones(tmp_path: Path, option: str) -> None:
    """An unknown option or an address that cannot be linked is an error, and is not used."""
    made = typeset(tmp_path, paper(rf"\usepackage[{option}]{{pith}}", GIVEN))
    (error,) = errors(made.log)
    assert error.startswith("! Package pith Error: ")
    assert "Expected http:// or https://" in made.log or "Expected one of: url=" in made.log
    assert made.links == [LINK]


FORMS = [
    (NUMBER, NUMBER),
    (NUMBER.lower(), NUMBER),
    (f"PITH:2017:{SUFFIX}", NUMBER),
    (f"2017:{SUFFIX}", NUMBER),
    (SUFFIX, f"pith:{SUFFIX}"),
    (f"pith:{SUFFIX.lower()}", f"pith:{SUFFIX}"),
    (SUFFIX[:16], f"pith:{SUFFIX[:16]}"),
    (f"pith:{SUFFIX[:12]}", f"pith:{SUFFIX[:12]}"),
    (f" {SUFFIX[:8].lower()} ", f"pith:{SUFFIX[:8]}"),
]


@pytest.mark.parametrize(("form", "expected"), FORMS)
def test_every_form_is_read(tmp_path: Path, form: str, expected: str) -> None:
    """Each form that the generator's own lookup reads is read, and printed in one spelling."""
    assert parse_identifier(form) is not None
    made = typeset(tmp_path, paper(PITH, rf"\pithnumber{{{form}}}"))
    assert errors(made.log) == []
    assert f"Pith Number {expected} Body" in made.text
    assert made.information["/PithNumber"] == expected
    # The registry's address of a short form is not known.
    short = len(expected) < len(SUFFIX)
    assert made.links == ([] if short else [LINK])
    assert ("is a short form, which several" in made.log) == short


def test_short_form_leads_to_a_mirrors_page_of_it(tmp_path: Path) -> None:
    """On a mirror the first eight characters have a page, and a longer short form leads there."""
    lines = (r"\usepackage[url=https://m.example/]{pith}", rf"\pithnumber{{{SUFFIX[:12]}}}")
    assert typeset(tmp_path, paper(*lines)).links == [f"https://m.example/p/{SUFFIX[:8]}"]


MALFORMED = [
    "",
    "pith:",
    SUFFIX[:25],
    f"{SUFFIX}A",
    f"{SUFFIX[:25]}1",
    f"pith:17:{SUFFIX}",
    f"pith::{SUFFIX}",
    f":{SUFFIX}",
    f"pith:2017:{SUFFIX[:8]}",
    f"doi:2017:{SUFFIX}",
    f"pith:2017:{SUFFIX}:x",
    f"{SUFFIX[:8]}:x",
    "10.48550/arxiv.1706.03762v1",
]


def test_malformed_number_is_an_error_that_names_the_forms(tmp_path: Path) -> None:
    """Whatever is no Pith Number is named in an error with the forms, and leaves no trace."""
    lines = [rf"\pithnumber{{{text}}}" for text in MALFORMED]
    made = typeset(tmp_path, paper(PITH, *lines))
    assert errors(made.log) == [
        f"! Package pith Error: Malformed Pith Number `{text}'." for text in MALFORMED
    ]
    for form in (
        "pith:YYYY:<26 characters of A-Z and 2-7>",
        "the 26 characters alone",
        "16, 12 or 8",
    ):
        assert made.log.count(form) == len(MALFORMED)
    assert "No Pith Number was given" not in made.log
    assert "/PithNumber" not in made.information
    assert made.links == []
    assert not any(parse_identifier(text) for text in MALFORMED[:-1])


def test_one_paper_has_one_number(tmp_path: Path) -> None:
    """The same number again is nothing new; another number is an error and is ignored."""
    other = "\\pithnumber{ENASDM3ZJ27EQUNF3RMCPK6XQE}"
    made = typeset(tmp_path, paper(PITH, GIVEN, GIVEN, other))
    (error,) = errors(made.log)
    assert "A second Pith Number" in error
    assert made.information["/PithNumber"] == NUMBER
    assert made.links == [LINK]


def test_badge_without_a_number_is_an_error(tmp_path: Path) -> None:
    r"""\pithbadge without \pithnumber says what it needs; a paper without both is warned."""
    made = typeset(tmp_path, paper(PITH, begin=r"\pithbadge"))
    (error,) = errors(made.log)
    assert "There is no Pith Number" in error
    assert r"No Pith Number was given. Expected \pithnumber" in made.log


def test_number_may_be_a_macro_and_the_colon_active(tmp_path: Path) -> None:
    """A macro that holds the number works, and so does a colon that a language made active."""
    colon = "\\catcode`\\:=\\active \\def:{\\unskip\\,\\string:}"
    made = typeset(tmp_path, paper(PITH, begin=rf"{colon}\pithnumber{{{NUMBER}}}"))
    assert errors(made.log) == []
    assert f"Pith Number {NUMBER} Body" in made.text
    macro = typeset(tmp_path, paper(PITH, rf"\newcommand\mine{{{SUFFIX}}}\pithnumber{{ \mine}}"))
    assert macro.links == [LINK]


@pytest.mark.parametrize(
    "first",
    [
        r"\pdfoutput=1",
        r"\RequirePackage[2016-01-01]{latexrelease}",
        r"\DocumentMetadata{}",
    ],
)
def test_older_and_newer_latex_work(tmp_path: Path, first: str) -> None:
    """The first line that arXiv asks for, the kernel of 2016, and PDF management all work."""
    own = r"\hypersetup{pdfkeywords={one, two}}"
    made = typeset(tmp_path, first + "\n" + paper(HYPERREF, own, PITH, GIVEN))
    assert errors(made.log) == []
    assert f"Pith Number {NUMBER} Body" in made.text
    assert made.links == [LINK]
    assert made.information["/PithNumber"] == NUMBER
    assert made.information["/Keywords"] == "one, two"


def test_narrow_column_gets_a_smaller_badge(tmp_path: Path) -> None:
    """In a column too narrow for the usual size the badge is set smaller, on one line."""
    narrow = r"\setlength\textwidth{5.2cm}"
    made = typeset(tmp_path, paper(*PLAIN, narrow))
    assert "Overfull" not in made.log
    assert NUMBER in made.text


@pytest.mark.parametrize("lines", [(), (HYPERREF,)])
def test_revtex_has_the_badge_before_the_abstract(tmp_path: Path, lines: tuple[str, ...]) -> None:
    """REVTeX keeps its title to itself; the badge is in it, after the authors."""
    found = shutil.which("kpsewhich") and subprocess.run(
        ["kpsewhich", "revtex4-2.cls"], capture_output=True, check=False
    )
    if not found or found.returncode:
        pytest.skip("REVTeX is missing; install it with: apt-get install texlive-publishers")
    kind = "[aps,prl,twocolumn]revtex4-2"
    abstract = r"\begin{abstract}Short.\end{abstract}\maketitle"
    made = typeset(tmp_path, paper(*lines, *PLAIN, title=abstract, kind=kind))
    assert errors(made.log) == []
    assert f"(Dated:) Pith Number {NUMBER} Short." in made.text
    assert made.links == [LINK]


def test_pdf_knows_no_clock_but_the_engines(tmp_path: Path) -> None:
    """Two runs with one SOURCE_DATE_EPOCH give the same bytes."""
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made.append(typeset(tmp_path / name, paper(*AFTER)).pdf.read_bytes())
    assert made[0] == made[1]


def test_served_package_is_the_one_that_was_tested(tmp_path: Path, built_site: Path) -> None:
    """A site serves the package byte for byte at /pith.sty, and a paper beside it compiles."""
    served = built_site / "pith.sty"
    assert served.read_bytes() == STYLE.encode("ascii")
    shutil.copy(served, tmp_path)
    made = typeset(tmp_path, paper(*PLAIN), style=tmp_path)
    assert errors(made.log) == []
    assert made.links == [LINK]


def rows(heading: str) -> set[str]:
    """Read the names in the first column of the table below a heading of docs/latex.md."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `(\\?\w+=?)", section, flags=re.MULTILINE))


def test_page_documents_every_option_and_command() -> None:
    """docs/latex.md has a table row for each option and each public command, and for no other."""
    declared = set(re.findall(r"\\DeclareOption\{(\w+)\}", STYLE)) | {"url="}
    public = re.findall(
        r"\\(?:newcommand\*?|DeclareRobustCommand)\s*(\\pith[a-z]+)(?![a-z@])", STYLE
    )
    assert rows("Options") == declared
    assert rows("Commands") == set(public)
    (listed,) = re.findall(r"Expected one of: (.*)\}\{The option", STYLE)
    assert {word.split("<")[0] for word in listed.split(", ")} == declared


def test_package_says_what_it_is() -> None:
    """The file names its licence, its version with a fixed date, and loads nothing."""
    assert "% SPDX-License-Identifier: Apache-2.0\n" in STYLE
    (version,) = re.findall(r"\\ProvidesPackage\{pith\}\[(\d{4}/\d\d/\d\d v\d+\.\d+) ", STYLE)
    assert version in PAGE
    code = STYLE.partition("\\NeedsTeXFormat")[2]
    assert not re.search(r"\\(RequirePackage|usepackage|input|write18|ExplSyntaxOn)", code)


def test_formulas_handed_to_tex_typeset(tmp_path: Path) -> None:
    """Of random formulas those that BibTeX exports keep are typeset by LaTeX without an error."""
    chance = random.Random(5)  # noqa: S311 - to find formulas, not secrets
    formulas: set[str] = set()
    while len(formulas) < 1_000:
        formula = "".join(chance.choice(FORMULA_PIECES) for _ in range(chance.randint(1, 9)))
        if is_harmless_formula(formula):
            formulas.add(formula)
    body = "\n\n".join(f"Text {{${formula}$}} here." for formula in sorted(formulas))
    source = (
        r"\documentclass{article}\usepackage{amsmath,amssymb}"
        rf"\begin{{document}}{body}\end{{document}}"
    )
    assert errors(typeset(tmp_path, source).log) == []

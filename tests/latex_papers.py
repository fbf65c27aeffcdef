"""Papers for the tests of pith.sty: written, typeset, and read back out of the PDF."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn
from xml.etree import ElementTree as ET

import pikepdf
import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "templates" / "root"
SUFFIX = "25YK7L2RIECSQVFXE2XY6P4TVQ"
NUMBER = f"pith:2017:{SUFFIX}"
LINK = f"https://pith.science/pith/{SUFFIX}"
NAMESPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}
HYPERXMP = r"\usepackage{hyperxmp}"
HYPERREF = r"\usepackage{hyperref}"
PITH = r"\usepackage{pith}"
GIVEN = rf"\pithnumber{{{NUMBER}}}"
TITLE = r"\title{On a Title}\author{An Author}\date{}"


def unavailable(what: str) -> NoReturn:
    """End a test that cannot run here: skipped on a person's machine, failed in CI."""
    packages = "texlive-xetex texlive-luatex poppler-utils"
    message = f"{what} is missing; install it with: apt-get install {packages}"
    if os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(message)
    pytest.skip(message)


@dataclass(frozen=True, slots=True)
class Paper:
    """A typeset paper: its log, and what a reader finds in the PDF."""

    log: str
    pdf: Path

    @property
    def text(self) -> str:
        """The words of the text layer, one space between two."""
        if shutil.which("pdftotext") is None:
            unavailable("pdftotext")
        command = ["pdftotext", "-layout", str(self.pdf), "-"]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return " ".join(found.split())

    @property
    def links(self) -> list[str]:
        """The addresses of all link annotations, in the order of the pages."""
        with pikepdf.open(self.pdf) as pdf:
            annotations = [note for page in pdf.pages for note in page.obj.get("/Annots", [])]
            actions = [note.A for note in annotations if "/A" in note]
            return [str(action.URI) for action in actions if "/URI" in action]

    @property
    def information(self) -> dict[str, str]:
        """The document information dictionary."""
        with pikepdf.open(self.pdf) as pdf:
            return {name: str(value) for name, value in pdf.docinfo.items()}

    def metadata(self, name: str) -> list[str]:
        """Give the texts of an XMP property, such as `dc:identifier`."""
        with pikepdf.open(self.pdf) as pdf:
            packet = ET.fromstring(pdf.Root.Metadata.read_bytes())  # noqa: S314 - our own file
        found = packet.findall(f".//{name}", NAMESPACES)
        return [text.strip() for item in found for text in item.itertext() if text.strip()]


def typeset(folder: Path, source: str, *, engine: str = "pdflatex", style: Path = FOLDER) -> Paper:
    """Run an engine once over a paper, whatever errors it has.

    Args:
        folder: empty; for the source and what the engine writes.
        source: the paper.
        engine: pdflatex, xelatex or lualatex.
        style: the folder with pith.sty.

    Returns:
        The paper; its PDF is missing if nothing was printed.
    """
    if shutil.which(engine) is None:
        unavailable(engine)
    (folder / "paper.tex").write_text(source, encoding="utf-8")
    environment = os.environ | {
        "TEXINPUTS": f"{style}:",
        "SOURCE_DATE_EPOCH": "1700000000",
        "FORCE_SOURCE_DATE": "1",
        "max_print_line": "1000",  # or the log breaks lines at 79
    }
    options = ["-no-shell-escape", "-interaction=nonstopmode"]
    subprocess.run(
        [engine, *options, "paper.tex"],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=False,
    )
    log = (folder / "paper.log").read_text(encoding="utf-8", errors="replace")
    return Paper(log, folder / "paper.pdf")


def paper(
    *preamble: str, begin: str = "", title: str = r"\maketitle", kind: str = "article"
) -> str:
    """Write a paper of a class, with or without options, such as `[twocolumn]article`."""
    options, _, name = kind.rpartition("]")
    first = rf"\documentclass{options}]{{{name}}}" if options else rf"\documentclass{{{name}}}"
    body = [r"\begin{document}", begin, TITLE, title, r"Body text.", r"\end{document}"]
    return "\n".join([first, *preamble, *body])


def errors(log: str) -> list[str]:
    """List the errors of a log."""
    return re.findall(r"^! .*", log, flags=re.MULTILINE)

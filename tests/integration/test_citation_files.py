"""The citation files of built sites, read and rendered by programs of others."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from generator.authors import split_authors
from generator.citation_export import Citation, spell_bibtex, spell_csl, spell_ris
from generator.display import shown_text
from generator.names import parse_names
from tests import schema_org
from tests.citation_readers import (
    bibtexparser_fields,
    csl_item,
    pybtex_entry,
    pybtex_names,
    rendered,
    ris_reference,
)

# What TeX must show as it is, or as the formula it is.
TITLES = {
    r"\input{/etc/passwd} NLO {open": r"\input{/etc/passwd} NLO {open",
    r"50% of #1 & <x> \ $5": r"50% of #1 & <x> \ $5",
    r"decays of $B^{0}$ mesons": "decays of B 0 mesons",
    r"sum $x^^5cinput y$ here": "sum $x^^5cinput y$ here",
}
PAPER = r"""\documentclass{article}\usepackage[paperwidth=60cm,textwidth=50cm]{geometry}
\usepackage[T1]{fontenc}\begin{document}\nocite{*}\bibliographystyle{plain}\bibliography{t}
\end{document}
"""

CORPUS = Path(__file__).resolve().parent.parent / "corpus"


def check_one_record(bibtex: str, ris: str, csl: str) -> dict[str, object]:
    """Read a record's three files; give the item for a citation processor."""
    entry, fields = pybtex_entry(bibtex), bibtexparser_fields(bibtex)
    reference, item = ris_reference(ris), csl_item(csl)
    assert entry.key == fields["ID"] == reference["id"] == item["id"]
    assert reference.get("title") == item.get("title")
    assert ("title" in fields) == ("title" in item)
    counts = {
        len(pybtex_names(entry)),
        len(fields.get("author", [])),
        len(reference.get("authors", [])),
        len(item.get("author", [])),
    }
    assert len(counts) == 1
    return item


@pytest.mark.parametrize("name", ["built_site", "demo_site"])
def test_files_of_every_record_agree_and_are_rendered(
    name: str, request: pytest.FixtureRequest
) -> None:
    """Each record's files have one key, title and number of authors; a processor cites them all."""
    folders = sorted(path.parent for path in request.getfixturevalue(name).glob("pith/*/cite.bib"))
    assert len(folders) >= 16
    items = []
    for folder in folders:
        texts = [
            (folder / file).read_bytes().decode()
            for file in ("cite.bib", "cite.ris", "cite.csl.json")
        ]
        items.append(check_one_record(*texts))
    references = rendered(items)
    assert len(references) == len(items)
    # The style sorts, and puts quotation marks of its own into titles; the DOI stays.
    assert all(any(str(item["DOI"]) in text for text in references) for item in items)


def test_json_ld_of_every_real_record_is_valid(built_site: Path) -> None:
    """Every record page of the built site describes its paper as schema.org says."""
    pages = sorted(built_site.glob("pith/*/index.html"))
    assert len(pages) == 16
    for page in pages:
        text = page.read_text(encoding="utf-8")
        block = text.partition('<script type="application/ld+json">')[2].partition("</script>")[0]
        assert schema_org.faults(json.loads(block)) == [], page


def test_heads_of_real_records_stay_small(built_site: Path) -> None:
    """What machines are told costs less than 3.5 kB without a long list of authors."""
    lengths = []
    for page in built_site.glob("pith/*/index.html"):
        text = page.read_text(encoding="utf-8")
        told = text[text.index('<link rel="canonical"') : text.index('<link rel="icon"')]
        lengths.append(len(told) - 140 * text.count('name="citation_author"'))
    assert max(lengths) < 3_500


def test_real_titles_and_authors_of_the_corpus_are_cited() -> None:
    """Title and authors of each corpus record come through all three formats and a processor."""
    rows = [
        json.loads(line)
        for name in ("records.jsonl", "signed_records.jsonl")
        for line in (CORPUS / name).read_text(encoding="utf-8").splitlines()
    ]
    assert len(rows) == 176
    items = []
    for row in rows:
        citation = _citation(row)
        texts = (spell_bibtex(citation), spell_ris(citation), spell_csl(citation))
        items.append(check_one_record(*texts))
        assert items[-1].get("title", "") == citation.title
    assert len(rendered(items)) == len(items)


def test_hostile_titles_are_typeset_by_real_tex(tmp_path: Path) -> None:
    """Pdflatex and bibtex print each title as it is written: nothing of it runs, nothing fails."""
    for tool in ("pdflatex", "bibtex", "pdftotext"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    row = json.loads((CORPUS / "records.jsonl").read_text(encoding="utf-8").splitlines()[0])
    entries = [
        spell_bibtex(replace(_citation(row), key=f"k{n}", raw_title=title))
        for n, title in enumerate(TITLES)
    ]
    (tmp_path / "t.bib").write_text("\n".join(entries), encoding="utf-8")
    (tmp_path / "t.tex").write_text(PAPER, encoding="utf-8")
    latex = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t"]
    for command in (latex, ["bibtex", "t"], latex, ["pdftotext", "-layout", "t.pdf"]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 0, (command, done.stdout[-1_000:])
    printed = " ".join((tmp_path / "t.txt").read_text(encoding="utf-8").split())
    for title in TITLES.values():
        assert title in printed


def _citation(row: dict[str, object]) -> Citation:
    record = row["canonical_record"]
    assert isinstance(record, dict)
    suffix = str(row["pith_number"]).rpartition(":")[2]
    title = str(row.get("title") or "")
    return Citation(
        key=f"pith{suffix[:12]}",
        pith_number=str(row["pith_number"]),
        raw_title=title,
        title=shown_text(title, limit=1_000),
        authors=parse_names(split_authors(str(row.get("authors_text") or ""))),
        more_authors=False,
        date=record["metadata"]["submitted_at"][:10],
        arxiv_id=f"{record['source']['id']}v{record['source']['version']}",
        categories=(record["metadata"]["primary_cat"],),
        doi=f"10.48550/arxiv.{record['source']['id']}",
        note="",
        annotation="",
    )

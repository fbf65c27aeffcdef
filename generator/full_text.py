"""Full-text search by Pagefind, where it is installed (`pith-mirror[search]`).

Its program keeps the index in memory and answers requests on its standard streams: JSON in base64,
ended by a comma. It is asked for the files instead of told to write them, since it answers before
they are on the disk. The same records in the same order give the same bytes (a test looks).
"""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from generator import layout
from generator.catalogue import Catalogue
from generator.catalogued import CataloguedRecord
from generator.config import Configuration
from generator.limits import DEFAULT_LIMITS, Limits, shorten
from generator.render import SiteFile

# The packages that hold the program; the first knows more languages.
_PACKAGES = ("pagefind_bin_extended", "pagefind_bin")
# One index: titles and abstracts are English, but for a few that would be one of their own.
_LANGUAGE = "en"
_NAMES = frozenset(
    ("pagefind.js", "pagefind-worker.js", "pagefind-entry.json", f"wasm.{_LANGUAGE}.pagefind")
)
_ENDINGS = (".pf_meta", ".pf_index", ".pf_fragment")
_PIECE_LENGTH = 1 << 20


@dataclass(frozen=True, slots=True)
class FullText:
    """The files of full-text search, or why there are none: empty where none are wanted."""

    files: tuple[SiteFile, ...] = ()
    left_out: str = ""


NO_FULL_TEXT = FullText()


def make_full_text(
    catalogue: Catalogue, configuration: Configuration, *, limits: Limits = DEFAULT_LIMITS
) -> FullText:
    """Make the files of full-text search; a site without them is complete.

    Args:
        catalogue: complete.
        configuration: says whether they are wanted.
        limits: up to how many records.

    Returns:
        The files by path, or why there are none.
    """
    count = catalogue.record_count()
    if not configuration.presentation.has_full_text or not count:
        return NO_FULL_TEXT
    if count > limits.full_text_max_count:
        most = limits.full_text_max_count
        return _left_out(f"{count} records are more than the {most} it is made for")
    package = next((name for name in _PACKAGES if find_spec(name)), None)
    if package is None:
        return _left_out('Pagefind is not installed; install "pith-mirror[search]"')
    try:
        program = Path(import_module(package).get_executable())
        files = _run(program, catalogue.every_record())
    except (OSError, ValueError) as error:
        return _left_out(f"Pagefind failed: {shorten(str(error))}")
    return FullText(files)


def _left_out(why: str) -> FullText:
    return FullText(left_out=f"full-text search is left out: {why}")


def _run(program: Path, records: Iterable[CataloguedRecord]) -> tuple[SiteFile, ...]:
    process = subprocess.Popen(  # noqa: S603 - of an installed package, without a shell
        [program.resolve(), "--service"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # Nothing that the program might read its options from.
        cwd=program.resolve().parent,
        env={},
    )
    with process:
        try:
            return _index(_Service(process), records)
        finally:
            process.kill()


class _Service:
    """A running Pagefind, asked one thing at a time."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._input, self._output = _pipe(process.stdin), _pipe(process.stdout)

    def ask(self, request: dict[str, object], *, answer: str) -> dict[str, object]:
        """Ask for something.

        Raises:
            OSError: the program is gone.
            ValueError: the answer is another than that named.
        """
        message = json.dumps({"message_id": 1, "payload": request}).encode()
        self._input.write(base64.b64encode(message) + b",")
        self._input.flush()
        pieces = [self._piece()]
        while not pieces[-1].endswith(b","):
            pieces.append(self._piece())
        response = json.loads(base64.b64decode(b"".join(pieces)[:-1]))
        payload = response.get("payload") if isinstance(response, dict) else None
        if not isinstance(payload, dict) or payload.get("type") != answer:
            raise ValueError(f"expected {answer}, found {payload!s}")
        return payload

    def _piece(self) -> bytes:
        piece = self._output.read1(_PIECE_LENGTH)  # type: ignore[attr-defined] # it is buffered
        if not piece:
            raise OSError("the program ended early")
        return bytes(piece)


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise OSError("no stream to the program")
    return stream


def _index(service: _Service, records: Iterable[CataloguedRecord]) -> tuple[SiteFile, ...]:
    options = {"force_language": _LANGUAGE, "keep_index_url": True}
    made = service.ask({"type": "NewIndex", "config": options}, answer="NewIndex")
    index = {"index_id": made.get("index_id")}
    for record in records:
        service.ask({"type": "AddRecord", **index, **_entry(record)}, answer="IndexedFile")
    found = service.ask({"type": "GetFiles", **index}, answer="GetFiles").get("files")
    if not isinstance(found, list):
        raise ValueError("expected a list of files, found none")  # noqa: TRY004 - not our mistake
    files = (
        SiteFile(layout.full_text_file(file["path"]), base64.b64decode(file["content"]))
        for file in found
        if _is_needed(file["path"])
    )
    return tuple(sorted(files, key=lambda file: file.path))


def _is_needed(path: str) -> bool:
    # The rest is a user interface of Pagefind's own.
    return path in _NAMES or path.endswith(_ENDINGS)


def _entry(record: CataloguedRecord) -> dict[str, object]:
    title = record.title or record.pith_number
    ids = (record.pith_number, f"arXiv:{record.arxiv_id}", record.doi, *record.categories)
    texts = (title, ", ".join(record.authors), record.abstract, " ".join(filter(None, ids)))
    names = record.authors[: DEFAULT_LIMITS.listed_names_max_count]
    return {
        "url": layout.record_page(record.suffix),
        "content": "\n".join(filter(None, texts)),
        "language": _LANGUAGE,
        "meta": {
            "title": title,
            "authors": ", ".join(names),
            "author_count": str(len(record.authors)),
            "date": record.submitted_at[: len("2026-05-18")],
            "suffix": record.suffix,
            "verdict": record.verdict.value,
            "warnings": " ".join(record.warnings),
        },
    }

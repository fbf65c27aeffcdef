"""`manifest.json`: every file of the site with path, digest, length and media type.

It is the root a check starts from, and what tells the next build which files are ours. One line a
file, so that it is written and read without being held in memory; it is still one JSON document.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from generator import layout
from generator.errors import OutputError
from generator.ledger import LedgerRow
from generator.limits import DEFAULT_LIMITS, shorten

MANIFEST_TYPE = "pith_mirror_site_manifest"
MANIFEST_VERSION = "1.0"
_HEAD_START = f'{{"manifest_type":"{MANIFEST_TYPE}"'


def manifest_lines(rows: Iterable[LedgerRow], *, generator: str) -> Iterator[bytes]:
    """Spell a manifest.

    Args:
        rows: the files, by path; the manifest does not list itself.
        generator: name and version of the program.

    Returns:
        The lines of the document.
    """
    head = {
        "manifest_type": MANIFEST_TYPE,
        "manifest_version": MANIFEST_VERSION,
        "generator": generator,
    }
    yield _spell(head)[:-1] + b',"files":[\n'
    pending = b""
    for row in rows:
        if pending:
            yield pending + b",\n"
        pending = _spell(
            {
                "path": row.path,
                "sha256": row.sha256,
                "length": row.length,
                "media_type": layout.media_type(row.path),
            }
        )
    yield pending + b"\n]}\n"


def read_manifest(path: Path) -> Iterator[tuple[str, str]]:
    """Stream the files a manifest lists.

    Args:
        path: `manifest.json` of a site; if there is none, nothing is listed.

    Returns:
        Path and digest of each file, in the manifest's order.

    Raises:
        OutputError: the file is no manifest of this program.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        head = file.readline(DEFAULT_LIMITS.manifest_line_max_length).decode("utf-8", "replace")
        if not is_manifest_head(head.encode()):
            raise OutputError(
                str(path),
                expected=f"a manifest of type {MANIFEST_TYPE}",
                found=repr(shorten(head)),
                hint="this folder was not made by pith-mirror; build into another one",
            )
        while line := file.readline(DEFAULT_LIMITS.manifest_line_max_length):
            text = line.strip().removesuffix(b",")
            if text.startswith(b"{"):
                entry = _entry(text, path)
                # Anyone may have edited the file: it cannot name what is not in the site.
                if layout.is_site_path(entry[0]):
                    yield entry


def is_manifest_head(line: bytes) -> bool:
    """Tell whether a first line is that of a manifest of this program."""
    return line.startswith(_HEAD_START.encode())


def _entry(text: bytes, path: Path) -> tuple[str, str]:
    try:
        entry = json.loads(text)
        return str(entry["path"]), str(entry["sha256"])
    except (ValueError, KeyError, TypeError) as error:
        raise OutputError(
            str(path), expected="a line a file", found=shorten(text.decode("utf-8", "replace"))
        ) from error


def _spell(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode()

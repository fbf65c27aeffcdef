"""manifest.py: every file of the site, a line a file, and one JSON document all the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.build_state import open_database
from generator.errors import OutputError
from generator.ledger import Ledger, LedgerRow
from generator.manifest import manifest_lines, read_manifest

ROWS = [
    LedgerRow(".nojekyll", "0" * 64, 0, 0),
    LedgerRow("index.html", "a" * 64, 12, 0, "tree/index.html"),
    LedgerRow("pith/X/badge.svg", "b" * 64, 7, 0),
]


def spelled(rows: list[LedgerRow]) -> bytes:
    """Spell a manifest."""
    return b"".join(manifest_lines(rows, generator="pith-mirror 9"))


def listed(path: Path, data: bytes) -> list[tuple[str, str]]:
    """Write a manifest and read it back."""
    path.write_bytes(data)
    return list(read_manifest(path))


def test_manifest_is_one_json_document() -> None:
    """The lines make a strict JSON document with path, digest, length and media type."""
    assert json.loads(spelled(ROWS)) == {
        "manifest_type": "pith_mirror_site_manifest",
        "manifest_version": "1.0",
        "generator": "pith-mirror 9",
        "files": [
            {
                "path": ".nojekyll",
                "sha256": "0" * 64,
                "length": 0,
                "media_type": "application/octet-stream",
            },
            {
                "path": "index.html",
                "sha256": "a" * 64,
                "length": 12,
                "media_type": "text/html; charset=utf-8",
            },
            {
                "path": "pith/X/badge.svg",
                "sha256": "b" * 64,
                "length": 7,
                "media_type": "image/svg+xml",
            },
        ],
    }


def test_manifest_has_a_line_for_each_file() -> None:
    """A diff of two manifests shows the files that changed."""
    assert spelled(ROWS).count(b"\n") == len(ROWS) + 2


def test_empty_manifest_is_a_document() -> None:
    """A manifest of nothing is still one JSON document."""
    assert json.loads(spelled([]))["files"] == []


def test_manifest_is_read_back(tmp_path: Path) -> None:
    """Path and digest of every file come back in order."""
    found = listed(tmp_path / "m.json", spelled(ROWS))
    assert found == [(row.path, row.sha256) for row in ROWS]
    assert listed(tmp_path / "m.json", spelled([])) == []


def test_missing_manifest_lists_nothing(tmp_path: Path) -> None:
    """Before the first build nothing is ours."""
    assert list(read_manifest(tmp_path / "m.json")) == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b'{"name":"app","icons":[]}',
        b"\xff\xfe",
        b'{"manifest_type":"pith_mirror_site_manifest_2"}',
        b'{"manifest_type":"pith_mirror_site_manifest","files":[\n{"path":1\n',
        b'{"manifest_type":"pith_mirror_site_manifest","files":[\n{"sha256":"00"}\n]}',
        b'{"manifest_type":"pith_mirror_site_manifest","files":[\n{"path":"' + b"a" * 5000 + b'"}',
    ],
    ids=["empty", "object", "web-app", "binary", "other", "broken", "no-path", "long"],
)
def test_manifest_of_something_else_is_refused(data: bytes, tmp_path: Path) -> None:
    """A manifest.json that this program did not write makes the folder foreign."""
    with pytest.raises(OutputError):
        listed(tmp_path / "manifest.json", data)


def test_ledger_knows_what_is_stale_and_staged(tmp_path: Path) -> None:
    """The ledger tells files of the last build, of this one, and those that wait to be moved."""
    database = open_database(tmp_path / "state.sqlite")
    ledger = Ledger(database)
    ledger.add_previous("old.html")
    ledger.add_previous("index.html")
    for row in ROWS:
        ledger.add(row)
    ledger.add(LedgerRow("index.html", "c" * 64, 13, 0, "tree/index.html"))
    assert list(ledger.stale()) == ["old.html"]
    assert ledger.was_made_by_us("old.html")
    assert not ledger.was_made_by_us("foreign.html")
    assert list(ledger.staged()) == [LedgerRow("index.html", "c" * 64, 13, 0, "tree/index.html")]
    assert [row.path for row in ledger.rows()] == [row.path for row in ROWS]
    assert ledger.counts() == (3, 1)
    assert ledger.find("nothing") is None
    database.close()

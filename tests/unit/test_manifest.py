"""manifest.py: every file of the site, a line a file, and one JSON document all the same."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import layout
from generator.build_state import open_database
from generator.errors import OutputError
from generator.ledger import Ledger, LedgerRow
from generator.limits import DEFAULT_LIMITS
from generator.manifest import (
    manifest_documents,
    manifest_key,
    manifest_letters,
    manifest_lines,
    read_manifest,
)
from tests.factories import put

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
        b'{"manifest_type":"pith_mirror_site_manifest"\n{"path":"a","sha256":"","length":1e999}',
        b'{"manifest_type":"pith_mirror_site_manifest","files":[\n{"path":"' + b"a" * 5000 + b'"}',
    ],
    ids=[
        "empty",
        "object",
        "web-app",
        "binary",
        "other",
        "broken",
        "no-path",
        "endless-length",
        "long",
    ],
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


SUFFIXES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", min_size=26, max_size=26)
PATHS = st.one_of(
    st.from_regex(r"[a-z]{1,6}(/[a-z0-9]{1,6}){0,3}\.(html|json)", fullmatch=True),
    SUFFIXES.map(layout.record_page),
    SUFFIXES.map(layout.resolver),
    SUFFIXES.map(layout.well_known_bundle),
)


def row_of(path: str) -> LedgerRow:
    """Make the row of a file."""
    digest = hashlib.sha256(path.encode()).hexdigest()
    return LedgerRow(path, digest, len(path), 0)


def in_parts(paths: Iterable[str], *, part_max_count: int) -> dict[str, bytes]:
    """Spell the manifest of files."""
    rows = sorted({path: row_of(path) for path in paths}.values(), key=lambda row: row.path)
    letters = manifest_letters(len(rows), part_max_count=part_max_count)
    if letters:
        rows.sort(key=lambda row: (manifest_key(row.path), row.path))
    found = manifest_documents(rows, generator="pith-mirror 9", letters=letters)
    return {path: b"".join(lines) for path, lines in found}


def numbered(count: int) -> list[str]:
    """Name some files."""
    return [f"x/{number}.html" for number in range(count)]


def test_files_of_a_record_have_one_key() -> None:
    """All files of a record, its copies too, have one key; any other path has its own."""
    suffix = "A" * 26
    paths = [
        layout.record_page(suffix),
        layout.record_file(suffix, "badge.svg"),
        layout.resolver(suffix),
        layout.well_known_bundle(suffix),
        layout.api_graph(suffix),
    ]
    assert {layout.record_of(path) for path in paths} == {suffix}
    assert len({manifest_key(path) for path in paths}) == 1
    for path in (
        "pith.sty",
        "pith/x/index.html",
        f"p/{'A' * 8}/index.html",
        f"x/pith/{suffix}.json",
    ):
        assert layout.record_of(path) is None
        assert re.fullmatch("[a-z2-7]{8}", manifest_key(path))


def test_key_is_what_the_format_says() -> None:
    """Keys are the first letters of the base32 of SHA-256, so that any program can find a part."""
    # printf 404.html | sha256sum, and base32 of its first five bytes.
    digest = hashlib.sha256(b"404.html").digest()
    number = int.from_bytes(digest[:5], "big")
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    expected = "".join(letters[number >> shift & 31] for shift in range(35, -5, -5))
    assert manifest_key("404.html") == expected


@pytest.mark.parametrize(
    ("total", "letters"),
    [(0, 0), (8_192, 0), (8_193, 1), (8_192 * 32, 1), (8_192 * 32 + 1, 2), (39_000_000, 3)],
)
def test_letters_grow_with_the_site(total: int, letters: int) -> None:
    """A small site has one document; three million records have parts of some 1,200 files."""
    assert manifest_letters(total) == letters
    assert DEFAULT_LIMITS.manifest_part_max_count == 8_192


@given(st.sets(PATHS, max_size=60), st.integers(1, 20))
def test_every_file_is_in_exactly_one_part(paths: set[str], part_max_count: int) -> None:
    """Whatever the files and the bound, the parts list each file once, under its own key."""
    documents = in_parts(paths, part_max_count=part_max_count)
    assert list(documents)[-1] == layout.MANIFEST
    head = json.loads(documents.pop(layout.MANIFEST))
    if len(paths) <= part_max_count:
        assert [row["path"] for row in head["files"]] == sorted(paths)
        return
    assert [part["path"] for part in head["parts"]] == sorted(documents)
    seen: list[str] = []
    for part in head["parts"]:
        data = documents[part["path"]]
        rows = json.loads(data)["files"]
        assert (part["sha256"], part["length"], part["files"]) == (
            hashlib.sha256(data).hexdigest(),
            len(data),
            len(rows),
        )
        key = layout.manifest_key_of(part["path"]) or ""
        assert all(manifest_key(row["path"]).startswith(key) for row in rows)
        seen += [row["path"] for row in rows]
    assert sorted(seen) == sorted(paths)


@given(st.sets(PATHS, min_size=20, max_size=60), SUFFIXES)
def test_a_new_record_changes_one_part(paths: set[str], suffix: str) -> None:
    """The files of a record come into one part, and no other part changes."""
    before = in_parts(paths, part_max_count=16)
    new = {layout.record_page(suffix), layout.resolver(suffix), layout.well_known_bundle(suffix)}
    after = in_parts(paths | new, part_max_count=16)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    key = manifest_key(layout.resolver(suffix))
    assert changed <= {layout.MANIFEST, layout.manifest_part(key[0])}


def test_head_of_many_parts_is_in_parts_itself(tmp_path: Path) -> None:
    """Above 1,024 parts the head lists heads, so that no document has more lines."""
    paths = numbered(2_000)
    documents = in_parts(paths, part_max_count=1)
    heads = json.loads(documents[layout.MANIFEST])["parts"]
    assert [head["path"] for head in heads] == sorted(
        path for path in documents if re.fullmatch(r"manifest/m-[a-z2-7]\.json", path)
    )
    assert sum(head["files"] for head in heads) == len(paths)
    assert max(data.count(b"\n") for data in documents.values()) <= 1_024 + 2
    put(tmp_path, documents)
    found = dict(read_manifest(tmp_path / layout.MANIFEST))
    assert found.keys() == set(paths) | documents.keys() - {layout.MANIFEST}


def test_parts_are_read_back_with_what_they_list(tmp_path: Path) -> None:
    """Reading gives every file and every part, each with its digest."""
    documents = in_parts(numbered(50), part_max_count=10)
    put(tmp_path, documents)
    found = dict(read_manifest(tmp_path / layout.MANIFEST))
    assert documents.pop(layout.MANIFEST)
    parts = {path: hashlib.sha256(data).hexdigest() for path, data in documents.items()}
    assert found == {row.path: row.sha256 for row in map(row_of, numbered(50))} | parts


PART = layout.manifest_part("a")


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (lambda s: (s / PART).unlink(), "No such file"),
        (lambda s: (s / PART).write_bytes((s / PART).read_bytes() + b"x"), "a longer one"),
        (lambda s: (s / PART).write_bytes((s / PART).read_bytes()[:-1]), "a shorter one"),
        (lambda s: (s / PART).write_bytes(b"{}"), "'{}'"),
        (lambda s: (s / PART).write_bytes((s / PART).read_bytes().swapcase()), "PITH_MIRROR"),
        (
            lambda s: (s / PART).write_bytes((s / PART).read_bytes().replace(b"]}", b"}]")),
            "found [0-9a-f]{64}",
        ),
        (lambda s: (s / PART).rename(s / "y") and (s / PART).symlink_to(s / "y"), "a link"),
        (
            lambda s: (s / "manifest").rename(s / "y") and (s / "manifest").symlink_to("y"),
            "no folder",
        ),
        (lambda s: edit(s, PART, "../secret.json"), "'../secret.json'"),
        (lambda s: edit(s, PART, "x/0.html"), "'x/0.html'"),
        (lambda s: edit(s, layout.manifest_part("b"), PART), "behind a, found .*m-a.json"),
        (lambda s: edit(s, '"length":', '"length":9'), "a shorter one"),
    ],
)
def test_damaged_part_is_refused(damage: object, found: str, tmp_path: Path) -> None:
    """A part that is missing, changed, a link, elsewhere or out of order is named."""
    assert callable(damage)
    put(tmp_path, in_parts(numbered(300), part_max_count=10))
    damage(tmp_path)
    with pytest.raises(OutputError, match=found):
        list(read_manifest(tmp_path / layout.MANIFEST))


def edit(site: Path, old: str, new: str) -> None:
    """Replace the first occurrence of a text in the head."""
    head = site / layout.MANIFEST
    head.write_text(head.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")


def test_parts_that_name_each_other_end(tmp_path: Path) -> None:
    """A part cannot name itself or one above it, so that reading always ends."""
    head = b'{"manifest_type":"pith_mirror_site_manifest","manifest_version":"1.0","parts":[\n'
    row = {"path": PART, "sha256": "0" * 64, "length": 10_000, "files": 1}
    document = head + json.dumps(row).encode() + b"\n]}\n"
    put(tmp_path, {layout.MANIFEST: document, PART: document})
    with pytest.raises(OutputError, match="expected a part of a behind a"):
        list(read_manifest(tmp_path / layout.MANIFEST))


def test_manifest_that_lists_itself_keeps_it(tmp_path: Path) -> None:
    """An edited manifest cannot make a build remove the manifest."""
    assert listed(tmp_path / "m.json", spelled([*ROWS, row_of("manifest.json")])) == [
        (row.path, row.sha256) for row in ROWS
    ]

"""`pith-mirror check`: a clean site is clean, and each way of damaging one is found and named."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.errors import ExitCode
from generator.fixity import FaultKind
from tests.factories import built, put, suffix_of, tree
from tests.vectors.builders import PAPER, bundle_of, compact

BUNDLE = f"pith/{suffix_of()}/bundle.json"
COPY = f".well-known/{BUNDLE}"
Damage = Callable[[Path], object]


@pytest.fixture(name="pristine", scope="module")
def _pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("check")
    built(folder, {"a.json": compact(bundle_of())})
    return folder / "site"


@pytest.fixture(name="site")
def _site(pristine: Path, tmp_path: Path) -> Path:
    return shutil.copytree(pristine, tmp_path / "site")


def run(site: Path, *options: str) -> Result:
    """Check a site in this process."""
    return CliRunner().invoke(main, ["check", "--site", str(site), *options])


def faults(site: Path) -> list[tuple[str, str]]:
    """Give kind and path of every fault."""
    rows = [json.loads(line) for line in run(site, "--json").stdout.splitlines()]
    return [(row["kind"], row["path"]) for row in rows[:-1]]


def edit(site: Path, old: str, new: str) -> None:
    """Replace the first occurrence of a text in the manifest."""
    path = site / "manifest.json"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def line_of(site: Path, text: str) -> str:
    """Name the line of the manifest that holds a text, as a fault does."""
    lines = (site / "manifest.json").read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, start=1) if text in line)
    return f"manifest.json, line {number}"


def flip(path: Path) -> None:
    """Change one bit of a file, or give an empty one a byte."""
    data = bytearray(path.read_bytes() or b"\0")
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def link(path: Path) -> None:
    """Put a link to the same bytes in a file's place."""
    aside = path.parent.joinpath("aside")
    path.rename(aside)
    path.symlink_to(aside)


def test_clean_site_has_no_fault(site: Path) -> None:
    """A site as built has no fault and says how much was read; what operators add is theirs."""
    put(site, {"README.md": b"x", "CNAME": b"x", ".git/HEAD": b"x"})
    done = run(site)
    listed = json.loads((site / "manifest.json").read_bytes())["files"]
    total = sum(file["length"] for file in listed)
    assert done.exit_code == ExitCode.OK, done.output
    assert done.stdout == f"{len(listed)} files with {total} bytes are as listed\nno faults\n"


def test_changed_bit_is_found_in_every_kind_of_file(site: Path) -> None:
    """One bit in one file of each ending is found in exactly that file, and nothing is repaired."""
    by_ending = {Path(name).suffix: name for name in tree(site) if name != "manifest.json"}
    for name in by_ending.values():
        before = (site / name).read_bytes()
        flip(site / name)
        kind = FaultKind.CHANGED if before else FaultKind.LENGTH
        assert faults(site) == [(kind.value, name)]
        (site / name).write_bytes(before)
    assert run(site).exit_code == ExitCode.OK


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (lambda s: (s / BUNDLE).unlink(), [("missing", BUNDLE)]),
        (lambda s: (s / BUNDLE).write_bytes(b"{"), [("wrong length", BUNDLE)]),
        (
            lambda s: link(s / BUNDLE),
            [("not a plain file", BUNDLE), ("extra", BUNDLE.replace("bundle.json", "aside"))],
        ),
        (lambda s: put(s, {".staging/lock": b""}), [("unfinished build", ".staging")]),
        (lambda s: put(s, {"pith/x.txt": b""}), [("extra", "pith/x.txt")]),
        (
            lambda s: put(s, {"pith/NUL.txt": b""}),
            [("extra", "pith/NUL.txt"), ("portability", "pith/NUL.txt")],
        ),
        (
            lambda s: put(s, {"Index.html": b""}),
            [("extra", "Index.html"), ("portability", "Index.html")],
        ),
        (lambda s: put(s, {"a\x1b[2J": b""}), [("extra", "a\\u001b[2J")]),
        (lambda s: (s / "manifest.json").unlink(), [("damaged manifest", "manifest.json")]),
        (lambda s: put(s, {"manifest.json": b"{}"}), [("damaged manifest", "manifest.json")]),
        (lambda s: edit(s, "\n]}\n", "\n"), [("damaged manifest", "manifest.json")]),
    ],
)
def test_damage_is_named(damage: Damage, expected: list[tuple[str, str]], site: Path) -> None:
    """Each way of damaging a site gives its own fault and no other."""
    damage(site)
    assert faults(site) == expected
    warned = all(kind in {"extra", "portability"} for kind, _ in expected)
    done = run(site)
    assert done.exit_code == (ExitCode.OK if warned else ExitCode.REJECTED)
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "a/../../secret", "\\u001b[2J"])
def test_manifest_cannot_lead_out_of_the_site(path: str, site: Path) -> None:
    """A path that leads elsewhere is a damaged line, and nothing there is read or quoted raw."""
    line = line_of(site, '{"path":"404.html"')
    edit(site, '{"path":"404.html"', f'{{"path":"{path}"')
    assert faults(site) == [("damaged manifest", line), ("extra", "404.html")]


def test_edited_lines_are_named(site: Path) -> None:
    """A media type, a line twice and copies listed with other bytes are each named."""
    edit(site, "application/json", "text/html")
    row = json.loads((site / "manifest.json").read_bytes())["files"][-1]
    line = json.dumps(row, separators=(",", ":"))
    edit(site, line, f"{line},\n{line}")
    found = faults(site)
    assert [kind for kind, _ in found] == ["media type", "listed twice"]


def test_copies_listed_with_other_bytes_are_named(site: Path) -> None:
    """Two copies of one bundle that the manifest lists with other digests are unequal."""
    flip(site / COPY)
    row = next(
        file
        for file in json.loads((site / "manifest.json").read_bytes())["files"]
        if file["path"] == COPY
    )
    edit(site, f'"{COPY}","sha256":"{row["sha256"]}', f'"{COPY}","sha256":"{"0" * 64}')
    assert faults(site) == [("changed", COPY), ("unequal copies", BUNDLE)]


def test_huge_line_is_bounded(site: Path) -> None:
    """A line beyond the limit is passed over in pieces and named once."""
    line = line_of(site, '{"path":"404.html"')
    edit(site, '{"path":"404.html"', f'{{"x":"{"x" * 50_000}","path":"404.html"')
    assert faults(site) == [("damaged manifest", line), ("extra", "404.html")]


def test_site_of_odd_names_is_portable(tmp_path: Path) -> None:
    """Categories that differ in case and names of devices make no file that some disk cannot hold.

    Record pages, listings and feeds lead to one another all the same.
    """
    papers = [
        replace(PAPER, category="cs.CO", cross=("con", "cs.CON", "cs.co", "cs.con", "nul.AB")),
        replace(PAPER, source_id="con/0101001"),
        replace(PAPER, source_id=f"{'x' * 200}.GT/0101001"),
    ]
    files = {f"{n}.json": compact(bundle_of(paper)) for n, paper in enumerate(papers)}
    site = built(tmp_path, files)
    assert run(tmp_path / "site").stdout.endswith("\nno faults\n")
    page = site[f"pith/{suffix_of(papers[0])}/index.html"].decode()
    folders = re.findall(r'href="\.\./\.\./(browse/category/[^"]+)/index\.html"', page)
    assert len({folder.casefold() for folder in folders}) == 6
    for folder in folders:
        assert {f"{folder}/index.html", f"{folder}/feed.atom"} < site.keys()
    pages = {path for path in site if path.startswith(("arxiv/0-con-", "doi/10.48550/0-arxiv-xxx"))}
    assert len(pages) == 3


def test_missing_folder_is_an_input_error(tmp_path: Path) -> None:
    """Without a folder there is nothing to check."""
    assert run(tmp_path / "none").exit_code == ExitCode.INPUT

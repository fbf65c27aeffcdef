"""`pith-mirror inspect`: every form of an id, what is shown, terminals, every exit code."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from generator.terminal import cells
from tests.commands import put, run, run_tested
from tests.statement_bundles import bundle, every_kind, numbered, say
from tests.vectors.builders import (
    AUTHOR,
    OTHER,
    PAPER,
    Json,
    bundle_with,
    creation_of,
    edited,
    number_of,
    record_of,
)

REPOSITORY = Path(__file__).resolve().parents[2]
VECTORS = REPOSITORY / "tests" / "vectors"
REAL = ("--bundles", REPOSITORY / "bundles", "--config", REPOSITORY / "mirror.toml")
SUFFIX = "25YK7L2RIECSQVFXE2XY6P4TVQ"
NUMBER = number_of(record_of(PAPER))


def words(text: str) -> str:
    """Undo the wrapping."""
    return " ".join(text.split())


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """A folder with two records, one of them with every kind of event."""
    return put(tmp_path / "bundles", a=every_kind(), b=bundle(paper=OTHER))


@pytest.mark.parametrize(
    "identifier",
    [
        f"pith:2017:{SUFFIX}",
        SUFFIX,
        SUFFIX.lower(),
        SUFFIX[:16],
        SUFFIX[:12],
        SUFFIX[:8],
        f"pith:{SUFFIX[:8]}",
    ],
)
def test_real_record_is_found_by_its_number(identifier: str) -> None:
    """Each form of the Pith Number finds the one real record."""
    done = run("inspect", identifier, *REAL)
    assert done.code == 0
    assert done.text.splitlines()[0] == f"pith:2017:{SUFFIX}"


@pytest.mark.parametrize(
    "identifier",
    ["1811.00637", "1811.00637v2", "arXiv:1811.00637", "10.48550/arXiv.1811.00637"],
)
def test_real_record_is_found_by_its_paper(identifier: str) -> None:
    """The arXiv id, with and without version, and the DOI find it as well."""
    done = run("inspect", identifier, *REAL)
    assert done.code == 0
    assert done.text.splitlines()[0] == "pith:2018:X37TDJUWWIYSUEPBPRJS2QZTTV"


def test_real_record_says_how_each_fact_is_known() -> None:
    """A title bound by its digest is proven, authors of a carried snapshot are carried."""
    text = words(run("inspect", SUFFIX, *REAL).text)
    assert "partly checkable" in text
    assert re.search(r"title [^\[]+\[proven\]", text)
    assert re.search(r"abstract [^\[]+\[proven\]", text)
    assert "Ed25519 by pith-v1-2026-05 [proven]" in text
    assert re.search(r"\d+ verified, 0 failed, 1 not checkable", text)
    assert "not checkable: event, events[1] graph_snapshot: expected a signed envelope" in text
    assert f"https://pith.science/pith/{SUFFIX}" in text


def test_everything_of_a_record_is_shown(folder: Path) -> None:
    """Numbers, paper, checks by outcome, timeline with standings, timestamps, citations, links."""
    done = run_tested("inspect", NUMBER, "--bundles", folder)
    lines, text = done.text.splitlines(), words(done.text)
    headings = [line for line in lines if line and not line.startswith(" ")]
    assert headings == [
        NUMBER,
        "partly checkable",
        "contradicted, see the events",
        *("Numbers", "Paper", "Checks", "Events", "Timestamps", "Cites (the signer's word)"),
        "Links",
    ]
    for said in (
        "authors Ada Q. Testova, Hervé Exemplaire, J. M. Sample [reported]",
        "verified: withdrawn by its signer",
        "verified: taken back by its detector",
        "verified: contradicted by another event of its signer",
        "verified: announced, changes no trust here",
        "verified: of a kind not known here",
        "not checkable: carried, changes nothing",
        "by orcid:0000-0002-1825-0097 with test-author",
        "contradiction mirror.test signed 2 different correction events",
        "block 250 not checkable: needs block header 250",
        "waiting not checkable: promised by https://alice.example/x",
        f"extends {number_of(record_of(OTHER))} (citation event by orcid:0000-0002-1825-0097)",
        "paper https://arxiv.org/abs/2305.01234v2",
    ):
        assert said in text, said
    assert done.code == 0


def test_timestamp_has_no_good_colour_without_its_header(folder: Path) -> None:
    """Nothing that was not checked looks as if it had been: no green line says not checkable."""
    shown = in_terminal("inspect", NUMBER, "--bundles", str(folder), width=100)
    green = re.findall(r"\x1b\[32m([^\x1b]*)", shown)
    assert green
    assert not [line for line in green if "not checkable" in line]
    assert re.search(r"\x1b\[33m +block 250 +not checkable", shown)


def test_several_bundles_of_a_record_are_united(tmp_path: Path) -> None:
    """A record found in two bundles is shown once, from their union, with both names."""
    whole = every_kind()
    half = {**whole, "events": whole["events"][:6]}
    rest = {**whole, "events": [whole["events"][0], *whole["events"][6:]]}
    folder = put(tmp_path, a=half, b=rest)
    done = run_tested("inspect", NUMBER, "--bundles", folder)
    assert done.text.count(f"{NUMBER}\n") == 2
    (row,) = run_tested("inspect", NUMBER, "--bundles", folder, "--json").rows
    assert len(row["events"]) == len(whole["events"])
    assert row["origins"] == [str(folder / "a.json"), str(folder / "b.json")]


def test_several_matches_are_listed(tmp_path: Path) -> None:
    """Two versions of one paper are two records: without a version both are listed, by number."""
    papers = [
        numbered(7),
        numbered(7).__class__(**{**vars(numbered(7)), "version": 3, "title": "Third"}),
    ]
    folder = put(tmp_path, **{f"r{p.version}": bundle(paper=p) for p in papers})
    done = run_tested("inspect", "2401.00007", "--bundles", folder)
    assert done.code == 0
    numbers = sorted(number_of(record_of(paper)) for paper in papers)
    assert [line.partition(": ")[0] for line in done.text.splitlines()[::2]] == numbers
    assert "2401.00007v3: Third" in done.text
    rows = run_tested("inspect", "2401.00007", "--bundles", folder, "--json").rows
    assert [row["pith_number"] for row in rows] == numbers
    one = run_tested("inspect", "2401.00007v3", "--bundles", folder)
    assert one.text.splitlines()[0] in numbers
    assert "Numbers" in one.text


def test_record_is_found_by_an_added_doi(tmp_path: Path) -> None:
    """A journal's DOI that a genuine event adds finds the record."""
    added = say("alias_added", {"alias_kind": "doi", "alias_value": "10.1000/182"})
    folder = put(tmp_path, a=bundle(added), b=bundle(paper=OTHER))
    done = run_tested("inspect", "doi:10.1000/182", "--bundles", folder)
    assert done.text.splitlines()[0] == NUMBER
    assert "doi: 10.1000/182" in done.text


def test_built_site_can_be_searched(built_site: Path) -> None:
    """With --site the site's own bundles are looked at, and its files are named."""
    config = ("--config", REPOSITORY / "mirror.toml")
    for identifier in (SUFFIX[:8], "1811.00637", f"pith:2017:{SUFFIX}"):
        done = run("inspect", identifier, "--site", built_site, *config)
        assert done.code == 0
        suffix = done.text.splitlines()[0].rpartition(":")[2]
        page = f"{built_site}/pith/{suffix}/index.html"
        assert page in done.text.replace("\n                ", "")
        assert Path(page).is_file()
    assert run("inspect", "AAAAAAAA", "--site", built_site, *config).code == 6


def test_file_is_shown_like_a_record() -> None:
    """A bundle file is shown under its name; a file of several is listed."""
    path = REPOSITORY / "bundles" / f"{SUFFIX}.json"
    done = run("inspect", path)
    assert done.code == 0
    assert done.text.splitlines()[0] == f"pith:2017:{SUFFIX}"
    listed = run("inspect", REPOSITORY / "bundles")
    assert len([line for line in listed.text.splitlines() if line.startswith("pith:")]) == 16


def test_json_has_what_the_files_of_the_record_have(folder: Path) -> None:
    """The JSON holds checks, resolver record, state and events of the one record."""
    (row,) = run_tested("inspect", NUMBER, "--bundles", folder, "--json").rows
    assert row["inspection_type"] == "pith_mirror_inspection"
    assert row["verdict"] == "partly checkable"
    assert row["record"]["pith_number"] == row["state"]["pith_number"] == NUMBER
    assert len(row["events"]) == row["state"]["event_count"]
    assert {check["step"] for check in row["checks"]} >= {"V1", "V7", "V8"}
    assert row["sha256"] is not None


def test_rejected_bundle_shows_why_with_code_3(tmp_path: Path) -> None:
    """A bundle that is not published shows its failed checks, and nothing of its content."""
    wrong = edited(bundle(), ("canonical_sha256", "0" * 64))
    folder = put(tmp_path, wrong=wrong)
    for what in (NUMBER, str(folder / "wrong.json")):
        done = run_tested("inspect", what, "--bundles", folder)
        assert done.code == 3
        assert "not published" in done.text
        assert "failed: content address, canonical_sha256: expected" in words(done.text)
        assert "Paper" not in done.text
        (row,) = run_tested("inspect", what, "--bundles", folder, "--json").rows
        assert (row["record"], row["state"], row["events"]) == (None, None, None)


def test_rejected_copy_is_named_beside_a_good_one(tmp_path: Path) -> None:
    """A damaged copy hides nothing; it is named, and the record is shown."""
    wrong = edited(bundle(), ("short_pith_number", "pith:AAAAAAAA"))
    folder = put(tmp_path, good=bundle(), wrong=wrong)
    done = run_tested("inspect", NUMBER, "--bundles", folder)
    assert done.code == 0
    assert done.text.splitlines()[1] == "verified"
    assert re.search(r"^  rejected +\S+", done.text, re.MULTILINE)


def test_failed_event_ends_with_code_3(tmp_path: Path) -> None:
    """A published record in which a check failed is shown, with exit code 3."""
    event = say("author_attestation", {"author_name": "A", "statement": "B"}, key=AUTHOR)
    folder = put(tmp_path, a=bundle(edited(event, ("payload.statement", "C"))))
    done = run_tested("inspect", NUMBER, "--bundles", folder)
    assert done.code == 3
    assert "checks failed" in done.text
    assert "failed: set aside" in done.text


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\x00", b"[]", b"\x1b[2J"])
def test_file_that_is_no_bundle_ends_with_code_3(tmp_path: Path, data: bytes) -> None:
    """A file that cannot be read as a bundle is a rejected one, with the reason."""
    folder = put(tmp_path, wrong=data)
    done = run_tested("inspect", folder / "wrong.json")
    assert done.code == 3
    assert done.text.splitlines()[:2] == ["no Pith Number", "not published"]
    assert "V1" in done.text


def test_unknown_record_ends_with_code_6(folder: Path, tmp_path: Path) -> None:
    """An id of no record here, an empty folder and a text that is no id end with code 6."""
    (tmp_path / "empty").mkdir()
    for arguments in (
        ("AAAAAAAA", "--bundles", folder),
        (NUMBER, "--bundles", tmp_path / "empty"),
        (NUMBER, "--bundles", tmp_path / "none"),
        ("no-such-file.json",),
        ("\x1b[2J",),
    ):
        done = run_tested("inspect", *arguments)
        assert (done.code, done.stdout) == (6, b""), arguments
        assert "\x1b" not in done.stderr


def test_unreadable_neighbours_are_counted(tmp_path: Path) -> None:
    """What cannot be read beside the record is told on stderr and changes nothing else."""
    folder = put(tmp_path, a=bundle())
    (folder / "broken.tar").write_bytes(b"no archive" * 100)
    done = run_tested("inspect", NUMBER, "--bundles", folder)
    assert done.code == 0
    assert done.stderr == f"{folder}: 1 could not be read\n"


def test_wrong_command_line_ends_with_code_2(tmp_path: Path) -> None:
    """No id, and a site that is not there, are usage errors."""
    assert run("inspect").code == 2
    assert run("inspect", NUMBER, "--site", tmp_path / "none").code == 2


def test_wrong_configuration_ends_with_code_5(tmp_path: Path) -> None:
    """A wrong mirror.toml stops the command."""
    (tmp_path / "mirror.toml").write_text("x = 1")
    assert run("inspect", NUMBER, "--config", tmp_path / "mirror.toml").code == 5


@pytest.mark.parametrize(
    "path", sorted((VECTORS / "bundles").glob("hostile-*.json")), ids=lambda path: path.stem
)
def test_hostile_text_never_reaches_the_terminal(path: Path) -> None:
    """Of every hostile vector only visible characters are printed, in lines of 80 cells."""
    done = run_tested("inspect", path)
    assert done.code in {0, 3}
    for line in done.text.splitlines():
        assert all(char.isprintable() or char in "\u200c\u200d" for char in line)
        assert cells(line) <= 80
    assert done.stderr == ""


def test_hostile_statement_stays_in_its_place(tmp_path: Path) -> None:
    """A signed statement with line breaks cannot look like a line of ours."""
    statement = "Nothing.\n\nChecks\n  99 verified\r\x1b[A\x1b[2K"
    event = say("author_attestation", {"author_name": "A", "statement": statement}, key=AUTHOR)
    done = run_tested("inspect", NUMBER, "--bundles", put(tmp_path, a=bundle(event)))
    assert sum(line == "Checks" for line in done.text.splitlines()) == 1
    assert "A: Nothing. Checks 99 verified" in words(done.text)


def test_record_without_anything_but_its_creation_is_shown(tmp_path: Path) -> None:
    """Without a snapshot the title is said to be unknown, not left out."""
    value: Json = bundle_with(record_of(PAPER), [creation_of(record_of(PAPER))])
    done = run_tested("inspect", NUMBER, "--bundles", put(tmp_path, a=value))
    assert "The bundle holds no snapshot of the paper" in words(done.text)
    assert "Timestamps" not in done.text


def in_terminal(*arguments: str, width: int, no_color: str | None = None) -> str:
    """Run a command in a pseudo-terminal of a width."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    environment.pop("COLUMNS", None)
    if no_color is not None:
        environment["NO_COLOR"] = no_color
    command = [
        sys.executable,
        "-m",
        "generator",
        *arguments,
        "--config",
        str(VECTORS / "mirror.toml"),
    ]
    with subprocess.Popen(
        command, cwd=REPOSITORY, stdout=child, stderr=child, stdin=child, env=environment
    ) as process:
        os.close(child)
        pieces = []
        while True:
            try:
                piece = os.read(parent, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not piece:
                break
            pieces.append(piece)
        process.wait()
    os.close(parent)
    return b"".join(pieces).decode().replace("\r\n", "\n")


@pytest.mark.parametrize("width", [60, 100])
def test_terminal_gives_the_width_and_gets_colours(folder: Path, width: int) -> None:
    """In a terminal lines fit its width, and outcomes have colours."""
    shown = in_terminal("inspect", NUMBER, "--bundles", str(folder), width=width)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert plain != shown
    longest = max(cells(line) for line in plain.splitlines())
    assert width - 12 < longest <= width
    assert "\x1b" not in plain


@pytest.mark.parametrize(("value", "coloured"), [("1", False), ("", True)])
def test_no_color_is_honoured(folder: Path, value: str, *, coloured: bool) -> None:
    """NO_COLOR set to anything but the empty string takes the colours away."""
    shown = in_terminal("inspect", NUMBER, "--bundles", str(folder), width=80, no_color=value)
    assert ("\x1b[" in shown) is coloured


def test_output_that_is_no_terminal_has_no_colours(folder: Path) -> None:
    """In a pipe there are no escape sequences at all, and lines of 80 cells."""
    done = run_tested("inspect", NUMBER, "--bundles", folder)
    assert "\x1b" not in done.text
    assert max(cells(line) for line in done.text.splitlines()) <= 80


def test_terminal_that_lacks_a_character_gets_an_escape(folder: Path) -> None:
    """An encoding that lacks a character ends in an escape, never in a traceback."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "generator", "inspect", NUMBER, "--bundles", folder),
            *("--config", VECTORS / "mirror.toml"),
        ],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONIOENCODING": "iso8859-1", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Herv\xe9 Exemplaire" in done.stdout
    assert b"authors\\u2019" in done.stdout

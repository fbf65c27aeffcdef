"""The command line: what it prints where, and how it ends in every case."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator import __version__
from generator.cli import main
from generator.errors import ExitCode
from tests.factories import BUNDLES, ROOT, put, tar_of, tree, zip_of
from tests.vectors.builders import (
    OLD,
    OTHER,
    PAPER,
    STRANGER,
    Json,
    bundle_of,
    bundle_with,
    compact,
    creation_of,
    event_of,
    receipt_of,
    record_of,
)
from tests.vectors.reading import CONFIGURATION

GOOD = compact(bundle_of())
PARTLY = compact(bundle_of(OTHER, event_of(record_of(OTHER), "note", {})))
DISPUTED = compact(bundle_of(OLD, None))
REJECTED = GOOD[:1000]
CONFIG = ("--config", str(CONFIGURATION))


def run(*arguments: str | Path) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def build(folder: Path, files: dict[str, bytes], *options: str) -> Result:
    """Build a site of files."""
    put(folder / "bundles", files)
    paths = ("--bundles", folder / "bundles", "--site", folder / "site")
    return run("build", *paths, *CONFIG, *options)


def verify(folder: Path, data: bytes, *options: str) -> Result:
    """Verify one bundle."""
    path = put(folder, {"b.json": data}) / "b.json"
    return run("verify", path, *CONFIG, *options)


@pytest.mark.parametrize(
    ("files", "code", "counts"),
    [
        ({"a.json": GOOD}, ExitCode.OK, "1 bundle: 1 verified"),
        ({"a.json": PARTLY}, ExitCode.OK, "1 bundle: 1 partly checkable"),
        ({"a.json": GOOD, "b.json": DISPUTED}, ExitCode.REJECTED, "2 bundles: 1 verified, 1 chec"),
        ({"a.json": GOOD, "b.json": REJECTED}, ExitCode.REJECTED, "2 bundles: 1 verified, 1 not"),
        ({"b.json": REJECTED}, ExitCode.REJECTED, "1 bundle: 1 not published"),
        ({"b.zip": b"x"}, ExitCode.REJECTED, "1 bundle: 1 not published"),
    ],
)
def test_build_counts_and_exit_code(
    files: dict[str, bytes], code: ExitCode, counts: str, tmp_path: Path
) -> None:
    """A build says how many bundles ended how, and its code says whether one needs a look."""
    result = build(tmp_path, files)
    assert result.exit_code == code, result.output
    assert counts in result.stdout.replace("1 record:", "1 records:")
    assert (tmp_path / "site" / "index.html").exists()
    assert f"open {tmp_path / 'site' / 'index.html'}" in result.stdout


def test_faults_go_to_stderr_with_their_reason(tmp_path: Path) -> None:
    """What is wrong with which file is told on stderr; stdout holds the result alone."""
    result = build(tmp_path, {"good.json": GOOD, "sub/bad.json": REJECTED, "odd.json": DISPUTED})
    assert "sub/bad.json: not published" in result.stderr
    assert "V1  failed" in result.stderr
    assert "odd.json: checks failed" in result.stderr
    assert "good.json" not in result.stderr
    assert "bad.json" not in result.stdout


def test_rejection_by_an_unknown_key_says_so(tmp_path: Path) -> None:
    """A bundle whose receipt no pinned key can check is rejected, and stderr tells why."""
    record = record_of(PAPER)
    creation = creation_of(record, receipt=receipt_of(record, key=STRANGER))
    result = build(tmp_path, {"a.json": compact(bundle_with(record, [creation]))})
    assert result.exit_code == ExitCode.REJECTED
    assert "key id test-stranger" in result.stderr
    assert "no key of this id is pinned" in result.stderr


def test_build_summary_as_json(tmp_path: Path) -> None:
    """With --json stdout is one JSON object a script can read."""
    result = build(tmp_path, {"a.json": GOOD, "b.json": REJECTED}, "--json")
    assert result.exit_code == ExitCode.REJECTED
    found = json.loads(result.stdout)
    written = len(tree(tmp_path / "site")) - 1
    assert found == {
        "records": 1,
        "counts": {
            "verified": 1,
            "partly checkable": 0,
            "checks failed": 0,
            "not published": 1,
        },
        "files": {"total": written, "written": written, "removed": 0},
    }
    again = build(tmp_path, {"a.json": GOOD}, "--json")
    assert json.loads(again.stdout)["files"] == {"total": written, "written": 0, "removed": 0}


def test_strict_summary_as_json(tmp_path: Path) -> None:
    """With --strict --json a refusal is told by null files and the code."""
    result = build(tmp_path, {"a.json": GOOD, "b.json": REJECTED}, "--json", "--strict")
    assert result.exit_code == ExitCode.STRICT
    assert json.loads(result.stdout)["files"] is None


@pytest.mark.parametrize(
    ("data", "code", "verdict"),
    [
        (GOOD, ExitCode.OK, "verified"),
        (PARTLY, ExitCode.OK, "partly checkable"),
        (DISPUTED, ExitCode.REJECTED, "checks failed"),
        (REJECTED, ExitCode.REJECTED, "not published"),
    ],
)
def test_verify_says_verdict_and_every_check(
    data: bytes, code: ExitCode, verdict: str, tmp_path: Path
) -> None:
    """Verify prints a line a bundle and a line a check, and exits by the worst verdict."""
    result = verify(tmp_path, data)
    assert result.exit_code == code
    head, *lines = result.stdout.splitlines()
    assert head.startswith(f"b.json: {verdict}")
    pattern = re.compile(r"  V(?:[1-9]|1[01]) +(verified|failed|not checkable) +\S.*, \S.*: \S.*")
    assert lines
    assert all(pattern.fullmatch(line) for line in lines)
    faulty = int(code is not ExitCode.OK)
    assert result.stderr == f"1 bundle, {faulty} rejected or with a failed check\n"


def test_verify_lines_tell_the_whole_list(tmp_path: Path) -> None:
    """A whole bundle shows the steps V1 to V10, in order, with expected and found on a failure."""
    lines = verify(tmp_path, GOOD).stdout.splitlines()[1:]
    steps = [line.split()[0] for line in lines]
    assert steps == sorted(steps, key=lambda step: int(step[1:]))
    assert set(steps) == {f"V{number}" for number in range(1, 11)}
    failed = verify(tmp_path, REJECTED).stdout.splitlines()[1]
    assert re.search(r"expected .+, found .+", failed)


def test_verify_json_has_an_object_a_bundle(tmp_path: Path) -> None:
    """With --json each line is an object with origin, digest, number, verdict and all checks."""
    put(tmp_path, {"a.json": GOOD, "b.ndjson": REJECTED + b"\n" + PARTLY, "c.zip": b"x"})
    result = run("verify", tmp_path, *CONFIG, "--json")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == ExitCode.REJECTED
    assert [(row["origin"], row["verdict"]) for row in rows] == [
        ("a.json", "verified"),
        ("b.ndjson:1", "not published"),
        ("b.ndjson:2", "partly checkable"),
        ("c.zip", "not published"),
    ]
    assert [bool(row["sha256"]) for row in rows] == [True, True, True, False]
    assert [bool(row["pith_number"]) for row in rows] == [True, False, True, False]
    assert all(row["checks"] for row in rows)
    assert result.stdout.isascii()


def test_verify_takes_files_folders_and_archives(tmp_path: Path) -> None:
    """Any number of paths of any kind are verified in the order given."""
    put(tmp_path, {"z.json": GOOD, "d/a.json": PARTLY, "t.tar": tar_of([("m.json", GOOD)])})
    put(tmp_path, {"a.zip": zip_of([("m.json", GOOD)])})
    names = ("z.json", "d", "t.tar", "a.zip")
    result = run("verify", *(tmp_path / name for name in names), *CONFIG, "--json")
    rows = [json.loads(line)["origin"] for line in result.stdout.splitlines()]
    assert rows == ["z.json", "a.json", "t.tar!m.json", "a.zip!m.json"]
    assert result.exit_code == ExitCode.OK


def test_verify_of_the_real_bundles() -> None:
    """The sixteen real bundles verify as far as anyone can check them, under the real key."""
    result = run("verify", BUNDLES, "--json")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["verdict"] for row in rows] == ["partly checkable"] * 16
    assert result.exit_code == ExitCode.OK


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify"],
        ["verify", "nothing-here.json"],
        ["build", "--unknown"],
        ["build", "--config"],
        ["build", "--templates", "nothing-here"],
        ["burn"],
    ],
)
def test_wrong_command_line_is_a_usage_error(arguments: list[str]) -> None:
    """A command line that makes no sense ends with 2 and a hint on stderr."""
    result = run(*arguments)
    assert result.exit_code == ExitCode.USAGE
    assert "Error" in result.stderr


@pytest.mark.parametrize("name", ["missing.toml", "broken.toml", "unknown.toml"])
@pytest.mark.parametrize("command", ["build", "verify"])
def test_wrong_configuration_ends_with_its_code(command: str, name: str, tmp_path: Path) -> None:
    """A configuration that is missing or wrong is named, and nothing is built."""
    put(tmp_path, {"b/a.json": GOOD, "broken.toml": b"[", "unknown.toml": b"[mirror]\nx = 1\n"})
    config = ("--config", tmp_path / name)
    if command == "build":
        result = run("build", "--bundles", tmp_path / "b", "--site", tmp_path / "s", *config)
    else:
        result = run("verify", tmp_path / "b", *config)
    assert result.exit_code == ExitCode.CONFIGURATION
    assert result.stderr.startswith(f"pith-mirror: {tmp_path / name}")
    assert result.stdout == ""
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize("files", [{}, {"README.md": b"x"}])
def test_nothing_to_build_from_leaves_the_site(files: dict[str, bytes], tmp_path: Path) -> None:
    """An empty folder is more often a wrong path than a wish: the old site stays."""
    build(tmp_path / "old", {"a.json": GOOD})
    before = tree(tmp_path / "old" / "site")
    (tmp_path / "old" / "bundles" / "a.json").unlink()
    result = build(tmp_path / "old", files)
    assert result.exit_code == ExitCode.INPUT
    assert "one or more bundles" in result.stderr
    assert tree(tmp_path / "old" / "site") == before


def test_missing_folder_ends_with_its_code(tmp_path: Path) -> None:
    """A folder of bundles that does not exist is an input error; verifying nothing is one too."""
    paths = ("--bundles", tmp_path / "no", "--site", tmp_path / "site")
    assert run("build", *paths, *CONFIG).exit_code == ExitCode.INPUT
    (tmp_path / "empty").mkdir()
    assert run("verify", tmp_path / "empty", *CONFIG).exit_code == ExitCode.INPUT


@pytest.mark.parametrize(
    ("bundles", "site"), [("b", "b"), ("b", "b/site"), ("s/b", "s"), ("b", "link")]
)
def test_site_and_bundles_share_no_files(bundles: str, site: str, tmp_path: Path) -> None:
    """A site inside the bundles, or around them, is refused before any work."""
    put(tmp_path, {f"{bundles}/a.json": GOOD})
    (tmp_path / "link").symlink_to(tmp_path / "b")
    before = tree(tmp_path)
    paths = ("--bundles", tmp_path / bundles, "--site", tmp_path / site)
    result = run("build", *paths, *CONFIG)
    assert result.exit_code == ExitCode.OUTPUT
    assert "apart from the bundles" in result.stderr
    assert tree(tmp_path) == before


def test_foreign_site_ends_with_its_code(tmp_path: Path) -> None:
    """A folder that is not ours is named, and nothing in it changes."""
    put(tmp_path / "site", {"thesis.tex": b"x"})
    result = build(tmp_path, {"a.json": GOOD})
    assert result.exit_code == ExitCode.OUTPUT
    assert tree(tmp_path / "site") == {"thesis.tex": b"x"}


def test_link_that_leads_to_itself_ends_with_its_code(tmp_path: Path) -> None:
    """A site path that cannot be resolved is an output error, not a crash."""
    (tmp_path / "site").symlink_to(tmp_path / "site")
    assert build(tmp_path, {"a.json": GOOD}).exit_code == ExitCode.OUTPUT


def test_broken_template_leaves_the_site(tmp_path: Path) -> None:
    """An operator's template that fails is named, and the old site stays."""
    build(tmp_path, {"a.json": GOOD})
    before = tree(tmp_path / "site")
    put(tmp_path / "mine", {"record.html": b"{{ page.missing }}"})
    result = build(tmp_path, {"b.json": PARTLY}, "--templates", str(tmp_path / "mine"))
    assert result.exit_code == ExitCode.RENDER
    assert result.stderr.startswith("pith-mirror: record.html, line 1, for pith/")
    assert tree(tmp_path / "site") == before


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("content/about.md", b"caf\xe9"),
        ("registry/pith-mirrors.json", b"{"),
        ("alias.html", b"\xff"),
    ],
)
def test_broken_resource_leaves_the_site(name: str, data: bytes, tmp_path: Path) -> None:
    """Content and data of an operator that cannot be read are an error of ours, before writing."""
    put(tmp_path / "mine", {name: data})
    result = build(tmp_path, {"a.json": GOOD}, "--templates", str(tmp_path / "mine"))
    assert result.exit_code in {ExitCode.RENDER, ExitCode.INPUT}
    assert not (tmp_path / "site" / "index.html").exists()


def test_operators_templates_and_content_are_used(tmp_path: Path) -> None:
    """A folder given with --templates replaces pages, content and assets one by one."""
    words = b"---\ntitle: About\n---\nOur *own* words."
    mine = {"404.html": b"gone", "content/about.md": words, "assets/x.css": b"y"}
    put(tmp_path / "mine", mine)
    assert build(tmp_path, {"a.json": GOOD}, "--templates", str(tmp_path / "mine")).exit_code == 0
    site = tree(tmp_path / "site")
    assert site["404.html"] == b"gone"
    assert b"Our <em>own</em> words." in site["about/index.html"]
    assert [data for path, data in site.items() if path.startswith("assets/x.")] == [b"y"]
    assert b"<h1" in site["index.html"]


def test_configuration_beside_the_bundles_goes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --config, mirror.toml beside the bundles counts, else that of the working folder."""
    text = CONFIGURATION.read_bytes().replace(b"Test vectors", b"Beside")
    put(tmp_path, {"x/bundles/a.json": GOOD, "x/mirror.toml": text})
    put(tmp_path, {"y/bundles/a.json": GOOD, "mirror.toml": text.replace(b"Beside", b"Working")})
    monkeypatch.chdir(tmp_path)
    for name, title in (("x", b"Beside"), ("y", b"Working")):
        paths = ("--bundles", f"{name}/bundles", "--site", f"{name}/site")
        assert run("build", *paths).exit_code == ExitCode.OK
        assert title in (tmp_path / name / "site" / "index.html").read_bytes()


def module(
    *arguments: str | Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a program of its own."""
    return subprocess.run(
        [sys.executable, "-m", "generator", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        check=False,
    )


def test_program_runs_as_a_module() -> None:
    """`python -m generator` is the same command."""
    assert module("--version").stdout.decode() == f"pith-mirror, version {__version__}\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8:strict"])
def test_no_output_encoding_is_a_crash(encoding: str, tmp_path: Path) -> None:
    """Hostile text is told on any terminal, whatever it can show."""
    hostile = {**bundle_of(), "bundle_type": "é\u202e\U0001f600\x9b" + "x" * 500}
    path = put(tmp_path, {"ü.json": compact(hostile), "z.json": GOOD})
    for options in ((), ("--json",)):
        result = module(
            "verify", path, *CONFIG, *options, environment={"PYTHONIOENCODING": encoding}
        )
        assert result.returncode == ExitCode.REJECTED, result.stderr
        assert b"z.json" in result.stdout
        assert b"\x9b31m" not in result.stdout


def test_site_with_a_name_that_is_no_text_is_built(tmp_path: Path) -> None:
    """A path with bytes that are no UTF-8 is built into and told without a crash."""
    put(tmp_path / "b", {"a.json": GOOD})
    site = Path(os.fsdecode(os.fsencode(tmp_path) + b"/s\xff"))
    result = module(
        *("build", "--bundles", tmp_path / "b", "--site", site, *CONFIG),
        environment={"PYTHONIOENCODING": "utf-8:strict"},
    )
    assert result.returncode == ExitCode.OK, result.stderr
    assert (site / "index.html").exists()


@pytest.mark.parametrize("length", [3_000, 12_000, 30_000])
def test_disk_that_fills_up_leaves_the_site(length: int, tmp_path: Path) -> None:
    """Where no file may grow over a length, as on a full disk, the build ends with its code."""
    build(tmp_path, {"a.json": GOOD})
    before = tree(tmp_path / "site")
    large = compact(bundle_of(OTHER, *({"n": "x" * 300} for _ in range(200))))
    put(tmp_path / "bundles", {"b.json": large})
    program = (
        "import resource, sys; from generator.cli import main;"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({length}, {length}));"
        "main(sys.argv[1:])"
    )
    paths = ("--bundles", tmp_path / "bundles", "--site", tmp_path / "site")
    finished = subprocess.run(
        [sys.executable, "-c", program, "build", *map(str, paths), *CONFIG],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == ExitCode.OUTPUT, finished.stderr
    assert tree(tmp_path / "site") == before


def test_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    """`pith-mirror verify … | head -1` ends quietly."""
    lines: list[Json] = [bundle_of(PAPER, {"n": number}) for number in range(300)]
    path = put(tmp_path, {"m.ndjson": b"\n".join(map(compact, lines))}) / "m.ndjson"
    command = [sys.executable, "-m", "generator", "verify", str(path), *CONFIG]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"m.ndjson:1")
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_output_that_takes_nothing_ends_with_code_7(tmp_path: Path) -> None:
    """On a full disk a command ends with a word about its output and without a traceback."""
    put(tmp_path / "bundles", {"a.json": GOOD})
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "generator", "verify", str(tmp_path / "bundles")],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == ExitCode.OUTPUT
    assert done.stderr.startswith("pith-mirror: output: expected")
    assert "Traceback" not in done.stderr

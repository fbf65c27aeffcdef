"""`pith-mirror diff`: bundles, states, folders, archives; a loss is an alarm; every exit code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from generator.formats.canonical import compact_json
from generator.state import state_json
from tests.commands import put, run, run_tested
from tests.factories import tar_of, zip_of
from tests.statement_bundles import bundle, citation, every_kind, known, numbered, say
from tests.vectors.builders import OTHER, PAPER, Json, compact, edited, number_of, record_of

REPOSITORY = Path(__file__).resolve().parents[2]
BUNDLES = REPOSITORY / "bundles"
CITES = say("citation", citation(OTHER))
NUMBER = number_of(record_of(PAPER))


def state_of(value: Json) -> bytes:
    """Write the state.json of a bundle."""
    return compact_json(state_json(known(value).state))


@pytest.fixture(name="two")
def _two(tmp_path: Path) -> tuple[Path, Path]:
    """An earlier bundle and a later one with a citation more."""
    folder = put(tmp_path, old=bundle(), new=bundle(CITES))
    return folder / "old.json", folder / "new.json"


def test_gain_is_said_in_words_and_by_identity(two: tuple[Path, Path]) -> None:
    """A gained event is told in words, then with its id; the exit code is 0."""
    done = run_tested("diff", *two)
    assert done.code == 0
    lines = done.text.splitlines()
    assert lines[0] == f"{NUMBER}: changed"
    assert "  citation gained" in lines
    at = lines.index("  gained citation (verified, counts)")
    assert lines[at + 1] == f"    {CITES['event_id']}"
    assert lines[-1] == "records: 0 equal, 1 changed, 0 gained, 0 lost"


def test_loss_is_an_alarm_with_code_3(two: tuple[Path, Path]) -> None:
    """The other way round the event is lost: said in capitals, and the exit code is 3."""
    done = run_tested("diff", *reversed(two))
    assert done.code == 3
    assert f"  LOST citation (verified, counts)\n    {CITES['event_id']}\n" in done.text
    assert done.text.splitlines()[-1].endswith("; ALARM: 1 with a loss")


def test_equal_bundles_are_told_in_one_look(two: tuple[Path, Path]) -> None:
    """Equal sides show the one state_sha256 and nothing else."""
    done = run_tested("diff", two[0], two[0])
    assert done.code == 0
    digest = known(bundle()).state
    assert done.text.splitlines() == [
        f"{NUMBER}: equal",
        f"  state_sha256 {state_json(digest)['state_sha256']}",
        "records: 1 equal, 0 changed, 0 gained, 0 lost",
    ]


def test_json_has_a_line_a_record_and_the_counts(two: tuple[Path, Path]) -> None:
    """With --json each record is an object on a line, and the last line counts them."""
    record, counts = run_tested("diff", "--json", *reversed(two)).rows
    assert record["pith_number"] == NUMBER
    assert record["alarm"] is True
    assert [event["identity"] for event in record["lost"]] == [CITES["event_id"]]
    assert counts == {
        "records": {"equal": 0, "changed": 1, "gained": 0, "lost": 0, "alarms": 1},
    }


def test_states_are_compared(tmp_path: Path) -> None:
    """Two state.json files are compared like their bundles, and a bundle with a state."""
    folder = put(
        tmp_path, old=state_of(bundle(CITES)), new=state_of(every_kind()), bundle=bundle(CITES)
    )
    old, new, whole = (folder / f"{name}.json" for name in ("old", "new", "bundle"))
    assert run_tested("diff", old, old).text.startswith(f"{NUMBER}: equal\n")
    assert run_tested("diff", old, whole).text.startswith(f"{NUMBER}: equal\n")
    assert run_tested("diff", whole, old).code == 0
    forth, back = run_tested("diff", old, new), run_tested("diff", new, old)
    assert (forth.code, back.code) == (3, 3)
    assert "citation lost" in forth.text
    assert "author claim withdrawn" not in forth.text
    assert "2 corrections gained, contradicted by another event of its signer" in forth.text


def test_states_of_a_built_site_are_compared(built_site: Path) -> None:
    """The state.json that a build writes is one that diff reads, equal with its bundle."""
    for folder in sorted((built_site / "pith").glob("*/"))[:4]:
        done = run_tested("diff", folder / "state.json", folder / "state.json")
        assert ": equal\n" in done.text
        config = ("--config", REPOSITORY / "mirror.toml")
        done = run("diff", folder / "bundle.json", folder / "state.json", *config)
        assert done.code == 0
        assert ": equal\n" in done.text


def test_folders_are_compared_record_by_record(tmp_path: Path) -> None:
    """Records gained, lost and changed are told; equal ones are only counted."""
    papers = [numbered(index) for index in range(5)]
    old = put(tmp_path / "old", **{f"r{i}": bundle(paper=p) for i, p in enumerate(papers[:4])})
    new = put(tmp_path / "new", **{f"s{i}": bundle(paper=p) for i, p in enumerate(papers[1:])})
    changed = say("citation", citation(OTHER), paper=papers[1])
    put(new, s0=bundle(changed, paper=papers[1]))
    done = run_tested("diff", old, new)
    assert done.code == 3
    assert done.text.splitlines()[-1] == (
        "records: 2 equal, 1 changed, 1 gained, 1 lost; ALARM: 1 with a loss"
    )
    assert f"{number_of(record_of(papers[0]))}: lost, with 2 events" in done.text
    assert f"{number_of(record_of(papers[4]))}: gained, with 2 events" in done.text
    assert f"{number_of(record_of(papers[2]))}" not in done.text
    rows = run_tested("diff", "--json", old, new).rows
    assert {row["pith_number"]: row["change"] for row in rows[:-1]} == {
        number_of(record_of(papers[0])): "lost",
        number_of(record_of(papers[1])): "changed",
        number_of(record_of(papers[4])): "gained",
    }


def test_archive_is_compared_with_a_folder(tmp_path: Path) -> None:
    """An archive holds the same as the folder it was made of, whatever the order of its members."""
    values = {f"r{i}": compact(bundle(paper=numbered(i))) for i in range(4)}
    folder = put(tmp_path / "folder", **values)
    members = [(f"{name}.json", data) for name, data in values.items()]
    (tmp_path / "all.tar").write_bytes(tar_of(members[::-1]))
    (tmp_path / "all.zip").write_bytes(zip_of(members))
    (tmp_path / "all.ndjson").write_bytes(b"\n".join(values.values()))
    for name in ("all.tar", "all.zip", "all.ndjson"):
        done = run_tested("diff", folder, tmp_path / name)
        assert (done.code, done.text) == (0, "records: 4 equal, 0 changed, 0 gained, 0 lost\n")


def test_real_bundles_are_equal_to_themselves() -> None:
    """The repository's own bundles compare equal, and losing all but one is an alarm."""
    config = ("--config", REPOSITORY / "mirror.toml")
    assert run("diff", BUNDLES, BUNDLES, *config).code == 0
    one = BUNDLES / "25YK7L2RIECSQVFXE2XY6P4TVQ.json"
    done = run("diff", BUNDLES, one, *config)
    assert done.code == 3
    assert "records: 1 equal, 0 changed, 0 gained, 15 lost; ALARM: 15 with a loss" in done.text


def test_damaged_bundle_in_a_folder_is_a_lost_record(tmp_path: Path) -> None:
    """A record whose bundle is rejected in NEW is lost, with the failed check."""
    old = put(tmp_path / "old", a=bundle(), b=bundle(paper=OTHER))
    new = put(
        tmp_path / "new",
        a=edited(bundle(), ("canonical_sha256", "0" * 64)),
        b=bundle(paper=OTHER),
        c=b"{",
    )
    done = run_tested("diff", old, new)
    assert done.code == 3
    assert "is rejected: V4 content address" in " ".join(done.text.split())
    assert "1 that are no bundle of any record" in done.stderr


def test_two_records_are_lost_and_gained(tmp_path: Path) -> None:
    """Bundles of two records have nothing in common: one is lost, the other gained."""
    folder = put(tmp_path, a=bundle(), b=bundle(paper=OTHER))
    done = run_tested("diff", folder / "a.json", folder / "b.json")
    assert done.code == 3
    assert "records: 0 equal, 0 changed, 1 gained, 1 lost" in done.text


@pytest.mark.parametrize(
    "value",
    [
        edited(bundle(), ("canonical_sha256", "0" * 64)),
        b'{"state_type":"pith_open_graph_state"}',
        state_of(bundle()).replace(b'"event_count":2', b'"event_count":3'),
    ],
)
def test_rejected_document_ends_with_code_3(tmp_path: Path, value: Json | bytes) -> None:
    """A bundle that is rejected, or a state that contradicts itself, is not compared."""
    folder = put(tmp_path, good=bundle(), wrong=value)
    done = run_tested("diff", folder / "good.json", folder / "wrong.json")
    assert (done.code, done.stdout) == (3, b"")
    assert "wrong.json" in done.stderr


def test_state_beside_a_folder_ends_with_code_6(tmp_path: Path) -> None:
    """A state holds no events, so it is compared with no collection."""
    folder = put(tmp_path / "folder", a=bundle(), b=bundle(paper=OTHER))
    put(tmp_path, state=state_of(bundle()))
    done = run_tested("diff", tmp_path / "state.json", folder)
    assert done.code == 6
    assert "found a state" in done.stderr


def test_empty_side_ends_with_code_6(tmp_path: Path) -> None:
    """An empty folder is a wrong path more often than the loss of everything."""
    (tmp_path / "empty").mkdir()
    full = put(tmp_path / "full", a=bundle())
    for pair in ((full, tmp_path / "empty"), (tmp_path / "empty", full)):
        done = run_tested("diff", *pair)
        assert (done.code, done.stdout) == (6, b"")
        assert "expected one or more bundles, found none" in done.stderr


def test_wrong_command_line_ends_with_code_2(tmp_path: Path) -> None:
    """One side alone, or a missing one, is a usage error."""
    assert run("diff", tmp_path).code == 2
    assert run("diff", tmp_path, tmp_path / "none").code == 2


def test_wrong_configuration_ends_with_code_5(two: tuple[Path, Path], tmp_path: Path) -> None:
    """A wrong mirror.toml stops the command."""
    (tmp_path / "mirror.toml").write_text("x = 1")
    assert run("diff", *two, "--config", tmp_path / "mirror.toml").code == 5


def test_hostile_text_never_reaches_the_terminal(tmp_path: Path) -> None:
    """Kinds, ids and words of hostile bundles and states are printed as visible characters."""
    hostile = {"event_type": "\x1b[2J\u202e", "note": "\x07"}
    folder = put(
        tmp_path / "old", a=bundle(hostile), b=bundle(say("x", {"a": "\x1b"}), paper=OTHER)
    )
    new = put(tmp_path / "new", a=bundle(), b=b"\x1b[2J")
    for pair in ((folder, new), (new, folder), (folder / "a.json", new / "a.json")):
        done = run_tested("diff", *pair)
        shown = (done.text + done.stderr).replace("\n", "")
        assert shown.isprintable()


MEASURE = """
import resource, sys
from generator.cli import main
try:
    main(sys.argv[1:])
except SystemExit as stop:
    code = stop.code
print(code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def peak(old: Path, new: Path) -> int:
    """Run diff in a process of its own; give the most memory it had, in KiB."""
    config = REPOSITORY / "tests" / "vectors" / "mirror.toml"
    arguments = ["diff", str(old), str(new), "--config", str(config)]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stderr.split()[-1])


@pytest.mark.slow
def test_memory_does_not_grow_with_the_records(tmp_path: Path) -> None:
    """Three hundred records of half a megabyte each side cost no more memory than ten."""
    padding = say("x-note", {"text": "x" * 250_000})
    for count in (10, 300):
        for side, extra in (("old", ()), ("new", (padding,))):
            with (tmp_path / f"{side}{count}.ndjson").open("wb") as file:
                for index in range(count):
                    paper = numbered(index)
                    note = say("x-note", {"text": "y" * 250_000}, paper=paper)
                    file.write(compact(bundle(note, *extra, paper=paper)) + b"\n")
    small = peak(tmp_path / "old10.ndjson", tmp_path / "new10.ndjson")
    large = peak(tmp_path / "old300.ndjson", tmp_path / "new300.ndjson")
    assert large < small + 40_000

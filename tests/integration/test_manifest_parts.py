"""A manifest in parts: built, checked, damaged, and made one document again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from checker.pith_check import Site, load_configuration
from generator import layout
from generator.cli import main
from generator.errors import ExitCode, OutputError
from generator.render import SiteFile
from generator.sink import WriteSummary
from generator.write import open_site
from tests.factories import tree
from tests.vectors.reading import CONFIGURATION

PART_MAX_COUNT = 10


def files(count: int) -> dict[str, bytes]:
    """Make some files."""
    return {f"x/{number}.html": str(number).encode() for number in range(count)}


def write(
    site: Path, content: dict[str, bytes], *, part_max_count: int = PART_MAX_COUNT
) -> WriteSummary:
    """Write files as one build."""
    with open_site(site) as writer:
        for path, data in content.items():
            writer.stage(SiteFile(path, data))
        return writer.commit(generator="pith-mirror test", part_max_count=part_max_count)


def parts_of(site: Path) -> dict[str, bytes]:
    """Read the parts of a site's manifest."""
    return {path: data for path, data in tree(site).items() if path.startswith("manifest/")}


def faults(site: Path) -> list[tuple[str, str]]:
    """Give kind and path of every fault that `pith-mirror check` names."""
    done = CliRunner().invoke(main, ["check", "--site", str(site), "--json"])
    rows = [json.loads(line) for line in done.stdout.splitlines()[:-1]]
    assert done.exit_code == (ExitCode.REJECTED if rows else ExitCode.OK), done.output
    return [(row["kind"], row["path"]) for row in rows]


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Path:
    write(tmp_path / "site", files(100))
    return tmp_path / "site"


def test_site_in_parts_is_whole(site: Path) -> None:
    """A site whose manifest is in parts has no fault, for the program and for the checker."""
    assert len(parts_of(site)) > 20
    assert faults(site) == []
    assert list(Site(site, load_configuration(CONFIGURATION)).manifest_faults()) == []


def test_a_changed_file_touches_its_part_and_the_head(site: Path) -> None:
    """Building again touches nothing; one changed file changes one part, and counts as one."""
    before = tree(site)
    assert write(site, files(100)) == WriteSummary(total=100, written=0, removed=0)
    assert tree(site) == before
    assert write(site, files(100) | {"x/7.html": b"new"}) == WriteSummary(100, 1, 0)
    after = tree(site)
    changed = {path for path in before if before[path] != after[path]}
    assert len(changed) == 3
    assert {"x/7.html", "manifest.json"} < changed
    assert faults(site) == []


@pytest.mark.parametrize("count", [5, 60, 400, 2_000])
def test_stale_parts_go(count: int, site: Path) -> None:
    """Parts that a smaller or larger site has no use for are removed; nothing else is left."""
    write(site, files(count))
    write(site, files(count), part_max_count=3_000)
    assert tree(site).keys() == files(count).keys() | {"manifest.json"}
    assert faults(site) == []


def test_build_in_parts_is_deterministic(site: Path, tmp_path: Path) -> None:
    """The order of staging and what was there before change no byte."""
    write(tmp_path / "other", files(3))
    write(tmp_path / "other", dict(reversed(files(100).items())))
    assert tree(tmp_path / "other") == tree(site)


def test_damaged_part_is_named(site: Path) -> None:
    """A changed byte in a part is found in that part and in the line it is in."""
    path, data = next(iter(parts_of(site).items()))
    listed = json.loads(data)["files"][0]
    (site / path).write_bytes(data.replace(listed["sha256"].encode(), b"0" * 64))
    assert faults(site) == [("changed", path), ("changed", listed["path"])]
    found = list(Site(site, load_configuration(CONFIGURATION)).manifest_faults())
    assert found == [
        f"{listed['path']}: not the bytes that {path} lists",
        f"{path}: not the bytes that manifest.json lists",
    ]
    with pytest.raises(OutputError, match="the part of the manifest with SHA-256"):
        write(site, files(100))


def test_missing_part_is_named_with_its_files(site: Path) -> None:
    """Without a part its files are no longer listed; both are said."""
    path, data = next(iter(parts_of(site).items()))
    (site / path).unlink()
    listed = sorted(row["path"] for row in json.loads(data)["files"])
    expected = [("damaged manifest", path), ("missing", path)]
    assert faults(site) == [*expected, *(("extra", one) for one in listed)]


def test_lines_in_the_wrong_part_are_named(site: Path) -> None:
    """A line that was moved to another part is found, even where both digests were made to fit."""
    one, other = list(parts_of(site))[:2]
    (site / one).write_bytes((site / other).read_bytes())
    found = faults(site)
    assert ("changed", one) in found or ("wrong length", one) in found
    first = json.loads((site / other).read_bytes())["files"][0]["path"]
    assert ("not in order", first) in found
    assert ("listed twice", first) in found


@pytest.mark.parametrize("path", ["manifest/m-con.json/../x", "x/1.html", "/etc/passwd"])
def test_head_cannot_name_other_files_as_parts(path: str, site: Path) -> None:
    """What the head names as a part is read as one only if it has a part's path."""
    head = (site / "manifest.json").read_text(encoding="utf-8")
    part = next(iter(parts_of(site)))
    (site / "manifest.json").write_text(head.replace(part, path), encoding="utf-8")
    assert faults(site)[0] == ("damaged manifest", "manifest.json, line 2")
    with pytest.raises(OutputError, match="expected a part of the manifest"):
        write(site, files(100))


def test_parts_come_before_the_head_and_behind_the_files(site: Path) -> None:
    """The journal moves files, then parts, then the head, so that a new head means a new site."""
    with open_site(site) as writer:
        for path, data in files(101).items():
            writer.stage(SiteFile(path, data))
        (site / "manifest.json").unlink()
        (site / "manifest.json").mkdir()  # so that the last move fails and the journal stays
        with pytest.raises(OSError, match="directory"):
            writer.commit(generator="pith-mirror test", part_max_count=PART_MAX_COUNT)
        journal = (site / ".staging" / "journal").read_text(encoding="utf-8").splitlines()
        moved = [json.loads(line)[2] for line in journal]
        assert moved[-2:] == [layout.MANIFEST, ""]
        assert [path.partition("/")[0] for path in moved[:2]] == ["x", "manifest"]
        (site / "manifest.json").rmdir()
    assert write(site, files(101)) == WriteSummary(total=101, written=0, removed=0)
    assert faults(site) == []

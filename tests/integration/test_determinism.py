"""Same input, same bytes: whatever locale, time zone, hash seed, folder, umask, name or package."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.layout import STATE_FOLDER
from tests.factories import BUNDLES, REAL_MIRROR, ROOT, built, put, tar_of, tree, zip_of, zstd

DATA = [path.read_bytes() for path in sorted(BUNDLES.glob("*.json"))]
# Where a bundle came from is part of the report, and the manifest lists the report.
OF_THE_INPUT = {"report.json", "manifest.json"}

SURROUNDINGS: dict[str, tuple[dict[str, str], list[str], int]] = {
    "kathmandu": ({"TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONHASHSEED": "0"}, [], 0o022),
    "turkish": ({"TZ": "UTC+12", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "1"}, [], 0o077),
    "ascii": ({"PYTHONUTF8": "0", "LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"}, ["-O"], 0o000),
    "seeded": ({"PYTHONHASHSEED": "4294967295", "LANG": "de_DE.ISO-8859-1"}, ["-OO"], 0o002),
}


@pytest.mark.parametrize("name", list(SURROUNDINGS))
def test_surroundings_change_no_byte(name: str, built_site: Path, tmp_path: Path) -> None:
    """Another locale, zone, hash seed, folder, umask and optimisation give the same site."""
    variables, flags, umask = SURROUNDINGS[name]
    folder = tmp_path / f"another folder, {name}"
    shutil.copytree(BUNDLES, folder / "in" / "bundles")
    shutil.copy(ROOT / "mirror.toml", folder / "in")
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LC_")}
    finished = subprocess.run(
        [
            *(sys.executable, *flags, "-m", "generator", "build"),
            *("--bundles", "in/bundles", "--site", "out/site"),
        ],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), **variables},
        umask=umask,
        capture_output=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert tree(folder / "out" / "site") == tree(built_site)


def packagings() -> dict[str, dict[str, bytes]]:
    """The sixteen bundles in other names, orders and packages."""
    members = [(f"{number}.json", data) for number, data in enumerate(reversed(DATA))]
    lines = b"\r\n".join(DATA[5:] + DATA[:5])
    mixed = {"one.tar": tar_of(members[:4]), "two.zip": zip_of(members[4:8])}
    mixed |= {"x/y/three.ndjson": b"\n".join(data for _, data in members[8:12])}
    mixed |= {f"z/{name}.zst": zstd.compress(data) for name, data in members[12:]}
    return {
        "other names": {f"{number:03}.json": data for number, data in enumerate(reversed(DATA))},
        "tar.gz": {"all.tar.gz": gzip.compress(tar_of(members))},
        "lines": {"all.jsonl": lines},
        "mixed": mixed,
        "twice": {"all.tar.zst": zstd.compress(tar_of(members)), "again.ndjson": lines},
    }


@pytest.fixture(name="plain", scope="module")
def _plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The site of the sixteen bundles as they lie in the repository."""
    files = {path.name: path.read_bytes() for path in BUNDLES.glob("*.json")}
    return built(tmp_path_factory.mktemp("plain"), files, configuration=REAL_MIRROR)


@pytest.mark.parametrize("name", list(packagings()))
def test_packaging_changes_no_file_of_a_record(
    name: str, plain: dict[str, bytes], tmp_path: Path
) -> None:
    """However the bundles arrive, every page and file but the report of the input is the same."""
    found = built(tmp_path, packagings()[name], configuration=REAL_MIRROR)
    # Some pages count bundles: where each came twice, they say so.
    counting = (
        {"index.html", "report/index.html", "stats/index.html", "stats.json"}
        if name == "twice"
        else set()
    )
    assert found.keys() == plain.keys()
    assert {path for path in found if found[path] != plain[path]} <= OF_THE_INPUT | counting


def test_building_again_writes_nothing(tmp_path: Path) -> None:
    """A second build of the same input touches no file of the site."""
    built(tmp_path, {"all.ndjson": b"\n".join(DATA)}, configuration=REAL_MIRROR)
    site = tmp_path / "site"
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    built(tmp_path, {}, configuration=REAL_MIRROR)
    after = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    changed = {path for path in after if after[path] != before.get(path)}
    assert {path.parent.name for path in changed} <= {STATE_FOLDER}


def test_growing_input_changes_only_what_lists_it(tmp_path: Path) -> None:
    """One more record changes no file of another record."""
    few = built(tmp_path / "few", {f"{n}.json": d for n, d in enumerate(DATA[:-1])},
                configuration=REAL_MIRROR)  # fmt: skip
    all_of_them = built(tmp_path / "all", {f"{n}.json": d for n, d in enumerate(DATA)},
                        configuration=REAL_MIRROR)  # fmt: skip
    changed = {path for path in few if few[path] != all_of_them[path]}
    assert not {path for path in changed if path.startswith(("pith/", ".well-known/", "api/"))}
    assert {"index.html", "report.json", "manifest.json"} <= changed


def test_no_file_tells_the_time_or_the_place(built_site: Path, tmp_path: Path) -> None:
    """Nothing in the site names the machine's folders, and the one date of it is a signed one."""
    text = b"\n".join(tree(built_site).values())
    for name in (str(ROOT), str(built_site), str(tmp_path.parent), os.uname().nodename):
        assert len(name) < 5 or name.encode() not in text
    generated = json.loads((built_site / "pith-mirrors.json").read_bytes())["generated_at"]
    signed = [json.loads(data)["events"][0]["payload"]["receipt"]["signed_at"] for data in DATA]
    assert generated == max(signed)


def test_folder_may_be_written_by_others_later(tmp_path: Path) -> None:
    """A site that was copied elsewhere is updated there like at its first place."""
    files = {f"{n}.json": d for n, d in enumerate(DATA[:3])}
    site = built(tmp_path / "first", files, configuration=REAL_MIRROR)
    shutil.copytree(tmp_path / "first" / "site", tmp_path / "second" / "site")
    put(tmp_path / "second" / "bundles", files)
    assert built(tmp_path / "second", {}, configuration=REAL_MIRROR) == site

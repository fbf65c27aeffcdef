"""`pith-mirror plan`: what it says beforehand is what a build then writes, about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.generate_bundles import write_bundles
from generator import precompress
from generator.cli import main
from generator.errors import ExitCode
from tests.factories import BUNDLES, ROOT, put, tree

pytestmark = pytest.mark.xdist_group("plan")

Json = Any
GENERATED = 2_000
BLOCK = 4_096


def run(*arguments: str | Path) -> str:
    """Run the command line; give what it prints on stdout."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code in {0, 3}, result.output
    return result.stdout


def estimated(*arguments: str | Path) -> Json:
    """Ask for an estimate as JSON."""
    return json.loads(run("plan", "--json", *arguments))


@pytest.fixture(name="generated", scope="module")
def _generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 2,000 generated bundles and their configuration."""
    folder = tmp_path_factory.mktemp("generated")
    write_bundles(folder / "bundles", GENERATED)
    return folder


def require_near(estimate: Json, site: Path) -> None:
    """Require that an estimate is within 5 % of a site's files and 10 % of its bytes."""
    lengths = [len(data) for data in tree(site).values()]
    assert estimate["files"] == pytest.approx(len(lengths), rel=0.05)
    assert estimate["bytes"] == pytest.approx(sum(lengths), rel=0.10)
    blocks = sum(-(-length // BLOCK) * BLOCK for length in lengths)
    assert estimate["disk_bytes"] == pytest.approx(blocks, rel=0.10)


@pytest.mark.parametrize("profile", ["full", "compact"])
def test_estimate_of_generated_records(generated: Path, tmp_path: Path, profile: str) -> None:
    """From at most 200 of 2,000 bundles, files are told within 5 % and bytes within 10 %."""
    common = ("--bundles", generated / "bundles", "--config", generated / "mirror.toml")
    estimate = estimated(*common, "--profile", profile)
    assert estimate["records"] == GENERATED
    assert 100 <= estimate["sample"]["bundles"] <= 200
    assert not estimate["sample"]["is_whole"]
    run("build", *common, "--profile", profile, "--site", tmp_path / "site", "--jobs", "2")
    require_near(estimate, tmp_path / "site")


@pytest.mark.parametrize("site", ["built", "demo"])
def test_estimate_of_few_bundles(site: str, built_site: Path, demo_site: Path) -> None:
    """Where all bundles are built for the estimate, every file is told."""
    demo = demo_site.parent / "bundles"
    estimate, folder = (
        (estimated("--bundles", BUNDLES, "--config", ROOT / "mirror.toml"), built_site)
        if site == "built"
        else (estimated("--bundles", demo, "--config", ROOT / "demo" / "mirror.toml"), demo_site)
    )
    assert estimate["sample"]["is_whole"]
    require_near(estimate, folder)
    assert estimate["files"] == pytest.approx(len(tree(folder)), abs=3)


def test_estimate_counts_siblings(tmp_path: Path) -> None:
    """Compressed siblings are in the estimate as in the site."""
    text = (ROOT / "mirror.toml").read_text(encoding="utf-8")
    text = text.replace("[build]\n", '[build]\nprecompress = ["gz"]\nfull_text_search = false\n')
    put(tmp_path, {"mirror.toml": text.encode()})
    common = ("--bundles", BUNDLES, "--config", tmp_path / "mirror.toml")
    run("build", *common, "--site", tmp_path / "site", "--jobs", "1")
    require_near(estimated(*common), tmp_path / "site")


def test_more_records_than_there_are(generated: Path) -> None:
    """`--records` plans for more of the same kind: files of records grow in proportion."""
    common = ("--bundles", generated / "bundles", "--config", generated / "mirror.toml")
    few, many = estimated(*common), estimated(*common, "--records", str(GENERATED * 100))

    def of_records(estimate: Json) -> dict[str, int]:
        (group,) = [g for g in estimate["groups"] if g["name"] == "files of records"]
        return dict(group)

    assert of_records(many)["files"] == 100 * of_records(few)["files"]
    assert many["records"] == 100 * GENERATED
    names = {group["name"] for group in many["groups"] if group["files"]}
    # Pagefind is for small sites alone.
    assert "full text, records" not in names
    assert few["github_pages"]["site"] == "within"
    assert many["github_pages"]["site"] == "over"


def test_text_says_that_it_is_an_estimate_and_from_what(generated: Path) -> None:
    """The first line says so, with the number of bundles; prices come from the operator alone."""
    options = ("--bundles", generated / "bundles", "--config", generated / "mirror.toml")
    text = run("plan", *options)
    assert text.startswith("an estimate: 125 of 2,000 bundles were built in memory, ")
    assert "2,000" in text
    assert "give --price-storage" in text
    assert "about 100 GB a month: not known, give --egress-gb" in text
    prices = ("--price-storage", "10", "--price-requests", "1", "--price-egress", "2")
    text = run("plan", *options, *prices, "--egress-gb", "300")
    assert "about 100 GB a month: over" in text
    assert "egress, a month: 600.00" in text
    assert "give" not in text


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "much"])
def test_price_is_a_number_from_0_on(value: str) -> None:
    """A price that is no number is refused before any work."""
    result = CliRunner().invoke(main, ["plan", f"--price-storage={value}"])
    assert result.exit_code == 2


def test_nothing_to_publish_is_an_error(tmp_path: Path) -> None:
    """Without a bundle that could be published there is nothing to measure."""
    for files in ({}, {"a.json": b"{}"}):
        folder = put(tmp_path / str(len(files)), files)
        arguments = ["plan", "--bundles", str(folder), "--config", str(ROOT / "mirror.toml")]
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == ExitCode.INPUT
        assert "bundles: expected one or more that can be published" in result.stderr


def test_what_a_build_would_refuse_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A coding that nothing here can make is an error of the configuration, as for a build."""
    monkeypatch.setattr(precompress, "find_spec", lambda _: None)
    text = (ROOT / "mirror.toml").read_text(encoding="utf-8")
    text = text.replace("[build]\n", '[build]\nprecompress = ["br"]\n')
    put(tmp_path, {"mirror.toml": text.encode()})
    arguments = ["plan", "--bundles", str(BUNDLES), "--config", str(tmp_path / "mirror.toml")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == ExitCode.CONFIGURATION
    assert "pith-mirror[brotli]" in result.stderr


def test_plan_writes_nothing(tmp_path: Path) -> None:
    """Planning changes no file: not beside the bundles, not in the working folder."""
    put(tmp_path / "bundles", {path.name: path.read_bytes() for path in BUNDLES.glob("*.json")})
    before = tree(tmp_path)
    estimated("--bundles", tmp_path / "bundles", "--config", ROOT / "mirror.toml")
    assert tree(tmp_path) == before

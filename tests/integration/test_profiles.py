"""The profile `compact`: few files of a record, nothing that leads to one that is not there."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from checker import pith_check
from generator.build import BuildOptions, build_site
from generator.citations import RecordLinks
from generator.cli import main
from generator.config import Configuration, Profile
from generator.profiles import is_written
from generator.record_files import LINKED_TEMPLATES, build_record, link_record
from generator.render import Renderer
from generator.site_frame import prepare_resources, site_frame
from tests.factories import (
    BUNDLES,
    REAL_MIRROR,
    ROOT,
    TEMPLATES,
    TEST_MIRROR,
    built,
    put,
    read_configuration,
    report_on,
    tree,
)
from tests.site_links import dead_links
from tests.vectors.builders import bundle_of

pytestmark = pytest.mark.xdist_group("profiles")

BASE_URL = "https://mirror.example/sub/"
PROFILES = ("full", "compact")
REAL = {path.name: path.read_bytes() for path in BUNDLES.glob("*.json")}
SUFFIX = re.compile(r"(?<![A-Z2-7])[A-Z2-7]{26}(?![A-Z2-7])")


def of_profile(configuration: Configuration, profile: str, **changes: object) -> Configuration:
    """Give a configuration another profile."""
    presentation = replace(configuration.presentation, profile=Profile(profile))
    return replace(configuration, presentation=presentation, **changes)  # type: ignore[arg-type]


@pytest.fixture(name="sites", scope="module")
def _sites(
    demo_site: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, bytes]]:
    """Sites of both profiles: the examples, and real records with and without an address."""
    demo = read_configuration(ROOT / "demo" / "mirror.toml")
    bundles = tree(demo_site.parent / "bundles")
    found = {}
    for profile in PROFILES:
        folder = tmp_path_factory.mktemp(profile)
        found[f"demo {profile}"] = built(
            folder / "demo", bundles, configuration=of_profile(demo, profile)
        )
        found[f"real {profile}"] = built(
            folder / "real", REAL, configuration=of_profile(REAL_MIRROR, profile)
        )
        found[f"addressed {profile}"] = built(
            folder / "addressed",
            REAL,
            configuration=of_profile(
                REAL_MIRROR, profile, base_url=BASE_URL, operator="Desk, desk@mirror.example"
            ),
        )
    return found


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", ["demo", "real", "addressed"])
def test_every_link_of_a_site_leads_to_a_file(
    name: str, profile: str, sites: dict[str, dict[str, bytes]]
) -> None:
    """Pages, feeds, catalogues and lists for programs name no file that the profile leaves out."""
    base_url = BASE_URL if name == "addressed" else ""
    # These describe addresses in words, by an example and for both profiles.
    words = {"about/index.html", "search/index.html"}
    found = dead_links(sites[f"{name} {profile}"], base_url=base_url)
    named = re.compile(r"(?!\.\./)(?:pith|\.well-known|api)/")
    assert [(path, to) for path, to in found if path not in words or not named.match(to)] == []


def test_the_crawl_sees_what_is_missing(sites: dict[str, dict[str, bytes]]) -> None:
    """If a state or a page were not written, the links to it would be found dead."""
    site = dict(sites["addressed full"])
    suffix = min(SUFFIX.findall(" ".join(site)))
    del site[f"pith/{suffix}/state.json"], site[f"arxiv/{arxiv_of(site, suffix)}/index.html"]
    places = {path for path, _ in dead_links(site, base_url=BASE_URL)}
    assert {f"pith/{suffix}/index.html", "catalogue.ndjson", "pith-mirrors.json"} <= places


def arxiv_of(site: dict[str, bytes], suffix: str) -> str:
    """Give the arXiv id of a record, from the catalogue."""
    rows = [json.loads(line) for line in site["catalogue.ndjson"].splitlines()]
    return next(str(row["arxiv_id"]) for row in rows if row["suffix"] == suffix)


def test_compact_site_has_three_files_a_record(sites: dict[str, dict[str, bytes]]) -> None:
    """A record has its page, its bundle and its badge; one that is cited also says by whom."""
    for name in ("demo", "real", "addressed"):
        site = sites[f"{name} compact"]
        rows = [json.loads(line) for line in site["catalogue.ndjson"].splitlines()]
        for row in rows:
            files = {path for path in site if row["suffix"] in path}
            kept = {"index.html", "bundle.json", "badge.svg"}
            cited = {f"pith/{row['suffix']}/cited-by.json"} & files
            assert files == {f"pith/{row['suffix']}/{file}" for file in kept} | cited
        folders = {path.partition("/")[0] for path in site if "/" in path}
        assert folders.isdisjoint({".well-known", "api", "arxiv", "doi", "p", "pagefind"})


def test_profiles_serve_the_same_bundles_and_badges(sites: dict[str, dict[str, bytes]]) -> None:
    """What other sites embed, and what everything is checked from, is the same to the byte."""
    for name in ("demo", "real", "addressed"):
        full, compact = sites[f"{name} full"], sites[f"{name} compact"]
        for path in full:
            if path.endswith(("bundle.json", "badge.svg", "cited-by.json")) and path in compact:
                assert compact[path] == full[path]
        assert (
            Counter(path.rpartition("/")[2] for path in compact)["badge.svg"]
            == Counter(path.rpartition("/")[2] for path in full)["badge.svg"]
        )


def test_documents_of_a_compact_site_say_what_there_is(
    sites: dict[str, dict[str, bytes]],
) -> None:
    """The manifest of mirrors has the one pattern that holds; the catalogue has no state."""
    site = sites["addressed compact"]
    entry = json.loads(site["pith-mirrors.json"])["mirrors"][-1]
    assert {name for name in entry if name.endswith("_pattern")} == {"bundle_pattern"}
    rows = [json.loads(line) for line in site["catalogue.ndjson"].splitlines()]
    assert {row["state_path"] for row in rows} == {None}
    assert all(row["bundle_path"] in site for row in rows)
    llms = site["llms.txt"].decode()
    assert "state.json" not in llms
    assert "`pith-mirror inspect`" in llms


def test_renderer_makes_nothing_that_is_not_written() -> None:
    """Under either profile a record's files, first and linked, are exactly those it has."""
    for profile in PROFILES:
        configuration = of_profile(TEST_MIRROR, profile)
        made = files_made(configuration)
        assert made
        assert all(is_written(path, configuration) for path in made)
    full = files_made(of_profile(TEST_MIRROR, "full"))
    compact = of_profile(TEST_MIRROR, "compact")
    assert files_made(compact) == [path for path in full if is_written(path, compact)]


def files_made(configuration: Configuration) -> list[str]:
    """Name the files that one record gives, by path."""
    resources = prepare_resources([TEMPLATES], configuration)
    renderer = Renderer([TEMPLATES], site_frame(configuration, resources))
    report = report_on(bundle_of(), configuration=configuration)
    unit = build_record(report, configuration=configuration, renderer=renderer)
    linked = link_record(
        report,
        RecordLinks(),
        LINKED_TEMPLATES,
        configuration=configuration,
        renderer=renderer,
    )
    return sorted({file.path for file in (*unit.files, *linked)})


def test_option_wins_over_the_file(tmp_path: Path) -> None:
    """`build --profile` decides; without it `[build] profile` of mirror.toml does."""
    text = (ROOT / "mirror.toml").read_text(encoding="utf-8")
    put(tmp_path, {"b/a.json": next(iter(REAL.values()))})
    (tmp_path / "mirror.toml").write_text(
        text.replace("[build]\n", '[build]\nprofile = "compact"\n'), encoding="utf-8"
    )
    for options, expected in ((["--profile", "full"], True), ([], False)):
        site = tmp_path / f"site{expected}"
        arguments = ["build", "--bundles", str(tmp_path / "b"), "--site", str(site)]
        arguments += ["--config", str(tmp_path / "mirror.toml"), "--jobs", "1", *options]
        assert CliRunner().invoke(main, arguments).exit_code == 0
        assert any(path.endswith("state.json") for path in tree(site)) == expected


def test_change_of_profile_removes_and_brings_back_files(tmp_path: Path) -> None:
    """A site can go to `compact` and back: it then has exactly the files of a fresh build."""
    put(tmp_path / "b", REAL)

    def build(profile: str, site: Path) -> dict[str, bytes]:
        options = BuildOptions(bundles=tmp_path / "b", site=site, templates=(TEMPLATES,))
        build_site(options, of_profile(REAL_MIRROR, profile))
        return tree(site)

    first = build("full", tmp_path / "s")
    compact = build("compact", tmp_path / "s")
    assert compact == build("compact", tmp_path / "fresh")
    assert build("full", tmp_path / "s") == first


def test_checks_take_a_compact_site_as_it_is(tmp_path: Path) -> None:
    """`pith-mirror check` and the independent checker go by the manifest: nothing is missing."""
    put(tmp_path / "b", REAL)
    site, configuration = tmp_path / "s", of_profile(REAL_MIRROR, "compact")
    options = BuildOptions(bundles=tmp_path / "b", site=site, templates=(TEMPLATES,))
    build_site(options, configuration)
    result = CliRunner().invoke(main, ["check", "--site", str(site)])
    assert result.exit_code == 0, result.output
    arguments = ["--config", str(ROOT / "mirror.toml"), str(site)]
    assert pith_check.main(arguments) == 0
    (site / f"pith/{next(iter(REAL)).removesuffix('.json')}/badge.svg").unlink()
    assert CliRunner().invoke(main, ["check", "--site", str(site)]).exit_code != 0
    assert pith_check.main(arguments) == 1

"""A build that goes on from the last one makes the same site, to the byte, as one from nothing."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from subprocess import PIPE

import pytest
from click.testing import CliRunner

from generator import update
from generator.build import BuildOptions, BuildSummary, build_site
from generator.changes import trusted_stamp
from generator.cli import main
from generator.config import Configuration
from generator.errors import OutputError
from generator.formats.keys import trusted_keys
from generator.layout import STATE, STATE_FOLDER, STATE_SEAL
from generator.load import InputFile, Loaded, PlacedBundle, find_inputs
from generator.record_builder import BuiltBundle, RecordBuilder
from generator.render import Renderer, SiteFile
from generator.site_folder import hold_site, time_of
from tests.factories import ROOT, TEMPLATES, TEST_MIRROR, put, suffix_of, tree, zip_of
from tests.statement_bundles import bundle, citation, numbered, say
from tests.vectors.builders import OLD, OTHER, PAPER, REGISTRY, Json, compact
from tests.vectors.reading import CONFIGURATION

# Without what depends on other programs, and takes long.
MIRROR = replace(
    TEST_MIRROR,
    presentation=replace(TEST_MIRROR.presentation, full_text_search=False, parquet=False),
)
MARK = b"<!-- changed -->"
STEPS = 9
# Of two of these each found a mistake once.
SEEDS = (0, 1, 118, 129)


def marked(name: str) -> bytes:
    """Give a packaged template that leaves a mark in each page it makes."""
    own = (TEMPLATES / name).read_bytes()
    block = b"{% block main %}"
    return own.replace(block, block + MARK, 1) if block in own else own + MARK


def without_key(configuration: Configuration) -> Configuration:
    """Trust every key but the one that signs the receipts of the tests."""
    keys = [key for key in configuration.trust.by_id.values() if key.key_id != REGISTRY.key_id]
    return replace(configuration, trust=trusted_keys(tuple(keys)))


@dataclass
class Mirror:
    """A folder of bundles with all that a site is made from, changed at random."""

    folder: Path
    chance: random.Random
    configuration: Configuration = MIRROR
    templates: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put(self.folder / "bundles", {"0.json": compact(bundle())})

    def build(self, site: str, *, jobs: int = 1) -> BuildSummary:
        """Build a site; most of its records may go."""
        mine = put(self.folder / "mine", {"README": b"", **self.templates})
        options = BuildOptions(
            self.folder / "bundles",
            self.folder / site,
            (mine, TEMPLATES),
            allow_removal=True,
            jobs=jobs,
        )
        return build_site(options, self.configuration)

    def cold(self) -> dict[str, bytes]:
        """Build the site from nothing and read it."""
        shutil.rmtree(self.folder / "cold", ignore_errors=True)
        self.build("cold")
        return tree(self.folder / "cold")

    def warm(self, *, jobs: int = 1) -> dict[str, bytes]:
        """Build the site on from the last build and read it."""
        self.build("warm", jobs=jobs)
        return tree(self.folder / "warm")

    def step(self) -> str:
        """Change something at random; returns what."""
        steps: list[Callable[[], None]] = [
            self.add,
            self.add,
            self.add_again,
            self.add_list,
            self.remove,
            self.move,
            self.spoil,
            self.change_template,
            self.change_configuration,
            self.damage,
            self.lose_state,
        ]
        chosen = self.chance.choice(steps)
        chosen()
        return chosen.__name__

    def some_bundle(self) -> bytes:
        """Give one of some bundles, of which several are of one record and some cite others."""
        papers = [PAPER, OTHER, OLD, *(numbered(n) for n in range(4))]
        paper = self.chance.choice(papers)
        events: list[Json] = [
            say("citation", citation(self.chance.choice(papers)), paper=paper)
            for _ in range(self.chance.randrange(3))
        ]
        if self.chance.random() < 0.3:
            events.append(say("note", {"n": self.chance.randrange(3)}, paper=paper))
        value = bundle(*events, paper=paper)
        if self.chance.random() < 0.15:
            value = {**value, "short_pith_number": "pith:AAAAAAAA"}
        return compact(value) if self.chance.random() > 0.05 else b"{"

    def names(self) -> list[str]:
        """Give the files of bundles."""
        return sorted(path.name for path in (self.folder / "bundles").iterdir())

    def add(self) -> None:
        """Add a bundle, or replace one."""
        name = f"{self.chance.randrange(12)}.json"
        put(self.folder / "bundles", {name: self.some_bundle()})

    def add_again(self) -> None:
        """Add the same bytes under another name."""
        names = self.names()
        data = (self.folder / "bundles" / self.chance.choice(names)).read_bytes()
        put(self.folder / "bundles", {f"again{self.chance.randrange(3)}.json": data})

    def add_list(self) -> None:
        """Add an archive or a list of some bundles, or replace it."""
        bundles = [self.some_bundle() for _ in range(self.chance.randrange(1, 4))]
        if self.chance.random() < 0.5:
            put(self.folder / "bundles", {"list.ndjson": b"\n".join(bundles)})
        else:
            packed = zip_of([(f"{n}.json", data) for n, data in enumerate(bundles)])
            put(self.folder / "bundles", {"archive.zip": packed})

    def remove(self) -> None:
        """Remove some files of bundles, but not all."""
        names = self.names()
        for name in self.chance.sample(names, k=min(len(names) - 1, 2)):
            (self.folder / "bundles" / name).unlink()

    def move(self) -> None:
        """Give a file of bundles another name."""
        source = self.folder / "bundles" / self.chance.choice(self.names())
        source.rename(source.with_name(f"moved{source.suffix}"))

    def spoil(self) -> None:
        """Cut a bundle short, in place."""
        path = self.folder / "bundles" / self.chance.choice(self.names())
        path.write_bytes(path.read_bytes()[:-1])

    def change_template(self) -> None:
        """Change a template or an asset, or take the change back."""
        names = ["record.html", "badge.svg", "listing.html", "feed.atom", "assets/theme.css"]
        name = self.chance.choice(names)
        if self.templates.pop(name, None) is None:
            self.templates[name] = b"a{color:red}" if name.endswith("css") else marked(name)
        shutil.rmtree(self.folder / "mine", ignore_errors=True)

    def change_configuration(self) -> None:
        """Trust other keys, or call the mirror something else."""
        self.configuration = self.chance.choice(
            [
                MIRROR,
                without_key(MIRROR),
                replace(MIRROR, base_url="https://mirror.test/"),
                replace(MIRROR, title="Another"),
            ]
        )

    def damage(self) -> None:
        """Change and remove files of the site that is there."""
        site = self.folder / "warm"
        paths = sorted(path for path in tree(site) if path != "manifest.json")
        for path in self.chance.sample(paths, k=3):
            (site / path).unlink()
        for path in self.chance.sample([p for p in paths if (site / p).exists()], k=2):
            (site / path).write_bytes(b"damaged")

    def lose_state(self) -> None:
        """Delete the state, or flip a bit of it."""
        state = self.folder / "warm" / STATE
        if self.chance.random() < 0.5 or not state.exists():
            shutil.rmtree(state.parent, ignore_errors=True)
        else:
            data = bytearray(state.read_bytes())
            data[self.chance.randrange(len(data))] ^= 1 << self.chance.randrange(8)
            state.write_bytes(data)


@pytest.mark.parametrize("seed", SEEDS)
def test_any_sequence_of_changes_ends_in_the_same_site(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After every change the site built on from the last one equals the one built from nothing."""
    if seed % 2:
        # The files are too new to be passed over unread; here they are passed over.
        monkeypatch.setattr(update, "trusted_stamp", lambda stamp, *, started: stamp)
    mirror = Mirror(tmp_path, random.Random(seed))  # noqa: S311 - to repeat it
    done = ["start"]
    assert mirror.warm() == mirror.cold()
    for _ in range(STEPS):
        done += [mirror.step() for _ in range(mirror.chance.randrange(1, 3))]
        warm = mirror.warm(jobs=mirror.chance.randrange(1, 3))
        assert warm == mirror.cold(), done


@dataclass
class Watch:
    """What a build does: bundles built, and pages rendered by their templates."""

    bundles: list[str] = field(default_factory=list)
    pages: list[tuple[str, str]] = field(default_factory=list)

    @property
    def templates(self) -> set[str]:
        """The templates that rendered anything."""
        return {template for template, _ in self.pages}

    @property
    def paths(self) -> set[str]:
        """The pages that were rendered."""
        return {path for _, path in self.pages}


@pytest.fixture(name="mirror")
def _mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mirror:
    """A mirror of some records, two of them linked, built once."""
    monkeypatch.setattr(update, "trusted_stamp", lambda stamp, *, started: stamp)
    mirror = Mirror(tmp_path, random.Random(0))  # noqa: S311 - to repeat it
    papers = {f"{n}.json": compact(bundle(paper=numbered(n))) for n in range(1, 5)}
    cites = bundle(say("citation", citation(numbered(1))), paper=PAPER)
    put(tmp_path / "bundles", {**papers, "0.json": compact(cites)})
    mirror.warm()
    return mirror


@pytest.fixture(name="watch")
def _watch(mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> Watch:
    """What is done from here on."""
    watch, build, page = Watch(), RecordBuilder.build, Renderer.page
    assert (mirror.folder / "warm").exists()

    def watched_build(builder: RecordBuilder, placed: PlacedBundle) -> BuiltBundle:
        watch.bundles.append(placed.loaded.origin)
        return build(builder, placed)

    def watched_page(renderer: Renderer, template: str, path: str, view: object) -> SiteFile:
        watch.pages.append((template, path))
        return page(renderer, template, path, view)

    monkeypatch.setattr(RecordBuilder, "build", watched_build)
    monkeypatch.setattr(Renderer, "page", watched_page)
    return watch


def test_without_a_change_nothing_is_read(
    mirror: Mirror, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second build of the same input reads no bundle, renders no page and touches no file."""
    site = mirror.folder / "warm"
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*")}

    def unread(file: InputFile) -> Iterator[Loaded]:
        raise AssertionError(file.origin)

    monkeypatch.setattr(update, "load_input", unread)
    summary = mirror.build("warm")
    assert (summary.records, summary.written and summary.written.written) == (5, 0)
    assert (watch.bundles, watch.pages) == ([], [])
    assert before == {path: path.stat().st_mtime_ns for path in site.rglob("*")}


def test_changed_bundle_renders_only_what_it_changes(mirror: Mirror, watch: Watch) -> None:
    """One changed bundle: it alone is verified, and no page is rendered that stays what it was."""
    before = tree(mirror.folder / "warm")
    changed = bundle(say("note", {"n": 1}, paper=numbered(3)), paper=numbered(3))
    put(mirror.folder / "bundles", {"3.json": compact(changed)})
    after = mirror.warm()
    assert watch.bundles == ["3.json"]
    suffix = suffix_of(numbered(3))
    of_site = {path for path in watch.paths if suffix not in path}
    assert of_site
    assert all(before[path] != after[path] for path in of_site)
    assert after == mirror.cold()


def test_new_neighbour_renders_the_linked_page(mirror: Mirror, watch: Watch) -> None:
    """A new citation changes the page of the cited record, whose own bundle is the same."""
    cites = bundle(say("citation", citation(numbered(4)), paper=numbered(2)), paper=numbered(2))
    put(mirror.folder / "bundles", {"2.json": compact(cites)})
    assert f"pith/{suffix_of(numbered(4))}/cited-by.json" in mirror.warm()
    assert watch.bundles == ["2.json"]
    assert {path for template, path in watch.pages if template == "record.html"} == {
        f"pith/{suffix_of(numbered(n))}/index.html" for n in (2, 4)
    }


@pytest.mark.parametrize("name", ["listing.html", "feed.atom", "badge.svg", "record.html"])
def test_changed_template_renders_only_its_pages(name: str, mirror: Mirror, watch: Watch) -> None:
    """A changed template renders the pages that use it, and no bundle is read for that."""
    mirror.templates[name] = marked(name)
    warm = mirror.warm()
    assert watch.templates == {name}
    assert watch.bundles == []
    pages = {path for path, data in warm.items() if MARK in data}
    assert watch.paths == pages != set()
    assert warm == mirror.cold()


def test_shared_macro_renders_every_page_that_imports_it(mirror: Mirror, watch: Watch) -> None:
    """A template that others import counts as a part of each of them."""
    own = (TEMPLATES / "base.html").read_bytes()
    mirror.templates["base.html"] = own.replace(b"</body>", MARK + b"</body>")
    warm = mirror.warm()
    pages = {path for path, data in warm.items() if MARK + b"</body>" in data}
    assert watch.paths == pages
    assert {f"pith/{suffix_of(PAPER)}/index.html", "index.html", "404.html"} <= pages
    assert warm == mirror.cold()


def test_key_that_is_not_trusted_any_more_has_every_bundle_verified_again(
    mirror: Mirror, watch: Watch
) -> None:
    """Verdicts hold for one trust configuration: without the key no record is left."""
    mirror.configuration = without_key(MIRROR)
    mirror.build("warm")
    assert sorted(watch.bundles) == [f"{n}.json" for n in range(5)]
    assert not [path for path in tree(mirror.folder / "warm") if path.endswith("bundle.json")]


def test_removed_bundle_takes_its_pages_listings_and_links(mirror: Mirror, watch: Watch) -> None:
    """Nothing of a removed record stays, and the page of the record it cited forgets it."""
    cited, gone = suffix_of(numbered(1)), suffix_of(PAPER)
    assert gone in (mirror.folder / "warm/pith" / cited / "index.html").read_text()
    (mirror.folder / "bundles" / "0.json").unlink()
    warm = mirror.warm()
    assert not [path for path, data in warm.items() if gone in path or gone.encode() in data]
    assert watch.bundles == []
    assert warm == mirror.cold()


def test_change_that_hides_behind_length_and_time_is_found(mirror: Mirror, watch: Watch) -> None:
    """A file of the same length with its old time set back was changed all the same."""
    path = mirror.folder / "bundles" / "3.json"
    status, data = path.stat(), path.read_bytes()
    path.write_bytes(b"{" + data[1:-1] + b" ")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    mirror.build("warm")
    assert watch.bundles == ["3.json"]


def test_file_as_new_as_the_build_is_read_again(tmp_path: Path, watch: Watch) -> None:
    """A bundle that could have changed right after it was read is not passed over the next time."""
    mirror = Mirror(tmp_path / "new", random.Random(0))  # noqa: S311 - to repeat it
    started = time_of(tmp_path)
    file = next(find_inputs(mirror.folder / "bundles"))
    assert trusted_stamp(file.stamp, started=started) is None
    assert trusted_stamp(file.stamp, started=started + 10**10) == file.stamp
    assert watch.bundles == []


def another_version(site: Path) -> None:
    """Claim that another version of the program left the state."""
    seal = json.loads((site / STATE_SEAL).read_bytes())
    (site / STATE_SEAL).write_text(json.dumps({**seal, "version": 0}))


def no_json(site: Path) -> None:
    """Spoil the seal."""
    (site / STATE_SEAL).write_bytes(b"[" * 5_000)


def damaged(site: Path) -> None:
    """Flip a bit of the state."""
    data = bytearray((site / STATE).read_bytes())
    data[len(data) // 2] ^= 1
    (site / STATE).write_bytes(data)


def of_another_site(site: Path) -> None:
    """Change the manifest that the state belongs to."""
    with (site / "manifest.json").open("ab") as file:
        file.write(b"\n")


def link(site: Path) -> None:
    """Put a link in the state's place."""
    (site / STATE).rename(site.parent / "elsewhere")
    (site / STATE).symlink_to(site.parent / "elsewhere")


@pytest.mark.parametrize("spoil", [another_version, no_json, damaged, of_another_site, link])
def test_state_that_cannot_be_trusted_is_not_used(
    spoil: Callable[[Path], None], mirror: Mirror, watch: Watch
) -> None:
    """A state of another version or site, or with a flipped bit, costs time and nothing else."""
    spoil(mirror.folder / "warm")
    warm = mirror.warm()
    assert len(watch.bundles) == 5
    assert warm == mirror.cold()


def test_state_is_no_file_of_the_site(mirror: Mirror) -> None:
    """No manifest lists the state, and the check of a site neither misses it nor calls it extra."""
    site = mirror.folder / "warm"
    assert STATE_FOLDER.encode() not in (site / "manifest.json").read_bytes()
    result = CliRunner().invoke(main, ["check", "--site", str(site)])
    assert result.exit_code == 0
    assert STATE_FOLDER not in result.output
    shutil.rmtree(site / STATE_FOLDER)
    assert CliRunner().invoke(main, ["check", "--site", str(site)]).output == result.output


def test_state_is_left_out_where_nobody_wants_it(mirror: Mirror) -> None:
    """Without a state to keep, the one that was there goes too, and the site is the same."""
    site, before = mirror.folder / "warm", tree(mirror.folder / "warm")
    options = BuildOptions(
        mirror.folder / "bundles", site, (mirror.folder / "mine", TEMPLATES), keep_state=False
    )
    (mirror.folder / "bundles" / "9.json").write_bytes(b"{")
    summary = build_site(options, mirror.configuration)
    assert summary.written is not None
    assert summary.written.removed == 0
    assert not (site / STATE_FOLDER).exists()
    assert set(tree(site)) == set(before)


def test_build_that_is_killed_at_any_time_is_mended_by_the_next(tmp_path: Path) -> None:
    """After builds that were killed, each at another moment, the next one ends as from nothing."""
    mirror = Mirror(tmp_path, random.Random(5))  # noqa: S311 - to repeat it
    put(tmp_path, {"mirror.toml": CONFIGURATION.read_bytes()})
    command = [sys.executable, "-m", "generator", "build", "--jobs", "2", "--allow-removal"]
    paths = ["--bundles", tmp_path / "bundles", "--site", tmp_path / "warm"]
    for delay in (0.5, 1.0, 1.3, 1.6, 2.0, 2.5):
        for _ in range(40):
            mirror.add()
        with subprocess.Popen(
            [*command, *map(str, paths)], cwd=ROOT, stderr=subprocess.DEVNULL, stdout=PIPE
        ) as process:
            with suppress(subprocess.TimeoutExpired):
                process.wait(delay)
            process.kill()
        # The workers end themselves when they see that the build is gone; they hold the lock.
        wait_until(lambda: is_free(tmp_path / "warm"))
    assert mirror.warm() == mirror.cold()


def is_free(site: Path) -> bool:
    """Tell whether no build holds a site."""
    try:
        with hold_site(site):
            return True
    except OutputError:
        return False


def wait_until(happened: Callable[[], bool]) -> None:
    """Wait for something, with patience."""
    until = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.05)

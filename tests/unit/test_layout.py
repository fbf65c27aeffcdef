"""layout.py: every path of the site, both ways, and the last line of defence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import layout
from generator.fixity import portability_faults
from generator.formats.identifiers import derive_aliases, is_arxiv_id
from generator.formats.record import is_category
from generator.limits import DEFAULT_LIMITS
from generator.manifest import manifest_letters
from generator.media_types import media_type
from generator.plan import LISTING_LENGTH
from generator.slugs import STEP_MAX_LENGTH, guarded_step

SUFFIX = "ABCDEFGHIJKLMNOPQRSTUVWX23"
SUFFIXES = st.text(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"), min_size=26, max_size=26)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (layout.record_page(SUFFIX), f"pith/{SUFFIX}/index.html"),
        (layout.record_file(SUFFIX, "bundle.json"), f"pith/{SUFFIX}/bundle.json"),
        (layout.resolver(SUFFIX), f"pith/{SUFFIX}.json"),
        (layout.well_known_bundle(SUFFIX), f".well-known/pith/{SUFFIX}/bundle.json"),
        (layout.api_graph(SUFFIX), f"api/pith-number/{SUFFIX}/graph.json"),
        (layout.arxiv_page("hep-th/9704123v1"), "arxiv/hep-th/9704123v1/index.html"),
        (layout.doi_page("10.48550/arxiv.1"), "doi/10.48550/arxiv.1/index.html"),
        (layout.short_page("ABCDEFGH"), "p/ABCDEFGH/index.html"),
        (layout.schema("state.v1.json"), "schemas/state.v1.json"),
        (layout.listing_page("report", None), "report/index.html"),
        (layout.listing_page("report", 3), "report/3/index.html"),
        (layout.year_folder(991), "browse/year/0991"),
        (layout.category_folder("cs.DC"), "browse/category/cs.DC"),
        (layout.category_folder("hep-th"), "browse/category/hep-th"),
        (layout.category_folder("q-bio.NC"), "browse/category/q-bio.NC"),
        (layout.category_folder("cond-mat.mtrl-sci"), "browse/category/cond-mat.mtrl-sci"),
        (layout.month_folder("2024-03"), "browse/month/2024-03"),
        (layout.licence_folder(""), "browse/licence/none"),
        (layout.licence_folder("http://a.b/c"), "browse/licence/http-a-b-c-f3ddf436"),
        (layout.status_folder("partly checkable"), "browse/status/partly-checkable"),
        (layout.author_folder("Ada Example"), "browse/author/b9/ada-example-b9f00a22"),
        (layout.recent_folder(), "browse/recent"),
        (layout.index_folder("author"), "browse/author"),
        (layout.author_index_folder("c"), "browse/author/by-c"),
        (layout.author_index_folder("co"), "browse/author/by-co"),
        (layout.author_index_folder("con"), "browse/author/by-co/by-con"),
        (layout.author_index_folder(""), "browse/author/other"),
        (layout.STATS, "stats/index.html"),
        (layout.STATS_JSON, "stats.json"),
        (layout.category_feed("cs.DC"), "browse/category/cs.DC/feed.atom"),
        (layout.feed_archive(3), "feed/3.atom"),
        (layout.sitemap_part("records-A"), "sitemap-records-A.xml"),
        (layout.FEED, "feed.atom"),
        (layout.SITEMAP, "sitemap.xml"),
        (layout.ROBOTS, "robots.txt"),
        (layout.LLMS, "llms.txt"),
        (layout.OAI_STATIC, "oai-static.xml"),
        (layout.CATALOGUE, "catalogue.ndjson"),
        (layout.CATALOGUE_PARQUET, "catalogue.parquet"),
        (layout.MANIFEST, "manifest.json"),
        (layout.MIRRORS, "pith-mirrors.json"),
        (layout.SIGNING_KEY, "pith-signing-key.json"),
        (layout.NOT_FOUND, "404.html"),
        (layout.NO_JEKYLL, ".nojekyll"),
    ],
)
def test_path_is_the_one_of_the_design(path: str, expected: str) -> None:
    """A mirror is a drop-in: the paths are the registry's."""
    assert path == expected
    assert layout.is_site_path(path)


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("arxiv", "arxiv/v/index.html"),
        ("arxiv_version", "arxiv/v/index.html"),
        ("doi", "doi/v/index.html"),
        ("pith_short_8", "p/v/index.html"),
        ("pith_short_12", ""),
        ("pith_short_16", ""),
        ("isbn", ""),
    ],
)
def test_alias_page_of_each_kind(kind: str, path: str) -> None:
    """Four kinds of alias have a page; the longer short forms and unknown kinds have none."""
    assert layout.alias_page(kind, "v") == path


@given(SUFFIXES)
def test_files_of_a_record_are_told_by_their_paths(suffix: str) -> None:
    """The suffix comes back from each file of a record, which stands in its ranges alone."""
    paths = [
        layout.record_page(suffix),
        layout.record_file(suffix, "badge.svg"),
        layout.resolver(suffix),
        f"{layout.resolver(suffix)}.gz",
        layout.well_known_bundle(suffix),
        layout.api_graph(suffix),
    ]
    ranges = layout.record_ranges(suffix)
    for path in paths:
        assert layout.record_of(path) == suffix
        assert sum(first <= path < behind for first, behind in ranges) == 1
        assert not any(first <= path < behind for first, behind in layout.SITE_RANGES)
    for path in (layout.HOME, layout.short_page(suffix[:8]), layout.record_page(suffix[1:])):
        assert layout.record_of(path) is None
        assert not any(first <= path < behind for first, behind in ranges)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/etc/passwd",
        "..",
        "../x",
        "a/../b",
        "a/..",
        ".",
        "./a",
        "a/./b",
        "a/.",
        "a//b",
        "a/",
        "a\\b",
        "a b",
        "a\n",
        "a\0b",
        "é",
        "a:b",
        "%2e%2e/x",
        "a?b",
        "a#b",
        "~/x",
        "a\u2028",
    ],
)
def test_path_that_leaves_the_site_is_refused(path: str) -> None:
    """Nothing absolute, nothing with dots as a step, nothing but plain ASCII may be written."""
    assert not layout.is_site_path(path)


@pytest.mark.parametrize("path", ["a", ".nojekyll", "a/.b/c..d", "...", "a/...", "A-z_0/9.html"])
def test_plain_path_is_allowed(path: str) -> None:
    """Dots inside a name are no steps."""
    assert layout.is_site_path(path)


@given(st.text(st.sampled_from("a./\\\n"), max_size=8))
def test_allowed_path_has_only_real_steps(path: str) -> None:
    """Every allowed path is relative and made of steps that lead down."""
    steps = path.split("/")
    plain = all(re.fullmatch(r"[a.]+", step) and step not in {".", ".."} for step in steps)
    assert layout.is_site_path(path) == plain


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("index.html", "text/html; charset=utf-8"),
        ("a/b.json", "application/json"),
        ("b.svg", "image/svg+xml"),
        ("assets/site.0123.css", "text/css; charset=utf-8"),
        (".nojekyll", "application/octet-stream"),
        ("LICENSE", "application/octet-stream"),
        ("a/cite.bib", "application/x-bibtex; charset=utf-8"),
        ("a/cite.csl.json", "application/vnd.citationstyles.csl+json"),
        ("a/linkset.json", "application/linkset+json"),
        ("pith.sty", "text/plain; charset=utf-8"),
        ("a/my-linkset.json", "application/json"),
        ("a/linkset.json.gz", "application/gzip"),
        ("index.html.zst", "application/zstd"),
        ("a/cite.csl.json.br", "application/octet-stream"),
    ],
)
def test_media_type_follows_the_ending(path: str, kind: str) -> None:
    """Hosts are told the type of each file; unknown endings are plain bytes."""
    assert media_type(path) == kind


@pytest.mark.parametrize(
    ("path", "root"), [("index.html", ""), ("a/b.html", "../"), ("a/b/c", "../../")]
)
def test_root_is_relative(path: str, root: str) -> None:
    """A page's way to the root has one step up for each folder it is in."""
    assert layout.root_of(path) == root


@pytest.mark.parametrize(
    ("path", "base_url", "expected"),
    [
        (layout.HOME, "https://m.example/a/", "https://m.example/a/"),
        (layout.BROWSE, "https://m.example/a/", "https://m.example/a/browse/"),
        (layout.FEED, "https://m.example/a/", "https://m.example/a/feed.atom"),
        (layout.HOME, "", "../index.html"),
        (layout.FEED, "", "../feed.atom"),
    ],
)
def test_address_is_absolute_or_the_way_from_the_document(
    path: str, base_url: str, expected: str
) -> None:
    """With a base_url a page is addressed as its folder; without it from the document, in full."""
    assert layout.address_of(path, base_url=base_url, source="feed/1.atom") == expected


@given(SUFFIXES)
def test_copies_know_each_other(suffix: str) -> None:
    """From either copy of a bundle or a graph the way leads to the other, and from nothing else."""
    for path in (
        layout.record_file(suffix, "bundle.json"),
        layout.record_file(suffix, "graph.json"),
    ):
        twin = layout.twin_of(path)
        assert twin is not None
        assert twin == layout.copy_of(path)
        assert layout.twin_of(twin) == path
        assert layout.copy_of(twin) is None
        owner = layout.bundle_owner(path)
        assert owner == (suffix if path.endswith("bundle.json") else None)
        assert layout.bundle_owner(twin) is None
    assert layout.twin_of(layout.record_file(suffix, "state.json")) is None
    assert layout.twin_of(layout.record_page(suffix)) is None


# As `formats/record.py` and `formats/identifiers.py` admit them.
CATEGORIES = st.from_regex(
    r"(con|nul|cs|[a-z]{1,3})(-[a-z]{1,3}){0,2}(\.[A-Za-z]{1,4}(-[A-Za-z]{1,2}){0,2})?",
    fullmatch=True,
)
ARXIV_IDS = st.from_regex(
    r"[0-9]{4}\.[0-9]{4,5}|(con|aux|[a-z]{1,9}|[a-z]{60,240})(-[a-z]{1,3}){0,2}(\.[A-Z]{2})?/[0-9]{7}",
    fullmatch=True,
)
VERSIONS = st.one_of(st.integers(1, 40), st.just(2**53 - 1))


def require_portable(path: str) -> None:
    """A path that every file system holds, with room for the folder above the site."""
    assert path.isascii()
    assert layout.is_site_path(path)
    assert len(path) <= 120
    assert list(portability_faults(path)) == []


@given(CATEGORIES, st.integers(1, 10**6))
def test_category_is_a_portable_folder(category: str, number: int) -> None:
    """Whatever a category is, its pages stand where every file system can hold them."""
    assert is_category(category)
    folder = layout.category_folder(category)
    for path in (layout.listing_page(folder, number), layout.category_feed(category)):
        require_portable(path)


@given(CATEGORIES, st.data())
def test_categories_never_differ_in_case_alone(category: str, data: st.DataObject) -> None:
    """Two categories that are one but for case have folders that are two without it."""
    flips = data.draw(st.lists(st.booleans(), min_size=len(category), max_size=len(category)))
    flipped = (
        char.swapcase() if flip else char for char, flip in zip(category, flips, strict=True)
    )
    other = "".join(flipped)
    folders = {layout.category_folder(one).casefold() for one in (category, other)}
    assert len(folders) == len({category, other})


@given(st.sets(CATEGORIES, max_size=8))
def test_categories_have_folders_of_their_own(categories: set[str]) -> None:
    """Different categories have different folders, on every file system."""
    folders = {layout.category_folder(category).casefold() for category in categories}
    assert len(folders) == len(categories)


def test_categories_of_arxiv_keep_their_address() -> None:
    """Every spelling that arXiv uses is the folder's name; others get their digest."""
    archives = "astro-ph cond-mat cs econ eess gr-qc hep-ex math nlin physics q-bio q-fin stat"
    old = "acc-phys adap-org alg-geom ao-sci cmp-lg dg-ga funct-an mtrl-th q-alg supr-con"
    classes = "cs.CL math.GT stat.ML astro-ph.CO q-fin.TR nlin.PS eess.AS econ.GN"
    small = "cond-mat.soft cond-mat.str-el physics.ao-ph physics.optics physics.gen-ph"
    for category in f"{archives} {old} {classes} {small} cond-mat.other".split():
        assert layout.category_folder(category) == f"browse/category/{category}"
    for category in ("cs.CON", "cs.Con", "cs.lg", "cs.Lg", "con", "nul.AB", "prn.x"):
        step = layout.category_folder(category).rpartition("/")[2]
        assert re.fullmatch(r"0-[a-z-]+-[0-9a-f]{32}", step)


@given(ARXIV_IDS, ARXIV_IDS, VERSIONS)
def test_aliases_are_portable_and_their_own(one: str, other: str, version: int) -> None:
    """Alias pages of any arXiv id can be held by every file system, and two ids share none."""
    found = []
    for arxiv_id in {one, other}:
        assert is_arxiv_id(arxiv_id)
        aliases = derive_aliases(source_id=arxiv_id, version=version, suffix=SUFFIX)
        paths = [layout.alias_page(alias.kind, alias.value) for alias in aliases[:3]]
        for path in paths:
            require_portable(path)
        found += paths
    assert len({path.casefold() for path in found}) == len(found)


@given(SUFFIXES, st.text(max_size=80), st.integers(0, 9999))
def test_other_paths_of_records_are_portable(suffix: str, text: str, year: int) -> None:
    """Paths by id, name, licence and time hold on every file system, whatever the text."""
    folders = (
        layout.author_folder(text),
        layout.licence_folder(text),
        layout.year_folder(year),
        layout.month_folder(f"{year:04}-12"),
    )
    for path in (
        layout.well_known_bundle(suffix),
        layout.api_graph(suffix),
        layout.record_file(suffix, "cite.csl.json"),
        layout.short_page(suffix[:8]),
        *(layout.listing_page(folder, 10**6) for folder in folders),
    ):
        require_portable(path)


@given(st.text(), st.text())
def test_guarded_steps_tell_texts_apart(one: str, other: str) -> None:
    """A guarded step is short, portable, small letters only, and another text's is another."""
    steps = {guarded_step(text) for text in (one, other)}
    assert len(steps) == len({one, other})
    for step in steps:
        require_portable(step)
        assert step == step.lower()
        assert len(step) <= STEP_MAX_LENGTH


def folders_above(paths: Iterable[str]) -> Counter[str]:
    """Count the different entries of each folder that some paths lead through."""
    entries = {
        tuple(path.split("/")[: depth + 1])
        for path in paths
        for depth in range(path.count("/") + 1)
    }
    return Counter("/".join(entry[:-1]) for entry in entries)


def test_folders_of_ours_stay_small() -> None:
    """Where the layout is our choice, names are spread evenly, so that no folder holds them all."""
    names = [f"Author {number}" for number in range(5_120)]
    authors = folders_above(map(layout.author_folder, names))
    assert authors["browse/author"] == 256
    assert max(count for folder, count in authors.items() if folder != "browse/author") < 60
    letters = "abcdefghijklmnopqrstuvwxyz"
    prefixes = ["".join(three) for three in product(letters, repeat=3)]
    indexes = folders_above(map(layout.author_index_folder, prefixes))
    assert max(indexes.values()) == 26**2
    # Three million records, in files and pages of the shortest kind.
    limits = DEFAULT_LIMITS
    lengths = (LISTING_LENGTH, limits.search_block_length, limits.feed_archive_length)
    assert max(3_000_000 // length for length in lengths) <= 30_000
    assert manifest_letters(13 * 3_000_000) == 3  # 32,768 parts and 32 heads

"""Where everything stands in the site: paths computed from checked values, and read back.

Nothing else joins output paths. Every value that enters here has passed `is_suffix`, `is_arxiv_id`
or the category pattern, is a number, or is made a slug here; so no bundle can name a path of its
own. No two values give paths that differ only in case, none gives a name that Windows reserves, and
no path of a record has more than 120 characters, so that a site can lie in any folder of 130.
"""

from __future__ import annotations

import re

from generator.slugs import digest_of, distinct_slug, guarded_step, is_reserved, kept_step

SitePath = str  # relative, `/`-separated, ASCII, never `..`; `index.html` written out

ASSETS = "assets"
HOME: SitePath = "index.html"
ABOUT: SitePath = "about/index.html"
VERIFY: SitePath = "verify/index.html"
BROWSE: SitePath = "browse/index.html"
STATS: SitePath = "stats/index.html"
SEARCH: SitePath = "search/index.html"
SEARCH_TABLE: SitePath = "search/index.js"
OPENSEARCH: SitePath = "opensearch.xml"
STATS_JSON: SitePath = "stats.json"
REPORT_PAGE: SitePath = "report/index.html"
REPORT: SitePath = "report.json"
NOT_FOUND: SitePath = "404.html"
MANIFEST: SitePath = "manifest.json"
MANIFEST_KEY_LENGTH = 4  # letters at most that name a part: a million parts
MIRRORS: SitePath = "pith-mirrors.json"
SIGNING_KEY: SitePath = "pith-signing-key.json"
NO_JEKYLL: SitePath = ".nojekyll"
FEED: SitePath = "feed.atom"
SITEMAP: SitePath = "sitemap.xml"
ROBOTS: SitePath = "robots.txt"
LLMS: SitePath = "llms.txt"
OAI_STATIC: SitePath = "oai-static.xml"
CATALOGUE: SitePath = "catalogue.ndjson"
CATALOGUE_PARQUET: SitePath = "catalogue.parquet"
# No files of the site, though they are written like them: see `build_state`.
STATE_FOLDER = ".pith-mirror"
STATE: SitePath = f"{STATE_FOLDER}/state.sqlite"
STATE_SEAL: SitePath = f"{STATE_FOLDER}/state.json"
STATE_IGNORE: SitePath = f"{STATE_FOLDER}/.gitignore"  # so that no site in git takes it along
STATE_FILES = (STATE_IGNORE, STATE, STATE_SEAL)

# Folders of the site that no content page may stand in.
TAKEN_FOLDERS = frozenset((
    "api", "arxiv", "assets", "browse", "doi", "feed", "manifest", "p", "pagefind", "pith",
    "report", "schemas", "search", "sitemap", "stats",
))  # fmt: skip
_STEP_LENGTH = 255  # bytes, of ext4, NTFS and APFS alike
_PATH_LENGTH = 1_000  # bytes; PATH_MAX is 1,024 on macOS
_SAFE = re.compile(r"(?!.*(?:^|/)\.{1,2}(?:/|$))[A-Za-z0-9._/-]+")
_MANIFEST_PART = re.compile(r"manifest/m-([a-z2-7]{1,4})\.json")
_COPIED = re.compile(r"pith/([A-Z2-7]{26})/(bundle|graph)\.json")
# Capitals only as arXiv writes them, two behind the dot, and then never two small letters there: so
# no two of these differ only in case.
_ORDINARY_CATEGORY = re.compile(
    r"[a-z]+(?:-[a-z]+)*(?:\.(?:[A-Z]{2}|(?![a-z]{2}$)[a-z]+(?:-[a-z]+)*))?"
)
_COPY = re.compile(
    r"\.well-known/pith/([A-Z2-7]{26})/(bundle)\.json|api/pith-number/([A-Z2-7]{26})/(graph)\.json"
)


def record_page(suffix: str) -> SitePath:
    """Give the page of a record."""
    return f"pith/{suffix}/index.html"


def record_file(suffix: str, name: str) -> SitePath:
    """Give a file beside a record's page: `bundle.json`, `state.json`, `badge.svg` and so on."""
    return f"pith/{suffix}/{name}"


def resolver(suffix: str) -> SitePath:
    """Give the resolver record, which stands beside the record's folder."""
    return f"pith/{suffix}.json"


def well_known_bundle(suffix: str) -> SitePath:
    """Give the well-known copy of the bundle (protocol part 3)."""
    return f".well-known/pith/{suffix}/bundle.json"


def api_graph(suffix: str) -> SitePath:
    """Give the API's copy of the graph snapshot (protocol part 6)."""
    return f"api/pith-number/{suffix}/graph.json"


def record_ranges(suffix: str) -> tuple[tuple[str, str], ...]:
    """Give the ranges of paths in which all files of a record stand, and nothing else.

    Args:
        suffix: the record's id.

    Returns:
        For each range its beginning, and the first text behind it.
    """
    return (
        (f"pith/{suffix}.", f"pith/{suffix}0"),  # `0` sorts right behind `/`
        (f".well-known/pith/{suffix}/", f".well-known/pith/{suffix}0"),
        (f"api/pith-number/{suffix}/", f"api/pith-number/{suffix}0"),
    )


_OF_RECORD = re.compile(r"(?:(?:\.well-known/)?pith|api/pith-number)/([A-Z2-7]{26})[./].*")


def record_of(path: SitePath) -> str | None:
    """Read the id of the record that a file belongs to; None for a file of the whole site."""
    match = _OF_RECORD.fullmatch(path)
    return match[1] if match else None


# The ranges of the paths of pages that list records, and of files for searching.
LISTING_RANGES = (("arxiv/", "arxiv0"), ("browse/", "browse0"), ("doi/", "doi0"), ("p/", "p0"))
SEARCH_RANGES = (("opensearch.", "opensearch0"), ("pagefind/", "pagefind0"), ("search/", "search0"))
# The ranges of all other paths, none of which belongs to a record.
SITE_RANGES = (
    ("", ".well-known/pith/"),
    (".well-known/pith0", "api/pith-number/"),
    ("api/pith-number0", "pith/"),
    ("pith0", "~"),
)


def copy_of(path: SitePath) -> SitePath | None:
    """Give the place of the second copy of a record's bundle or graph, from the first one's."""
    match = _COPIED.fullmatch(path)
    if match is None:
        return None
    return well_known_bundle(match[1]) if match[2] == "bundle" else api_graph(match[1])


def bundle_owner(path: SitePath) -> str | None:
    """Read the suffix back from the path of the first copy of a bundle; None for any other."""
    match = _COPIED.fullmatch(path)
    return match[1] if match and match[2] == "bundle" else None


def original_of(path: SitePath) -> SitePath | None:
    """Give the place of the first copy of a record's bundle or graph, from the second one's."""
    return twin_of(path) if _COPY.fullmatch(path) else None


def twin_of(path: SitePath) -> SitePath | None:
    """Give the place of the other copy of a record's bundle or graph, from either one's."""
    match = _COPY.fullmatch(path)
    if match is None:
        return copy_of(path)
    return record_file(match[1] or match[3], f"{match[2] or match[4]}.json")


# The range of the paths of a manifest's parts.
MANIFEST_PARTS = ("manifest/", "manifest0")


def manifest_part(key: str) -> SitePath:
    """Give a part of a manifest by the letters that name it.

    With `m-` before them, since `con`, `nul` and `com2` are letters that Windows reserves.
    """
    return f"manifest/m-{key}.json"


def manifest_key_of(path: str) -> str | None:
    """Read the letters back from the path of a part of a manifest; None for any other path."""
    match = _MANIFEST_PART.fullmatch(path)
    return match[1] if match else None


def arxiv_page(arxiv_id: str) -> SitePath:
    """Give the alias page of an arXiv id, with or without version; old ids contain a slash."""
    return f"arxiv/{_kept(arxiv_id)}/index.html"


def doi_page(doi: str) -> SitePath:
    """Give the alias page of a DOI."""
    return f"doi/{_kept(doi)}/index.html"


def short_page(short: str) -> SitePath:
    """Give the alias page of an eight-character short form."""
    return f"p/{short}/index.html"


def alias_page(kind: str, value: str) -> SitePath:
    """Give the page of one of the six aliases; the longer short forms have none of their own."""
    if kind in {"arxiv", "arxiv_version"}:
        return arxiv_page(value)
    if kind == "doi":
        return doi_page(value)
    return short_page(value) if kind == "pith_short_8" else ""


def schema(name: str) -> SitePath:
    """Give a JSON Schema, by its name below `templates/schemas/`."""
    return f"schemas/{name}"


def content_page(slug: str) -> SitePath:
    """Give the page of a Markdown file."""
    return f"{slug}/index.html"


def listing_page(folder: str, number: int | None) -> SitePath:
    """Give a page of a listing; None is the newest page, which stands at the folder itself.

    Pages are numbered from the oldest record on, so that a full page never changes again.
    """
    return f"{folder}/index.html" if number is None else f"{folder}/{number}/index.html"


def year_folder(year: int) -> str:
    """Give the folder of a year's listing."""
    return f"browse/year/{year:04}"


def category_folder(category: str) -> str:
    """Give the folder of a category's listing.

    Spelled as arXiv spells its own, such as `cs.LG`, `hep-th` and `cond-mat.soft`, the category is
    the step; any other could differ from one in case alone, or be a device of Windows.
    """
    is_ordinary = _ORDINARY_CATEGORY.fullmatch(category) and not is_reserved(category)
    return f"browse/category/{category if is_ordinary else guarded_step(category)}"


def _kept(path: str) -> str:
    return "/".join(map(kept_step, path.split("/")))


def month_folder(month: str) -> str:
    """Give the folder of a month's listing; the month is spelled `2024-03`."""
    return f"browse/month/{month}"


def licence_folder(licence: str) -> str:
    """Give the folder of a licence's listing, by its address; empty for none stated."""
    return f"browse/licence/{distinct_slug(licence) if licence else 'none'}"


def status_folder(word: str) -> str:
    """Give the folder of a status: a verdict or a warning, both words of closed lists."""
    return f"browse/status/{word.replace(' ', '-')}"


def author_folder(name: str) -> str:
    """Give the folder of the records that name an author exactly so.

    The first step parts the folders: one for each of millions of names would be too many in one.
    """
    return f"browse/author/{digest_of(name)[:2]}/{distinct_slug(name)}"


def recent_folder() -> str:
    """Give the folder of the listing by time of receipt."""
    return "browse/recent"


def index_folder(kind: str) -> str:
    """Give the folder that lists the listings of a kind: years, categories, licences, authors."""
    return f"browse/{kind}"


def author_index_folder(prefix: str) -> str:
    """Give the folder of the authors whose sort keys begin alike (see `plan.author_sort_key`).

    Args:
        prefix: of `a-z`, digits and hyphens; empty for names that begin with none of these.

    Returns:
        The folder; longer prefixes stand below their first two characters, since millions of names
        have too many of them for one folder.
    """
    if not prefix:
        return "browse/author/other"
    above = f"by-{prefix[:2]}/" if len(prefix) > 2 else ""
    return f"browse/author/{above}by-{prefix}"


def search_shard(key: str) -> SitePath:
    """Give the file of the words whose codes begin with a key (see `search_words`)."""
    return f"search/w/w-{key}.js"


def search_table(prefix: str) -> SitePath:
    """Give the table of the shards whose keys begin alike."""
    return f"search/t/t-{prefix}.js"


def search_block(number: int) -> SitePath:
    """Give a block of records, numbered from the record received first."""
    return f"search/r/{number}.js"


def full_text_file(name: str) -> SitePath:
    """Give a file of Pagefind's, by its own name for it."""
    return f"pagefind/{name}"


def category_feed(category: str) -> SitePath:
    """Give the feed of a category."""
    return f"{category_folder(category)}/feed.atom"


def feed_archive(number: int) -> SitePath:
    """Give an archive page of the feed, numbered from the record received first."""
    return f"feed/{number}.atom"


def sitemap_part(name: str) -> SitePath:
    """Give a sitemap that the index names: at the root, since none may name a page above itself."""
    return f"sitemap-{name}.xml"


def sibling(path: SitePath, ending: str) -> SitePath:
    """Give the place of a compressed sibling, where servers look for it: beside the file."""
    return f"{path}.{ending}"


def is_site_path(path: str) -> bool:
    """Tell whether a text may be written below the site's folder at all: the last line of defence.

    Args:
        path: any text.

    Returns:
        True for relative ASCII paths without `.`, `..` or empty steps, of a length that every file
        system can hold.
    """
    return (
        len(path) <= _PATH_LENGTH
        and max(map(len, path.split("/"))) <= _STEP_LENGTH
        and _SAFE.fullmatch(path) is not None
        and not path.startswith("/")
        and not path.endswith("/")
        and "//" not in path
    )


def root_of(path: SitePath) -> str:
    """Give the way from a page to the root of the site, so that links work below any prefix.

    Args:
        path: the page's path.

    Returns:
        `""` at the root, else `../` as often as there are folders.
    """
    return "../" * path.count("/")


def address_of(path: SitePath, *, base_url: str, source: SitePath) -> str:
    """Give the address of a file for a document that may leave the site, such as a feed.

    Args:
        path: what is addressed.
        base_url: where the site is served, with trailing slash, or empty.
        source: the document's own path.

    Returns:
        The absolute address, in which a page is its folder, as `rel=canonical` has it; without a
        `base_url` the way from the document.
    """
    if not base_url:
        return root_of(source) + path
    folder, _, name = path.rpartition("/")
    if name != "index.html":
        return base_url + path
    return f"{base_url}{folder}/" if folder else base_url

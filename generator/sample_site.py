"""Sample site: the site of a few bundles, made in memory and measured, never written."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from generator import layout
from generator.build_state import open_database
from generator.catalogue import Catalogue
from generator.config import Configuration
from generator.documents import cited_by_lines
from generator.formats.bundle import shape_of
from generator.formats.checks import Verdict
from generator.formats.raw import RawBundle
from generator.full_text import NO_FULL_TEXT, make_full_text
from generator.ledger import LedgerRow
from generator.limits import DEFAULT_LIMITS
from generator.load import Place
from generator.manifest import manifest_lines
from generator.plan import STATUSES
from generator.precompress import require_codings, with_siblings
from generator.record_files import (
    LINKED_TEMPLATES,
    build_record,
    check_raw_bundle,
    link_record,
    report_served,
    verified_events,
)
from generator.render import SiteFile, SiteStream
from generator.site_files import site_files
from generator.site_frame import GENERATOR
from generator.site_materials import SiteMaterials, prepare_materials, site_inputs
from generator.verify import BundleReport

BLOCK_LENGTH = 4_096  # bytes that a file of one byte takes on most disks
_NO_DIGEST = "0" * 64
_IN_MEMORY = Path(":memory:")  # SQLite's name for no file
_SEPARATOR_LENGTH = len(",\n")


class Group(Enum):
    """Files that grow by one rule with the number of records."""

    RECORD = "files of records"
    LISTING = "listings"
    INDEX = "indexes of listings"
    FEED = "feeds"
    BLOCK = "search, rows"
    WORDS = "search, words"
    ROWS = "catalogues and reports"
    FRAGMENT = "full text, records"
    FULL_TEXT = "full text, index"
    FIXED = "everything else"
    MANIFEST = "manifest"


_LISTINGS = (
    r"browse/(?:year/\d{4}|month/\d{4}-\d\d|status/[a-z-]+|recent|author/[0-9a-f]{2}/[^/]+"
    r"|(?:category|licence)/(?!\d+/)[^/]+)(?:/\d+)?/index\.html"
)
_PATHS = (
    (
        Group.LISTING,
        _LISTINGS,
    ),
    (Group.INDEX, r"browse/[a-z]+/.*index\.html"),
    (Group.FEED, r".*\.atom"),
    (Group.BLOCK, r"search/r/.*"),
    (Group.WORDS, r"search/(?:w/.*|t/.*|index\.js)"),
    (Group.FRAGMENT, r"pagefind/.*\.pf_fragment"),
    (Group.FULL_TEXT, r"pagefind/.*"),
    (Group.ROWS, r"catalogue\..*|report\.json|report/.*|sitemap-records.*|oai-static\.xml"),
    (Group.RECORD, r"(?:pith|\.well-known/pith|api/pith-number|arxiv|doi|p)/.*"),
    (Group.FIXED, r".*"),
)
_RULES = tuple((group, re.compile(pattern)) for group, pattern in _PATHS)
# What a listing, a feed or an index repeats.
_ITEMS = {
    Group.LISTING: b'<a class="title"',
    Group.FEED: b"<entry>",
    Group.INDEX: b'<li><a href="',
}


@dataclass(slots=True)
class Size:
    """Some files: how many, their bytes, the same in whole blocks, and what a manifest has of them.

    `items` counts what they list; `squares` and `products` are sums over the files, of items
    squared and of items by length, from which the length of one item is told.
    """

    files: float = 0
    length: float = 0
    blocks: float = 0
    manifest: float = 0
    items: float = 0
    squares: float = 0
    products: float = 0

    def add(self, path: layout.SitePath, length: int, items: int) -> None:
        """Count a file."""
        self.files += 1
        self.length += length
        self.blocks += -(-length // BLOCK_LENGTH) * BLOCK_LENGTH
        self.manifest += _manifest_length(path, length)
        self.items += items
        self.squares += items * items
        self.products += items * length

    def frame_and_item(self) -> tuple[float, float]:
        """Tell the bytes of a file that lists nothing, and of an item, by least squares."""
        spread = self.files * self.squares - self.items * self.items
        if not spread:
            return 0.0, self.length / max(1.0, self.items)
        item = (self.files * self.products - self.items * self.length) / spread
        return max(0.0, (self.length - item * self.items) / self.files), max(0.0, item)


@dataclass(slots=True)
class SampleSite:
    """The measures of a sample: by group, of files and of their siblings by ending."""

    bundles: int = 0  # in the sample
    readable: int = 0  # different records that they are of
    records: int = 0  # published of these
    sizes: dict[Group, Size] = field(default_factory=lambda: defaultdict(Size))
    siblings: dict[tuple[Group, str], Size] = field(default_factory=lambda: defaultdict(Size))
    statuses: tuple[int, ...] = ()  # records of the sample in the listing of each status


def measure_sample(
    raws: Sequence[RawBundle],
    configuration: Configuration,
    templates: Sequence[Path],
    *,
    full_text: bool,
) -> SampleSite:
    """Make the site of a few bundles in memory and measure every file.

    Args:
        raws: the bundles; their whole site must fit into memory.
        configuration: the mirror's.
        templates: folders of templates, as for a build.
        full_text: whether to ask Pagefind, which a large site does not have.

    Returns:
        The measures.

    Raises:
        ConfigurationError: the configuration asks for what nothing here can make.
        RenderError: a template failed.
    """
    require_codings(configuration)
    materials = prepare_materials(templates, configuration)
    with closing(open_database(_IN_MEMORY)) as database:
        catalogue = Catalogue(database)
        shapes = filter(None, map(shape_of, raws))
        readable = len({shape.record.digest for shape in shapes})
        found = SampleSite(bundles=len(raws), readable=readable)
        for file in _record_files(raws, catalogue, materials):
            _measure(file, Group.RECORD, found, configuration)
        text = make_full_text(catalogue, configuration) if full_text else NO_FULL_TEXT
        for made in site_files(site_inputs(catalogue, materials, text)):
            data = b"".join(made.pieces) if isinstance(made, SiteStream) else made.data
            whole = SiteFile(made.path, data)
            _measure(whole, group_of(whole.path), found, configuration)
        found.records = catalogue.record_count()
        found.statuses = tuple(
            catalogue.listings.count(layout.status_folder(word)) for word in STATUSES
        )
    head = sum(map(len, manifest_lines((), generator=GENERATOR)))
    listed = sum(size.manifest for size in (*found.sizes.values(), *found.siblings.values()))
    found.sizes[Group.MANIFEST].add(layout.MANIFEST, round(head + listed), 0)
    return found


def group_of(path: layout.SitePath) -> Group:
    """Tell by which rule a file grows."""
    return next(group for group, rule in _RULES if rule.fullmatch(path))


def _record_files(
    raws: Iterable[RawBundle], catalogue: Catalogue, materials: SiteMaterials
) -> Iterator[SiteFile]:
    """Make the files of every record, each path once, as they are when all records are known."""
    configuration, renderer = materials.configuration, materials.renderer
    admitted: dict[str, list[BundleReport]] = defaultdict(list)
    for number, raw in enumerate(raws):
        report = check_raw_bundle(raw, configuration)
        is_admitted = report.verdict is not Verdict.REJECTED
        count = verified_events(report) if is_admitted else None
        catalogue.bundles.put(Place(b"", number), report, verified=count)
        if is_admitted and report.pith_number is not None:
            admitted[report.pith_number.suffix].append(report)
    served = {
        suffix: reports[0] if len(reports) == 1 else report_served(reports, configuration)
        for suffix, reports in admitted.items()
    }
    files: dict[layout.SitePath, SiteFile] = {}
    for report in served.values():
        unit = build_record(report, configuration=configuration, renderer=renderer)
        catalogue.add_record(unit)
        files.update((file.path, file) for file in unit.files)
    catalogue.citations.resolve()
    for suffix, _ in catalogue.citations.linked():
        links = catalogue.citations.links_of(suffix, limit=DEFAULT_LIMITS.shown_links_max_count)
        linked = link_record(
            served[suffix],
            links,
            LINKED_TEMPLATES,
            configuration=configuration,
            renderer=renderer,
        )
        files.update((file.path, file) for file in linked)
        if links.incoming_count:
            cited, incoming = catalogue.pith_number(suffix), catalogue.citations.cited_by(suffix)
            path = layout.record_file(suffix, "cited-by.json")
            files[path] = SiteFile(path, b"".join(cited_by_lines(cited, links, incoming)))
    return iter(files.values())


def _measure(file: SiteFile, group: Group, found: SampleSite, configuration: Configuration) -> None:
    items = file.data.count(mark) if (mark := _ITEMS.get(group)) else 0
    for part in with_siblings(file, configuration):
        size = found.sizes[group]
        if part is not file:
            size = found.siblings[group, part.path.rpartition(".")[2]]
        size.add(part.path, len(part.data), items)


def _manifest_length(path: layout.SitePath, length: int) -> int:
    row = LedgerRow(path, _NO_DIGEST, length, 0)
    return sum(map(len, manifest_lines((row,), generator=""))) - _EMPTY_MANIFEST


_EMPTY_MANIFEST = sum(map(len, manifest_lines((), generator=""))) - _SEPARATOR_LENGTH

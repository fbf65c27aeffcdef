"""The files of the site as a whole: listings, aliases, report, content, assets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice

from generator import __version__, layout
from generator.catalogue import Catalogue
from generator.config import Configuration
from generator.formats.checks import Verdict
from generator.formats.digest import sha256
from generator.formats.keys import TrustedKey
from generator.pages import (
    AliasPage,
    BrowsePage,
    Group,
    HomePage,
    ListedRecord,
    ListingPage,
    NotFoundPage,
    ReportPage,
    SiteFrame,
    TrustedKeyRow,
)
from generator.plan import plan_listing
from generator.record_files import badge_file
from generator.render import Renderer, SiteFile, SiteStream, json_file, render_markdown
from generator.resources import ABOUT, REGISTRY_MANIFEST, STYLESHEET, VERIFY, SiteResources
from generator.site_documents import (
    mirrors_json,
    read_registry_manifest,
    report_lines,
    signing_key_json,
)

GENERATOR = f"pith-mirror {__version__}"
HOME_RECORDS = 20
_CONTENT = (
    (layout.ABOUT, ABOUT, "About this mirror"),
    (layout.VERIFY, VERIFY, "Verify a record by hand"),
)


def stylesheet_path(resources: SiteResources) -> layout.SitePath:
    """Name the style sheet by its content, so that caches may keep it for ever.

    Args:
        resources: holding `site.css`.

    Returns:
        Its site path.
    """
    digest = sha256(resources.assets[STYLESHEET])
    return f"{layout.ASSETS}/site.{str(digest)[:16]}.css"


def site_frame(configuration: Configuration, resources: SiteResources) -> SiteFrame:
    """Say what every page shares.

    Args:
        configuration: the mirror's.
        resources: holding the style sheet.

    Returns:
        The frame.
    """
    upstream = next(iter(configuration.upstreams), None)
    return SiteFrame(
        title=configuration.title,
        operator=configuration.operator,
        base_url=configuration.base_url,
        registry_name=upstream.name if upstream else "",
        registry_url=upstream.base_url if upstream else "",
        keys=tuple(
            TrustedKeyRow(
                key_id=key.key_id,
                signer_id=key.signer_id,
                fingerprint=key.fingerprint,
                fingerprint_base32=key.fingerprint_base32,
                window=_window(key),
            )
            for key in configuration.trust.by_id.values()
        ),
        stylesheet=stylesheet_path(resources),
        generator=GENERATOR,
        example=configuration.example_registry,
    )


def _window(key: TrustedKey) -> str:
    ends = (("until", key.valid_until), ("revoked at", key.revoked_at))
    return " ".join(
        (f"from {key.valid_from}", *(f"{word} {moment}" for word, moment in ends if moment))
    )


def site_files(
    catalogue: Catalogue,
    configuration: Configuration,
    resources: SiteResources,
    renderer: Renderer,
) -> Iterator[SiteFile | SiteStream]:
    """Make every file that belongs to no single record.

    Args:
        catalogue: complete.
        configuration: the mirror's.
        resources: assets, schemas, content.
        renderer: the loaded templates.

    Returns:
        The files, streamed.

    Raises:
        RenderError: a template failed.
    """
    yield from _listings(catalogue, renderer)
    yield from _aliases(catalogue, renderer)
    yield from _report(catalogue, configuration, renderer)
    for suffix in catalogue.unpublished():
        yield badge_file(suffix, Verdict.REJECTED, renderer, example=configuration.example_registry)
    yield renderer.page("404.html", layout.NOT_FOUND, NotFoundPage())
    for path, name, title in _CONTENT:
        page = render_markdown(resources.content[name], name=name, title=title)
        yield renderer.page("content.html", path, page)
    registry = read_registry_manifest(resources.registry[REGISTRY_MANIFEST])
    yield json_file(
        layout.MIRRORS, mirrors_json(registry, configuration, newest=catalogue.newest_time())
    )
    yield json_file(layout.SIGNING_KEY, signing_key_json(configuration))
    for name, data in resources.schemas.items():
        yield SiteFile(layout.schema(name), data)
    for name, data in resources.assets.items():
        path = stylesheet_path(resources) if name == STYLESHEET else f"{layout.ASSETS}/{name}"
        yield SiteFile(path, data)
    yield SiteFile(layout.NO_JEKYLL, b"")


def _listings(catalogue: Catalogue, renderer: Renderer) -> Iterator[SiteFile]:
    years = tuple(
        Group(str(year), layout.listing_page(layout.year_folder(year), None), count)
        for year, count in catalogue.years()
    )
    categories = tuple(
        Group(name, layout.listing_page(layout.category_folder(name), None), count)
        for name, count in catalogue.categories()
    )
    home = HomePage(
        total=catalogue.record_count(),
        counts=catalogue.counts(),
        newest=catalogue.newest(HOME_RECORDS),
        years=years,
    )
    yield renderer.page("home.html", layout.HOME, home)
    yield renderer.page("browse.html", layout.BROWSE, BrowsePage(years, categories))
    for year, count in catalogue.years():
        intro = "Records by the year in which the first version was submitted."
        yield from _listing(
            renderer,
            layout.year_folder(year),
            (str(year), intro),
            records=catalogue.of_year(year),
            total=count,
        )
    for name, count in catalogue.categories():
        intro = "Records with this arXiv category, primary or cross-listed."
        yield from _listing(
            renderer,
            layout.category_folder(name),
            (name, intro),
            records=catalogue.of_category(name),
            total=count,
        )


def _listing(
    renderer: Renderer,
    folder: str,
    words: tuple[str, str],
    *,
    records: Iterator[ListedRecord],
    total: int,
) -> Iterator[SiteFile]:
    heading, intro = words
    for part in plan_listing(folder, total):
        shown = tuple(islice(records, part.length))
        page = ListingPage(heading, intro, shown[::-1], total, part.links)
        yield renderer.page("listing.html", part.path, page)


def _aliases(catalogue: Catalogue, renderer: Renderer) -> Iterator[SiteFile]:
    for (path, kind, value), rows in groupby(catalogue.aliases(), key=lambda row: row[:3]):
        page = AliasPage(kind, value, tuple(row[3] for row in rows))
        yield renderer.page("alias.html", path, page)


def _report(
    catalogue: Catalogue, configuration: Configuration, renderer: Renderer
) -> Iterator[SiteFile | SiteStream]:
    entries = catalogue.faulty_reports()
    total = catalogue.faulty_count()
    folder = layout.REPORT_PAGE.removesuffix("/index.html")
    for part in plan_listing(folder, total):
        shown = tuple(islice(entries, part.length))
        page = ReportPage(catalogue.counts(), shown[::-1], total, part.links)
        yield renderer.page("report.html", part.path, page)
    lines = report_lines(catalogue, configuration, generator=GENERATOR)
    yield SiteStream(layout.REPORT, lines)

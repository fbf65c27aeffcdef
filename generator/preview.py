"""Preview images: what chats and social networks show beside a link to a page. PNG, 1200 x 630.

Pillow draws them where it is installed (`pith-mirror[preview]`); otherwise the site has the picture
that ships with the package, which names no title. They are named by their absolute addresses (The
Open Graph protocol), so a site without `base_url` has none.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec

from generator import layout
from generator.citation_export import shown_title
from generator.config import Configuration, PreviewImages
from generator.errors import ConfigurationError
from generator.facts import KnownRecord
from generator.metadata import RECORD_PREVIEW
from generator.render import SiteFile
from generator.resources import SiteResources, templates_folder

PREVIEW = "preview.png"  # among the assets


def with_preview(resources: SiteResources, configuration: Configuration) -> SiteResources:
    """Put the site's preview image among its assets, or take it away.

    Args:
        resources: as read; an operator's own `assets/preview.png` stays as it is.
        configuration: says whether there is to be one.

    Returns:
        The resources.

    Raises:
        ConfigurationError: pictures of records are asked for and Pillow is not installed.
    """
    wanted = configuration.presentation.preview_images
    drawn, assets = find_spec("PIL") is not None, dict(resources.assets)
    if wanted is PreviewImages.RECORDS and not drawn:
        raise ConfigurationError(
            "mirror.toml: build.preview_images",
            expected="Pillow, which draws a picture for each record",
            found="no such package",
            hint='install "pith-mirror[preview]", or say "site"',
        )
    if wanted is PreviewImages.NONE or not configuration.base_url:
        assets.pop(PREVIEW, None)
    elif drawn and assets.get(PREVIEW) == _shipped():
        # Imported here, since a mirror need not have Pillow.
        from generator.preview_drawing import draw_preview  # noqa: PLC0415

        host = configuration.base_url.partition("://")[2].rstrip("/")
        assets[PREVIEW] = draw_preview(configuration.title, foot=host)
    return replace(resources, assets=assets)


def record_preview(known: KnownRecord, configuration: Configuration) -> tuple[SiteFile, ...]:
    """Draw the preview image of a record, if the mirror wants them.

    Args:
        known: what is known of the record; only a proven title is drawn, and only one that the font
            has the letters for. Otherwise the Pith Number stands in its place.
        configuration: says whether there is to be one.

    Returns:
        The file, or nothing. Its words are English, since the font has little beyond ASCII.
    """
    wanted = configuration.presentation.preview_images is PreviewImages.RECORDS
    if not wanted or not configuration.base_url:
        return ()
    from generator.preview_drawing import draw_preview, is_drawable  # noqa: PLC0415

    title, number = shown_title(known), str(known.state.pith_number)
    first = ("an example record",) if configuration.example_registry else ()
    foot = ", ".join((number, *first, *known.warnings))
    data = draw_preview(title if title and is_drawable(title) else number, foot=foot)
    return (SiteFile(layout.record_file(known.suffix, RECORD_PREVIEW), data),)


@lru_cache(maxsize=1)
def _shipped() -> bytes:
    path = templates_folder() / "assets" / PREVIEW
    return path.read_bytes() if path.is_file() else b""

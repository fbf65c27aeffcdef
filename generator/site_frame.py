"""What every page shares: words, keys, and assets under the names of their content."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from generator import __version__, layout
from generator.config import Canonical, Configuration, Profile
from generator.content import read_pages
from generator.formats.keys import TrustedKey
from generator.language import Language, read_language
from generator.messages import message
from generator.pages import Asset, ContentPage, Link, SiteFrame, TrustedKeyRow
from generator.render import SiteFile
from generator.resources import SiteResources, read_resources
from generator.verify_words import WORDS_SCRIPT, words_script

GENERATOR = f"pith-mirror {__version__}"


def publish_assets(assets: Mapping[str, bytes]) -> dict[str, Asset]:
    """Name assets by their content, so that caches may keep each for ever.

    Args:
        assets: bytes by name, such as `site.css`.

    Returns:
        Path and digest by name. The digest is spelled as in an `integrity` attribute (Subresource
        Integrity, 3.1).
    """
    found = {}
    for name, data in assets.items():
        digest = sha256(data)
        stem, _, ending = name.rpartition(".")
        found[name] = Asset(
            path=f"{layout.ASSETS}/{stem}.{digest.hexdigest()[:16]}.{ending}",
            integrity=f"sha256-{base64.b64encode(digest.digest()).decode()}",
        )
    return found


def asset_files(resources: SiteResources) -> Iterator[SiteFile]:
    """Give the assets, and the files that stand at the site's root under their own names.

    Args:
        resources: holding both.

    Returns:
        The files, by name.
    """
    published = publish_assets(resources.assets)
    for name, data in resources.assets.items():
        yield SiteFile(published[name].path, data)
    for name, data in resources.root.items():
        yield SiteFile(name, data)


def prepare_resources(folders: Sequence[Path], configuration: Configuration) -> SiteResources:
    """Read what the folders of templates hold, and add what depends on the language.

    Args:
        folders: of templates; a file in an earlier one replaces that of a later one.
        configuration: names the language.

    Returns:
        The resources, with the words of the scripts as one more asset.

    Raises:
        InputError: a file cannot be read, or there is no catalogue of the language.
    """
    resources = read_resources(folders)
    words = {WORDS_SCRIPT: words_script(site_language(configuration, resources))}
    return replace(resources, assets=dict(sorted({**resources.assets, **words}.items())))


def site_language(configuration: Configuration, resources: SiteResources) -> Language:
    """Read the catalogue of the language that the pages speak.

    Args:
        configuration: names the language.
        resources: holding the catalogues.

    Returns:
        The language.

    Raises:
        InputError: there is no catalogue of it, or it cannot be read.
    """
    code = configuration.presentation.language
    return read_language(code, resources.languages.get(f"{code}.po"))


def site_content(
    configuration: Configuration, resources: SiteResources
) -> dict[layout.SitePath, ContentPage]:
    """Render the operator's pages.

    Args:
        configuration: names the language, and says whether HTML in Markdown counts.
        resources: holding the Markdown and the assets.

    Returns:
        The pages by their paths.

    Raises:
        RenderError: one cannot be rendered.
    """
    return read_pages(
        resources.content,
        configuration.presentation.language,
        assets=publish_assets(resources.assets),
        raw_html=configuration.presentation.raw_html,
    )


def site_frame(
    configuration: Configuration,
    resources: SiteResources,
    content: Mapping[layout.SitePath, ContentPage] = MappingProxyType({}),
) -> SiteFrame:
    """Say what every page shares.

    Args:
        configuration: the mirror's.
        resources: holding the assets.
        content: the operator's pages; those that say so stand in the menu of every page.

    Returns:
        The frame.
    """
    upstream = next(iter(configuration.upstreams), None)
    presentation = configuration.presentation
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
        generator=GENERATOR,
        example=configuration.example_registry,
        assets=publish_assets(resources.assets),
        integrity=presentation.integrity,
        defers_to_registry=presentation.canonical is Canonical.REGISTRY,
        full_text_search=presentation.has_full_text,
        compact=presentation.profile is Profile.COMPACT,
        menu=tuple(Link(page.menu, path) for path, page in content.items() if page.menu),
    )


def _window(key: TrustedKey) -> str:
    window = message("from {moment}", moment=key.valid_from)
    if key.valid_until:
        window = message("{window} until {moment}", window=window, moment=key.valid_until)
    if key.revoked_at:
        window = message("{window} revoked at {moment}", window=window, moment=key.revoked_at)
    return window

"""Site materials: all that a site is made from beside its bundles, read and ready for use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator import layout
from generator.catalogue import Catalogue
from generator.config import Configuration
from generator.full_text import FullText
from generator.pages import ContentPage, SiteFrame
from generator.preview import with_preview
from generator.render import Renderer
from generator.resources import SiteResources
from generator.site_frame import prepare_resources, site_content, site_frame, site_language
from generator.site_inputs import SiteInputs


@dataclass(frozen=True, slots=True)
class SiteMaterials:
    """The operator's choices, and the files and templates behind every page."""

    configuration: Configuration
    resources: SiteResources
    content: Mapping[layout.SitePath, ContentPage]  # the operator's pages
    frame: SiteFrame  # what every page shares
    renderer: Renderer


def site_inputs(catalogue: Catalogue, materials: SiteMaterials, full_text: FullText) -> SiteInputs:
    """Put together what the files of the whole site are made from."""
    return SiteInputs(
        catalogue,
        materials.configuration,
        materials.resources,
        materials.renderer,
        materials.content,
        full_text,
    )


def prepare_materials(folders: Sequence[Path], configuration: Configuration) -> SiteMaterials:
    """Read templates, assets and content pages.

    Args:
        folders: of templates; a file in an earlier one replaces that of a later one.
        configuration: the mirror's.

    Returns:
        The materials.

    Raises:
        ConfigurationError: preview images of records are asked for, and nothing can draw them.
        InputError: a file cannot be read, or there is no catalogue of the language.
        RenderError: a content page cannot be rendered.
    """
    resources = with_preview(prepare_resources(folders, configuration), configuration)
    content = site_content(configuration, resources)
    frame = site_frame(configuration, resources, content)
    language = site_language(configuration, resources)
    renderer = Renderer(folders, frame, language=language)
    return SiteMaterials(configuration, resources, content, frame, renderer)

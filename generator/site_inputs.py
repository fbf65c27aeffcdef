"""What the files of the site as a whole are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generator import layout
from generator.catalogue import Catalogue
from generator.config import Configuration
from generator.full_text import NO_FULL_TEXT, FullText
from generator.pages import ContentPage
from generator.render import Renderer
from generator.resources import SiteResources


@dataclass(frozen=True, slots=True)
class SiteInputs:
    """A complete catalogue, and everything beside it that a page of the whole site depends on."""

    catalogue: Catalogue
    configuration: Configuration
    resources: SiteResources
    renderer: Renderer
    content: Mapping[layout.SitePath, ContentPage]  # the operator's pages
    full_text: FullText = NO_FULL_TEXT

"""`/verify/`: the drop zone that checks and merges bundles in the browser, then the way by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generator import layout
from generator.browser_trust import browser_trust
from generator.config import Configuration
from generator.formats.canonical import JsonObject, JsonValue
from generator.limits import DEFAULT_LIMITS
from generator.messages import message
from generator.pages import ContentPage
from generator.render import PlannedPage, Renderer
from generator.verify_words import drop_words


@dataclass(frozen=True, slots=True)
class VerifyPage:
    """What `verify.html` says.

    `content` is the operator's text below the drop zone, `trust` what the scripts check against.
    """

    content: ContentPage
    words: Mapping[str, JsonValue]
    trust: JsonObject
    united_max_length: int


def verify_page(
    content: ContentPage, configuration: Configuration, renderer: Renderer
) -> PlannedPage:
    """Make the verification page.

    Args:
        content: the text of `content/verify.md`.
        configuration: gives the keys and the policy that the browser applies.
        renderer: the loaded templates.

    Returns:
        The page.

    Raises:
        RenderError: the template failed.
    """
    page = VerifyPage(
        content=content,
        words={**drop_words(), "broken": message("The check stopped: {reason}")},
        trust=browser_trust(configuration),
        united_max_length=DEFAULT_LIMITS.united_max_length,
    )
    return renderer.later("verify.html", layout.VERIFY, page)

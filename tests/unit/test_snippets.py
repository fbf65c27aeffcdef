"""snippets.py: text to copy, built from checked values."""

from __future__ import annotations

import html.parser
import shlex

from generator import layout
from generator.snippets import badge_snippets, latex_snippet, verify_command

SUFFIX = "ABCDEFGHIJKLMNOPQRSTUVWX23"
NUMBER = f"pith:2023:{SUFFIX}"
BASE = "https://mirror.example/sub/"
PAGE = f"{BASE}pith/{SUFFIX}/"
IMAGE = f"{PAGE}badge.svg"


class _Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag with its attributes."""
        self.found.append((tag, attrs))


def test_verify_command_fetches_the_resolver_record() -> None:
    """The command is one pipeline of curl on this mirror's file and python3, then the digest."""
    command = verify_command(layout.resolver(SUFFIX), "ab" * 32, base_url=BASE)
    words = shlex.split(command.replace("\\\n", ""), comments=True)
    assert words[:3] == ["curl", "-s", f"{BASE}pith/{SUFFIX}.json"]
    assert words[3:6] == ["|", "python3", "-c"]
    assert len(words) == 7
    assert command.endswith(f"# expect: {'ab' * 32}")


def test_verify_command_needs_no_configured_address() -> None:
    """Without a base URL the command still is one that a reader can complete or run locally."""
    command = verify_command(layout.resolver(SUFFIX), "ab" * 32, base_url="")
    assert f"pith/{SUFFIX}.json" in command
    assert shlex.split(command.replace("\\\n", ""), comments=True)[2].startswith("http")


def test_latex_snippet_is_the_registrys() -> None:
    """The LaTeX lines are those of the registry's own page."""
    assert latex_snippet(SUFFIX).code == f"\\usepackage{{pith}}\n\\pithnumber{{{SUFFIX}}}"


def test_badge_is_embedded_in_four_markups() -> None:
    """Markdown, HTML, reStructuredText and LaTeX, in this order, all link badge and page."""
    snippets = badge_snippets(SUFFIX, NUMBER, base_url=BASE)
    assert [s.label for s in snippets] == ["Markdown", "HTML", "reStructuredText", "LaTeX"]
    assert all(PAGE in snippet.code and NUMBER in snippet.code for snippet in snippets)
    markdown, markup, rst, latex = (snippet.code for snippet in snippets)
    assert markdown == f"[![{NUMBER}]({IMAGE})]({PAGE})"
    assert rst.splitlines() == [f".. image:: {IMAGE}", f"   :target: {PAGE}", f"   :alt: {NUMBER}"]
    assert latex.startswith(f"\\href{{{PAGE}}}")
    tags = _Tags()
    tags.feed(markup)
    assert tags.found == [("a", [("href", PAGE)]), ("img", [("src", IMAGE), ("alt", NUMBER)])]

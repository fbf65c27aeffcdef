"""site_robots.py: what robots and language models are told."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from urllib.robotparser import RobotFileParser

import pytest

from generator.site_robots import llms_txt, robots_files, robots_txt
from tests.factories import TEST_MIRROR
from tests.machine_inputs import BASE_URL, MIRROR, REGISTRY, files_of, units


def rules_of(text: str) -> RobotFileParser:
    """Read robots.txt with the standard library."""
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    return parser


def test_robots_may_read_everything_and_find_the_sitemap() -> None:
    """Every path is allowed, and the sitemap is named by its whole address."""
    rules = rules_of(robots_txt(MIRROR))
    assert rules.can_fetch("anybot", f"{BASE_URL}pith/X/bundle.json")
    assert rules.site_maps() == [f"{BASE_URL}sitemap.xml"]


def test_robots_txt_without_an_address_names_no_sitemap() -> None:
    """Where there is no sitemap, none is named."""
    rules = rules_of(robots_txt(TEST_MIRROR))
    assert rules.can_fetch("anybot", "/index.html")
    assert rules.site_maps() is None


def test_robots_read_no_example_registry() -> None:
    """Invented records are kept from search engines."""
    rules = rules_of(robots_txt(replace(MIRROR, example_registry=True)))
    assert not rules.can_fetch("anybot", f"{BASE_URL}index.html")
    assert rules.site_maps() is None


@pytest.mark.parametrize("base_url", ["", BASE_URL])
def test_llms_txt_has_the_form_of_llmstxt_org(base_url: str) -> None:
    """One title, one quoted summary, notes, then sections that are lists of links."""
    configuration = replace(MIRROR, base_url=base_url, upstreams=(REGISTRY,))
    text = llms_txt(configuration, records=1_234, has_parquet=True)
    lines = text.splitlines()
    assert lines[0] == f"# {MIRROR.title}"
    assert lines[2].startswith("> ")
    assert "1,234 records. The registry is [registry.example]" in text
    head, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    assert [section.splitlines()[0] for section in sections] == [
        "All records",
        "Formats and trust",
        "Optional",
    ]
    assert "# " not in head[2:]
    for section in sections:
        for line in filter(None, section.splitlines()[1:]):
            match = re.fullmatch(r"- \[[^\]]+\]\(([^)\s]+)\): .+", line)
            assert match is not None, line
            assert match[1].startswith(base_url)
            assert ("://" in match[1]) == bool(base_url)


def test_llms_txt_is_honest_about_examples_and_parquet() -> None:
    """An example registry says so first; the Parquet file is named only where it is."""
    example = llms_txt(replace(MIRROR, example_registry=True), records=0, has_parquet=False)
    assert "Every record here is an invented example" in example
    assert "0 records." in example
    assert "catalogue.parquet" not in example
    assert "invented" not in llms_txt(MIRROR, records=1, has_parquet=True)


def test_title_cannot_make_markup() -> None:
    """A title with Markdown in it stays a title."""
    text = llms_txt(replace(MIRROR, title="[x](y) # <b>"), records=1, has_parquet=False)
    assert text.splitlines()[0] == r"# \[x\](y) \# \<b\>"


def test_both_files_are_made(tmp_path: Path) -> None:
    """Each site has robots.txt and llms.txt, which counts the records."""
    files = files_of(lambda inputs: robots_files(inputs, has_parquet=True), tmp_path, units(2))
    assert list(files) == ["robots.txt", "llms.txt"]
    assert b"2 records." in files["llms.txt"]
    assert b"catalogue.parquet" in files["llms.txt"]

"""slugs.py: any text, however hostile, as a short and safe step of a path."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import layout
from generator.slugs import digest_of, distinct_slug, slug_of

HOSTILE = (
    "",
    ".",
    "..",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "CON",
    "nul",
    "NUL.txt",
    "a\x00b",
    "\u202egnp.exe",
    "x" * 10_000,
    "\u00df" * 10_000,
    "\ufdfa" * 10_000,  # one character that Unicode takes apart into eighteen
    "李明",
    "é",
    "e\u0301",
    "İ",
)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Jonathan Washburn", "jonathan-washburn"),
        ("Zoë Ørsted-Éxample", "zoe-orsted-example"),
        ("Łukasz Groß", "lukasz-gross"),
        ("A. B. O'Neil, Jr.", "a-b-o-neil-jr"),
        ("İbrahim", "ibrahim"),
        ("李明", ""),
        ("--", ""),
    ],
)
def test_slug_folds_to_ascii(text: str, slug: str) -> None:
    """Accents are dropped, letters without parts are spelled out, the rest is hyphens."""
    assert slug_of(text) == slug


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_name_gives_a_safe_path(name: str) -> None:
    """Whatever a name holds, its folder is a bounded path of the site that Windows can hold too."""
    path = layout.listing_page(layout.author_folder(name), None)
    assert layout.is_site_path(path)
    step = path.split("/")[3]
    assert re.fullmatch(r"([a-z0-9]+(-[a-z0-9]+)*-)?[0-9a-f]{8}", step)
    assert len(step) <= 69
    assert path.split("/")[2] == step[-8:][:2]


@given(st.text())
def test_every_text_gives_a_safe_path(text: str) -> None:
    """No text at all leads out of the site."""
    assert layout.is_site_path(layout.author_folder(text))
    assert layout.is_site_path(layout.licence_folder(text))
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*|", slug_of(text))


@given(st.text(), st.text())
def test_texts_that_differ_have_steps_that_differ(one: str, other: str) -> None:
    """The digest tells texts apart that fold to one slug."""
    assert (distinct_slug(one) == distinct_slug(other)) == (one == other)


def test_names_that_fold_alike_are_two_authors() -> None:
    """A spelling is an author: with and without an accent, and composed or not, are different."""
    names = ("Zoe Example", "Zoë Example", "Zoe\u0308 Example", "zoe example")
    assert len({layout.author_folder(name) for name in names}) == len(names)
    assert len({slug_of(name) for name in names}) == 1


def test_digest_is_that_of_the_exact_text() -> None:
    """The eight digits begin the SHA-256 of the text in UTF-8, so that anyone can find a page."""
    assert digest_of("abc") == "ba7816bf"
    assert layout.author_folder("abc") == "browse/author/ba/abc-ba7816bf"

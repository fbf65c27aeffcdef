"""Pith Numbers, arXiv ids and aliases."""

from __future__ import annotations

import pytest

from generator.errors import FormatError
from generator.formats.canonical import JsonValue
from generator.formats.digest import parse_digest
from generator.formats.identifiers import (
    PithNumber,
    derive_aliases,
    derive_suffix,
    is_arxiv_id,
    is_suffix,
    parse_pith_number,
)

SUFFIX = "LE7CUDAUBRLBUYN7JFJN4ODXCY"
DIGEST = "593e2a0c140c561a61bf4952de387716050960d63d3a08b0d0fee69ac57a5aea"


def test_suffix_is_that_of_the_real_record() -> None:
    """The digest of a real record gives its real suffix (part 1)."""
    assert derive_suffix(parse_digest(DIGEST, subject="digest")) == SUFFIX


def test_aliases_of_an_old_id_keep_its_slash() -> None:
    """The six aliases stand in the registry's order, the old-style id as it is (part 4)."""
    aliases = derive_aliases(source_id="hep-th/9110034", version=3, suffix=SUFFIX)
    assert [(alias.kind, alias.value) for alias in aliases] == [
        ("arxiv", "hep-th/9110034"),
        ("arxiv_version", "hep-th/9110034v3"),
        ("doi", "10.48550/arxiv.hep-th/9110034"),
        ("pith_short_12", "LE7CUDAUBRLB"),
        ("pith_short_16", "LE7CUDAUBRLBUYN7"),
        ("pith_short_8", "LE7CUDAU"),
    ]


@pytest.mark.parametrize(
    "text",
    ["1907.05245", "0912.2820", "hep-th/9110034", "math/9707204", "cs/0701031", "math.GT/0309136"],
)
def test_both_forms_of_arxiv_ids_are_known(text: str) -> None:
    """New ids of four and five digits and old ids with a slash are arXiv ids."""
    assert is_arxiv_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "1907.05245v1", "1907.052456", "1907.052", "hep-th/911003", "HEP-TH/9110034",
        "../9110034", "hep-th/9110034/..", "hep-th//9110034", "1907.05245\n", "1907.05245/",
        "-th/9110034",        "\u0661907.05245", "math.gt/0309136", "https://arxiv.org/abs/1907.05245",
    ],
)  # fmt: skip
def test_nothing_else_is_an_arxiv_id(text: str) -> None:
    """What could be a path or a link of another kind is not an arXiv id."""
    assert not is_arxiv_id(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SUFFIX, True),
        (SUFFIX.lower(), False),
        (SUFFIX[:-1], False),
        (f"{SUFFIX}A", False),
        (f"{SUFFIX[:-1]}1", False),
        (f"{SUFFIX}\n", False),
        ("", False),
    ],
)
def test_suffix_has_26_characters_of_base32(text: str, *, expected: bool) -> None:
    """Only 26 characters of A to Z and 2 to 7 are a suffix."""
    assert is_suffix(text) is expected


def test_pith_number_is_read_and_written() -> None:
    """A Pith Number has a year, a suffix, a full and a short form."""
    number = parse_pith_number(f"pith:2013:{SUFFIX}", subject="pith_number")
    assert number == PithNumber(2013, SUFFIX)
    assert (str(number), number.short) == (f"pith:2013:{SUFFIX}", "pith:LE7CUDAU")
    assert str(PithNumber(991, SUFFIX)) == f"pith:0991:{SUFFIX}"


@pytest.mark.parametrize(
    "value",
    [
        None, 2013, [], f"pith:{SUFFIX}", f"pith:13:{SUFFIX}", f"PITH:2013:{SUFFIX}",
        f"pith:2013:{SUFFIX.lower()}", f"pith:2013:{SUFFIX}\n", f" pith:2013:{SUFFIX}",
        f"pith:2013:{SUFFIX[:-1]}", f"pith:2013:{SUFFIX}/..",
    ],
)  # fmt: skip
def test_what_is_no_pith_number_is_refused(value: JsonValue) -> None:
    """Anything but `pith:<YYYY>:<suffix>` is an error that says so."""
    with pytest.raises(FormatError, match="expected pith:<YYYY>:<suffix>"):
        parse_pith_number(value, subject="pith_number")


@pytest.mark.parametrize(
    "value", [None, 1, DIGEST.upper(), DIGEST[:-1], f"{DIGEST}\n", f"0x{DIGEST}"]
)
def test_digest_has_one_spelling(value: JsonValue) -> None:
    """A digest is 64 lower-case hex digits and nothing else."""
    with pytest.raises(FormatError, match="64 lower-case hex digits"):
        parse_digest(value, subject="digest")

"""Laws of base64, digests, identifiers and canonical text: one value, one spelling."""

from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import FormatError
from generator.formats.digest import Digest, parse_digest, sha256
from generator.formats.identifiers import (
    PithNumber,
    derive_aliases,
    derive_suffix,
    is_arxiv_id,
    is_suffix,
    parse_pith_number,
)
from generator.formats.keys import parse_base64
from generator.formats.text import canonical_text, text_digest

BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SIGNATURES = st.binary(min_size=64, max_size=64)
DIGESTS = st.binary(min_size=32, max_size=32).map(Digest)
NEW_IDS = st.from_regex(re.compile(r"[0-9]{4}\.[0-9]{4,5}", re.ASCII), fullmatch=True)
ARCHIVES = st.sampled_from(["hep-th", "math.GT", "cs"])
OLD_IDS = st.builds("{}/{:07}".format, ARCHIVES, st.integers(0, 9_999_999))
STRAY = st.sampled_from([" ", "\n", "\t", "=", "-", "_", "\u00e9", "\0", "A"])


@given(SIGNATURES)
def test_base64_gives_back_the_bytes(raw: bytes) -> None:
    """The canonical base64 of 64 bytes is read as these bytes."""
    text = base64.b64encode(raw).decode()
    assert parse_base64(text, subject="x", length=64) == raw


@given(SIGNATURES, st.integers(0, 88), STRAY)
def test_base64_with_one_more_character_is_refused(raw: bytes, place: int, char: str) -> None:
    """No character can be added anywhere to the base64 of 64 bytes."""
    text = base64.b64encode(raw).decode()
    with pytest.raises(FormatError):
        parse_base64(text[:place] + char + text[place:], subject="x", length=64)


@given(SIGNATURES, st.integers(1, 15))
def test_spare_bits_are_refused(raw: bytes, spare: int) -> None:
    """The four bits of base64 that belong to no byte are zero."""
    text = base64.b64encode(raw).decode()
    last = BASE64[BASE64.index(text[85]) | spare]
    with pytest.raises(FormatError, match="spare bits"):
        parse_base64(f"{text[:85]}{last}==", subject="x", length=64)


@given(st.text(BASE64 + "=-_ \n", max_size=92))
def test_any_text_is_the_base64_of_its_bytes_or_refused(text: str) -> None:
    """What is read as base64 is written again as the same text."""
    try:
        raw = parse_base64(text, subject="x", length=3)
    except FormatError:
        return
    assert base64.b64encode(raw).decode() == text


@given(DIGESTS)
def test_digest_is_read_as_written(digest: Digest) -> None:
    """A digest is written as 64 hex digits and read as itself; in capitals it is refused."""
    assert parse_digest(str(digest), subject="x") == digest
    if str(digest) != str(digest).upper():
        with pytest.raises(FormatError):
            parse_digest(str(digest).upper(), subject="x")


@given(DIGESTS, st.integers(0, 9999))
def test_pith_number_is_read_as_written(digest: Digest, year: int) -> None:
    """Every derived suffix is one, and a Pith Number is read as it is written."""
    suffix = derive_suffix(digest)
    number = PithNumber(year, suffix)
    assert is_suffix(suffix)
    assert parse_pith_number(str(number), subject="x") == number
    assert number.short == f"pith:{suffix[:8]}"


@given(DIGESTS)
def test_suffix_holds_the_first_130_bits(digest: Digest) -> None:
    """The suffix decodes to the first 130 bits of the digest."""
    decoded = base64.b32decode(derive_suffix(digest) + "A" * 6)
    assert decoded[:16] == digest.raw[:16]
    assert decoded[16] == digest.raw[16] & 0xC0


@given(NEW_IDS | OLD_IDS, st.integers(1, 99), DIGESTS)
def test_aliases_follow_from_id_version_and_suffix(name: str, version: int, digest: Digest) -> None:
    """An arXiv id gives six aliases of different kinds, each built from it or from the suffix."""
    suffix = derive_suffix(digest)
    aliases = derive_aliases(source_id=name, version=version, suffix=suffix)
    assert is_arxiv_id(name)
    assert len({alias.kind for alias in aliases}) == 6
    outer = [alias.value for alias in aliases[:3]]
    assert outer == [name, f"{name}v{version}", f"10.48550/arxiv.{name}"]
    assert all(suffix.startswith(alias.value) for alias in aliases[3:])


@given(st.text(max_size=40))
def test_arxiv_id_is_safe_in_a_path(text: str) -> None:
    """Whatever is an arXiv id has no dots in a row, no leading or trailing slash, only ASCII."""
    if is_arxiv_id(text):
        assert text.isascii()
        assert ".." not in text
        assert text.strip("/") == text


SPACES = st.text(" \t\r\n\u00a0\u2003", min_size=1, max_size=3)
WORDS = st.lists(st.text("aBcÉß$\\{}-\u0130", min_size=1, max_size=6), max_size=6)


@given(WORDS, SPACES, SPACES)
def test_white_space_between_words_changes_nothing(words: list[str], one: str, other: str) -> None:
    """Two texts of the same words have one digest, whatever stands between and around them."""
    assert text_digest(one.join(words)) == text_digest(other + other.join(words) + one)


@given(st.text("abc XYZ$\\'\"", max_size=30))
def test_letter_case_of_ascii_changes_nothing(text: str) -> None:
    """A text in capitals has the digest of the text in lower case."""
    assert text_digest(text.upper()) == text_digest(text.lower()) == text_digest(text)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_canonical_text_is_stable(text: str) -> None:
    """Folding a text twice is folding it once, and its digest is that of its UTF-8."""
    folded = canonical_text(text)
    assert canonical_text(folded) == folded
    assert text_digest(text) == sha256(folded.encode())

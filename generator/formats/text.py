"""Canonical text: what the title and abstract digests are taken over (protocol part 1)."""

from __future__ import annotations

from generator.formats.digest import Digest, sha256


def canonical_text(text: str) -> str:
    """Fold white space and letter case as the registry does.

    TeX is kept as written. Every text found so far is ASCII, so the registry's Unicode normal form
    is not known; none is applied here.

    Args:
        text: a title or a whole abstract.

    Returns:
        The words joined by single spaces, in lower case.
    """
    return " ".join(text.split()).lower()


def text_digest(text: str) -> Digest:
    """Digest a title or a whole abstract.

    Args:
        text: as written in the snapshot.

    Returns:
        SHA-256 of its canonical text in UTF-8.
    """
    return sha256(canonical_text(text).encode())

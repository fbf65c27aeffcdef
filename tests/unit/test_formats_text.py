"""Canonical text: white space and letter case are folded, nothing else."""

from __future__ import annotations

import pytest

from generator.formats.text import canonical_text, text_digest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  A  Title\n", "a title"),
        ('Schr\\"odinger and $SL_2$', 'schr\\"odinger and $sl_2$'),
        ("A\u00a0B\u2003C", "a b c"),
        ("\u00c9COLE e\u0301cole", "\u00e9cole e\u0301cole"),
        ("Straße", "straße"),
        ("", ""),
        (" \t\r\n", ""),
        ("a\u200bb", "a\u200bb"),
    ],
)
def test_text_is_folded_as_in_part_1(text: str, expected: str) -> None:
    """Runs of white space become one space, letters lower case, all else stays as written."""
    assert canonical_text(text) == expected


def test_digest_is_that_of_a_real_title() -> None:
    """A real title has the digest of its real record."""
    title = "Bekenstein-Hawking Entropy as\n  Topological Entanglement Entropy"
    expected = "1efecde86ce0ceeaa47f1473553a1f25aad5be4be52bdfab2d41b64985161cfe"
    assert str(text_digest(title)) == expected

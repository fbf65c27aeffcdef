"""Authors: one text in a snapshot, cut into names. Nothing signed says where a name ends."""

from __future__ import annotations

import re
from functools import lru_cache

from generator.display import shown_text
from generator.limits import DEFAULT_LIMITS

# The registry joins the names of a paper by ", " (seen in every snapshot of the corpus); older
# texts say " and " before the last.
_BETWEEN = re.compile(r",\s+(?:and\s+)?|\s+and\s+|;\s+")


def split_authors(text: str) -> tuple[str, ...]:
    """Cut the text of a snapshot into the names of authors.

    Args:
        text: as received, with TeX.

    Returns:
        The names in order, decoded and made visible, as many as a list may hold; none twice.
    """
    return _split(shown_text(text, limit=DEFAULT_LIMITS.shown_authors_max_length))


# Half a dozen files of a record name its authors.
@lru_cache(maxsize=16)
def _split(shown: str) -> tuple[str, ...]:
    names = dict.fromkeys(filter(None, (name.strip(" ,;") for name in _BETWEEN.split(shown))))
    return tuple(names)[: DEFAULT_LIMITS.listed_authors_max_count]


def shorten_name(name: str) -> str:
    """Cut a name that is too long to be one for a list; paths are made from the whole."""
    limit = DEFAULT_LIMITS.listed_name_max_length
    return name if len(name) <= limit else f"{name[: limit - 1]}…"

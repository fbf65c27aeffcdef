"""Media types: what a host must say of each file (RFC 6838), by its name."""

from __future__ import annotations

from functools import lru_cache

from generator.layout import SitePath

_MEDIA_TYPES = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "xml": "application/xml",
    "atom": "application/atom+xml",
    "ndjson": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "pagefind": "application/octet-stream",  # and so are pf_meta, pf_index and pf_fragment
    "png": "image/png",
    "bib": "application/x-bibtex; charset=utf-8",
    "ris": "application/x-research-info-systems; charset=utf-8",
    "csl.json": "application/vnd.citationstyles.csl+json",
    "sty": "text/plain; charset=utf-8",
    # Siblings, where they are asked for by their own names; no type is registered for Brotli.
    "gz": "application/gzip",
    "zst": "application/zstd",
    "br": "application/octet-stream",
}
# Where the ending does not tell.
_NAMED_MEDIA_TYPES = {"linkset.json": "application/linkset+json"}


def media_type(path: SitePath) -> str:
    """Give the media type of a file by its name, as hosts must serve it (RFC 6838).

    Args:
        path: any site path.

    Returns:
        The type with its charset; `application/octet-stream` for `.nojekyll` and the like.
    """
    return _media_type(path.rpartition("/")[2])


# Every record has files of the same dozen names.
@lru_cache(maxsize=64)
def _media_type(name: str) -> str:
    endings = (name[at + 1 :] for at, char in enumerate(name) if char == ".")  # the longest first
    by_ending = (_MEDIA_TYPES[ending] for ending in endings if ending in _MEDIA_TYPES)
    return _NAMED_MEDIA_TYPES.get(name) or next(by_ending, "application/octet-stream")

"""Compressed siblings of files, for servers that send a finished `.gz`, `.br` or `.zst`. Pure.

Whether a file has siblings depends on its path alone, never on its bytes. A file that is made a
second time, such as the page of a record that turned out to be cited, then always replaces its
siblings too; an old one left beside a new file would be sent in its place.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib.util import find_spec

from generator import layout
from generator.config import Coding, Configuration
from generator.errors import ConfigurationError
from generator.media_types import media_type
from generator.render import SiteFile, SiteStream

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# Types whose bytes are text. Pictures, Parquet and the files of Pagefind are compressed already.
_TEXT = (
    "text/",
    "application/json",
    "application/xml",
    "application/atom+xml",
    "application/x-ndjson",
    "application/linkset+json",
    "application/vnd.citationstyles.csl+json",
    "application/x-research-info-systems",
    "application/x-bibtex",
    "image/svg+xml",
)
# Nearly always smaller than one packet of a network (1,400 bytes), so that nothing would be saved;
# and who cites a record, which few ask for.
_SMALL = frozenset(
    (
        "badge.svg",
        "cite.bib",
        "cite.csl.json",
        "cite.ris",
        "cited-by.json",
        "opensearch.xml",
        "robots.txt",
    )
)
_GZIP = 16 + zlib.MAX_WBITS  # zlib then writes a gzip header without name, of time 0
_GZIP_LEVEL = 9
# 11 takes 35 times as long for a tenth less. A build is repeated; a page is sent now and then.
_BROTLI_QUALITY = 7
# Its window is 4 MiB; browsers have to take 8 MiB and no more (RFC 9659).
_ZSTD_LEVEL = 12
_REMEMBERED = 12  # compressed files: second copies of a record's files follow soon


def require_codings(configuration: Configuration) -> None:
    """Refuse a build that is asked for siblings which nothing here can make.

    Args:
        configuration: names the codings.

    Raises:
        ConfigurationError: `br` is asked for and Brotli is not installed.
    """
    if Coding.BROTLI in configuration.presentation.precompress and find_spec("brotli") is None:
        raise ConfigurationError(
            "mirror.toml: build.precompress",
            expected='the package Brotli, which makes "br"',
            found="no such package",
            hint='install "pith-mirror[brotli]", or leave "br" out',
        )


def is_compressible(path: layout.SitePath) -> bool:
    """Tell whether a file has compressed siblings where they are wanted.

    Args:
        path: of the file.

    Returns:
        True for text that is worth it.
    """
    small = path.rpartition("/")[2] in _SMALL
    return not small and not path.startswith("pagefind/") and media_type(path).startswith(_TEXT)


def sibling_paths(path: layout.SitePath, configuration: Configuration) -> list[layout.SitePath]:
    """Name the siblings of a file, as far as they are wanted."""
    if not is_compressible(path):
        return []
    return [layout.sibling(path, coding.value) for coding in configuration.presentation.precompress]


def with_siblings(file: SiteFile, configuration: Configuration) -> Iterator[SiteFile]:
    """Give a file and after it its siblings."""
    yield file
    yield from siblings_of(file, configuration)


def siblings_of(file: SiteFile, configuration: Configuration) -> Iterator[SiteFile]:
    """Compress a file.

    Args:
        file: path and bytes.
        configuration: names the codings.

    Yields:
        `<path>.gz`, `.br`, `.zst`, as far as they are wanted.
    """
    if is_compressible(file.path):
        for coding in configuration.presentation.precompress:
            yield SiteFile(layout.sibling(file.path, coding.value), _compressed(file.data, coding))


def siblings_of_stream(
    path: layout.SitePath, reread: Callable[[], Iterator[bytes]], configuration: Configuration
) -> Iterator[SiteStream]:
    """Compress a stream that is written already; nothing of it is held in memory.

    Args:
        path: where it stands.
        reread: gives its bytes once more, in pieces of one length: a stream can be read once.
        configuration: names the codings.

    Yields:
        Its siblings.
    """
    if is_compressible(path):
        for coding in configuration.presentation.precompress:
            pieces = _compress_pieces(reread(), coding)
            yield SiteStream(layout.sibling(path, coding.value), pieces)


@lru_cache(maxsize=_REMEMBERED)
def _compressed(data: bytes, coding: Coding) -> bytes:
    return b"".join(_compress_pieces((data,), coding))


def _compress_pieces(pieces: Iterable[bytes], coding: Coding) -> Iterator[bytes]:
    add, finish = _COMPRESSORS[coding]()
    for piece in pieces:
        if compressed := add(piece):
            yield compressed
    yield finish()


_Compressor = tuple[Callable[[bytes], bytes], Callable[[], bytes]]


def _gzip() -> _Compressor:
    compressor = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, _GZIP)
    return compressor.compress, compressor.flush


def _brotli() -> _Compressor:
    # Imported here, since a mirror need not have Brotli.
    import brotli  # noqa: PLC0415

    compressor = brotli.Compressor(mode=brotli.MODE_TEXT, quality=_BROTLI_QUALITY)
    return compressor.process, compressor.finish


def _zstd() -> _Compressor:
    compressor = zstd.ZstdCompressor(level=_ZSTD_LEVEL)
    return compressor.compress, compressor.flush


_COMPRESSORS: dict[Coding, Callable[[], _Compressor]] = {
    Coding.GZIP: _gzip,
    Coding.BROTLI: _brotli,
    Coding.ZSTD: _zstd,
}

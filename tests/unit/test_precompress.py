"""precompress.py: siblings that decode to their file, whatever it is and however it comes."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import replace

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import precompress
from generator.config import Coding, Configuration
from generator.errors import ConfigurationError
from generator.precompress import (
    is_compressible,
    require_codings,
    siblings_of_stream,
    with_siblings,
)
from generator.render import SiteFile
from tests.factories import TEST_MIRROR, zstd

DECODE: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.decompress,
    "br": brotli.decompress,
    "zst": zstd.decompress,
}


def asking(*codings: Coding) -> Configuration:
    """Give a configuration that asks for codings."""
    presentation = replace(TEST_MIRROR.presentation, precompress=codings)
    return replace(TEST_MIRROR, presentation=presentation)


EVERY = asking(*Coding)


@given(st.binary(max_size=4_000))
def test_siblings_decode_to_the_file(data: bytes) -> None:
    """Each sibling stands beside the file under its coding's ending, and holds the same bytes."""
    first, *siblings = with_siblings(SiteFile("a/index.html", data), EVERY)
    assert first == SiteFile("a/index.html", data)
    assert [file.path for file in siblings] == [
        f"a/index.html.{end}" for end in ("gz", "br", "zst")
    ]
    for file in siblings:
        assert DECODE[file.path.rpartition(".")[2]](file.data) == data


@given(st.lists(st.binary(max_size=3_000), max_size=6))
def test_siblings_of_a_stream_decode_to_it(pieces: list[bytes]) -> None:
    """A stream that is written is read back for each sibling, and each holds the same bytes."""
    whole = b"".join(pieces)

    def reread() -> Iterator[bytes]:
        return (whole[at : at + 1_000] for at in range(0, len(whole), 1_000))

    siblings = siblings_of_stream("catalogue.ndjson", reread, EVERY)
    written = {sibling.path: b"".join(sibling.pieces) for sibling in siblings}
    assert list(written) == [f"catalogue.ndjson.{end}" for end in DECODE]
    for ending, decode in DECODE.items():
        assert decode(written[f"catalogue.ndjson.{ending}"]) == whole


def test_stream_is_compressed_as_it_comes() -> None:
    """The compressor gives bytes long before a large stream has ended: none is held whole."""
    taken = 0

    def reread() -> Iterator[bytes]:
        nonlocal taken
        for number in range(200):
            taken += 1
            # Hardly to be compressed, so that what goes in soon comes out.
            yield b"".join(
                hash((number, at)).to_bytes(8, "big", signed=True) for at in range(8_192)
            )

    for coding in Coding:
        taken = 0
        (sibling,) = siblings_of_stream("catalogue.ndjson", reread, asking(coding))
        next(iter(sibling.pieces))
        assert taken < 100, coding


def test_gzip_header_has_no_time_and_no_name() -> None:
    """RFC 1952: flags and time are zero, so the bytes depend on the content alone."""
    _, sibling = with_siblings(SiteFile("a.json", b"{}" * 999), asking(Coding.GZIP))
    assert sibling.data[:8] == b"\x1f\x8b\x08" + bytes(5)


def test_zstd_window_is_one_that_browsers_take() -> None:
    """RFC 9659: a frame of the content coding asks for a window of at most 8 MiB."""
    pieces = [bytes(1 << 20)] * 40
    (sibling,) = siblings_of_stream("a.json", lambda: iter(pieces), asking(Coding.ZSTD))
    data = b"".join(sibling.pieces)
    options = {int(zstd.DecompressionParameter.window_log_max): 23}
    assert len(zstd.decompress(data, options=options)) == 40 << 20


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("index.html", True),
        ("pith/X/bundle.json", True),
        ("pith/X/linkset.json", True),
        ("assets/site.css", True),
        ("assets/icon.svg", True),
        ("search/index.js", True),
        ("sitemap.xml", True),
        ("feed.atom", True),
        ("llms.txt", True),
        ("pith.sty", True),
        ("catalogue.ndjson", True),
        ("catalogue.parquet", False),
        ("assets/preview.png", False),
        ("pagefind/pagefind.js", False),
        ("pith/X/badge.svg", False),
        ("pith/X/cite.bib", False),
        ("robots.txt", False),
        (".nojekyll", False),
        ("index.html.gz", False),
        ("index.html.br", False),
        ("index.html.zst", False),
    ],
)
def test_text_is_compressible(path: str, expected: bool) -> None:  # noqa: FBT001
    """What is text and more than a packet is; whether it is depends on the path alone."""
    assert is_compressible(path) is expected
    files = [file.path for file in with_siblings(SiteFile(path, b""), asking(Coding.GZIP))]
    assert files == [path, *([f"{path}.gz"] if expected else [])]


def test_nothing_is_added_unless_asked_for() -> None:
    """By default a file has no siblings."""
    assert list(with_siblings(SiteFile("a.json", b"{}"), TEST_MIRROR)) == [
        SiteFile("a.json", b"{}")
    ]


def test_missing_brotli_is_said_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `br` is asked for and Brotli is not there, the error names the extra to install."""
    require_codings(EVERY)
    monkeypatch.setattr(precompress, "find_spec", lambda _: None)
    require_codings(asking(Coding.GZIP, Coding.ZSTD))
    with pytest.raises(ConfigurationError, match=r"build\.precompress: .*pith-mirror\[brotli\]"):
        require_codings(EVERY)

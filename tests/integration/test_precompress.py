"""Compressed siblings in whole sites, and a real nginx that sends them."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import brotli
import pytest

from generator.build import BuildOptions, build_site
from generator.config import Coding, Configuration
from generator.precompress import is_compressible
from tests.browser.conftest import unavailable
from tests.browser.nginx import ROOT, nginx_serving
from tests.factories import TEMPLATES, read_configuration, tree, zstd

pytestmark = [pytest.mark.loopback, pytest.mark.xdist_group("precompress")]

DECODE: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.decompress,
    "br": brotli.decompress,
    "zst": zstd.decompress,
}


def asking(configuration: Configuration, *codings: Coding) -> Configuration:
    """Give a configuration that asks for codings, and for nothing that takes long."""
    presentation = replace(
        configuration.presentation, precompress=codings, full_text_search=False, parquet=False
    )
    return replace(configuration, presentation=presentation)


def site_of(folder: Path, bundles: Path, configuration: Configuration, *, jobs: int = 1) -> Path:
    """Build a site."""
    options = BuildOptions(bundles=bundles, site=folder, templates=(TEMPLATES,), jobs=jobs)
    build_site(options, configuration)
    return folder


@pytest.fixture(name="demo", scope="module")
def _demo() -> Configuration:
    return read_configuration(ROOT / "demo" / "mirror.toml")


@pytest.fixture(name="site", scope="module")
def _site(demo_site: Path, demo: Configuration, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example registry, whose records cite one another, with every sibling."""
    folder = tmp_path_factory.mktemp("precompressed") / "site"
    return site_of(folder, demo_site.parent / "bundles", asking(demo, *Coding), jobs=2)


def test_every_sibling_decodes_to_its_file(site: Path) -> None:
    """Also of pages that were made twice, of copies, of streams; no other file has a sibling."""
    files = tree(site)
    siblings = {path for path in files if path.rpartition(".")[2] in DECODE}
    for path in siblings:
        name, _, ending = path.rpartition(".")
        assert DECODE[ending](files[path]) == files[name], path
    whole = {p for p in files.keys() - siblings if is_compressible(p) and p != "manifest.json"}
    assert siblings == {f"{path}.{ending}" for path in whole for ending in DECODE}
    assert {"catalogue.ndjson.gz", "report.json.br", "feed.atom.zst", "index.html.gz"} <= siblings
    assert any(path.endswith("cited-by.json") for path in files)


def test_siblings_save_most_of_the_bytes(site: Path) -> None:
    """Each coding leaves less than a third; no sibling is much longer than its file."""
    files = tree(site)
    for ending in DECODE:
        pairs = [
            (len(files[p]), len(files[p.rpartition(".")[0]])) for p in files if p.endswith(ending)
        ]
        assert sum(small for small, _ in pairs) * 3 < sum(large for _, large in pairs)
        assert all(small < large + 40 for small, large in pairs)


def test_manifest_lists_siblings_like_any_file(site: Path) -> None:
    """Digest, length and type of each sibling are in the manifest."""
    rows = {row["path"]: row for row in json.loads((site / "manifest.json").read_bytes())["files"]}
    data = (site / "index.html.gz").read_bytes()
    row = rows["index.html.gz"]
    assert (row["sha256"], row["length"]) == (sha256(data).hexdigest(), len(data))
    assert row["media_type"] == "application/gzip"
    assert rows["index.html.zst"]["media_type"] == "application/zstd"
    assert rows["index.html.br"]["media_type"] == "application/octet-stream"
    assert rows.keys() == tree(site).keys() - {"manifest.json"}


def test_same_input_gives_the_same_siblings(
    site: Path, demo_site: Path, demo: Configuration, tmp_path: Path
) -> None:
    """One process or two, onto nothing or onto a site without siblings: the same bytes."""
    bundles = demo_site.parent / "bundles"
    plain = tree(site_of(tmp_path / "site", bundles, asking(demo)))
    assert not [path for path in plain if path.rpartition(".")[2] in DECODE]
    assert tree(site_of(tmp_path / "site", bundles, asking(demo, *Coding))) == tree(site)
    # And they go when they are no longer asked for.
    assert tree(site_of(tmp_path / "site", bundles, asking(demo))) == plain


def documented(marker: str) -> str:
    """Read the lines for nginx that the operator's documentation adds to the server."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```nginx\n(.*?)```", text, flags=re.DOTALL)
    (block,) = [block for block in blocks[1:] if marker in block]
    return str(block)


def test_nginx_sends_the_sibling_byte_for_byte(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the documented lines a client that takes gzip gets the sibling, another the file."""
    if shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin") is None:
        unavailable("nginx", "apt-get install nginx-light")
    from tests.browser import nginx  # noqa: PLC0415

    whole = nginx.documented_configuration()
    added = documented("gzip_static on;").replace("brotli_static", "# brotli_static")
    monkeypatch.setattr(
        nginx,
        "documented_configuration",
        lambda: whole.replace("listen 8080;", f"listen 8080;\n{added}", 1),
    )
    with nginx_serving(site, tmp_path) as address:
        for path, kind in (
            ("index.html", "text/html; charset=utf-8"),
            ("catalogue.ndjson", "application/x-ndjson"),
            ("pith-mirrors.json", "application/json"),
        ):
            for accepted in ("gzip", "identity"):
                request = urllib.request.Request(address + path)
                request.add_header("Accept-Encoding", accepted)
                with urllib.request.urlopen(request, timeout=10) as answer:
                    data, headers = answer.read(), answer.headers
                assert headers["Content-Type"] == kind
                assert headers["Vary"] == "Accept-Encoding"
                file = site / (f"{path}.gz" if accepted == "gzip" else path)
                assert data == file.read_bytes()
                assert headers.get("Content-Encoding") == ("gzip" if accepted == "gzip" else None)
            assert gzip.decompress((site / f"{path}.gz").read_bytes()) == (site / path).read_bytes()

"""docs/formats/catalogue.md: its queries run over HTTP, and fetch a part of the file only."""

from __future__ import annotations

import base64
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path

import duckdb
import pytest

from generator.catalogue_rows import CatalogueRow, catalogue_row
from generator.limits import DEFAULT_LIMITS
from generator.parquet import parquet_pieces
from tests.factories import ROOT, TEST_MIRROR
from tests.machine_inputs import unit_of
from tests.vectors.builders import PAPER, bundle_of

pytestmark = pytest.mark.loopback

PAGE = ROOT / "docs" / "formats" / "catalogue.md"
QUERIES = re.findall(r"^```sql\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
ADDRESS = "https://mirror.example/"
ROWS = 2 * DEFAULT_LIMITS.parquet_group_length + 10
SUFFIXES = sorted(
    base64.b32encode(sha256(str(number).encode()).digest())[:26].decode() for number in range(ROWS)
)


@dataclass
class Served:
    """A folder that is served, and how many bytes of each file went out."""

    address: str
    sent: Counter[str]


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """Serve a folder on loopback as a host does that answers range requests (RFC 9110 14)."""
    sent: Counter[str] = Counter()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

        def do_HEAD(self) -> None:
            """Answer with the length only."""
            self._answer(with_body=False)

        def do_GET(self) -> None:
            """Answer with the file, or the range that is asked for."""
            self._answer(with_body=True)

        def _answer(self, *, with_body: bool) -> None:
            path = folder / self.path.lstrip("/")
            if not path.is_file():
                self.send_response(404)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            data = path.read_bytes()
            asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            first = int(asked[1]) if asked else 0
            last = min(int(asked[2]), len(data) - 1) if asked and asked[2] else len(data) - 1
            self.send_response(206 if asked else 200)
            if asked:
                self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("ETag", f'"{sha256(data).hexdigest()[:16]}"')
            self.send_header("Content-Length", str(last + 1 - first))
            self.end_headers()
            if with_body:
                self.wfile.write(data[first : last + 1])
                sent[self.path.lstrip("/")] += last + 1 - first

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Served(f"http://127.0.0.1:{server.server_port}/", sent)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(name="database")
def _database() -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB with its own httpfs, from a wheel: nothing is fetched from another host."""
    extension = files("duckdb_extension_httpfs").joinpath(
        "extensions", f"v{duckdb.__version__}", "httpfs.duckdb_extension"
    )
    with duckdb.connect() as connection:
        connection.execute("SET autoinstall_known_extensions = false")
        connection.execute(f"LOAD '{extension}'")
        yield connection


def many_rows() -> Iterator[CatalogueRow]:
    """Make up a catalogue of three row groups, every second record withdrawn."""
    row = catalogue_row(unit_of(bundle_of(PAPER)).catalogued, TEST_MIRROR)
    for number, suffix in enumerate(SUFFIXES):
        yield replace(
            row,
            suffix=suffix,
            abstract=" ".join(sha256(f"{number} {n}".encode()).hexdigest() for n in range(12)),
            withdrawn=number % 2 == 0,
            bundle_path=f"pith/{suffix}/bundle.json",
        )


def test_page_has_two_queries() -> None:
    """The page documents a query over columns, and one for a record."""
    assert len(QUERIES) == 2
    assert all(query.count(f"{ADDRESS}catalogue.parquet") == 1 for query in QUERIES)


def test_documented_queries_give_what_the_catalogue_says(
    built_site: Path, database: duckdb.DuckDBPyConnection
) -> None:
    """Run as they stand against the repository's own site, they agree with catalogue.ndjson."""
    by_category, by_suffix = QUERIES
    lines = (built_site / "catalogue.ndjson").read_bytes().splitlines()
    rows = [json.loads(line) for line in lines]
    with serving(built_site) as served:
        categories = database.sql(by_category.replace(ADDRESS, served.address)).fetchall()
        records = database.sql(by_suffix.replace(ADDRESS, served.address)).fetchall()
    counts = Counter(category for row in rows for category in row["categories"])
    expected = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:20]
    assert categories == [(category, count, 0) for category, count in expected]
    (row,) = [row for row in rows if f"'{row['suffix']}'" in by_suffix]
    assert records == [(row["pith_number"], row["title"], row["verdict"], row["bundle_path"])]


def test_queries_fetch_what_they_need(tmp_path: Path, database: duckdb.DuckDBPyConnection) -> None:
    """Of a large catalogue, each query fetches its columns and row groups and not the file."""
    path = tmp_path / "catalogue.parquet"
    pieces = parquet_pieces(many_rows(), group_length=DEFAULT_LIMITS.parquet_group_length)
    with path.open("wb") as file:
        file.writelines(pieces)
    by_category, by_suffix = QUERIES
    length = path.stat().st_size
    with serving(tmp_path) as served:
        query = by_category.replace(ADDRESS, served.address)
        assert database.sql(query).fetchall() == [
            (category, ROWS, ROWS // 2) for category in ("cs.AI", "cs.DC", "cs.LG")
        ]
        assert 0 < served.sent["catalogue.parquet"] < length / 20
    with serving(tmp_path) as served:
        wanted = SUFFIXES[ROWS // 2]
        query = re.sub(r"suffix = '\w+'", f"suffix = '{wanted}'", by_suffix)
        found = database.sql(query.replace(ADDRESS, served.address)).fetchall()
        assert [row[3] for row in found] == [f"pith/{wanted}/bundle.json"]
        assert 0 < served.sent["catalogue.parquet"] < length / 10

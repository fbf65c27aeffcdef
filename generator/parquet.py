"""The catalogue as Apache Parquet, written as a stream by pyarrow; imported only where that is.

Rows are in the order of their ids, so that a reader finds a record by the statistics of the row
groups; groups and columns stand apart, so that a query over HTTP fetches only what it needs. The
bytes depend on the rows and on the version of pyarrow, which the file names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime
from itertools import islice

import pyarrow as pa
import pyarrow.parquet as pq

from generator.catalogue_rows import COLUMNS, CatalogueRow

_TEXT, _WORDS, _FLAG, _COUNT = pa.string(), pa.list_(pa.string()), pa.bool_(), pa.int32()
_TIME = pa.timestamp("ms", tz="UTC")
_EVENTS = pa.list_(
    pa.struct([pa.field("event_type", _TEXT), pa.field("month", _TEXT), pa.field("count", _COUNT)])
)
# What is no required text.
_TYPES = {
    "authors": _WORDS,
    "categories": _WORDS,
    "version": _COUNT,
    "submitted_at": _TIME,
    "received_at": _TIME,
    "changed_at": _TIME,
    "withdrawn": _FLAG,
    "contradicted": _FLAG,
    "bundle_length": _COUNT,
    "checks_verified": _COUNT,
    "checks_not_checkable": _COUNT,
    "checks_failed": _COUNT,
    "events": _EVENTS,
}
_OPTIONAL = frozenset(
    (
        "title",
        "title_known",
        "authors_known",
        "abstract",
        "abstract_known",
        "doi",
        "license",
        "state_path",
    )
)
# Few different values: a dictionary and small numbers.
_REPEATED = ["title_known", "authors_known", "abstract_known", "license", "verdict"]
_SCHEMA = pa.schema(
    [pa.field(name, _TYPES.get(name, _TEXT), nullable=name in _OPTIONAL) for name in COLUMNS]
)
_TIMES = tuple(name for name, kind in _TYPES.items() if kind is _TIME)


class _Pieces:
    """A file that is only written to, and whose bytes are taken away as they come."""

    def __init__(self) -> None:
        self.closed = False
        self._pieces: list[bytes] = []
        self._length = 0

    def write(self, data: bytes | memoryview) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        self._length += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._length

    def flush(self) -> None:
        """Keep everything until it is taken."""

    def close(self) -> None:
        self.closed = True

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


def parquet_pieces(rows: Iterable[CatalogueRow], *, group_length: int) -> Iterator[bytes]:
    """Spell the catalogue as Parquet.

    Args:
        rows: by suffix.
        group_length: rows in a group; so many are in memory at once.

    Returns:
        The pieces of the file.
    """
    rows = iter(rows)
    pieces = _Pieces()
    with pq.ParquetWriter(
        pieces,
        _SCHEMA,
        version="2.6",
        compression="zstd",
        use_dictionary=_REPEATED,
        store_schema=False,
        sorting_columns=[pq.SortingColumn(0)],
    ) as writer:
        while group := [_values(row) for row in islice(rows, group_length)]:
            writer.write_table(
                pa.Table.from_pylist(group, schema=_SCHEMA), row_group_size=len(group)
            )
            yield pieces.take()
    yield pieces.take()


def _values(row: CatalogueRow) -> dict[str, object]:
    values: dict[str, object] = asdict(row)
    for name in _TIMES:
        values[name] = datetime.fromisoformat(getattr(row, name))
    return values

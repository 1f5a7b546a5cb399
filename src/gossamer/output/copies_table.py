"""The `copies` table: pages that are like a page of another partition, one row for each page and kind.

Partitions find these when the rows of `pages` have been written, because no page waits for another
partition. A crawl with one partition has no such table.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gossamer.core.copies import FoundCopy
from gossamer.output.parquet_table import Columns, Description
from gossamer.output.spool import pack, unpack

if TYPE_CHECKING:
    import pyarrow

COPY_COLUMNS = {
    "url": "A page that is like an earlier one of another partition.",
    "fetched_at": "When this page was asked for.",
    "kind": "`text`: the same text in other markup; `near`: nearly the same text.",
    "first": "The URL of the earlier page …",
    "first_key": "… and its key.",
    "similarity": "How much they are alike: the part of shingles that both have, estimated.",
}
"""What the columns mean."""

CopyRow = tuple[str, int, str, str, int, float]


def copies_schema() -> "pyarrow.Schema":
    """Names and types of the columns."""
    import pyarrow as pa

    return pa.schema(
        [
            ("url", pa.string()),
            ("fetched_at", pa.timestamp("us", "UTC")),
            ("kind", pa.dictionary(pa.int32(), pa.string())),
            ("first", pa.string()),
            ("first_key", pa.uint64()),
            ("similarity", pa.float32()),
        ]
    )


def copy_row(copy: FoundCopy) -> CopyRow:
    when = int(copy.date * 1e6)
    return copy.url, when, copy.kind.value, copy.first, copy.group, copy.similarity


def _columns(rows: Sequence[CopyRow], count: int) -> Columns:
    return [*zip(*rows, strict=True)] if rows else []


def _unpack(data: bytes) -> CopyRow:
    url, when, kind, first, key, similarity = unpack(data)
    return url, when, kind, first, key, similarity


COPIES: Description[CopyRow] = Description("copies", copies_schema, _columns, pack, _unpack)

"""The `items` table: what parsers of a program found on pages, one row for each item.

Items of one crawl need not have the same fields, and those of next month's parser will have others. So an
item is one column of JSON, and no file depends on what others have in them.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gossamer.core.page_items import encode_item
from gossamer.core.records import Document
from gossamer.output.parquet_table import Columns, Description
from gossamer.output.spool import pack, unpack

if TYPE_CHECKING:
    import pyarrow

ITEM_COLUMNS = {
    "url": "The page that the item was found on.",
    "fetched_at": "The time of the request for this page.",
    "number": "The position of the item on its page, from 0.",
    "item": "The item, as a JSON object.",
}
"""What the columns mean."""

ItemRow = tuple[str, int, int, str]


def items_schema() -> "pyarrow.Schema":
    """Names and types of the columns."""
    import pyarrow as pa

    return pa.schema(
        [
            ("url", pa.dictionary(pa.int32(), pa.string())),
            ("fetched_at", pa.timestamp("us", "UTC")),
            ("number", pa.int32()),
            ("item", pa.string()),
        ]
    )


def item_rows(document: Document) -> list[ItemRow]:
    """The rows of a page."""
    when = int(document.page.started * 1e6)
    return [
        (document.url, when, number, encode_item(item))
        for number, item in enumerate(document.items)
    ]


def _columns(rows: Sequence[ItemRow], count: int) -> Columns:
    return [*zip(*rows, strict=True)] if rows else []


def _unpack(data: bytes) -> ItemRow:
    url, when, number, item = unpack(data)
    return url, when, number, item


ITEMS: Description[ItemRow] = Description(
    "items", items_schema, _columns, pack, _unpack, weigh=lambda row: len(row[3])
)

"""The `pages` table: one row per visit, whatever became of it."""

from typing import TYPE_CHECKING, Any

from gossamer.base.records import Kept
from gossamer.harvest.store.date import microseconds
from gossamer.harvest.store.table import Columns, Description
from gossamer.harvest.store.warc import Place

if TYPE_CHECKING:
    import pyarrow

Row = tuple[Any, ...]


def pages_schema() -> "pyarrow.Schema":
    """Names and types of the columns. What there is nothing to say about is null, not empty."""
    import pyarrow as pa

    text, few = pa.string(), pa.dictionary(pa.int32(), pa.string())
    return pa.schema(
        [
            ("url", text),
            ("host", few),
            ("status", pa.int16()),
            ("outcome", few),
            ("detail", text),
            ("fetched_at", pa.timestamp("us", "UTC")),
            ("seconds", pa.float32()),
            ("depth", pa.int32()),
            ("via", few),
            ("source", text),
            ("hops", pa.int32()),
            ("attempt", pa.int32()),
            ("media_type", few),
            ("charset", few),
            ("title", text),
            ("bytes", pa.int64()),
            ("body_bytes", pa.int64()),
            ("digest", text),
            ("duplicate_of", text),
            ("truncated", few),
            ("is_indexable", pa.bool_()),
            ("address", few),
            ("etag", text),
            ("last_modified", text),
            ("links", pa.int32()),
            ("warc_file", few),
            ("warc_offset", pa.int64()),
            ("warc_length", pa.int64()),
        ]
    )


def page_row(kept: Kept, digest: str, place: Place | None) -> Row:
    """One row, in the order of the schema. It holds no part of the page's body."""
    document = kept.document
    page = document.page
    visit = page.visit
    return (
        visit.url.text,
        visit.url.host,
        page.status if 0 < page.status < 1000 else None,
        page.outcome,
        page.detail or None,
        microseconds(page.started),
        page.seconds,
        visit.depth,
        visit.via,
        visit.source or None,
        visit.hops,
        visit.attempt,
        document.media_type or None,
        document.charset or None,
        document.title or None,
        len(page.payload),
        len(page.body),
        digest or None,
        kept.duplicate_of.url if kept.is_duplicate and kept.duplicate_of else None,
        page.truncated or None,
        document.is_indexable,
        page.address or None,
        page.headers.get("etag") or None,
        page.headers.get("last-modified") or None,
        len(document.links),
        *((place.file, place.offset, place.length) if place else (None, None, None)),
    )


def page_columns(rows: list[Row]) -> Columns:
    return list(zip(*rows, strict=True))


PAGES: Description[Row] = Description("pages", pages_schema, page_columns, tuple, tuple)

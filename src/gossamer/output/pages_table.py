"""The `pages` table: one row per visit, whatever became of it.

The columns of the crawl itself are here. Those of analyzers are declared by them (`core/analyzer_registry`),
and stand behind the column that they name. Of analyzers that are switched on, they come last.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import repeat, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from gossamer.core.analyzer_protocol import PageColumn
from gossamer.core.analyzer_registry import always_stored
from gossamer.core.page_batch import PageBatch
from gossamer.core.records import Followed, Judged
from gossamer.core.request import RequestUrl
from gossamer.output.parquet_table import Columns, Description
from gossamer.output.spool import pack, unpack
from gossamer.output.warc_date import microseconds
from gossamer.output.warc_file import RecordPlace

if TYPE_CHECKING:
    import pyarrow

Row = tuple[Any, ...]

_OWN = (
    PageColumn("url", "string", "The URL, in its canonical form."),
    PageColumn("host", "few", "The URL's host without the port."),
    PageColumn("status", "int16", "The HTTP status; null when no response came."),
    PageColumn("outcome", "few", "The outcome of the visit; see the page on outcomes."),
    PageColumn(
        "detail",
        "string",
        "Details of a failure or a flaw, in words; null when there are none.",
    ),
    PageColumn(
        "fetched_at",
        "time",
        "The time of the request, or of the decision to send none.",
    ),
    PageColumn("seconds", "float32", "The duration of the exchange."),
    PageColumn(
        "depth",
        "int32",
        "Links away from a seed; redirects and sitemaps on the way do not count.",
    ),
    PageColumn(
        "via",
        "few",
        "The source of the URL: seed, link, redirect, sitemap, feed, requisite; probe: made up by "
        "the crawl as a test; push: announced; request: named by a user, with a method, a body or a session.",
    ),
    PageColumn(
        "source",
        "string",
        "The page, redirect or robots.txt that named it first; null for a seed.",
    ),
    PageColumn("hops", "int32", "The number of redirects followed in a row to this URL."),
    PageColumn(
        "attempt",
        "int32",
        "The number of earlier attempts; only the last attempt has a row.",
    ),
    PageColumn(
        "media_type",
        "few",
        "Type and subtype: as declared, or by the first bytes where that says little.",
    ),
    PageColumn(
        "charset", "few", "The encoding that the text was read in; null when no text was read."
    ),
    PageColumn(
        "title",
        "string",
        "The title of an HTML page, a feed, a PDF or Markdown; null when it has none.",
    ),
    PageColumn("bytes", "int64", "Bytes of the body as sent: compressed and chunked, if it was."),
    PageColumn("body_bytes", "int64", "Bytes of the body, decoded."),
    PageColumn(
        "digest",
        "string",
        "SHA-1 of the body as sent, spelled as in WARC; null without a response. For a 304: that of the "
        "body it stands for; null when nothing is known of it.",
    ),
    PageColumn(
        "text_print",
        "uint64",
        "Fingerprint of the text without case, space and punctuation; null without text.",
    ),
    PageColumn(
        "truncated",
        "few",
        "The reason why the body is cut short: length, time or disconnect; null when it is whole.",
    ),
    PageColumn(
        "parse_failure",
        "few",
        "The reason why the body could not be read: crashed, timed_out, too_large or broken; else null.",
    ),
    PageColumn("address", "few", "The server's IP address; null when none was asked."),
    PageColumn("etag", "string", "The field ETag, as sent."),
    PageColumn("last_modified", "string", "The field Last-Modified, as sent."),
    PageColumn(
        "links",
        "int32",
        "Number of links on the page, which is its number of rows in the links table, if that is "
        "written.",
    ),
    PageColumn(
        "warc_file",
        "few",
        "The file in `warc/` that has the response; null when there is none …",
    ),
    PageColumn("warc_offset", "int64", "… the byte at which its record begins …"),
    PageColumn("warc_length", "int64", "… and the bytes its record takes up, compressed."),
    PageColumn(
        "is_retired",
        "bool",
        "True when the response was stored, and later deleted for more valuable pages.",
    ),
    PageColumn(
        "redirect_to",
        "string",
        "Where a redirect leads, in canonical form; null when it is none, or leads to no URL …",
    ),
    PageColumn(
        "redirect_refused",
        "few",
        "… and why it was not followed, as `refused` in the links table; null when it was.",
    ),
    PageColumn(
        "refers_to",
        "string",
        "If the record is a pointer (WARC `revisit`): the URL of the response that has the body …",
    ),
    PageColumn(
        "refers_at", "time", "… and when that was fetched, in this crawl or in an earlier one."
    ),
    PageColumn(
        "method", "few", "GET or POST, of a request that a user named; null for a plain URL …"
    ),
    PageColumn(
        "request",
        "string",
        "… what replay tools append to its URL to look it up: method and body; null for a GET …",
    ),
    PageColumn("session", "few", "… the session that it was made in, if any …"),
    PageColumn(
        "request_key",
        "uint64",
        "… and the key that tells it from other requests to the same URL; null for a plain URL.",
    ),
)
"""The columns that the crawl itself fills."""


@cache
def page_columns() -> tuple[PageColumn, ...]:
    """The columns of every table, in their order."""
    found = list(_OWN)
    for column in always_stored():
        names = [page_column.name for page_column in found]
        found.insert(names.index(column.after) + 1 if column.after else len(found), column)
    return tuple(found)


def page_meanings() -> dict[str, str]:
    """The meanings of the columns."""
    return {column.name: column.about for column in page_columns()}


def pages_schema(optional: Sequence[PageColumn] = ()) -> "pyarrow.Schema":
    """Names and types of the columns. What there is nothing to say about is null, not empty."""
    import pyarrow as pa

    return pa.schema(
        [(column.name, arrow_type(column.kind)) for column in (*page_columns(), *optional)]
    )


def arrow_type(kind: str) -> "pyarrow.DataType":
    """The type that a column names: Arrow's name, or `few` for texts of which there are few, or `time`."""
    import pyarrow as pa

    if kind == "few":
        return pa.dictionary(pa.int32(), pa.string())
    return pa.timestamp("us", "UTC") if kind == "time" else pa.type_for_alias(kind)


def page_rows(
    batch: PageBatch, own: Sequence[Row | None], optional: Sequence[PageColumn] = ()
) -> list[Row]:
    """Rows in the order of the schema: a page's own columns, and what analyzers say. None has no row."""
    said = [
        batch.columns.get(column.name) or repeat(column.default, len(own))
        for column in (*always_stored(), *optional)
    ]
    arrange = _arrange(len(optional))
    pairs = zip(own, zip(*said, strict=True), strict=True)
    return [arrange((*row, *values)) for row, values in pairs if row is not None]


@cache
def _arrange(optional: int) -> Callable[[Row], Row]:
    """Puts the values of a row into the order of the schema: it gets the crawl's own first."""
    given = [column.name for column in (*_OWN, *always_stored())]
    places = [given.index(column.name) for column in page_columns()]
    return itemgetter(*places, *range(len(given), len(given) + optional))


def own_row(
    judged: Judged,
    digest: str,
    place: RecordPlace | None,
    followed: Followed,
    secret_fields: Sequence[str] = (),
) -> Row:
    """The crawl's own columns of one page: no part of its body, and no secret of its request."""
    document = judged.document
    page = document.page
    visit, before = page.visit, judged.validators
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
        judged.text_print or None,
        page.truncated or None,
        document.failure or None,
        page.address or None,
        page.headers.get("etag") or (before and before.etag) or None,
        page.headers.get("last-modified") or (before and before.last_modified) or None,
        len(document.links),
        *((place.file, place.offset, place.length) if place else (None, None, None)),
        False,
        followed.redirect_to or None,
        followed.redirect_refused,
        *_original(judged, place),
        *(_request(visit.url, secret_fields) if isinstance(visit.url, RequestUrl) else _PLAIN),
    )


_PLAIN: Row = (None, None, None, None)


def _request(url: RequestUrl, secret_fields: Sequence[str]) -> Row:
    """The columns that tell requests to one URL apart."""
    query = url.written_query(secret_fields)
    return url.sent.method, query or None, url.sent.session or None, url.written_key(secret_fields)


def _original(judged: Judged, place: RecordPlace | None) -> Row:
    """The response that has the body, if it is not at this place."""
    original = judged.archived if place is None else place.original
    return (None, None) if original is None else (original.url, microseconds(original.date))


def _columns(rows: Sequence[Row], _: int) -> Columns:
    return list(zip(*rows, strict=True))


def describe_pages(optional: Sequence[PageColumn] = ()) -> Description[Row]:
    """The table, with the columns of analyzers that are switched on.

    In the spool these stand by their names behind the others, for another run may have others.
    """
    names = [column.name for column in optional]

    def pack_row(row: Row) -> bytes:
        usual = len(page_columns())
        return pack((*row[:usual], dict(zip(names, row[usual:], strict=True))))

    def unpack_row(packed: bytes) -> Row:
        """A row; one that an earlier version wrote has fewer columns."""
        row = list(unpack(packed))
        more = row.pop() if row and isinstance(row[-1], dict) else {}
        row += [None] * (len(page_columns()) - len(row))
        return (*row, *(more.get(name) for name in names))

    return Description(
        "pages", lambda: pages_schema(optional), _columns, pack_row if names else pack, unpack_row
    )


PAGES = describe_pages()


def name_values(row: Sequence[Any]) -> dict[str, Any]:
    """A row of the spool by the names of its columns; one of an earlier version has fewer."""
    names = [column.name for column in page_columns()]
    more = row[-1] if row and isinstance(row[-1], dict) else {}
    values = [*row[:-1]] if more else row
    return {**dict(zip_longest(names, values)), **more}

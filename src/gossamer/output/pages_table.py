"""The `pages` table: one row per visit, whatever became of it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gossamer.core.records import Followed, Judged, Remembered
from gossamer.output.parquet_table import Columns, Description
from gossamer.output.spool import pack, unpack
from gossamer.output.warc_date import microseconds
from gossamer.output.warc_file import RecordPlace

if TYPE_CHECKING:
    import pyarrow

Row = tuple[Any, ...]

PAGE_MEANINGS = {
    "url": "The URL, in its canonical form.",
    "host": "The URL's host without the port.",
    "status": "The HTTP status; null when no response came.",
    "outcome": "The outcome of the visit; see the page on outcomes.",
    "detail": "Details of a failure or a flaw, in words; null when there are none.",
    "fetched_at": "The time of the request, or of the decision to send none.",
    "seconds": "How long the exchange took.",
    "depth": "Links away from a seed; redirects and sitemaps on the way do not count.",
    "via": "How the URL came to be known: seed, link, redirect, sitemap, feed, requisite; probe: made up; "
    "push: it was announced.",
    "source": "The page, redirect or robots.txt that named it first; null for a seed.",
    "hops": "Redirects followed in a row to come here.",
    "attempt": "How often the visit was tried before; there is a row for the last attempt only.",
    "media_type": "Type and subtype: as declared, or by the first bytes where that says little.",
    "charset": "The encoding that the text was read in; null when no text was read.",
    "title": "The title of an HTML page, a feed, a PDF or Markdown; null when it has none.",
    "bytes": "Bytes of the body as sent: compressed and chunked, if it was.",
    "body_bytes": "Bytes of the body, decoded.",
    "digest": "SHA-1 of the body as sent, spelled as in WARC; null without a response. For a 304: "
    "that of the body it stands for; null when nothing is known of it.",
    "duplicate_of": "The URL at which the same content was met first; null when it was here.",
    "same_text_as": "The URL at which the same text was met first, in other markup; null when there is none.",
    "text_print": "Fingerprint of the text without case, space and punctuation; null without text.",
    "near_of": "The URL of the page that this one is nearly like: the first of its group …",
    "near_group": "… its key, which is the group's name; null for the first page itself …",
    "similarity": "… and how much they are alike: the part of shingles that both have, estimated.",
    "truncated": "Why the body is shorter than meant: length, time or disconnect; null when it is whole.",
    "is_soft_error": "True when it looks like the host's answer to a URL that does not exist (soft 404).",
    "is_indexable": "False when the page asks not to be kept in an index (meta robots, X-Robots-Tag).",
    "parse_failure": "Why it could not be read: crashed, timed_out, too_large or broken; else null.",
    "address": "The server's IP address; null when none was asked.",
    "etag": "The field ETag, as sent.",
    "last_modified": "The field Last-Modified, as sent.",
    "links": (
        "Number of links on the page, which is its number of rows in the links table, if "
        "that is written."
    ),
    "warc_file": "The file in `warc/` that has the response; null when there is none …",
    "warc_offset": "… the byte at which its record begins …",
    "warc_length": "… and the bytes its record takes up, compressed.",
    "is_retired": "True when the response was stored, and later deleted for more valuable pages.",
    "redirect_to": "Where a redirect leads, in canonical form; null when it is none, or leads to no URL …",
    "redirect_refused": "… and why it was not followed, as `refused` in the links table; null when it was.",
    "is_followable": "False when the page asks for its links not to be followed.",
    "is_unchanged": "True when it is as the visit before had it, or the crawl named with `--known`. If the "
    "status is 304 and `--known` is given, its type, title, links and duplicates are those of "
    "the earlier crawl.",
    "refers_to": "If the record is a pointer (WARC `revisit`): the URL of the response that has the body …",
    "refers_at": "… and when that was fetched, in this crawl or in an earlier one.",
    "change": "In a crawl that visits pages again: what is different since the visit before: nothing, "
    "markup, minor (a date, a counter), links or text; null for a first visit …",
    "extent": "… and the share of the text that differs.",
}
"""What the columns mean."""


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
            ("same_text_as", text),
            ("text_print", pa.uint64()),
            ("near_of", text),
            ("near_group", pa.uint64()),
            ("similarity", pa.float32()),
            ("truncated", few),
            ("is_soft_error", pa.bool_()),
            ("is_indexable", pa.bool_()),
            ("parse_failure", few),
            ("address", few),
            ("etag", text),
            ("last_modified", text),
            ("links", pa.int32()),
            ("warc_file", few),
            ("warc_offset", pa.int64()),
            ("warc_length", pa.int64()),
            ("is_retired", pa.bool_()),
            ("redirect_to", text),
            ("redirect_refused", few),
            ("is_followable", pa.bool_()),
            ("is_unchanged", pa.bool_()),
            ("refers_to", text),
            ("refers_at", pa.timestamp("us", "UTC")),
            ("change", few),
            ("extent", pa.float32()),
        ]
    )


def page_row(kept: Judged, digest: str, place: RecordPlace | None, followed: Followed) -> Row:
    """One row, in the order of the schema. It holds no part of the page's body."""
    document = kept.document
    page = document.page
    visit, before = page.visit, kept.remembered or _NOTHING
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
        *_likeness(kept, before),
        page.truncated or None,
        kept.is_soft_error,
        document.is_indexable,
        document.failure or None,
        page.address or None,
        page.headers.get("etag") or before.etag,
        page.headers.get("last-modified") or before.last_modified,
        len(document.links),
        *((place.file, place.offset, place.length) if place else (None, None, None)),
        False,
        followed.redirect_to or None,
        followed.redirect_refused,
        document.is_followable,
        kept.is_unchanged,
        *_original(kept, place),
        *((kept.change, kept.extent) if kept.change else (None, None)),
    )


_NOTHING = Remembered()


def _likeness(kept: Judged, before: Remembered) -> Row:
    """What it is like: by its content, or by what was known of it when that came."""
    near = kept.similar_to
    return (
        kept.duplicate_of.url if kept.is_duplicate and kept.duplicate_of else before.duplicate_of,
        kept.same_text_as.url if kept.same_text_as else before.same_text_as,
        kept.text_print or None,
        near.original.url if near else before.near_of,
        near.group if near else before.near_group,
        near.similarity if near else before.similarity,
    )


def _original(kept: Judged, place: RecordPlace | None) -> Row:
    """The response that has the body, if it is not at this place."""
    original = kept.archived if place is None else place.original
    return (None, None) if original is None else (original.url, microseconds(original.date))


def page_columns(rows: Sequence[Row], _: int) -> Columns:
    return list(zip(*rows, strict=True))


def _unpack(packed: bytes) -> Row:
    """A row; one that an earlier version wrote has fewer columns."""
    row = unpack(packed)
    return (*row, *[None] * (len(PAGE_MEANINGS) - len(row)))


PAGES: Description[Row] = Description("pages", pages_schema, page_columns, pack, _unpack)

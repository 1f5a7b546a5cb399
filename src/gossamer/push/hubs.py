"""Finds WebSub hubs in what a crawl has stored: in header fields (Link), in feeds and in the heads of pages.

The links table has no such links, and header fields are in the archive only. So new responses are read from
there, once each, by the pages table. Without an archive (`store.warc` is off), no hub is found.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gossamer.archive.committed_rows import CommittedRows
from gossamer.archive.page_rows import Row
from gossamer.archive.stored_message import read_message
from gossamer.core.directory import Directory
from gossamer.core.http import links_in_fields
from gossamer.core.records import Headers
from gossamer.core.url import base, join, parse
from gossamer.output.pages_table import PAGES
from gossamer.output.parquet_batches import read_batches
from gossamer.pipeline.parse.feed import ROOTS
from gossamer.pipeline.parse.tag_attributes import read_attributes
from gossamer.pipeline.parse.xml import Start, read_xml, root_of

_COLUMNS = ("url", "status", "media_type", "warc_file", "warc_offset", "warc_length")
_RecordAt = tuple[str | None, int | None]
_READ = 64 << 10
"""Bytes of a page in which links are looked for."""


class FoundHub(NamedTuple):
    """A topic, and the hub that tells of it."""

    topic: str
    hub: str


class HubSearch:
    """Looks through the pages of a crawl; each time through those that came since the last."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files: set[Path] = set()
        """Files of the table that were looked through …"""
        self._spooled: set[_RecordAt] = set()
        """… and records of those pages that are in no file yet."""

    def look(self) -> list[FoundHub]:
        found = [self._read(row) for row in self._new_rows() if _may_name_hub(row)]
        return [one for one in found if one is not None]

    def _new_rows(self) -> Iterator[Row]:
        record = CommittedRows(Directory(self._path))
        for file in (path for path in record.files("pages") if path not in self._files):
            for batch in read_batches(file, list(_COLUMNS)):
                yield from batch.to_pylist()
            self._files.add(file)
        names = PAGES.schema().names
        rows = [dict(zip(names, row, strict=False)) for row in record.spooled("pages")]
        before, self._spooled = self._spooled, {_record_of(row) for row in rows}
        yield from (row for row in rows if _record_of(row) not in before)

    def _read(self, row: Row) -> FoundHub | None:
        place = (row["warc_file"], row["warc_offset"], row["warc_length"])
        try:
            message = read_message(self._path / "warc", *place)
        except (OSError, ValueError):  # retired meanwhile, or damaged: `verify` tells of it
            return None
        headers = message.headers
        return find_hub(row["url"], headers, message.body(headers, _READ)[:_READ])


def _record_of(row: Row) -> _RecordAt:
    return row["warc_file"], row["warc_offset"]


def _may_name_hub(row: Row) -> bool:
    media_type = row["media_type"] or ""
    is_kept = row["status"] == 200 and row["warc_file"] is not None
    return is_kept and ("xml" in media_type or "html" in media_type)


def find_hub(url: str, headers: Headers, body: bytes) -> FoundHub | None:
    """The hub that a response names, and the topic it names itself by; header fields go first.

    >>> fields = Headers([("Link", '<http://hub.test/>; rel="hub", </feed>; rel=self')])
    >>> find_hub("http://a.test/x", fields, b"")
    FoundHub(topic='http://a.test/feed', hub='http://hub.test/')
    """
    links = [*links_in_fields(headers.get_all("link"))]
    if b"hub" in body:
        links += _links_in_body(body)
    found = {rel: href for rel, href in reversed(links)}  # noqa: C416 (the first of a kind counts)
    if "hub" not in found:
        return None
    start = base(url)
    hub = join(start, found["hub"]) if start is not None else None
    if hub is None or hub.scheme not in ("http", "https"):
        return None
    return FoundHub(_read_topic(found.get("self", url), url), hub.text)


def _read_topic(href: str, url: str) -> str:
    """The topic as it is written, for a hub compares it letter by letter; unless it has to be joined.

    >>> _read_topic("HTTP://a.test/%7e", ""), _read_topic("feed\\n", "http://a.test/x")
    ('HTTP://a.test/%7e', 'http://a.test/feed')
    """
    if href.isascii() and href.isprintable() and parse(href) is not None:
        return href
    start = base(url)
    joined = join(start, href) if start is not None else None
    return joined.text if joined is not None else url


def _links_in_body(body: bytes) -> Iterator[tuple[str, str]]:
    """Links of a feed itself, or in the head of a page: anybody may have written what stands below."""
    is_feed = root_of(body) in ROOTS
    for event in read_xml(body):
        if not isinstance(event, Start):
            continue
        if event.name == "body" and not is_feed:
            return
        if event.name == "link" and (not is_feed or event.parent in ("feed", "channel")):
            attributes = read_attributes(event.tail)
            if href := attributes.get("href"):
                yield from ((rel, href) for rel in attributes.get("rel", "").lower().split())

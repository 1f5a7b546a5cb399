"""Sitemaps, as https://www.sitemaps.org/protocol.html has them, and their usual extensions.

An index lists sitemaps, a set lists pages; a text sitemap is a page's URL per line. Of the
extensions, a news article's title and date, images, videos and translations are read.
"""

import re
from collections.abc import Iterator
from itertools import islice

from gossamer.core.records import LinkKind
from gossamer.core.url import Base, Spelling, Url
from gossamer.pipeline.parse.feed_dates import read_date
from gossamer.pipeline.parse.tag_attributes import read_attributes
from gossamer.pipeline.parse.url_listing import Listing
from gossamer.pipeline.parse.xml import Start, XmlEnd, read_xml

ROOTS = frozenset({"urlset", "sitemapindex"})

_RECORDS = frozenset({"url", "sitemap"})
_FREQUENCIES = frozenset({"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"})
_MEDIA = frozenset({"image/loc", "video/content_loc", "video/player_loc", "video/thumbnail_loc"})
_NEWS = frozenset({"news/title", "news/publication_date"})
_MAX_MEDIA = 1_000
"""As many images as Google's extension allows for one page."""
_MAX_TRANSLATIONS = 200
_MAX_LINKS_EACH = 4
"""Translations may outnumber the pages that there can be this many times, and so may pictures."""
_FIELDS = frozenset({"loc", "lastmod", "changefreq", "priority", "title", "publication_date"})
_OTHER = ""
"""Stands for all other fields, of which there may be any number."""
_NO_URL = "http://["
"""Stands for a missing `loc`, which would otherwise mean the sitemap itself."""
_TEXT_SAMPLE = 16
_LINE = re.compile(rb"[^\r\n\t ][^\r\n]*+")


class _Record:
    """One `url` or `sitemap` element while it is read."""

    def __init__(self) -> None:
        self.fields: dict[str, str] = {}
        self.media: list[str] = []
        self.translations: list[str] = []


class _Room:
    """The number of pictures and translations that may still be taken, from all records together."""

    def __init__(self, limit: int) -> None:
        self._media = self._translations = _MAX_LINKS_EACH * limit

    def take_media(self, record: _Record, href: str) -> None:
        if self._media > 0 and len(record.media) < _MAX_MEDIA:
            self._media -= 1
            record.media.append(href)

    def take_translation(self, record: _Record, tail: bytes) -> None:
        if self._translations > 0 and len(record.translations) < _MAX_TRANSLATIONS:
            attributes = read_attributes(tail)
            if "alternate" in attributes.get("rel", "").lower() and attributes.get("href"):
                self._translations -= 1
                record.translations.append(attributes["href"])


def read_sitemap(data: bytes, source: str, base: Base, spelling: Spelling, limit: int) -> Listing:
    """Read a sitemap or an index of sitemaps; `data` is UTF-8 and may be cut off anywhere."""
    listing = Listing(source)
    records = list(islice(_records(data, _Room(limit)), limit))
    urls = spelling.join_all(base, [record.fields.get("loc") or _NO_URL for record in records])
    for record, url in zip(records, urls, strict=True):
        media = spelling.join_all(base, record.media) if record.media else ()
        shown = tuple(one for one in media if one and listing.has_room_for(one))
        _add(listing, record, url, shown)
        for translation in record.translations:
            listing.link(spelling.join(base, translation), LinkKind.TRANSLATION)
    return listing


def read_text_sitemap(data: bytes, source: str, spelling: Spelling, limit: int) -> Listing | None:
    """Read a list of URLs, one per line; None when the text is something else.

    >>> listing = read_text_sitemap(b"http://a.example/1\\nhttp://a.example/2", "", Spelling(), 9)
    >>> [entry.url.text for entry in listing.entries]
    ['http://a.example/1', 'http://a.example/2']
    """
    if not is_list(data):
        return None
    listing = Listing(source)
    for line in islice(_LINE.finditer(data), limit):
        url = spelling.parse(line[0].decode("utf-8", "replace")) if _is_absolute(line) else None
        listing.add(url, LinkKind.SITEMAP)
    return listing


def is_list(data: bytes) -> bool:
    """A page of plain text is not a list because it begins with a URL."""
    sample = list(islice(_LINE.finditer(data), _TEXT_SAMPLE))
    return bool(sample) and all(map(_is_absolute, sample))


def _is_absolute(line: re.Match[bytes]) -> bool:
    return line[0][:8].lower().startswith((b"http://", b"https://"))


def _records(data: bytes, room: _Room) -> Iterator[_Record]:
    record = _Record()
    for event in read_xml(data):
        if event.name in _RECORDS:
            if isinstance(event, Start):
                record = _Record()
            elif record.fields:
                yield record
                record = _Record()
        elif isinstance(event, XmlEnd):
            _take(record, event, room)
        elif event.name == "link" and event.parent == "url":
            room.take_translation(record, event.tail)


def _take(record: _Record, event: XmlEnd, room: _Room) -> None:
    if event.parent in _RECORDS:
        name = event.name if event.name in _FIELDS else _OTHER
        record.fields.setdefault(name, event.text)
    elif event.parent:
        path = f"{event.parent}/{event.name}"
        if path in _MEDIA:
            room.take_media(record, event.text)
        elif path in _NEWS:
            record.fields.setdefault(event.name, event.text)


def _add(listing: Listing, record: _Record, url: Url | None, media: tuple[Url, ...]) -> None:
    said = record.fields.get
    frequency = said("changefreq", "").lower()
    listing.add(
        url,
        LinkKind.SITEMAP,
        title=said("title", ""),
        lastmod=read_date(said("lastmod") or said("publication_date", "")),
        changefreq=frequency if frequency in _FREQUENCIES else "",
        priority=_priority(said("priority", "")),
        media=media,
    )


def _priority(text: str) -> float | None:
    """A number from 0 to 1, or nothing."""
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0.0 <= value <= 1.0 else None

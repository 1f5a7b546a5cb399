"""XML, text and compressed files that may list URLs: sitemaps and feeds, told by their content."""

from gossamer.core.http import read_media_type
from gossamer.core.records import Document, Page
from gossamer.core.settings import ParseSettings
from gossamer.core.url import Base, Spelling
from gossamer.pipeline.parse import feed, sitemap
from gossamer.pipeline.parse.charset_prescan import prescan_xml
from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8
from gossamer.pipeline.parse.gunzip import gunzip
from gossamer.pipeline.parse.list_detection import ANNOUNCED, TEXT, legible, list_type
from gossamer.pipeline.parse.media import media_type_of
from gossamer.pipeline.parse.robots_directives import read_directives
from gossamer.pipeline.parse.url_listing import Listing
from gossamer.pipeline.parse.xml import SNIFFED, root_of
from gossamer.pipeline.parse.xml_text import text_of_xml

_COMPRESSED_NAMES = (".xml.gz", ".txt.gz", ".rss.gz")
_MAX_TEXT = 4 << 20
"""Bytes of XML that text is taken from."""


class ListParser:
    """Reads what may be a sitemap or a feed; anything else is a document without links."""

    def __init__(self, spelling: Spelling, product: str, settings: ParseSettings) -> None:
        self._spelling = spelling
        self._product = product
        self._settings = settings

    def read_xml(self, page: Page) -> Document:
        """A sitemap or feed by its root element."""
        return self._xml(page, page.body[: self._settings.max_sitemap])

    def read_text(self, page: Page) -> Document:
        """A text sitemap, when the page was announced as one; otherwise just text."""
        return self._text(page, page.body[: self._settings.max_sitemap])

    def read_gzip(self, page: Page) -> Document:
        """A compressed sitemap, when its name, its announcement or its type says so."""
        if not self._may_hold_list(page):
            return self._document(page, Listing(page.visit.url.text), "")
        peek = gunzip(page.body, SNIFFED)
        if root_of(legible(peek)):
            return self._xml(page, gunzip(page.body, self._settings.max_sitemap))
        is_list = list_type(peek) == TEXT
        return self._text(page, gunzip(page.body, self._settings.max_sitemap) if is_list else b"")

    def _may_hold_list(self, page: Page) -> bool:
        said = read_media_type(page.headers.get("content-type"))
        return page.visit.via in ANNOUNCED or _is_named_so(page) or "xml" in said.essence

    def _xml(self, page: Page, body: bytes) -> Document:
        said = read_media_type(page.headers.get("content-type"))
        charset = sniff_encoding(body, said.charset, prescan_xml(body) or "utf-8")
        data = to_utf8(body, charset)
        base = self._spelling.base(page.visit.url.text)
        listing = self._listing(page, data, base) if base else Listing(page.visit.url.text)
        text = b"" if root_of(data) in sitemap.ROOTS else text_of_xml(data[:_MAX_TEXT])
        return self._document(page, listing, charset, text)

    def _listing(self, page: Page, data: bytes, base: Base) -> Listing:
        root = root_of(data)
        source, limit = page.visit.url.text, self._settings.max_entries
        if root in sitemap.ROOTS:
            return sitemap.read_sitemap(data, source, base, self._spelling, limit)
        if root in feed.ROOTS:
            return feed.read_feed(data, source, base, self._spelling, limit)
        return Listing(page.visit.url.text)

    def _text(self, page: Page, body: bytes) -> Document:
        said = read_media_type(page.headers.get("content-type"))
        charset = sniff_encoding(body, said.charset, "")
        listing = None
        if page.visit.via in ANNOUNCED or _is_named_so(page):
            data = to_utf8(body, charset)
            source, limit = page.visit.url.text, self._settings.max_entries
            listing = sitemap.read_text_sitemap(data, source, self._spelling, limit)
        return self._document(page, listing or Listing(page.visit.url.text), charset)

    def _document(self, page: Page, listing: Listing, charset: str, text: bytes = b"") -> Document:
        said = read_media_type(page.headers.get("content-type"))
        asked = read_directives(self._product, (), page.headers.get_all("x-robots-tag"))
        return Document(
            page=page,
            title=listing.title,
            charset=charset,
            media_type=media_type_of(page, said),
            links=tuple(listing.links),
            is_indexable=asked.is_indexable,
            is_followable=asked.is_followable,
            bad_links=listing.bad_links,
            entries=tuple(listing.entries),
            text_utf8=text,
        )


def _is_named_so(page: Page) -> bool:
    return page.visit.url.text.partition("?")[0].lower().endswith(_COMPRESSED_NAMES)

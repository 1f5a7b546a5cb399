"""Bodies that list URLs, told by their bytes: sitemaps and feeds come under any Content-Type.

Servers call `sitemap.xml.gz` XML, call it gzip after they unpacked it, and do not know `.rss` at all. Who
was asked for a sitemap has sent one if it looks like one.
"""

import re

from gossamer.core.records import Via
from gossamer.pipeline.parse import feed, sitemap
from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8
from gossamer.pipeline.parse.gunzip import gunzip, is_gzip
from gossamer.pipeline.parse.xml import SNIFFED, root_of

ANNOUNCED = frozenset({Via.SITEMAP, Via.ROBOTS})
"""What came like this may be a list of URLs and nothing else."""
ROOTS = sitemap.ROOTS | feed.ROOTS
GZIP, XML, TEXT = "application/gzip", "text/xml", "text/plain"
_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*<(?:\?xml|rss|feed|rdf|urlset|sitemapindex)[\t\n\f\r :>]",
    re.IGNORECASE,
)
_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?[\t\n\f\r ]*+<(?:!doctype html|html)\b", re.IGNORECASE)
"""How most pages that a sitemap names begin: these are passed by quickly."""
_XHTML = re.compile(
    rb"[\t\n\f\r ]*+<\?xml [^<>]*+>[\t\n\f\r ]*+(?:<!(?i:doctype)[^<>\[]*+>[\t\n\f\r ]*+)?+<html[\t\n\f\r >]"
)
"""How pages of HTML begin that are XML."""


def list_type(body: bytes, charset: str = "") -> str:
    """The type by which a list of URLs is read: gzip, XML or text; empty when it is none.

    >>> list_type(b"<urlset>"), list_type(b"http://a.example/"), list_type(b"<html>")
    ('text/xml', 'text/plain', '')
    """
    if _PAGE.match(body):
        return ""
    if is_gzip(body):
        return GZIP if list_type(gunzip(body, SNIFFED)) in (XML, TEXT) else ""
    head = legible(body, charset)
    if root_of(head) in ROOTS:
        return XML
    return TEXT if sitemap.is_list(head[:SNIFFED]) else ""


def leading_root(head: bytes) -> str:
    """The root element of what begins as XML does, empty for all else. It costs HTML next to nothing."""
    if not _BEGINNING.match(head):
        return ""
    return "html" if _XHTML.match(head) else root_of(head)


def legible(body: bytes, charset: str = "") -> bytes:
    """A body, or the beginning of one in UTF-16, with tags that can be read as ASCII."""
    if b"\0" not in body[:4]:
        return body
    beginning = body[:SNIFFED]
    encoding = sniff_encoding(beginning, charset, "utf-8")
    return to_utf8(beginning, encoding) if encoding.startswith("utf-16") else body

"""Feeds: RSS 2.0 and its ancestors, RSS 1.0 (RDF) and Atom (RFC 4287)."""

from collections.abc import Mapping

from gossamer.core.records import LinkKind
from gossamer.core.url import Base, Spelling
from gossamer.pipeline.parse.feed_dates import read_date
from gossamer.pipeline.parse.tag_attributes import read_attributes
from gossamer.pipeline.parse.url_listing import Listing
from gossamer.pipeline.parse.xml import Start, XmlEnd, read_xml

ROOTS = frozenset({"rss", "rdf", "feed"})

_ITEMS = frozenset({"item", "entry"})
_DATES = ("updated", "pubdate", "date", "published", "modified", "issued")
"""When an item last changed, the best source first."""
_FIELDS = frozenset({"link", "guid", "title", *_DATES})
"""What is kept of an item; it may have any number of others."""


def read_feed(data: bytes, source: str, base: Base, spelling: Spelling, limit: int) -> Listing:
    """Read the items of a feed; `data` is UTF-8 and may be cut off anywhere.

    >>> spelling = Spelling()
    >>> data = b"<rss><channel><item><link>/1</link><title>One</title></item></channel></rss>"
    >>> listing = read_feed(data, "", spelling.base("http://a.example/"), spelling, 10)
    >>> listing.entries[0].url.text, listing.entries[0].title
    ('http://a.example/1', 'One')
    """
    reader = _FeedReader(source, base, spelling)
    for event in read_xml(data):
        if len(reader.listing.entries) >= limit:
            break
        if isinstance(event, Start):
            reader.start(event)
        else:
            reader.end(event)
    return reader.listing


class _FeedReader:
    """Holds the item that is being read."""

    def __init__(self, source: str, base: Base, spelling: Spelling) -> None:
        self.listing = Listing(source)
        self._spelling = spelling
        self._feed_base: Base | None = base
        self._base: Base | None = base
        self._item: dict[str, str] = {}
        self._is_permalink = True

    def start(self, event: Start) -> None:
        if event.name in _ITEMS:
            self._begin(read_attributes(event.tail))
        elif event.name == "link" and event.tail:
            self._see_link(event.parent, read_attributes(event.tail))
        elif event.name == "guid":
            attributes = read_attributes(event.tail)
            self._is_permalink = attributes.get("ispermalink", "true").lower() != "false"
        elif event.name in ROOTS and event.tail:
            self._feed_base = self._base = self._joined(read_attributes(event.tail))

    def end(self, event: XmlEnd) -> None:
        if event.name in _ITEMS:
            self._finish()
        elif event.parent in _ITEMS:
            if event.text and event.name in _FIELDS:
                self._item.setdefault(event.name, event.text)
        elif event.name == "title" and event.parent in ("channel", "feed"):
            self.listing.title = self.listing.title or " ".join(event.text.split())[:1024]

    def _begin(self, attributes: Mapping[str, str]) -> None:
        self._item = {}
        self._is_permalink = True
        self._base = self._joined(attributes)
        if attributes.get("rdf:about"):
            self._item["about"] = attributes["rdf:about"]

    def _joined(self, attributes: Mapping[str, str]) -> Base | None:
        """The base for what follows: `xml:base` may move it; None when it is too long to be one."""
        href = attributes.get("xml:base")
        url = self._spelling.join(self._feed_base, href) if href else None
        return self._spelling.base(url.text) if url else self._feed_base

    def _see_link(self, parent: str, attributes: Mapping[str, str]) -> None:
        """Atom's links stand in attributes; RFC 5005 lets a feed go on at `next`."""
        href = attributes.get("href")
        rel = attributes.get("rel", "alternate").lower()
        if not href:
            return
        if parent in _ITEMS:
            if rel == "alternate":
                self._item.setdefault("link", href)
        elif rel in ("next", "prev-archive"):
            url = self._spelling.join(self._base, href)
            self.listing.link(url, LinkKind.NEXT)

    def _finish(self) -> None:
        item = self._item
        guid = item.get("guid") if self._is_permalink else None
        href = item.get("link") or guid or item.get("about")
        if href:
            self.listing.add(
                self._spelling.join(self._base, href),
                LinkKind.FEED,
                title=item.get("title", ""),
                lastmod=next((read_date(item[name]) for name in _DATES if name in item), None),
            )
        self._item = {}
        self._base = self._feed_base

"""The common part of sitemaps and feeds: they list URLs, with a word about each."""

from gossamer.core.records import Entry, Link, LinkKind
from gossamer.core.url import Url
from gossamer.core.url.url_limits import MOST_JOINED

_OTHER_FORMS = (LinkKind.ALTERNATE, LinkKind.TRANSLATION)
_FETCHABLE = ("http:", "https:", "ftp:", "file:")
_MAX_TITLE = 1024
_MAX_ANCHOR = 256


class Listing:
    """The entries and links read so far."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.title = ""
        self.entries: list[Entry] = []
        self.links: list[Link] = []
        self.bad_links = 0
        self._room = MOST_JOINED

    def add(
        self,
        url: Url | None,
        kind: LinkKind,
        *,
        title: str = "",
        lastmod: float | None = None,
        changefreq: str = "",
        priority: float | None = None,
        media: tuple[Url, ...] = (),
    ) -> None:
        """Add an entry, and a link to it; a URL that is none is only counted."""
        if title:
            title = " ".join(title.split())[:_MAX_TITLE]
        if self.link(url, kind, title):
            assert url is not None, "only a URL makes a link"
            self.entries.append(Entry(url, lastmod, changefreq, priority, title, media))

    def link(self, url: Url | None, kind: LinkKind, anchor: str = "") -> bool:
        """Add a link only; tells whether it is one."""
        if url is None or not self.has_room_for(url):
            self.bad_links += 1
            return False
        if not url.text.startswith(_FETCHABLE):
            return False
        rel = "alternate" if kind in _OTHER_FORMS else ""
        self.links.append(Link(self.source, url, kind, anchor[:_MAX_ANCHOR], rel))
        return True

    def has_room_for(self, url: Url) -> bool:
        """Takes the room, if there is: a long base makes every URL long."""
        self._room -= len(url.text)
        return self._room >= 0

"""Addresses on a page of the crawl become addresses of archived copies."""

from collections.abc import Callable
from urllib.parse import urlencode

from gossamer.core.url import base as base_of
from gossamer.core.url import join

PATH = "/archive/copy"
REPLAY = "/replay"
"""The page that has a copy in a frame, below a bar with its URL, its time and its versions."""
_LONGEST = 4000
_WEB = ("http://", "https://")

Key = Callable[[str], str]
"""The key that a request for a copy carries, by URL."""
Kind = Callable[[str], str]
"""The media type of the copy of a URL; empty when it is not in the archive."""


class CopyAddresses:
    """Rewrites the addresses of one page to the replay."""

    def __init__(
        self, page: str, at: int, key: Key, kind: Kind = lambda url: "", root: str = ""
    ) -> None:
        """Resolve addresses against `page`; copies are taken near the time of the visit `at`.

        `root`: the path below which our own pages are.
        """
        self._base = base_of(page)
        self._at = at
        self._key = key
        self._kind = kind
        self._root = root

    def rebase(self, href: str) -> None:
        """The page names another base."""
        found = self._join(href)
        if found is not None:
            self._base = base_of(found)

    def copy(self, href: str) -> str | None:
        """The address of the copy of what an address leads to; None for what is no page of the web."""
        found = self._join(href)
        if found is None:
            return None
        asked = {"url": found, "at": self._at or "", "key": self._key(found)}
        address = (
            f"{self._root}{PATH}?{urlencode({name: one for name, one in asked.items() if one})}"
        )
        fragment = href.partition("#")[2]
        return f"{address}#{urlencode({'': fragment})[1:]}" if fragment else address

    def link(self, href: str) -> str | None:
        """Rewrite a link to the replay of its copy; a fragment of the same page stays. A place on the same
        page stays one."""
        if href.startswith("#") and href.isprintable():
            return href
        found = self._join(href)
        if found is None:
            return None
        _, sharp, place = href.partition("#")
        asked = {"url": f"{found}{sharp}{place}", **({"at": self._at} if self._at else {})}
        return f"{self._root}{REPLAY}?{urlencode(asked)}"

    def kind(self, href: str) -> str:
        """The media type of the copy that an address leads to; empty when there is none."""
        found = self._join(href)
        return self._kind(found) if found is not None else ""

    def _join(self, href: str) -> str | None:
        if len(href) > _LONGEST or self._base is None:
            return None
        found = join(self._base, href)
        if found is None or not found.text.startswith(_WEB):
            return None
        return found.text

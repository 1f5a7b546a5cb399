"""Addresses on a page of the crawl become addresses of archived copies."""

from collections.abc import Callable
from urllib.parse import urlencode

from gossamer.base.url import base as base_of
from gossamer.base.url import join

PATH = "/archive/copy"
_LONGEST = 4000
_WEB = ("http://", "https://")

Key = Callable[[str], str]
"""The key that a request for a copy carries, by URL."""


class CopyAddresses:
    """Where addresses of one page lead to."""

    def __init__(self, page: str, at: int, key: Key) -> None:
        """What is relative is so to `page`; copies are wanted as they were near the visit `at`."""
        self._base = base_of(page)
        self._at = at
        self._key = key

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
        fragment = href.partition("#")[2]
        address = f"{PATH}?{urlencode({name: one for name, one in asked.items() if one})}"
        return f"{address}#{urlencode({'': fragment})[1:]}" if fragment else address

    def link(self, href: str) -> str | None:
        """The same; a place on the same page stays one."""
        return href if href.startswith("#") and href.isprintable() else self.copy(href)

    def _join(self, href: str) -> str | None:
        if len(href) > _LONGEST or self._base is None:
            return None
        found = join(self._base, href)
        if found is None or not found.text.startswith(_WEB):
            return None
        return found.text

"""URLs that were put behind others, to be judged again: more may be expected of them by now.

What is leased is judged again, so that a URL can always come later than was thought. To come sooner, it must
be looked at while it waits. Some of those that wait behind are remembered here, and looked at in turn, a few
for each page that was read. If there are too many, some are forgotten, and wait where they are.
"""

from collections import OrderedDict
from collections.abc import Iterator
from typing import NamedTuple

_MOST = 1 << 13
_FOR_EACH_PAGE = 8
_AT_ONCE = 128
"""This many are looked at together."""


class UrlBehind(NamedTuple):
    """A URL that waits behind others."""

    key: int
    text: bytes
    host: str
    context: int
    wish: int
    """The level that its order wants for it …"""
    level: int
    """… and the one that it has."""


class Reassessment:
    """Told of URLs by `add`, of pages by `visited`; `due` says which are to be judged again."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._urls: OrderedDict[int, UrlBehind] = OrderedDict()
        self._linked: list[UrlBehind] = []
        """Those to be judged at once."""
        self._due = 0

    def __len__(self) -> int:
        return len(self._urls)

    def add(self, url: UrlBehind) -> None:
        """A URL waits behind others; the one that was looked at longest ago may be forgotten for it."""
        self._urls[url.key] = url
        if len(self._urls) > self._most:
            self._urls.popitem(last=False)

    def link(self, key: int, context: int) -> None:
        """A URL is judged by another link from now on, and at once."""
        if url := self._urls.pop(key, None):
            self._linked.append(url._replace(context=context))

    def visited(self, key: int) -> None:
        """A page was read."""
        self._urls.pop(key, None)
        if self._linked:
            self._linked = [url for url in self._linked if url.key != key]
        self._due += _FOR_EACH_PAGE

    def due(self) -> Iterator[UrlBehind]:
        """Those whose turn it is; they are remembered no longer, unless they are added again."""
        if self._linked:
            linked, self._linked = self._linked, []
            yield from linked
        if self._due < _AT_ONCE:
            return
        count, self._due = min(self._due, _AT_ONCE, len(self._urls)), 0
        take = self._urls.popitem
        for _ in range(count):
            yield take(last=False)[1]

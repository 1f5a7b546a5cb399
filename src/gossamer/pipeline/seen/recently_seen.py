"""URLs that were offered a moment ago: most links of a page are to them, and need not be looked at again."""

from collections.abc import Container, Iterator, Sequence

from gossamer.core.url import Url

_MOST = 100_000
"""Keys in each of two generations; they take about 60 bytes each."""


class Lately:
    """Remembers the keys of URLs that were offered, the last hundred thousand at least.

    It may forget, since the seen set knows for good; but who is here has surely been offered. A crawl
    that goes on after a crash begins with an empty one.

    >>> from gossamer.core.url import parse
    >>> lately, urls = Lately(), [parse("http://a.test/"), parse("http://b.test/")]
    >>> lately.meet(urls[0])
    >>> list(lately.unmet(urls))
    [1]
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._new: set[int] = set()
        self._old: set[int] = set()

    def unmet(self, urls: Sequence[Url], always: Container[int] = ()) -> Iterator[int]:
        """The places of URLs that are not remembered when their turn comes, or are to pass in any case."""
        new, old = self._new, self._old
        places = [
            place
            for place, url in enumerate(urls)
            if (key := url.key) not in new and key not in old
        ]
        if always:
            known = [place for place, url in enumerate(urls) if url.key in always]
            places = sorted({*places, *known})
        for place in places:  # some may have been met since
            key = urls[place].key
            if (key not in self._new and key not in self._old) or key in always:
                yield place

    def meet(self, url: Url) -> None:
        """Remember a URL that was offered."""
        self._new.add(url.key)
        if len(self._new) >= self._most:
            self._new, self._old = set(), self._new

    def __len__(self) -> int:
        return len(self._new) + len(self._old)

"""Which text was met where, lately."""

from functools import lru_cache
from typing import NamedTuple

import xxhash

from gossamer.analyzers.redundancy.bounded_memory import Recent

_MOST = 1 << 16


class Met(NamedTuple):
    """The URL where a text was met first, if another one."""

    anywhere: str
    here: str
    """At the same origin."""


class Texts:
    """From a text to the URL where it was met first, and from a URL to its text.

    >>> texts = Texts()
    >>> texts.meet("http://a.test/1", "http://a.test", 77)
    Met(anywhere='', here='')
    >>> texts.meet("http://b.test/2", "http://b.test", 77)
    Met(anywhere='http://a.test/1', here='')
    >>> texts.said_at("http://b.test/2")
    77
    """

    def __init__(self, most: int = _MOST) -> None:
        self._places: Recent[int, str] = Recent(2 * most)
        self._said: Recent[int, int] = Recent(most)
        self._alike: Recent[int, tuple[int, int]] = Recent(most)

    def meet(self, url: str, origin: str, said: int, alike: tuple[int, int] | None = None) -> Met:
        """Note what a page says; returns the other URLs that said so before.

        `alike`: numbers that pages have in common that say nearly the same.
        """
        key = _key(url)
        self._said[key] = said
        if alike is not None:
            self._alike[key] = alike
        if not said:
            return _NOWHERE
        return Met(self._first(said, url), self._first(said ^ _key_of_origin(origin), url))

    def _first(self, key: int, url: str) -> str:
        first = self._places.get(key)
        if first is None:
            self._places[key] = url
        return "" if first is None or first == url else first

    def note(self, url: str, said: int) -> None:
        """Another partition has read a page."""
        self._said[_key(url)] = said

    def note_failure(self, url: str) -> None:
        """There is no page at a URL, which is also something to compare."""
        self._said[_key(url)] = -1

    def said_at(self, url: str) -> int | None:
        """The number of the text at a URL; -1 when there is none, None when it is not known."""
        return self._said.get(_key(url))

    def is_alike(self, url: str, other: str) -> bool:
        """Do the pages at two URLs say nearly the same, as far as is known?"""
        here, there = self._alike.get(_key(url)), self._alike.get(_key(other))
        if here is None or there is None:
            return False
        return any(one and one == two for one, two in zip(here, there, strict=True))


def _key(url: str) -> int:
    return xxhash.xxh3_64_intdigest(url.encode("utf-8", "surrogatepass"))


_key_of_origin = lru_cache(maxsize=1 << 12)(_key)
_NOWHERE = Met("", "")

"""What orders are about: a host, or URLs by a pattern.

    example.org             this host
    *.example.org           all hosts below it
    example.org/private/*   URLs of either scheme; * stands for any characters, / included
    https://a.test/x?id=1   this very URL

A ? is a character like any other, because URLs have them.
"""

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from gossamer.base.errors import GossamerError
from gossamer.base.url import Url, parse

_LONGEST = 2000
_Found = TypeVar("_Found")


class OrderError(GossamerError):
    """An order that cannot be understood, or cannot be carried out."""


def read_pattern(text: str) -> str:
    """The pattern that is meant, in one spelling.

    >>> read_pattern("Example.ORG"), read_pattern("http://a.test"), read_pattern("a.test/x*")
    ('example.org', 'http://a.test/', 'a.test/x*')
    """
    text = text.strip()
    if not text or len(text) > _LONGEST or any(one.isspace() for one in text):
        raise OrderError(
            f"{text[:80]!r} is no host and no URL pattern; write e.g. example.org or example.org/private/*"
        )
    if "/" not in text:
        return read_host(text) if "*" not in text else text.lower()
    if "*" in text:
        return text
    has_scheme = "://" in text
    url = parse(text if has_scheme else f"http://{text}")
    if url is None or not url.host:
        raise OrderError(f"{text[:80]!r} is no URL; write e.g. https://example.org/page")
    return url.text if has_scheme else url.text.removeprefix("http://")


def read_host(text: str) -> str:
    """One host, in one spelling.

    >>> read_host("Example.ORG:8000")
    'example.org'
    """
    url = parse(f"http://{text.strip()}/") if "/" not in text else parse(text.strip())
    if url is None or not url.host or "*" in text:
        raise OrderError(f"{text[:80]!r} is no host; write e.g. example.org")
    return url.host


class Patterns(Generic[_Found]):
    """Patterns, each with something; hosts are found at once, whatever their number.

    >>> patterns = Patterns({"a.test": 1, "*.b.test": 2, "c.test/x*": 3})
    >>> [patterns.find(parse(url)) for url in ("http://a.test/", "http://www.b.test/", "http://c.test/xy")]
    [1, 2, 3]
    >>> patterns.find(parse("http://b.test/")) is None
    True
    """

    def __init__(self, found: Mapping[str, _Found] = {}) -> None:
        self._hosts = {text: one for text, one in found.items() if _is_host(text)}
        others = [(text, one) for text, one in found.items() if not _is_host(text)]
        self._names = [(_Glob(text), one) for text, one in others if "/" not in text]
        self._urls = [(_UrlGlob(text), one) for text, one in others if "/" in text]

    def __bool__(self) -> bool:
        return bool(self._hosts or self._names or self._urls)

    def find(self, url: Url) -> _Found | None:
        """What belongs to the pattern that matches: a URL's own before its host's, the last one first."""
        text = url.text
        for pattern, found in reversed(self._urls):
            if pattern.matches(text):
                return found
        return self.find_host(url.host)

    def find_host(self, host: str) -> _Found | None:
        """The same for a host as a whole."""
        if host in self._hosts:
            return self._hosts[host]
        for pattern, found in reversed(self._names):
            if pattern.matches(host):
                return found
        return None


def matches(texts: Iterable[str], url: Url) -> bool:
    """Does a URL match one of these patterns?"""
    return Patterns(dict.fromkeys(texts, True)).find(url) is not None


def _is_host(text: str) -> bool:
    return "/" not in text and "*" not in text


class _Glob:
    """A text with stars. The parts between them are looked for one after the other: that takes time by the
    length of a URL, whatever the pattern is."""

    def __init__(self, text: str) -> None:
        self._first, *rest = text.split("*")
        self._last = rest.pop() if rest else None
        self._parts = [part for part in rest if part]

    def matches(self, text: str) -> bool:
        if self._last is None:
            return text == self._first
        at, end = len(self._first), len(text) - len(self._last)
        if at > end or not (text.startswith(self._first) and text.endswith(self._last)):
            return False
        for part in self._parts:
            found = text.find(part, at, end)
            if found < 0:
                return False
            at = found + len(part)
        return True


class _UrlGlob(_Glob):
    """The same for URLs; one without a scheme is about http and https."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._has_scheme = "://" in text

    def matches(self, text: str) -> bool:
        return super().matches(text if self._has_scheme else text.partition("://")[2])

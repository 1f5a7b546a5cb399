"""Targets of commands: a host, or URLs by a pattern.

    example.org             this host, with all its ports
    example.org:8080        this port of it, by whatever scheme
    *.example.org           all hosts below it
    example.org/private/*   URLs of either scheme; * stands for any characters, / included
    https://a.test/x?id=1   this very URL

A ? is a character like any other, because URLs have them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from gossamer.core.errors import GossamerError
from gossamer.core.secret_settings import without_user
from gossamer.core.url import Url, parse

_LONGEST = 2000
_Found = TypeVar("_Found")


class CommandError(GossamerError):
    """A command that cannot be understood, or cannot be carried out."""


def read_pattern(text: str) -> str:
    """The pattern that is meant, in one spelling.

    >>> read_pattern("Example.ORG"), read_pattern("http://a.test"), read_pattern("a.test/x*")
    ('example.org', 'http://a.test/', 'a.test/x*')
    >>> read_pattern("Example.ORG:8080"), read_pattern("http://me:word@a.test/*")
    ('example.org:8080', 'http://a.test/*')
    """
    text = _without_user(text.strip())
    if not text or len(text) > _LONGEST or any(one.isspace() for one in text):
        raise CommandError(
            f"{text[:80]!r} is neither a host nor a URL pattern; write e.g. example.org or "
            "example.org/private/*"
        )
    if "/" not in text:
        return _read_place(text) if "*" not in text else text.lower()
    if "*" in text:
        return text
    has_scheme = "://" in text
    url = parse(text if has_scheme else f"http://{text}")
    if url is None or not url.host:
        raise CommandError(f"{text[:80]!r} is not a URL; write e.g. https://example.org/page")
    return url.text if has_scheme else url.text.removeprefix("http://")


def _without_user(text: str) -> str:
    """A URL has no user and no password here: a pattern with them would match nothing, and show them.

    >>> _without_user("me:word@a.test/*"), _without_user("*@me/photos/*")
    ('a.test/*', '*@me/photos/*')
    """
    rest = without_user(text)
    return rest if rest.count("*") == text.count("*") else text


def _read_place(text: str) -> str:
    """A host, or one port of it."""
    host, port = read_host(text), _port_in(text)
    if port and not 0 < int(port) < 65_536:
        raise CommandError(f"{text[:80]!r}: there is no port {port}; write e.g. example.org:8080")
    return f"{host}:{int(port)}" if port else host


def read_host(text: str) -> str:
    """One host, in one spelling, whatever port is named.

    >>> read_host("Example.ORG:8000")
    'example.org'
    """
    url = parse(f"http://{text.strip()}/") if "/" not in text else parse(text.strip())
    if url is None or not url.host or "*" in text:
        raise CommandError(f"{text[:80]!r} is not a host; write e.g. example.org")
    return url.host


def read_whole_host(text: str) -> str:
    """One host; a command that holds for all its ports is not given for one of them."""
    host = read_host(text)
    if "/" not in text and _port_in(text):
        raise CommandError(
            f"{text[:80]!r}: a delay holds for a host with all its ports; write {host}"
        )
    return host


def _port_in(text: str) -> str:
    """The port of a place, as it is written; empty when none is.

    >>> _port_in("a.test:80"), _port_in("[::1]:8080"), _port_in("[::1]"), _port_in("*.a.test:*")
    ('80', '8080', '', '*')
    """
    before, colon, port = text.strip().rpartition(":")
    is_port = (port.isascii() and port.isdigit()) or port == "*"
    return port if colon and before and is_port and not before.endswith(":") else ""


class Patterns(Generic[_Found]):
    """Patterns, each with something; what matches is found at once, whatever their number.

    >>> patterns = Patterns({"a.test": 1, "*.b.test": 2, "c.test/x*": 3})
    >>> [patterns.find(parse(url)) for url in ("http://a.test/", "http://www.b.test/", "http://c.test/xy")]
    [1, 2, 3]
    >>> patterns.find(parse("http://b.test/")) is None
    True
    """

    def __init__(self, found: Mapping[str, _Found] = {}) -> None:
        self._names: _Globs[_Found] = _Globs()
        self._ports: _Globs[_Found] | None = None
        """With a port; most have none."""
        self._with_scheme: _Globs[_Found] = _Globs()
        self._without: _Globs[_Found] = _Globs()
        for number, (text, one) in enumerate(found.items()):
            self._table_of(text).add(text, number, one)
        self._size = len(found)

    def _table_of(self, text: str) -> "_Globs[_Found]":
        if "/" not in text and _port_in(text):
            self._ports = self._ports or _Globs()
            return self._ports
        if "/" not in text:
            return self._names
        return self._with_scheme if "://" in text else self._without

    def __bool__(self) -> bool:
        return self._size > 0

    def find(self, url: Url) -> _Found | None:
        """The entry of the pattern that matches, the last one first: a URL's own, then that of its port,
        then that of its host."""
        text = url.text
        rest = text.partition("://")[2]
        found = max(
            self._with_scheme.find(text, url.host), self._without.find(rest, url.host), key=_number
        )
        if found[0] < 0 and self._ports is not None:
            found = self._ports.find(_place_of(url), url.host)
        return found[1] if found[0] >= 0 else self.find_host(url.host)

    def find_host(self, host: str) -> _Found | None:
        """The same for a host as a whole: its name before a pattern."""
        exact = self._names.exact.get(host)
        return exact[1] if exact is not None else self._names.find(host, host)[1]


def matches(texts: Iterable[str], url: Url) -> bool:
    """Does a URL match one of these patterns?"""
    return Patterns(dict.fromkeys(texts, True)).find(url) is not None


_USUAL = {"http": "80", "https": "443"}
"""Ports that a URL does not name."""


def _place_of(url: Url) -> str:
    """The host and the port that are asked.

    >>> _place_of(parse("https://a.test/")), _place_of(parse("http://[::1]:8080/"))
    ('a.test:443', '[::1]:8080')
    """
    named = url.origin.partition("://")[2]
    return named if _port_in(named) else f"{url.host}:{_USUAL.get(url.scheme, '')}"


def _number(found: tuple[int, object]) -> int:
    return found[0]


class _Globs(Generic[_Found]):
    """Texts with stars. Of thousands of them only a few are looked at.

    Those without a star are found at once, those with one at an end by the text before or behind it, once
    for each length. Others are looked at if the host in them is the right one, or has a star itself.
    """

    def __init__(self) -> None:
        self.exact: dict[str, tuple[int, _Found]] = {}
        self._beginnings: dict[int, dict[str, tuple[int, _Found]]] = {}
        self._ends: dict[int, dict[str, tuple[int, _Found]]] = {}
        self._by_host: dict[str, list[tuple[int, _Glob, _Found]]] = {}

    def add(self, text: str, number: int, found: _Found) -> None:
        """Later ones have higher numbers, and count before those that were there."""
        entry, inner = (number, found), text.strip("*")
        if "*" not in text:
            self.exact[text] = entry
        elif "*" not in inner and not text.startswith("*"):
            self._beginnings.setdefault(len(inner), {})[inner] = entry
        elif "*" not in inner and not text.endswith("*"):
            self._ends.setdefault(len(inner), {})[inner] = entry
        else:
            self._by_host.setdefault(_host_in(text), []).append((number, _Glob(text), found))

    def find(self, text: str, host: str) -> tuple[int, _Found | None]:
        """The last one that matches, and its number; -1 when none does."""
        best: tuple[int, _Found | None] = self.exact.get(text, (-1, None))
        length = len(text)
        for size, some in self._beginnings.items():
            if size <= length and (entry := some.get(text[:size], best))[0] > best[0]:
                best = entry
        for size, some in self._ends.items():
            if size <= length and (entry := some.get(text[length - size :], best))[0] > best[0]:
                best = entry
        for name in (host, ""):
            best = self._look(self._by_host.get(name, ()), text, best)
        return best

    def _look(
        self,
        globs: Sequence[tuple[int, "_Glob", _Found]],
        text: str,
        best: tuple[int, _Found | None],
    ) -> tuple[int, _Found | None]:
        for number, glob, found in reversed(globs):
            if number < best[0]:
                break
            if glob.matches(text):
                return number, found
        return best


def _host_in(text: str) -> str:
    """The host that a pattern for URLs names; empty when it may match several.

    >>> _host_in("a.test:80/x*y*"), _host_in("https://a.test/*/b"), _host_in("*.a.test/*/b")
    ('a.test', 'a.test', '')
    """
    scheme, has_scheme, rest = text.partition("://")
    place = (rest if has_scheme else text).partition("/")[0]
    if "*" in place or not place or (has_scheme and "*" in scheme):
        return ""
    url = parse(f"http://{place}/")
    return url.host if url is not None else ""


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

"""The WHATWG URL standard, read by two parsers.

`can_ada` is fast and is asked first. It holds an old release of its parser, which refuses
international names that the standard has since come to accept, maps the capital `ẞ` to `ss`, does
not escape `^` in paths nor the last space of an opaque one, and looks for dot segments only at the
first `/.` of a path, so that `/.well-known/../a` stays as it is. Where one of these can matter,
`ada_url` is asked: the same parser, newer, several times slower to call.
`docs/decisions/0002-urls.md` has the measurements.
"""

import re
from typing import Protocol

import ada_url
import can_ada

from gossamer.core.url.url_limits import LONGEST_HOST, has_endless_host, scrub

_has_dot_segment = re.compile(r"/\.\.?(?:/|\Z)").search


class Parsed(Protocol):
    """The result of both parsers."""

    @property
    def href(self) -> str: ...
    @property
    def protocol(self) -> str: ...
    @property
    def username(self) -> str: ...
    @property
    def password(self) -> str: ...
    @property
    def hostname(self) -> str: ...
    @property
    def origin(self) -> str: ...
    def __add__(self, href: str) -> "Parsed":
        """Join; raises ValueError for what is no URL, TypeError for what is no Unicode."""


class CarefulUrl(ada_url.URL):
    """A URL of the newer parser, joined in the same way as one of the fast parser."""

    def __add__(self, href: str) -> "CarefulUrl":
        return CarefulUrl(href, self.href)


def parse_standard(text: str) -> Parsed | None:
    """The URL that stands on its own, or None when it is none."""
    if len(text) > LONGEST_HOST and has_endless_host(text):
        return None
    if text.isascii():
        try:
            return _doubted(can_ada.parse(text))
        except ValueError:
            pass
    return parse_carefully(text, None)


def join_standard(base: Parsed, href: str) -> Parsed | None:
    """The URL that a link points to, or None when it points nowhere."""
    if len(href) > LONGEST_HOST and has_endless_host(href):
        return None
    if href.isascii():
        try:
            return _doubted(base + href)
        except ValueError:
            pass
    return parse_carefully(href, base)


def parse_carefully(text: str, base: Parsed | None) -> Parsed | None:
    """Ask the newer parser, if it may know better than that this is no URL.

    It may when the host is international, be it in Unicode or in Punycode.
    """
    if text.isascii() and "xn--" not in text.lower():
        return None
    try:
        return CarefulUrl(scrub(text), None if base is None else base.href)
    except ValueError:
        return None


def parse_again(text: str) -> Parsed:
    """A URL as a parser has written it, by the fast parser if it can."""
    try:
        parsed: Parsed = can_ada.parse(text)
        return parsed
    except ValueError:
        return CarefulUrl(text)


def repair_path(path: str) -> str:
    """The path of a special scheme as the newer parser would have it.

    >>> repair_path("/.well-known/../a^b/"), repair_path("/.well-known/..a")
    ('/a%5Eb/', '/.well-known/..a')
    """
    if "^" in path or ("/." in path and _has_dot_segment(path)):
        return str(CarefulUrl("http://h" + path).pathname)
    return path


def _doubted(parsed: Parsed) -> Parsed:
    """Doubt the fast parser's word about dot segments."""
    return CarefulUrl(parsed.href) if "/." in parsed.href else parsed

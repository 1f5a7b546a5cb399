"""The groups of a page: what it has in common with others, so that its rate is known before its second visit.

By its URL (`groups_of`), by what is said of it (`observations`), and by what it is: what the order says that
it is worth, and its content. Barbosa and others (WebDB 2005), Tan and Mitra (TWEB 2010) foretell changes from
such features. The groups of worth and content go across all hosts, so they have many pages each, on small
webs too.
"""

from math import frexp

from xxhash import xxh3_64_intdigest

from gossamer.core.records import Document

LEVELS = 3
"""A page belongs to this many groups by its URL: its depth, its host, its folder."""
TRAITS = 2
"""And to this many by what it is: its worth, its content."""
NO_GROUP = -1
_SIZES = (500, 4_000, 32_000)
"""Bytes of text …"""
_LINKS = (4, 16, 64)
"""… and links, that tell pages apart."""
_DIGITS = (0.001, 0.03)
"""The part of a text that is digits: none, some dates and numbers, tables and lists of them."""
_NUMERALS = b"0123456789"
_WORTHS = 1 << 12
"""More than the exponents of all numbers."""


def groups_of(depth: int, host: str, url: str) -> tuple[int, int, int]:
    """The groups of a page by its URL, from the wide to the narrow: its depth, its host, its folder."""
    folder = url.partition("?")[0].rpartition("/")[0]
    return min(depth, 9), number_of(host), number_of(folder)


def worth_group(worth: float) -> int:
    """Pages whose worth differs by less than two times; none for those that are worth nothing.

    >>> worth_group(0.0), worth_group(3.0) == worth_group(2.5), worth_group(3.0) == worth_group(6.0)
    (-1, True, False)
    """
    return _WORTHS + frexp(worth)[1] if worth > 0 else NO_GROUP


def content_class(document: Document) -> int:
    """A number for what a page is made of: its kind, how long it is, its links, its numbers; never 0.

    It takes two bytes at most, and travels with the URL: a page that says 304 shows nothing of itself.
    """
    text = document.text_utf8
    digits = len(text) - len(text.translate(None, _NUMERALS))
    kind = 0 if "html" in document.media_type else 1 + bool(document.entries)
    size, links = _place(len(text), _SIZES), _place(len(document.links), _LINKS)
    numbers = _place(digits / max(len(text), 1), _DIGITS)
    return 1 + ((kind * 4 + size) * 4 + links) * 3 + numbers


def _place(number: float, bounds: tuple[float, ...]) -> int:
    return sum(number >= bound for bound in bounds)


def number_of(text: str) -> int:
    """A number for a group that has a name."""
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) >> 2

"""A parser that is to run apart."""

from msgspec import Struct


class Isolated(Struct, frozen=True):
    """Names a parser that a child process loads and runs; the crawl itself never imports it.

    >>> Isolated("my_package.pictures:read_picture").reference
    'my_package.pictures:read_picture'
    """

    reference: str
    """The function, as `package.module:name`: from a `Page` to a `Document`."""

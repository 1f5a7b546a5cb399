"""A URL, parsed once."""

import re

from msgspec import Struct

from gossamer.core.url.domain import pay_level_domain
from gossamer.core.url.surt import transform

_scheme_and_authority = re.compile(r"\A[^:]*:(?://[^/?]*)?")


class Url(Struct, frozen=True, gc=False):
    """A URL in its canonical spelling, with what the ring asks of it.

    The fields are those that every link needs, so they are made at once; the properties are for
    the few links that go further.

    >>> from gossamer.core.url import parse
    >>> url = parse("HTTP://www.Example.co.uk:8080/a/../%7Eb?q=1#top")
    >>> url.text
    'http://www.example.co.uk:8080/~b?q=1'
    >>> url.host, url.origin, url.domain
    ('www.example.co.uk', 'http://www.example.co.uk:8080', 'example.co.uk')
    >>> url.path, url.surt
    ('/~b?q=1', 'uk,co,example:8080)/~b?q=1')
    """

    text: str
    host: str
    """The name or address without the port; IPv6 in brackets; empty when there is none."""
    origin: str
    """`scheme://host[:port]`; `null`, as the standard has it, for schemes that have no origin."""
    key: int
    """The 64-bit XXH3 hash of the text."""

    @property
    def scheme(self) -> str:
        return self.text.partition(":")[0]

    @property
    def domain(self) -> str:
        """The pay-level domain: the part that is registered and paid for. Of an address, itself."""
        return pay_level_domain(self.host)

    @property
    def path(self) -> str:
        """Path and query: what the rules of a robots.txt are matched with."""
        if self.text.startswith(self.origin):
            return self.text[len(self.origin) :]
        return _scheme_and_authority.sub("", self.text, count=1)

    @property
    def surt(self) -> str:
        """The key of this URL in a CDXJ index, as pywb makes it; see `surt.py`."""
        return transform(self.text, self.host, self.origin, self.path)

    def __str__(self) -> str:
        return self.text

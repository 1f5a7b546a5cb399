"""The answer of a URL, described before it is written out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gossamer.lab.response_transfer import WHOLE, VirtualTransfer


class LabLink(NamedTuple):
    """A link as it stands on a page; the URL is in its canonical spelling."""

    url: str
    anchor: str = ""
    rel: str = ""

    @property
    def is_nofollow(self) -> bool:
        return "nofollow" in self.rel.split()


class Tongue(NamedTuple):
    """The language and the encoding of a page, and where the encoding is told."""

    language: str
    charset: str
    in_header: bool
    in_meta: bool


class PageValidators(NamedTuple):
    """By what a host lets a copy be told from the page (RFC 9110, 8.8)."""

    tag: str
    modified: float
    """Seconds since 1970."""
    is_heeded: bool
    """Does the host itself heed them, and answer 304?"""


REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(slots=True)
class Answer:
    """The answer of a URL: the page, the status, and the way it is sent.

    `site` and `index` name the page whose words are used. An ordinary page (`is_ordinary`) has the
    links that `linking` plans; any other page has the menu of its host and its `extra` links.
    Truth reads these fields, the server writes them out: there is no second source.
    """

    site: int
    index: int
    kind: str = "page"
    """For people and tests: the behaviour's name for it."""
    is_ordinary: bool = False
    status: int = 200
    location: str = ""
    """Where a redirect goes, as an absolute URL."""
    extra: Sequence[LabLink] = ()
    robots: str = ""
    """The content of `<meta name=robots>`; empty is none."""
    fields: bytes = b""
    """Further header lines, each ended by CRLF."""
    content: bytes | None = None
    """A body that is no HTML page."""
    media_type: str = "text/html"
    tongue: Tongue | None = None
    """None is English in UTF-8."""
    is_absolute: bool = False
    """All links are written as absolute URLs, so that a copy on another host means the same."""
    mirror: str = ""
    """The origin of the mirror that serves it, where its relative links lead to."""
    has_menu: bool = True
    """The menu of its host stands on it; only pages that are not ordinary may lack it."""
    is_packed: bool = False
    """Sent with gzip to those who accept it."""
    transfer: VirtualTransfer = WHOLE
    validators: PageValidators | None = None
    """What conditional requests are compared with; the fields that tell them are in `fields`."""
    moment: float = 0.0
    """The day at which a living web answers."""
    wait: float = 0.0
    """Seconds before the first byte."""
    pause: float = 0.0
    """Seconds in the middle of the answer."""

    @property
    def is_redirect(self) -> bool:
        return self.status in REDIRECTS

    @property
    def is_usable(self) -> bool:
        """Does a crawler get a page out of it that it can read and keep?"""
        return self.status == 200 and self.transfer.is_complete

    @property
    def is_followed(self) -> bool:
        """May its links be followed? Not those of error pages, nor against `nofollow`."""
        return self.status == 200 and not (self.robots and is_nofollow(self.robots))


def is_nofollow(directives: str) -> bool:
    """Does a list of meta robots directives forbid to follow links?

    >>> is_nofollow("noindex, nofollow"), is_nofollow("noindex")
    (True, False)
    """
    return not {"nofollow", "none"}.isdisjoint(directives.replace(" ", "").split(","))

"""Announcements of hosts about changes of their pages: true, false or none."""

from enum import IntEnum
from typing import NamedTuple

from gossamer.lab.seeded_chance import draw


class Candour(IntEnum):
    """Ways in which a host reports changes."""

    TRUE = 0
    LYING = 1
    """It says that all has changed just now."""
    SILENT = 2
    """It says nothing of changes."""
    ABSENT = 3
    """There is no such thing on this host."""


_TRUE, _LYING, _SILENT, _ABSENT = Candour
_FIELDS = (_TRUE,) * 5 + (_LYING,) * 2 + (_SILENT,) * 3
_SITEMAPS = (_TRUE,) * 3 + (_LYING,) * 3 + (_SILENT,) * 2 + (_ABSENT,) * 2
_FEEDS = (_TRUE,) * 4 + (_LYING,) * 2 + (_SILENT,) + (_ABSENT,) * 3


class Habits(NamedTuple):
    """The way in which a host reports changes, for each header field and list."""

    validators: Candour
    """`Last-Modified` and `ETag`. Only who tells the truth answers 304."""
    caching: Candour
    """`Cache-Control` and `Expires`."""
    sitemap: Candour
    feed: Candour


def habits_of(seed: int, site: int) -> Habits:
    """The habits of a host; the first one tells the truth in all ways."""
    if not site:
        return Habits(_TRUE, _TRUE, _TRUE, _TRUE)
    return Habits(
        _FIELDS[draw(seed, "validators", site) % len(_FIELDS)],
        _FIELDS[draw(seed, "caching", site) % len(_FIELDS)],
        _SITEMAPS[draw(seed, "sitemap", site) % len(_SITEMAPS)],
        _FEEDS[draw(seed, "feed", site) % len(_FEEDS)],
    )

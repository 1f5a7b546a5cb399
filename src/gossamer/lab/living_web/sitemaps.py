"""Sitemaps and feeds: what a host says of all its pages at once."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from email.utils import formatdate
from html import escape
from typing import NamedTuple

from gossamer.lab.living_web.habits import Candour

SITEMAP, FEED = "/sitemap.xml", "/feed.xml"
PART = 20_000
"""Pages in a sitemap; a larger host has an index of several."""
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_FREQUENCIES = ((24.0, "always"), (3.0, "hourly"), (0.5, "daily"), (0.07, "weekly"))
_RARE = ((0.01, "monthly"), (0.0, "yearly"))


class SitemapEntry(NamedTuple):
    """A page in a sitemap."""

    url: str
    modified: float
    """Seconds since 1970."""
    rate: float
    """Changes a day."""


class FeedEntry(NamedTuple):
    """A new page in a feed; times are seconds since 1970."""

    url: str
    title: str
    published: float
    updated: float


def changefreq(rate: float) -> str:
    """The word of the sitemap protocol for a rate.

    >>> [changefreq(rate) for rate in (30, 1, 0.14, 0.03, 0.002, 0)]
    ['always', 'daily', 'weekly', 'monthly', 'yearly', 'never']
    """
    return next((word for least, word in _FREQUENCIES + _RARE if rate > least), "never")


def write_sitemap(entries: Iterable[SitemapEntry], candour: Candour, now: float) -> bytes:
    """A liar says that all has changed just now, and does so each day."""
    items = "".join(_sitemap_item(entry, candour, now) for entry in entries)
    return f"{_XML}<urlset {_SPACE}>\n{items}</urlset>\n".encode()


def _sitemap_item(entry: SitemapEntry, candour: Candour, now: float) -> str:
    about = ""
    if candour is not Candour.SILENT:
        is_true = candour is Candour.TRUE
        modified = entry.modified if is_true else now
        word = changefreq(entry.rate) if is_true else "daily"
        about = f"<lastmod>{_date(modified)}</lastmod><changefreq>{word}</changefreq>"
    return f"<url><loc>{escape(entry.url)}</loc>{about}</url>\n"


def write_index(urls: Iterable[str]) -> bytes:
    items = "".join(f"<sitemap><loc>{escape(url)}</loc></sitemap>\n" for url in urls)
    return f"{_XML}<sitemapindex {_SPACE}>\n{items}</sitemapindex>\n".encode()


def write_atom(origin: str, entries: Sequence[FeedEntry], candour: Candour, now: float) -> bytes:
    """A feed as RFC 4287 says; there a date is a must, so who is silent has the same for all."""
    listed = [_listed(entry, candour, now) for entry in entries]
    items = "".join(
        f'<entry><title>{escape(e.title)}</title><link href="{escape(e.url)}"/><id>{escape(e.url)}</id>'
        f"<published>{_date(e.published)}</published><updated>{_date(e.updated)}</updated></entry>\n"
        for e in listed
    )
    latest = max((entry.updated for entry in listed), default=0.0)
    return (
        f'{_XML}<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>{origin}{FEED}</id>'
        f"<author><name>Chance</name></author><updated>{_date(latest)}</updated>\n{items}</feed>\n"
    ).encode()


def write_rss(origin: str, entries: Sequence[FeedEntry], candour: Candour, now: float) -> bytes:
    """A feed as RSS 2.0 says, where a date may be missing."""
    items = "".join(
        f"<item><title>{escape(entry.title)}</title><link>{escape(entry.url)}</link>"
        f"{_rss_date(entry, candour)}</item>\n"
        for entry in (_listed(entry, candour, now) for entry in entries)
    )
    return (
        f'{_XML}<rss version="2.0"><channel><title>News</title><link>{origin}/</link>'
        f"<description>What is new</description>\n{items}</channel></rss>\n"
    ).encode()


def _listed(entry: FeedEntry, candour: Candour, now: float) -> FeedEntry:
    if candour is Candour.TRUE:
        return entry
    claimed = now if candour is Candour.LYING else 0.0
    return entry._replace(published=claimed, updated=claimed)


def _rss_date(entry: FeedEntry, candour: Candour) -> str:
    if candour is Candour.SILENT:
        return ""
    return f"<pubDate>{formatdate(entry.published, usegmt=True)}</pubDate>"


def _date(seconds: float) -> str:
    return f"{datetime.fromtimestamp(round(seconds), UTC):%Y-%m-%dT%H:%M:%SZ}"

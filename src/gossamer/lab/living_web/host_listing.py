"""List the pages of a host at a moment: sitemaps and feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gossamer.lab.living_web.sitemaps import (
    FEED,
    PART,
    SITEMAP,
    FeedEntry,
    SitemapEntry,
    write_atom,
    write_index,
    write_rss,
    write_sitemap,
)

if TYPE_CHECKING:
    from gossamer.lab.living_web.living_web import LivingWeb

_FEED_LENGTH = 20


def listing_at(web: LivingWeb, site: int, target: str) -> bytes | None:
    """Return the sitemap or feed at a path; None where there is none."""
    return feed_of(web, site) if target == FEED else _sitemap_at(web, site, target)


def _sitemap_at(web: LivingWeb, site: int, target: str) -> bytes | None:
    """The sitemap of a small host; of a large one an index, and its parts."""
    parts = [f"/sitemap-{first}.xml" for first in range(0, web.size(site), PART)]
    if len(parts) == 1:
        return sitemap_of(web, site) if target == SITEMAP else None
    if target == SITEMAP:
        return write_index(web.origin(site) + part for part in parts)
    return sitemap_of(web, site, parts.index(target) * PART) if target in parts else None


def sitemap_of(web: LivingWeb, site: int, first: int = 0) -> bytes:
    """The pages of a host that are there now, from an index on, with when each last changed."""
    day, evolution = web.clock.days(), web.evolution
    pages = np.arange(first, min(web.size(site), first + PART)) + evolution.number(site, 0)
    there = pages[evolution.is_alive(day)[pages]]
    changed = evolution.last_changes(there, day)
    entries = [
        SitemapEntry(
            web.url_on(*evolution.place(page), day), web.seconds(since), evolution.rate(page)
        )
        for page, since in zip(there.tolist(), changed.tolist(), strict=True)
    ]
    return write_sitemap(entries, web.habits(site).sitemap, web.seconds(day))


def feed_of(web: LivingWeb, site: int) -> bytes:
    """The latest pages of a host in one of two formats, the last one first."""
    day, evolution = web.clock.days(), web.evolution
    pages = np.arange(web.size(site)) + evolution.number(site, 0)
    there = pages[(evolution.born[pages] > 0) & evolution.is_alive(day)[pages]]
    latest = there[np.argsort(-evolution.born[there], kind="stable")][:_FEED_LENGTH]
    changed = evolution.last_changes(latest, day)
    entries = [
        _feed_entry(web, page, day, since)
        for page, since in zip(latest.tolist(), changed.tolist(), strict=True)
    ]
    write = write_rss if web.draw("feed format", site) & 1 else write_atom
    return write(web.origin(site), entries, web.habits(site).feed, web.seconds(day))


def _feed_entry(web: LivingWeb, page: int, day: float, since: float) -> FeedEntry:
    place, born = web.evolution.place(page), float(web.evolution.born[page])
    return FeedEntry(
        web.url_on(*place, day), web.title(*place), web.seconds(born), web.seconds(since)
    )

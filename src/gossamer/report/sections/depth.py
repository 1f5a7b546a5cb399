"""Depth of pages: links away from a seed."""

from collections import Counter

import numpy as np

from gossamer.report.bars import draw_bars
from gossamer.report.clicks import NEVER, count_clicks
from gossamer.report.crawled_site import Site
from gossamer.report.references import References
from gossamer.report.report_section import Section

_MOST_BARS = 40


def find_deep_pages(site: Site, references: References, links: int) -> Section:
    seeds = [site.number(site.follow(page.url).end) for page in site if _is_start(site, page.url)]
    clicks = count_clicks(len(site), seeds, *(np.array(side) for side in references.arcs)).tolist()
    pages = [
        (page, clicks[site.number(page.url)]) for page in site if page.is_page and page.is_html
    ]
    deep = sorted((-far, page.url, page.title) for page, far in pages if far > links)
    return Section(
        "deep-pages",
        "Deep pages",
        f"Pages that are more than {links} links away from a seed. Readers and crawlers seldom "
        "reach them: link to them from pages nearer to the start.",
        ("page", "links away", "title"),
        [(url, -far, title) for far, url, title in deep],
        picture=draw_bars("Pages by links from a seed", _bars([far for _, far in pages])),
    )


def _is_start(site: Site, url: str) -> bool:
    """Is it a seed, and does the crawl know where that leads?"""
    page = site.get(url)
    return page is not None and page.is_seed and site.get(site.follow(url).end) is not None


def _bars(distances: list[int]) -> list[tuple[str, int]]:
    """
    >>> _bars([0, 1, 1, -1])
    [('0', 1), ('1', 2), ('no way', 1)]
    """
    counts = Counter(distances)
    lost = counts.pop(NEVER, 0)
    bars = [(str(far), counts[far]) for far in range(min(max(counts, default=0) + 1, _MOST_BARS))]
    return [*bars, *([("no way", lost)] if lost else [])]

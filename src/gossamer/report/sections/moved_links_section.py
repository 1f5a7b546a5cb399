"""Links to URLs that have moved."""

from collections.abc import Iterator

from gossamer.report.crawled_site import Site
from gossamer.report.references import References
from gossamer.report.report_section import Cell, Section

_FOR_GOOD = frozenset({301, 308})


def find_moved_links(site: Site, references: References) -> Section:
    return Section(
        "moved-links",
        "Links to old addresses",
        "URLs in links that have moved permanently (301, 308): each costs readers another request. "
        "Change the links to the new address. Redirects that end at an error are among the broken links.",
        ("url", "new address", "links", "a page"),
        sorted(_rows(site, references), key=lambda row: (-int(row[2] or 0), str(row[0]))),
    )


def _rows(site: Site, references: References) -> Iterator[tuple[Cell, ...]]:
    for page in site:
        links = references.counts[page.url]
        if page.status in _FOR_GOOD and page.redirect_to and links:
            trail = site.follow(page.url)
            end = site.get(trail.end)
            if end is not None and end.is_page:
                yield page.url, trail.end, links, references.first[page.url]

"""Broken links: targets that cannot be read."""

from collections import Counter
from itertools import groupby

from gossamer.report.crawled_site import Site
from gossamer.report.references import Reference, References
from gossamer.report.report_section import Cell, Section

_FEW_KINDS = 4


def find_broken_links(site: Site, references: References) -> Section:
    """One row for each URL that links lead to in vain: what has most pages comes first."""
    found = sorted(references.to_trouble, key=_target)
    rows = [_sum_up(site, target, [*links]) for target, links in groupby(found, _target)]
    return Section(
        "broken-links",
        "Broken links",
        "Each row is a URL that cannot be read, though links, sitemaps, or canonical or "
        "hreflang links name it: with the status of the answer, or the error if there was "
        "none. soft_error: the answer looks like the one to URLs that do not exist, or says "
        "so in its title. cut_short: the answer ended before it was whole. empty: it has no "
        "content. text/html: a page where an image, a script or a style sheet belongs. Fix the "
        "links or their targets; all links are in broken-links-by-page.",
        ("url", "problem", "links", "pages", "a page", "text", "kinds", "redirects to", "detail"),
        sorted(rows, key=lambda row: (-int(row[3] or 0), str(row[0]))),
        _unchecked(references.unchecked),
    )


def list_broken_links(site: Site, references: References) -> Section:
    """One row for each link, for those who mend page by page."""
    rows = []
    for link in references.to_trouble:
        said = _end_of(site, link.target, link.kind)
        rows.append((link.source, link.target, said[0], link.anchor, link.kind, *said[1:]))
    return Section(
        "broken-links-by-page",
        "Broken links, page by page",
        "Each row is a link to a URL that cannot be read, with the page that has the link.",
        ("page", "link", "problem", "text", "kind", "redirects to", "detail"),
        sorted(rows),
    )


def _target(link: Reference) -> str:
    return link.target


def _sum_up(site: Site, target: str, links: list[Reference]) -> tuple[Cell, ...]:
    trouble, by_way_of, detail = _end_of(site, target, links[0].kind)
    pages = {link.source for link in links}
    kinds = ", ".join(
        kind for kind, _ in Counter(link.kind for link in links).most_common(_FEW_KINDS)
    )
    text = next((link.anchor for link in links if link.anchor), "")
    return target, trouble, len(links), len(pages), min(pages), text, kinds, by_way_of, detail


def _end_of(site: Site, url: str, kind: str) -> tuple[str, str, str]:
    """Describe the end of a link: the fault, the last URL after redirects, and a note."""
    trail = site.follow(url)
    end = site.get(trail.end)
    detail = end.detail if end is not None and not end.status else ""
    return site.trouble_of(url, kind), trail.end if trail.steps else "", detail


def _unchecked(links: int) -> str:
    if not links:
        return ""
    return (
        f"Links to URLs that the crawl has not visited: {links:,}; they were not checked. "
        "A crawl with a wider --scope also checks links to other hosts, and one with --page-requisites "
        "also images, scripts and style sheets."
    )

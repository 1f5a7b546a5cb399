"""Pages in the sitemap without a link to them, and the other way round."""

from collections.abc import Iterator

from gossamer.report.crawled_site import Site
from gossamer.report.references import References
from gossamer.report.report_section import Section


def find_orphans(site: Site, references: References) -> Section:
    linked = {site.follow(url).end for url in references.counts}
    rows = [*_not_linked(site, references, linked), *_not_listed(site, references, linked)]
    return Section(
        "orphans",
        "Orphans",
        "Pages that the sitemap names and no other page links to: readers do not find them. And pages "
        "that are linked to and not in the sitemap: it is not complete.",
        ("page", "what is missing", "title"),
        rows,
        "" if references.listed else "The crawl has seen no sitemap, so nothing can be compared.",
    )


def _not_linked(
    site: Site, references: References, linked: set[str]
) -> Iterator[tuple[str, str, str]]:
    for url in sorted(references.listed.keys() - linked):
        page = site.get(url)
        if page is not None and page.is_page and page.is_html and not page.is_seed:
            yield url, "no link", page.title


def _not_listed(
    site: Site, references: References, linked: set[str]
) -> Iterator[tuple[str, str, str]]:
    """Pages that a sitemap should have: those that are to be found, under their own name."""
    if not references.listed:
        return
    hosts = {_origin(url) for url in references.listed}
    for url in sorted(linked - references.listed.keys()):
        page = site.get(url)
        if page is None or not (page.is_page and page.is_html and page.is_indexable):
            continue
        if url not in references.canonical and _origin(url) in hosts:
            yield url, "not in the sitemap", page.title


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])

"""URLs in sitemaps that search engines cannot take."""

from collections.abc import Iterator

from gossamer.core.outcomes import Outcome
from gossamer.report.crawled_site import Site
from gossamer.report.references import References
from gossamer.report.report_section import Section
from gossamer.report.sections.canonicals import problem_of

_Row = tuple[str, str, str]


def find_poor_sitemaps(site: Site, references: References) -> Section:
    return Section(
        "sitemaps",
        "Sitemaps",
        "Entries of sitemaps that search engines ignore: errors, redirects, pages that are noindex or name "
        "another one as canonical, URLs of another host; and files that are not sitemaps. List "
        "canonical pages only.",
        ("url", "problem", "sitemap"),
        sorted({*_entries(site, references), *_files(site)}),
        "" if references.listed else "The crawl has seen no sitemap.",
    )


def _entries(site: Site, references: References) -> Iterator[_Row]:
    for url, sitemap in references.listed.items():
        if problem := _problem(site, references, url, sitemap):
            yield url, problem, sitemap


def _problem(site: Site, references: References, url: str, sitemap: str) -> str:
    if sitemap.endswith("/robots.txt"):
        return ""  # a sitemap, which may well lie elsewhere
    if _origin(url) not in _spoken_for(site, sitemap):
        return "another host"
    if problem := problem_of(site, url):
        return problem
    other = references.canonical.get(url)
    return f"names another one: {other}" if other else ""


def _spoken_for(site: Site, sitemap: str) -> set[str]:
    """The origins that a sitemap may name pages of: its own, and that of the robots.txt that names it."""
    origins = {_origin(sitemap)}
    seen = set[str]()
    while (page := site.get(sitemap)) is not None and page.source and sitemap not in seen:
        seen.add(sitemap)
        sitemap = page.source
        origins.add(_origin(sitemap))
    return origins


def _files(site: Site) -> Iterator[_Row]:
    """Sitemaps that a robots.txt names and that are pages."""
    for page in site:
        is_named = page.via == "sitemap" and page.source.endswith("/robots.txt")
        if is_named and page.is_page and page.is_html:
            yield page.url, "no sitemap", page.source
        elif is_named and (page.trouble or page.outcome == Outcome.ROBOTS_DISALLOWED):
            yield page.url, page.trouble or "robots.txt forbids it", page.source


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])

"""URLs that answer with status 200 and have no page."""

from collections import defaultdict
from collections.abc import Iterator
from urllib.parse import urlsplit

from gossamer.report.contents import ArchivedMarkup
from gossamer.report.crawled_site import Site, VisitedUrl
from gossamer.report.references import References
from gossamer.report.report_section import Cell, Section

_MANY = 3
"""URLs that lead to the home page: of fewer, it may have been meant so."""
_HOME_NAMES = ("index.", "default.", "home.", "index", "home", "default")


def find_soft_errors(site: Site, references: References, contents: ArchivedMarkup) -> Section:
    rows = [*_as_pages(site, references, contents), *_as_home(site, references)]
    return Section(
        "soft-errors",
        "Soft errors",
        "URLs of missing pages that answer with status 200, or redirect to the home page like many "
        "others: readers are lost, and search engines keep them. Answer 404 or 410, or redirect to "
        "the page that replaced it.",
        ("url", "because", "title", "links to it", "a page that links to it"),
        sorted(rows, key=lambda row: str(row[0])),
    )


def _as_pages(
    site: Site, references: References, contents: ArchivedMarkup
) -> Iterator[tuple[Cell, ...]]:
    for page in site:
        if page.is_soft_error:
            said = contents.says_missing.get(page.url)
            because = f"it says: {said}" if said else "like the answer to a URL that does not exist"
            yield _row(page, because, references)


def _as_home(site: Site, references: References) -> Iterator[tuple[Cell, ...]]:
    targets: defaultdict[str, list[VisitedUrl]] = defaultdict(list)
    for page in site:
        if page.redirect_to and _is_home_page(page.redirect_to) and _was_a_page(page):
            targets[page.redirect_to].append(page)
    for target, pages in targets.items():
        if len(pages) >= _MANY:
            for page in pages:
                yield _row(page, f"leads to {target}, as {len(pages):,} URLs do", references)


def _row(page: VisitedUrl, because: str, references: References) -> tuple[Cell, ...]:
    first = references.first.get(page.url, page.source)
    return page.url, because, page.title, references.counts[page.url], first


def _is_home_page(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path == "/" and not parts.query


def _was_a_page(page: VisitedUrl) -> bool:
    """Is it of the home page's own host, and neither another name of it nor the seed?"""
    here, target = urlsplit(page.url), urlsplit(page.redirect_to)
    name = here.path.strip("/").lower()
    is_page = bool(name) and not name.startswith(_HOME_NAMES)
    return is_page and here.netloc == target.netloc and not page.is_seed

"""Pages without a title, or with the title of another page."""

from collections import defaultdict

from gossamer.report.crawled_site import Site, VisitedUrl
from gossamer.report.references import References
from gossamer.report.report_section import Section


def find_poor_titles(site: Site, references: References) -> Section:
    pages = [page for page in site if _has_own_name(page, references)]
    missing = sorted(page.url for page in pages if not page.title.strip())
    named: defaultdict[str, list[str]] = defaultdict(list)
    for page in pages:
        if page.title.strip():
            named[" ".join(page.title.split())].append(page.url)
    shared = [
        (url, "shared", title, len(urls))
        for title, urls in sorted(named.items())
        if len(urls) > 1
        for url in sorted(urls)
    ]
    return Section(
        "titles",
        "Titles",
        "Pages without a title, and pages that have the title of others. Search engines and readers "
        "tell pages apart by their titles. Copies have a section of their own.",
        ("page", "problem", "title", "pages with it"),
        [*((url, "missing", "", 0) for url in missing), *shared],
    )


def _has_own_name(page: VisitedUrl, references: References) -> bool:
    """Is it a page that stands for itself, and may be found?"""
    is_itself = page.url not in references.canonical and page.copy_of is None
    return page.is_page and page.is_html and page.is_indexable and is_itself

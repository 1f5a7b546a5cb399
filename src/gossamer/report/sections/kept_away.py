"""Pages that robots.txt, nofollow and noindex keep away."""

from collections.abc import Iterator

from gossamer.core.outcomes import Outcome
from gossamer.report.crawled_site import Site
from gossamer.report.references import References
from gossamer.report.report_section import Section

_Row = tuple[str, str, int, str]


def find_kept_away(site: Site, references: References) -> Section:
    rows = [*_by_pages(site, references), *_by_links(site, references)]
    return Section(
        "kept-away",
        "Robots and nofollow",
        "Pages and links that crawlers are asked to leave out. robots.txt: never fetched. "
        "nofollow: all links to it say nofollow. noindex: fetched, but not to appear in search "
        "results. nofollow page: none of its links is followed.",
        ("url", "by", "links to it", "a page that links to it"),
        sorted(rows),
    )


def _by_pages(site: Site, references: References) -> Iterator[_Row]:
    for page in site:
        reasons = (
            ("robots.txt", page.outcome == Outcome.ROBOTS_DISALLOWED),
            ("noindex", page.is_page and not page.is_indexable),
            ("nofollow page", page.is_page and not page.is_followable),
        )
        for reason, is_so in reasons:
            if is_so:
                yield _row(page.url, reason, references)


def _by_links(site: Site, references: References) -> Iterator[_Row]:
    for url in references.not_followed:
        if site.get(url) is None:
            yield _row(url, "nofollow", references)


def _row(url: str, reason: str, references: References) -> _Row:
    return url, reason, references.counts[url], references.first.get(url, "")

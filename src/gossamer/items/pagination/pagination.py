"""Reads the pagination of a page: the links to its next, previous and other pages."""

from msgspec import Struct

from gossamer.core.page_tree import PageTree
from gossamer.items.pagination.number_runs import find_runs
from gossamer.items.pagination.pager_links import PagerLink, list_links
from gossamer.items.pagination.step_links import find_steps


class Pagination(Struct, frozen=True):
    """Absolute URLs of other pages of a list, each once, in the order of the page."""

    next: tuple[str, ...] = ()
    previous: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    """Numbered pages, with the first and the last."""


def read_pagination(page: PageTree, url: str, links: list[PagerLink] | None = None) -> Pagination:
    """The links of a page by which its list goes on.

    >>> from gossamer.core.page_tree import parse_page
    >>> page = parse_page('<div class=pager>1 <a href="?p=2">2</a> <a href="?p=2">Next</a></div>')
    >>> read_pagination(page, "http://a.example/").next
    ('http://a.example/?p=2',)
    """
    links = list_links(page, url) if links is None else links
    runs = find_runs(links, url)
    steps = find_steps(links, runs, url)
    found: dict[str, dict[str, None]] = {"next": {}, "previous": {}, "pages": {}}
    placed = [(link.element.start, "pages", link.url) for run in runs for link in run.links]
    for kind, link in steps:
        placed.append((link.element.start, kind if kind in found else "pages", link.url))
    for _, kind, target in sorted(placed):
        if target:
            found[kind][target] = None
    return Pagination(**{kind: tuple(urls) for kind, urls in found.items()})

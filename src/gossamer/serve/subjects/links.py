"""Links that were not followed, by reason."""

from msgspec import Struct

from gossamer.serve.paging import ROWS, PageNumber, Paging, Text, page_of
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.subject import Asked, Subject
from gossamer.serve.tables.link_table import LinkLine, links_of


class LinksAsked(Asked, frozen=True):
    """Which links: those refused for a reason, those on a page, or those to a page."""

    refused: Text = ""
    source: Text = ""
    target: Text = ""
    page: PageNumber = 1


class LinksSeen(Struct, frozen=True):
    """Some links, one for each row of the links table."""

    lines: list[LinkLine]
    paging: Paging
    reasons: dict[str, int]
    """All links that were refused, by reason."""
    damaged: list[str]
    """Files that cannot be read."""


def look(crawl: ShownCrawl, asked: LinksAsked) -> LinksSeen:
    table = links_of(crawl)
    gathered = table.look()
    begin = (asked.page - 1) * ROWS
    if asked.target:
        found = table.to(gathered, asked.target, ROWS, begin)
    elif asked.source:
        found = table.on(gathered, asked.source, ROWS, begin)
    else:
        found = table.refused(gathered, asked.refused, begin, ROWS)
    return LinksSeen(
        found.lines,
        page_of(asked.page, found.total, gathered.unread),
        table.reasons(gathered),
        gathered.damaged,
    )


LINKS = Subject(
    path="/links",
    title="Links",
    about="Links: refused for a reason, on a page, or to a page.",
    asked=LinksAsked,
    answer=LinksSeen,
    look=look,
    template="links.html",
    is_in_menu=False,
)

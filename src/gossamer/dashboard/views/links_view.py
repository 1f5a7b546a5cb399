"""Links that were not followed, by reason."""

from typing import Literal

from msgspec import Struct

from gossamer.dashboard.paging import ROWS, PageNumber, Paging, Text, page_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.link_table import MOST_SORTED, LinkLine, links_of
from gossamer.dashboard.view_protocol import Asked, View

_SORTED_ALWAYS = ("kind", "rel", "refused")
_SORTED_IF_FEW = ("source", "target", "anchor")


class LinksAsked(Asked, frozen=True):
    """A choice of links: refused for a reason, on a page, to a page, or all of these at once."""

    refused: Text = ""
    source: Text = ""
    target: Text = ""
    sort: Literal["", "source", "target", "anchor", "kind", "rel", "refused"] = ""
    """Empty: in the order in which they were found."""
    down: bool = False
    """The last word first?"""
    page: PageNumber = 1


class LinksSeen(Struct, frozen=True):
    """Some links, one for each row of the links table."""

    lines: list[LinkLine]
    paging: Paging
    reasons: dict[str, int]
    """All links that were refused, by reason."""
    sortable: list[str]
    """Columns by which this many links can be sorted."""
    damaged: list[str]
    """Files that cannot be read."""


def look(crawl: ShownCrawl, asked: LinksAsked) -> LinksSeen:
    table = links_of(crawl)
    gathered = table.look()
    begin = (asked.page - 1) * ROWS
    only_refused = asked.refused and not (asked.source or asked.target)
    if asked.sort:
        places = table.places(gathered, asked.source, asked.target, asked.refused)
        found = table.sorted(places, asked.sort, asked.down, begin, ROWS)
    elif only_refused:
        found = table.refused(gathered, asked.refused, begin, ROWS)
    else:
        places = table.places(gathered, asked.source, asked.target, asked.refused)
        found = table.cut(places, begin, ROWS)
    return LinksSeen(
        found.lines,
        page_of(asked.page, found.total, gathered.unread),
        table.reasons(gathered),
        [*_SORTED_ALWAYS, *(_SORTED_IF_FEW if found.total <= MOST_SORTED else ())],
        gathered.damaged,
    )


LINKS = View(
    path="/links",
    title="Links",
    about="Links: refused for a reason, on a page, to a page, or all of these at once.",
    asked=LinksAsked,
    answer=LinksSeen,
    look=look,
    template="links.html",
    is_in_menu=False,
)

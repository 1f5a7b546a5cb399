"""Links that were not followed, by reason."""

from typing import Literal

from msgspec import Struct

from gossamer.serve.paging import ROWS, PageNumber, Paging, Text, page_of
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.subject import Asked, Subject
from gossamer.serve.tables.gathering import Gathered
from gossamer.serve.tables.link_part import LinkPart
from gossamer.serve.tables.link_table import MOST_SORTED, LinkLine, LinkTable, Places, links_of

_SORTED_ALWAYS = ("kind", "rel", "refused")
_SORTED_IF_FEW = ("source", "target", "anchor")


class LinksAsked(Asked, frozen=True):
    """Which links: those refused for a reason, those on a page, or those to a page."""

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
    """Columns by which so many links can be sorted."""
    damaged: list[str]
    """Files that cannot be read."""


def look(crawl: ShownCrawl, asked: LinksAsked) -> LinksSeen:
    table = links_of(crawl)
    gathered = table.look()
    begin = (asked.page - 1) * ROWS
    if asked.sort:
        places = _places(table, gathered, asked)
        found = table.sorted(places, asked.sort, asked.down, begin, ROWS)
    elif asked.target:
        found = table.to(gathered, asked.target, ROWS, begin)
    elif asked.source:
        found = table.on(gathered, asked.source, ROWS, begin)
    else:
        found = table.refused(gathered, asked.refused, begin, ROWS)
    return LinksSeen(
        found.lines,
        page_of(asked.page, found.total, gathered.unread),
        table.reasons(gathered),
        [*_SORTED_ALWAYS, *(_SORTED_IF_FEW if found.total <= MOST_SORTED else ())],
        gathered.damaged,
    )


def _places(table: LinkTable, gathered: Gathered[LinkPart], asked: LinksAsked) -> Places:
    if asked.target:
        return table.places_to(gathered, asked.target)
    if asked.source:
        return table.places_on(gathered, asked.source)
    return table.places_refused(gathered, asked.refused)


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

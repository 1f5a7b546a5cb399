"""One URL: what happened to it and when, who links to it, and the record in the archive."""

from typing import Any

from msgspec import Struct

from gossamer.archive.explain import explain_url
from gossamer.core.url import Url
from gossamer.dashboard.known_here import KnownHere
from gossamer.dashboard.paging import Text
from gossamer.dashboard.record_access import LostError, place_of, read_record, read_response
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.link_table import LinksFound, links_of
from gossamer.dashboard.tables.page_part import PagePart
from gossamer.dashboard.tables.page_table import PageLine, PageTable, pages_of
from gossamer.dashboard.tables.table_gathering import Gathered
from gossamer.dashboard.view_protocol import NotThereError, SortableAsked, View
from gossamer.dashboard.visit_name import VisitTime, read_url

_MOST_VISITS = 200
_MOST_LINKS = 25
_MOST_COPIES = 25
_LONGEST = 2000
"""Characters of a value that are given."""
_MOST_FIELDS = 200


class PageAsked(SortableAsked, frozen=True):
    url: Text = ""
    at: VisitTime = 0
    minor: bool = False
    """Whether visits that found a minor change are listed, too."""


class ShownRecord(Struct, frozen=True):
    """A record as it lies in the WARC file, unpacked."""

    file: str
    offset: int
    length: int
    """Bytes, compressed."""
    text: str
    """Bytes that are no UTF-8 are written as \\xNN."""
    is_cut: bool
    trouble: str = ""


class OnePage(Struct, frozen=True):
    """All that is known of a URL."""

    url: str
    """In its one spelling; empty when none was asked for."""
    host: str
    facts: list[tuple[str, str]]
    """What happened to it, and why."""
    visits: list[PageLine]
    """The last ones, the latest first …"""
    total: int
    """… of so many."""
    folded: int
    """Visits left out of these that found a minor change only: a counter, a time, a small edit."""
    visit: PageLine | None
    """The one that is shown in detail."""
    columns: dict[str, str]
    """What the pages table says of it."""
    headers: list[tuple[str, str]]
    """The header fields of its response."""
    record: ShownRecord | None
    links_here: LinksFound
    links_on_it: LinksFound
    copies: list[PageLine]
    """Pages with the same or nearly the same content that was met here first …"""
    copies_total: int
    """… of so many."""
    redirects_here: list[PageLine]
    unread: int
    """Files of the tables that are not read yet."""


_NO_LINKS = LinksFound([], 0)


def look(crawl: ShownCrawl, asked: PageAsked) -> OnePage:
    if not asked.url.strip():
        return OnePage("", "", [], [], 0, 0, None, {}, [], None, _NO_LINKS, _NO_LINKS, [], 0, [], 0)
    url = read_url(crawl, asked.url)
    pages, links = pages_of(crawl), links_of(crawl)
    gathered, linked = pages.look(), links.look()
    places = pages.visits(gathered, url.text)
    last = [pages.line(*place) for place in places[-_MOST_VISITS:]]
    lines = last if asked.minor else [line for line in last if line.change != "minor"]
    place = choose_visit(pages, places, asked.at)
    row = pages.whole_row(*place) if place is not None else None
    headers, record = _read(crawl, row) if row is not None else ([], None)
    copies, copies_total = _copies(pages, gathered, url)
    return OnePage(
        url.text,
        url.host,
        explain_url(url, crawl.settings, KnownHere(url, crawl, gathered)),
        lines[::-1],
        len(places),
        len(last) - len(lines),
        pages.line(*place) if place is not None else None,
        _columns(row) if row is not None else {},
        headers,
        record,
        links.to(linked, url.text, _MOST_LINKS),
        links.on(linked, url.text, _MOST_LINKS),
        copies,
        copies_total,
        pages.that_name(gathered, "redirect_to", url.text, _MOST_COPIES)[0],
        gathered.unread + linked.unread,
    )


def choose_visit(
    pages: PageTable, places: list[tuple[PagePart, int]], at: int
) -> tuple[PagePart, int] | None:
    """The visit of this time; for 0, the last. None when there was none at all."""
    if not at:
        return places[-1] if places else None
    for part, row in places:
        if int(part.column("fetched_at")[row]) == at:
            return part, row
    raise NotThereError(f"at: no visit was made at {at}; leave it out for the last one")


def _columns(row: dict[str, Any]) -> dict[str, str]:
    said = {name: _write(value) for name, value in row.items() if value not in (None, False, "")}
    return {name: value[:_LONGEST] for name, value in said.items()}


def _write(value: Any) -> str:
    return "yes" if value is True else f"{value:.3g}" if isinstance(value, float) else str(value)


def _copies(pages: PageTable, gathered: Gathered[PagePart], url: Url) -> tuple[list[PageLine], int]:
    found, total = list[PageLine](), 0
    for column in ("duplicate_of", "same_text_as", "near_of"):
        lines, count = pages.that_name(gathered, column, url.text, _MOST_COPIES)
        found, total = found + lines, total + count
    return found[:_MOST_COPIES], total


def _read(
    crawl: ShownCrawl, row: dict[str, Any]
) -> tuple[list[tuple[str, str]], ShownRecord | None]:
    """The header fields of a response, and its record."""
    place = place_of(row)
    if place is None:
        return [], None
    try:
        data, is_cut = read_record(crawl, place)
        record = ShownRecord(*place, data.decode("utf-8", "backslashreplace"), is_cut)
        fields = read_response(crawl, place).headers
    except LostError as error:
        return [], ShownRecord(*place, "", False, str(error))
    return [(name[:_LONGEST], value[:_LONGEST]) for name, value in [*fields][:_MOST_FIELDS]], record


PAGE = View(
    path="/page",
    title="Page",
    about="One URL: what happened to it, versions, links, duplicates, its record.",
    asked=PageAsked,
    answer=OnePage,
    look=look,
    template="page.html",
    is_in_menu=False,
)

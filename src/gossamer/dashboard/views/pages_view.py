"""Lists of pages: by what became of them, by host, by time, by a part of the URL."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from gossamer.dashboard.paging import ROWS, PageNumber, Paging, Text, page_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.page_table import PageChoice, PageLine, pages_of
from gossamer.dashboard.view_protocol import Asked, NotThereError, View

Status = Annotated[str, Meta(pattern="^([0-9]{3}|[1-9]xx|none|)\\Z")]
Moment = Annotated[
    str, Meta(pattern="^([0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?)?|)\\Z")
]
Column = Literal["url", "status", "media_type", "bytes", "seconds", "depth", "fetched_at"]
Mark = Literal[
    "",
    "soft_error",
    "retired",
    "unchanged",
    "duplicate",
    "same_text",
    "near_duplicate",
    "redirect",
    "stored",
]


class PagesAsked(Asked, frozen=True):
    """A choice of visits; empty fields do not matter."""

    outcome: Text = ""
    status: Status = ""
    """404, 4xx, or none for visits without an answer."""
    host: Text = ""
    media_type: Text = ""
    via: Text = ""
    change: Text = ""
    truncated: Text = ""
    parse_failure: Text = ""
    mark: Mark = ""
    url: Text = ""
    """A part of the URL, in any case."""
    since: Moment = ""
    until: Moment = ""
    sort: Column = "fetched_at"
    down: bool = True
    """The greatest first?"""
    page: PageNumber = 1


class PagesSeen(Struct, frozen=True):
    """Some visits, one for each row of the pages table."""

    lines: list[PageLine]
    paging: Paging
    outcomes: dict[str, int]
    """All visits by outcome …"""
    statuses: dict[str, int]
    """… and by status."""
    media_types: list[str]
    """The most frequent."""
    damaged: list[str]
    """Files that cannot be read."""


def look(crawl: ShownCrawl, asked: PagesAsked) -> PagesSeen:
    table = pages_of(crawl)
    gathered = table.look()
    begin = (asked.page - 1) * ROWS
    found = table.find(gathered, choose(asked), asked.sort, asked.down, begin, ROWS)

    def count() -> list[dict[str, int]]:
        names = ("outcome", "status", "media_type")
        return [table.count(gathered, PageChoice(), name) for name in names]

    outcomes, statuses, media_types = crawl.keep("pages_counted", gathered.mark, count)
    return PagesSeen(
        found.lines,
        page_of(asked.page, found.total, gathered.unread),
        outcomes,
        {status: count for status, count in statuses.items() if status != "0"},
        [name for name in [*media_types][:30] if name],
        gathered.damaged,
    )


def choose(asked: PagesAsked) -> PageChoice:
    """Translate the query for the table."""
    columns = ("outcome", "media_type", "via", "change", "truncated", "parse_failure")
    return PageChoice(
        words={name: getattr(asked, name) for name in columns if getattr(asked, name)},
        host=asked.host.strip().lower(),
        status=_statuses(asked.status),
        mark=asked.mark,
        url_part=asked.url.strip(),
        since=_microseconds("since", asked.since),
        until=_microseconds("until", asked.until),
    )


def _statuses(said: str) -> tuple[int, int] | None:
    """
    >>> _statuses("404"), _statuses("5xx"), _statuses("none"), _statuses("")
    ((404, 404), (500, 599), (0, 0), None)
    """
    if not said:
        return None
    if said == "none":
        return 0, 0
    if said.endswith("xx"):
        return int(said[0]) * 100, int(said[0]) * 100 + 99
    return int(said), int(said)


def _microseconds(name: str, said: str) -> int:
    if not said:
        return 0
    try:
        moment = datetime.fromisoformat(said).replace(tzinfo=UTC)
    except ValueError:
        raise NotThereError(f"{name}: {said} is not a date; write e.g. 2026-01-31T12:00") from None
    return int(moment.timestamp() * 1e6)


PAGES = View(
    path="/pages",
    title="Pages",
    about="Visits, filtered by outcome, host, type, time or a part of the URL.",
    asked=PagesAsked,
    answer=PagesSeen,
    look=look,
    template="pages.html",
)

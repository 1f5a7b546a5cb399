"""The archived copy of a URL as it was near a time."""

from typing import Any

from msgspec import Struct

from gossamer.dashboard.record_access import body_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.page_part import MARKS, PagePart
from gossamer.dashboard.tables.page_table import pages_of
from gossamer.dashboard.view_protocol import NotThereError
from gossamer.dashboard.visit_name import read_url

_MOST_HOPS = 5


class Copy(Struct, frozen=True):
    url: str
    at: int
    """When it was fetched, in microseconds since 1970."""
    media_type: str
    charset: str
    body: bytes


def find_copy(crawl: ShownCrawl, text: str, at: int) -> Copy:
    """The copy nearest to a time; for 0, the last one. Redirects are followed within the archive."""
    return _read(crawl, find_row(crawl, text, at))


def find_row(crawl: ShownCrawl, text: str, at: int) -> dict[str, Any]:
    """The row of that copy in the pages table."""
    url = read_url(crawl, text).text
    for _ in range(_MOST_HOPS + 1):
        row = _find_row(crawl, url, at)
        if not (row["redirect_to"] and 300 <= (row["status"] or 0) < 400):
            return row
        url = row["redirect_to"]
    raise NotThereError("it leads from one redirect to the next")


def find_kind(crawl: ShownCrawl, text: str, at: int) -> str:
    """The media type of that copy; empty when it is not in the archive, or only as an error."""
    try:
        row = find_row(crawl, text, at)
    except NotThereError:
        return ""
    return row["media_type"] or "" if (row["status"] or 0) < 400 else ""


def stored_visits(crawl: ShownCrawl, url: str) -> list[tuple[PagePart, int]]:
    """The places of all copies of a URL in the pages table, the oldest first."""
    pages = pages_of(crawl)
    places = pages.visits(pages.look(), url)
    return [one for one in places if one[0].column("marks")[one[1]] & MARKS["stored"]]


def time_of(part: PagePart, row: int) -> int:
    """The time of its fetch, in microseconds since 1970."""
    return int(part.column("fetched_at")[row])


def _find_row(crawl: ShownCrawl, url: str, at: int) -> dict[str, Any]:
    stored = stored_visits(crawl, url)
    if not stored:
        raise NotThereError(f"{url[:500]} is not in the archive")
    place = min(stored, key=lambda one: abs(time_of(*one) - at)) if at else stored[-1]
    return pages_of(crawl).whole_row(*place)


def _read(crawl: ShownCrawl, row: dict[str, Any]) -> Copy:
    _, body = body_of(crawl, row)
    return Copy(row["url"], micro(row), row["media_type"] or "", row["charset"] or "", body)


def micro(row: dict[str, Any]) -> int:
    """The same of a whole row."""
    seconds: float = row["fetched_at"].timestamp()
    return round(seconds * 1e6)

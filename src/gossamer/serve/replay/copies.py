"""The archived copy of a URL as it was near a time."""

from typing import Any

from msgspec import Struct

from gossamer.serve.archive import body_of
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.subject import NotThereError
from gossamer.serve.subjects.page import read_url
from gossamer.serve.tables.page_part import MARKS, PagePart
from gossamer.serve.tables.page_table import pages_of

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
    url = read_url(crawl, text).text
    for _ in range(_MOST_HOPS + 1):
        row = _find_row(crawl, url, at)
        if not (row["redirect_to"] and 300 <= (row["status"] or 0) < 400):
            return _read(crawl, row)
        url = row["redirect_to"]
    raise NotThereError("it leads from one redirect to the next")


def _find_row(crawl: ShownCrawl, url: str, at: int) -> dict[str, Any]:
    pages = pages_of(crawl)
    places = pages.visits(pages.look(), url)
    stored = [one for one in places if one[0].column("marks")[one[1]] & MARKS["stored"]]
    if not stored:
        raise NotThereError(f"{url[:500]} is not in the archive")
    place = min(stored, key=lambda one: abs(_time(*one) - at)) if at else stored[-1]
    return pages.whole_row(*place)


def _time(part: PagePart, row: int) -> int:
    return int(part.column("fetched_at")[row])


def _read(crawl: ShownCrawl, row: dict[str, Any]) -> Copy:
    _, body = body_of(crawl, row)
    at = int(row["fetched_at"].timestamp() * 1e6)
    return Copy(row["url"], at, row["media_type"] or "", row["charset"] or "", body)

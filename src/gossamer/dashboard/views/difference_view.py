"""Differences between two versions of a page."""

from contextlib import closing
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gossamer.archive.stored_crawl import make_parsers
from gossamer.archive.version_differences import Difference, compare, read_version
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Page, Visit
from gossamer.core.url import Url
from gossamer.dashboard.paging import Text
from gossamer.dashboard.record_access import LostError, body_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.page_table import PageLine, pages_of
from gossamer.dashboard.view_protocol import Asked, NotThereError, View
from gossamer.dashboard.views.page_view import choose_visit
from gossamer.dashboard.visit_name import VisitTime, read_url

_MOST_TEXT = 1 << 20
"""Bytes of a version that are compared."""


class DifferenceAsked(Asked, frozen=True):
    """Two visits to a page, by their times."""

    url: Text = ""
    before: VisitTime = 0
    after: VisitTime = 0


class Differing(Struct, frozen=True):
    """Two versions of a page."""

    url: str
    before: PageLine
    after: PageLine
    difference: Difference


def look(crawl: ShownCrawl, asked: DifferenceAsked) -> Differing:
    url = read_url(crawl, asked.url)
    pages = pages_of(crawl)
    gathered = pages.look()
    places = pages.visits(gathered, url.text)
    before = choose_visit(pages, places, asked.before)
    after = choose_visit(pages, places, asked.after)
    if before is None or after is None:
        raise NotThereError(f"{url.text[:200]} was not visited; /page says what is known of it")
    documents = [_read(crawl, url, pages.whole_row(*place)) for place in (before, after)]
    versions = [read_version(document) for document in documents]
    return Differing(url.text, pages.line(*before), pages.line(*after), compare(*versions))


def _read(crawl: ShownCrawl, url: Url, row: dict[str, Any]) -> Document:
    try:
        message, body = body_of(crawl, row)
    except LostError as error:
        raise NotThereError(
            f"the version of {row['fetched_at']:%Y-%m-%d %H:%M:%S}: {error}"
        ) from None
    page = Page(Visit(url), Outcome.FETCHED, 0.0, 0.0, 200, headers=message.headers)
    with closing(make_parsers(crawl.settings)) as parsers:
        return next(iter(parsers.parse([replace(page, body=body[:_MOST_TEXT])])))


DIFFERENCE = View(
    path="/difference",
    title="Difference",
    about="Differences between two versions of a page.",
    asked=DifferenceAsked,
    answer=Differing,
    look=look,
    template="difference.html",
    is_in_menu=False,
)

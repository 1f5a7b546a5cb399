"""The crawl as a whole: figures, curves, what became of visits and links, and what to worry about."""

import shutil

from msgspec import Struct

from gossamer.crawl.summary import Summary
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.subject import Asked, Subject


class OverviewAsked(Asked, frozen=True):
    """Nothing is to be chosen."""


class Overview(Struct, frozen=True):
    """What a crawl has done so far, and how it goes on."""

    summary: Summary
    is_running: bool
    seconds_left: float | None
    """Until a limit is reached, at the present rate; None when there is none, or it cannot be known."""
    disk_free: int
    """Bytes."""


def look(crawl: ShownCrawl, asked: OverviewAsked) -> Overview:
    summary = crawl.summary()
    return Overview(
        summary,
        crawl.is_running,
        None,
        shutil.disk_usage(crawl.path).free,
    )


OVERVIEW = Subject(
    path="/",
    title="Overview",
    about="The crawl as a whole.",
    asked=OverviewAsked,
    answer=Overview,
    look=look,
    template="overview.html",
    live="overview.live.html",
)

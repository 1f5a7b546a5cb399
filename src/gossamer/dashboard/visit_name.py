"""Name a page of the crawl and one of its visits in the address of a dashboard page."""

from typing import Annotated

from msgspec import Meta

from gossamer.core.url import Spelling, Url
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import NotThereError

VisitTime = Annotated[int, Meta(ge=0, le=1 << 62)]
"""A visit by its time in microseconds since 1970; 0 is the last."""


def read_url(crawl: ShownCrawl, text: str) -> Url:
    """A URL in its one spelling."""
    url = Spelling(crawl.settings.url.rules).parse(text.strip())
    if url is None:
        raise NotThereError(f"{text[:200]!r} is not a URL; write e.g. https://example.org/page")
    return url

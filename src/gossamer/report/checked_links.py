"""Asks for what links lead to outside of a crawl, without following it any further.

It is a small crawl in a folder that is deleted afterwards, with the politeness, robots.txt rules, DNS and
guard against private networks of the crawl that is reported on; so there is no second, ruder way to the web.
Each URL is asked for by GET, and no more than the beginning of its body is received: one request, where
HEAD needs a second one at each server that does not answer it rightly. Logins and cookies are not sent.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from msgspec.structs import replace

from gossamer.archive.stored_crawl import StoredCrawl, open_crawl
from gossamer.cluster.crawl import Crawl
from gossamer.core.settings import (
    BudgetSettings,
    DetectSettings,
    FetchSettings,
    ScopeSettings,
    Settings,
    StoreSettings,
)

MOST_CHECKED = 10_000
"""URLs that are asked for by one report."""
_BEGINNING = 64 << 10
"""Bytes of a body: enough for a title."""


def is_web(url: str) -> bool:
    """Can a URL be asked for?"""
    return urlsplit(url).scheme in ("http", "https")


@contextmanager
def checked(crawl: StoredCrawl, urls: Sequence[str]) -> Iterator[StoredCrawl]:
    """Visit these URLs, and redirects from there; the folder is there until the end of the block."""
    with TemporaryDirectory(prefix="gossamer-check-") as folder:
        out = Path(folder) / "crawl"
        Crawl([*urls], out=out, settings=settings_of(crawl.settings)).run()
        yield open_crawl(out)


def settings_of(settings: Settings) -> Settings:
    """The settings of such a crawl: as careful as the one before, and it follows no link.

    >>> settings_of(Settings()).scope.max_depth
    0
    """
    nobody = FetchSettings()
    return Settings(
        agent=settings.agent,
        politeness=settings.politeness,
        dns=settings.dns,
        url=settings.url,
        robots=replace(settings.robots, sitemaps=False),
        fetch=replace(
            settings.fetch, max_body=_BEGINNING, logins=nobody.logins, cookies=nobody.cookies
        ),
        scope=ScopeSettings(kind="all", max_depth=0),
        detect=DetectSettings(soft_errors=False),
        budget=BudgetSettings(kind="off"),
        store=StoreSettings(warc=False, links=False),
    )

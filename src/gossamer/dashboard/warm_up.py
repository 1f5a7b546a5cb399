"""Read what first looks need in the background, from the start of the server on."""

from contextlib import suppress
from threading import Thread

from gossamer.core.errors import GossamerError
from gossamer.dashboard.checkpoint_reading import checkpoint_of
from gossamer.dashboard.hosts_then import hosts_then
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.host_table import hosts_of
from gossamer.dashboard.tables.link_table import links_of
from gossamer.dashboard.tables.page_table import pages_of

MOST_FILES = 250
"""Of a table. Larger ones are read when they are asked for: they take gigabytes of temporary files."""


def warm_up(crawl: ShownCrawl) -> Thread:
    """Begin to read the tables and the last checkpoint; nothing waits for it."""
    thread = Thread(target=_read, args=(crawl,), name="warm up", daemon=True)
    thread.start()
    return thread


def _read(crawl: ShownCrawl) -> None:
    pages, links = pages_of(crawl), links_of(crawl)
    for table, then in ((pages, [hosts_of, checkpoint_of, hosts_then]), (links, [])):
        if table.files > MOST_FILES:
            return
        table.wait()
        for look in then:
            with suppress(GossamerError, OSError):  # who asks for it is told why
                look(crawl)

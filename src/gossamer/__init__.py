"""Gossamer: a web crawler for people who need their own piece of the web.

import gossamer

for page in gossamer.Crawl("https://example.org/", out="example", max_pages=100):
    print(page.status, page.url, page.title, len(page.links))
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gossamer.base.errors import DirectoryError, GossamerError, SeedError, SettingsError
    from gossamer.base.outcomes import Outcome, Refusal
    from gossamer.base.reading import Reading
    from gossamer.base.records import Candidate, Document, Link, Page
    from gossamer.base.settings import Settings
    from gossamer.cluster.crawl import Crawl
    from gossamer.crawl.control.by_words import tell
    from gossamer.crawl.summary import Summary
    from gossamer.cycle.parse.reading import read_page
    from gossamer.harvest.graph import Graph
    from gossamer.indexing import Index
    from gossamer.stored import StoredCrawl, open

__all__ = [
    "Candidate",
    "Crawl",
    "DirectoryError",
    "Document",
    "GossamerError",
    "Graph",
    "Index",
    "Link",
    "Outcome",
    "Page",
    "Reading",
    "Refusal",
    "SeedError",
    "Settings",
    "SettingsError",
    "StoredCrawl",
    "Summary",
    "open",
    "read_page",
    "tell",
]

_HOMES = {
    "gossamer.base.errors": ("DirectoryError", "GossamerError", "SeedError", "SettingsError"),
    "gossamer.base.outcomes": ("Outcome", "Refusal"),
    "gossamer.base.reading": ("Reading",),
    "gossamer.base.records": ("Candidate", "Document", "Link", "Page"),
    "gossamer.base.settings": ("Settings",),
    "gossamer.cluster.crawl": ("Crawl",),
    "gossamer.cycle.parse.reading": ("read_page",),
    "gossamer.harvest.graph": ("Graph",),
    "gossamer.indexing": ("Index",),
    "gossamer.stored": ("StoredCrawl", "open"),
    "gossamer.crawl.control.by_words": ("tell",),
    "gossamer.crawl.summary": ("Summary",),
    "gossamer.base.agent": ("__version__",),
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that the command line starts at once."""
    from importlib import import_module

    from gossamer.base.system import require_linux

    for home, names in _HOMES.items():
        if name in names:
            require_linux()
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'gossamer' has no attribute {name!r}")

"""Gossamer: a web crawler for people who need their own piece of the web.

import gossamer

for page in gossamer.Crawl("https://example.org/", out="example", max_pages=100):
    print(page.status, page.url, page.title, len(page.links))
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gossamer.archive import StoredCrawl, open
    from gossamer.cluster.crawl import Crawl
    from gossamer.core.errors import DirectoryError, GossamerError, SeedError, SettingsError
    from gossamer.core.extracted_page import Reading
    from gossamer.core.outcomes import Outcome, Refusal
    from gossamer.core.records import Candidate, Document, Link, Page
    from gossamer.core.request import Request
    from gossamer.core.settings import Settings
    from gossamer.engine.control.typed_commands import send_command
    from gossamer.engine.summary import Summary
    from gossamer.graph import Graph
    from gossamer.pipeline.parse.extraction import read_page
    from gossamer.search.build import Index

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
    "Request",
    "SeedError",
    "Settings",
    "SettingsError",
    "StoredCrawl",
    "Summary",
    "open",
    "read_page",
    "send_command",
]

_MODULES = {
    "gossamer.core.errors": ("DirectoryError", "GossamerError", "SeedError", "SettingsError"),
    "gossamer.core.outcomes": ("Outcome", "Refusal"),
    "gossamer.core.extracted_page": ("Reading",),
    "gossamer.core.records": ("Candidate", "Document", "Link", "Page"),
    "gossamer.core.request": ("Request",),
    "gossamer.core.settings": ("Settings",),
    "gossamer.cluster.crawl": ("Crawl",),
    "gossamer.pipeline.parse.extraction": ("read_page",),
    "gossamer.graph": ("Graph",),
    "gossamer.search.build": ("Index",),
    "gossamer.archive": ("StoredCrawl", "open"),
    "gossamer.engine.control.typed_commands": ("send_command",),
    "gossamer.engine.summary": ("Summary",),
    "gossamer.core.agent": ("__version__",),
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that the command line starts at once."""
    from importlib import import_module

    from gossamer.core.system import require_linux

    for module, names in _MODULES.items():
        if name in names:
            require_linux()
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'gossamer' has no attribute {name!r}")

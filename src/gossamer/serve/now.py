"""What only a running crawl knows of its hosts: asked through its control channel."""

from collections.abc import Sequence

from msgspec import Struct

from gossamer.serve.shown_crawl import ShownCrawl


class HostNow(Struct, frozen=True):
    """A host, as the running crawl sees it at this moment."""

    name: str
    waiting: int
    """URLs in the frontier."""
    rest: float
    """Seconds until it may be asked; 0 when it may be now."""
    delay: float | None
    """Seconds between two requests …"""
    rule: str
    """… and the rule that decided it."""
    robots: str
    budget: str
    is_blocked: bool = False


def ask_hosts(crawl: ShownCrawl, names: Sequence[str], most: int = 0) -> list[HostNow] | None:
    """Those that are named, or else those with the most URLs that wait; None when no crawl answers."""
    return None

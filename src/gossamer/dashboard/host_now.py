"""Facts about a host beside its pages, from every source."""

from msgspec import Struct


class HostNow(Struct, frozen=True):
    """A host, as the running crawl sees it at this moment, or saw it at its last checkpoint."""

    name: str
    waiting: int
    """URLs in the frontier."""
    is_estimate: bool
    rest: float
    """Seconds until it may be asked; 0 when it may be now."""
    delay: float | None = None
    """Seconds between two requests …"""
    rule: str = ""
    """… and the rule that decided it."""
    robots: str = ""
    budget: str = ""
    under_way: int = 0
    """Visits."""
    failures: int = 0
    """Failed visits in a row."""
    is_held: bool = False
    """Does it wait for an address, a robots.txt or its server's turn?"""
    is_blocked: bool = False
    priority: int | None = None
    """The level that a command gives it."""


def say_budget(seconds: float) -> str:
    """Say which delay the budget of a domain asks for."""
    return f"a page in {seconds:.3g} s" if seconds else "no limit"

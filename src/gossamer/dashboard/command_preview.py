"""Describe the effect of a command before it is given."""

from msgspec import Struct

from gossamer.core.errors import GossamerError
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.engine.control.commands import Command
from gossamer.engine.effects import foresee, say_effect

_SECONDS = 3.0
"""For so long a crawl that runs is waited for."""


class CommandPreview(Struct, frozen=True):
    """The effect of a command on waiting URLs."""

    said: str
    """In one line."""
    reached: int
    """URLs that would be set aside …"""
    waiting: int
    """… of so many that wait."""
    is_estimate: bool
    unseen: int
    """Those over the budget of their domain; they wait as well, and nobody looked at which they are."""


def foresee_in_words(crawl: ShownCrawl, order: Command) -> CommandPreview:
    """Ask the crawl if it runs, else read its last checkpoint."""
    meant, effect = foresee(crawl.path, order, _SECONDS)
    said = say_effect(meant, effect)
    return CommandPreview(said, effect.reached, effect.waiting, effect.is_estimate, effect.unseen)


def foresee_if_known(crawl: ShownCrawl, order: Command) -> CommandPreview | None:
    """The same; None when the crawl says nothing, is elsewhere, or the command makes no sense."""
    try:
        crawl.check_accepts_commands()
        return foresee_in_words(crawl, order)
    except (GossamerError, OSError):
        return None

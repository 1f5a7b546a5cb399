"""What an order would do, in words, for who looks at it before giving it."""

from msgspec import Struct

from gossamer.base.errors import GossamerError
from gossamer.crawl.control.orders import Order
from gossamer.crawl.effects import foresee, say_effect
from gossamer.serve.shown_crawl import ShownCrawl

_SECONDS = 3.0
"""For so long a crawl that runs is waited for."""


class Foreseen(Struct, frozen=True):
    """What an order would do to the URLs that wait."""

    said: str
    """In one line."""
    reached: int
    """URLs that would be kept apart …"""
    waiting: int
    """… of so many that wait."""
    is_estimate: bool
    unseen: int
    """Those over the budget of their domain; they wait as well, and nobody looked at which they are."""


def foresee_in_words(crawl: ShownCrawl, order: Order) -> Foreseen:
    """Ask the crawl if it runs, else read its last checkpoint."""
    meant, effect = foresee(crawl.path, order, _SECONDS)
    said = say_effect(meant, effect)
    return Foreseen(said, effect.reached, effect.waiting, effect.is_estimate, effect.unseen)


def foresee_if_known(crawl: ShownCrawl, order: Order) -> Foreseen | None:
    """The same; None when the crawl says nothing, is elsewhere, or the order makes no sense."""
    try:
        crawl.check_can_be_told()
        return foresee_in_words(crawl, order)
    except (GossamerError, OSError):
        return None

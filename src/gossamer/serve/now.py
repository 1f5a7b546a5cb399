"""What is known of hosts beside their pages: asked of the running crawl, or read from its last checkpoint."""

import time
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from gossamer.base.errors import GossamerError
from gossamer.crawl.control import ask
from gossamer.crawl.control.messages import AskHosts
from gossamer.crawl.looks import HostLook, HostsFound, RobotsLook
from gossamer.serve.kept_frontier import read_waiting
from gossamer.serve.shown_crawl import ShownCrawl

_SECONDS = 2.0
"""For so long an answer is waited for: a crawl may be making a checkpoint."""


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
    """The level that an order gives it."""


def ask_hosts(crawl: ShownCrawl, names: Sequence[str], most: int = 0) -> list[HostNow] | None:
    """Those that are named, or else those with the most URLs that wait; None when no crawl answers."""
    try:
        reply = ask(crawl.path, AskHosts(tuple(names), most), _SECONDS)
        if reply is None or reply.found is None:
            return None
        return [_now(one) for one in msgspec.convert(reply.found, HostsFound).hosts]
    except (GossamerError, msgspec.MsgspecError):  # it is busy, or of another version
        return None


def waiting_then(crawl: ShownCrawl) -> dict[str, HostNow]:
    """The hosts with the most URLs at the last checkpoint."""
    now = time.time()
    try:
        parts = read_waiting(crawl)
    except (GossamerError, OSError):  # a checkpoint of an earlier version
        return {}
    return {
        one.name: HostNow(
            one.name, one.waiting, part.frontier.is_estimate, max(0.0, one.ready - now)
        )
        for part in parts
        for one in part.frontier.largest
    }


def _now(look: HostLook) -> HostNow:
    return HostNow(
        look.host,
        look.waiting,
        look.is_estimate,
        look.rest_seconds,
        look.delay,
        str(look.rule),
        "; ".join(dict.fromkeys(map(_say, look.robots))),
        f"a page in {look.budgeted_delay:.3g} s" if look.budgeted_delay else "no limit",
        look.leased,
        look.failures,
        look.is_held,
        look.is_blocked,
        look.priority,
    )


def _say(robots: RobotsLook) -> str:
    if not robots.is_reachable:
        return f"cannot be had: {robots.trouble or robots.status}, {robots.failures} times"
    return "read" if 200 <= robots.status < 300 else f"none ({robots.status or robots.trouble})"

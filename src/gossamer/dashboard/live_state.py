"""Facts about hosts that only a running crawl knows."""

from collections.abc import Sequence

import msgspec

from gossamer.core.errors import GossamerError
from gossamer.dashboard.host_now import HostNow, say_budget
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.engine.control import ask
from gossamer.engine.control.control_messages import AskHosts
from gossamer.engine.live_queries import HostLook, HostsFound, RobotsLook

_SECONDS = 2.0
"""For so long an answer is waited for: a crawl may be making a checkpoint."""


def ask_hosts(crawl: ShownCrawl, names: Sequence[str], most: int = 0) -> list[HostNow] | None:
    """Ask a running crawl about named hosts, or those with the most waiting URLs; None without an answer."""
    try:
        reply = ask(crawl.path, AskHosts(tuple(names), most), _SECONDS)
        if reply is None or reply.found is None:
            return None
        return [_now(host) for host in msgspec.convert(reply.found, HostsFound).hosts]
    except (GossamerError, msgspec.MsgspecError):  # it is busy, or of another version
        return None


def _now(look: HostLook) -> HostNow:
    return HostNow(
        look.host,
        look.waiting,
        look.is_estimate,
        look.rest_seconds,
        look.delay,
        str(look.rule),
        "; ".join(dict.fromkeys(map(_say, look.robots))),
        say_budget(look.budgeted_delay),
        look.leased,
        look.failures,
        look.is_held,
        look.is_blocked,
        look.priority,
    )


def _say(robots: RobotsLook) -> str:
    if not robots.is_reachable:
        return f"cannot be fetched: {robots.trouble or robots.status}, {robots.failures} times"
    return "read" if 200 <= robots.status < 300 else f"none ({robots.status or robots.trouble})"

"""A plain crawler: first in, first out, `<a href>` only; robots.txt, nofollow and scope as Gossamer's."""

import time
from collections import deque
from collections.abc import Callable

from benchmarks.applications.application_links import links_of
from benchmarks.applications.origin import Origin
from gossamer.pipeline.robots import parse as parse_robots

AGENT = "Gossamer"


def crawl(
    ask: Origin,
    start: str,
    max_pages: int,
    max_seconds: float = 3600.0,
    follows: Callable[[str], bool] = lambda target: True,
) -> bool:
    """Fetch whatever the links lead to, within one host; returns whether nothing is left.

    `follows` may leave out targets.
    """
    origin = start[: start.index("/", len("http://"))]
    robots = ask("/robots.txt")
    rules = parse_robots(robots.body if robots.status == 200 else b"").for_agent(AGENT)
    seen, waiting = {start}, deque([start])
    end = time.monotonic() + max_seconds
    while waiting and max_pages and time.monotonic() < end:
        url = waiting.popleft()
        if not rules.is_allowed(url.removeprefix(origin)):
            continue
        max_pages -= 1
        for link in links_of(url, ask(url.removeprefix(origin))):
            target = link.removeprefix(origin)
            if link not in seen and link.startswith(f"{origin}/") and follows(target):
                seen.add(link)
                waiting.append(link)
    return not waiting

"""Compute the URLs that a crawl meets, without HTTP."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web
    from gossamer.lab.url_answer import Answer


@dataclass(slots=True)
class TruthReach:
    """The URLs that a well-behaved crawl meets.

    Well-behaved means: scope `all`; it obeys robots.txt; it follows redirects, each hop being a URL
    of its own; it follows no link with rel=nofollow, none of a page that says so in meta robots,
    none of a page whose status is not 200; links of content already met may be followed or not;
    links of a page that arrived broken may be followed or not. Such a crawl, in whatever order,
    sends one request (and its retries) for each URL in `asked`, and for no other but robots.txt.

    In a web without an end, `asked` leaves out the traps: it holds the URLs that are not
    `Web.is_trap`, and a crawl with limits may spend the rest of its requests in there.
    """

    asked: set[str] = field(default_factory=set)
    """URLs for which a request reaches a server."""
    usable: set[str] = field(default_factory=set)
    """Those of them that give a whole page with status 200."""
    redirects: set[str] = field(default_factory=set)
    errors: set[str] = field(default_factory=set)
    """Those that answer with a status of 400 or more."""
    broken: set[str] = field(default_factory=set)
    """Those whose answer does not arrive whole."""
    disallowed: set[str] = field(default_factory=set)
    """URLs that are met, but that robots.txt forbids."""
    unresolvable: set[str] = field(default_factory=set)
    """URLs that are met, but whose host does not exist."""
    traps: set[str] = field(default_factory=set)
    """URLs through which a trap is entered."""


def explore(web: Web, seeds: Iterable[str], agent: str) -> TruthReach:
    """Walk the web breadth first."""
    reach = TruthReach()
    met = set(seeds)
    waiting = deque(met)
    while waiting:
        for url in _visit(web, waiting.popleft(), agent, reach):
            if url not in met:
                met.add(url)
                waiting.append(url)
    return reach


def _visit(web: Web, url: str, agent: str, reach: TruthReach) -> Iterable[str]:
    """Sort a URL into the sets, and return where it leads."""
    answer = web.answer(url)
    if answer is None:
        reach.unresolvable.add(url)
    elif not web.is_allowed(url, agent):
        reach.disallowed.add(url)
    elif web.is_trap(url):
        reach.traps.add(url)
    else:
        reach.asked.add(url)
        _class_of(answer, reach).add(url)
        return web.followed_of(answer)
    return ()


def _class_of(answer: Answer, reach: TruthReach) -> set[str]:
    if answer.is_usable:
        return reach.usable
    if answer.is_redirect:
        return reach.redirects
    return reach.errors if answer.status >= 400 else reach.broken

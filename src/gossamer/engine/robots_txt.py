"""Fetch robots.txt files, and hold the visits that wait for them.

Fetching a robots.txt is itself a polite visit: it takes the place of the visit that was leased, and the host
rests afterwards as after any other. One that is moved to another host is fetched there by way of the
frontier, or by the neighbour that owns that host. An origin whose robots.txt fails has its visits postponed,
one by one: its host may have other origins, which go on.
"""

from collections import Counter

from gossamer.core.clock import Clock
from gossamer.core.log_events import LogEvent, log_event
from gossamer.core.neighbour_protocol import Neighbours
from gossamer.core.protocols import Frontier
from gossamer.core.records import Candidate, Page, Via, Visit
from gossamer.core.url import Url
from gossamer.engine.host_delays import HostDelays
from gossamer.engine.seed_warnings import SeedWarnings
from gossamer.pipeline.robots import Gate, trouble_of

_MOST_POSTPONED = 500_000
"""Origins whose postponed visits are counted."""
_PORTION = 1000
"""Postponed visits of an origin that come back in one second."""
_FIRST = -1
"""The level of visits that others wait for."""


class Permission:
    """Has robots.txt files fetched, and tells the gate what came of it."""

    def __init__(
        self,
        clock: Clock,
        frontier: Frontier,
        gate: Gate,
        neighbours: Neighbours,
        host_delays: HostDelays,
        warnings: SeedWarnings,
        troubles: Counter[str],
    ) -> None:
        self._clock = clock
        self._frontier = frontier
        self._gate = gate
        self._neighbours = neighbours
        self._host_delays = host_delays
        self._seed_warnings = warnings
        self._troubles = troubles
        self._under_way: dict[str, str] = {}
        """Origins whose robots.txt is being fetched, and the host that is held for it."""
        self._replaced: dict[str, Visit] = {}
        """Leased visits in whose place the robots.txt of their origin is being fetched."""
        self._neighbours_asked: dict[str, float] = {}
        """Origins whose robots.txt a neighbour is to fetch, and since when."""
        self._postponed: Counter[str] = Counter()
        """Visits that wait since an origin's robots.txt failed last."""
        self._sitemaps: list[tuple[str, str]] = []

    # There.

    def request(self, leased: Visit) -> Visit | None:
        """The visit for robots.txt to be made in the place of a leased one; None when it is under way."""
        origin = leased.url.origin
        if origin in self._under_way:
            return None
        known = self._gate.look(origin)
        failures = known.failures if known is not None else 0
        return Visit(self._gate.request(origin), via=Via.ROBOTS, source=origin, attempt=failures)

    def begin(self, request: Visit, leased: Visit) -> None:
        """It is under way. The leased visit is not given back meanwhile, so that the host counts as busy."""
        self._replaced[request.source] = leased
        self._under_way[request.source] = request.url.host

    def postpone(self, visit: Visit) -> None:
        """Nothing of its origin is allowed for now: the visit waits, and other origins of its host go on.

        The visits of an origin come back in portions, one each second: or else a million could come at once.
        """
        origin = visit.url.origin
        if len(self._postponed) >= _MOST_POSTPONED:
            self._postponed.clear()
        portion = self._postponed[origin] // _PORTION
        self._postponed[origin] += 1
        self._frontier.postpone(visit, self._gate.retry_at(origin) + portion)

    # And back.

    def arrived(self, page: Page, now: float) -> None:
        """A robots.txt was fetched, or failed."""
        if page.visit.source not in self._under_way:
            self._answer_neighbour(page, now)
            return
        origin = page.visit.source
        moved_to = self._gate.learn(origin, page, now)
        ready = self._host_delays.after_robots(page, self._crawl_delay(page), now)
        if trouble_of(page):
            self._warn_of_seed(origin, page, now)
        if page.visit.hops:
            self._frontier.done(page.visit, ready)
        else:
            self._frontier.hold(self._replaced.pop(origin))
        self._settle(page, moved_to, ready)

    def _crawl_delay(self, page: Page) -> float:
        """A moved robots.txt may be at another host, with a delay of its own."""
        delay = self._gate.delay(page.visit.source)
        own = self._gate.delay(page.visit.url.origin) if page.visit.hops else 0.0
        return max(delay, own)

    def _warn_of_seed(self, origin: str, page: Page, now: float) -> None:
        """A robots.txt failed: warn if a seed waits for it. If it is given up, its visits say so."""
        if origin in self._replaced and not self._gate.has_given_up(origin):
            again = self._gate.retry_at(origin) - now
            self._seed_warnings.warn(self._replaced[origin], page, again, self._gate.most_failures)

    def _settle(self, page: Page, moved_to: Url | None, ready: float) -> None:
        """Let the host go on, or look for its robots.txt elsewhere."""
        origin = page.visit.source
        if trouble := trouble_of(page):
            self._troubles[f"robots_{trouble}"] += 1
        self._neighbours_asked.pop(origin, None)
        if moved_to is None:
            held = self._under_way.pop(origin)
            self._postponed.pop(origin, None)
            self._sitemaps += [(page.url, text) for text in self._gate.sitemaps(origin)]
            if self._gate.forbids_all(origin):
                log_event(LogEvent.ROBOTS_FORBIDS, "%s: robots.txt forbids everything", origin)
        else:
            held = self._under_way[origin]
            self._go_after(origin, moved_to, page.visit.hops + 1)
        # While a hop is under way, the host's next lease finds that out and is held again.
        self._frontier.free(held, ready)

    def _go_after(self, origin: str, moved_to: Url, hops: int) -> None:
        hop = Candidate(moved_to, via=Via.ROBOTS, source=origin, hops=hops)
        if self._neighbours.is_own(moved_to.host):
            self._frontier.put([hop], [_FIRST])
        else:
            self._neighbours.ask_robots(hop)
            self._neighbours_asked[origin] = self._clock.now()

    def sitemaps(self) -> list[tuple[str, str]]:
        """Sitemaps that robots.txt files named since the last call, each with the naming URL."""
        found, self._sitemaps = self._sitemaps, []
        return found

    # With neighbours.

    def correspond(self, now: float) -> None:
        """Take in what neighbours want to know of hosts of ours, and what they say of theirs."""
        hops = self._neighbours.robots_asked()
        if hops:
            self._frontier.put(hops, [_FIRST] * len(hops))
        for page in self._neighbours.robots_answers():
            origin = page.visit.source
            if origin in self._under_way:
                self._settle(page, self._gate.learn(origin, page, now), now)

    def _answer_neighbour(self, page: Page, now: float) -> None:
        """A robots.txt of a neighbour's host was moved to a host of ours, and has come."""
        crawl_delay = self._gate.delay(page.visit.url.origin)
        self._frontier.done(page.visit, self._host_delays.after_robots(page, crawl_delay, now))
        self._neighbours.answer_robots(page)

    @property
    def is_with_neighbours(self) -> bool:
        """Does a neighbour fetch a robots.txt for us, from a host of its own?"""
        return bool(self._neighbours_asked)

    def seconds_waited(self) -> float:
        """The time that the neighbour asked last has taken so far."""
        return self._clock.now() - max(self._neighbours_asked.values())

"""Last tries when only servers are left that do not answer: a few, in a bounded time, then the end.

    all that waits, waits for silent servers ─▶ tell ─▶ try, four times ─▶ given up, and recorded

A server is silent when it gave no answer at all: no connection, no name, no byte. One that answers and asks
us to come later (Retry-After, 429, 503) is not silent, and is waited for as before. No host is asked sooner
than its delay allows; only the wait before robots.txt is asked for again is cut short. What was given up is
asked for again when the crawl is resumed. A crawl that never ends gives nothing up.

Only all partitions together show that nothing else is left: a partition that has tried in vain reports it,
and gives up when the supervisor asks it to.
"""

from math import inf

from gossamer.core.log_events import LogEvent, log_aloud
from gossamer.core.settings import PolitenessSettings
from gossamer.engine.host_delays import HostDelays
from gossamer.engine.idle import IdleTime
from gossamer.engine.stateful_components import Components

_PARTS = (0.1, 0.3, 0.6, 1.0)
"""When the tries are made, as parts of the time that there is."""
_LOOK_EVERY = 5.0
"""Seconds between two looks at what waits."""
_MOST = 10_000
"""URLs that are given up like this; with more, the crawl ends on hold, and they wait."""
_MOST_NAMED = 5


class LastTries:
    """Asked between two turns whether there is reason to wait any longer."""

    def __init__(
        self,
        components: Components,
        idle_time: IdleTime,
        host_delays: HostDelays,
        settings: PolitenessSettings,
    ) -> None:
        self._components = components
        self._idle_time = idle_time
        self._host_delays = host_delays
        self._wait = settings.unanswered_wait
        self._names: set[str] = set()
        """Silent origins and hosts that were told of."""
        self._origins: set[str] = set()
        self._hosts: set[str] = set()
        self._is_over = False
        self._began = 0.0
        self._tries = 0
        self._next = 0.0
        """When to look again."""

    def change(self, settings: PolitenessSettings) -> None:
        self._wait = settings.unanswered_wait

    @property
    def seconds_left(self) -> float:
        """Until the next look; no end when something else comes first, such as the end of a try."""
        if not self._names:
            return inf
        seconds = self._next - self._components.clock.now()
        return seconds if seconds > 0 else inf

    @property
    def are_under_way(self) -> bool:
        """Is it too early to end because the next try is far?"""
        return bool(self._names)

    @property
    def are_over(self) -> bool:
        """Were all tries in vain? Makes those that are due."""
        if not self._wait or self._components.revisits is not None:
            return False
        idle_time = self._idle_time
        if not (
            len(self._components.frontier) and idle_time.is_starving and idle_time.is_exhausted
        ):
            self._is_over = False
        elif (now := self._components.clock.now()) >= self._next:
            self._is_over = self._look(now)
        return self._is_over

    @property
    def can_give_up(self) -> bool:
        """Is all that waits here known not to answer, so that it can be recorded?"""
        return self.are_over and not self._hosts

    def give_up(self) -> bool:
        """Record that these origins did not answer; False if more is left, which goes on waiting."""
        if self._hosts:
            return False
        for origin in self._origins:
            self._components.gate.give_up(origin)
        self._call_back()
        self._is_over = False
        return True

    def _look(self, now: float) -> bool:
        self._next = now + _LOOK_EVERY
        found = self._find_silent()
        if found is None:
            self._names = set()
            return False
        self._origins, self._hosts = found
        if {*self._origins, *self._hosts} - self._names:
            self._begin(now)
        if self._tries == len(_PARTS):
            return True
        if now >= self._began + _PARTS[self._tries] * self._wait:
            self._tries += 1
            for origin in self._origins:
                self._components.gate.ask_afresh(origin)
            self._call_back()
        part = _PARTS[min(self._tries, len(_PARTS) - 1)]
        self._next = min(self._next, max(now, self._began + part * self._wait))
        return False

    def _find_silent(self) -> tuple[set[str], set[str]] | None:
        """Silent origins, and silent hosts; None when something else waits, or much."""
        found = self._components.frontier.view_all(_MOST)
        if found is None:
            return None
        later, hosts = found
        origins = set[str]()
        for visit in later:
            if self._components.gate.is_silent(visit.url.origin):
                origins.add(visit.url.origin)
            else:
                hosts.add(visit.url.host)
        is_all = all(map(self._host_delays.is_silent, hosts))
        return (origins, hosts) if is_all else None

    def _begin(self, now: float) -> None:
        self._began, self._tries = now, 0
        self._names = {*self._origins, *self._hosts}
        named = [f"{name}: {self._trouble(name)}" for name in sorted(self._names)[:_MOST_NAMED]]
        if (more := len(self._names) - len(named)) > 0:
            named.append(f"and {more:,} more")
        log_aloud(
            LogEvent.STUCK,
            "all URLs left wait for servers that do not answer (URLs: %d; %s); they "
            "are tried for %g s more (politeness.unanswered_wait), then the crawl ends",
            *(len(self._components.frontier), "; ".join(named), self._wait),
        )

    def _trouble(self, name: str) -> str:
        known = self._components.gate.look(name)
        if known is not None:
            return f"robots.txt: {known.trouble}"
        return f"{self._host_delays.failures(name)} visits in a row failed"

    def _call_back(self) -> None:
        """Have what waits for these origins tried now; robots.txt comes first."""
        origins, now = self._origins, self._components.clock.now()
        self._components.frontier.call_back(lambda visit: visit.url.origin in origins, now)

"""Visits that others wait for, such as the robots.txt that another one was moved to."""

from collections import deque
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

from gossamer.core.records import Candidate, Visit
from gossamer.pipeline.frontier.waiting_url import to_visit


class Express:
    """The visits of a level below 0, by host, and when to look at each of these hosts.

    They go before all others, and need nothing but their host's time and a connection to it. Were
    they to wait for a back queue or for the end of a hold, then they could wait for those who wait
    for them. They are few, stay in memory, and end with the process, because so do those others.

    A host that cannot be asked has no time here, until the frontier wakes it: that it is looked
    at only when something has changed keeps a long line as cheap as a short one.

    >>> from gossamer.core.url import parse
    >>> express = Express()
    >>> express.take([Candidate(parse("http://a.test/robots.txt"))], [-1])
    ([], [])
    >>> express.due(now=0.0), express.due(now=0.0), len(express)
    ('a.test', None, 1)
    >>> express.wake("a.test", at=5.0)
    >>> express.due(now=4.9), express.due(now=5.0), express.pop("a.test").level
    (None, 'a.test', -1)
    """

    def __init__(self) -> None:
        self._lines: dict[str, deque[Visit]] = {}
        """By host; none is empty."""
        self._times: list[tuple[float, int, str]] = []
        """When to look at a host: at most one entry for each …"""
        self._awake: set[str] = set()
        """… and the hosts that have one."""
        self._later: list[tuple[float, int, Visit]] = []
        """Visits to be tried again, by the time they may be."""
        self._serial = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def hosts(self) -> Iterable[str]:
        return self._lines.keys()

    @property
    def next_time(self) -> float | None:
        times = [heap[0][0] for heap in (self._times, self._later) if heap]
        return min(times, default=None)

    def take(
        self, candidates: Sequence[Candidate], levels: Sequence[int]
    ) -> tuple[list[Candidate], list[int]]:
        """Take in those that others wait for; returns the rest, with their levels."""
        rest: list[Candidate] = []
        levels_of_rest: list[int] = []
        for candidate, level in zip(candidates, levels, strict=True):
            if level < 0:
                self._append(to_visit(candidate, level))
                self._size += 1
            else:
                rest.append(candidate)
                levels_of_rest.append(level)
        return rest, levels_of_rest

    def put_first(self, visit: Visit) -> None:
        """Put a visit back, before all others of its host."""
        self._lines.setdefault(visit.url.host, deque()).appendleft(visit)
        self._size += 1

    def put_later(self, visit: Visit, again: float) -> None:
        """Keep a visit that is to be tried again."""
        heappush(self._later, (again, self._next_serial(), visit))
        self._size += 1

    def due(self, now: float) -> str | None:
        """A host to be looked at now. Afterwards it is popped or woken, or sleeps until it is woken."""
        while self._later and self._later[0][0] <= now:
            self._append(heappop(self._later)[2])
        if not self._times or self._times[0][0] > now:
            return None
        host = heappop(self._times)[2]
        self._awake.discard(host)
        return host

    def wake(self, host: str, at: float) -> None:
        """Look at the host from this time on, if it has a visit here."""
        if host in self._lines and host not in self._awake:
            self._awake.add(host)
            heappush(self._times, (at, self._next_serial(), host))

    def pop(self, host: str) -> Visit:
        line = self._lines[host]
        visit = line.popleft()
        self._size -= 1
        if not line:
            del self._lines[host]
        return visit

    def _append(self, visit: Visit) -> None:
        host = visit.url.host
        self._lines.setdefault(host, deque()).append(visit)
        self.wake(host, 0.0)

    def _next_serial(self) -> int:
        self._serial += 1
        return self._serial

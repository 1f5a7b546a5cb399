"""Mercator's frontier, all of it in memory."""

from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush
from random import Random

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike

from gossamer.base.protocols import FrontierStatistics
from gossamer.base.records import Candidate, Visit
from gossamer.cycle.frontier.back_queue import BackQueue
from gossamer.cycle.frontier.urgent import Express
from gossamer.cycle.frontier.waiting_url import to_visit


class MemoryFrontier:
    """The `Frontier` protocol in memory.

    >>> from gossamer.base.url import parse
    >>> frontier = MemoryFrontier(levels=4, back_queues=10, per_host=1, random=Random(7))
    >>> frontier.put([Candidate(parse("http://a.test/1")), Candidate(parse("http://a.test/2"))], [1, 0])
    >>> visit = frontier.lease(now=0.0)
    >>> visit.url.text
    'http://a.test/2'
    >>> frontier.lease(now=0.0) is None   # its host is busy
    True
    >>> frontier.done(visit, ready=5.0)
    >>> frontier.lease(now=4.9) is None, frontier.lease(now=5.0).url.text
    (True, 'http://a.test/1')
    """

    def __init__(
        self, levels: int, back_queues: int, per_host: int, random: Random, spacing: float = 0.0
    ) -> None:
        self._front: list[deque[Visit]] = [deque() for _ in range(levels)]
        self._in_front = 0
        self._back_queues = back_queues
        self._per_host = per_host
        self._spacing = spacing
        """With several connections to a host, the least time between two starts."""
        self._random = random
        self._table: dict[str, BackQueue] = {}
        self._resting: dict[str, float] = {}
        """Hosts without a back queue that may not be asked yet."""
        self._resting_checked = 1024
        self._waiting: list[tuple[float, int, BackQueue]] = []
        """The heap of times: back queues whose time may not have come."""
        self._eligible: list[tuple[int, int, BackQueue]] = []
        """Back queues whose time has come, the best level first; one that got a better URL since has a
        second entry, and the first is passed over …"""
        self._eligible_count = 0
        """… so that there may be fewer back queues than entries."""
        self._later: list[tuple[float, int, Visit]] = []
        """Visits to be tried again, by the time they may be."""
        self._scheduled: list[tuple[float, int, Visit]] = []
        """Visits that are due at a time to come."""
        self._express = Express()
        self._serial = 0
        self._now = 0.0
        self._busy = 0
        """Hosts with a lease. A lease of the express does not count."""
        self._leased = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size + len(self._express)

    def put(self, candidates: Sequence[Candidate], levels: Sequence[int]) -> None:
        if min(levels, default=0) < 0:
            candidates, levels = self._express.take(candidates, levels)
        for candidate, level in zip(candidates, levels, strict=True):
            self._enter(to_visit(candidate, level))
        self._size += len(candidates)

    def schedule(self, candidates: Sequence[Candidate], times: Sequence[float]) -> None:
        for candidate, time in zip(candidates, times, strict=True):
            heappush(self._scheduled, (time, self._next_serial(), to_visit(candidate, 0)))

    def let_in(self, now: float, most: int, level: int) -> int:
        before = self._size
        while self._scheduled and self._scheduled[0][0] <= now and self._size - before < most:
            self._enter(replace(heappop(self._scheduled)[2], level=level))
            self._size += 1
        return self._size - before

    def next_due(self) -> float | None:
        return self._scheduled[0][0] if self._scheduled else None

    def lease(self, now: float) -> Visit | None:
        self._now = now
        if self._express and (visit := self._lease_express(now)) is not None:
            return visit
        if self._later and self._later[0][0] <= now:
            self._readmit(now)
        while True:
            self._promote(now)
            if self._in_front:
                self._refill(now)
            visit = self._lease_next(now)
            if visit is not None or not self._could_refill:
                return visit

    def _promote(self, now: float) -> None:
        """Find the hosts whose time has come."""
        while self._waiting and self._waiting[0][0] <= now:
            _, serial, queue = heappop(self._waiting)
            if queue.ready > now:  # it was told to rest longer after it had been scheduled
                heappush(self._waiting, (queue.ready, serial, queue))
            else:
                self._push_eligible(queue)

    def _lease_express(self, now: float) -> Visit | None:
        """A visit that others wait for: holds of others and the number of back queues do not count."""
        while (host := self._express.due(now)) is not None:
            queue = self._table.get(host)
            ready = queue.ready if queue is not None else self._resting.get(host, now)
            if ready > now:
                self._express.wake(host, ready)
            elif queue is None or self._is_open_for_express(queue):
                if queue is None:
                    queue = self._open(host, now)
                visit = self._express.pop(host)
                self._lend(visit, queue, now)
                return visit
        return None

    def _is_open_for_express(self, queue: BackQueue) -> bool:
        """If not, then `_leave` wakes it: when a lease or the hold ends."""
        return queue.connections < self._per_host and not queue.is_express_held

    def _lease_next(self, now: float) -> Visit | None:
        while (queue := self._next_eligible()) is not None and self._has_room_for(queue):
            heappop(self._eligible)
            self._eligible_count -= 1
            queue.entry, queue.is_scheduled = 0, False
            if queue.is_held or queue.ready > now or queue.connections >= self._per_host:
                self._schedule(queue)
                continue
            visit = queue.pop()
            self._size -= 1
            self._lend(visit, queue, now)
            return visit
        return None

    def _has_room_for(self, queue: BackQueue) -> bool:
        """May this host be leased without more than B hosts being leased?"""
        return self._busy < self._back_queues or queue.leased > 0

    def _lend(self, visit: Visit, queue: BackQueue, now: float) -> None:
        if visit.level < 0:
            queue.express += 1
        else:
            self._busy += not queue.leased
            queue.leased += 1
        self._leased += 1
        if queue.connections < self._per_host:
            queue.ready = max(queue.ready, now + self._spacing)
            self._express.wake(queue.host, queue.ready)
            self._schedule(queue)

    def done(self, visit: Visit, ready: float) -> None:
        self._release(visit, ready)

    def retry(self, visit: Visit, again: float, ready: float) -> None:
        self._put_later(replace(visit, attempt=visit.attempt + 1), again)
        self._release(visit, ready)

    def postpone(self, visit: Visit, again: float) -> None:
        self._put_later(visit, again)
        self._release(visit, self._table[visit.url.host].ready)

    def hold(self, visit: Visit) -> None:
        queue = self._table[visit.url.host]
        queue.is_held = True
        if visit.level < 0:
            queue.is_express_held = True
            self._express.put_first(visit)
        else:
            queue.put_first(visit)
            self._size += 1
        self._release(visit, queue.ready)

    def free(self, host: str, ready: float) -> None:
        queue = self._table.get(host)
        if queue is None:
            self._rest(host, max(ready, self._resting.get(host, ready)))
            return
        queue.is_held = queue.is_express_held = False
        queue.ready = max(queue.ready, ready)
        self._leave(queue)

    def next_ready(self) -> float | None:
        if (best := self._next_eligible()) is not None and self._has_room_for(best):
            return best.ready
        times = [heap[0][0] for heap in (self._waiting, self._later) if heap]
        if (express := self._express.next_time) is not None:
            times.append(express)
        if self._could_refill:
            times.append(0.0)
        return min(times, default=None)

    def relevel(self, keys: ArrayLike, levels: ArrayLike) -> None:
        goals = dict(
            zip(np.asarray(keys, np.uint64).tolist(), np.asarray(levels).tolist(), strict=True)
        )
        for level, queue in enumerate(self._front):
            if any(goals.get(visit.url.key, level) != level for visit in queue):
                self._front[level] = deque()
                for visit in queue:
                    goal = goals.get(visit.url.key, level)
                    self._front[goal].append(replace(visit, level=goal))
        for back in self._table.values():
            if back.relevel(goals) and back.entry:
                self._push_eligible(back)

    def statistics(self) -> FrontierStatistics:
        return FrontierStatistics(
            waiting=len(self),
            leased=self._leased,
            hosts=len(self._table.keys() | self._express.hosts),
            held=sum(queue.is_held for queue in self._table.values()),
            levels=tuple(len(queue) for queue in self._front),
            scheduled=len(self._scheduled),
        )

    # Inside.

    def _enter(self, visit: Visit) -> None:
        """Through the front door: a URL of an open host could jump the queue, but does not."""
        if not self._in_front and len(self._table) < self._back_queues:
            self._route(visit, 0.0)
            return
        self._front[visit.level].append(visit)
        self._in_front += 1

    def _refill(self, now: float) -> None:
        """Fill free back queues from the front queues; a host that rests takes up none."""
        while self._could_refill:
            self._route(self._pick(), now)

    @property
    def _could_refill(self) -> bool:
        return self._in_front > 0 and self._busy + self._eligible_count < self._back_queues

    def _pick(self) -> Visit:
        """The biased pick: the best level with probability ½, the next with ¼, and so on."""
        self._in_front -= 1
        filled = [queue for queue in self._front if queue]
        for queue in filled[:-1]:
            if self._random.random() < 0.5:
                return queue.popleft()
        return filled[-1].popleft()

    def _route(self, visit: Visit, now: float) -> None:
        """The back queue router: to the host's back queue, or to a new one."""
        host = visit.url.host
        queue = self._table.get(host)
        if queue is None:
            queue = self._open(host, now)
        is_better = queue.entry > 0 and visit.level < queue.level
        queue.append(visit)
        if is_better:
            self._push_eligible(queue)
        elif not queue.is_scheduled:
            self._schedule(queue)

    def _open(self, host: str, now: float) -> BackQueue:
        queue = self._table[host] = BackQueue(host, self._resting.pop(host, now))
        return queue

    def _schedule(self, queue: BackQueue) -> None:
        """Give the host an entry, if it can be leased and has none."""
        is_full = queue.connections >= self._per_host
        if queue.is_scheduled or queue.is_held or is_full or not len(queue):
            return
        queue.is_scheduled = True
        if queue.ready <= self._now:
            self._push_eligible(queue)
        else:
            heappush(self._waiting, (queue.ready, self._next_serial(), queue))

    def _push_eligible(self, queue: BackQueue) -> None:
        self._eligible_count += not queue.entry
        queue.entry = self._next_serial()
        heappush(self._eligible, (queue.level, queue.entry, queue))

    def _next_eligible(self) -> BackQueue | None:
        while self._eligible:
            _, entry, queue = self._eligible[0]
            if queue.entry == entry:
                return queue
            heappop(self._eligible)
        return None

    def _put_later(self, visit: Visit, again: float) -> None:
        if visit.level < 0:
            self._express.put_later(visit, again)
        else:
            heappush(self._later, (again, self._next_serial(), visit))
            self._size += 1

    def _release(self, visit: Visit, ready: float) -> None:
        queue = self._table[visit.url.host]
        if visit.level < 0:
            queue.express -= 1
        else:
            queue.leased -= 1
            self._busy -= not queue.leased
        self._leased -= 1
        assert min(queue.leased, queue.express) >= 0, "a visit was given back twice"
        queue.ready = max(queue.ready, ready)
        self._leave(queue)

    def _leave(self, queue: BackQueue) -> None:
        """Something ended: go on with the host, or forget all but its time if it has nothing left."""
        if self._express and self._is_open_for_express(queue):
            self._express.wake(queue.host, queue.ready)
        if queue.is_needed:
            self._schedule(queue)
        else:
            del self._table[queue.host]
            self._rest(queue.host, queue.ready)

    def _readmit(self, now: float) -> None:
        while self._later and self._later[0][0] <= now:
            self._enter(heappop(self._later)[2])

    def _rest(self, host: str, until: float) -> None:
        """Remember the time of a host that is not in the table.

        Hosts whose time has come are dropped whenever there are twice as many: cheap per host.
        """
        self._resting[host] = until
        if len(self._resting) > self._resting_checked:
            self._resting = {host: at for host, at in self._resting.items() if at > self._now}
            self._resting_checked = 2 * len(self._resting) + 1024

    def _next_serial(self) -> int:
        self._serial += 1
        return self._serial

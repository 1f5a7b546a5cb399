"""Names to addresses: the cache in front, the rounds of attempts behind."""

import socket
from collections.abc import Callable, Iterable
from functools import partial

import pycares
from msgspec import Struct

from gossamer.core.clock import Clock
from gossamer.core.disk.disk_cache import DiskCache
from gossamer.core.errors import SettingsError
from gossamer.core.outcomes import Outcome
from gossamer.core.poller import Poller
from gossamer.core.settings import DnsSettings
from gossamer.core.url.domain import pay_level_domain
from gossamer.pipeline.dns.dns_answer import (
    ENDED,
    NameAnswer,
    RememberedName,
    describe,
    is_malformed,
    is_no_data,
    is_not_found,
    read_failed,
    read_found,
    read_not_found,
)
from gossamer.pipeline.dns.dns_cache import Cache
from gossamer.pipeline.dns.dns_channel import Channel
from gossamer.pipeline.dns.lane import BURST, Lane, Pending
from gossamer.pipeline.dns.literal_hosts import answer_at_once, without_final_dot
from gossamer.pipeline.dns.lookup_turns import LookupTurns
from gossamer.pipeline.dns.servers import spell_servers

_SWEEP = 0.1
"""Seconds between two looks at c-ares's own timeouts; they need not be exact."""


class DnsStatistics(Struct, frozen=True):
    cached: int
    """Names with a remembered answer."""
    pending: int
    """Names being resolved, from `start` until they settle."""
    waiting: int
    """Of these, names that wait for their domain's turn."""
    in_flight: int
    """Attempts that c-ares has not ended."""
    asked: int
    """Attempts made."""
    found: int
    not_found: int
    failed: int
    evicted: int = 0
    """Answers that went to the disk cache for lack of room."""
    fetched_back: int = 0
    """Of these, the ones that were asked for again and found there."""


class Resolver:
    """Resolves names without ever blocking; see the story in the package.

    >>> from gossamer.core.clock import SystemClock
    >>> resolver = Resolver(DnsSettings(), Poller(), SystemClock())
    >>> resolver.lookup("192.0.2.1").addresses
    ('192.0.2.1',)
    >>> resolver.start("localhost")
    >>> resolver.finished(), resolver.lookup("localhost").addresses
    (['localhost'], ('127.0.0.1', '::1'))
    >>> resolver.close()
    """

    def __init__(
        self,
        settings: DnsSettings,
        poller: Poller,
        clock: Clock,
        open_channel: Callable[[float], Channel] | None = None,
    ) -> None:
        """`open_channel` makes a way to the name servers that listens this many seconds."""
        if not settings.families:
            raise SettingsError("dns.families: name at least one of ipv4 and ipv6")
        self._settings = settings
        self._now = clock.now
        self._cache = Cache(settings.cache_size)
        self._pending: dict[str, Pending] = {}
        self._finished: list[str] = []
        self._turns: LookupTurns[Pending] = LookupTurns(settings.per_domain)
        servers = spell_servers(settings.servers)
        make_channel = open_channel or partial(
            Channel, servers, settings.families, poller, self._progress
        )
        self._lanes = [
            Lane(wait, settings.in_flight, make_channel, self._completed)
            for wait in waits(settings)
        ]
        self._next_sweep = 0.0
        self._asked = self._found = self._not_found = self._failed = 0

    def lookup(self, host: str) -> NameAnswer | None:
        """The answer for the host; None when a lookup has to be started first."""
        answer = self._cache.get(host, self._now())
        if answer is None:
            answer = answer_at_once(host, self._settings.families)
            if answer is not None:
                self._cache.put(host, answer)
        return answer

    def start(self, host: str) -> None:
        """Begin to resolve the host, unless that is under way; `finished` will name it."""
        if host in self._pending:
            return
        answer = answer_at_once(host, self._settings.families)
        if answer is not None:
            self._cache.put(host, answer)
            self._finished.append(host)
            return
        name = without_final_dot(host)
        pending = self._pending[host] = Pending(host, name, pay_level_domain(name.lower()))
        self._turns.put(pending.domain, pending)
        self._ask_waiting()

    @property
    def has_news(self) -> bool:
        """Are names being resolved, or resolved without anybody knowing yet?"""
        return bool(self._pending or self._finished)

    def finished(self) -> list[str]:
        """The hosts that settled, answered or given up, since the last call."""
        finished, self._finished = self._finished, []
        return finished

    def next_timeout(self) -> float | None:
        """Seconds until `tick` has something to do; None when only a socket can bring news."""
        times: list[float] = []
        if self._pending:
            if self._has_work():
                return 0.0
            times += [time for lane in self._lanes if (time := lane.next_expiry()) is not None]
        if any(lane.open for lane in self._lanes):
            times.append(self._next_sweep)
        return max(0.0, min(times) - self._now()) if times else None

    def tick(self) -> None:
        """Ask again for what waited long enough, give up what was asked for too often."""
        now = self._now()
        if not self._pending and now < self._next_sweep:  # nearly always
            return
        for lane in self._lanes:
            for pending in lane.expired(now):
                self._try_again(pending, now)
        if now >= self._next_sweep:
            self._next_sweep = now + _SWEEP
            for lane in self._lanes:
                lane.sweep()
        self._progress()

    def close(self) -> None:
        """Drop what is under way; what is cached can still be looked up."""
        for lane in self._lanes:
            lane.close()
        self._pending.clear()
        self._turns = LookupTurns(self._settings.per_domain)
        if self._cache.disk_cache is not None:
            self._cache.disk_cache.close()

    def move_in(self, disk_cache: DiskCache) -> None:
        """From now on, keep there what memory has no room for."""
        self._cache.disk_cache = disk_cache

    def dump(self) -> list[RememberedName]:
        """All answers that are still good, the least used first."""
        return list(self._cache.dump(self._now()))

    def load(self, entries: Iterable[RememberedName]) -> None:
        """Take in what `dump` gave, as far as it has not expired meanwhile."""
        self._cache.load(entries, self._now())

    def statistics(self) -> DnsStatistics:
        return DnsStatistics(
            cached=len(self._cache),
            pending=len(self._pending),
            waiting=len(self._turns),
            in_flight=sum(lane.open for lane in self._lanes),
            asked=self._asked,
            found=self._found,
            not_found=self._not_found,
            failed=self._failed,
            evicted=self._cache.evicted,
            fetched_back=self._cache.fetched_back,
        )

    def _progress(self) -> None:
        """The sockets were looked at: every lane may send another burst."""
        for lane in self._lanes:
            lane.credit = BURST
        self._ask_waiting()
        for lane in self._lanes[1:]:
            self._ask_queued(lane)

    def _ask_waiting(self) -> None:
        first = self._lanes[0]
        while first.may_ask and (pending := self._turns.take()) is not None:
            self._ask(first, pending)

    def _ask_queued(self, lane: Lane) -> None:
        while lane.queue and lane.may_ask:
            pending = lane.queue.popleft()
            if not pending.is_settled:  # by a late answer to an earlier attempt
                self._ask(lane, pending)

    def _ask(self, lane: Lane, pending: Pending) -> None:
        self._asked += 1
        lane.ask(pending, self._now())

    def _has_work(self) -> bool:
        first, *later = self._lanes
        if first.has_free_slot and self._turns.has_next:
            return True
        return any(lane.queue and lane.has_free_slot for lane in later)

    def _doubts(self, pending: Pending) -> bool:
        """Is it too early to believe that there is no address? Then `pending` is to be asked for again.

        Asked for two kinds of addresses, c-ares says "no data" also when one kind could not be asked for
        and there is none of the other.
        """
        if pending.family is None and len(self._settings.families) > 1:
            pending.doubts = (socket.AF_INET, socket.AF_INET6)
        if not pending.doubts:
            return False
        pending.family, *rest = pending.doubts
        pending.doubts = tuple(rest)
        return True

    def _try_again(self, pending: Pending, now: float) -> None:
        pending.attempt += 1
        pending.family, pending.doubts = None, ()
        if pending.attempt < len(self._lanes):
            self._lanes[pending.attempt].queue.append(pending)
        else:
            self._give_up(pending, now)

    def _completed(
        self, pending: Pending, lane: Lane, found: pycares.AddrInfoResult | None, error: int | None
    ) -> None:
        """An attempt ended; one that failed is repeated when its wait is over, not before."""
        if pending.is_settled or error in ENDED:
            return
        now = self._now()
        if found is not None:
            self._settle(pending, read_found(found, self._settings, now))
        elif error is not None and is_no_data(error) and self._doubts(pending):
            self._ask(lane, pending)
        elif error is not None and is_not_found(error):
            self._settle(pending, read_not_found(error, self._settings, now))
        else:
            pending.detail = describe(error)
            pending.is_suspect = is_malformed(error)
            if lane is self._lanes[-1]:
                self._give_up(pending, now)

    def _give_up(self, pending: Pending, now: float) -> None:
        detail = f"{pending.detail or 'no answer'} ({len(self._lanes)} attempts)"
        self._settle(pending, read_failed(detail, self._settings, now))

    def _settle(self, pending: Pending, answer: NameAnswer) -> None:
        pending.is_settled = True
        self._count(answer)
        self._cache.put(pending.host, answer)
        self._turns.release(pending.domain)
        del self._pending[pending.host]
        self._finished.append(pending.host)

    def _count(self, answer: NameAnswer) -> None:
        if answer.is_good:
            self._found += 1
        elif answer.outcome is Outcome.DNS_NOT_FOUND:
            self._not_found += 1
        else:
            self._failed += 1


def waits(settings: DnsSettings) -> list[float]:
    """The time limits of the attempts: a geometric row, as Mercator's from 1 s to 90 s in five attempts.

    (Manning, Raghavan, Schütze: Introduction to Information Retrieval, section 20.2.2.)

    >>> [round(wait) for wait in waits(DnsSettings())]
    [1, 3, 9, 29, 90]
    """
    first, last, attempts = settings.first_wait, settings.last_wait, settings.attempts
    if attempts == 1:
        return [first]
    return [first * (last / first) ** (k / (attempts - 1)) for k in range(attempts)]

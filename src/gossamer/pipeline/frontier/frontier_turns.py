"""Turns of hosts: the calendar of times, and the next of those whose time has come."""

from heapq import heappop, heappush

from gossamer.pipeline.frontier.calendar import DelayCalendar
from gossamer.pipeline.frontier.frontier_hosts import HostTable
from gossamer.pipeline.frontier.waiting_host import Host, glance


class FrontierTurns:
    """The hosts with URLs that may be leased, by their time.

    A host has one entry: in the calendar while its time may not have come, in a heap by its best level when
    it has. Both hold names, so a host can be parked meanwhile. When its best level changes, a host gets a
    new entry in the heap, and the one it had is passed over.
    """

    def __init__(self, hosts: HostTable, per_host: int) -> None:
        self._hosts = hosts
        self._per_host = per_host
        self._waiting = DelayCalendar()
        self._eligible: list[tuple[int, int, str]] = []
        self._valid: dict[str, int] = {}
        """The number of the entry that counts, for each host in the heap."""
        self._serial = 0
        self.now = 0.0

    @property
    def eligible(self) -> int:
        """The number of hosts that may be asked now."""
        return len(self._valid)

    @property
    def next_host(self) -> str | None:
        heap, valid = self._eligible, self._valid
        while heap:
            _, serial, name = heap[0]
            if valid.get(name) == serial:
                return name
            heappop(heap)
        return None

    def next_better(self, level: int) -> str | None:
        """The next host if its next URL is better than this level."""
        while (name := self.next_host) is not None and self._eligible[0][0] < level:
            now = self._hosts.glance(name)[1]
            if now < level:
                return name
            self._push(name, now)  # what was better has gone meanwhile
        return None

    @property
    def next_time(self) -> float | None:
        return self._waiting.next_time

    def has_connection(self, host: Host) -> bool:
        """May one more request be made to the host, as to their number?"""
        return host.leased + host.express < self._per_host

    def schedule(self, host: Host) -> None:
        """Give the host an entry, if it can be leased and has none."""
        if (
            host.is_scheduled
            or host.is_held
            or host.leased + host.express >= self._per_host
            or not host.has_urls
        ):
            return
        host.is_scheduled = True
        if host.ready <= self.now:
            self._push(host.name, host.level)
        else:
            self._serial += 1
            self._waiting.push((host.ready, self._serial, host.name))

    def renew(self, name: str, level: int) -> None:
        """The host's best level is another one now."""
        if name in self._valid:
            self._push(name, level)

    def promote(self) -> None:
        """Find the hosts whose time has come."""
        now, waiting = self.now, self._waiting
        while (time := waiting.next_time) is not None and time <= now:
            _, serial, name = waiting.pop()
            ready, level = self._hosts.glance(name)
            if ready > now:  # it was told to rest longer after it had been scheduled
                waiting.push((ready, serial, name))
            else:
                self._push(name, level)

    def pop(self) -> Host | None:
        """Take the best host's entry away; None when the host has to rest or to wait after all.

        Only after `next_host` returned a host.
        """
        name = heappop(self._eligible)[2]
        del self._valid[name]
        host = self._hosts.get(name)
        assert host is not None, "a host with an entry is in the table"
        host.is_scheduled = False
        if host.is_held or host.ready > self.now or not self.has_connection(host):
            self.schedule(host)
            return None
        return host

    def schedule_parked(self) -> None:
        """Give every parked host an entry: they have none after a restart."""
        for name, parked in self._hosts.parked.items():
            self._serial += 1
            self._waiting.push((glance(parked)[0], self._serial, name))

    def _push(self, name: str, level: int) -> None:
        self._serial = serial = self._serial + 1
        self._valid[name] = serial
        heappush(self._eligible, (level, serial, name))

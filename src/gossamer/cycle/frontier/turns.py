"""When each host may be asked: the heap of times, and who is next of those whose time has come."""

from heapq import heapify, heappop, heappush

from gossamer.cycle.frontier.host import Host, glance
from gossamer.cycle.frontier.hosts import HostTable


class Turns:
    """The hosts with URLs that may be leased, by their time.

    A host has one entry, in one of two heaps: those whose time may not have come, and those whose
    time has come, the best level first. Heaps hold names, so a host can be parked meanwhile.
    """

    def __init__(self, hosts: HostTable, per_host: int) -> None:
        self._hosts = hosts
        self._per_host = per_host
        self._waiting: list[tuple[float, int, str]] = []
        self._eligible: list[tuple[int, int, str]] = []
        self._serial = 0
        self.now = 0.0

    @property
    def eligible(self) -> int:
        """How many hosts may be asked now."""
        return len(self._eligible)

    @property
    def next_host(self) -> str | None:
        return self._eligible[0][2] if self._eligible else None

    @property
    def next_time(self) -> float | None:
        return self._waiting[0][0] if self._waiting else None

    def has_connection(self, host: Host) -> bool:
        """May one more request be made to the host, as to their number?"""
        return host.connections < self._per_host

    def schedule(self, host: Host) -> None:
        """Give the host an entry, if it can be leased and has none."""
        if host.is_scheduled or host.is_held or not host.lines or not self.has_connection(host):
            return
        host.is_scheduled = True
        self._serial += 1
        if host.ready <= self.now:
            heappush(self._eligible, (host.level, self._serial, host.name))
        else:
            heappush(self._waiting, (host.ready, self._serial, host.name))

    def promote(self) -> None:
        """Find the hosts whose time has come."""
        now = self.now
        while self._waiting and self._waiting[0][0] <= now:
            _, serial, name = heappop(self._waiting)
            ready, level = self._hosts.glance(name)
            if ready > now:  # it was told to rest longer after it had been scheduled
                heappush(self._waiting, (ready, serial, name))
            else:
                heappush(self._eligible, (level, serial, name))

    def pop(self) -> Host | None:
        """Take the best host's entry away; None when the host has to rest or to wait after all."""
        host = self._hosts.get(heappop(self._eligible)[2])
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
            self._waiting.append((glance(parked)[0], self._serial, name))
        heapify(self._waiting)

"""The host table: every host with URLs behind the front queues, in memory or parked on disk."""

from collections.abc import Callable, Iterator

from gossamer.core.disk.chunks import Chunks
from gossamer.pipeline.frontier.waiting_host import FULL, Host, glance, let_go, unpark
from gossamer.pipeline.frontier.waiting_url import read_host, read_level


class HostTable:
    """Hosts by name, their URLs in at most `memory` bytes.

    When memory runs short, the hosts that have been in it longest are parked: their URLs go to disk,
    and of a host itself only its time, its best level and an address stay. That goes for a
    host on hold too: there can be any number of them. A host that is leased stays, but its URLs go.
    A level that has grown long is written without that, so a host with many URLs takes up no more
    room than others.

    Writing happens in `write_overflow` alone; all else only takes from disk. So when the disk is full,
    nothing is half done.
    """

    def __init__(self, chunks: Chunks, memory: int) -> None:
        self.chunks = chunks
        self.weight = 0
        """Bytes of memory of the hosts that are not parked."""
        self.present: dict[str, Host] = {}
        self.parked: dict[str, bytes] = {}
        self.changed: set[str] = set()
        """Hosts that were parked or brought back since the last checkpoint."""
        self._memory = memory
        self._full: dict[str, Host] = {}
        """Hosts with so many URLs in memory that some are to be written."""
        self._sweep: Iterator[str] = iter(())
        """The hosts that were in memory a while ago, to be parked one after the other."""

    def __len__(self) -> int:
        return len(self.present) + len(self.parked)

    def __contains__(self, name: str) -> bool:
        return name in self.present or name in self.parked

    def get(self, name: str) -> Host | None:
        """The host, brought back to memory if it was parked."""
        host = self.present.get(name)
        if host is None and (parked := self.parked.pop(name, None)) is not None:
            self.changed.add(name)
            host = self._enter(unpark(name, parked))
        return host

    def open(self, name: str, ready: float) -> Host:
        """A host that was not in the table."""
        return self._enter(Host(name, ready))

    def close(self, host: Host) -> None:
        """A host without URLs leaves the table."""
        assert not host.has_urls, "a host with URLs stays in the table"
        self.weight -= host.weight
        del self.present[host.name]
        self._full.pop(host.name, None)

    def glance(self, name: str) -> tuple[float, int]:
        """The time when a host with URLs may be asked, and its best level; it stays where it is."""
        host = self.present.get(name)
        if host is None:
            return glance(self.parked[name])
        return host.ready, host.level

    def append(self, host: Host, level: int, record: bytes) -> None:
        before = host.near_weight
        host.append(level, record, self.chunks)
        self.weight += host.near_weight - before
        if host.near_weight >= FULL:
            self._full[host.name] = host

    def put_first(self, host: Host, level: int, record: bytes) -> None:
        before = host.near_weight
        host.put_first(level, record, self.chunks)
        self.weight += host.near_weight - before

    def pop(self, host: Host, level: int | None = None) -> bytes:
        before = host.near_weight + host.head_weight
        record = host.pop(self.chunks, level)
        self.weight += host.near_weight + host.head_weight - before
        return record

    def change(self, host: Host, action: Callable[[Chunks], None]) -> None:
        """Do something with a host that may change its weight."""
        before = host.weight
        try:
            action(self.chunks)
        finally:
            self.weight += host.weight - before
            if host.near_weight >= FULL:
                self._full[host.name] = host

    def write_overflow(self) -> None:
        """Write long levels, and park hosts until the rest fits into memory."""
        while self._full:
            host = next(iter(self._full.values()))
            self.change(host, host.write_most)
            del self._full[host.name]
        if self.weight > self._memory:
            self._park_some()

    def compact(self) -> None:
        """Move the few URLs that are left in old segments, so that the segments can go."""
        for number in self.chunks.sparse():
            for address, records in self.chunks.scan(number):
                self._move(address, records)

    def restore(self, present: list[Host], parked: dict[str, bytes]) -> None:
        """Take over what a checkpoint had; a hold ends, and every parked host is to get an entry."""
        for host in present:
            self._enter(host)
        self._full.update((host.name, host) for host in present)
        self.parked.update((name, let_go(host)) for name, host in parked.items())

    # Inside.

    def _enter(self, host: Host) -> Host:
        self.present[host.name] = host
        self.weight += host.weight
        return host

    def _park_some(self) -> None:
        """Park hosts, in the order in which they came at the time when the sweep began."""
        tries = 2 * len(self.present) + 1  # some are leased, and weigh something even without URLs
        while self.weight > self._memory and tries:
            tries -= 1
            name = next(self._sweep, None)
            if name is None:
                self._sweep = iter([*self.present])
            elif (host := self.present.get(name)) is not None:
                self._park(host)

    def _park(self, host: Host) -> None:
        self.change(host, host.write_all)
        self._full.pop(host.name, None)
        if host.connections or host.is_express_held:
            return
        assert host.is_scheduled or host.is_held, "a host with URLs has its time or is on hold"
        del self.present[host.name]
        self.weight -= host.weight
        self.parked[host.name] = host.park()
        self.changed.add(host.name)

    def _move(self, address: bytes, records: list[bytes]) -> None:
        name = read_host(records[0])
        host = self.present.get(name)
        parked = self.parked.get(name)
        if host is None and parked is not None:
            host = unpark(name, parked)
        if host is None or not self._replace(host, address, records):
            return  # it is gone
        if parked is not None:
            self.parked[name] = host.park()
            self.changed.add(name)

    def _replace(self, host: Host, address: bytes, records: list[bytes]) -> bool:
        """Write a chunk of this host's again; was it still one of its?"""
        if host.bundle == address:
            host.bundle = self.chunks.append(records)
        else:
            line = host.lines.get(read_level(records[0]))
            at = line.find(address) if line else -1
            if line is None or at < 0:
                return False
            line.chain[at : at + len(address)] = self.chunks.append(records)
        self.chunks.forget(address)
        return True

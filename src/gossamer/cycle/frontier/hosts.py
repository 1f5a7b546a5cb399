"""The host table: every host with URLs behind the front queues, in memory or parked on disk."""

from collections import OrderedDict
from itertools import islice

from gossamer.base.disk.chunks import ADDRESS_SIZE, Chunks
from gossamer.cycle.frontier.host import Host, glance, let_go, unpark
from gossamer.cycle.frontier.waiting import decode


class HostTable:
    """Hosts by name, their URLs in at most `memory` bytes.

    When memory runs short, the host that has been in it longest is parked: its URLs go to disk,
    and of the host itself only its time, its best level and some addresses stay. That goes for a
    host on hold too: there can be any number of them. A host that is leased stays, but its URLs go.
    A line that has grown long is written without that, so a host with many URLs takes up no more
    room than others.

    Writing happens in `make_room` alone; all else only takes from disk. So when the disk is full,
    nothing is half done.
    """

    def __init__(self, chunks: Chunks, memory: int) -> None:
        self.chunks = chunks
        self.weight = 0
        """Bytes of memory of the hosts that are not parked."""
        self.present: OrderedDict[str, Host] = OrderedDict()
        """Those in memory, the one that has been there longest first. (A plain dictionary whose first
        entry is deleted again and again takes longer and longer to find the next one.)"""
        self.parked: dict[str, bytes] = {}
        self._memory = memory
        self._full: dict[str, Host] = {}
        """Hosts with a line that is long enough to be written."""

    def __len__(self) -> int:
        return len(self.present) + len(self.parked)

    def __contains__(self, name: str) -> bool:
        return name in self.present or name in self.parked

    def get(self, name: str) -> Host | None:
        """The host, brought back to memory if it was parked."""
        host = self.present.get(name)
        if host is None and (parked := self.parked.pop(name, None)) is not None:
            host = self._enter(unpark(name, parked))
        return host

    def open(self, name: str, ready: float) -> Host:
        """A host that was not in the table."""
        return self._enter(Host(name, ready))

    def close(self, host: Host) -> None:
        """A host without URLs leaves the table."""
        assert not host.lines, "a host with URLs stays in the table"
        self.weight -= host.weight
        del self.present[host.name]
        self._full.pop(host.name, None)

    def glance(self, name: str) -> tuple[float, int]:
        """When a host with URLs may be asked, and its best level; it stays where it is."""
        host = self.present.get(name)
        if host is None:
            return glance(self.parked[name])
        return host.ready, host.level

    def append(self, host: Host, level: int, record: bytes) -> None:
        before = host.weight
        if host.append(level, record):
            self._full[host.name] = host
        self.weight += host.weight - before

    def put_first(self, host: Host, level: int, record: bytes) -> None:
        before = host.weight
        host.put_first(level, record, self.chunks)
        self.weight += host.weight - before

    def pop(self, host: Host) -> bytes:
        before = host.weight
        record = host.pop(self.chunks)
        self.weight += host.weight - before
        return record

    def make_room(self) -> None:
        """Write long lines, and park hosts until the rest fits into memory."""
        while self._full:
            name, host = next(iter(self._full.items()))
            self._write(host, full_lines_only=True)
            del self._full[name]
        if self.weight > self._memory:
            for host in [*islice(self.present.values(), self._count_to_park())]:
                self._park(host)

    def compact(self) -> None:
        """Move the few URLs that are left in old segments, so that the segments can go."""
        for number in self.chunks.sparse():
            for address, records in self.chunks.scan(number):
                first = decode(records[0])
                self._move(first.host, first.level, address, records)

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

    def _count_to_park(self) -> int:
        """How many hosts to park, the oldest first, to get down to the limit."""
        excess, count = self.weight - self._memory, 0
        for host in self.present.values():
            if excess <= 0:
                break
            excess -= host.weight
            count += 1
        return count

    def _park(self, host: Host) -> None:
        self._write(host, full_lines_only=False)
        self._full.pop(host.name, None)
        if host.connections or host.is_express_held:
            self.present.move_to_end(host.name)
            return
        assert host.is_scheduled or host.is_held, "a host with URLs has its time or is on hold"
        del self.present[host.name]
        self.weight -= host.weight
        self.parked[host.name] = host.park()

    def _write(self, host: Host, *, full_lines_only: bool) -> None:
        before = host.weight
        try:
            host.write(self.chunks, full_lines_only=full_lines_only)
        finally:
            self.weight += host.weight - before

    def _move(self, name: str, level: int, address: bytes, records: list[bytes]) -> None:
        host = self.present.get(name)
        parked = self.parked.get(name)
        if host is None and parked is not None:
            host = unpark(name, parked)
        line = host.lines.get(level) if host else None
        at = _find(line.chain, address) if line else -1
        if host is None or line is None or at < 0:
            return  # it is gone
        line.chain[at : at + ADDRESS_SIZE] = self.chunks.append(records)
        self.chunks.forget(address)
        if parked is not None:
            self.parked[name] = host.park()


def _find(chain: bytearray, address: bytes) -> int:
    """Where the address stands in the chain; -1 when it does not."""
    at = chain.find(address)
    while at >= 0 and at % ADDRESS_SIZE:
        at = chain.find(address, at + 1)
    return at

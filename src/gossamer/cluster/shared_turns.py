"""Turns at servers' addresses, when names of one address belong to different partitions.

The processes of a machine share a table in memory: for each address the time from which it may be asked
again, and how many requests each partition has under way there. An address is found by its hash,
without a list of names; two addresses that share a place share their turns, which is only more polite.
A process holds the lock of a place while it reads and changes it; the lock ends with the process.

Times are those of the crawl's clock, which is the same for all its processes; the table is made again
whenever a crawl is started.
"""

import fcntl
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from struct import Struct as Layout

import numpy as np
import xxhash

from gossamer.core.clock import Clock
from gossamer.pipeline.frontier import AddressState, AddressTurns

PLACES = 1 << 16
_TIMES, _COUNT = Layout("<dd"), Layout("I")
_BREATH = 0.01
"""Seconds after which an address with too many requests under way is looked at again."""


class AddressTable:
    """The shared table: made by the supervisor, inherited by its partitions.

    >>> from gossamer.core.clock import VirtualClock
    >>> table = AddressTable(2, VirtualClock(), places=16)
    >>> table.enter("192.0.2.1", 0, most=1, delay=5.0), table.enter("192.0.2.1", 1, 1, 5.0) > 4
    (0.0, True)
    >>> table.close()
    """

    def __init__(self, partitions: int, clock: Clock, places: int = PLACES) -> None:
        self._partitions = partitions
        self._now = clock.now
        self._places = places
        self._row = Layout(f"{_TIMES.format}{partitions}{_COUNT.format}")
        """From when on it may be asked, the delay it is asked with, requests of each partition."""
        self._size = self._row.size
        self._file = os.memfd_create("gossamer-addresses")
        os.ftruncate(self._file, places * self._size)
        self._memory = mmap.mmap(self._file, places * self._size)

    def enter(self, address: str, partition: int, most: int, delay: float) -> float:
        """Begin a request at an address; returns 0, or the seconds after which to try again."""
        with self._locked(address) as place:
            now = self._now()
            wait = self._wait(place, now, most)
            if not wait:
                self._change(place, partition, 1, now + delay, delay)
        return wait

    def leave(self, address: str, partition: int) -> None:
        """A request ended."""
        with self._locked(address) as place:
            ready, delay, *_ = self._row.unpack_from(self._memory, place)
            self._change(place, partition, -1, max(ready, self._now() + delay), delay)

    def wait(self, address: str, most: int) -> float:
        """The seconds after which a request may begin, as it looks now."""
        return self._wait(self._place(address), self._now(), most)

    def clear(self, partition: int) -> None:
        """A partition has died, and its requests with it; their servers get the rest due to them."""
        now = self._now()
        for place in self._in_use(partition):
            with self._hold(place):
                ready, delay, *active = self._row.unpack_from(self._memory, place)
                self._change(place, partition, -active[partition], max(ready, now + delay), delay)

    def _in_use(self, partition: int) -> list[int]:
        """Places where a partition has requests under way."""
        rows = np.frombuffer(self._memory, np.uint8).reshape(self._places, self._size)
        first = _TIMES.size + partition * _COUNT.size
        counts = rows[:, first : first + _COUNT.size]
        return [int(row) * self._size for row in np.flatnonzero(counts.any(axis=1))]

    def close(self) -> None:
        self._memory.close()
        os.close(self._file)

    def _wait(self, place: int, now: float, most: int) -> float:
        ready, _, *active = self._row.unpack_from(self._memory, place)
        wait: float = max(_BREATH if sum(active) >= most else 0.0, ready - now)
        return wait

    def _change(self, place: int, partition: int, more: int, ready: float, delay: float) -> None:
        _, _, *active = self._row.unpack_from(self._memory, place)
        active[partition] += more
        self._row.pack_into(self._memory, place, ready, delay, *active)

    def _place(self, address: str) -> int:
        return (xxhash.xxh3_64_intdigest(address.encode()) & (self._places - 1)) * self._size

    @contextmanager
    def _locked(self, address: str) -> Iterator[int]:
        place = self._place(address)
        with self._hold(place):
            yield place

    @contextmanager
    def _hold(self, place: int) -> Iterator[None]:
        fcntl.lockf(self._file, fcntl.LOCK_EX, 1, place)
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)


class SharedTurns(AddressTurns):
    """`AddressTurns` of one partition: its own lines, but turns in common with the others."""

    def __init__(self, most: int, delay: float, table: AddressTable, partition: int) -> None:
        super().__init__(most, delay)
        self._table = table
        self._partition = partition

    def enter(self, address: str, host: str, now: float, delay: float = 0.0) -> bool:
        if self.is_free(address, now):
            wait = self._table.enter(address, self._partition, self._most, max(self._delay, delay))
            if wait:
                self.postpone(address, now + wait)
        return super().enter(address, host, now, delay)

    def leave(self, address: str, now: float) -> None:
        self._table.leave(address, self._partition)
        super().leave(address, now)

    def _call(self, address: str, state: AddressState, now: float, hosts: list[str]) -> None:
        self.postpone(address, now + self._table.wait(address, self._most))
        super()._call(address, state, now, hosts)

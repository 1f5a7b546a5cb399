"""Read the frontier of the last checkpoint without changing anything.

Opening a frontier cuts off what came after the checkpoint, so nobody may do that beside a crawl that runs.
Here files are only read. When the crawl makes its next checkpoint meanwhile, files may be gone; then the
caller looks again.

    FrontierState ─▶ front queues: how long each is, and its first URLs
    snapshot      ─▶ hosts that are in memory; what is tried again later; what is due again
    roll          ─▶ hosts that are parked on disk

Memory is bounded by the hosts that are counted, and by one part of the snapshot.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from heapq import nsmallest
from itertools import chain
from pathlib import Path

from msgspec import Struct

from gossamer.core.disk.block import HEADER_SIZE, block_size, unpack
from gossamer.core.disk.chunks import ADDRESS_SIZE
from gossamer.core.disk.queue import QueueState
from gossamer.core.records import Visit
from gossamer.pipeline.frontier import blocks, frontier_snapshot
from gossamer.pipeline.frontier.checkpointed_hosts import CheckpointedHost, CheckpointedHosts
from gossamer.pipeline.frontier.frontier_snapshot import FrontierState, Part
from gossamer.pipeline.frontier.hosts_on_disk import HostIndexPart
from gossamer.pipeline.frontier.sample import OF_A_HOST, OF_A_QUEUE, Counted, Group, count
from gossamer.pipeline.frontier.schedule import DUE, ScheduleLine, wheel_start
from gossamer.pipeline.frontier.waiting_host import Host, unpark
from gossamer.pipeline.frontier.waiting_url import decode, read_level

_MOST_READ = 3_000
"""Chunks that are read to count what is in them; what is beyond is counted as the mean of these."""
_ALL = sys.maxsize
_MEAN = 40.0
"""URLs of a chunk, until one was read."""


class QueueName(IntEnum):
    """The queue of the frontier that a URL is in."""

    UNDER_WAY = 0
    AT_ITS_HOST = 1
    IN_FRONT_QUEUE = 2
    TRIED_AGAIN = 3
    DUE_AGAIN = 4


class WaitingHost(Struct, frozen=True, gc=False):
    """A host with URLs behind the front queues."""

    name: str
    ready: float
    """From when on it may be asked, in seconds since 1970."""
    waiting: int
    level: int
    """Of the URL that is handed out next."""


class DueVisit(Struct, frozen=True):
    time: float
    """When it is due, in seconds since 1970."""
    visit: Visit


class CheckpointedFrontier(Struct, frozen=True):
    """A frontier at a checkpoint."""

    waiting: int
    """All URLs that wait, wherever they are."""
    front: tuple[int, ...]
    """URLs in each front queue, best first."""
    behind: tuple[int, ...]
    """URLs behind the front queues by level, at their hosts."""
    is_estimate: bool
    """Were there so many on disk that `behind`, and `waiting` of hosts, are estimates?"""
    hosts: int
    best: tuple[WaitingHost, ...]
    """In the order in which they are asked: those that may be asked by their best URL, others by time."""
    largest: tuple[WaitingHost, ...]
    """Hosts with the most URLs."""
    next: tuple[tuple[Visit, float], ...]
    """The first URL of each of the best hosts, and from when on its host may be asked."""
    leased: tuple[Visit, ...]
    """Under way at the checkpoint; they count as waiting."""
    first_in_front: tuple[tuple[Visit, ...], ...]
    """The first URLs of each front queue."""
    later: int
    """Visits that failed and are tried again at their time: those in memory."""
    scheduled: int
    """Pages that are due again."""
    due: tuple[DueVisit, ...]
    """The first of them; a part of those of one span when there are very many."""


def read_frontier(folder: Path, state: bytes, now: float, most: int = 100) -> CheckpointedFrontier:
    """Read the files of a checkpoint; `OSError` or `DamageError` when they are gone."""
    return _Reader(folder, frontier_snapshot.decode_state(state), now).read(most)


def read_hosts(folder: Path, state: bytes) -> CheckpointedHosts:
    """All hosts that have URLs, or rest; errors as above."""
    return _Reader(folder, frontier_snapshot.decode_state(state), 0.0).read_hosts()


def read_host_queue(folder: Path, state: bytes, host: str, most: int) -> tuple[list[Visit], float]:
    """The first URLs of one host behind the front queues, and from when on it may be asked."""
    reader = _Reader(folder, frontier_snapshot.decode_state(state), 0.0)
    found = next(reader.hosts(only=host), None)
    if found is None:
        return [], 0.0
    return [decode(one) for one in reader.first_urls(found, most)], found.ready


def read_all(folder: Path, state: bytes) -> Iterator[tuple[QueueName, list[bytes]]]:
    """All URLs that wait or are due again, as records, some at a time; errors as above.

    First what is at its host, under way and tried again, then the front queues, best first, then what is due.
    """
    return _Reader(folder, frontier_snapshot.decode_state(state), 0.0).read_all()


def count_committed(folder: Path, state: bytes, is_meant: Callable[[Visit], bool]) -> Counted:
    """The number of waiting URLs that match; errors as above."""
    return _Reader(folder, frontier_snapshot.decode_state(state), 0.0).count(is_meant)


class _Reader:
    def __init__(self, folder: Path, state: FrontierState, now: float) -> None:
        self._folder = folder
        self._state = state
        self._now = now
        self._parts: list[Part] = []
        """All of the snapshot but its hosts."""
        self._delayed: dict[str, float] = {}
        """Hosts without URLs, and when they may be asked; 0 for one that has gone from the list."""
        self._read = self._records = 0
        self._is_estimate = False

    def read(self, most: int) -> CheckpointedFrontier:
        state, behind = self._state, Counter[int]()
        best: list[tuple[tuple[bool, float, int, str], WaitingHost, Host]] = []
        largest: list[WaitingHost] = []
        hosts = 0
        for some in _batches(self.hosts()):
            hosts += len(some)
            seen = [(self._weigh(host, behind), host) for host in some]
            largest = sorted([*largest, *(waiting_host for waiting_host, _ in seen)], key=_size)[
                :most
            ]
            known = [
                *best,
                *((self._turn(waiting_host), waiting_host, host) for waiting_host, host in seen),
            ]
            best = nsmallest(most, known, key=lambda entry: entry[0])
        levels = max([len(state.front), *(level + 1 for level in behind)])
        return CheckpointedFrontier(
            waiting=state.waiting,
            front=tuple(queue_state.waiting for queue_state in state.front),
            behind=tuple(behind[level] for level in range(levels)),
            is_estimate=self._is_estimate,
            hosts=hosts,
            best=tuple(waiting_host for _, waiting_host, _ in best),
            largest=tuple(largest),
            next=tuple(
                (decode(record), host.ready)
                for _, _, host in best
                for record in self.first_urls(host, 1)
            ),
            leased=tuple(decode(one) for part in self._parts for one in part.leased)[:most],
            first_in_front=tuple(self._first_of(*one) for one in enumerate(state.front)),
            later=sum(len(part.near) for part in self._parts),
            scheduled=state.schedule.size if state.schedule else 0,
            due=tuple(self._due(most)),
        )

    def count(self, is_meant: Callable[[Visit], bool]) -> Counted:
        return count(self._groups(), self._state.waiting, is_meant)

    def _groups(self) -> Iterator[Group]:
        for level, queue in enumerate(self._state.front):
            yield Group(queue.waiting, [*self._first_of(level, queue, OF_A_QUEUE)])
        for host in self.hosts():
            waiting = self._weigh(host, Counter()).waiting
            yield Group(waiting, list(map(decode, self.first_urls(host, OF_A_HOST))))
        later = [decode(record) for part in self._parts for _, _, record in part.near]
        yield Group(len(later), later)
        leased = [decode(record) for part in self._parts for record in part.leased]
        yield Group(len(leased), leased)

    def read_hosts(self) -> CheckpointedHosts:
        found = CheckpointedHosts(self._all_hosts())
        found.is_estimate = self._is_estimate
        return found

    def _all_hosts(self) -> Iterator[CheckpointedHost]:
        behind = Counter[int]()
        for host in self.hosts():
            one = self._weigh(host, behind)
            yield CheckpointedHost(one.name, one.ready, one.waiting)
        yield from (CheckpointedHost(name, ready, 0) for name, ready in self._delayed.items())

    def read_all(self) -> Iterator[tuple[QueueName, list[bytes]]]:
        for host in self.hosts():
            yield QueueName.AT_ITS_HOST, self.first_urls(host, _ALL)
        for part in self._parts:
            yield QueueName.UNDER_WAY, part.leased
            yield QueueName.TRIED_AGAIN, [record for _, _, record in part.near]
        for level, queue in enumerate(self._state.front):
            for some in self._blocks_of(level, queue):
                yield QueueName.IN_FRONT_QUEUE, some
        for part in self._parts:
            yield QueueName.DUE_AGAIN, [record for _, _, record in part.due]
            for line in part.scheduled:
                yield QueueName.DUE_AGAIN, [record for _, record in self._timed(line)]

    def hosts(self, only: str = "") -> Iterator[Host]:
        """All hosts, those in memory first, or one; other parts of the snapshot are kept."""
        path = self._folder / f"snapshot-{self._state.generation:06}.bin"
        for part in blocks.read(path, Part, self._state.check):
            yield from (state.to_host() for state in part.present if only in ("", state.name))
            part.present = []
            self._parts.append(part)
        yield from (unpark(name, packed) for name, packed in self._parked(only).items())

    def _parked(self, only: str) -> dict[str, bytes]:
        parked: dict[str, bytes] = {}
        for number in self._state.host_index.files:
            for piece in blocks.read(self._folder / f"roll-{number:06}.bin", HostIndexPart):
                for name, packed in piece.parked.items():
                    if packed and only in ("", name):
                        parked[name] = packed
                    else:
                        parked.pop(name, None)
                self._delayed |= piece.delayed
        return parked

    def first_urls(self, host: Host, most: int) -> list[bytes]:
        """The next URLs of a host, in the order in which they are handed out."""
        entries = [(level, serial, record) for level, serial, record in host.near]
        if host.bundle:
            bundled = self._chunk(host.bundle)[host.taken :]
            entries += [
                (read_level(record), number - len(bundled), record)
                for number, record in enumerate(bundled)
            ]
        for level, line in sorted(host.lines.items()):
            taken, found = line.taken, 0
            for address in _addresses(line.chain):
                records = self._chunk(address)[taken:]
                entries += [(level, -(1 << 39) + found + at, one) for at, one in enumerate(records)]
                taken, found = 0, found + len(records)
                if found >= most:
                    break
        return [record for _, _, record in nsmallest(most, entries)]

    def _weigh(self, host: Host, behind: Counter[int]) -> WaitingHost:
        """Count the URLs of a host, by level too."""
        own = Counter(level for level, _, _ in host.near)
        if host.bundle:
            levels = self._levels_of(host.bundle, host.taken, host.bundle_level)
            own.update(levels)
        for level, line in host.lines.items():
            own[level] += sum(
                sum(self._levels_of(address, 0, level).values())
                for address in _addresses(line.chain)
            )
            own[level] = max(own[level] - line.taken, 1)
        behind.update(own)
        return WaitingHost(host.name, host.ready, own.total(), min(own, default=0))

    def _levels_of(self, address: bytes, taken: int, level: int) -> Counter[int]:
        """The levels of the URLs in a chunk; when many were read, it is taken for one like these."""
        if self._read >= _MOST_READ:
            self._is_estimate = True
            mean = self._records / self._read if self._read else _MEAN
            return Counter({level: max(1, round(mean) - taken)})
        records = self._chunk(address)[taken:]
        self._read += 1
        self._records += len(records)
        return Counter(map(read_level, records))

    def _turn(self, one: WaitingHost) -> tuple[bool, float, int, str]:
        """Of hosts that may be asked, the one with the best URL is first; the others come by time."""
        must_rest = one.ready > self._now
        return must_rest, one.ready if must_rest else 0.0, one.level, one.name

    def _first_of(self, level: int, queue: QueueState, most: int = 3) -> tuple[Visit, ...]:
        """The first URLs of a front queue."""
        return tuple(map(decode, next(self._blocks_of(level, queue), [])[:most]))

    def _blocks_of(self, level: int, queue: QueueState) -> Iterator[list[bytes]]:
        """The URLs of a front queue, block by block."""
        number, offset, taken, left = (
            queue.head.number,
            queue.head.length,
            queue.taken,
            queue.waiting,
        )
        while left > 0:
            if number < queue.end.number and offset >= queue.lengths.get(number, offset + 1):
                number, offset = number + 1, 0
            path = self._folder / f"front-{level:03}" / f"{number:08}.segment"
            records, size = _read_block(path, offset)
            records, offset, taken = records[taken:][:left], offset + size, 0
            left -= len(records)
            yield records

    def _chunk(self, address: bytes, folder: str = "hosts") -> list[bytes]:
        number = int.from_bytes(address[:4], "little")
        path = self._folder / folder / f"{number:08}.segment"
        return _read_block(path, int.from_bytes(address[4:8], "little"))[0]

    def _due(self, most: int) -> Iterator[DueVisit]:
        """The records due first: from memory, and from the next spans until there is enough."""
        found = [(time, record) for part in self._parts for time, _, record in part.due]
        lines = [line for part in self._parts for line in part.scheduled]
        for line in sorted(lines, key=lambda one: wheel_start((one.wheel, one.span))):
            if len(found) >= most:
                break
            found += self._timed(line)
        for time, record in nsmallest(most, found):
            yield DueVisit(time, decode(record))

    def _timed(self, line: ScheduleLine) -> Iterator[tuple[float, bytes]]:
        """The records due within a span, with their times."""
        folder = f"schedule-{line.wheel}"
        for timed in chain(
            line.tail, *(self._chunk(one, folder) for one in _addresses(line.chain))
        ):
            yield DUE.unpack_from(timed)[0], timed[DUE.size :]


def _read_block(path: Path, offset: int) -> tuple[list[bytes], int]:
    """The records of a block, and its length in the file."""
    with path.open("rb") as file:
        file.seek(offset)
        header = file.read(HEADER_SIZE)
        size = block_size(header, path)
        return unpack(header + file.read(size - HEADER_SIZE), path), size


def _addresses(chain_of: bytearray) -> Iterator[bytes]:
    for at in range(0, len(chain_of), ADDRESS_SIZE):
        yield bytes(chain_of[at : at + ADDRESS_SIZE])


def _batches(hosts: Iterable[Host]) -> Iterator[list[Host]]:
    return blocks.in_parts(hosts)


def _size(one: WaitingHost) -> tuple[int, str]:
    return -one.waiting, one.name

"""The move: all that waits is looked through once, and URLs whose level has changed go there.

    front queues, one after the other ─▶ hosts in memory ─▶ chunks on disk, a segment at a time

In this order no URL slips through: one that leaves a front queue meanwhile is met with its host. A URL
that is leased, or waits to be tried again, keeps its level. Each step writes before it changes anything,
so a full disk leaves no URL in two places or none.
"""

from collections.abc import Callable, Iterator
from operator import itemgetter

from msgspec import Struct
from numpy.typing import ArrayLike

from gossamer.core.url import Url
from gossamer.pipeline.frontier.front_queues import FrontQueues
from gossamer.pipeline.frontier.frontier_hosts import HostTable
from gossamer.pipeline.frontier.frontier_turns import FrontierTurns
from gossamer.pipeline.frontier.level_changes import STAYS, Changes
from gossamer.pipeline.frontier.waiting_host import Host
from gossamer.pipeline.frontier.waiting_url import (
    decode,
    read_host,
    read_keys,
    read_level,
    with_level,
)

_FEW = 1_000
"""As long as no more URLs wait, changes are carried out at once …"""
_SHARE = 16
"""… and else as soon as there is one for so many URLs that wait."""
_RECORDS = 20_000
"""URLs that are looked up together."""

Chunk = tuple[bytes, list[bytes]]
FindLevel = Callable[[Url], int | None]
"""The level that a command gives a URL, whatever its order says."""


class MoveStatistics(Struct, frozen=True):
    moved: int
    """URLs that went to another level."""
    looked_at: int
    """URLs that were looked up for that."""
    is_under_way: bool


class Mover:
    """Carries out changes of level, step by step."""

    def __init__(
        self, front: FrontQueues, hosts: HostTable, turns: FrontierTurns, keeps_first: bool = False
    ) -> None:
        """`keeps_first`: URLs at level 0 stay there, unless `prefer` says otherwise."""
        self._keeps_first = keeps_first
        self.changes = Changes()
        self._front = front
        self._hosts = hosts
        self._turns = turns
        self._steps: Iterator[None] = iter(())
        self._find: FindLevel | None = None
        self._is_wanted = False
        """Is all that waits to be looked through for the sake of `_find`?"""
        self._is_preferring = False
        """Is that under way?"""
        self.moved = self.looked_at = 0

    def statistics(self) -> MoveStatistics:
        return MoveStatistics(self.moved, self.looked_at, self.changes.is_under_way)

    @property
    def is_busy(self) -> bool:
        """Are there changes that are not carried out?"""
        return self.changes.is_under_way or self.changes.waiting > 0 or self._is_wanted

    @property
    def is_preferring(self) -> bool:
        """Are there URLs left that were not looked at since `prefer` was called?"""
        return self._is_wanted or self._is_preferring

    def prefer(self, find: FindLevel | None, is_new: bool, waiting: int) -> None:
        """Go by this from now on; if it is new, look through all that waits for it."""
        self._find = find
        self._is_wanted = find is not None and (is_new or self._is_wanted)
        if self._is_wanted and waiting <= _FEW:
            while self._is_wanted or self.changes.is_under_way:
                self.step(waiting)

    def add(self, keys: ArrayLike, levels: ArrayLike, waiting: int) -> None:
        """Take in changes, while this many URLs wait."""
        self.changes.add(keys, levels)
        if waiting <= _FEW:
            while self.is_busy:
                self.step(waiting)

    def step(self, waiting: int) -> None:
        """Go on, if there is something to do: for about as long as it takes to read one queue."""
        changes = self.changes
        if not changes.is_under_way:
            if not self._is_wanted and not self._are_enough(waiting):
                return
            changes.begin()
            self._is_preferring, self._is_wanted = self._is_wanted, False
            self._steps = self._all_steps()
        try:
            next(self._steps)
        except StopIteration:
            changes.end()
            self._is_preferring = False
        except BaseException:  # a full disk: begin again, which changes nothing for those moved
            self._steps = self._all_steps()
            raise

    def _are_enough(self, waiting: int) -> bool:
        """Are there enough changes to look through all that waits?"""
        count = self.changes.waiting
        return count > 0 and (waiting <= _FEW or count * _SHARE >= waiting)

    def _goals(self, records: list[bytes]) -> list[int]:
        """The level that each URL is to have, or STAYS."""
        goals: list[int] = self.changes.find(read_keys(records)).tolist()
        if self._keeps_first:
            goals = [
                goal if read_level(record) else STAYS
                for goal, record in zip(goals, records, strict=True)
            ]
        if (find := self._find) is not None:
            for at, record in enumerate(records):
                level = find(decode(record).url)
                goals[at] = goals[at] if level is None else level
        return goals

    def _all_steps(self) -> Iterator[None]:
        for level in range(self._front.levels):
            self._move_in_front(level)
            yield
        self._move_in_memory()
        yield
        for number in self._hosts.chunks.numbers:
            self._move_on_disk(number)
            yield

    # In the front queues.

    def _move_in_front(self, level: int) -> None:
        front = self._front
        left = front.begin_pass(level)
        while left > 0:
            front.write_overflow(range(front.levels))
            records = front.take_batch(level)
            left -= len(records)
            front.extend(self._sort(level, records))

    def _sort(self, level: int, records: list[bytes]) -> dict[int, list[bytes]]:
        """Some URLs of one level by the level they are to have."""
        levels = self._goals(records)
        self.looked_at += len(records)
        by_level: dict[int, list[bytes]] = {}
        for record, goal in zip(records, levels, strict=True):
            if goal in (STAYS, level):
                by_level.setdefault(level, []).append(record)
            else:
                by_level.setdefault(goal, []).append(with_level(record, goal))
                self.moved += 1
        return by_level

    # In the heaps of hosts.

    def _move_in_memory(self) -> None:
        some: list[Host] = []
        count = 0
        for host in [*self._hosts.present.values()]:
            some.append(host)
            count += len(host.near)
            if count >= _RECORDS:
                self._move_near(some)
                some, count = [], 0
        self._move_near(some)

    def _move_near(self, hosts: list[Host]) -> None:
        entries = [entry for host in hosts for entry in host.near]
        if not entries:
            return
        levels = self._goals([record for _, _, record in entries])
        self.looked_at += len(entries)
        at = 0
        moves: list[tuple[int, Host, list[int]]] = []
        for host in hosts:
            goals = levels[at : at + len(host.near)]
            at += len(goals)
            going = [
                record
                for (level, _, record), goal in zip(host.near, goals, strict=True)
                if goal not in (STAYS, level)
            ]
            if going:
                moves.append((self.changes.first(read_keys(going)), host, goals))
        for _, host, goals in sorted(moves, key=itemgetter(0)):
            self._replace(host, goals)

    def _replace(self, host: Host, goals: list[int]) -> None:
        """Give a host's heap other levels; what moves goes last in its new level, in the old order."""
        pairs = [*zip(host.near, goals, strict=True)]
        go = [(entry, goal) for entry, goal in pairs if goal not in (STAYS, entry[0])]
        stay = [entry for entry, goal in pairs if goal in (STAYS, entry[0])]
        self.moved += len(go)
        self._hosts.change(host, lambda chunks: host.replace(stay, chunks))
        for (_, _, record), goal in sorted(go):
            self._hosts.append(host, goal, with_level(record, goal))
        self._turns.renew(host.name, host.level)

    # On disk.

    def _move_on_disk(self, number: int) -> None:
        some: list[Chunk] = []
        count = 0
        for chunk in self._hosts.chunks.scan(number):
            some.append(chunk)
            count += len(chunk[1])
            if count >= _RECORDS:
                self._move_chunks(some)
                some, count = [], 0
        self._move_chunks(some)

    def _move_chunks(self, chunks: list[Chunk]) -> None:
        records = [record for _, some in chunks for record in some]
        if not records:
            return
        levels = self._goals(records)
        self.looked_at += len(records)
        at = 0
        for address, some in chunks:
            goals = levels[at : at + len(some)]
            at += len(some)
            if any(goal != STAYS for goal in goals):
                self._hosts.write_overflow()
                self._move_chunk(address, some, goals)

    def _move_chunk(self, address: bytes, records: list[bytes], goals: list[int]) -> None:
        """A chunk that may be gone by now, wholly or in part."""
        name = read_host(records[0])
        if name not in self._hosts:
            return
        host = self._hosts.get(name)
        assert host is not None, "it is in the table"
        if host.bundle == address and not host.is_near_on_disk:
            self._hosts.change(host, host.load)
            self._move_near([host])
            return
        level = read_level(records[0])
        line = host.lines.get(level)
        at = line.find(address) if line is not None else -1
        if line is None or at < 0:
            return
        taken = line.taken if at == 0 else 0
        pairs = [*zip(records[taken:], goals[taken:], strict=True)]
        stay = [record for record, goal in pairs if goal in (STAYS, level)]
        if len(stay) == len(pairs):
            return
        self._hosts.change(host, lambda chunks: host.replace_chunk(level, at, stay, chunks))
        for record, goal in pairs:
            if goal not in (STAYS, level):
                self._hosts.append(host, goal, with_level(record, goal))
                self.moved += 1
        self._turns.renew(name, host.level)

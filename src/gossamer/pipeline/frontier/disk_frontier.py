"""Mercator's frontier with most of it on disk."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec.structs import replace
from numpy.typing import ArrayLike

from gossamer.core.disk.chunks import Chunks
from gossamer.core.disk.disk_files import delete
from gossamer.core.durable import Durable
from gossamer.core.protocols import FrontierStatistics, HostView, WaitingView
from gossamer.core.records import Candidate, Visit
from gossamer.pipeline.frontier import blocks, frontier_snapshot
from gossamer.pipeline.frontier.delayed_hosts import DelayedHosts
from gossamer.pipeline.frontier.front_queues import FrontQueues
from gossamer.pipeline.frontier.frontier_hosts import HostTable
from gossamer.pipeline.frontier.frontier_snapshot import FrontierState, HostState, LineState, Part
from gossamer.pipeline.frontier.frontier_turns import FrontierTurns
from gossamer.pipeline.frontier.hosts_on_disk import HostIndex, HostIndexState
from gossamer.pipeline.frontier.leases import Leases
from gossamer.pipeline.frontier.level_moves import FindLevel, Mover, MoveStatistics
from gossamer.pipeline.frontier.sample import OF_A_HOST, OF_A_QUEUE, Counted, Group, count
from gossamer.pipeline.frontier.schedule import Schedule
from gossamer.pipeline.frontier.try_again_later import Later
from gossamer.pipeline.frontier.urgent import Express
from gossamer.pipeline.frontier.view import (
    names_waiting,
    view_groups,
    view_host,
    view_hosts,
    view_later,
    view_next,
    with_later,
)
from gossamer.pipeline.frontier.waiting_host import Host, glance
from gossamer.pipeline.frontier.waiting_url import decode, encode, read_host, read_level, with_level

_PICKS = 64
"""URLs that one lease moves from the front queues while some host may be asked anyway …"""
_PICKS_WHEN_IDLE = 5_000
"""… and while none may. After that the ring gets time for other things."""
_ROUND = 32
"""Back queues are filled when one in this many is free: filling some at once is cheaper for each."""
_BREATH = 0.001
"""Seconds until then."""
_RETRIES_IN_MEMORY = 50_000


class LevelShare(NamedTuple):
    """A level that is not only for what better ones leave: it has its part of what each host is asked."""

    level: int
    part: float


class DiskFrontier(Durable):
    """The `Frontier` protocol on disk, with checkpoints.

    >>> from tempfile import TemporaryDirectory
    >>> from gossamer.core.url import parse
    >>> with TemporaryDirectory() as folder:
    ...     frontier = DiskFrontier(Path(folder), levels=4, back_queues=10, random=Random(7))
    ...     frontier.put([Candidate(parse("http://a.test/1"))], [0])
    ...     state = frontier.checkpoint()
    ...     frontier.done(frontier.lease(now=0.0), ready=5.0)
    ...     frontier.close()
    ...     again = DiskFrontier(Path(folder), levels=4, back_queues=10, random=Random(7), state=state)
    ...     again.lease(now=0.0).url.text
    'http://a.test/1'

    `memory` bounds the bytes of URLs and hosts that are kept in memory, beside a few hundred bytes
    for each host that waits, rests or is on hold.
    """

    name = "frontier"

    def __init__(
        self,
        folder: Path,
        levels: int,
        back_queues: int,
        per_host: int = 1,
        *,
        random: Random,
        spacing: float = 0.0,
        memory: int = 128 << 20,
        state: bytes | None = None,
        aside: LevelShare | None = None,
        keeps_first: bool = False,
    ) -> None:
        """`keeps_first`: what waits at level 0 stays there, whatever `relevel` says."""
        self._folder = folder
        self._lease_below: int | None = None
        """Only levels better than this one are leased; None when all are."""
        self._random, self._aside = random, aside
        self._back_queues = back_queues
        self._enough = back_queues - back_queues // _ROUND
        """Back queues that are taken before it is worth while to fill the others."""
        self._per_host = per_host
        self._spacing = spacing
        """With several connections to a host, the least time between two starts."""
        self._delayed = DelayedHosts()
        self._leased = Leases()
        self._skipped: Counter[int] = Counter()
        self._skipped_again: Counter[int] = Counter()
        """The same for pages that were visited before: after a crash both may wait, and are distinguished."""
        self._busy = self._held = 0
        """Hosts with a lease; hosts on hold. A lease of the express does not count."""
        self._breath: float | None = None
        """When to go on with front queues that were not looked through to the end."""
        before = None if state is None else frontier_snapshot.decode_state(state)
        self._front = FrontQueues(folder, levels, random, before.front if before else ())
        hosts = Chunks(folder / "hosts", before.hosts if before else None)
        later = Chunks(folder / "later", before.later if before else None)
        self._hosts = HostTable(hosts, memory)
        self._later = Later(later, _RETRIES_IN_MEMORY)
        self._schedule = Schedule(folder, before.schedule if before else None)
        self._express = Express()
        self._turns = FrontierTurns(self._hosts, per_host)
        self._size = before.waiting if before else 0
        self._generation = before.generation if before else 0
        self._not_before = before.not_before if before else 0.0
        host_index = before.host_index if before else HostIndexState()
        self._mover = Mover(self._front, self._hosts, self._turns, keeps_first)
        if before and before.has_changes:
            self._mover.changes.load(self._changes_path(before.generation))
        self._host_index = HostIndex(folder, self._hosts, self._delayed, host_index)
        self._delete_other_snapshots()
        if before:
            self._restore(before.check)

    # The protocol.

    def __len__(self) -> int:
        return self._size + len(self._express)

    def put(self, candidates: Sequence[Candidate], levels: Sequence[int]) -> None:
        self._write_overflow()
        self._front.write_overflow({level for level in levels if level >= 0})
        if min(levels, default=0) < 0:
            candidates, levels = self._express.take(candidates, levels)
        self._enter(
            (candidate.url.host, level, encode(candidate, 0, level))
            for candidate, level in zip(candidates, levels, strict=True)
        )
        self._size += len(candidates)

    def schedule(self, candidates: Sequence[Candidate], times: Sequence[float]) -> None:
        self._write_overflow()
        for candidate, time in zip(candidates, times, strict=True):
            self._schedule.add(time, encode(candidate, 0, 0))

    def let_in(self, now: float, most: int, level: int) -> int:
        if not len(self._schedule):
            return 0
        self._write_overflow()
        self._front.write_overflow([level])
        records = [with_level(one, level) for one in self._schedule.take_due(now, most)]
        self._enter((read_host(record), level, record) for record in records)
        self._size += len(records)
        return len(records)

    def next_due(self) -> float | None:
        return self._schedule.next_due()

    def lease(self, now: float) -> Visit | None:
        self._turns.now = now
        if now < self._not_before:
            return None
        self._write_overflow()
        if self._express and (visit := self._lease_express(now)) is not None:
            return visit
        self._breath = None
        if (due := self._later.next_due()) is not None and due <= now:
            self._readmit(now)
        if self._lease_below is not None:
            return self._lease_better(self._lease_below, now)
        while True:
            self._turns.promote()
            if self._front.size:
                self._refill(now)
            visit = self._lease_next(now)
            if visit is not None or not self._could_refill:
                return visit

    def done(self, visit: Visit, ready: float) -> None:
        self._release(visit, ready)

    def retry(self, visit: Visit, again: float, ready: float) -> None:
        self._put_later(replace(visit, attempt=visit.attempt + 1), again)
        self._release(visit, ready)

    def postpone(self, visit: Visit, again: float) -> None:
        self._put_later(visit, again)
        self._release(visit, self._hosts.present[visit.url.host].ready)

    def hold(self, visit: Visit) -> None:
        host = self._hosts.present[visit.url.host]
        self._held += not host.is_held
        host.is_held = True
        if visit.level < 0:
            host.is_express_held = True
            self._express.put_first(visit)
        else:
            self._hosts.put_first(host, visit.level, encode(visit, visit.attempt, visit.level))
            self._size += 1
        self._release(visit, host.ready)

    def free(self, host: str, ready: float) -> None:
        found = self._hosts.get(host)
        if found is None:
            self._delayed.add(host, max(ready, self._delayed.get(host, ready)), self._turns.now)
            return
        found.ready = max(found.ready, ready)
        self._held -= found.is_held
        found.is_held = found.is_express_held = False
        self._leave(found)

    def next_ready(self) -> float | None:
        times = [
            self._breath,
            self._later.next_due(),
            self._turns.next_time,
            self._express.next_time,
        ]
        below = self._lease_below
        name = self._turns.next_host if below is None else self._turns.next_better(below)
        if name is not None and self._has_room_for(name):
            times.append(self._hosts.glance(name)[0])
        if self._could_refill and below is None:
            times.append(self._not_before)
        found = min((time for time in times if time is not None), default=None)
        return None if found is None else max(found, self._not_before)

    def statistics(self) -> FrontierStatistics:
        return FrontierStatistics(
            waiting=len(self),
            leased=len(self._leased),
            hosts=len(self._hosts) + sum(host not in self._hosts for host in self._express.hosts),
            held=self._held,
            levels=self._front.lengths,
            scheduled=len(self._schedule),
        )

    def relevel(self, keys: ArrayLike, levels: ArrayLike) -> None:
        self._mover.add(keys, levels, self._size)

    # Beyond the protocol: what a crawl on disk needs.

    def skip(self, keys: Iterable[int], again: Iterable[int] = ()) -> None:
        """Drop each of these URLs, by its key, when its turn comes: it was visited already.

        `again` are visits that were not the first ones. A key that is given twice is dropped twice, for its
        URL was due again after the first visit.

        A visit that others wait for is never dropped: it is always a new one.
        """
        self._skipped.update(keys)
        self._skipped_again.update(again)

    def delay_all_hosts(self, until: float) -> None:
        """Lease nothing before this time: who was asked just before a crash is not known."""
        self._not_before = max(self._not_before, until)

    def prefer(self, find: FindLevel | None, *, is_new: bool) -> None:
        """Give waiting URLs the levels that `find` says, whatever `relevel` says."""
        self._mover.prefer(find, is_new, self._size)

    def lease_only(self, level: int | None) -> None:
        """From now on, lease nothing but express visits and what is better than this level; None ends it."""
        self._lease_below = level

    def first_ready(self, level: int) -> float | None:
        """The time when the first URL that is better than this level may be asked for; None when none waits.

        All hosts are looked through.
        """
        best = self._front.best()
        if len(self._express) or (best is not None and best < level):
            return self._not_before
        hosts = (one for one in self._hosts.present.values() if one.has_urls and one.level < level)
        times = [0.0 if host.is_held else host.ready for host in hosts]
        times += [ready for ready, one in map(glance, self._hosts.parked.values()) if one < level]
        times += [at for at, _, record in self._later.near if read_level(record) < level]
        first = min(times, default=None)
        return None if first is None else max(first, self._not_before)

    def call_back(self, is_wanted: Callable[[Visit], bool], now: float) -> None:
        """Have visits that are to be tried later tried as soon as their hosts may be asked."""
        self._later.call_back(lambda record: is_wanted(decode(record)), now)

    @property
    def is_moving(self) -> bool:
        """Are there URLs left that were not looked at since `prefer` was called?"""
        return self._mover.is_preferring

    # For those who look.

    def view_host(self, name: str) -> HostView:
        """The state of a host."""
        found = view_host(self._hosts, name, self._delayed.get(name, 0.0))
        return with_later([found], self._later, name)[0]

    def view_hosts(self, most: int) -> tuple[list[HostView], bool]:
        """The hosts with the most URLs, and whether all were looked at."""
        views, is_complete = view_hosts(self._hosts, most)
        return with_later(views, self._later)[:most], is_complete

    def view_origins(self, name: str) -> set[str]:
        """Origins of URLs of a host that come next."""
        return {view.visit.url.origin for view in self.view_next(1, name, 0.0)}

    def view_next(self, most: int, host: str, now: float) -> list[WaitingView]:
        """The next URLs, of one host or of all; then the first ones in the front queues."""
        found = view_next(self._hosts, most, host, now)
        found += view_later(self._later, self._hosts, most - len(found), host)
        for record in self._front.first(most - len(found)):
            visit = decode(record)
            if not host or visit.url.host == host:
                found.append(WaitingView(visit, now, is_in_front=True))
        return found

    def count(self, is_meant: Callable[[Visit], bool]) -> Counted:
        """The number of waiting URLs that match; little is read, however much waits."""
        return count(self._groups(), self._size, is_meant)

    def _groups(self) -> Iterator[Group]:
        for length, records in self._front.samples(OF_A_QUEUE):
            yield Group(length, list(map(decode, records)))
        yield from view_groups(self._hosts, OF_A_HOST)
        later = [decode(record) for _, _, record in self._later.near[:OF_A_QUEUE]]
        yield Group(len(self._later.near), later)

    def view_all(self, most: int) -> tuple[list[Visit], set[str]] | None:
        """The URLs to be tried later, and the hosts of all else that waits; None when there is more."""
        is_small = len(self._later.near) <= most and len(self._hosts) <= most
        if self._later.far or self._front.size or self._express or not is_small:
            return None
        return [decode(record) for _, _, record in self._later.near], names_waiting(self._hosts)

    @property
    def moves(self) -> MoveStatistics:
        """The cost of changes of level so far."""
        return self._mover.statistics()

    @property
    def disk_bytes(self) -> int:
        """Bytes of all queues on disk."""
        hosts, later = self._hosts.chunks, self._later.chunks
        queues = self._front.disk_bytes + hosts.disk_bytes + later.disk_bytes
        return queues + self._schedule.disk_bytes

    def checkpoint(self) -> bytes:
        """Make everything durable, and say how to find it; a leased URL counts as waiting."""
        self._hosts.compact()
        check = blocks.write(self._snapshot_path(self._generation + 1), self._parts())
        host_index = self._host_index.checkpoint(self._generation + 1)
        has_changes = self._mover.changes.save(self._changes_path(self._generation + 1))
        self._generation += 1
        state = FrontierState(
            self._generation,
            self._size + len(self._leased_records()),
            self._not_before,
            self._front.checkpoint(),
            self._hosts.chunks.checkpoint(),
            self._later.chunks.checkpoint(),
            host_index,
            has_changes,
            self._schedule.checkpoint(),
            check,
        )
        return frontier_snapshot.encode_state(state)

    def checkpoint_published(self) -> None:
        """The last checkpoint is the one to go back to: delete what it does not need."""
        self._front.checkpoint_published()
        self._hosts.chunks.checkpoint_published()
        self._later.chunks.checkpoint_published()
        self._schedule.checkpoint_published()
        self._host_index.checkpoint_published()
        self._delete_other_snapshots()

    def verify(self) -> None:
        """Read all files to their ends; raises `DamageError` when one is not what was written."""
        self._front.verify()
        self._hosts.chunks.verify()
        self._later.chunks.verify()
        self._schedule.verify()

    def close(self) -> None:
        self._front.close()
        self._hosts.chunks.close()
        self._later.chunks.close()
        self._schedule.close()

    # Into the queues.

    def _write_overflow(self) -> None:
        """All writing is done here, before anything is changed."""
        self._hosts.write_overflow()
        self._later.write_overflow()
        self._schedule.write_overflow()
        if self._mover.is_busy:
            self._mover.step(self._size)

    def _enter(self, arrivals: Iterable[tuple[str, int, bytes]]) -> None:
        """Through the front door: a URL of an open host could jump the queue, but does not."""
        is_open = not self._front.size
        batches: dict[int, list[bytes]] = {}
        for name, level, record in arrivals:
            is_open = is_open and len(self._hosts) < self._back_queues
            if is_open:
                self._route(name, level, record, 0.0)
            else:
                batches.setdefault(level, []).append(record)
        self._front.extend(batches)

    def _put_later(self, visit: Visit, again: float) -> None:
        if visit.level < 0:
            self._express.put_later(visit, again)
        else:
            self._later.add(again, encode(visit, visit.attempt, visit.level))
            self._size += 1

    def _readmit(self, now: float) -> None:
        """Let in again what is to be tried again."""
        self._front.write_overflow(range(self._front.levels))
        records = list(self._later.take_due(now, _PICKS_WHEN_IDLE))
        self._enter((read_host(record), read_level(record), record) for record in records)
        if (due := self._later.next_due()) is not None and due <= now:
            self._breath = now + _BREATH

    def _refill(self, now: float) -> None:
        """Fill free back queues from the front queues."""
        front, turns, picks = self._front, self._turns, 0
        if turns.eligible and self._busy + turns.eligible > self._enough:
            return
        while front.size and self._busy + turns.eligible < self._back_queues:
            picks += 1
            if picks > (_PICKS if turns.eligible else _PICKS_WHEN_IDLE):
                self._breath = now + _BREATH
                return
            level, record = front.pick()
            self._route(read_host(record), level, record, now)

    @property
    def _could_refill(self) -> bool:
        """Is there something in the front queues, and a free back queue that nobody tried to fill?"""
        is_free = self._busy + self._turns.eligible < self._back_queues
        return is_free and self._front.size > 0 and self._breath is None

    def _route(self, name: str, level: int, record: bytes, now: float) -> None:
        """The back queue router: to the host's back queue, or to a new one."""
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts.open(name, self._delayed.pop(name, now))
        if not host.is_scheduled:
            self._hosts.append(host, level, record)
            self._turns.schedule(host)
        else:
            before = host.level
            self._hosts.append(host, level, record)
            if level < before:
                self._turns.renew(name, level)

    # Out of the queues.

    def _lease_express(self, now: float) -> Visit | None:
        """A visit that others wait for: holds of others and the number of back queues do not count."""
        while (name := self._express.due(now)) is not None:
            host = self._hosts.get(name)
            ready = host.ready if host is not None else self._delayed.get(name, now)
            if ready > now:
                self._express.wake(name, ready)
            elif host is None or self._is_open_for_express(host):
                if host is None:
                    host = self._hosts.open(name, self._delayed.pop(name, now))
                visit = self._express.pop(name)
                self._lend(visit, host, now)
                return visit
        return None

    def _is_open_for_express(self, host: Host) -> bool:
        """If not, then `_leave` wakes it: when a lease or the hold ends."""
        return self._turns.has_connection(host) and not host.is_express_held

    def _lease_next(self, now: float) -> Visit | None:
        while (name := self._turns.next_host) is not None and self._has_room_for(name):
            host = self._turns.pop()
            if host is not None and (visit := self._take(host)) is not None:
                self._lend(visit, host, now)
                return visit
        return None

    def _lease_better(self, level: int, now: float) -> Visit | None:
        """The next URL that is better than this level; no other one leaves the front queues."""
        front, picks = self._front, 0
        while (best := front.best()) is not None and best < level:
            record = front.pop(best)
            self._route(read_host(record), best, record, now)
            picks += 1
            if picks == _PICKS_WHEN_IDLE:
                self._breath = now + _BREATH
                break
        self._turns.promote()
        while (name := self._turns.next_better(level)) is not None and self._has_room_for(name):
            host = self._turns.pop()
            if host is not None and (visit := self._take(host)) is not None:
                self._lend(visit, host, now)
                return visit
        return None

    def _has_room_for(self, name: str) -> bool:
        """May this host be leased without more than B hosts being leased?"""
        if self._busy < self._back_queues:
            return True
        host = self._hosts.present.get(name)
        return host is not None and host.leased > 0

    def _take(self, host: Host) -> Visit | None:
        """The host's next URL that is not to be skipped."""
        while host.has_urls:
            visit = decode(self._hosts.pop(host, self._draw_level(host)))
            self._size -= 1
            skipped = self._skipped_again if visit.is_return else self._skipped
            if not skipped.get(visit.url.key):
                return visit
            skipped[visit.url.key] -= 1
            if not skipped[visit.url.key]:
                del skipped[visit.url.key]
        self._leave(host)
        return None

    def _draw_level(self, host: Host) -> int | None:
        """A level that has its turn although the host has better ones, by lot."""
        aside = self._aside if self._lease_below is None else None
        if aside is None or host.level >= aside.level or self._random.random() >= aside.part:
            return None
        return aside.level

    def _lend(self, visit: Visit, host: Host, now: float) -> None:
        self._leased.add(visit)
        if visit.level < 0:
            host.express += 1
        else:
            self._busy += not host.leased
            host.leased += 1
        if self._turns.has_connection(host):
            host.ready = max(host.ready, now + self._spacing)
            self._express.wake(host.name, host.ready)
            self._turns.schedule(host)

    def _release(self, visit: Visit, ready: float) -> None:
        self._leased.remove(visit)
        host = self._hosts.present[visit.url.host]
        if visit.level < 0:
            host.express -= 1
        else:
            host.leased -= 1
            self._busy -= not host.leased
        host.ready = max(host.ready, ready)
        self._leave(host)

    def _leave(self, host: Host) -> None:
        """Something ended: go on with the host, or forget all but its time if it has nothing left."""
        if self._express and self._is_open_for_express(host):
            self._express.wake(host.name, host.ready)
        if host.is_needed:
            self._turns.schedule(host)
        else:
            self._hosts.close(host)
            self._delayed.add(host.name, host.ready, self._turns.now)

    # From checkpoint to checkpoint.

    def _parts(self) -> Iterator[Part]:
        """All that is in memory, for the snapshot."""
        yield Part(
            leased=self._leased_records(),
            near=self._later.near,
            far={span: LineState.of(line) for span, line in self._later.far.items()},
            skipped=[*self._skipped.elements()],
            skipped_again=[*self._skipped_again.elements()],
        )
        for due in blocks.in_parts(self._schedule.near):
            yield Part(due=due)
        for line in self._schedule.lines():
            yield Part(scheduled=[line])
        for hosts in blocks.in_parts(self._hosts.present.values()):
            yield Part(present=[HostState.of(host) for host in hosts])

    def _leased_records(self) -> list[bytes]:
        return [
            encode(visit, visit.attempt, visit.level) for visit in self._leased if visit.level >= 0
        ]

    def _restore(self, check: int) -> None:
        leased: list[bytes] = []
        self._host_index.restore()
        for part in blocks.read(self._snapshot_path(self._generation), Part, check):
            leased += part.leased
            self.skip(part.skipped, part.skipped_again)
            self._schedule.restore(part.due, part.scheduled)
            self._later.restore(part.near, {span: far.to_line() for span, far in part.far.items()})
            self._hosts.restore([state.to_host() for state in part.present], {})
        self._turns.schedule_parked()
        for host in [*self._hosts.present.values()]:
            self._leave(host)
        for record in leased:
            self._return(record)

    def _return(self, record: bytes) -> None:
        """A URL that was leased at the checkpoint is first in its line again."""
        name = read_host(record)
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts.open(name, self._delayed.pop(name, 0.0))
        self._hosts.put_first(host, read_level(record), record)
        self._turns.schedule(host)

    def _snapshot_path(self, generation: int) -> Path:
        return self._folder / f"snapshot-{generation:06}.bin"

    def _changes_path(self, generation: int) -> Path:
        return self._folder / f"changes-{generation:06}.bin"

    def _delete_other_snapshots(self) -> None:
        generation = self._generation
        kept = {self._snapshot_path(generation), self._changes_path(generation)}
        for pattern in ("snapshot-*.bin", "changes-*.bin"):
            for path in self._folder.glob(pattern):
                if path not in kept:
                    delete(path)

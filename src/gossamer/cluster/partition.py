"""One partition: a crawl of some of the hosts, which does as the supervisor says."""

import logging
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import asdict, replace

from gossamer.base.directory import Directory
from gossamer.base.errors import GossamerError
from gossamer.base.records import Kept
from gossamer.cluster.carrier import End, Line
from gossamer.cluster.content import SharedContent
from gossamer.cluster.exchange import Exchange
from gossamer.cluster.frames import Frame, Kind
from gossamer.cluster.mailbox import Mailbox
from gossamer.cluster.neighbours import Partitions
from gossamer.cluster.report import Report, describe
from gossamer.cluster.shares import share
from gossamer.cluster.turns import AddressTable, SharedTurns
from gossamer.crawl.build import Builder
from gossamer.crawl.job import Crawl
from gossamer.crawl.ledger import Checkpoint, Ledger, Replay
from gossamer.crawl.ring import Ring
from gossamer.crawl.summary import Summary
from gossamer.cycle.content import Content

_log = logging.getLogger("gossamer")

_REPORT_EVERY = 0.2
_SOON = 0.05
"""Seconds between two commits when somebody waits for what they let go."""
_MOST_WAITING = 32 << 20
"""Bytes for a neighbour that lags, or documents for a slow program, after which no visit begins."""
_FEW = 100
"""Pages of its quota left when a partition asks for more, so that it need not wait for them."""
_NOTHING = (False, False, False)
"""What is told at once, when there is none of it."""
_LAST_WORDS = 10.0
"""Seconds that the supervisor has to take in the last of what it is told."""


class _ToSupervisor(logging.Handler):
    """Has warnings said by the supervisor: it alone knows what is on the screen."""

    def __init__(self, wire: Line) -> None:
        super().__init__()
        self._wire = wire

    def emit(self, record: logging.LogRecord) -> None:
        body = record.getMessage().encode(errors="replace")
        self._wire.send(Frame(Kind.SAID, number=record.levelno, body=body))


class Partition(Crawl):
    """A crawl of a part of the hosts.

    It ends when the supervisor says so. When the wire to the supervisor is cut, it stops cleanly.
    """

    def __init__(
        self,
        whole: Crawl,
        number: int,
        count: int,
        end: End,
        table: AddressTable | None,
        is_delivering: bool,
    ) -> None:
        """One of `count` partitions of a whole crawl, with its end of the wire to the supervisor."""
        super().__init__(out=whole.out, settings=share(whole.settings, count), world=whole._world)
        self.owns_process = whole.owns_partitions
        self._taste = whole._taste
        self._directory = Directory(whole.out, number)
        self._number = number
        self._count = count
        self._end = end
        self._table = table
        self._is_delivering = is_delivering
        self._granted = 0
        self._probe = 0
        self._is_connected = False
        self._told = _NOTHING
        self._next_report = self._last_commit = self._next_call = 0.0

    def live(self) -> Iterator[None]:
        """Turn by turn, to the end."""
        try:
            for batch in self.turns():
                self._deliver(batch)
                yield
        except (OSError, GossamerError, SystemExit, KeyboardInterrupt) as error:
            self._fail(error)
            raise

    # Hooks of a crawl.

    def _summarise(self) -> Summary:
        known = super()._summarise()
        disk = {**known.disk, "exchange": self._partitions.disk_bytes}
        return replace(known, exchange=self._exchanged(), disk=disk)

    def _exchanged(self) -> dict[str, int]:
        """What went between this partition and others, in earlier runs too."""
        counts = asdict(self._partitions.statistics())
        return {name: count + self._exchanged_before[name] for name, count in counts.items()}

    def _open(self) -> Ring:
        builder = Builder(self.settings, self.seeds, self._taste, self._world)
        Ledger.secure(self._directory.state)
        checkpoint, self._replay = Ledger.read(self._directory.state)
        return self._furnish(builder, checkpoint, self._replay)

    def _furnish(self, builder: Builder, checkpoint: Checkpoint, replay: Replay) -> Ring:
        ring = super()._furnish(builder, checkpoint, replay)
        rooms, number = ring.rooms, self._number
        others = [other for other in range(self._count) if other != number]
        folder = self._directory.state / "exchange"
        mailbox = Mailbox(folder, others, checkpoint.neighbours, replay.neighbours)
        self._wire = self._end.connect(rooms.poller)
        self._is_connected = True
        if self.owns_process:
            _log.handlers, _log.propagate = [_ToSupervisor(self._wire)], False
        self._exchange = Exchange(
            number, self._count, self._wire, mailbox, self._world.clock, self._world.chance
        )
        self._exchanged_before = Counter(ring.tally.exchange)
        del self._exchanged_before["waiting_bytes"]  # it says how it is, not how it was
        assert isinstance(rooms.content, Content)
        shared = self._directory.state / "content" / "shared"
        state = replay.progress.content.shared
        content = SharedContent(rooms.content, self._exchange, shared, state)
        self._repairs += content.repairs
        self._partitions = Partitions(self._exchange, content.remember)
        turns, politeness = rooms.turns, self.settings.politeness
        if turns is not None and self._table is not None:
            most, gap = politeness.per_address, politeness.address_delay
            turns = SharedTurns(most, gap, self._table, number)
        rooms = replace(rooms, content=content, neighbours=self._partitions, turns=turns)
        return Ring(rooms, self.settings, ring.ledger, ring.tally)

    def _room(self, ring: Ring) -> int:
        """How many visits may be started now: a neighbour that lags is given time."""
        mailbox = self._exchange.mailbox
        if max(mailbox.longest_bytes, self._wire.waiting_bytes) > _MOST_WAITING:
            return 0
        room = 0 if self.is_paused else ring.rooms.fetcher.room()
        return min(room, self._unused(ring)) if self.settings.crawl.max_pages else room

    def _unused(self, ring: Ring) -> int:
        return max(0, self._granted - ring.tally.pages - ring.pages_in_flight)

    def _is_over(self, ring: Ring) -> bool:
        for order in self._exchange.orders():
            self._obey(order, ring)
        if self._wire.is_closed:
            self.stop("abandoned")
        if self._has_news(ring) or self._now() >= self._next_report:
            self._report(ring)
        return bool(self.stopped_by)

    def _commit(self, ring: Ring) -> float:
        """Commit when it is time, or soon when somebody has nothing to do until then."""
        now, is_starving = self._now(), ring.is_starving
        if is_starving and now >= self._next_call:
            self._next_call = now + _REPORT_EVERY
            self._exchange.call_for_more()
        is_awaited = is_starving or self._exchange.is_awaited
        has_parcels = is_starving and ring.rooms.ordering.has_parcels
        if has_parcels or (is_awaited and self._exchange.mailbox.has_unrecorded):
            self._next_commit = min(self._next_commit, self._last_commit + _SOON)
        if now >= self._next_commit:
            ring.tally.exchange = Counter(self._exchanged())
        return min(super()._commit(ring), max(0.0, self._next_report - now))

    def _write_status(self) -> None:
        """The supervisor writes it, of all partitions."""
        self._last_commit = self._now()

    def _begin(self, ring: Ring) -> None:
        self._ring = ring
        super()._begin(ring)
        self._report(ring)

    def _finish(self, ring: Ring) -> None:
        self._deliver(ring.settle())
        ring.tally.exchange = Counter(self._exchanged())
        super()._finish(ring)
        last = Frame(Kind.REPORT, body=self._write_report(ring, is_last=True))
        self._wire.send_last(last, _LAST_WORDS)

    # To and from the supervisor.

    def _obey(self, order: Frame, ring: Ring) -> None:
        kind = order.kind
        if kind == Kind.STOP:
            self.stop(order.body.decode())
        elif kind == Kind.GRANT:
            self._granted += order.number
            self._told = _NOTHING
        elif kind == Kind.RECALL:
            self._give_back((self._unused(ring) + 1) // 2)
            self._next_report = 0.0
        elif kind == Kind.PROBE:
            self._probe, self._next_report = order.number, 0.0
        elif kind == Kind.PAUSE:
            self.pause()
        elif kind == Kind.GO_ON:
            self.go_on()

    def _has_news(self, ring: Ring) -> bool:
        """Has it come to where the supervisor should not have to wait for the next report?"""
        is_through = 0 < self._granted <= ring.tally.pages
        before, self._told = self._told, (self._wants_pages(ring), is_through, self._is_done(ring))
        return any(now > then for now, then in zip(self._told, before, strict=True))

    def _is_done(self, ring: Ring) -> bool:
        """Is nothing left that anybody would wait for, and has all that was said been heard?"""
        is_over = ring.is_idle or ring.idle_seconds() > self.settings.politeness.patience
        return is_over and self._exchange.is_quiet and not ring.rooms.ordering.has_parcels

    def _wants_pages(self, ring: Ring) -> bool:
        if not self.settings.crawl.max_pages or self._unused(ring) >= _FEW:
            return False
        return ring.could_lease

    def _give_back(self, pages: int) -> None:
        if pages:
            self._granted -= pages
            self._wire.send(Frame(Kind.RETURNED, number=pages))

    def _report(self, ring: Ring) -> None:
        self._next_report = self._now() + _REPORT_EVERY
        self._wire.send(Frame(Kind.REPORT, body=self._write_report(ring)))

    def _write_report(self, ring: Ring, is_last: bool = False) -> bytes:
        report = Report(
            ring.tally.pages,
            self._unused(ring),
            self._wants_pages(ring),
            ring.is_idle,
            self._is_done(ring),
            self._exchange.heard,
            self._probe,
            self.resting_seconds,
            self._seconds_before,
            self.summary(),
            is_last,
            ring.rooms.mistakes.total,
        )
        return msgspec.msgpack.encode(report)

    def _deliver(self, batch: Sequence[Kept]) -> None:
        if batch and self._is_delivering:
            self._wire.send(Frame(Kind.KEPT, body=pickle.dumps(batch)))

    def _fail(self, error: BaseException) -> None:
        """Say why it cannot go on, as the last thing."""
        frame = Frame(Kind.FAILED, body=msgspec.msgpack.encode(describe(error)))
        if self._is_connected:
            self._wire.send_last(frame, _LAST_WORDS)
        else:
            self._end.say(frame)

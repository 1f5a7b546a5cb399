"""One partition: a job for some of the hosts, directed by the supervisor."""

import logging
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf

import msgspec
from msgspec.structs import asdict, replace

from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.analyzers.duplicates.duplicates_state import read_content_state
from gossamer.cluster.carrier import End, WorkerConnection
from gossamer.cluster.exchange import Exchange
from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.limits_share import share
from gossamer.cluster.mailbox import Mailbox
from gossamer.cluster.message_kinds import Topic
from gossamer.cluster.mirror_port import MirrorSender
from gossamer.cluster.neighbour_partitions import Partitions
from gossamer.cluster.partition_report import Report, describe
from gossamer.cluster.shared_content import SharedContent
from gossamer.cluster.shared_turns import AddressTable, SharedTurns
from gossamer.core import settings_file
from gossamer.core.copies import CopyKind, FoundCopy
from gossamer.core.directory import Directory
from gossamer.core.errors import GossamerError
from gossamer.core.log_events import ALOUD, LEFT_OUT, LOG_ONLY, LogEvent, Restraint, ToldLine
from gossamer.core.records import Judged
from gossamer.engine.assignment import Assignment
from gossamer.engine.builder import Builder
from gossamer.engine.counters import Counters
from gossamer.engine.crawl_limits import Limits
from gossamer.engine.job import Job
from gossamer.engine.ledger import Record
from gossamer.engine.live_queries import FoundFrame, decode_asked
from gossamer.engine.ring import Ring
from gossamer.engine.ring_commands import StandingCommands
from gossamer.engine.run_control import RunControl
from gossamer.engine.stateful_components import Components
from gossamer.engine.summary import Summary
from gossamer.pipeline.frontier import AddressTurns

_decode_standing = msgspec.msgpack.Decoder(StandingCommands).decode
_OFTEN, _SELDOM = 0.2, 60.0
"""Seconds between two reports, or two calls for more, while pages come; and when none come for long."""
_SIGNS_OF_LIFE = 4
"""Reports in the time after which a silent partition counts as hung, at least."""
_SOON = 0.05
"""Seconds between two commits when a partition waits for the messages that they release."""
_MOST_WAITING = 32 << 20
"""Bytes for a neighbour that lags, or documents for a slow program, after which no visit begins."""
_FEW = 100
"""Pages of its quota left when a partition asks for more, so that it need not wait for them."""
_NOTHING = (False, False, False, False)
"""The supervisor need not be told anything at once."""
_LAST_WORDS = 10.0
"""Seconds that the supervisor has to receive the last frame."""


class _ToSupervisor(logging.Handler):
    """Sends what is told to the supervisor: it alone knows what is on the screen, and writes the log."""

    def __init__(self, wire: WorkerConnection, level: int, node: str) -> None:
        """Forward events of this level and above."""
        super().__init__()
        self._wire = wire
        self._level = level
        self._node = node
        self._restraint = Restraint()

    def emit(self, record: logging.LogRecord) -> None:
        event, is_aloud = str(getattr(record, "event", "")), record.name != LOG_ONLY.name
        message = record.getMessage()
        verdict = "pass" if is_aloud else self._restraint.judge(event, record.created)
        if verdict == "drop" or (record.levelno < self._level and not is_aloud):
            return
        if verdict == "last":
            event, message = LogEvent.LEFT_OUT, LEFT_OUT % event
        said = ToldLine(event, _whole(message), is_aloud, self._node)
        body = msgspec.msgpack.encode(said)
        self._wire.send(Frame(FrameKind.SAID, number=record.levelno, body=body))


def _whole(message: str) -> str:
    """A message that can be encoded, whatever is in it."""
    return message.encode(errors="replace").decode()


class _Rhythm:
    """Intervals of reports: short if pages came since the last one, else doubled each time."""

    def __init__(self, seldom: float = _SELDOM) -> None:
        self._seldom = seldom
        self._last = -inf
        self._gap = _OFTEN
        self._pages = 0

    def due(self, pages: int) -> float:
        return self._last + (self._gap if pages == self._pages else _OFTEN)

    def note(self, now: float, pages: int) -> None:
        """It was said."""
        self._gap = min(2 * self._gap, self._seldom) if pages == self._pages else _OFTEN
        self._last, self._pages = now, pages

    def hurry(self) -> None:
        """Say it at once."""
        self._last = -inf


class Partition:
    """Has a job for a part of the hosts.

    It ends when the supervisor says so. When the wire to the supervisor is cut, it stops cleanly.
    """

    _node = ""
    """The machine it lives on, when there are several."""

    def __init__(
        self,
        whole: Assignment,
        number: int,
        end: End,
        table: AddressTable | None,
        *,
        is_delivering: bool,
        owns_process: bool,
        is_restart: bool,
    ) -> None:
        """One of the partitions of a whole crawl, with its end of the wire to the supervisor.

        `is_restart`: it has come up before, in the same run.
        """
        self._number = number
        self._count = whole.partitions
        self.settings = share(whole.settings, self._count)
        self._whole = whole
        self._world = whole.world
        self._end = end
        self._table = table
        self._is_delivering = is_delivering
        self._owns_process = owns_process
        self._is_restart = is_restart
        self._directory = Directory(whole.directory.path, number)
        self._switch = RunControl()
        self._switch.is_paused = whole.active_commands.is_paused
        self._job = Job(
            *(self.settings, whole.seeds, whole.world, self._directory, self._switch),
            owns_process=owns_process,
            storage=whole.storage,
        )
        self._granted = 0
        self._probe = 0
        self._is_open = self._is_connected = self._is_leaving = False
        self._told = _NOTHING
        self._last_commit = 0.0
        hung_after = self.settings.crawl.hung_after
        seldom = min(_SELDOM, hung_after / _SIGNS_OF_LIFE) if hung_after else _SELDOM
        self._reports, self._calls = _Rhythm(seldom), _Rhythm()

    @property
    def ring(self) -> Ring | None:
        """The ring, as soon as there is one."""
        return self._job.ring if self._is_open else None

    def live(self) -> Iterator[None]:
        """Turn by turn, to the end."""
        job = self._job
        try:
            job.open(self._builder(), self._build_components)
            self._is_open = True
            with job.at_work(self._finish):
                job.begin(
                    StandingCommands(self._whole.active_commands), is_restart=self._is_restart
                )
                self._report()
                while not self._is_over():
                    patience = self._commit()
                    slots, more = self._free_slots(), self._requisite_slots()
                    self._deliver(job.ring.turn(slots, patience, more))
                    yield
        except (OSError, GossamerError, SystemExit, KeyboardInterrupt) as error:
            self._fail(error)
            raise

    def _builder(self) -> Builder:
        return Builder(self.settings, self._whole.seeds, self._whole.plugins, self._world)

    def _build_components(self, components: Components, record: Record) -> Components:
        """Give the components their neighbours."""
        number = self._number
        others = [other for other in range(self._count) if other != number]
        state, notes = record.state(Partitions.name), record.notes(Partitions.name)
        mailbox = Mailbox(self._directory.state / "exchange", others, state, notes)
        self._wire = self._end.connect(components.poller)
        self._is_connected = True
        if self._owns_process:
            level = getattr(logging, self.settings.log.log_level.upper())
            to_supervisor = _ToSupervisor(self._wire, level, self._node)
            ALOUD.handlers, ALOUD.propagate = [to_supervisor], False
            LOG_ONLY.handlers = [to_supervisor]
        self._exchange = Exchange(
            number, self._count, self._wire, mailbox, self._world.clock, self._world.chance
        )
        self._exchanged_before = Counter(Counters(record.latest(Counters.name)).exchange)
        del self._exchanged_before["waiting_bytes"]  # this one is about now; the others are counts
        content = self._share_content(components, record)
        self._partitions = Partitions(
            self._exchange,
            {**content.listeners, Topic.MIRRORS: components.redundancy.take_mirrors},
        )
        components.redundancy.connect(MirrorSender(self._exchange))
        turns = self._share_turns(components.turns)
        return replace(components, content=content, neighbours=self._partitions, turns=turns)

    def _share_turns(self, turns: AddressTurns | None) -> AddressTurns | None:
        """Names of one server address may belong to several partitions."""
        if turns is None or self._table is None:
            return turns
        politeness = self.settings.politeness
        most, gap = politeness.per_address, politeness.address_delay
        return SharedTurns(most, gap, self._table, self._number)

    def _share_content(self, components: Components, record: Record) -> SharedContent:
        assert isinstance(components.content, Content)
        shared = self._directory.state / "content" / "shared"
        state = read_content_state(record.latest(Content.name))
        memory = self.settings.content.memory // 4

        def on_copy(copy: FoundCopy, counted: CopyKind | None) -> None:
            components.store.write_copy(copy)
            if copy.kind is CopyKind.TEXT:
                components.redundancy.meet_abroad(copy.url, copy.first)
            self._job.ring.counters.count_copy(copy.kind, counted)

        content = SharedContent(components.content, self._exchange, shared, state, on_copy, memory)
        self._job.repairs += content.repairs
        return content

    def _finish(self) -> None:
        job = self._job
        self._deliver(job.ring.settle())
        self._count_exchange()
        job.finish()
        last = Frame(FrameKind.REPORT, body=self._write_report(is_last=True))
        self._wire.send_last(last, _LAST_WORDS)

    # How it runs.

    def _free_slots(self) -> int:
        """The number of visits that may start now: a neighbour that lags is given time."""
        slots = self._room_for_visits()
        return min(slots, self._unused()) if self.settings.crawl.max_pages else slots

    def _requisite_slots(self) -> int:
        """The number of requisites that may start now, if the quota allows no more pages."""
        return self._room_for_visits() if self._has_requisite_slots else 0

    @property
    def _has_requisite_slots(self) -> bool:
        ring = self._job.ring
        if not ring.requisites.are_fetched:
            return False
        limits = Limits(self.settings.crawl, "")
        return limits.has_requisite_slots(ring.counters.requisites)

    def _room_for_visits(self) -> int:
        mailbox = self._exchange.mailbox
        if max(mailbox.longest_bytes, self._wire.waiting_bytes) > _MOST_WAITING:
            return 0
        is_still = self._switch.is_still or self._is_leaving
        return 0 if is_still else self._job.ring.components.fetcher.free_slots()

    def _unused(self) -> int:
        ring = self._job.ring
        return max(0, self._granted - ring.counters.limited - ring.pages_in_flight)

    def _is_over(self) -> bool:
        for order in self._exchange.orders():
            self._obey(order)
        if self._wire.is_closed:
            self._switch.stop("abandoned")
        if self._is_leaving and self._has_nothing_under_way:
            self._switch.stop("moved")
        if self._has_news() or self._now() >= self._reports.due(self._job.ring.counters.pages):
            self._report()
        return bool(self._switch.stopped_by)

    def _commit(self) -> float:
        """Commit when it is due, or soon if a partition has nothing to do until then.

        Returns the seconds for which the ring may wait.
        """
        now, job = self._now(), self._job
        pages, is_starving = job.ring.counters.pages, job.ring.idle_time.is_starving
        if is_starving and now >= self._calls.due(pages):
            self._calls.note(now, pages)
            self._exchange.call_for_more()
        is_awaited = is_starving or self._exchange.is_awaited
        has_rank_updates = is_starving and job.ring.components.ordering.has_rank_updates
        if has_rank_updates or (is_awaited and self._exchange.mailbox.has_unrecorded):
            job.commits.due = min(job.commits.due, self._last_commit + _SOON)
        self._count_exchange()
        if job.commits.make_if_due(self._calm_seconds):
            self._last_commit = self._now()
        due = self._reports.due(pages)
        due = min(due, self._calls.due(pages)) if is_starving else due
        own = min(job.commits.seconds_left, self._exchange.seconds_to_reminder)
        own = min(own, job.ring.last_tries.seconds_left)
        return min(own, max(0.0, due - now))

    def _calm_seconds(self) -> float:
        """For how many seconds nothing can happen here, and nobody waits for a commit."""
        ring = self._job.ring
        has_more = (
            self._exchange.mailbox.has_unrecorded or ring.components.ordering.has_rank_updates
        )
        return 0.0 if has_more else ring.idle_time.calm_seconds()

    def _count_exchange(self) -> None:
        if self._job.commits.may_come or self._switch.stopped_by:
            self._exchange.send_collected()
            self._job.ring.counters.exchange = Counter(self._exchanged())

    def _exchanged(self) -> dict[str, int]:
        """Count the messages between this partition and others, in earlier runs too."""
        counts = asdict(self._partitions.statistics())
        return {name: count + self._exchanged_before[name] for name, count in counts.items()}

    def _now(self) -> float:
        return self._world.clock.now()

    # To and from the supervisor.

    def _obey(self, order: Frame) -> None:
        kind = order.kind
        if kind == FrameKind.STOP:
            self._switch.stop(order.body.decode())
        elif kind == FrameKind.MOVE:
            self._is_leaving = True
        elif kind == FrameKind.GRANT:
            self._granted += order.number
            self._told = _NOTHING
        elif kind == FrameKind.RECALL:
            self._give_back((self._unused() + 1) // 2)
            self._reports.hurry()
        elif kind == FrameKind.PROBE:
            self._probe = order.number
            self._reports.hurry()
        elif kind == FrameKind.ASK:
            found = FoundFrame.of(self._job.answer(decode_asked(order.body).question))
            body = msgspec.msgpack.encode(found)
            self._wire.send(Frame(FrameKind.FOUND, number=order.number, body=body))
        elif kind == FrameKind.GIVE_UP:
            self._give_up()
        elif kind == FrameKind.ORDERS:
            self._follow(_decode_standing(order.body))
        elif kind in (FrameKind.PAUSE, FrameKind.GO_ON):
            self._switch.is_paused = kind == FrameKind.PAUSE

    def _give_up(self) -> None:
        """Nothing else is left in any partition; what has arrived since is tried first."""
        tries = self._job.ring.last_tries
        if tries.can_give_up:
            tries.give_up()
            self._reports.hurry()

    def _follow(self, standing: StandingCommands) -> None:
        """Go by what was ordered."""
        was_limited = bool(self.settings.crawl.max_pages)
        changed = settings_file.change(self._whole.settings, standing.active_commands.changes)
        self.settings = share(changed, self._count)
        if not was_limited and changed.crawl.max_pages:
            self._granted, self._told = (
                0,
                _NOTHING,
            )  # the supervisor counts again from what it has begun
        self._job.apply_commands(standing, self.settings)
        self._reports.hurry()

    @property
    def _has_nothing_under_way(self) -> bool:
        """Would nobody be asked again if it ended now?"""
        ring = self._job.ring
        return not (ring.components.fetcher.in_flight or ring.pages_in_flight)

    def _has_news(self) -> bool:
        """Has something happened that the supervisor should know before the next report is due?"""
        is_through = 0 < self._granted <= self._job.ring.counters.limited
        news = (self._wants_pages(), is_through, self._is_done(), not self._wants_requisites())
        before, self._told = self._told, news
        return any(now > then for now, then in zip(self._told, before, strict=True))

    def _is_done(self) -> bool:
        """Is nothing left that is worth waiting for, and was everything received that was sent?"""
        ring = self._job.ring
        return (
            self._is_over_here(ring)
            and self._exchange.is_quiet
            and not ring.components.ordering.has_rank_updates
        )

    def _is_over_here(self, ring: Ring) -> bool:
        if ring.idle_time.is_idle or ring.last_tries.are_over:
            return True
        patience = self.settings.politeness.patience
        return not ring.last_tries.are_under_way and ring.idle_time.is_on_hold(patience)

    def _wants_pages(self) -> bool:
        if not self.settings.crawl.max_pages or self._unused() >= _FEW:
            return False
        with self._job.ring.requisites.set_aside():
            return self._job.ring.idle_time.could_lease

    def _wants_requisites(self) -> bool:
        """Is there, or may there be, something left that fetched pages need?"""
        ring, patience = self._job.ring, self.settings.politeness.patience
        if not self.settings.crawl.max_pages or not self._has_requisite_slots:
            return False
        return ring.are_requisites_left(patience) or not self._exchange.is_quiet

    def _give_back(self, pages: int) -> None:
        if pages:
            self._granted -= pages
            self._wire.send(Frame(FrameKind.RETURNED, number=pages))

    def _report(self) -> None:
        self._reports.note(self._now(), self._job.ring.counters.pages)
        self._wire.send(Frame(FrameKind.REPORT, body=self._write_report()))

    def _write_report(self, is_last: bool = False) -> bytes:
        job, ring = self._job, self._job.ring
        report = Report(
            ring.counters.pages,
            self._unused(),
            self._wants_pages(),
            ring.idle_time.is_idle,
            self._is_done(),
            self._exchange.heard,
            self._probe,
            job.seconds_delayed,
            job.stopwatch.before,
            self._sum_up(),
            is_last,
            ring.components.mistakes.total,
            ring.ring_commands.done,
            ring.ring_commands.active_number,
            ring.counters.limited + ring.pages_in_flight,
            ring.counters.requisites,
            self._wants_requisites(),
            ring.last_tries.can_give_up,
        )
        return msgspec.msgpack.encode(report)

    def _sum_up(self) -> Summary:
        known = self._job.last_word or self._job.sum_up()
        disk = {**known.disk, "exchange": self._partitions.disk_bytes}
        return replace(known, exchange=self._exchanged(), disk=disk)

    def _deliver(self, batch: Sequence[Judged]) -> None:
        if batch and self._is_delivering:
            self._wire.send(Frame(FrameKind.KEPT, body=pickle.dumps(batch)))

    def _fail(self, error: BaseException) -> None:
        """Send the reason why it cannot go on, as the last frame."""
        frame = Frame(FrameKind.FAILED, body=msgspec.msgpack.encode(describe(error)))
        if self._is_connected:
            self._wire.send_last(frame, _LAST_WORDS)
        else:
            self._end.say(frame)

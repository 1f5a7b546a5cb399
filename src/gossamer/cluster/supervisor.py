"""The process that starts partitions, passes on what they say to each other, and knows when to stop."""

import pickle
from collections.abc import Callable, Iterator
from logging import INFO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.cluster.carrier import UNHEARD, Carrier, Live
from gossamer.cluster.ending import Ending
from gossamer.cluster.frames import PASSED_ON, Frame, FrameKind
from gossamer.cluster.hang_detection import Silence
from gossamer.cluster.partition_member import Member
from gossamer.cluster.partition_report import Failure, Report
from gossamer.cluster.quota import Quota
from gossamer.cluster.remote.address_arbiter import AddressArbiter, Wanted
from gossamer.cluster.restart_limits import RestartLimit
from gossamer.cluster.shared_turns import AddressTable
from gossamer.core.clock import Clock
from gossamer.core.log_events import LogEvent, ToldLine, log_aloud, retell
from gossamer.core.poller import Poller
from gossamer.core.records import Judged
from gossamer.engine.ring_commands import NO_COMMANDS, StandingCommands
from gossamer.engine.summary import MachineShare

Run = Callable[[int], Live]
"""What partition number n does, in the incarnation that begins now."""

_decode_report = msgspec.msgpack.Decoder(Report).decode
_VERDICTS = frozenset({"max_pages", "finished", "blocked", "on_hold"})
"""Orders that follow from what the partitions have done."""
_MOVE_EVERY = 10.0
"""Seconds between two looks at whether a partition should move to another machine."""
_REMOTE_TOLERANCE = 4
"""Partitions on other machines may die this many times more often, because those machines may die."""
_decode_wanted = msgspec.msgpack.Decoder(Wanted).decode
_decode_said = msgspec.msgpack.Decoder(ToldLine).decode
_decode_failure = msgspec.msgpack.Decoder(Failure).decode


class SupervisorStatistics(Struct, frozen=True):
    up: int
    """Partitions that are up."""
    deaths: int
    """Partitions that died unexpectedly."""
    passed_on: int
    """Frames from one partition to another."""
    pages_left: int
    """Pages of `max_pages` that are not granted to a partition yet."""


class Supervisor:
    """Filled by `start`, emptied by `turn`, which returns the documents that partitions deliver."""

    def __init__(
        self,
        count: int,
        run: Run,
        carrier: Carrier,
        poller: Poller,
        clock: Clock,
        max_pages: int,
        table: AddressTable | None = None,
        hung_after: float = 0.0,
        address_arbiter: AddressArbiter | None = None,
        standing: Callable[[int], StandingCommands] = lambda done: NO_COMMANDS,
        has_requisites: bool = False,
    ) -> None:
        """`standing` says what a partition is to go by that has done orders up to this number.

        `has_requisites`: pages are fetched with what they need, beyond the limit of pages.
        """
        self._has_requisites = has_requisites
        self._standing = standing
        self._found: list[tuple[int, int, bytes]] = []
        self._limited_since = 0
        """The order that set a limit of pages where there was none, or the other way round."""
        self._count = count
        self._run = run
        self._carrier = carrier
        self._clock = clock
        self._table = table
        self._address_arbiter = address_arbiter
        self._poller = poller
        self._members: dict[int, Member] = {}
        self._quota = Quota(max_pages, count)
        self._max_pages = max_pages
        self._ending = Ending()
        self._deaths = RestartLimit(_REMOTE_TOLERANCE if carrier.is_remote else 1)
        self._silence = Silence(hung_after)
        self._hung_after = hung_after
        self._listened = self._clock.now()
        """When it last had time for its partitions."""
        self._last: dict[int, Report] = {}
        """The last report of each partition, also of those that died."""
        self.reported = 0
        """Reports that came in."""
        self._where: dict[int, str] = {}
        """The machine of each partition; of one that died, none."""
        self._delivered: list[Judged] = []
        self._is_paused = False
        self._next_move = 0.0
        self._passed_on = 0
        self.order = ""
        """Why all partitions must stop; empty until that is decided."""
        self.seconds_before = 0.0
        self.failure: Failure | None = None

    def start(self) -> None:
        for number in range(self._count):
            self._start(number)

    def turn(self, timeout: float) -> list[Judged]:
        """Wait for something to happen, and see to it."""
        timeout = min(timeout, self._silence.step)
        self._poller.wait(timeout)
        for member in list(self._members.values()):
            for frame in member.line.frames():
                self._silence.hear(member.number)
                self._take(member, frame)
            if member.line.is_closed:
                self._lose(member)
        self._stop_hanging(timeout)
        if self.is_complete and not self.order:
            self._share_out()
            self._look_for_the_end()
            self._move_one_if_due()
        self._lend_addresses()
        delivered, self._delivered = self._delivered, []
        return delivered

    def stop(self, reason: str) -> None:
        """Tell all partitions to stop cleanly."""
        if not self.order:
            self.order = reason
            self._broadcast(Frame(FrameKind.STOP, body=reason.encode()))

    def pause(self, is_paused: bool) -> None:
        """Tell all partitions to start no more visits, or to start visits again."""
        if is_paused != self._is_paused:
            self._is_paused = is_paused
            self._broadcast(Frame(FrameKind.PAUSE if is_paused else FrameKind.GO_ON))

    def command_all(self) -> None:
        """Have all partitions go by what was ordered."""
        self._ending.interrupt()
        for member in self._up():
            self._order(member)

    def ask_all(self, number: int, body: bytes) -> set[int]:
        """Ask all partitions that are up something; what they say is in `found`. Returns who was asked."""
        for member in self._up():
            member.send(Frame(FrameKind.ASK, number=number, body=body))
        return {member.number for member in self._up()}

    def take_found(self) -> list[tuple[int, int, bytes]]:
        """Return answers of partitions since the last call: the number of the question, the partition, the
        answer."""
        found, self._found = self._found, []
        return found

    def limit(self, max_pages: int, number: int) -> None:
        """There is another limit of pages, from the order with this number on."""
        if max_pages == self._max_pages:
            return
        if self._max_pages and max_pages:
            self._quota.limit = max_pages
        else:  # what was granted until now means nothing: wait until all partitions go by the limit
            self._quota, self._limited_since = Quota(max_pages, self._count), number
        self._max_pages = max_pages

    @property
    def is_running(self) -> bool:
        return bool(self._members)

    @property
    def reports(self) -> list[Report]:
        return [self._last[number] for number in sorted(self._last)]

    @property
    def verdict(self) -> str:
        """The reason why the crawl is over; empty when it is not."""
        if self._is_through:
            is_over = self._ending.is_over or not self._has_requisites
            return "max_pages" if is_over else ""
        if self._ending.is_over:
            is_blocked = any(report.summary.blocked for report in self.reports)
            ended = "blocked" if is_blocked else "finished"
            return ended if all(report.is_idle for report in self.reports) else "on_hold"
        return ""

    def machines(self) -> dict[str, MachineShare]:
        """The partitions of each machine, also after the end. None when all are here. None when all are
        here."""
        shares: dict[str, MachineShare] = {}
        for number, machine in sorted(self._where.items()):
            if machine:
                status = self._last[number].summary
                share = MachineShare((number,), status.pages, status.waiting, status.in_flight)
                shares[machine] = shares.get(machine, MachineShare()) + share
        return dict(sorted(shares.items()))

    def has_met(self, number: int) -> bool:
        """Has this partition come up before?"""
        return number in self._last

    @property
    def has_begun(self) -> bool:
        """Has every partition come up at least once?"""
        return len(self._last) == self._count

    @property
    def done(self) -> int:
        """The last order that happens once, of those that all partitions have done, and have recorded."""
        return min(report.done for report in self._last.values()) if self.has_begun else 0

    @property
    def mistakes(self) -> int:
        """Errors in functions that the program brought along."""
        return sum(report.mistakes for report in self._last.values())

    def statistics(self) -> SupervisorStatistics:
        return SupervisorStatistics(
            sum(1 for _ in self._up()), self._deaths.total, self._passed_on, self._quota.left
        )

    def pids(self) -> dict[int, int]:
        """The processes of the partitions."""
        return {number: member.pid for number, member in self._members.items()}

    def close(self) -> None:
        """Kill all partitions that are left: only after an error, or when the user does not want to wait."""
        for member in self._members.values():
            member.kill()
            member.bury()
        self._members.clear()
        self._carrier.close()
        self._poller.close()

    # Members come and go.

    def _start(self, number: int) -> None:
        self._silence.hear(number)
        incarnation = self._carrier.start(number, self._run(number))
        self._members[number] = Member(number, incarnation)

    def _join(self, member: Member, report: Report) -> None:
        """A partition has come up: introduce it to the others, and the others to it."""
        for other in self._up():
            other.send(Frame(FrameKind.UP, member.number))
            member.send(Frame(FrameKind.UP, other.number))
        self._where[member.number] = member.machine
        self._order(member, report.done)
        self._admit_to_quota(member, report)
        member.send(Frame(FrameKind.PAUSE if self._is_paused else FrameKind.GO_ON))
        if self.order:
            member.send(Frame(FrameKind.STOP, body=self.order.encode()))
        if not self.has_begun:
            self.seconds_before = max(self.seconds_before, report.seconds_before)

    def _admit_to_quota(self, member: Member, report: Report) -> None:
        """It goes by the limit of pages by now: it may have what it has begun."""
        if report.obeys >= self._limited_since:
            granted = self._quota.join(
                member.number, max(report.pages - report.requisites, report.begun)
            )
            member.send(Frame(FrameKind.GRANT, number=granted))

    def _order(self, member: Member, done: int | None = None) -> None:
        """Send it what it was not sent in this incarnation; `done` is what its incarnation before has
        done."""
        standing = self._standing(member.ordered if done is None else done)
        member.ordered = standing.active_commands.number
        for portion in standing.portions():
            member.send(Frame(FrameKind.ORDERS, body=msgspec.msgpack.encode(portion)))

    def _lose(self, member: Member) -> None:
        """A partition has ended. If that was unexpected, it is restarted: its directory is intact."""
        for frame in member.line.drain():
            self._take(member, frame)
        status = member.bury()
        del self._members[member.number]
        self._silence.forget(member.number)
        self._ending.interrupt()
        for turns in (self._table, self._address_arbiter):
            if turns is not None:
                turns.clear(member.number)
        if self.failure is not None:
            return
        if member.report is not None and member.report.is_last:
            if not self.order:  # the order was withdrawn, or it moves
                self._start(member.number)
            return
        self._where.pop(member.number, None)
        pages = member.report.pages if member.report is not None else None
        if self._deaths.count(member.number, pages):
            self.failure = Failure(
                f"{member.name} crashed again and again ({_how(status)})", can_go_on=True
            )
            self.stop("failed")
        else:
            fate = self._fate(member, status)
            log_aloud(LogEvent.PARTITION_DIED, "%s %s; it is restarted", member.name, fate)
            self._start(member.number)
            self._withdraw_verdict()

    def _withdraw_verdict(self) -> None:
        """Have all partitions go on: who died may have forgotten the last of what the verdict counted.

        Those that have gone are started again. Those that are about to go follow when they have gone.
        """
        if self.order in _VERDICTS:
            self.order = ""
            for number in range(self._count):
                if number not in self._members:
                    self._start(number)

    def _stop_hanging(self, timeout: float) -> None:
        """Kill a partition that was silent for too long."""
        now = self._clock.now()
        number = self._silence.wait(now - self._listened, timeout)
        self._listened = now
        if number is not None:
            self._members[number].is_hung = True
            self._members[number].kill()

    def _fate(self, member: Member, status: int) -> str:
        if member.is_hung:
            return f"was silent for {self._hung_after:g} s and was killed"
        return f"died ({_how(status)})"

    # What they say.

    def _take(self, member: Member, frame: Frame) -> None:
        kind = frame.kind
        if kind in PASSED_ON:
            other = self._members.get(frame.partition)
            if other is not None and other.is_up:  # else it will be told again
                self._passed_on += 1
                other.send(frame._replace(partition=member.number))
        elif kind == FrameKind.REPORT:
            report = _decode_report(frame.body)
            if member.report is None:
                self._join(member, report)
            elif not self._quota.knows(member.number):
                self._admit_to_quota(member, report)
            member.report = self._last[member.number] = report
            self.reported += 1
        elif kind == FrameKind.KEPT:
            self._delivered += pickle.loads(frame.body)
        elif kind == FrameKind.RETURNED:
            self._quota.give_back(member.number, frame.number)
        elif kind == FrameKind.FOUND:
            self._found.append((frame.number, member.number, frame.body))
        elif kind == FrameKind.SAID:
            self._pass_word(member, frame)
        elif kind == FrameKind.TURNS_WANTED and self._address_arbiter is not None:
            self._address_arbiter.hear(member.number, _decode_wanted(frame.body))
        elif kind == FrameKind.FAILED:
            self.failure = _locate(_decode_failure(frame.body), member)
            self.stop("failed")

    def _pass_word(self, member: Member, frame: Frame) -> None:
        """Tell what a partition says; what people see from afar has its name and its machine."""
        said = _decode_said(frame.body)
        if member.machine:
            words = f"{member.name}: {said.message}" if said.is_aloud else said.message
            said = replace(said, message=words, node=member.machine)
        retell(said, frame.number, member.number)

    # What to do about it.

    def _share_out(self) -> None:
        """Grant pages to partitions that want some; when none are left, ask others to give some back."""
        is_short = False
        for member in self._up():
            if member.report is not None and member.report.wants_pages:
                portion = self._quota.grant(member.number)
                if portion:
                    member.send(Frame(FrameKind.GRANT, number=portion))
                    self._wait_for_report(member)
                else:
                    is_short |= not member.report.unused
        if is_short:
            for member in self._up():
                if member.report is not None and member.report.unused:
                    member.send(Frame(FrameKind.RECALL))
                    self._wait_for_report(member)

    def _move_one_if_due(self) -> None:
        """Have a partition end cleanly that is better off elsewhere; it is started there when it has gone."""
        now = self._clock.now()
        if now < self._next_move or any(member.is_moving for member in self._members.values()):
            return
        self._next_move = now + _MOVE_EVERY
        if (number := self._carrier.misplaced()) is not None:
            said = "%s moves to another machine"
            log_aloud(LogEvent.PARTITION_MOVED, said, self._members[number].name, level=INFO)
            self._members[number].is_moving = True
            self._members[number].send(Frame(FrameKind.MOVE))

    def _lend_addresses(self) -> None:
        """Tell partitions which server addresses they may ask, and which others want."""
        if self._address_arbiter is not None:
            for number, given in self._address_arbiter.take_messages().items():
                frame = Frame(FrameKind.TURNS_GIVEN, body=msgspec.msgpack.encode(given))
                self._members[number].send(frame)

    def _wait_for_report(self, member: Member) -> None:
        """Wait for the partition's next report, as its state is unknown until then."""
        assert member.report is not None
        member.report = replace(member.report, wants_pages=False, unused=0)

    def _look_for_the_end(self) -> None:
        reports = [member.report for member in self._members.values() if member.report is not None]
        if self._is_through and self._has_requisites:
            reports = [replace(report, is_done=not report.wants_requisites) for report in reports]
        probe = self._ending.consider(reports)
        if probe:
            self._broadcast(Frame(FrameKind.PROBE, number=probe))
        elif self._ending.is_over and not self._is_through:
            self._give_up_the_silent()

    def _give_up_the_silent(self) -> None:
        """Record servers that do not answer before the end, when nothing else is left."""
        if not all(report.is_idle or report.can_give_up for report in self.reports):
            return
        for member in self._up():
            if member.report is not None and not member.report.is_idle:
                member.send(Frame(FrameKind.GIVE_UP))
                member.report = replace(member.report, is_done=False)
                self._ending.interrupt()

    @property
    def is_complete(self) -> bool:
        """Are all partitions up?"""
        return len(self._members) == self._count and all(
            member.is_up for member in self._members.values()
        )

    @property
    def _is_through(self) -> bool:
        """Are all the pages fetched that the limit allows?"""
        return bool(self._max_pages) and self.is_complete and self._pages >= self._max_pages

    @property
    def _pages(self) -> int:
        """Pages that count for the limit."""
        return sum(report.pages - report.requisites for report in self._last.values())

    def _up(self) -> Iterator[Member]:
        return (member for member in self._members.values() if member.is_up)

    def _broadcast(self, frame: Frame) -> None:
        for member in self._up():
            member.send(frame)


def _locate(failure: Failure, member: Member) -> Failure:
    """Add the name of the machine to a failure, such as a full disk."""
    if not member.machine:
        return failure
    return replace(failure, message=f"{member.name}: {failure.message}")


def _how(status: int) -> str:
    if status == UNHEARD:
        return "its connection was lost"
    return f"by signal {-status}" if status < 0 else f"with status {status}"

"""A crawl with several partitions, and a supervisor in this process."""

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from functools import partial
from math import inf

import msgspec
from msgspec.structs import replace

from gossamer.cluster.carrier import Carrier, End
from gossamer.cluster.inquiries import Inquiries
from gossamer.cluster.merged_summary import merge
from gossamer.cluster.partition import Partition
from gossamer.cluster.partition_report import Failure
from gossamer.cluster.remote.address_arbiter import AddressArbiter
from gossamer.cluster.remote.remote_task import RemoteTask
from gossamer.cluster.shared_turns import AddressTable
from gossamer.cluster.storage import CrawlStorage, RemoteStorageError
from gossamer.cluster.supervisor import Supervisor
from gossamer.core.errors import GossamerError
from gossamer.core.poller import Poller
from gossamer.core.records import Judged
from gossamer.engine.assignment import Assignment
from gossamer.engine.control.command_handler import CommandHandler
from gossamer.engine.control.commands import RecordedCommand, Stop
from gossamer.engine.crawl_limits import Limits
from gossamer.engine.ring_commands import StandingCommands
from gossamer.engine.run_control import RunControl
from gossamer.engine.status_reporting import Status
from gossamer.engine.stopwatch import Stopwatch
from gossamer.engine.summary import Summary
from gossamer.engine.warm import load

_STATUS_EVERY = 1.0

MakeCarrier = Callable[[Poller], Carrier]
"""Makes what the partitions run in."""


class PartitionError(GossamerError):
    """A partition cannot go on, and with it the crawl."""


class Supervised:
    """Has a supervisor, and keeps the whole crawl within the limits of its settings."""

    def __init__(
        self,
        assignment: Assignment,
        switch: RunControl,
        status: Status,
        carrier: MakeCarrier,
        *,
        is_delivering: bool,
        owns_processes: bool,
    ) -> None:
        """`is_delivering`: documents come here. `owns_processes`: each partition has one to itself."""
        self._assignment = assignment
        self._settings = assignment.settings
        self._out = assignment.place
        self._limits = Limits(assignment.settings.crawl, self._out)
        self._clock = assignment.world.clock
        self._switch = switch
        self._status = status
        self._carrier = carrier
        self._is_remote = False
        self._is_delivering = is_delivering
        self._owns_processes = owns_processes
        self._stopwatch = Stopwatch(self._clock)
        self._supervisor: Supervisor | None = None
        self._next_status = 0.0
        self._told = 0
        """Reports that the last status knew of."""
        self._incarnations: Counter[int] = Counter()
        """Lives of each partition that were sent to other machines."""
        self.last_word: Summary | None = None
        self._inquiries = Inquiries(self._clock)
        self.command_handler: CommandHandler | None = None
        """Where the crawl is told something, as soon as it runs."""
        self.shares: dict[int, Partition] = {}
        """Partitions that live in this process: none, unless the carrier is a simulator's."""

    @property
    def has_begun(self) -> bool:
        return self._supervisor is not None

    @property
    def seconds_delayed(self) -> float:
        reports = self._supervisor.reports if self._supervisor is not None else []
        return max((report.seconds_delayed for report in reports), default=0.0)

    def pids(self) -> dict[int, int]:
        """The processes of the partitions, by number."""
        return self._supervisor.pids() if self._supervisor is not None else {}

    def sum_up(self) -> Summary:
        supervisor = self._supervisor
        assert supervisor is not None, "it has begun"
        summaries = [report.summary for report in supervisor.reports]
        stopped_by = self._switch.stopped_by or supervisor.order
        merged = merge(summaries, self._stopwatch.seconds, stopped_by, self._out)
        exchange = {**merged.exchange, "restarts": supervisor.statistics().deaths}
        return replace(
            merged,
            partitions=self._assignment.partitions,
            exchange=exchange,
            machines=supervisor.machines(),
            is_paused=self._switch.is_still,
        )

    def turns(self) -> Generator[list[Judged], None, None]:
        """Turn by turn, to the end."""
        self._assignment.prepare()
        self._assignment.claim()
        try:
            table = self._open_table()
            poller = self._assignment.world.poller()
            supervisor = self._supervisor = self._make(poller, table)
            self.command_handler = self._assignment.open_command_handler(poller)
            self._switch.is_pause_requested = self.command_handler.active_commands.is_paused
        except BaseException:
            self._assignment.abandon()
            raise
        try:
            self._stopwatch.start()
            if not self._is_remote:
                load()
            supervisor.pause(self._switch.is_still)
            supervisor.start()
            yield from self._watch(supervisor)
        except GeneratorExit:
            self._switch.stop("abandoned")
            for _ in self._watch(supervisor):
                pass
            raise
        except BaseException as error:
            is_interrupt = isinstance(error, KeyboardInterrupt)
            self._switch.stop("interrupted" if is_interrupt else "failed")
            raise
        finally:
            self._end(supervisor, table)
        if supervisor.failure is not None:
            raise _error(supervisor.failure, self._out)

    def _open_table(self) -> AddressTable | None:
        """Open the table of busy server addresses, if partitions share any."""
        has_delay, count = self._settings.politeness.delay, self._assignment.partitions
        return AddressTable(count, self._clock) if has_delay else None

    def _make(self, poller: Poller, table: AddressTable | None) -> Supervisor:
        limits, carrier = self._settings.crawl, self._carrier(poller)
        self._is_remote = carrier.is_remote
        return Supervisor(
            self._assignment.partitions,
            self._send_away
            if carrier.is_remote
            else lambda number: partial(self._live, number, table),
            carrier,
            poller,
            self._clock,
            limits.max_pages,
            table,
            limits.hung_after,
            AddressArbiter(self._clock) if carrier.is_remote else None,
            self._standing,
            self._settings.parse.page_requisites,
        )

    def _standing(self, done: int) -> StandingCommands:
        """The active commands for a partition that has done all one-time commands up to this number."""
        assert self.command_handler is not None, "it is open while the crawl runs"
        if self._supervisor is not None:
            self.command_handler.note_done(self._supervisor.done)
        return StandingCommands(
            self.command_handler.active_commands, self.command_handler.once_after(done)
        )

    def _send_away(self, number: int) -> RemoteTask:
        """Return the task of a partition on another machine."""
        assert self._supervisor is not None, "it starts the partition"
        storage = self._assignment.storage
        assert isinstance(storage, CrawlStorage), (
            "without remote storage no partition goes elsewhere"
        )
        self._incarnations[number] += 1
        return RemoteTask(
            msgspec.msgpack.encode(self._settings),
            self._assignment.plugins,
            number,
            storage.token,
            storage.epoch(self._incarnations[number]),
            self._is_delivering,
            self._supervisor.has_met(number),
            self._assignment.active_commands,
            self._assignment.directory.crawl,
        )

    def _live(self, number: int, table: AddressTable | None, end: End) -> Iterator[None]:
        """Return the task of a partition in a child process."""
        assert self._supervisor is not None, "it has started the partition"
        if self._owns_processes and self.command_handler is not None:
            self.command_handler.leave()
        partition = self.shares[number] = Partition(
            self._assignment,
            number,
            end,
            table,
            is_delivering=self._is_delivering,
            owns_process=self._owns_processes,
            is_restart=self._supervisor.has_met(number),
        )
        return partition.live()

    def _watch(self, supervisor: Supervisor) -> Iterator[list[Judged]]:
        """Until every partition has gone. Only then is what the supervisor found out final."""
        while supervisor.is_running:
            yield supervisor.turn(self._seconds_left(supervisor))
            self._stopwatch.before = supervisor.seconds_before
            assert self.command_handler is not None, "it is open while the crawl runs"
            self.command_handler.turn(self.carry_out)
            self._inquiries.turn(self.command_handler, supervisor)
            supervisor.pause(self._switch.is_still)
            self._look_at_limits(supervisor)
            if supervisor.failure is not None:
                self._switch.stop("failed")
            if reason := self._switch.stopped_by or supervisor.verdict:
                supervisor.stop(reason)
            self._write_status_if_due(supervisor)
        self._switch.stop(supervisor.order)

    def carry_out(self, ordered: RecordedCommand) -> None:
        """Do what was ordered, or have the partitions do it."""
        assert self.command_handler is not None, "it has taken the order"
        command_handler = self.command_handler
        if isinstance(ordered.command, Stop):
            self._switch.stop("user")
        self._switch.is_pause_requested = command_handler.active_commands.is_paused
        self._assignment.follow(command_handler)
        self._settings = command_handler.settings
        self._limits = Limits(command_handler.settings.crawl, self._out)
        if self._supervisor is not None:
            self._supervisor.limit(command_handler.settings.crawl.max_pages, ordered.number)
            self._supervisor.command_all()

    def _seconds_left(self, supervisor: Supervisor) -> float:
        """For how long to wait for something to happen."""
        is_on = supervisor.has_begun and not supervisor.order
        limit = self._limits.seconds_left(self._stopwatch.seconds) if is_on else inf
        has_news = supervisor.reported > self._told
        status = max(0.0, self._next_status - self._clock.now()) if has_news else inf
        return min(limit, status, self._assignment.world.longest_wait)

    def _look_at_limits(self, supervisor: Supervisor) -> None:
        """Time counts when all partitions have begun, and until they are told to stop."""
        if supervisor.order:
            return
        seconds = self._stopwatch.seconds if supervisor.has_begun else 0.0
        self._limits.look(self._switch, seconds=seconds, mistakes=supervisor.mistakes)

    def _is_of_use(self, supervisor: Supervisor) -> bool:
        """Is there anything to continue with: pages, or only the times of requests to hosts?

        A partition may have begun without a report that arrived.
        """
        failure = supervisor.failure
        can_go_on = failure is not None and failure.can_go_on
        return bool(supervisor.reports) or can_go_on or self._assignment.has_record

    def _release_storage(self) -> None:
        """No partition is left anywhere, which spares the next run a wait."""
        if isinstance(self._assignment.storage, CrawlStorage):
            with suppress(RemoteStorageError):
                self._assignment.storage.release()

    def _end(self, supervisor: Supervisor, table: AddressTable | None) -> None:
        if not supervisor.is_running:
            self._release_storage()
        if self.command_handler is not None:
            self.command_handler.note_done(supervisor.done)
            self.command_handler.close()
        supervisor.close()
        self._stopwatch.stop()
        try:
            if self._assignment.is_new and not self._is_of_use(supervisor):
                self._assignment.directory.remove()
            else:
                self._write_status(supervisor)
            self.last_word = self.sum_up()
        finally:
            if table is not None:
                table.close()
            self._assignment.directory.close()

    def _write_status_if_due(self, supervisor: Supervisor) -> None:
        now = self._clock.now()
        if now >= self._next_status and supervisor.reported > self._told:
            self._next_status, self._told = now + _STATUS_EVERY, supervisor.reported
            self._write_status(supervisor)

    def _write_status(self, supervisor: Supervisor) -> None:
        parts = [report.summary for report in supervisor.reports] if supervisor.has_begun else []
        self._status.write(self.sum_up(), parts)


def _error(failure: Failure, directory: str) -> Exception:
    if failure.errno is not None:
        number, file = failure.errno, failure.file or directory
        return OSError(number, failure.message, file) if number else OSError(failure.message)
    advice = f"; nothing is lost: continue with `gossamer resume {directory}`"
    return PartitionError(failure.message + (advice if failure.can_go_on else ""))

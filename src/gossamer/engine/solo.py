"""A crawl with one ring, in this process."""

from collections.abc import Generator
from contextlib import closing

from msgspec.structs import replace

from gossamer.core.records import Judged
from gossamer.engine.assignment import Assignment
from gossamer.engine.control.command_handler import CommandHandler
from gossamer.engine.control.commands import RecordedCommand, Stop
from gossamer.engine.control.control_messages import Reply
from gossamer.engine.crawl_limits import Limits
from gossamer.engine.job import Job
from gossamer.engine.ring import Ring
from gossamer.engine.ring_commands import StandingCommands
from gossamer.engine.run_control import RunControl
from gossamer.engine.status_reporting import Status
from gossamer.engine.summary import Summary


class Solo:
    """Has a job, and keeps it within the limits of its settings."""

    def __init__(
        self, assignment: Assignment, switch: RunControl, status: Status, *, owns_process: bool
    ) -> None:
        self._assignment = assignment
        out = str(assignment.directory.path)
        self._limits = Limits(assignment.settings.crawl, out)
        self._longest_wait = assignment.settings.politeness.patience
        self._switch = switch
        self._status = status
        self._job = Job(
            *(assignment.settings, assignment.seeds, assignment.world, assignment.directory),
            switch,
            owns_process=owns_process,
            storage=assignment.storage,
        )
        self._is_open = False
        self.command_handler: CommandHandler | None = None
        """Where the crawl is told something, as soon as it runs."""

    @property
    def ring(self) -> Ring | None:
        """The ring, as soon as there is one."""
        return self._job.ring if self._is_open else None

    @property
    def has_begun(self) -> bool:
        return self._is_open

    @property
    def last_word(self) -> Summary | None:
        return self._job.last_word

    @property
    def seconds_delayed(self) -> float:
        return self._job.seconds_delayed if self._is_open else 0.0

    def sum_up(self) -> Summary:
        return replace(self._job.sum_up(), is_paused=self._switch.is_still)

    def turns(self) -> Generator[list[Judged], None, None]:
        """Turn by turn, to the end."""
        self._open()
        job = self._job
        with job.at_work(self._finish), closing(self._open_command_handler()):
            job.begin(self._standing())
            while not self._is_over(job.ring):
                if job.commits.make_if_due(job.ring.idle_time.calm_seconds):
                    self._write_status(self.sum_up())
                slots, more = self._free_slots(job.ring), self._requisite_slots(job.ring)
                yield job.ring.turn(slots, self._seconds_left(job), more)

    def _open(self) -> None:
        builder = self._assignment.prepare()
        self._assignment.claim()
        try:
            self._job.open(builder)
        except BaseException:
            self._assignment.abandon()
            raise
        self._is_open = True

    def _open_command_handler(self) -> CommandHandler:
        command_handler = self.command_handler = self._assignment.open_command_handler(
            self._job.ring.components.poller
        )
        self._switch.is_pause_requested = command_handler.active_commands.is_paused
        return command_handler

    def carry_out(self, ordered: RecordedCommand) -> None:
        """Do what was ordered, between two turns."""
        assert self.command_handler is not None, "it has taken the order"
        command_handler, assignment = self.command_handler, self._assignment
        if isinstance(ordered.command, Stop):
            self._switch.stop("user")
        self._switch.is_pause_requested = command_handler.active_commands.is_paused
        assignment.follow(command_handler)
        self._limits = Limits(command_handler.settings.crawl, str(assignment.directory.path))
        self._longest_wait = command_handler.settings.politeness.patience
        self._job.apply_commands(self._standing(), command_handler.settings)

    def _standing(self) -> StandingCommands:
        assert self.command_handler is not None, "it is open while the crawl runs"
        taken = self._job.ring.ring_commands.taken
        return StandingCommands(
            self.command_handler.active_commands, self.command_handler.once_after(taken)
        )

    def _finish(self) -> None:
        self._job.finish()
        assert self._job.last_word is not None, "it has just been said"
        self._write_status(self._job.last_word)

    def _write_status(self, summary: Summary) -> None:
        self._status.write(summary, [summary])

    def _free_slots(self, ring: Ring) -> int:
        """The number of visits that may be started now."""
        if self._switch.is_still:
            return 0
        return self._limits.free_slots(
            ring.components.fetcher.free_slots(), ring.counters.limited + ring.pages_in_flight
        )

    def _requisite_slots(self, ring: Ring) -> int:
        """The number of requisites that may be started now, if no pages may."""
        is_open = ring.requisites.are_fetched and not self._switch.is_still
        if not is_open or not self._limits.has_requisite_slots(ring.counters.requisites):
            return 0
        return ring.components.fetcher.free_slots()

    def _wants_requisites(self, ring: Ring) -> bool:
        """Is something left that the pages of the limit need?"""
        has_room = self._limits.has_requisite_slots(ring.counters.requisites)
        return has_room and ring.are_requisites_left(self._longest_wait)

    def _seconds_left(self, job: Job) -> float:
        """For how long the ring may wait for something to happen."""
        limit = self._limits.seconds_left(job.seconds)
        tries = job.ring.last_tries.seconds_left
        return min(job.commits.seconds_left, limit, tries, self._assignment.world.longest_wait)

    def _is_over(self, ring: Ring) -> bool:
        assert self.command_handler is not None, "it is open while the crawl runs"
        self.command_handler.note_done(ring.ring_commands.done)
        self.command_handler.turn(self.carry_out)
        for client, question in self.command_handler.asked():
            self.command_handler.answer(client, Reply(True, found=self._job.answer(question)))
        switch, mistakes = self._switch, ring.components.mistakes.total
        self._limits.look(
            *(switch,),
            pages=ring.counters.limited,
            seconds=self._job.seconds,
            mistakes=mistakes,
            wants_requisites=lambda: self._wants_requisites(ring),
        )
        if ring.idle_time.is_idle:
            has_blocked = len(ring.components.blocked) > 0
            switch.stop("blocked" if has_blocked else "finished")
        elif ring.last_tries.are_over:
            if not ring.last_tries.give_up():
                switch.stop("on_hold")
        elif not ring.last_tries.are_under_way and ring.idle_time.is_on_hold(self._longest_wait):
            switch.stop("on_hold")
        return bool(switch.stopped_by)

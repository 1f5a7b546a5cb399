"""A crawl with one ring, in this process."""

from collections.abc import Generator
from contextlib import closing

from msgspec.structs import replace

from gossamer.base.records import Kept
from gossamer.crawl.assignment import Assignment
from gossamer.crawl.control.desk import Desk
from gossamer.crawl.control.messages import Reply
from gossamer.crawl.control.orders import Ordered, Stop
from gossamer.crawl.job import Job
from gossamer.crawl.limits import Limits
from gossamer.crawl.obedience import StandingOrders
from gossamer.crawl.ring import Ring
from gossamer.crawl.status import Status
from gossamer.crawl.summary import Summary
from gossamer.crawl.switch import Switch


class Solo:
    """Has a job, and keeps it within the limits of its settings."""

    def __init__(
        self, assignment: Assignment, switch: Switch, status: Status, *, owns_process: bool
    ) -> None:
        self._assignment = assignment
        out = str(assignment.directory.path)
        self._limits = Limits(assignment.settings.crawl, out)
        self._patience = assignment.settings.politeness.patience
        self._switch = switch
        self._status = status
        self._job = Job(
            *(assignment.settings, assignment.seeds, assignment.world, assignment.directory),
            switch,
            owns_process=owns_process,
            home=assignment.home,
        )
        self._is_open = False
        self.desk: Desk | None = None
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
    def resting_seconds(self) -> float:
        return self._job.resting_seconds if self._is_open else 0.0

    def sum_up(self) -> Summary:
        return replace(self._job.sum_up(), is_paused=self._switch.is_still)

    def turns(self) -> Generator[list[Kept], None, None]:
        """Turn by turn, to the end."""
        self._open()
        job = self._job
        with job.at_work(self._finish), closing(self._open_desk()):
            job.begin(self._standing())
            while not self._is_over(job.ring):
                if job.commits.make_if_due(job.ring.lull.calm_seconds):
                    self._write_status(self.sum_up())
                room, more = self._room(job.ring), self._room_for_requisites(job.ring)
                yield job.ring.turn(room, self._seconds_left(job), more)

    def _open(self) -> None:
        builder = self._assignment.prepare()
        self._assignment.claim()
        try:
            self._job.open(builder)
        except BaseException:
            self._assignment.abandon()
            raise
        self._is_open = True

    def _open_desk(self) -> Desk:
        desk = self.desk = self._assignment.open_desk(self._job.ring.rooms.poller)
        self._switch.is_told_to_pause = desk.in_force.is_paused
        return desk

    def carry_out(self, ordered: Ordered) -> None:
        """Do what was ordered, between two turns."""
        assert self.desk is not None, "it has taken the order"
        desk, assignment = self.desk, self._assignment
        if isinstance(ordered.order, Stop):
            self._switch.stop("told")
        self._switch.is_told_to_pause = desk.in_force.is_paused
        assignment.follow(desk)
        self._limits = Limits(desk.settings.crawl, str(assignment.directory.path))
        self._patience = desk.settings.politeness.patience
        self._job.obey(self._standing(), desk.settings)

    def _standing(self) -> StandingOrders:
        assert self.desk is not None, "it is open while the crawl runs"
        taken = self._job.ring.obedience.taken
        return StandingOrders(self.desk.in_force, self.desk.once_after(taken))

    def _finish(self) -> None:
        self._job.finish()
        assert self._job.last_word is not None, "it has just been said"
        self._write_status(self._job.last_word)

    def _write_status(self, summary: Summary) -> None:
        self._status.write(summary, [summary])

    def _room(self, ring: Ring) -> int:
        """How many visits may be started now."""
        if self._switch.is_still:
            return 0
        return self._limits.room(
            ring.rooms.fetcher.room(), ring.tally.limited + ring.pages_in_flight
        )

    def _room_for_requisites(self, ring: Ring) -> int:
        """How many of them may be started now, if no pages may."""
        is_open = ring.requisites.are_fetched and not self._switch.is_still
        if not is_open or not self._limits.has_room_for_requisites(ring.tally.requisites):
            return 0
        return ring.rooms.fetcher.room()

    def _wants_requisites(self, ring: Ring) -> bool:
        """Is something left that the pages of the limit need?"""
        has_room = self._limits.has_room_for_requisites(ring.tally.requisites)
        return has_room and ring.are_requisites_left(self._patience)

    def _seconds_left(self, job: Job) -> float:
        """For how long the ring may wait for something to happen."""
        limit = self._limits.seconds_left(job.seconds)
        tries = job.ring.last_tries.seconds_left
        return min(job.commits.seconds_left, limit, tries, self._assignment.world.longest_wait)

    def _is_over(self, ring: Ring) -> bool:
        assert self.desk is not None, "it is open while the crawl runs"
        self.desk.note_done(ring.obedience.done)
        self.desk.turn(self.carry_out)
        for client, question in self.desk.asked():
            self.desk.answer(client, Reply(True, found=self._job.answer(question)))
        switch, mistakes = self._switch, ring.rooms.mistakes.total
        self._limits.look(
            *(switch,),
            pages=ring.tally.limited,
            seconds=self._job.seconds,
            mistakes=mistakes,
            wants_requisites=lambda: self._wants_requisites(ring),
        )
        if ring.lull.is_idle:
            has_blocked = len(ring.rooms.blocked) > 0
            switch.stop("blocked" if has_blocked else "finished")
        elif ring.last_tries.are_over:
            if not ring.last_tries.give_up():
                switch.stop("on_hold")
        elif not ring.last_tries.are_under_way and ring.lull.is_on_hold(self._patience):
            switch.stop("on_hold")
        return bool(switch.stopped_by)

"""A crawl with one ring, in this process."""

import logging
from collections.abc import Generator

from gossamer.base.records import Kept
from gossamer.crawl.assignment import Assignment
from gossamer.crawl.job import Job
from gossamer.crawl.ring import Ring
from gossamer.crawl.status import Status
from gossamer.crawl.summary import Summary
from gossamer.crawl.switch import Switch

_log = logging.getLogger("gossamer")


class Solo:
    """Has a job, and keeps it within the limits of its settings."""

    def __init__(
        self, assignment: Assignment, switch: Switch, status: Status, *, owns_process: bool
    ) -> None:
        self._assignment = assignment
        self._limits = assignment.settings.crawl
        self._patience = assignment.settings.politeness.patience
        self._switch = switch
        self._status = status
        self._job = Job(
            *(assignment.settings, assignment.seeds, assignment.world, assignment.directory),
            switch,
            owns_process=owns_process,
        )
        self._is_open = False

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
        return self._job.sum_up()

    def turns(self) -> Generator[list[Kept], None, None]:
        """Turn by turn, to the end."""
        self._open()
        job = self._job
        with job.at_work(self._finish):
            job.begin()
            while not self._is_over(job.ring):
                if job.commit_if_due():
                    self._status.write(job.sum_up())
                yield job.ring.turn(self._room(job.ring), job.seconds_to_commit)

    def _open(self) -> None:
        builder = self._assignment.prepare()
        self._assignment.claim()
        try:
            self._job.open(builder)
        except BaseException:
            self._assignment.abandon()
            raise
        self._is_open = True

    def _finish(self) -> None:
        self._job.finish()
        assert self._job.last_word is not None, "it has just been said"
        self._status.write(self._job.last_word)

    def _room(self, ring: Ring) -> int:
        """How many visits may be started now, so that `max_pages` is met exactly."""
        if self._switch.is_paused:
            return 0
        room, limit = ring.rooms.fetcher.room(), self._limits.max_pages
        return min(room, limit - ring.tally.pages - ring.pages_in_flight) if limit else room

    def _is_over(self, ring: Ring) -> bool:
        limits, mistakes, switch = self._limits, ring.rooms.mistakes.total, self._switch
        if limits.max_pages and ring.tally.pages >= limits.max_pages:
            switch.stop("max_pages")
        elif limits.max_seconds and self._job.seconds >= limits.max_seconds:
            switch.stop("max_time")
        elif limits.max_errors and mistakes >= limits.max_errors:
            stop_for_errors(switch, str(self._assignment.directory.path), mistakes)
        elif ring.lull.is_idle:
            switch.stop("finished")
        elif ring.lull.seconds() > self._patience:
            switch.stop("on_hold")
        return bool(switch.stopped_by)


def stop_for_errors(switch: Switch, out: str, total: int) -> None:
    """Functions that the crawl was given have raised too often."""
    switch.stop("max_errors")
    _log.error(
        "%s stops: %d errors in functions of a program or a package, and crawl.max_errors allows no more; "
        'repair them and continue with gossamer.Crawl.resume("%s", …); max_errors=0 is no limit',
        *(out, total, out),
    )

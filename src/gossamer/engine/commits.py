"""Schedule commits, checkpoints, and tables for those who read while the crawl runs."""

from collections.abc import Callable
from logging import WARNING
from math import inf

from gossamer.core.clock import Clock
from gossamer.core.log_events import LogEvent, log_event
from gossamer.core.settings import StoreSettings
from gossamer.engine.recorder import Recorder
from gossamer.engine.stopwatch import Stopwatch
from gossamer.output import Store

_COMMIT_EVERY = 1.0
"""Seconds between two group commits."""
_QUIET_FOR = 60.0
"""Seconds without a commit, at most, while nothing happens, to show that the crawl is running."""
_HURRY = 4
"""Between two commits that come early for the sake of their pages: this many times as long as one takes."""
_SLOW = 10.0
"""Seconds: a commit that takes longer is worth a line in the log."""
_PUBLISHING_SHARE = 0.01
"""The part of its time that a crawl spends on tables for those who look at it while it runs, at most."""


class Commits:
    """Has the recorder commit what is due."""

    def __init__(
        self,
        recorder: Recorder,
        store: Store,
        settings: StoreSettings,
        clock: Clock,
        stopwatch: Stopwatch,
        pages: Callable[[], int] = lambda: 0,
        most_at_risk: int = 0,
    ) -> None:
        """`pages` says how many there are. A commit comes when this many are at risk; 0: by time only."""
        self._recorder = recorder
        self._store = store
        self._settings = settings
        self._clock = clock
        self._stopwatch = stopwatch
        self.due = 0.0
        """When the next one is due."""
        self._next_checkpoint = clock.now() + settings.checkpoint_every
        self._next_publish = 0.0
        self._is_published = False
        """Do readers see all that the last commit has?"""
        self._is_put_off = False
        """Is the next commit due only when the calm ends?"""
        self._last = -inf
        self._pages = pages
        self._most_at_risk = most_at_risk
        self._committed = pages()
        self._not_before = -inf
        """When the next one may come early: slow ones must not take up all the time."""

    def change(self, settings: StoreSettings) -> None:
        """Go by other times from now on."""
        self._settings = settings
        soonest = self._clock.now() + settings.checkpoint_every
        self._next_checkpoint = min(self._next_checkpoint, soonest)
        self._next_publish = min(self._next_publish, self._clock.now() + settings.tables_every)

    def make_if_due(self, calm: Callable[[], float] = lambda: 0.0) -> bool:
        """Commit what is due; is there anything to tell: that it was done, or that a calm begins?

        `calm` says for how many seconds nothing can happen. There is nothing to commit then, unless
        something happened since the last commit. The commit comes when the calm ends, also when something
        from outside ends it early, and before any visit begins: so a crash leaves no doubt about who was
        asked.
        """
        now, recorder, seconds = self._clock.now(), self._recorder, self._stopwatch.seconds
        is_due = now >= self.due or self._has_many(now)
        if not is_due and not (self._is_put_off and calm() <= 0):
            return False
        if recorder.is_clean and now < self._last + _QUIET_FOR and (seconds_left := calm()) > 0:
            return self._put_off(now, seconds_left)
        is_long = recorder.journal_bytes > self._settings.journal_bytes
        needs_checkpoint = is_long or now >= self._next_checkpoint
        if needs_checkpoint:
            recorder.checkpoint(seconds)
            self._next_checkpoint = now + self._settings.checkpoint_every
        else:
            recorder.commit(seconds)
        recorder.retire(self._stopwatch.seconds)
        self._is_put_off = self._is_published = False
        if needs_checkpoint or now >= self._next_publish:
            self.publish()
        self._last, self.due = now, now + _COMMIT_EVERY
        self._note_time(now)
        return True

    def _has_many(self, now: float) -> bool:
        """Are so many pages at risk that the next commit cannot wait for its time?"""
        at_risk = self._pages() - self._committed
        return 0 < self._most_at_risk <= at_risk and now >= self._not_before

    def _note_time(self, began: float) -> None:
        ended = self._clock.now()
        self._committed = self._pages()
        self._not_before = ended + _HURRY * (ended - began)
        if ended - began > _SLOW:
            said = "a commit took %.0f s because the disk is slow; no visit begins during a commit"
            log_event(LogEvent.SLOW_COMMIT, said, ended - began, level=WARNING)

    def _put_off(self, now: float, calm: float) -> bool:
        """Sleep as long as nothing happens, but for tables that readers wait for; does a calm begin?"""
        if not self._is_published and now >= self._next_publish:
            self.publish()
        publish = inf if self._is_published else self._next_publish
        self.due = min(now + calm, self._last + _QUIET_FOR, publish)
        begins, self._is_put_off = not self._is_put_off, True
        return begins

    @property
    def may_come(self) -> bool:
        """May `make_if_due` commit now? Whatever is to be recorded then must be told before."""
        now = self._clock.now()
        return self._is_put_off or now >= self.due or self._has_many(now)

    @property
    def seconds_left(self) -> float:
        """Until the next one."""
        return max(0.0, self.due - self._clock.now())

    def publish(self) -> None:
        """Let readers see what the last commit has in the tables."""
        began = self._clock.now()
        self._store.publish()
        self._is_published = True
        took = self._clock.now() - began
        self._next_publish = began + max(self._settings.tables_every, took / _PUBLISHING_SHARE)

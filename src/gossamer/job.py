"""A crawl from its seeds to its summary: when to commit, and when to stop."""

import gc
import logging
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, suppress
from math import isfinite
from pathlib import Path
from typing import Any, Self

import msgspec

from gossamer.base import recipe
from gossamer.base.errors import DirectoryError, SettingsError
from gossamer.base.records import Candidate, Document, Kept, Page
from gossamer.base.settings import Settings
from gossamer.base.url import Spelling
from gossamer.crawl import Ring, Rooms
from gossamer.cycle.parse import Isolated
from gossamer.cycle.scope import ScopeRule, decisions
from gossamer.directory import Directory
from gossamer.furniture import Builder, Taste, check_order
from gossamer.ledger import Checkpoint, Ledger, Progress, Replay
from gossamer.policy.order import Order, Policy
from gossamer.seeds import read_seeds
from gossamer.tally import Summary, Tally

_log = logging.getLogger("gossamer")
_A_WHILE = 5.0
"""Seconds for which nobody minds to wait."""
_COMMIT_EVERY = 1.0
"""Seconds between two group commits."""
_LOOK_EVERY = 1.0
"""Seconds between two looks at all that was decided."""


class Crawl:
    """A crawl with one ring, in this process. Users meet it as `gossamer.Crawl`, which can do more.

    >>> crawl = Crawl("https://example.org/", out="example", max_pages=100)
    >>> crawl.settings.crawl.max_pages
    100
    """

    def __init__(
        self,
        *seeds: str,
        out: str | Path,
        settings: Settings | None = None,
        scope: str | ScopeRule | None = None,
        parsers: Mapping[str, Callable[[Page], Document] | Isolated] | None = None,
        order: str | Policy | Order | None = None,
        **knobs: Any,
    ) -> None:
        changes = {recipe.find(name): value for name, value in knobs.items()}
        if seeds:
            changes["crawl.seeds"] = list(seeds)
        if "politeness.delay" in changes:  # who names a delay means it
            changes.setdefault("budget.delays", False)
        if isinstance(scope, str):
            changes["scope.kind"] = scope
        elif scope is not None:  # the function alone decides, so this is no broad crawl
            changes["scope.kind"] = "all"
            changes.setdefault("budget.kind", "off")
        if isinstance(order, str):
            changes["order.name"] = order
            order = None
        self.out = Path(out)
        self._taste = Taste(scope if callable(scope) else None, parsers or {}, order)
        if brought := self._taste.names:
            changes["crawl.brought"] = brought
        self.settings = recipe.change(settings or Settings(), changes)
        check_order(self.settings.order.name)
        self.seeds = read_seeds(
            self.settings.crawl.seeds,
            Spelling(self.settings.url.rules),
            self.settings.fetch.schemes,
        )
        self.stopped_by = ""
        self.is_paused = False
        self.owns_process = False
        """Is the process there for this crawl alone? Garbage collections leave out what it begins with."""
        self._is_new = True
        self._directory = Directory(self.out)
        self._ring: Ring | None = None
        self._last_word: Summary | None = None
        self._began = self._seconds_before = self._ended = 0.0
        self._next_commit = self._next_checkpoint = self._next_look = 0.0
        self._decided: tuple[str, ...] = ()
        self._is_known_to_be_stuck = False

    @classmethod
    def resume(
        cls,
        out: str | Path,
        *,
        scope: ScopeRule | None = None,
        parsers: Mapping[str, Callable[[Page], Document] | Isolated] | None = None,
        order: Policy | Order | None = None,
        changes: Mapping[str, Any] | None = None,
        **knobs: Any,
    ) -> Self:
        """Go on with the crawl in a directory, with its own settings and any knobs turned now.

        Knobs that more than one section has are given in `changes`, as `section.name`.
        """
        directory = Directory(Path(out))
        settings = directory.open()
        try:
            before = settings
            settings = recipe.change(settings, changes or {})
            job = cls(out=out, settings=settings, parsers=parsers, order=order, **knobs)
            job._taste = Taste(scope, parsers or {}, order)
            job.settings = recipe.change(job.settings, {"crawl.brought": job._taste.names})
            _check_brought(before, job._taste, directory)
            _check_unchanged(before, job.settings)
            _check_partitions(job.settings, directory)
        except BaseException:
            directory.close()
            raise
        job._directory = directory
        job._is_new = False
        return job

    def __iter__(self) -> Iterator[Document]:
        """Run the crawl, yielding every document as it is read; leaving the loop ends it cleanly."""
        with closing(self.turns()) as turns:
            for batch in turns:
                for kept in batch:
                    yield kept.document

    def turns(self) -> Generator[list[Kept], None, None]:
        """Run the crawl, yielding what came of each turn of the ring, which may be nothing."""
        ring = self._ring = self._open()
        if (
            self.owns_process
        ):  # modules and tables are there to stay: no collection looks through them
            gc.freeze()
        try:
            self._begin(ring)
            while not self._is_over(ring):
                yield ring.turn(self._room(ring), self._commit(ring))
        except GeneratorExit:
            self.stop("abandoned")
            self._finish(ring)
            raise
        except OSError:
            self.stop("disk_error")
            raise
        else:
            self._finish(ring)
        finally:
            if self.owns_process:
                gc.unfreeze()
            self._close(ring)

    def run(self) -> Summary:
        """Run the crawl to its end."""
        for _ in self.turns():
            pass
        return self.summary()

    def stop(self, reason: str = "interrupted") -> None:
        """End the crawl after the turn that is under way."""
        self.stopped_by = self.stopped_by or reason

    def pause(self) -> None:
        """Start no more visits, until `go_on`."""
        self.is_paused = True

    def go_on(self) -> None:
        """End a pause."""
        self.is_paused = False

    def summary(self) -> Summary:
        """What has been done so far, or in the end."""
        assert self._ring is not None, "the crawl has not begun"
        if self._last_word is not None:
            return self._last_word
        rooms, tally = self._ring.rooms, self._ring.tally
        frontier, budgets = rooms.frontier.statistics(), rooms.admission.statistics()
        watch = rooms.watch.statistics()
        seen, harvest, seconds = rooms.seen.statistics(), rooms.store.statistics(), self._seconds()
        wait = self._ring.idle_seconds()
        return Summary(
            pages=tally.pages,
            bytes=tally.bytes,
            seconds=round(seconds, 3),
            pages_per_second=round(tally.pages / seconds, 2) if seconds else 0.0,
            links=tally.links,
            unique_urls=seen.known,
            undecided=seen.undecided,
            waiting=len(rooms.frontier) + len(rooms.admission),
            hosts=frontier.hosts,
            in_flight=rooms.fetcher.in_flight,
            duplicates=tally.duplicates,
            soft_errors=tally.soft_errors,
            held=watch.held,
            respelled=watch.respelled,
            decisions=self._decisions(rooms),
            near_duplicates=tally.near_duplicates,
            statuses={str(status): count for status, count in sorted(tally.statuses.items())},
            refused=dict(tally.refused.most_common()),
            errors=dict(tally.errors.most_common()),
            troubles=dict(self._ring.troubles.most_common()),
            stopped_by=self.stopped_by,
            directory=str(self.out),
            wait_seconds=round(max(0.0, wait), 3) if isfinite(wait) else 0.0,
            levels=frontier.levels,
            deferred=budgets.deferred,
            retired=harvest.retired,
            budgets={one.name: one.budget for one in budgets.top},
            disk={
                "warc": harvest.warc_bytes,
                "tables": harvest.table_bytes,
                "frontier": rooms.frontier.disk_bytes,
                "seen": rooms.seen.disk_bytes,
                "budgets": budgets.disk_bytes,
                "order": rooms.ordering.statistics().disk_bytes,
                "content": rooms.content.statistics().disk_bytes,
                "history": rooms.history.statistics().disk_bytes,
                "held": watch.disk_bytes,
                "journal": self._ring.ledger.length,
            },
        )

    def _decisions(self, rooms: Rooms) -> tuple[str, ...]:
        """What was decided about patterns of URLs; as it takes a look at all, it may be a second old."""
        now = time.monotonic()
        if self._ended or now >= self._next_look:
            self._decided = tuple(decisions(rooms.watch.state()))
            self._next_look = now + _LOOK_EVERY
        return self._decided

    @property
    def resting_seconds(self) -> float:
        """For how long nobody is asked, after a crash."""
        ring = self._ring
        return max(0.0, ring.resting_until - ring.rooms.clock.now()) if ring is not None else 0.0

    # How it runs.

    def _seconds(self) -> float:
        """For how long it has run, earlier runs included."""
        return self._seconds_before + (self._ended or time.monotonic()) - self._began

    def _room(self, ring: Ring) -> int:
        """How many visits may be started now, so that `max_pages` is met exactly."""
        if self.is_paused:
            return 0
        room = ring.rooms.fetcher.room()
        limit = self.settings.crawl.max_pages
        return min(room, limit - ring.tally.pages - ring.pages_in_flight) if limit else room

    def _is_over(self, ring: Ring) -> bool:
        limits = self.settings.crawl
        if limits.max_pages and ring.tally.pages >= limits.max_pages:
            self.stop("max_pages")
        elif limits.max_seconds and self._seconds() >= limits.max_seconds:
            self.stop("max_time")
        elif ring.is_idle:
            self.stop("finished")
        elif ring.idle_seconds() > self.settings.politeness.patience:
            self.stop("on_hold")
        return bool(self.stopped_by)

    def _commit(self, ring: Ring) -> float:
        """Put on record what is due; returns the seconds until the next commit."""
        now = time.monotonic()
        if now >= self._next_commit:
            limits = self.settings.store
            is_due = ring.ledger.length > limits.journal_bytes or now >= self._next_checkpoint
            if is_due:
                ring.checkpoint(self._seconds())
                self._next_checkpoint = now + limits.checkpoint_every
            else:
                ring.commit(self._seconds())
            ring.retire(self._seconds())
            self._write_status()
            self._next_commit = now + _COMMIT_EVERY
        return max(0.0, self._next_commit - now)

    def _open(self) -> Ring:
        builder = Builder(self.settings, self.seeds, self._taste)
        directory = self._directory
        if self._is_new:
            directory.create(self.settings)
        else:
            directory.write_settings(self.settings)
        try:
            checkpoint, self._replay = Ledger.read(directory.state)
            return self._furnish(builder, checkpoint, self._replay)
        except BaseException:
            if self._is_new:
                directory.remove()
            directory.close()
            raise

    def _begin(self, ring: Ring) -> None:
        """Take up what was done before, and offer the seeds, which are new or known."""
        self._began = time.monotonic()
        self._next_checkpoint = self._began + self.settings.store.checkpoint_every
        self._seconds_before = self._replay.progress.seconds
        ring.catch_up(self._replay)
        del self._replay
        has_more = ring.ask_again(self.seeds)
        is_own = ring.rooms.neighbours.is_own
        ring.admit([Candidate(seed) for seed in self.seeds if is_own(seed.host)])
        record = ring.checkpoint if has_more else ring.commit
        record(self._seconds())

    def _furnish(self, builder: Builder, checkpoint: Checkpoint, replay: Replay) -> Ring:
        progress: Progress = replay.progress
        rooms = builder.build(self._directory, checkpoint, progress)
        ledger = Ledger(self._directory.state, checkpoint.number)
        return Ring(rooms, self.settings, ledger, Tally.load(progress.counts))

    def _finish(self, ring: Ring) -> None:
        """Leave everything complete: tables, index, and a checkpoint to resume from."""
        self._ended = time.monotonic()
        ring.retire(self._seconds(), is_last=True)
        ring.rooms.store.finish()
        ring.checkpoint(self._seconds(), self.stopped_by)
        self._last_word = self.summary()
        self._write_status()

    def _close(self, ring: Ring) -> None:
        """Close everything. After an error of the disk, closing may fail as well: it changes nothing."""
        self._ended = self._ended or time.monotonic()
        rooms = ring.rooms
        io = (rooms.fetcher, rooms.resolver, rooms.gate, rooms.parsers, rooms.poller)
        state = (rooms.frontier, rooms.seen, rooms.admission, rooms.ordering, rooms.watch)
        others = (rooms.content, rooms.history, rooms.store, rooms.neighbours, ring.ledger)
        for part in (*io, *state, *others):
            with suppress(OSError):
                part.close()
        self._directory.close()

    def _write_status(self) -> None:
        target, summary = self._directory.status, self.summary()
        fresh = target.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(summary))
        fresh.replace(target)
        self._say_if_stuck(summary)

    def _say_if_stuck(self, summary: Summary) -> None:
        """Tell the user, once, when there is nothing to show and nothing to do but to wait."""
        is_stuck = summary.wait_seconds > _A_WHILE and not summary.has_pages and summary.troubles
        if is_stuck and not self._is_known_to_be_stuck and not self.stopped_by:
            self._is_known_to_be_stuck = True
            _log.warning(
                "no page could be fetched so far, and all that is left waits for hosts in trouble: the "
                "next try is in %.0f s; the crawl ends when that is more than politeness.patience (%.0f "
                "s); Ctrl-C ends it now, and `gossamer resume %s` goes on",
                summary.wait_seconds,
                self.settings.politeness.patience,
                self.out,
            )


def _check_brought(settings: Settings, taste: Taste, directory: Directory) -> None:
    """A crawl whose program decided what to follow must not go on without it."""
    missing = [name for name in settings.crawl.brought if name not in taste.names]
    if missing:
        given = ", ".join(f"{name}=…" for name in missing)
        raise DirectoryError(
            f"{directory.path} was begun by a program with its own {' and '.join(missing)}; go on there: "
            f'gossamer.Crawl.resume("{directory.path}", {given})'
        )


def _check_unchanged(before: Settings, after: Settings) -> None:
    """What a crawl has learned or stored under one of these settings means nothing under another."""
    if before.order.name != after.order.name:
        raise SettingsError(
            f"order.name: this crawl is ordered by {before.order.name}, for life; begin another for "
            f"{after.order.name}"
        )
    if not before.store.max_stored_pages and after.store.max_stored_pages:
        raise SettingsError(
            "store.max_stored_pages: a crawl that began without a limit has records that refer to "
            "others, so none may go; begin another with it"
        )


def _check_partitions(settings: Settings, directory: Directory) -> None:
    """Hosts stay with the partition they have been with."""
    wanted, there = settings.crawl.partitions or 1, directory.partitions
    if wanted != there:
        raise SettingsError(
            f"crawl.partitions: {directory.path} was begun with {there} and cannot go on with "
            f"{wanted}; leave the number as it is"
        )

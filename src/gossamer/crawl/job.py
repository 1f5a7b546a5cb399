"""A crawl from its seeds to its summary: when to commit, and when to stop."""

import gc
import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, nullcontext, suppress
from math import isfinite
from pathlib import Path
from threading import get_ident
from types import TracebackType
from typing import Any, Literal, Self

import msgspec
from msgspec.structs import replace

from gossamer.base import recipe
from gossamer.base.directory import Directory
from gossamer.base.errors import DamageError, DirectoryError, SettingsError
from gossamer.base.interrupts import deferred
from gossamer.base.records import Candidate, Document, Kept, Page
from gossamer.base.settings import Settings
from gossamer.base.url import Spelling
from gossamer.crawl.build import Builder, Taste, check_order
from gossamer.crawl.earlier import find_earlier
from gossamer.crawl.ledger import Checkpoint, Ledger, Progress, Replay
from gossamer.crawl.ring import Ring, Rooms
from gossamer.crawl.seeds import gather_seeds, read_seeds
from gossamer.crawl.summary import NOTHING, Summary, read_summary
from gossamer.crawl.tally import Tally
from gossamer.crawl.world import RealWorld, World
from gossamer.cycle.parse import Isolated
from gossamer.cycle.scope import ScopeRule, decisions
from gossamer.policy.order import Order, Policy, is_policy

_log = logging.getLogger("gossamer")

_A_WHILE = 5.0
"""Seconds for which nobody minds to wait."""
_COMMIT_EVERY = 1.0
"""Seconds between two group commits."""
_LOOK_EVERY = 1.0
"""Seconds between two looks at all that was decided."""
_PUBLISHING_SHARE = 0.01
"""The part of its time that a crawl spends on tables for those who look at it while it runs, at most."""


class Crawl:
    """A crawl with one ring, in this process. Users meet it as `gossamer.Crawl`, which can do more.

    >>> crawl = Crawl("https://example.org/", out="example", max_pages=100)
    >>> crawl.settings.crawl.max_pages
    100
    """

    def __init__(
        self,
        *seeds: str | Iterable[str],
        out: str | Path,
        settings: Settings | None = None,
        scope: str | ScopeRule | None = None,
        parsers: Mapping[str, Callable[[Page], Document] | Isolated] | None = None,
        order: str | Policy | Order | None = None,
        exists: Literal["error", "resume", "replace"] = "error",
        world: World | None = None,
        **knobs: Any,
    ) -> None:
        if exists not in ("error", "resume", "replace"):
            raise SettingsError(f"exists={exists!r}; write error, resume or replace")
        changes = {recipe.find(name): value for name, value in knobs.items()}
        if seeds:
            changes["crawl.seeds"] = gather_seeds(seeds)
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
        self._world = world or RealWorld()
        self._taste = Taste(scope if callable(scope) else None, parsers or {}, order)
        if brought := self._taste.names:
            changes["crawl.brought"] = brought
        self._directory = Directory(self.out)
        self._exists = exists
        self._is_new = exists != "resume" or not self._directory.holds_crawl
        before = None if self._is_new else _place_known(self._directory.open(), self.out)
        try:
            self._settle(settings, before, changes)
        except BaseException:
            self._directory.close()
            raise
        self.stopped_by = ""
        self.is_paused = False
        self.owns_process = False
        """Is the process there for this crawl alone? Garbage collections leave out what it begins with."""
        self.owns_partitions = True
        """Has each of several partitions a process to itself?"""
        self._ring: Ring | None = None
        self._last_word: Summary | None = None
        self._began = self._seconds_before = self._ended = 0.0
        self._next_commit = self._next_checkpoint = self._next_look = self._next_publish = 0.0
        self._decided: tuple[str, ...] = ()
        self._running: Generator[list[Kept], None, None] | None = None
        self._at_work = 0
        """The thread that a turn is under way in."""
        self._noted = replace(NOTHING, directory=str(self.out))
        """What was last said of it; for other threads than that one."""
        self._is_interrupted = False
        self._is_known_to_be_stuck = False
        self._repairs: list[str] = []

    def _settle(
        self, settings: Settings | None, before: Settings | None, changes: Mapping[str, Any]
    ) -> None:
        """What it is run with; `before` are the settings that a crawl to go on with was run with."""
        self.settings = recipe.change(settings or before or Settings(), changes)
        check_order(self.settings.order.name)
        self.seeds = read_seeds(
            self.settings.crawl.seeds,
            Spelling(self.settings.url.rules),
            self.settings.fetch.schemes,
        )
        if before is not None:
            self._check_like(before, self._directory)

    def _check_like(self, before: Settings, directory: Directory) -> None:
        """Can a crawl that was run with these settings go on like this?"""
        _check_brought(before, self._taste, directory)
        _check_unchanged(before, self.settings)
        _check_partitions(before, self.settings, directory)

    @classmethod
    def resume(
        cls,
        out: str | Path,
        *,
        scope: ScopeRule | None = None,
        parsers: Mapping[str, Callable[[Page], Document] | Isolated] | None = None,
        order: Policy | Order | None = None,
        changes: Mapping[str, Any] | None = None,
        world: World | None = None,
        **knobs: Any,
    ) -> Self:
        """Go on with the crawl in a directory, with its own settings and any knobs turned now.

        Knobs that more than one section has are given in `changes`, as `section.name`.
        """
        directory = Directory(Path(out))
        settings = directory.open()
        try:
            before = settings
            settings = recipe.change(_place_known(settings, Path(out)), changes or {})
            job = cls(
                out=out, settings=settings, parsers=parsers, order=order, world=world, **knobs
            )
            job._taste = Taste(scope, parsers or {}, order)
            job.settings = recipe.change(job.settings, {"crawl.brought": job._taste.names})
            job._check_like(before, directory)
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
        """Run the crawl, yielding what came of each turn, which may be nothing.

        Ctrl-C in the midst of a turn ends the crawl cleanly, and is raised then.
        """
        self._begin_again()
        turns = self._running = self._turns()
        try:
            while (kept := self._work(lambda: next(turns, None))) is not None:
                try:
                    yield kept
                except (Exception, KeyboardInterrupt) as error:
                    turns.throw(error)  # what is thrown in here is meant for them
        finally:
            self._end_run(turns)
        if self._is_interrupted:
            raise KeyboardInterrupt

    def _end_run(self, turns: Generator[list[Kept], None, None]) -> None:
        if self._running is turns:  # and not ended before, by `close`
            self._work(turns.close)
            self._running = None
            self._is_new = self._is_new and not self._directory.holds_crawl

    def _begin_again(self) -> None:
        """Make ready to go on, if the crawl has run before."""
        if self._running is not None:
            raise DirectoryError(
                f"{self.out} is being crawled by this very object; close() ends it"
            )
        order, has_run = self._taste.order, self._last_word is not None
        if has_run and order is not None and is_policy(order):
            raise DirectoryError(
                "a policy is for one run, as it has learned already; go on with a new one: "
                f'gossamer.Crawl.resume("{self.out}", order=…)'
            )
        if has_run:
            self.stopped_by, self._last_word, self._ended = "", None, 0.0
        self._is_interrupted = False

    def _work(self, step: Callable[[], Any]) -> Any:
        """Do one step, which an interrupt does not tear, unless the crawl is to stop already."""
        self._at_work = get_ident()
        try:
            with nullcontext() if self.stopped_by else deferred(self._interrupt):
                return step()
        finally:
            self._at_work = 0

    def _interrupt(self) -> None:
        self._is_interrupted = True
        self.stop("interrupted")

    def _turns(self) -> Generator[list[Kept], None, None]:
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
        except (
            BaseException
        ) as error:  # the turn is torn, so that nothing of it may be put on record
            self.stop("interrupted" if isinstance(error, KeyboardInterrupt) else "failed")
            raise
        else:
            self._finish(ring)
        finally:
            self._ended = self._ended or self._now()
            with suppress(Exception):  # whatever went wrong before is more worth telling
                self._last_word = self._last_word or self._summarise()
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

    def close(self) -> None:
        """End the crawl cleanly and free its directory, if somebody still holds an iterator over it.

        `with` does the same. A crawl that has ended can be iterated over again, and goes on.
        """
        if self._at_work:
            self.stop("abandoned")
        elif self._running is not None:
            self._end_run(self._running)
        else:
            self._directory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Crawl {self.out}>"

    def summary(self) -> Summary:
        """What has been done so far, or in the end; of a crawl to be resumed, what was done before.

        Asked from another thread while a turn is under way, it is a second old.
        """
        if self._last_word is not None:
            return self._last_word
        if self._at_work not in (0, get_ident()):
            return self._noted
        if not self._has_begun:
            return self._noted if self._is_new else read_summary(self.out)
        return self._summarise()

    @property
    def _has_begun(self) -> bool:
        return self._ring is not None

    def _summarise(self) -> Summary:
        assert self._ring is not None, "it has begun"
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
            same_text=tally.same_text,
            near_duplicates=tally.near_duplicates,
            unchanged=tally.unchanged,
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
        now = self._now()
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

    def _now(self) -> float:
        return self._world.clock.now()

    def _seconds(self) -> float:
        """For how long it has run, earlier runs included."""
        return self._seconds_before + (self._ended or self._now()) - self._began

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
        elif limits.max_errors and ring.rooms.mistakes.total >= limits.max_errors:
            self._stop_for_errors(ring.rooms.mistakes.total)
        elif ring.is_idle:
            self.stop("finished")
        elif ring.idle_seconds() > self.settings.politeness.patience:
            self.stop("on_hold")
        return bool(self.stopped_by)

    def _stop_for_errors(self, total: int) -> None:
        self.stop("max_errors")
        _log.error(
            "%s stops: %d errors in functions that it was given, and crawl.max_errors allows no more; mend "
            'them and go on with gossamer.Crawl.resume("%s", …), with max_errors=0 for no limit',
            *(self.out, total, self.out),
        )

    def _commit(self, ring: Ring) -> float:
        """Put on record what is due; returns the seconds until the next commit."""
        now = self._now()
        if now >= self._next_commit:
            limits = self.settings.store
            is_due = ring.ledger.length > limits.journal_bytes or now >= self._next_checkpoint
            if is_due:
                ring.checkpoint(self._seconds())
                self._next_checkpoint = now + limits.checkpoint_every
            else:
                ring.commit(self._seconds())
            ring.retire(self._seconds())
            if is_due or now >= self._next_publish:
                self._publish(ring)
            self._write_status()
            self._next_commit = now + _COMMIT_EVERY
        return max(0.0, self._next_commit - now)

    def _publish(self, ring: Ring) -> None:
        """Let readers see what the last commit has in the tables."""
        began = self._now()
        ring.rooms.store.publish()
        seconds = self._now() - began
        pause = max(self.settings.store.tables_every, seconds / _PUBLISHING_SHARE)
        self._next_publish = began + pause

    def _prepare(self) -> Builder:
        """Find out what is wrong with the settings; a resumed crawl lets go of its directory then."""
        try:
            return Builder(self.settings, self.seeds, self._taste, self._world)
        except BaseException:
            self._directory.close()
            raise

    def _open(self) -> Ring:
        builder = self._prepare()
        directory = self._directory
        self._claim()
        try:
            Ledger.secure(directory.state)
            checkpoint, self._replay = Ledger.read(directory.state)
            return self._furnish(builder, checkpoint, self._replay)
        except BaseException:
            if self._is_new:
                directory.remove()
            directory.close()
            raise

    def _claim(self) -> None:
        """Make the directory, or take it again."""
        if self._is_new:
            if self._exists == "replace":
                self._directory.clear()
            self._directory.create(self.settings, Ledger.begin)
        else:
            if not self._directory.is_taken:
                self._directory.open()
            try:
                self._directory.write_settings(self.settings)
            except BaseException:
                self._directory.close()
                raise

    def _begin(self, ring: Ring) -> None:
        """Take up what was done before, and offer the seeds, which are new or known."""
        for said in self._repairs:
            _log.warning("%s", said)
        self._began = self._now()
        self._next_checkpoint = self._began + self.settings.store.checkpoint_every
        self._seconds_before = self._replay.progress.seconds
        ring.catch_up(self._replay)
        del self._replay
        has_more = ring.ask_again(self.seeds)
        is_own = ring.rooms.neighbours.is_own
        ring.admit([Candidate(seed) for seed in self.seeds if is_own(seed.host)])
        record = ring.checkpoint if has_more else ring.commit
        record(self._seconds())
        self._publish(ring)

    def _furnish(self, builder: Builder, checkpoint: Checkpoint, replay: Replay) -> Ring:
        progress: Progress = replay.progress
        rooms = builder.build(self._directory, checkpoint, progress)
        self._repairs = [said for said in (replay.repair, *rooms.content.repairs) if said]
        ledger = Ledger(self._directory.state, checkpoint.number)
        return Ring(rooms, self.settings, ledger, Tally.load(progress.counts))

    def _finish(self, ring: Ring) -> None:
        """Leave everything complete: tables, index, and a checkpoint to resume from."""
        self._ended = self._now()
        ring.retire(self._seconds(), is_last=True)
        ring.rooms.store.finish()
        ring.checkpoint(self._seconds(), self.stopped_by)
        self._last_word = self._summarise()
        self._write_status()

    def _close(self, ring: Ring) -> None:
        """Close everything. After an error of the disk, closing may fail as well: it changes nothing."""
        rooms = ring.rooms
        io = (rooms.fetcher, rooms.resolver, rooms.gate, rooms.parsers, rooms.poller)
        state = (rooms.frontier, rooms.seen, rooms.admission, rooms.ordering, rooms.watch)
        others = (rooms.content, rooms.history, rooms.store, rooms.neighbours, ring.ledger)
        known = () if rooms.known is None else (rooms.known,)
        for part in (*io, *state, *others, *known):
            with suppress(OSError):
                part.close()
        self._directory.close()

    def _write_status(self) -> None:
        target, summary = self._directory.status, self._last_word or self._summarise()
        fresh = target.with_suffix(".new")
        self._noted = summary
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


def _place_known(settings: Settings, out: Path) -> Settings:
    """The settings, in which the earlier crawl is where it is now."""
    known = settings.crawl.known
    return recipe.change(settings, {"crawl.known": known and str(find_earlier(out, known))})


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


def _check_partitions(before: Settings, settings: Settings, directory: Directory) -> None:
    """Hosts stay with the partition they have been with, and none of these may be missing."""
    wanted, there = settings.crawl.partitions or 1, before.crawl.partitions or 1
    if directory.partitions != there:
        said = f"has folders of {directory.partitions} partitions, but the crawl has {there}"
        raise DamageError(directory.path / "state", said)
    if wanted != there:
        raise SettingsError(
            f"crawl.partitions: {directory.path} was begun with {there} and cannot go on with "
            f"{wanted}; leave the number as it is"
        )

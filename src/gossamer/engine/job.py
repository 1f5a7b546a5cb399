"""One ring at work, from its directory to the last checkpoint.

A job does not decide when to stop or how many visits may begin. Its owner does: a crawl in one process
(`solo`), or one of several partitions (`cluster/partition`).
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from gossamer.core.directory import Directory
from gossamer.core.log_events import LogEvent, log_aloud
from gossamer.core.settings import Settings
from gossamer.core.url import Url
from gossamer.engine.account import Account
from gossamer.engine.builder import Builder
from gossamer.engine.commits import Commits
from gossamer.engine.control.control_messages import Question
from gossamer.engine.disk_space_monitor import DiskSpaceMonitor
from gossamer.engine.ledger import Ledger, Record
from gossamer.engine.live_queries import Found
from gossamer.engine.remote_storage import CrawlReplica
from gossamer.engine.ring import Ring
from gossamer.engine.ring_commands import NO_COMMANDS, StandingCommands
from gossamer.engine.run_control import RunControl
from gossamer.engine.seeds import as_candidate
from gossamer.engine.stateful_components import Components
from gossamer.engine.stopwatch import Stopwatch
from gossamer.engine.summary import Summary
from gossamer.engine.world import World

BuildComponents = Callable[[Components, Record], Components]
"""Changes the components before the ring is made of them."""


class Job:
    """A ring, its record and its time."""

    def __init__(
        self,
        settings: Settings,
        seeds: Sequence[Url],
        world: World,
        directory: Directory,
        switch: RunControl,
        *,
        owns_process: bool = False,
        storage: CrawlReplica | None = None,
    ) -> None:
        """`owns_process`: the process is there for this job alone."""
        self._storage = storage
        self._settings = settings
        self._seeds = seeds
        self._clock = world.clock
        self._directory = directory
        self._switch = switch
        self._disk_space = DiskSpaceMonitor(directory.path, world.clock)
        self._owns_process = owns_process
        self.stopwatch = Stopwatch(world.clock)
        self.last_word: Summary | None = None
        """The summary of the end."""
        self.repairs: list[str] = []
        """What was damaged and is made again, to be said when the job begins."""

    def open(
        self,
        builder: Builder,
        build_components: BuildComponents = lambda components, record: components,
    ) -> None:
        """Open the components as they were."""
        Ledger.secure(self._directory.state)
        record = self._record = Ledger.read(self._directory.state)
        components = builder.build(self._directory, record)
        self.repairs += [said for said in (record.repair, *components.content.repairs) if said]
        components = build_components(components, record)
        second = self._storage.partition(self._directory) if self._storage is not None else None
        ledger = Ledger(self._directory.state, record.checkpoint.number, second)
        partition = self._directory.partition
        self.ring = Ring(components, self._settings, ledger, record, partition)
        self._account = Account(self.ring, self._clock, str(self._directory.path))

    @contextmanager
    def at_work(self, finish: Callable[[], None]) -> Iterator[None]:
        """Name the reason when the work ends, and call `finish`, unless an error interrupted a turn."""
        if (
            self._owns_process
        ):  # modules and tables are there to stay: no collection looks through them
            gc.freeze()
        try:
            yield
        except GeneratorExit:
            self._switch.stop("abandoned")
            finish()
            raise
        except OSError:
            self._switch.stop("disk_error")
            raise
        except BaseException as error:  # nothing of an interrupted turn may be recorded
            is_interrupt = isinstance(error, KeyboardInterrupt)
            self._switch.stop("interrupted" if is_interrupt else "failed")
            raise
        else:
            finish()
        finally:
            self.stopwatch.stop()
            with suppress(Exception):  # the first error is the one to report
                self.last_word = self.last_word or self.sum_up()
            if self._owns_process:
                gc.unfreeze()
            self.close()

    def begin(self, standing: StandingCommands = NO_COMMANDS, *, is_restart: bool = False) -> None:
        """Continue from what was done before, and offer the seeds; known ones change nothing.

        Seeds that failed get no other chance by a restart: it is still the same run.
        """
        ring = self.ring
        for said in self.repairs:
            log_aloud(LogEvent.REPAIRED, "%s", said)
        self.stopwatch.start()
        self.commits = Commits(
            *(
                ring.recorder,
                ring.components.store,
                self._settings.store,
                self._clock,
                self.stopwatch,
            ),
            pages=lambda: ring.counters.pages,
            most_at_risk=self._settings.store.commit_pages if self._storage is not None else 0,
        )
        self.stopwatch.before = self._record.progress.seconds
        ring.apply_commands(standing.active_commands)
        ring.recorder.catch_up(self._record)
        del self._record
        has_more = not is_restart and ring.ask_again(self._seeds)
        is_own = ring.components.neighbours.is_own
        ring.admit([as_candidate(seed) for seed in self._seeds if is_own(seed.host)])
        ring.do_once(standing.once)
        ring.receive()
        commit_all = ring.recorder.checkpoint if has_more else ring.recorder.commit
        commit_all(self.seconds)
        self.commits.publish()

    def apply_commands(self, standing: StandingCommands, settings: Settings) -> None:
        """Go by these orders, and by settings that were changed."""
        if settings != self._settings:
            self._settings = settings
            self.ring.change(settings)
            self.commits.change(settings.store)
        self.ring.apply_commands(standing.active_commands)
        self.ring.do_once(standing.once)

    def answer(self, question: Question) -> Found:
        """Say how hosts are doing, or what comes next."""
        return self.ring.live_queries.answer(question, self._settings)

    def finish(self) -> None:
        """Leave everything complete: tables, index, and a checkpoint to resume from."""
        self.stopwatch.stop()
        recorder = self.ring.recorder
        recorder.retire(self.seconds, is_last=True)
        self.ring.components.store.finish()
        recorder.checkpoint(self.seconds, self._switch.stopped_by)
        self.last_word = self.sum_up()

    def close(self) -> None:
        """Close everything. After a disk error, closing may fail as well; that changes nothing."""
        components = self.ring.components
        io = (components.fetcher, components.resolver, components.parsers, components.poller)
        known = () if components.known is None else (components.known,)
        for part in (*io, *components.with_state(), self.ring.recorder, *known):
            with suppress(OSError):
                part.close()
        self._directory.close()

    def sum_up(self) -> Summary:
        """Sum up the crawl so far."""
        self._disk_space.look()
        is_last = self.stopwatch.has_stopped
        return self._account.sum_up(self.seconds, self._switch.stopped_by, is_last=is_last)

    @property
    def seconds(self) -> float:
        """For how long it has run, earlier runs included."""
        return self.stopwatch.seconds

    @property
    def seconds_delayed(self) -> float:
        """Seconds for which no host is asked yet, after a crash."""
        return max(0.0, self.ring.recorder.delayed_until - self._clock.now())

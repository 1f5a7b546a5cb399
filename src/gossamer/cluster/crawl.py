"""A crawl as its user sees it, whatever the number of its processes."""

from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from threading import get_ident
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

from gossamer.cluster.notebook_progress import NotebookProgress
from gossamer.core.errors import DirectoryError, GossamerError, SettingsError
from gossamer.core.interrupts import deferred
from gossamer.core.log_events import LogEvent
from gossamer.core.named_settings import NamedSettings
from gossamer.core.records import Document, Judged, Page
from gossamer.core.settings import Settings
from gossamer.core.url import Url
from gossamer.engine.assignment import Assignment, make_plugins, name_changes
from gossamer.engine.control.command_handler import undo_of
from gossamer.engine.control.commands import RevisitNow, say
from gossamer.engine.control.control_messages import Reply
from gossamer.engine.event_log import CrawlLog, log_end, log_start
from gossamer.engine.ring import Ring
from gossamer.engine.run_control import RunControl
from gossamer.engine.seeds import Seed, as_line
from gossamer.engine.solo import Solo
from gossamer.engine.status_file import read_summary
from gossamer.engine.status_reporting import Status
from gossamer.engine.summary import Summary
from gossamer.engine.world import RealWorld, World
from gossamer.pipeline.parse import Isolated
from gossamer.pipeline.scope import ScopeRule
from gossamer.policy.order import Order, Policy

if TYPE_CHECKING:
    from gossamer.cluster.event_loop import Aside
    from gossamer.cluster.remote.launcher import Launcher
    from gossamer.cluster.storage import CrawlStorage
    from gossamer.cluster.supervised import MakeCarrier, Supervised


class Crawl:
    """A crawl; iterate over it to run it.

    >>> crawl = Crawl("https://example.org/", out="example", max_pages=100)
    >>> crawl.settings.crawl.max_pages
    100

    Any setting can be given by its name alone when only one section has it (`delay=2.0`), or
    all of them as `settings=`. `scope` takes a kind (`"domain"`) or a function from a `Link` to
    a bool; `parsers` maps media types to functions from a `Page` to a `Document`; `order` is a
    name (`"pagerank"`), a policy, or a function from a `Candidate` to a score between 0 and 1.

    If `out` holds a crawl already, that is an error; `exists="resume"` goes on with it, and
    `exists="replace"` deletes it first. `Crawl.resume("example")` continues a crawl after any
    stop. A crawl that has ended also continues when it is iterated over again.

    With `partitions=4` the work is shared by four processes, which are forked from this one (so start
    the crawl before there are threads); the documents of all of them arrive here.

    In an event loop, and in a notebook, `async for page in crawl` does not hold up the loop:

        async with gossamer.Crawl("https://example.org/", out="example") as crawl:
            async for page in crawl:
                ...

    The crawl then runs in a thread. With partitions this thread forks the processes, so a program
    that has its own locks in C should give such a crawl a process of its own. A task
    that is cancelled ends the crawl cleanly; so do Ctrl-C, an error in the loop, and leaving it.

    A notebook shows how far the crawl is, in a line below the cell.
    """

    def __init__(
        self,
        *seeds: Seed | Iterable[Seed],
        out: str | Path,
        settings: Settings | None = None,
        scope: str | ScopeRule | None = None,
        parsers: Mapping[str, Callable[[Page], Document] | Isolated] | None = None,
        order: str | Policy | Order | None = None,
        exists: Literal["error", "resume", "replace"] = "error",
        world: World | None = None,
        **knobs: Unpack[NamedSettings],
    ) -> None:
        plugins, changes = make_plugins(scope, parsers, order), name_changes(scope, order, knobs)
        world = world or RealWorld()
        self._take(Assignment.begin(seeds, Path(out), world, plugins, settings, changes, exists))

    @classmethod
    def resume(
        cls,
        out: str | Path,
        *,
        scope: str | ScopeRule | None = None,
        parsers: Mapping[str, Callable[[Page], Document] | Isolated] | None = None,
        order: str | Policy | Order | None = None,
        changes: Mapping[str, Any] | None = None,
        world: World | None = None,
        **knobs: Unpack[NamedSettings],
    ) -> Self:
        """Continue the crawl in a directory, with its own settings and those that are changed here.

        A setting whose name is in more than one section is given in `changes`, as `section.name`.
        """
        crawl = cls.__new__(cls)
        plugins = make_plugins(scope, parsers, order)
        turned = {**(changes or {}), **name_changes(scope, order, knobs)}
        crawl._take(Assignment.go_on(Path(out), world or RealWorld(), plugins, turned))
        return crawl

    def _take(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self.out = assignment.directory.path
        self.owns_process = False
        """Does the crawl have this process to itself? Garbage collections then skip what was there before."""
        self.owns_partitions = True
        """Does each of several partitions have a process to itself?"""
        self.carrier: MakeCarrier | None = None
        """What several partitions run in; None: processes of this machine."""
        self._is_remote = False
        self._switch = RunControl()
        patience = assignment.settings.politeness.patience
        self._status = Status(assignment.directory, patience, assignment.world.clock)
        self._log = CrawlLog(assignment.directory, assignment.settings.log, assignment.world.clock)
        self._storage = self._find_storage()
        self._run: Solo | Supervised | None = None
        self._running: Generator[list[Judged], None, None] | None = None
        self._at_work = 0
        """The thread that runs a turn now; 0 when none does."""
        self._is_interrupted = self._is_delivering = False
        self._aside: Aside | None = None

    def _find_storage(self) -> "CrawlStorage | None":
        storage = None
        if url := self._assignment.settings.crawl.storage:
            from gossamer.cluster.storage import CrawlStorage

            storage = CrawlStorage(url, self._assignment.world.clock)
        self._assignment.storage = storage
        return storage

    def go_remote(self, launcher: "Launcher", host: str = "127.0.0.1") -> None:
        """Have the partitions live where the launcher finds room, with nothing but the remote storage in
        common.

        `host` is this machine, as the others call it. This directory then holds settings and status only.
        """
        from gossamer.cluster.remote.connection_tls import ConnectionTls
        from gossamer.cluster.remote.remote_carrier import RemoteCarrier
        from gossamer.cluster.storage import CrawlStorage

        settings, clock = self.settings.crawl, self._assignment.world.clock
        if not settings.storage:
            raise SettingsError(
                "crawl.storage: partitions on other machines need remote storage; name one with --storage URL"
            )
        if settings.known:
            raise SettingsError(
                "crawl.known: other machines do not have that directory; remove --known"
            )
        self._storage = self._assignment.storage = CrawlStorage(
            settings.storage, clock, settings.lease
        )
        name = settings.storage.rstrip("/").rpartition("/")[2]
        self._is_remote, self._assignment.place = True, settings.storage
        if (tls := ConnectionTls.from_environment()) is not None:
            tls.check()
        self.carrier = lambda poller: RemoteCarrier(
            poller, launcher, clock, crawl=name, lease=settings.lease, host=host, tls=tls
        )

    def __repr__(self) -> str:
        return f"<Crawl {self.out}>"

    @property
    def settings(self) -> Settings:
        """The settings of the crawl."""
        return self._assignment.settings

    @property
    def seeds(self) -> list[Url]:
        """The seeds of the crawl."""
        return self._assignment.seeds

    @property
    def place(self) -> str:
        """The place of the crawl, for people: its directory, or its remote storage when no machine has all
        of it."""
        return self._assignment.place

    @property
    def partitions(self) -> int:
        """Processes that share the work."""
        return self._assignment.partitions

    # Running.

    def __iter__(self) -> Iterator[Document]:
        """Run the crawl, yielding every document as it is read; leaving the loop ends it cleanly."""
        self._is_delivering = True
        with closing(self.turns()) as turns:
            for batch in turns:
                for judged in batch:
                    yield judged.document

    async def __aiter__(self) -> AsyncIterator[Document]:
        """The same in an event loop, which is not held up: turns are run in a thread of their own.

        Put a loop that may be left early into `async with`: then the crawl has ended when the loop is left.
        """
        from gossamer.cluster.event_loop import Aside

        self._is_delivering = True
        aside = self._aside = Aside(self.turns())
        try:
            while (batch := await aside.step()) is not None:
                for judged in batch:
                    yield judged.document
        finally:
            await aside.close()

    def run(self) -> Summary:
        """Run the crawl to its end."""
        for _ in self.turns():
            pass
        return self.summary()

    def turns(self) -> Generator[list[Judged], None, None]:
        """Run the crawl, yielding what came of each turn, which may be nothing.

        Ctrl-C in the midst of a turn ends the crawl cleanly, and is raised then.
        """
        self._begin_again()
        run = self._run = self._make_run()
        turns = self._running = run.turns()
        self._work(self._log_start)
        notebook = NotebookProgress.open(self._assignment.world.clock)
        try:
            while (kept := self._work(lambda: next(turns, None))) is not None:
                self._log_storage()
                if notebook is not None and notebook.is_due:
                    notebook.show(self.summary())
                try:
                    yield kept
                except (Exception, KeyboardInterrupt) as error:
                    turns.throw(error)  # what is thrown in here is meant for them
        finally:
            self._end_run(turns)
            if notebook is not None:
                notebook.show(run.last_word or self._status.last)
        if self._is_interrupted:
            raise KeyboardInterrupt

    def _make_run(self) -> "Solo | Supervised":
        assignment, switch, status = self._assignment, self._switch, self._status
        if self.partitions == 1 and not self._is_remote:
            return Solo(assignment, switch, status, owns_process=self.owns_process)
        from gossamer.cluster.partition_processes import Processes
        from gossamer.cluster.supervised import Supervised

        return Supervised(
            assignment,
            switch,
            status,
            self.carrier or Processes,
            is_delivering=self._is_delivering,
            owns_processes=self.owns_partitions,
        )

    def _begin_again(self) -> None:
        """Make ready to go on, if the crawl has run before."""
        if self._running is not None:
            raise DirectoryError(
                f"{self.out} is already crawled by this object; call close() first"
            )
        if self._run is not None and self._run.last_word is not None:
            self._assignment.check_can_run_again()
            self._switch.stopped_by = ""
        self._is_interrupted = False

    def _end_run(self, turns: Generator[list[Judged], None, None]) -> None:
        if self._running is turns:  # and not ended before, by `close`
            self._work(turns.close)
            self._work(self._log_end)
            self._running = None
            self._assignment.note_run()
            self._leave_storage()

    def _log_start(self) -> None:
        before = None
        if not self._assignment.is_new:
            with suppress(GossamerError):  # it was killed before it had said anything
                before = read_summary(self.out)
            before = before or self._status.last
        log_start(len(self.seeds), self.partitions, before)

    def _log_end(self) -> None:
        if self._run is not None and self._assignment.directory.holds_crawl:
            log_end(self._run.last_word or self._status.last)

    def _log_storage(self) -> None:
        if self._storage is not None:
            self._storage.log_if_due(self._status.last)

    def _leave_storage(self) -> None:
        """The last word, for those who look from elsewhere."""
        if self._storage is not None and self._storage.is_claimed:
            from gossamer.cluster.storage import RemoteStorageError

            with suppress(RemoteStorageError):
                self._storage.leave(self._assignment.directory, self._status.last)

    def _work(self, step: Callable[[], Any]) -> Any:
        """Do one step. Ctrl-C does not interrupt it, unless the crawl is stopping already."""
        self._at_work = get_ident()
        try:
            with (
                self._log.listening(self._at_work),
                nullcontext() if self.stopped_by else deferred(self._interrupt),
            ):
                return step()
        finally:
            self._at_work = 0

    def _interrupt(self) -> None:
        self._is_interrupted = True
        self.stop("interrupted")

    # From outside.

    @property
    def stopped_by(self) -> str:
        """The reason for its stop; empty while it runs."""
        return self._switch.stopped_by

    def stop(self, reason: str = "interrupted") -> None:
        """End the crawl after the turn that is under way."""
        self._switch.stop(reason)

    @property
    def is_paused(self) -> bool:
        return self._switch.is_still

    def pause(self) -> None:
        """Start no more visits, until `go_on`."""
        if not self._switch.is_paused:
            self._switch.is_paused = True
            self._log.note(LogEvent.PAUSED, "no more visits begin")

    def go_on(self) -> None:
        """End a pause."""
        if self._switch.is_paused:
            self._switch.is_paused = False
            self._log.note(LogEvent.WENT_ON, "visits begin again")

    def send_command(self, *words: object, origin: str = "python") -> Reply:
        """Give the crawl an order, in the words of `gossamer control`: `crawl.send_command("block",
        "example.org")`.

        It is recorded, and outlasts this run. May be called from any thread, and within the loop over the
        crawl.
        """
        from gossamer.engine.control.command_words import read_command
        from gossamer.engine.control.typed_commands import send_command
        from gossamer.engine.control.visited_pages import expand

        run = self._run
        is_between = self._running is not None and self._at_work in (0, get_ident())
        if is_between and run is not None and run.command_handler is not None:
            order = read_command(list(map(str, words)))
            if isinstance(order, RevisitNow):
                order = RevisitNow(expand(self.out, order.urls))
            ordered = run.command_handler.take(order, origin, run.carry_out)
            said = f"{say(ordered.command)}: active"
            return Reply(True, said, ordered.number, undo=undo_of(ordered))
        return send_command(self.out, *words, origin=origin)

    def add(self, *seeds: Seed) -> Reply:
        """Add seeds while the crawl runs, or before it is resumed: URLs, or requests (`gossamer.Request`).

        The same as `send_command("seeds", …)`: what is known already changes nothing.
        """
        return self.send_command("seeds", *map(as_line, seeds))

    def close(self) -> None:
        """End the crawl cleanly and release its directory, even if an iterator over it still exists.

        `with` does the same. A crawl that has ended can be iterated over again, and goes on.
        """
        if self._at_work:
            self.stop("abandoned")
        elif self._running is not None:
            self._end_run(self._running)
        else:
            self._assignment.directory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._aside is not None:
            await self._aside.close()
        self.close()

    def summary(self) -> Summary:
        """Figures of the crawl so far, or at its end; of a crawl to be resumed, those of earlier runs.

        When another thread asks during a turn, the summary may be a second old, or a minute while all hosts
        rest.
        """
        run = self._run
        if run is not None and run.last_word is not None:
            return run.last_word
        if self._at_work not in (0, get_ident()):
            return self._status.last
        if run is None or not run.has_begun:
            return self._status.last if self._assignment.is_new else read_summary(self.out)
        return run.sum_up()

    @property
    def seconds_delayed(self) -> float:
        """Seconds for which no host is asked yet, after a crash."""
        return self._run.seconds_delayed if self._run is not None else 0.0

    def pids(self) -> dict[int, int]:
        """The processes of the partitions, by number; none when there is one partition only."""
        return {} if self._run is None or isinstance(self._run, Solo) else self._run.pids()

    @property
    def ring(self) -> Ring | None:
        """The ring of a crawl with one partition, for those who look inside; None before it has begun."""
        return self._run.ring if isinstance(self._run, Solo) else None

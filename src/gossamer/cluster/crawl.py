"""A crawl as its user sees it, whatever the number of its processes."""

from collections.abc import AsyncIterator, Generator, Iterator
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from gossamer.base.errors import GossamerError
from gossamer.base.poller import Poller
from gossamer.base.records import Document, Kept
from gossamer.cluster.aside import Aside
from gossamer.cluster.carrier import Carrier, End
from gossamer.cluster.merging import merge
from gossamer.cluster.partition import Partition
from gossamer.cluster.processes import Processes
from gossamer.cluster.report import Failure
from gossamer.cluster.supervisor import Supervisor
from gossamer.cluster.turns import AddressTable
from gossamer.crawl import job
from gossamer.crawl.summary import Summary
from gossamer.crawl.warm import load

_PATIENCE = 0.2
_STATUS_EVERY = 1.0


class PartitionError(GossamerError):
    """A partition cannot go on, and with it the crawl."""


class Crawl(job.Crawl):
    """A crawl; iterate over it to run it.

    >>> crawl = Crawl("https://example.org/", out="example", max_pages=100)
    >>> crawl.settings.crawl.max_pages
    100

    Any setting can be given by its name alone when only one section has it (`delay=2.0`), or
    all of them as `settings=`. `scope` takes a kind (`"domain"`) or a function from a `Link` to
    a bool; `parsers` maps media types to functions from a `Page` to a `Document`; `order` is a
    name (`"pagerank"`), a policy, or a function from a `Candidate` to a score between 0 and 1.

    If `out` holds a crawl already, that is an error; `exists="resume"` goes on with it, and
    `exists="replace"` deletes it first. `Crawl.resume("example")` goes on with a crawl that was
    stopped, by whatever. So does a crawl that has ended when it is iterated over again.

    With `partitions=4` the work is shared by four processes, copies of this one (so begin it before
    there are threads); the documents of all of them arrive here.

    In an event loop, and in a notebook, `async for page in crawl` does not hold up the loop:

        async with gossamer.Crawl("https://example.org/", out="example") as crawl:
            async for page in crawl:
                ...

    Turns are run in a thread then. With partitions it is this thread that makes the copies, so a
    program with locks of its own in C does better to give such a crawl a process of its own. A task
    that is cancelled ends the crawl cleanly; so do Ctrl-C, an error in the loop, and leaving it.
    """

    _supervisor: Supervisor | None = None
    _aside: Aside | None = None
    _is_delivering = False
    _next_status = 0.0

    @property
    def partitions(self) -> int:
        """Processes that share the work."""
        return self.settings.crawl.partitions or 1

    def __iter__(self) -> Iterator[Document]:
        """Run the crawl, yielding every document as it is read; leaving the loop ends it cleanly."""
        self._is_delivering = True
        yield from super().__iter__()

    async def __aiter__(self) -> AsyncIterator[Document]:
        """The same in an event loop, which is not held up: turns are run in a thread of their own.

        A loop that may be left early stands in `async with`, so that the crawl has ended when it is left.
        """
        self._is_delivering = True
        aside = self._aside = Aside(self.turns())
        try:
            while (batch := await aside.step()) is not None:
                for kept in batch:
                    yield kept.document
        finally:
            await aside.close()

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

    def _turns(self) -> Generator[list[Kept], None, None]:
        return super()._turns() if self.partitions == 1 else self._supervise()

    @property
    def _has_begun(self) -> bool:
        return self._supervisor is not None or super()._has_begun

    def _summarise(self) -> Summary:
        supervisor = self._supervisor
        if supervisor is None:
            return super()._summarise()
        summaries = [report.summary for report in supervisor.reports]
        merged = merge(summaries, self._seconds(), self.stopped_by, str(self.out))
        exchange = {**merged.exchange, "restarts": supervisor.statistics().deaths}
        return replace(merged, partitions=self.partitions, exchange=exchange)

    @property
    def resting_seconds(self) -> float:
        if self._supervisor is None:
            return super().resting_seconds
        return max((one.resting_seconds for one in self._supervisor.reports), default=0.0)

    def pids(self) -> dict[int, int]:
        """The processes of the partitions, by number; none when there is one partition only."""
        return self._supervisor.pids() if self._supervisor is not None else {}

    # With a supervisor.

    def _supervise(self) -> Generator[list[Kept], None, None]:
        settings = self.settings
        # Whatever is wrong with the settings is found out before the directory is touched.
        self._prepare()
        self._claim()
        clock, poller = self._world.clock, self._world.poller()
        table = AddressTable(self.partitions, clock) if settings.politeness.delay else None
        supervisor = Supervisor(
            self.partitions,
            lambda number, end: self._live(number, end, table),
            self._carrier(poller),
            poller,
            clock,
            settings.crawl.max_pages,
            table,
            settings.crawl.hung_after,
        )
        self._supervisor = supervisor
        try:
            self._began = self._now()
            load()
            supervisor.start()
            yield from self._watch(supervisor)
        except GeneratorExit:
            self.stop("abandoned")
            for _ in self._watch(supervisor):
                pass
            raise
        except BaseException as error:
            self.stop("interrupted" if isinstance(error, KeyboardInterrupt) else "failed")
            raise
        finally:
            self._end(supervisor, table)
        if supervisor.failure is not None:
            raise _error(supervisor.failure, str(self.out))

    def _watch(self, supervisor: Supervisor) -> Iterator[list[Kept]]:
        """Until every partition has gone."""
        while supervisor.is_running:
            yield supervisor.turn(_PATIENCE)
            self._seconds_before = supervisor.seconds_before
            supervisor.pause(self.is_paused)
            self._look_at_limits(supervisor)
            if supervisor.failure is not None:
                self.stop("failed")
            if self.stopped_by:
                supervisor.stop(self.stopped_by)
            self._write_status_if_due()

    def _look_at_limits(self, supervisor: Supervisor) -> None:
        limits, mistakes = self.settings.crawl, supervisor.mistakes
        if verdict := supervisor.verdict:
            self.stop(verdict)
        elif limits.max_seconds and supervisor.has_begun and self._seconds() >= limits.max_seconds:
            self.stop("max_time")
        elif limits.max_errors and mistakes >= limits.max_errors and not self.stopped_by:
            self._stop_for_errors(mistakes)

    def _carrier(self, poller: Poller) -> Carrier:
        """What the partitions run in."""
        return Processes(poller)

    def _live(self, number: int, end: End, table: AddressTable | None) -> Iterator[None]:
        """What a partition does."""
        return Partition(self, number, self.partitions, end, table, self._is_delivering).live()

    def _end(self, supervisor: Supervisor, table: AddressTable | None) -> None:
        supervisor.close()
        self._ended = self._now()
        try:
            has_pages = any(report.pages for report in supervisor.reports)
            if self._is_new and not supervisor.has_begun and not has_pages:
                self._directory.remove()
            else:
                self._write_status()
            self._last_word = self._summarise()
        finally:
            if table is not None:
                table.close()
            self._directory.close()

    def _write_status_if_due(self) -> None:
        now = self._now()
        if now >= self._next_status:
            self._next_status = now + _STATUS_EVERY
            self._write_status()


def _error(failure: Failure, directory: str) -> Exception:
    if failure.errno is not None:
        number, file = failure.errno, failure.file or directory
        return OSError(number, failure.message, file) if number else OSError(failure.message)
    advice = f"; what was done is safe: go on with `gossamer resume {directory}`"
    return PartitionError(failure.message + (advice if failure.can_go_on else ""))

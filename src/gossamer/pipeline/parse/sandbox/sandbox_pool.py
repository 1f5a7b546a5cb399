"""All children, and the pages that wait for one."""

from collections import Counter, deque
from collections.abc import Iterator

from msgspec import Struct

from gossamer.core.outcomes import ParseFailure
from gossamer.core.poller import Poller
from gossamer.core.records import Page
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse.sandbox.sandbox_task import SandboxReport
from gossamer.pipeline.parse.sandbox.sandbox_worker import Worker

_MOST_WAITING = 256
_MOST_BYTES = 256 << 20
"""Bodies that wait; beyond, nothing more should be fetched for a while."""
_PAGES_EACH = 1000
"""Pages that a child reads before it is replaced, whatever it may have leaked."""


class SandboxStatistics(Struct, frozen=True):
    pages: int
    """Pages given."""
    pending: int
    """Those without a report so far."""
    children: int
    """Processes alive."""
    started: int
    """Processes started."""
    failures: dict[str, int]
    """Reports of failures, by name."""


class Sandbox:
    """Gives pages to children, and brings out what came of them.

    With a poller, the caller waits and calls `tick` now and then; without one, `drain` waits.
    """

    def __init__(self, settings: ParseSettings, poller: Poller | None = None) -> None:
        self._settings = settings
        self._own_poller = Poller() if poller is None else None
        self._poller = poller or self._own_poller
        self._waiting: deque[tuple[str, Page]] = deque()
        self._waiting_bytes = 0
        self._workers: list[Worker] = []
        self._finished: list[tuple[Page, SandboxReport]] = []
        self._given = self._started = 0
        self._failures: Counter[str] = Counter()

    def give(self, reference: str, page: Page) -> None:
        """Have a page read by the parser of this name."""
        self._waiting.append((reference, page))
        self._waiting_bytes += len(page.body)
        self._given += 1

    def finished(self) -> list[tuple[Page, SandboxReport]]:
        """Pages and their reports, in the order these came."""
        self.tick()
        finished, self._finished = self._finished, []
        return finished

    def pending(self) -> Iterator[Page]:
        """Pages that `finished` has not brought out yet."""
        yield from (page for _, page in self._waiting)
        yield from (worker.page for worker in self._workers if worker.page is not None)
        yield from (page for page, _ in self._finished)

    @property
    def has_pending(self) -> bool:
        return next(self.pending(), None) is not None

    @property
    def is_full(self) -> bool:
        """Do so many pages wait that no more should be fetched?"""
        return len(self._waiting) >= _MOST_WAITING or self._waiting_bytes >= _MOST_BYTES

    def next_timeout(self) -> float | None:
        """Seconds after which `tick` has something to do, whatever the poller sees."""
        if self._finished:
            return 0.0
        times = [worker.time_left() for worker in self._workers]
        return min((time for time in times if time is not None), default=None)

    def tick(self) -> None:
        """Collect reports, bury the dead, and give the next pages."""
        for worker in self._workers:
            worker.check()
            if worker.report is not None:
                self._collect(worker)
        self._workers = [worker for worker in self._workers if not worker.is_gone]
        while self._waiting and self._serve_next():
            pass

    def drain(self) -> None:
        """Wait until every page has its report."""
        assert self._poller is not None, "there is always a poller"
        self.tick()
        while self._waiting or any(worker.page for worker in self._workers):
            self._poller.wait(self.next_timeout() or 0.0)
            self.tick()

    def statistics(self) -> SandboxStatistics:
        pending = sum(1 for _ in self.pending())
        children = len(self._workers)
        return SandboxStatistics(
            self._given, pending, children, self._started, dict(self._failures)
        )

    def close(self) -> None:
        """End every child, whatever it does."""
        for worker in self._workers:
            worker.kill()
        self._workers = []
        if self._own_poller is not None:
            self._own_poller.close()

    def _serve_next(self) -> bool:
        """Did the next page find a worker, or was it given up?"""
        try:
            worker = self._idle()
        except OSError as error:  # the machine has no room for one more process
            _, page = self._next()
            self._finish(
                page,
                SandboxReport(ParseFailure.CRASHED, f"no parser process can be started: {error}"),
            )
            return True
        if worker is not None:
            self._hand_over(worker)
        return worker is not None

    def _idle(self) -> Worker | None:
        for worker in self._workers:
            if worker.page is None:
                return worker
        if len(self._workers) >= self._settings.sandbox_processes:
            return None
        assert self._poller is not None, "there is always a poller"
        worker = Worker(self._settings, self._poller)
        self._started += 1
        self._workers.append(worker)
        return worker

    def _next(self) -> tuple[str, Page]:
        reference, page = self._waiting.popleft()
        self._waiting_bytes -= len(page.body)
        return reference, page

    def _hand_over(self, worker: Worker) -> None:
        reference, page = self._next()
        worker.give(reference, page)
        if worker.report is not None:  # it was dead already, without a fault of the page
            self._workers.remove(worker)
            self._waiting.appendleft((reference, page))
            self._waiting_bytes += len(page.body)

    def _collect(self, worker: Worker) -> None:
        page, report = worker.take()
        if worker.pages >= _PAGES_EACH or report.failure is ParseFailure.TOO_LARGE:
            worker.kill()
        self._finish(page, report)

    def _finish(self, page: Page, report: SandboxReport) -> None:
        if report.failure:
            self._failures[report.failure.value] += 1
        self._finished.append((page, report))

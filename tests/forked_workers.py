"""Runs the tests in several processes (`--workers=3`), forked once all tests were collected.

Each worker of pytest-xdist imports and collects everything itself: five seconds of CPU time, ten where
nothing is compiled yet. Forks have that from the start. Each has a part of the tests, neighbours together, as
they share fixtures; one that has run out takes half of what the one with the most has left. A worker that
dies is a failure of the test that it ran, and another one goes on.
"""

import os
import signal
import traceback
import warnings
from argparse import ArgumentTypeError
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, NoReturn

import pytest

from tests import forking

_GRACE = 30.0
"""Seconds in which workers of a run that is interrupted may end their fixtures."""


class _Ran(NamedTuple):
    """A worker has run a test."""

    reports: list[dict[str, Any]]
    """Of setup, call and teardown, with what was printed."""
    warned: list[dict[str, Any]]


class _WorkerReports:
    """Plugin of a worker's pytest that keeps the reports and the warnings of a test."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._reports: list[dict[str, Any]] = []
        self._warned: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        hook = self._config.hook.pytest_report_to_serializable
        self._reports.append(hook(config=self._config, report=report))

    def pytest_warning_recorded(
        self,
        warning_message: warnings.WarningMessage,
        when: str,
        nodeid: str,
        location: tuple[str, int, str] | None,
    ) -> None:
        shown = warning_message
        message = shown.category, str(shown.message), shown.filename, shown.lineno
        self._warned.append(
            {"message": message, "when": when, "nodeid": nodeid, "location": location}
        )

    def take(self) -> _Ran:
        """All since the last time."""
        ran = _Ran(self._reports, self._warned)
        self._reports, self._warned = [], []
        return ran


class _Worker:
    """A worker as the process sees it that forked it."""

    def __init__(self, session: pytest.Session, number: int, others: "list[_Worker]") -> None:
        self.given: deque[int] = deque()
        """Tests that it was given and has not run yet: the one it runs, and the next."""
        self.connection, theirs = Pipe()
        self.pid = os.fork()
        if not self.pid:
            for connection in (self.connection, *(other.connection for other in others)):
                connection.close()
            _work(session, number, theirs)
        theirs.close()
        self.exit = os.pidfd_open(self.pid)

    def give(self, index: int | None) -> None:
        """The next test, or that there is none; a worker that died is noticed elsewhere."""
        if index is not None:
            self.given.append(index)
        with suppress(OSError):
            self.connection.send(index)

    def end(self) -> int:
        """Wait for its end; its exit status."""
        self.connection.close()
        os.close(self.exit)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def add_options(parser: pytest.Parser) -> None:
    """Add the option of the command line."""
    parser.addoption("--workers", type=_count, metavar="N", help="run the tests in N processes")


def _count(text: str) -> int:
    """A number of workers; without any, no test would be run, and none would fail."""
    count = int(text)
    if count < 1:
        raise ArgumentTypeError(f"{count} workers run no tests; at least one does")
    return count


class ForkedWorkers:
    """Plugin of pytest, which runs no test in this process."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._workers: list[_Worker] = []
        self._made = 0
        self._shares: dict[int, deque[int]] = {}
        """Tests not given to anybody yet, by the worker that they are meant for."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Fork the workers, and report what they do."""
        if session.testsfailed or session.config.option.collectonly or not session.items:
            return None  # as without workers
        parts = min(self._count, len(session.items))
        edges = [len(session.items) * part // parts for part in range(parts + 1)]
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        try:
            for first, end in pairwise(edges):
                self._begin(session, deque(range(first, end)))
            while self._workers:
                self._listen(session)
                if session.shouldfail:
                    raise session.Failed(session.shouldfail)
                if session.shouldstop:
                    raise session.Interrupted(session.shouldstop)
        finally:
            self._stop()
        return True

    def _begin(self, session: pytest.Session, share: deque[int]) -> None:
        """Fork a worker, and give it two tests: at the end of one it must know whose fixtures are needed."""
        worker = _Worker(session, self._made, self._workers)
        self._made += 1
        self._workers.append(worker)
        self._shares[worker.pid] = share
        worker.give(self._next(worker))
        worker.give(self._next(worker))

    def _next(self, worker: _Worker) -> int | None:
        own = self._shares[worker.pid]
        if not own:
            rich = max(self._shares.values(), key=len)
            own.extend(reversed([rich.pop() for _ in range((len(rich) + 1) // 2)]))
        return own.popleft() if own else None

    def _listen(self, session: pytest.Session) -> None:
        """Wait for something of any worker."""
        watched: list[Connection[Any, Any] | int] = []
        for worker in self._workers:
            watched += [worker.connection, worker.exit]
        ready = wait(watched)
        for worker in list(self._workers):
            try:
                if worker.connection in ready or (
                    worker.exit in ready and worker.connection.poll()
                ):
                    ran = worker.connection.recv()
                    _log(session.items[worker.given.popleft()], ran)
                    worker.give(self._next(worker))
                    continue
            except (EOFError, OSError):  # it died, maybe in the middle of a report
                pass
            if worker.connection in ready or worker.exit in ready:
                self._bury(session, worker)

    def _bury(self, session: pytest.Session, worker: _Worker) -> None:
        """A worker has ended; if it had still something to do, its test failed."""
        self._workers.remove(worker)
        status = worker.end()
        share = self._shares.pop(worker.pid)
        if not worker.given:
            return
        item = session.items[worker.given.popleft()]
        share.extendleft(reversed(worker.given))
        text = f"its process ended with status {status}"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "call")
        session.config.hook.pytest_runtest_logreport(report=report)
        if share:
            self._begin(session, share)

    def _stop(self) -> None:
        """End workers that are still there, as a failure or an interrupt has ended the run."""
        for worker in self._workers:
            worker.connection.close()  # in the background of a shell, interrupts are ignored
            with suppress(OSError):
                os.kill(worker.pid, signal.SIGINT)
        for worker in self._workers:
            if not wait([worker.exit], timeout=_GRACE):
                os.kill(worker.pid, signal.SIGKILL)
            worker.end()
        self._workers.clear()


def _log(item: pytest.Item, ran: _Ran) -> None:
    """Report what a worker has run."""
    hook = item.config.hook
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for data in ran.reports:
        report = hook.pytest_report_from_serializable(config=item.config, data=data)
        hook.pytest_runtest_logreport(report=report)
    for one in ran.warned:
        category, text, path, line = one.pop("message")
        message = warnings.WarningMessage(Warning(text), category, path, line)
        hook.pytest_warning_recorded.call_historic(kwargs={"warning_message": message, **one})
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


def _work(session: pytest.Session, number: int, connection: "Connection[Any, Any]") -> NoReturn:
    """Run the tests that this worker is given."""
    status, own = 70, os.getpid()
    try:
        config = session.config
        forking.watch()
        reports = _of_its_own(config, number)
        given = _indices(connection)
        index = next(given)
        while index is not None:
            following = next(given)
            item = session.items[index]
            upcoming = None if following is None else session.items[following]
            config.hook.pytest_runtest_protocol(item=item, nextitem=upcoming)
            if os.getpid() != own:
                os._exit(status)  # a fork that its test has not ended: it must not take tests, too
            connection.send(reports.take())
            index = following
        status = 0
    except (KeyboardInterrupt, BrokenPipeError, EOFError):  # the run was interrupted
        session._setupstate.teardown_exact(None)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _indices(connection: "Connection[Any, Any]") -> Iterator[int | None]:
    while True:
        yield connection.recv()


def _of_its_own(config: pytest.Config, number: int) -> _WorkerReports:
    """What workers must not share: the files that output is captured in, the folder of temporary files."""
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    capture.suspend_global_capture()
    factory = config._tmp_path_factory  # type: ignore[attr-defined]
    factory._basetemp = factory.getbasetemp() / f"w{number}"
    factory._basetemp.mkdir(mode=0o700)
    config.pluginmanager.unregister(name="terminalreporter")
    reports = _WorkerReports(config)
    config.pluginmanager.register(reports, "worker reports")
    return reports

"""Runs each test in a child process of its own (`--alone`), forked after all tests were imported.

No test finds what another one left in memory: modules that were patched, caches, event loops, threads,
fixtures of a file. This process runs no test and makes no fixture; it passes on what the children report.
"""

import gc
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tests import serving
from tests.engine import engine_forks


class _Report(NamedTuple):
    """What a child says when its test has ended."""

    reports: list[dict[str, Any]]
    """Of setup, call and teardown, with what was printed."""
    warnings: list[tuple[str, type[Warning], str, int]]


def add_options(parser: pytest.Parser) -> None:
    """Add the option of the command line."""
    parser.addoption("--alone", action="store_true", help="run each test in a process of its own")


class Alone:
    """Plugin of pytest."""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Load what children would load one by one, and make the folder whose folders they make."""
        engine_forks.load_commands()
        serving.load()
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool:
        """Run a test in a child, and report for it."""
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in _run(item):
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True


def _run(item: pytest.Item) -> Iterator[pytest.TestReport]:
    """The reports of a test that a child runs; a child without any has failed."""
    with _child(item) as (pid, file):
        try:
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        except pytest.fail.Exception as error:  # of pytest-timeout, whose alarm is this process's
            yield _failure(item, str(error))
            return
        said = os.pread(file, os.fstat(file).st_size, 0)
    if status:
        yield _failure(item, f"its process ended with status {status}")
        return
    told = _Report(*pickle.loads(said))
    for message, category, path, line in told.warnings:
        warnings.warn_explicit(message, category, path, line)
    for data in told.reports:
        yield item.config.hook.pytest_report_from_serializable(config=item.config, data=data)


@contextmanager
def _child(item: pytest.Item) -> Iterator[tuple[int, int]]:
    """A child that runs a test, and the file that it reports to; it is killed if it is still there then."""
    file = os.memfd_create("report")
    pid = os.fork()
    if not pid:
        _live(item, file)
    try:
        yield pid, file
    finally:
        try:
            if not os.waitpid(pid, os.WNOHANG)[0]:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        except ChildProcessError:
            pass
        os.close(file)


def _live(item: pytest.Item, file: int) -> None:
    """Run the test, with all its fixtures from setup to the end, and report; never returns."""
    status = 70
    try:
        gc.freeze()  # looking through what was inherited would copy its memory
        with warnings.catch_warnings(record=True) as caught:
            reports = runtestprotocol(item, log=False, nextitem=None)
        serialize = item.config.hook.pytest_report_to_serializable
        said = _Report(
            [serialize(config=item.config, report=report) for report in reports],
            [(str(one.message), one.category, one.filename, one.lineno) for one in caught],
        )
        os.pwrite(file, pickle.dumps(tuple(said)), 0)
        sys.stdout.flush()
        status = 0
    finally:
        os._exit(status)


def _failure(item: pytest.Item, reason: str) -> pytest.TestReport:
    return pytest.TestReport(item.nodeid, item.location, {}, "failed", reason, "call")

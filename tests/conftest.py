"""What every test may ask for."""

import ctypes
import gc
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from gossamer.cli import GARBAGE
from tests import alone, forked_workers, forking, serving, shuffle
from tests import needs as needed
from tests.conformance_report import NO_DATA, ConformanceReport, missing_line, summary_lines
from tests.examples import PROFILE, examples
from tests.needs import needs
from tests.own_folder import OwnFolder
from tests.shared_files import SharedFiles

# The examples of a test are the same in each run: what passes here passes at a stranger's, too.
# `make soak` draws new ones each time. A failing one it finds becomes an @example of its test.
# How fast the machine is decides nothing: others may use it, too.
at_any_speed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", at_any_speed, derandomize=True, max_examples=examples(100))
settings.register_profile("new", at_any_speed, print_blob=True)
settings.load_profile(PROFILE)

_IN_MEMORY = Path("/dev/shm")
_ENOUGH = 4 << 30
"""Bytes that the files of a whole run have room in, whoever else uses the memory."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add options of the modules that are plugins."""
    shuffle.add_options(parser)
    alone.add_options(parser)
    forked_workers.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Simulated webs are served by forks. Files are in memory where there is room: a sync is a call of the
    system as before, and costs no disk anything; what a disk forgets is tried in the simulator.
    """
    serving.patch()
    forking.watch()
    config.pluginmanager.register(shuffle, "shuffle")
    config.pluginmanager.register(needed, "needs")
    config.pluginmanager.register(SharedFiles(config), "shared files")
    if config.option.alone:
        config.pluginmanager.register(alone.Alone(), "alone")
    if config.option.workers is not None:
        workers = forked_workers.ForkedWorkers(config.option.workers)
        config.pluginmanager.register(workers, "forked workers")
    is_free = not config.option.basetemp and not os.environ.get("TMPDIR")
    if is_free and os.access(_IN_MEMORY, os.W_OK) and _room_in_memory() > _ENOUGH:
        config.pluginmanager.register(OwnFolder(config, _IN_MEMORY), "own folder")


def _room_in_memory() -> int:
    """Bytes: of the folder, and of the machine, which may have promised more than it has."""
    machine = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min(shutil.disk_usage(_IN_MEMORY).free, machine)


def pytest_collection_finish() -> None:
    """Whatever was collected stays to the end: no garbage collection looks through it again, and no forked
    process copies it for that.
    """
    gc.set_threshold(*GARBAGE)
    _let_go()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """After each file, let go of its crawls: few objects with large tables, which forks would inherit.

    What is left by then, such as modules and kernels, stays to the end, too.
    """
    if nextitem is None or nextitem.path != item.path:
        _let_go()


def _let_go() -> None:
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # else forks would inherit what was freed, too
    gc.freeze()


_MOST_NAMED = 10
"""Files that a test wrote into."""


@pytest.fixture(autouse=True)
def writes_only_its_own_files(request: pytest.FixtureRequest) -> Iterator[None]:
    """Is made before all others of a test, so that it ends after them."""
    yield
    shared = request.config.pluginmanager.get_plugin("shared files")
    assert isinstance(shared, SharedFiles)
    written = shared.changes()
    more = [f"and {len(written) - _MOST_NAMED} more"] if len(written) > _MOST_NAMED else []
    said = f"{request.node.nodeid} wrote into files that it shares with other tests:"
    assert not written, "\n".join([said, *written[:_MOST_NAMED], *more])


@pytest.fixture(autouse=True)
def blocks_no_signals() -> Iterator[None]:
    """Commands of later tests, which are forks, would not hear an interrupt."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield
    left = signal.pthread_sigmask(signal.SIG_SETMASK, before) - before
    assert not left, f"the test left signals blocked: {sorted(left)}"


@pytest.fixture
def interruptible() -> Iterator[None]:
    """As in a terminal or a notebook; in the background of a shell, interrupts are ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def conformance_data() -> Path:
    """The folder of test cases written by others; tests that need it skip without."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    place = Path(os.environ.get("GOSSAMER_DATA") or beside)
    if not place.is_dir():
        pytest.skip(needs("data", NO_DATA))
    return place


@pytest.fixture
def conformance_report(request: pytest.FixtureRequest) -> ConformanceReport:
    """Counts the cases of a suite written by others; `tests/conformance_report.py` says how."""
    return ConformanceReport(request.node.user_properties)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what came of the suites written by others."""
    reports = [
        report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, ())
    ]
    lines = list(summary_lines(reports))
    if lines:
        terminalreporter.section("conformance")
        for line in lines:
            terminalreporter.write_line(line)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say as the last thing of a run that suites were skipped for lack of data: the counts do not tell."""
    gc.unfreeze()
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and (line := missing_line(reporter.stats.get("skipped", ()))):
        reporter.write_line(line)

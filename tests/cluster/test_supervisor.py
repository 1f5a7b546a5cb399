"""The supervisor with real processes that follow a script."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import msgspec
import pytest

from gossamer.cluster.carrier import End
from gossamer.cluster.ending import Ending
from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.merged_summary import merge
from gossamer.cluster.partition_processes import Processes
from gossamer.cluster.partition_report import Report
from gossamer.cluster.supervisor import Supervisor
from gossamer.core.clock import Clock, SystemClock
from gossamer.core.poller import Poller
from tests.processes import is_stopped

EMPTY = merge([], 0.0, "", "")


class Child:
    """A partition that only talks."""

    def __init__(self, end: End) -> None:
        self.poller = Poller()
        self.wire = end.connect(self.poller)
        self.frames: list[Frame] = []
        self.state = Report(0, 0, False, False, False, 0, 0, 0.0, 0.0, EMPTY)

    def report(self, **changes: Any) -> None:
        self.state = msgspec.structs.replace(self.state, **changes)
        self.wire.send(Frame(FrameKind.REPORT, body=msgspec.msgpack.encode(self.state)))

    def wait_for(self, kind: FrameKind) -> Frame:
        while True:
            for place, frame in enumerate(self.frames):
                if frame.kind == kind:
                    return self.frames.pop(place)
            assert not self.wire.is_closed
            self.poller.wait(10.0)
            self.frames += self.wire.frames()

    def leave(self) -> None:
        last = msgspec.structs.replace(self.state, is_last=True)
        frame = Frame(FrameKind.REPORT, body=msgspec.msgpack.encode(last))
        self.wire.send_last(frame, 10.0)


class StoppedTime:
    """Time that goes by only while partition 1 is stopped, and another one reports.

    So nobody is silent for long but the one that is stopped, however busy the machine is.
    """

    supervisor: Supervisor | None = None
    _ticks = _reported = 0

    def now(self) -> float:
        if self.supervisor is not None:
            has_heard = self.supervisor.reported > self._reported
            self._reported = self.supervisor.reported
            self._ticks += has_heard and is_stopped(self.supervisor.pids().get(1, 0))
        return self._ticks / 4


@contextmanager
def supervised(
    count: int,
    run: Callable[[int, End], None],
    max_pages: int = 0,
    hung_after: float = 0.0,
    clock: Clock | None = None,
) -> Iterator[Supervisor]:
    def live(number: int, end: End) -> Iterator[None]:
        run(number, end)
        yield

    poller = Poller()
    supervisor = Supervisor(
        count,
        lambda number: partial(live, number),
        Processes(poller),
        poller,
        clock or SystemClock(),
        max_pages,
        hung_after=hung_after,
    )
    supervisor.start()
    try:
        yield supervisor
    finally:
        supervisor.close()


def run_until(supervisor: Supervisor, is_enough: Callable[[], bool]) -> None:
    for _ in range(1000):
        if is_enough():
            return
        supervisor.turn(0.1)
    raise AssertionError("it did not come to that")


def test_frames_are_passed_on_and_everybody_knows_of_everybody() -> None:
    def talk(number: int, end: End) -> None:
        child = Child(end)
        child.report()
        other = child.wait_for(FrameKind.UP).partition
        assert other == 1 - number
        child.wire.send(Frame(FrameKind.BATCH, other, 7, 0, f"from {number}".encode()))
        heard = child.wait_for(FrameKind.BATCH)
        assert heard == Frame(FrameKind.BATCH, other, 7, 0, f"from {other}".encode())
        child.report(pages=1 + number)
        assert child.wait_for(FrameKind.STOP).body == b"enough"
        child.leave()

    with supervised(2, talk) as supervisor:
        run_until(supervisor, lambda: [one.pages for one in supervisor.reports] == [1, 2])
        supervisor.stop("enough")
        run_until(supervisor, lambda: not supervisor.is_running)
        assert supervisor.statistics().deaths == 0
        assert supervisor.failure is None


def test_who_dies_is_started_again_and_introduced_again() -> None:
    def talk(number: int, end: End) -> None:
        child = Child(end)
        child.report()
        if number == 0:
            for times in range(3):
                assert child.wait_for(FrameKind.UP).partition == 1
                child.report(pages=times + 1)
        child.wait_for(FrameKind.STOP)
        child.leave()

    with supervised(2, talk) as supervisor:
        for times in range(3):
            run_until(supervisor, lambda: _pages(supervisor) == times + 1)  # noqa: B023
            if times < 2:
                os.kill(supervisor.pids()[1], signal.SIGKILL)
        assert supervisor.statistics().deaths == 2
        supervisor.stop("enough")
        run_until(supervisor, lambda: not supervisor.is_running)


def _pages(supervisor: Supervisor) -> int:
    return max((report.pages for report in supervisor.reports), default=0)


@pytest.mark.parametrize("has_come_up", [True, False])
def test_who_hangs_is_ended_and_started_again(
    has_come_up: bool, caplog: pytest.LogCaptureFixture
) -> None:
    def talk(number: int, end: End) -> None:
        child = Child(end)
        if number == 1 and pipe_is_full():
            if has_come_up:
                child.report()
            os.kill(os.getpid(), signal.SIGSTOP)
        child.report(pages=1)
        while not any(frame.kind == FrameKind.STOP for frame in child.frames):
            child.poller.wait(0.05)
            child.frames += child.wire.frames()
            child.report()
        child.leave()

    first_time, told = os.pipe()
    os.set_blocking(first_time, False)
    os.write(told, b"x")

    def pipe_is_full() -> bool:
        with suppress(BlockingIOError):
            return bool(os.read(first_time, 1))
        return False

    time = StoppedTime()
    with supervised(2, talk, hung_after=1.0, clock=time) as supervisor:
        time.supervisor = supervisor
        run_until(supervisor, lambda: [one.pages for one in supervisor.reports] == [1, 1])
        assert supervisor.statistics().deaths == 1
        supervisor.stop("enough")
        run_until(supervisor, lambda: not supervisor.is_running)
    assert [record.getMessage() for record in caplog.records] == [
        "partition 1 was silent for 1 s and was killed; it is restarted"
    ]
    for end in (first_time, told):
        os.close(end)


def test_who_cannot_come_up_ends_it_all() -> None:
    def talk(number: int, end: End) -> None:
        child = Child(end)
        if number == 1:
            os._exit(9)
        child.report()
        child.wait_for(FrameKind.STOP)
        child.leave()

    with supervised(2, talk) as supervisor:
        run_until(supervisor, lambda: not supervisor.is_running)
        assert supervisor.failure is not None
        assert supervisor.failure.message == "partition 1 crashed again and again (with status 9)"


def test_pages_are_shared_out_to_the_last() -> None:
    limit = 100

    def talk(number: int, end: End) -> None:
        """The first could use any number; the second takes what it gets and uses nothing."""
        child, granted = Child(end), 0
        child.report(wants_pages=True)
        while True:
            child.poller.wait(10.0)
            for frame in child.wire.frames():
                if frame.kind == FrameKind.GRANT:
                    granted += frame.number
                elif frame.kind == FrameKind.RECALL:
                    child.wire.send(Frame(FrameKind.RETURNED, number=granted))
                    granted = 0
                elif frame.kind == FrameKind.STOP:
                    child.leave()
                    return
                if number == 0:
                    child.report(pages=granted, wants_pages=granted < limit)
                else:
                    child.report(unused=granted, wants_pages=False)

    with supervised(2, talk, limit) as supervisor:
        run_until(supervisor, lambda: supervisor.verdict == "max_pages")
        assert [report.pages for report in supervisor.reports] == [limit, 0]
        supervisor.stop("max_pages")
        run_until(supervisor, lambda: not supervisor.is_running)


def test_nobody_gives_back_as_long_as_nobody_has_run_out() -> None:
    def want(child: Child) -> None:
        child.report(pages=5, wants_pages=True, unused=1)
        child.wait_for(FrameKind.UP)
        for number in (1, 2):  # the supervisor has thought about it in between
            child.wire.send(Frame(FrameKind.BATCH, 1, number))
            child.wait_for(FrameKind.ACK)
        child.report(unused=0)

    def have(child: Child) -> None:
        child.report(pages=5, unused=3)
        for number in (1, 2):
            child.wait_for(FrameKind.BATCH)
            assert not any(frame.kind == FrameKind.RECALL for frame in child.frames)
            child.wire.send(Frame(FrameKind.ACK, 0, number))
        child.wait_for(FrameKind.RECALL)
        child.report(pages=6)

    def talk(number: int, end: End) -> None:
        child = Child(end)
        (have if number else want)(child)
        child.wait_for(FrameKind.STOP)
        child.leave()

    with supervised(2, talk, max_pages=10) as supervisor:
        run_until(supervisor, lambda: [one.pages for one in supervisor.reports] == [5, 6])
        supervisor.stop("enough")
        run_until(supervisor, lambda: not supervisor.is_running)
        assert supervisor.statistics().deaths == 0


def test_the_end_is_found_by_probing_twice() -> None:
    def talk(number: int, end: End) -> None:
        child = Child(end)
        child.report(is_done=True, is_idle=True)
        while True:
            child.poller.wait(10.0)
            for frame in child.wire.frames():
                if frame.kind == FrameKind.PROBE:
                    child.report(probe=frame.number)
                elif frame.kind == FrameKind.STOP:
                    child.leave()
                    return

    with supervised(3, talk) as supervisor:
        run_until(supervisor, lambda: bool(supervisor.verdict))
        assert supervisor.verdict == "finished"
        assert {report.probe for report in supervisor.reports} == {2}
        supervisor.stop("finished")
        run_until(supervisor, lambda: not supervisor.is_running)


def test_a_death_begins_the_count_anew() -> None:
    ending = Ending()
    done = Report(0, 0, False, True, True, 4, 0, 0.0, 0.0, EMPTY)
    first = ending.consider([done])
    ending.consider([msgspec.structs.replace(done, probe=first)])
    ending.interrupt()
    third = ending.consider([msgspec.structs.replace(done, probe=first + 1)])
    assert not ending.is_over
    assert ending.consider([msgspec.structs.replace(done, probe=third)]) > third
    assert not ending.is_over


@pytest.mark.parametrize("is_alone", [True, False])
def test_who_dies_after_the_verdict_brings_the_others_back(is_alone: bool) -> None:
    """It may have forgotten something. Its neighbour has gone by then, or goes later, as it was told."""

    def talk(number: int, end: End) -> None:
        child, is_restart = Child(end), was_over  # as it is when the process begins
        child.report(is_done=True, is_idle=True)
        while not any(frame.kind == FrameKind.STOP for frame in child.frames):
            child.poller.wait(10.0)
            child.frames += child.wire.frames()
            child.report(probe=max((frame.number for frame in child.frames), default=0))
        if not is_restart and is_alone == (number == 1):
            os.read(signs, 1)
        if not is_restart and number == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        child.leave()

    signs, sign = os.pipe()
    was_over = False
    with supervised(2, talk) as supervisor:
        run_until(supervisor, lambda: bool(supervisor.verdict))
        was_over, before = True, supervisor.pids()
        supervisor.stop("finished")
        gone = 0 if is_alone else 1
        run_until(supervisor, lambda: supervisor.pids().get(gone) != before[gone])
        os.write(sign, b"!")
        run_until(supervisor, lambda: bool(supervisor.verdict))
        assert not {*supervisor.pids().values()} & {*before.values()}, (
            "both have been started again"
        )
        supervisor.stop("finished")
        run_until(supervisor, lambda: not supervisor.is_running)
        assert supervisor.statistics().deaths == 1
    os.close(signs)
    os.close(sign)


def test_nobody_comes_back_when_somebody_wants_the_crawl_to_stop() -> None:
    """Who dies then is started again to leave its directory complete; whoever has gone stays away."""

    def talk(number: int, end: End) -> None:
        child, is_restart = Child(end), was_stopped
        child.report()
        child.wait_for(FrameKind.STOP)
        if number == 1 and not is_restart:
            os.read(signs, 1)
            os.kill(os.getpid(), signal.SIGKILL)
        child.leave()

    signs, sign = os.pipe()
    was_stopped = False
    with supervised(2, talk) as supervisor:
        run_until(supervisor, lambda: supervisor.has_begun)
        was_stopped = True
        supervisor.stop("interrupted")
        run_until(supervisor, lambda: 0 not in supervisor.pids())
        os.write(sign, b"!")
        run_until(supervisor, lambda: supervisor.statistics().deaths == 1)
        assert [*supervisor.pids()] == [1]
        run_until(supervisor, lambda: not supervisor.is_running)
        assert supervisor.order == "interrupted"
    os.close(signs)
    os.close(sign)

"""A partition's process, as the supervisor sees it."""

import gc
import os
import signal
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from socket import socket, socketpair
from typing import NoReturn

from gossamer.base.errors import GossamerError
from gossamer.base.poller import Poller
from gossamer.cluster.fate import die_with
from gossamer.cluster.frames import Frame
from gossamer.cluster.report import Report
from gossamer.cluster.wire import Wire

Run = Callable[[socket], None]
"""What a partition does, given its end of the wire."""

FAILED, BROKEN = 1, 70
"""Exit statuses: it said why, or it did not."""


class Member:
    """A child process and the wire to it.

    The process is a copy of this one (fork), so that functions which a program brings along need not be
    made into bytes; it never returns from here. It keeps the lock of the crawl directory, so that
    nobody else crawls there as long as one of the processes is left. The kernel kills it when this process
    has gone, whatever it is doing: none asks a host or writes a file once nobody supervises it.
    """

    def __init__(self, number: int, run: Run, poller: Poller, others: Iterable["Member"]) -> None:
        self.number = number
        self.wire: Wire
        self.report: Report | None = None
        """The last one; None before it has come up."""
        self.is_hung = False
        """Was it killed because it said nothing any more?"""
        ours, theirs = socketpair()
        supervisor = os.getpid()
        self.pid = os.fork()
        if not self.pid:
            die_with(supervisor)
            ours.close()
            for other in others:
                other.wire.leave()
            poller.close()
            _live(run, theirs)
        theirs.close()
        self.wire = Wire(ours, poller)

    @property
    def is_up(self) -> bool:
        return self.report is not None

    def send(self, frame: Frame) -> None:
        self.wire.send(frame)

    def bury(self) -> int:
        """Wait for a process whose end of the wire is closed; returns its exit status."""
        self.wire.close()
        with suppress(ChildProcessError):
            _, status = os.waitpid(self.pid, 0)
            return os.waitstatus_to_exitcode(status)
        return 0

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


def _live(run: Run, end: socket) -> NoReturn:
    """The whole life of a child. Interrupts are for the supervisor, which tells its partitions."""
    status = BROKEN
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        gc.freeze()  # what was inherited stays as it is: looking through it would only copy its memory
        run(end)
        status = 0
    except (OSError, GossamerError, SystemExit, KeyboardInterrupt):
        status = FAILED
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)

"""Partitions as processes of this machine."""

import gc
import os
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from socket import socket, socketpair
from typing import NoReturn

from gossamer.cluster.carrier import Live
from gossamer.cluster.die_with_parent import die_with
from gossamer.cluster.frames import Frame, encode
from gossamer.cluster.wire import Wire
from gossamer.core.errors import GossamerError
from gossamer.core.poller import Poller

_INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
FAILED, BROKEN = 1, 70
"""Exit statuses of a partition that failed: with a reason that it sent, or without."""


class SocketEnd:
    """A partition's end of a pair of sockets."""

    def __init__(self, end: socket) -> None:
        self._socket = end

    def connect(self, poller: Poller) -> Wire:
        return Wire(self._socket, poller)

    def say(self, frame: Frame) -> None:
        self._socket.sendall(encode(frame))


class Processes:
    """Carries each partition in a child process."""

    is_remote = False

    def __init__(self, poller: Poller) -> None:
        """The supervisor waits with this poller, for all of them."""
        self._poller = poller
        self._wires: list[Wire] = []

    def start(self, number: int, live: Live) -> "Process":
        self._wires = [wire for wire in self._wires if not wire.is_closed]
        process = Process(live, self._poller, self._wires)
        self._wires.append(process.line)
        return process

    def misplaced(self) -> None:
        """All are where they should be: on this machine."""

    def close(self) -> None:
        self._wires.clear()


class Process:
    """A child process and the wire to it.

    The process is a copy of this one (fork), so that functions which a program brings along need not be
    made into bytes; it never returns from here. It keeps the lock of the crawl directory, so that
    nobody else crawls there as long as one of the processes is left. The kernel kills it when this process
    has ended, whatever it is doing: without a supervisor, no partition asks a host or writes a file.
    """

    machine = ""

    def __init__(self, live: Live, poller: Poller, others: list[Wire]) -> None:
        ours, theirs = socketpair()
        supervisor = os.getpid()
        # Interrupts wait until the child ignores them.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
        try:
            self.pid = os.fork()
            if not self.pid:

                def begin() -> None:
                    die_with(supervisor)
                    ours.close()
                    for other in others:
                        other.leave()
                    poller.close()

                _live(begin, live, SocketEnd(theirs))
        except OSError:
            ours.close()
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            theirs.close()
        self.line = Wire(ours, poller)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def bury(self) -> int:
        self.line.close()
        with suppress(ChildProcessError):
            _, status = os.waitpid(self.pid, 0)
            return os.waitstatus_to_exitcode(status)
        return 0


def _live(begin: Callable[[], None], live: Live, end: SocketEnd) -> NoReturn:
    """The whole life of a child. Interrupts are for the supervisor, which tells its partitions."""
    status = BROKEN
    try:
        for number in _INTERRUPTS:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
        begin()
        gc.freeze()  # what was inherited stays as it is: looking through it would only copy its memory
        for _ in live(end):
            pass
        status = 0
    except (OSError, GossamerError, SystemExit, KeyboardInterrupt):
        status = FAILED
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)

"""One child process, as the crawl sees it."""

import os
import signal
import socket
import subprocess
import sys
from time import monotonic

from gossamer.core.outcomes import ParseFailure
from gossamer.core.poller import READ, Poller
from gossamer.core.records import Page
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse.sandbox.sandbox_task import (
    LENGTH,
    MAX_REPORT,
    SandboxReport,
    read_report,
    write_task,
)

_TO_START = 30.0
"""Seconds that a child has to say hello, on a busy machine."""
_TO_END = 0.5
"""Seconds for a child whose socket has ended to be gone as well."""
_READ_AT_ONCE = 1 << 20


class Worker:
    """A child that reads one page at a time; `report` has what came of it.

    When it has died, or was killed, `is_gone` says so, and a new one takes its place.
    """

    def __init__(self, settings: ParseSettings, poller: Poller) -> None:
        self._seconds = settings.sandbox_seconds
        self._poller = poller
        self._socket, theirs = socket.socketpair()
        self._socket.setblocking(False)
        with theirs:
            self._process = _start(theirs.fileno(), settings)
        poller.watch(self._socket.fileno(), READ, self._listen)
        self._received = bytearray()
        self._has_started = False
        self._deadline = 0.0
        self.page: Page | None = None
        """What it reads at the moment."""
        self.report: SandboxReport | None = None
        self.is_gone = False
        self.pages = 0

    def give(self, reference: str, page: Page) -> None:
        """Let it read a page; its time begins now, or when it has started."""
        assert self.page is None, "one page at a time"
        self.page = page
        self.pages += 1
        self._deadline = monotonic() + self._seconds + (0 if self._has_started else _TO_START)
        descriptor = write_task(reference, page)
        try:
            socket.send_fds(self._socket, [b"!"], [descriptor])
        except OSError:  # it died while it had nothing to do
            self._bury()
        finally:
            os.close(descriptor)

    def take(self) -> tuple[Page, SandboxReport]:
        """The page and its report; the next one can be given."""
        page, report = self.page, self.report
        assert page is not None, "there is a page"
        assert report is not None, "there is a report"
        self.page = self.report = None
        return page, report

    def time_left(self) -> float | None:
        """Seconds until `check` has something to do."""
        if self.page is None or self.report is not None:
            return None
        return max(0.0, self._deadline - monotonic())

    def check(self) -> None:
        """Kill it if its time is up."""
        if self.time_left() == 0.0:
            self.report = SandboxReport(ParseFailure.TIMED_OUT, f"not read in {self._seconds:g} s")
            self.kill()

    def kill(self) -> None:
        if not self.is_gone:
            self.is_gone = True
            self._poller.forget(self._socket.fileno())
            self._socket.close()
            self._process.kill()
            self._process.wait()

    def _listen(self, descriptor: int, events: int) -> None:
        try:
            received = self._socket.recv(_READ_AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if not received:
            self._bury()
            return
        self._received += received
        self._understand()

    def _understand(self) -> None:
        """Take what was said so far: a hello, then one report for each page."""
        while len(self._received) >= LENGTH.size and not self.is_gone:
            (length,) = LENGTH.unpack_from(self._received)
            end = LENGTH.size + length
            if length > MAX_REPORT or (length and self.page is None):
                self._end(
                    SandboxReport(ParseFailure.CRASHED, "the parser's process sent invalid data")
                )
            elif len(self._received) < end:
                return
            elif length:
                self.report = read_report(bytes(self._received[LENGTH.size : end]))
            else:
                self._has_started = True
                self._deadline = monotonic() + self._seconds
            del self._received[:end]

    def _end(self, report: SandboxReport) -> None:
        if self.page is not None and self.report is None:
            self.report = report
        self.kill()

    def _bury(self) -> None:
        """It hung up: find out why."""
        try:
            self._process.wait(_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._end(_cause_of_death(self._process.wait()))


def _start(descriptor: int, settings: ParseSettings) -> "subprocess.Popen[bytes]":
    module = "gossamer.pipeline.parse.sandbox.sandbox_child"
    limits = (str(settings.sandbox_memory), str(settings.sandbox_seconds))
    path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, str(descriptor), *limits],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(descriptor,),
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,  # Ctrl-C is for the crawl, which knows how to end
    )


def _cause_of_death(status: int) -> SandboxReport:
    if status == -signal.SIGXCPU or status == -signal.SIGALRM:
        return SandboxReport(ParseFailure.TIMED_OUT, "it used too much CPU time")
    if status < 0:
        return SandboxReport(
            ParseFailure.CRASHED, f"the parser's process was killed by {_signal_name(-status)}"
        )
    return SandboxReport(ParseFailure.CRASHED, f"the parser's process ended with status {status}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

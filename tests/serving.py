"""Servers of simulated webs as forks of this process: they begin at once, with all that they are made of.

A server that is started again takes a third of a second to load that; `tests/lab/server` tries those.
"""

import gc
import os
import signal
import sys
import traceback
from functools import cache
from typing import NoReturn

from gossamer.lab.prose import paragraphs_about
from gossamer.lab.server import server_child
from gossamer.lab.vocabulary import TOPICS

_MOST_FILES = 65_536
"""File descriptors that this process may have open, for the fork to close."""


class Fork:
    """Fulfils `child.Child`."""

    def __init__(self) -> None:
        load()
        (theirs, ours), (mine, yours) = os.pipe(), os.pipe()
        self.stdin, self.stdout = os.fdopen(ours, "wb"), os.fdopen(mine, "rb")
        self._status: int | None = None
        self.pid = os.fork()
        if not self.pid:
            _live(theirs, yours)
        os.close(theirs)
        os.close(yours)

    def poll(self) -> int | None:
        if self._status is None:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            self._status = os.waitstatus_to_exitcode(status) if done else None
        return self._status

    def wait(self) -> int:
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self._status


@cache
def load() -> None:
    """Make what every web is made of."""
    for topic in range(len(TOPICS)):
        paragraphs_about(topic)


def _live(stdin: int, stdout: int) -> NoReturn:
    """The whole life of a fork. It keeps nothing open that somebody else waits to see closed."""
    status = 70
    try:
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        os.closerange(3, _MOST_FILES)
        sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        gc.freeze()  # looking through what was inherited would copy its memory
        server_child.main()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def patch() -> None:
    """Have simulated webs served by forks from now on."""
    server_child.start = Fork

"""Commands in forks of this process: they begin at once, and what is patched here is patched there.

What starts a command anew takes most of a second to load what is there already. Whether commands start as
they should is tested elsewhere (`tests/cli`).
"""

import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from functools import cache
from importlib import import_module
from io import StringIO
from random import Random
from tempfile import TemporaryFile
from typing import Any, NamedTuple, NoReturn
from unittest.mock import patch

from gossamer.base.records import Kept
from gossamer.cli import run
from gossamer.crawl import commits, ring
from gossamer.crawl.warm import load

SECONDS = 150.0
"""After so long a command hangs: each takes a second or two."""

_WARNING = "gossamer: warning: "


class Ended(NamedTuple):
    """How a command ended."""

    status: int
    """Its exit status; of one that was killed, the signal below zero."""
    out: str
    err: str

    @property
    def complaints(self) -> list[str]:
        """Lines on standard error, warnings apart."""
        return [line for line in self.err.splitlines() if not line.startswith(_WARNING)]


def command(*arguments: str, seconds: float = SECONDS) -> Ended:
    """Run a command, and everything that it starts in a group of its own; it is killed when it hangs."""
    _prepare()
    with TemporaryFile() as out, TemporaryFile() as err:
        pid = os.fork()
        if not pid:
            _live(arguments, out.fileno(), err.fileno())
        status = _wait(pid, seconds)
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
        return Ended(status, *texts)


@cache
def _prepare() -> None:
    """Load what forks would load one by one: what crawls need, and what commands do."""
    load()
    for module in ("gossamer.cli.progress", "pyarrow.dataset"):
        import_module(module)
    with redirect_stdout(StringIO()):
        assert run(["status", "--help"]) == 0


def _live(arguments: Sequence[str], out: int, err: int) -> NoReturn:
    status = 70
    try:
        os.setsid()
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
        status = run(list(arguments))
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _wait(pid: int, seconds: float) -> int:
    """The exit status; that of a hang is SIGALRM's."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return -signal.SIGALRM


@contextmanager
def death_after(pages: int, chance: Random) -> Iterator[None]:
    """Crawls that begin within this are killed soon after so many pages, whatever they are doing then.

    It depends on what they have done, and not on how fast they did it. Commits are frequent, so that there is
    something to go back to.
    """
    turn, count = ring.Ring.turn, 0
    soon = chance.uniform(0.001, 0.05)

    def fatal(self: ring.Ring, *arguments: Any) -> list[Kept]:
        nonlocal count
        kept = turn(self, *arguments)
        before, count = count, count + len(kept)
        if before < pages <= count:
            signal.signal(signal.SIGPROF, lambda *_: os.killpg(0, signal.SIGKILL))
            signal.setitimer(signal.ITIMER_PROF, soon)  # in seconds of work
        return kept

    with patch.object(ring.Ring, "turn", fatal), patch.object(commits, "_COMMIT_EVERY", 0.1):
        yield

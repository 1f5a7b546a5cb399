"""Commands in forks of this process: they begin at once, and what is patched here is patched there.

What starts a command again takes most of a second to load what is there already. Whether commands start as
they should is tested elsewhere (`tests/cli`).
"""

import gc
import logging
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from multiprocessing import Value, get_context
from pkgutil import iter_modules
from random import Random
from typing import Any, NamedTuple, NoReturn
from unittest.mock import patch

from gossamer import cli
from gossamer.core.records import Judged
from gossamer.engine import commits, ring
from gossamer.engine.warm import load
from tests.patience import PATIENCE

PAGES_MORE = 20
"""A crawl that is to die after some pages has at most so many more, but for those of its last turn."""

_CALLS_MORE = 50_000
"""What a crawl calls in the time of some ten pages."""

_WITH_WORKERS = ("gossamer.text.text_build", "gossamer.search.build.index_processes")
"""Modules that start processes which read pages or make shards."""

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


class Begun:
    """A command under way, with everything that it starts in a group of its own."""

    def __init__(self, *arguments: str, stdin: str = "") -> None:
        load_commands()
        self._files = tuple(map(os.memfd_create, ("stdin", "stdout", "stderr")))
        os.pwrite(self._files[0], stdin.encode(), 0)
        self._status: int | None = None
        self.pid = os.fork()
        if not self.pid:
            _live(arguments, self._files)

    def poll(self) -> int | None:
        """Its exit status, once it has ended; of one that was killed, the signal below zero."""
        if self._status is None:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            self._status = os.waitstatus_to_exitcode(status) if done else None
        return self._status

    def send(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    @property
    def out(self) -> str:
        """What it has said on standard output so far."""
        return _text(self._files[1])

    @property
    def err(self) -> str:
        """What it has said on standard error so far."""
        return _text(self._files[2])

    def end(self, seconds: float = PATIENCE) -> Ended:
        """Wait for its end, and end whatever it left behind; a hang is killed, with SIGALRM's status."""
        deadline = time.monotonic() + seconds
        while (status := self.poll()) is None and time.monotonic() < deadline:
            time.sleep(0.01)
        self.kill()
        ended = Ended(
            -signal.SIGALRM if status is None else status, _text(self._files[1]), self.err
        )
        for file in self._files:
            os.close(file)
        return ended

    def kill(self) -> None:
        """End it at once, with everything that it started."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)  # it may not have its group yet
            self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def command(*arguments: str, stdin: str = "", seconds: float = PATIENCE) -> Ended:
    """Run a command; it is killed when it hangs."""
    return Begun(*arguments, stdin=stdin).end(seconds)


@cache
def load_commands() -> None:
    """Load what forks would load one by one."""
    load()
    for module in iter_modules(cli.__path__):
        if module.name != "__main__":
            import_module(f"{cli.__name__}.{module.name}")
    for name in ("gossamer.cluster.crawl", "gossamer.pipeline.dns", "gossamer.engine.solo"):
        import_module(name)
    for name in _WITH_WORKERS:
        import_module(name)
    import_module("pyarrow.dataset")  # by which tables are read
    with suppress(ImportError):  # it is Typer's own affair
        import_module("typer._adapters")


def _text(file: int) -> str:
    """What is in a file, without moving the place where the command goes on writing."""
    return os.pread(file, os.fstat(file).st_size, 0).decode(errors="replace")


def _live(arguments: Sequence[str], files: Sequence[int]) -> NoReturn:
    status = 70
    try:
        os.setsid()
        for descriptor, file in enumerate(files):
            os.dup2(file, descriptor)
        sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
        sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace")
        gc.freeze()  # looking through what was inherited would copy its memory
        logging.root.handlers.clear()  # those of the tests: the command has its own
        _fork_workers()
        status = cli.run(list(arguments))
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _fork_workers() -> None:
    """Workers that read pages or make shards are forks, too: the command has just begun.

    Real ones are spawned, and load everything again; `tests/text` and `tests/search/build` try those.
    """
    for name in _WITH_WORKERS:
        sys.modules[name].get_context = lambda _: get_context("fork")  # type: ignore[attr-defined]


@contextmanager
def death_after(pages: int, chance: Random) -> Iterator[None]:
    """A crawl that begins within this is killed soon after so many pages, whatever it is doing then.

    Pages of all its partitions count. Soon is a number of calls, and never more than `PAGES_MORE` pages: a
    fast machine has not done more by then than a slow one. Commits are frequent, so that there is something
    to go back to.
    """
    turn, count, calls_left = ring.Ring.turn, Value("l"), chance.randrange(_CALLS_MORE)

    def count_calls(*_: object) -> None:
        nonlocal calls_left
        calls_left -= 1
        if calls_left < 0:
            os.killpg(0, signal.SIGKILL)

    def fatal(self: ring.Ring, *arguments: Any) -> list[Judged]:
        kept = turn(self, *arguments)
        with count:
            before = count.value
            count.value = after = before + len(kept)
        if before < pages <= after:
            sys.setprofile(count_calls)
        if after >= pages + PAGES_MORE:
            os.killpg(0, signal.SIGKILL)
        return kept

    with patch.object(ring.Ring, "turn", fatal), patch.object(commits, "_COMMIT_EVERY", 0.1):
        yield

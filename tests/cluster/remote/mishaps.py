"""What happens to lives of far partitions, by what they have done and not by a clock."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from mmap import mmap
from typing import Any
from unittest.mock import patch

from gossamer.cluster.carrier import Live
from gossamer.cluster.remote.launcher import Ticket
from gossamer.cluster.supervisor import Supervisor
from gossamer.core.records import Judged
from gossamer.engine import commits, ring
from tests.cluster.remote.remote_forks import ForkedIncarnation, Forks

_PAGES = 10
"""Pages after which an incarnation meets with its mishap."""


_ENOUGH = 50
"""Pages after which a supervisor dies."""


class Mishaps(Forks):
    """Sends signals to some lives after some pages; one that was stopped wakes up with its successor."""

    def __init__(self, *arguments: Any, signals: Mapping[int, int]) -> None:
        """`signals` go to partitions by number: each to the first incarnation that comes so far."""
        super().__init__(*arguments)
        self._signals = dict(signals)
        self._fired = mmap(-1, 256)
        """Which were sent: a byte for each partition, which all processes see."""

    @property
    def are_over(self) -> bool:
        """Have all mishaps happened?"""
        return all(self._fired[number] for number in self._signals)

    def launch(self, ticket: Ticket, live: Live) -> ForkedIncarnation:
        number = int(ticket.name.split("-")[-1].partition(":")[0])
        for incarnation in self.incarnations:
            if f"partition-{number:05}:" in incarnation.name and incarnation.ended() is None:
                with suppress(ProcessLookupError):
                    os.kill(incarnation.pid, signal.SIGCONT)
        if number not in self._signals or self._fired[number]:
            return super().launch(ticket, live)

        def happen() -> None:
            self._fired[number] = 1
            os.kill(os.getpid(), self._signals[number])

        with after_pages(happen):
            return super().launch(ticket, live)


@contextmanager
def after_pages(happen: Callable[[], None]) -> Iterator[None]:
    """In processes that are forked within this, something happens after some pages."""
    turn, count = ring.Ring.turn, 0

    def fatal(self: ring.Ring, *arguments: Any) -> list[Judged]:
        nonlocal count
        kept = turn(self, *arguments)
        before, count = count, count + len(kept)
        if before < _PAGES <= count:
            happen()
        return kept

    with patch.object(ring.Ring, "turn", fatal), patch.object(commits, "_COMMIT_EVERY", 0.1):
        yield


@contextmanager
def supervisor_dies() -> Iterator[None]:
    """A supervisor that begins within this dies when its partitions have brought some pages."""
    turn = Supervisor.turn

    def fatal(self: Supervisor, patience: float) -> list[Judged]:
        kept = turn(self, patience)
        if self._pages >= _ENOUGH:
            os.kill(os.getpid(), signal.SIGKILL)
        return kept

    with patch.object(Supervisor, "turn", fatal), patch.object(commits, "_COMMIT_EVERY", 0.1):
        yield

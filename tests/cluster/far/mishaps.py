"""What happens to lives of far partitions, by what they have done and not by a clock."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch

from gossamer.base.records import Kept
from gossamer.cluster.carrier import Live
from gossamer.cluster.far.launcher import Ticket
from gossamer.cluster.supervisor import Supervisor
from gossamer.crawl import commits, ring
from tests.cluster.far.forks import ForkedLife, Forks

_PAGES = 25
"""Pages after which a life meets with its mishap."""


class Mishaps(Forks):
    """Sends signals to some lives after some pages; one that was stopped wakes up with its successor."""

    def __init__(self, *arguments: Any, signals: Mapping[int, int]) -> None:
        """`signals` go to the first lives of partitions, by number."""
        super().__init__(*arguments)
        self._signals = dict(signals)

    def launch(self, ticket: Ticket, live: Live) -> ForkedLife:
        number = int(ticket.name.split("-")[-1].partition(":")[0])
        for life in self.lives:
            if f"partition-{number:05}:" in life.name and life.ended() is None:
                with suppress(ProcessLookupError):
                    os.kill(life.pid, signal.SIGCONT)
        fate = self._signals.pop(number, None)
        if fate is None:
            return super().launch(ticket, live)
        with _after_pages(lambda: os.kill(os.getpid(), fate)):
            return super().launch(ticket, live)


@contextmanager
def _after_pages(happen: Callable[[], None]) -> Iterator[None]:
    """In processes that are forked within this, something happens after some pages."""
    turn, count = ring.Ring.turn, 0

    def fatal(self: ring.Ring, *arguments: Any) -> list[Kept]:
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

    def fatal(self: Supervisor, patience: float) -> list[Kept]:
        kept = turn(self, patience)
        if self._pages >= 2 * _PAGES:
            os.kill(os.getpid(), signal.SIGKILL)
        return kept

    with patch.object(Supervisor, "turn", fatal), patch.object(commits, "_COMMIT_EVERY", 0.1):
        yield

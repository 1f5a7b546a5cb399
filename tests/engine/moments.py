"""What partitions do when they have fetched so many pages.

Pages are counted where they are fetched, so that the moment comes on any machine. Whoever looks from outside
knows only the last report, and on a fast machine a small crawl is over before the next one.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from gossamer.cluster.partition import Partition
from gossamer.core.records import Judged
from gossamer.engine import commits


def kill_yourself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def stop_yourself() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


@contextmanager
def at_page(pages: int, partition: int, mark: Path, act: Callable[[], None]) -> Iterator[None]:
    """Have a partition do something after the turn with which it has so many pages.

    It does so once, in whichever of its lives; then `mark` is there.
    """

    def look(one: Partition) -> None:
        is_there = one._number == partition and one._job.ring.counters.pages >= pages
        if is_there and _is_first(mark):
            act()

    with after_turns(look):
        yield


@contextmanager
def marking(is_so: Callable[[Partition], bool], marks: Path) -> Iterator[None]:
    """Have each partition leave a mark, a file of its number, after a turn for which that is so."""
    marks.mkdir()

    def look(one: Partition) -> None:
        if is_so(one):
            (marks / str(one._number)).touch()

    with after_turns(look):
        yield


@contextmanager
def after_turns(look: Callable[[Partition], None]) -> Iterator[None]:
    """Have partitions look at themselves after each turn."""
    deliver = Partition._deliver

    def deliver_and_look(self: Partition, batch: Sequence[Judged]) -> None:
        deliver(self, batch)
        look(self)

    with patch.object(Partition, "_deliver", deliver_and_look):
        yield


def in_flight(one: Partition) -> int:
    """Its requests under way."""
    return one._job.ring.components.fetcher.in_flight


@contextmanager
def waiting_for_a_pause(pages: int) -> Iterator[None]:
    """Have each partition begin no more than so many visits before it hears of a first pause."""
    slots = Partition._free_slots

    def room_until_then(self: Partition) -> int:
        if self._switch.is_paused:
            self.has_paused = True  # type: ignore[attr-defined]
        if getattr(self, "has_paused", False):
            return slots(self)
        ring = self._job.ring
        return min(slots(self), max(0, pages - ring.counters.pages - ring.pages_in_flight))

    with patch.object(Partition, "_free_slots", room_until_then):
        yield


@contextmanager
def commit_each_turn() -> Iterator[None]:
    """Have each turn committed; the setting `journal_bytes` says how much makes a checkpoint."""
    with patch.object(commits, "_COMMIT_EVERY", 0.0):
        yield


def _is_first(mark: Path) -> bool:
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True

"""The front queues: one for each priority level, on disk, and the biased pick among them."""

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random

from gossamer.core.disk.queue import Queue, QueueState

_COINS = 30
"""Coins that are tossed at once."""
_LAST_COIN = 1 << _COINS


class FrontQueues:
    """URLs that have not yet come to their host's back queue."""

    def __init__(
        self, folder: Path, levels: int, random: Random, states: Iterable[QueueState] = ()
    ) -> None:
        self._random = random
        self._queues: list[Queue] = []
        for state in states:
            self._queues.append(Queue(_folder_of(folder, len(self._queues)), state))
        while len(self._queues) < levels:
            self._queues.append(Queue(_folder_of(folder, len(self._queues))))
        self._filled = [level for level, queue in enumerate(self._queues) if len(queue)]
        """Levels that are not empty, best first."""
        self.size = sum(map(len, self._queues))

    @property
    def levels(self) -> int:
        return len(self._queues)

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(map(len, self._queues))

    @property
    def disk_bytes(self) -> int:
        return sum(queue.disk_bytes for queue in self._queues)

    def write_overflow(self, levels: Iterable[int]) -> None:
        """Write long tails to disk, so that the next `extend` of these levels cannot fail."""
        for level in levels:
            self._queues[level].make_room()

    def extend(self, batches: Mapping[int, list[bytes]]) -> None:
        """Take in URLs by level."""
        for level, batch in batches.items():
            self.size += len(batch)
            if not len(self._queues[level]):
                insort(self._filled, level)
            self._queues[level].extend(batch)

    def pick(self) -> tuple[int, bytes]:
        """A URL and its level, by the biased pick: the best level with probability ½, then ¼, and so on."""
        filled = self._filled
        bits = self._random.getrandbits(_COINS) | _LAST_COIN
        place = min((bits & -bits).bit_length(), len(filled)) - 1  # tails before the first head
        level = filled[place]
        return level, self.pop(level)

    def pop(self, level: int) -> bytes:
        """The next URL of a level that is not empty."""
        queue = self._queues[level]
        record = queue.pop()
        self.size -= 1
        if not len(queue):
            self._filled.remove(level)
        return record

    def best(self) -> int | None:
        """The best level that is not empty."""
        return self._filled[0] if self._filled else None

    def first(self, most: int) -> list[bytes]:
        """Some URLs that are in memory, best level first; they stay where they are."""
        found: list[bytes] = []
        for level in self._filled:
            if len(found) >= most:
                break
            found += self._queues[level].at_hand(most - len(found))
        return found

    def samples(self, most: int) -> Iterator[tuple[int, list[bytes]]]:
        """The length of each queue that is not empty, and some of its URLs; they stay where they are."""
        for level in self._filled:
            queue = self._queues[level]
            yield len(queue), queue.at_hand(most)

    def begin_pass(self, level: int) -> int:
        """Look through a level from its beginning: how many URLs are to be taken and put back?"""
        return self._queues[level].begin_pass()

    def take_batch(self, level: int) -> list[bytes]:
        """Take the next URLs of a level, as many as are at hand."""
        queue = self._queues[level]
        batch = queue.take_batch()
        self.size -= len(batch)
        if not len(queue):
            self._filled.remove(level)
        return batch

    def checkpoint(self) -> list[QueueState]:
        return [queue.checkpoint() for queue in self._queues]

    def checkpoint_published(self) -> None:
        for queue in self._queues:
            queue.checkpoint_published()

    def verify(self) -> None:
        for queue in self._queues:
            queue.verify()

    def close(self) -> None:
        for queue in self._queues:
            queue.close()


def _folder_of(folder: Path, level: int) -> Path:
    return folder / f"front-{level:03}"

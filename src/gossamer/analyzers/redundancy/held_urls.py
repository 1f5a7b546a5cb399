"""Things that are held back: on disk, in the order they came, looked through when there is a reason."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Generic, TypeVar

from gossamer.core.disk.queue import Queue, QueueState
from gossamer.core.records import Candidate

Item = TypeVar("Item")

Pack = Callable[[Candidate], bytes]
Unpack = Callable[[bytes], Candidate]


class Held(Generic[Item]):
    """Filled by `put`, emptied by `sweep`, which puts back what still has to wait."""

    def __init__(
        self,
        folder: Path,
        pack: Callable[[Item], bytes],
        unpack: Callable[[bytes], Item],
        state: QueueState | None = None,
    ) -> None:
        self._queue = Queue(folder, state)
        self._pack = pack
        self._unpack = unpack
        self._unswept = 0
        self.is_unswept = True
        """Was something put here since all was looked through?"""

    def __len__(self) -> int:
        return len(self._queue)

    @property
    def is_sweeping(self) -> bool:
        """Is there something left to look through?"""
        return self._unswept > 0

    def put(self, item: Item) -> None:
        self._queue.append(self._pack(item))
        self.is_unswept = True

    def begin_sweep(self) -> None:
        """Look through all that is held by now."""
        self._unswept = len(self._queue)
        self.is_unswept = False

    def sweep(self, is_free: Callable[[Item], bool], most: int) -> Iterator[Item]:
        """Go on looking, through this many at most; brings out those that are free to go."""
        for _ in range(min(most, self._unswept)):
            record = self._queue.pop()
            self._unswept -= 1
            item = self._unpack(record)
            if is_free(item):
                yield item
            else:
                self._queue.append(record)

    def checkpoint(self) -> QueueState:
        return self._queue.checkpoint()

    def checkpoint_published(self) -> None:
        self._queue.checkpoint_published()

    @property
    def disk_bytes(self) -> int:
        return self._queue.disk_bytes

    def verify(self) -> None:
        self._queue.verify()

    def close(self) -> None:
        self._queue.close()

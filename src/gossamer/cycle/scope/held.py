"""URLs that are held back: on disk, in the order they came, looked through when there is a reason."""

from collections.abc import Callable, Iterator
from pathlib import Path

from gossamer.base.disk.queue import Queue, QueueState
from gossamer.base.records import Candidate

Pack = Callable[[Candidate], bytes]
Unpack = Callable[[bytes], Candidate]


class Held:
    """Filled by `put`, emptied by `sweep`, which puts back what still has to wait."""

    def __init__(
        self, folder: Path, pack: Pack, unpack: Unpack, state: QueueState | None = None
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

    def put(self, candidate: Candidate) -> None:
        self._queue.append(self._pack(candidate))
        self.is_unswept = True

    def begin_sweep(self) -> None:
        """Look through all that is held by now."""
        self._unswept = len(self._queue)
        self.is_unswept = False

    def sweep(self, is_free: Callable[[Candidate], bool], most: int) -> Iterator[Candidate]:
        """Go on looking, through so many at most; brings out those that are free to go."""
        for _ in range(min(most, self._unswept)):
            record = self._queue.pop()
            self._unswept -= 1
            candidate = self._unpack(record)
            if is_free(candidate):
                yield candidate
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

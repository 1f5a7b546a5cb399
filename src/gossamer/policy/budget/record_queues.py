"""The queues of BEAST on disk, each in a folder of its own."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from gossamer.core.disk.disk_files import delete
from gossamer.core.disk.queue import Queue, QueueState

_BLOCK = 64 << 10
"""Bytes in memory at either end of a queue; there may be many queues."""


class DiskQueue:
    """A queue on disk as a `RecordQueue`."""

    def __init__(self, folder: Path, state: QueueState | None = None) -> None:
        self.queue = Queue(folder, state, block=_BLOCK)

    def append(self, records: Sequence[bytes]) -> None:
        self.queue.extend(records)

    def popleft(self, most: int) -> list[bytes]:
        pop = self.queue.pop
        return [pop() for _ in range(min(most, len(self.queue)))]

    def __len__(self) -> int:
        return len(self.queue)


class DiskQueueStore:
    """The `QueueStore` protocol on disk.

    What a checkpoint names stays until the next one is published; opened with a manifest, the
    store is what it was then, and whatever came later is deleted.
    """

    def __init__(self, folder: Path, manifest: bytes = b"") -> None:
        self._folder = folder
        self._dropped: list[str] = []
        self._doomed: list[str] = []
        """Dropped before the last checkpoint, so it does not name them."""
        states = msgspec.msgpack.decode(manifest, type=dict[str, QueueState]) if manifest else {}
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            if path.name not in states:
                delete(path)
        self._queues = {name: DiskQueue(folder / name, state) for name, state in states.items()}

    def open(self, name: str) -> DiskQueue:
        queue = self._queues.get(name)
        if queue is None:
            assert name not in self._dropped + self._doomed, "a queue's name is used once"
            queue = self._queues[name] = DiskQueue(self._folder / name)
        return queue

    def drop(self, name: str) -> None:
        queue = self._queues.pop(name, None)
        if queue is not None:
            queue.queue.close()
            self._dropped.append(name)

    def checkpoint(self) -> bytes:
        states = {name: queue.queue.checkpoint() for name, queue in self._queues.items()}
        self._doomed += self._dropped
        self._dropped = []
        return msgspec.msgpack.encode(states)

    def checkpoint_published(self) -> None:
        for queue in self._queues.values():
            queue.queue.checkpoint_published()
        while self._doomed:
            delete(self._folder / self._doomed.pop())

    @property
    def disk_bytes(self) -> int:
        """Bytes on disk of all queues in use."""
        return sum(queue.queue.disk_bytes for queue in self._queues.values())

    def verify(self) -> None:
        for queue in self._queues.values():
            queue.queue.verify()

    def close(self) -> None:
        for queue in self._queues.values():
            queue.queue.close()

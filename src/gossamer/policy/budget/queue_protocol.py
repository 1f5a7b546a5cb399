"""Protocol of the queues in which URLs wait: first-in-first-out queues of records, each with a name."""

from collections import deque
from collections.abc import Sequence
from typing import Protocol

import msgspec


class RecordQueue(Protocol):
    """First in, first out; a record is any bytes."""

    def append(self, records: Sequence[bytes]) -> None: ...

    def popleft(self, most: int) -> list[bytes]:
        """Take out up to this many records, the oldest first."""

    def __len__(self) -> int: ...


class QueueStore(Protocol):
    """All queues of one structure, saved and brought back together."""

    def open(self, name: str) -> RecordQueue:
        """The queue of this name; a new one if there is none."""

    def drop(self, name: str) -> None:
        """The queue of this name is not needed any more, once a later checkpoint is published."""

    def checkpoint(self) -> bytes:
        """Make all queues durable, and say how to find them again."""

    def checkpoint_published(self) -> None:
        """The last checkpoint counts from now on; what only earlier ones name may go."""

    @property
    def disk_bytes(self) -> int:
        """Bytes of all files in use."""

    def verify(self) -> None:
        """Read all files to their ends; raises `DamageError` when one is not what was written."""

    def close(self) -> None:
        """Let go of all files."""


class MemoryQueue:
    """The `RecordQueue` protocol in memory."""

    def __init__(self, records: Sequence[bytes] = ()) -> None:
        self.records = deque(records)

    def append(self, records: Sequence[bytes]) -> None:
        self.records += records

    def popleft(self, most: int) -> list[bytes]:
        take = self.records.popleft
        return [take() for _ in range(min(most, len(self.records)))]

    def __len__(self) -> int:
        return len(self.records)


class MemoryQueueStore:
    """The `QueueStore` protocol in memory; its checkpoint is all there is."""

    def __init__(self, manifest: bytes = b"") -> None:
        self._queues: dict[str, MemoryQueue] = {}
        if manifest:
            saved = msgspec.msgpack.decode(manifest, type=dict[str, list[bytes]])
            self._queues = {name: MemoryQueue(records) for name, records in saved.items()}

    def open(self, name: str) -> MemoryQueue:
        return self._queues.setdefault(name, MemoryQueue())

    def drop(self, name: str) -> None:
        self._queues.pop(name, None)

    def checkpoint(self) -> bytes:
        saved = {name: list(queue.records) for name, queue in self._queues.items()}
        return msgspec.msgpack.encode(saved)

    def checkpoint_published(self) -> None:
        """Nothing is on disk, nothing may go."""

    @property
    def disk_bytes(self) -> int:
        return 0

    def verify(self) -> None:
        """Nothing is on disk."""

    def close(self) -> None:
        """Nothing is open."""

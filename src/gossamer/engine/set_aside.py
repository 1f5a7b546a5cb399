"""URLs that waited and may not be visited as long as something holds: kept on disk until it ends.

Filled by leases that are turned away; emptied by `let_go`, some thousand URLs at a time, when there is a
reason to look through them. Neither is noted in the journal: a URL that was turned away since the checkpoint
waits in the frontier of the checkpoint, and is turned away again.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from struct import Struct as Layout

import msgspec
from msgspec import Struct

from gossamer.core.disk.queue import Queue, QueueState
from gossamer.core.durable import Durable
from gossamer.core.records import Candidate, Visit
from gossamer.pipeline.seen import pack, unpack

LOOKED_AT = 2000
"""URLs that are looked through in one turn."""
_LEVEL = Layout("<h")


class KeptStatistics(Struct, frozen=True):
    waiting: int
    """URLs that are set aside."""
    disk_bytes: int


class SetAside(Durable):
    """A queue of URLs with their levels. Each of its kinds has a name, and with it a folder, of its own."""

    def __init__(self, folder: Path, state: bytes = b"") -> None:
        before = msgspec.msgpack.decode(state, type=QueueState) if state else None
        self._queue = Queue(folder, before)
        self._unswept = len(self._queue)
        """Those to be looked through: at the beginning all, for what held may have ended meanwhile."""

    def __len__(self) -> int:
        return len(self._queue)

    @property
    def is_sweeping(self) -> bool:
        """Is there something left to look through?"""
        return self._unswept > 0

    def sweep(self) -> None:
        """Look through all that is kept by now."""
        self._unswept = len(self._queue)

    def keep(self, visit: Visit) -> None:
        """Keep a leased visit that is not to be made."""
        self._queue.append(_LEVEL.pack(visit.level) + pack(visit.again))

    def let_go(self, holds: Callable[[Candidate], bool]) -> Iterator[tuple[Candidate, int]]:
        """Go on looking: what is not held any more, each with the level that it had."""
        for _ in range(min(LOOKED_AT, self._unswept)):
            record = self._queue.pop()
            self._unswept -= 1
            candidate = unpack(record[_LEVEL.size :])
            if holds(candidate):
                self._queue.append(record)
            else:
                yield candidate, _LEVEL.unpack_from(record)[0]

    def statistics(self) -> KeptStatistics:
        return KeptStatistics(len(self), self.disk_bytes)

    # Recorded.

    def checkpoint(self) -> bytes:
        return msgspec.msgpack.encode(self._queue.checkpoint())

    def checkpoint_published(self) -> None:
        self._queue.checkpoint_published()

    @property
    def disk_bytes(self) -> int:
        return self._queue.disk_bytes

    def verify(self) -> None:
        self._queue.verify()

    def close(self) -> None:
        self._queue.close()


class OutOfScope(SetAside):
    """URLs that were in scope when they were found, and are not since the scope was changed.

    >>> from tempfile import TemporaryDirectory
    >>> from gossamer.core.url import parse
    >>> with TemporaryDirectory() as folder:
    ...     kept = OutOfScope(Path(folder))
    ...     kept.keep(Visit(parse("http://a.test/"), level=3))
    ...     kept.sweep()
    ...     [(one.url.text, level) for one, level in kept.let_go(lambda candidate: False)]
    [('http://a.test/', 3)]
    """

    name = "out_of_scope"

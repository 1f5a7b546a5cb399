"""URLs that an order blocks: kept on disk until the block ends.

Filled by leases that are turned away; emptied when a block ends, after which all is looked through, some
thousand at a time. Neither is noted in the journal: a URL that was turned away since the checkpoint waits in
the frontier of the checkpoint, and is turned away again.

Extra visits are kept in memory, for the inbox has them on record, and says how many there may be.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from struct import Struct as Layout

import msgspec
from msgspec import Struct

from gossamer.base.disk.queue import Queue, QueueState
from gossamer.base.durable import Durable
from gossamer.base.records import Candidate, Visit
from gossamer.base.url import Url
from gossamer.crawl.control.patterns import Patterns
from gossamer.cycle.seen import pack, unpack

_LOOKED_AT = 2000
"""URLs that are looked through in one turn."""
_LEVEL = Layout("<h")


class BlockedStatistics(Struct, frozen=True):
    waiting: int
    """URLs that are kept until their block ends."""
    disk_bytes: int


class Blocked(Durable):
    """What is blocked, and the URLs that wait for the end of it.

    >>> from tempfile import TemporaryDirectory
    >>> from gossamer.base.url import parse
    >>> with TemporaryDirectory() as folder:
    ...     blocked = Blocked(Path(folder))
    ...     blocked.block({"a.test": 1})
    ...     turned_away = blocked.turns_away(Visit(parse("http://a.test/"), level=3))
    ...     blocked.block({})
    ...     turned_away, [(one.url.text, level) for one, level in blocked.freed()]
    (True, [('http://a.test/', 3)])
    """

    name = "blocked"

    def __init__(self, folder: Path, state: bytes = b"") -> None:
        before = msgspec.msgpack.decode(state, type=QueueState) if state else None
        self._queue = Queue(folder, before)
        self._patterns: Patterns[int] = Patterns()
        self._blocked: Mapping[str, int] = {}
        self._unswept = len(self._queue)
        """Those that are to be looked through: at the beginning all, for a block may have ended meanwhile."""
        self._extra: deque[bytes] = deque()
        """Extra visits, packed …"""
        self._unswept_extra = 0
        """… and how many of them are to be looked through."""

    def __len__(self) -> int:
        return len(self._queue) + len(self._extra)

    @property
    def extra(self) -> int:
        """Extra visits that are kept."""
        return len(self._extra)

    @property
    def is_sweeping(self) -> bool:
        """Is there something left to look through?"""
        return self._unswept > 0 or self._unswept_extra > 0

    def block(self, blocked: Mapping[str, int]) -> None:
        """From now on this is blocked, and nothing else."""
        if blocked != self._blocked:
            has_ended = not self._blocked.keys() <= blocked.keys()
            self._blocked, self._patterns = blocked, Patterns(blocked)
            if has_ended:
                self._unswept = len(self._queue)
                self._unswept_extra = len(self._extra)

    def is_blocked(self, url: Url) -> bool:
        return bool(self._patterns) and self._patterns.find(url) is not None

    def is_host_blocked(self, host: str) -> bool:
        return bool(self._patterns) and self._patterns.find_host(host) is not None

    def turns_away(self, visit: Visit) -> bool:
        """Is a leased visit not to be made? Then it is kept here."""
        if not self.is_blocked(visit.url):
            return False
        if visit.is_extra:
            self._extra.append(pack(visit.again))
        else:
            self._queue.append(_LEVEL.pack(visit.level) + pack(visit.again))
        return True

    def keep_extra(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Keep extra visits that are blocked before they wait anywhere; returns the others."""
        free = list[Candidate]()
        for one in candidates:
            if self.is_blocked(one.url):
                self._extra.append(pack(one))
            else:
                free.append(one)
        return free

    def freed(self) -> list[tuple[Candidate, int]]:
        """What may go, each with the level that it had; an extra visit has one below 0."""
        found = [(one, -1) for one in self._freed_extra()]
        for _ in range(min(_LOOKED_AT, self._unswept)):
            record = self._queue.pop()
            self._unswept -= 1
            candidate = unpack(record[_LEVEL.size :])
            if self.is_blocked(candidate.url):
                self._queue.append(record)
            else:
                found.append((candidate, _LEVEL.unpack_from(record)[0]))
        return found

    def _freed_extra(self) -> list[Candidate]:
        count = min(_LOOKED_AT, self._unswept_extra)
        self._unswept_extra -= count
        return self.keep_extra([unpack(self._extra.popleft()) for _ in range(count)])

    def statistics(self) -> BlockedStatistics:
        return BlockedStatistics(len(self), self.disk_bytes)

    # On record.

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

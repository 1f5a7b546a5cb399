"""A host with waiting URLs: its back queue while it is in memory, a few bytes while it is not.

    append ─▶ near ─▶ bundle ─▶ near ─▶ pop
              │ a heap  one chunk
              └─▶ lines ──────────────▶ pop
                  one per level, if it is long

Few URLs stand in one heap, by level and arrival. When the host is parked, they go to disk in that
order as one chunk, the *bundle*, however many levels they have: so a parked host costs one address. A bundle
that is read stays on disk until its last URL is popped or another one comes, so that it can be dropped
and read again. Only a level with many URLs has a line of its own.
"""

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from struct import Struct as Layout

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from gossamer.core.disk.chunks import ADDRESS_SIZE, Chunks
from gossamer.pipeline.frontier.waiting_line import LINE_OVERHEAD, RECORD_OVERHEAD, HostLine
from gossamer.pipeline.frontier.waiting_url import read_level

HOST_OVERHEAD = 700
"""Bytes of memory that a host takes up beside its URLs."""

ENTRY_OVERHEAD = 112
"""What a URL in the heap takes up beside its bytes."""

FULL = 96 << 10
"""Bytes of memory in the heap from which on levels with many URLs are written."""

_LONG = 2 << 10
"""Bytes of URLs in one level from which on it has a line of its own when the host is parked."""

_FIRST = -(1 << 40)
"""Numbers below are of URLs that were put before all others of their level."""

Entry = tuple[int, int, bytes]
"""A level, a number by arrival, a URL."""

_PARKED = Layout(f"<dhhI??{ADDRESS_SIZE}s")
_NO_BUNDLE = bytes(ADDRESS_SIZE)
_encode = Encoder().encode
_decode = Decoder(dict[int, tuple[int, bytearray]]).decode


class Host(Struct, eq=False, gc=False):
    """Hands out the URLs of one host, best level first, and first in first out within a level."""

    name: str
    ready: float
    """From when on the host may be asked."""
    leased: int = 0
    express: int = 0
    """Leases of visits that others wait for; `leased` does not count them."""
    is_held: bool = False
    is_express_held: bool = False
    """A visit that others wait for is on hold: it was leased, and given back."""
    is_scheduled: bool = False
    """It has an entry among the turns."""
    near: list[Entry] = []
    """A heap."""
    serial: int = 0
    first: int = _FIRST
    near_weight: int = 0
    """Bytes of memory of the heap …"""
    head_weight: int = 0
    """… and of the lines."""
    bundle: bytes = b""
    """The address of the bundle, if there is one."""
    taken: int = 0
    """URLs that were popped from it."""
    bundle_level: int = 0
    """Its best level, as long as it is not read."""
    is_near_on_disk: bool = False
    """Is the heap what is left of the bundle?"""
    lines: dict[int, HostLine] = {}
    """By level; none is empty."""

    @property
    def connections(self) -> int:
        return self.leased + self.express

    @property
    def has_urls(self) -> bool:
        return bool(self.near or self.bundle or self.lines)

    @property
    def is_needed(self) -> bool:
        """Is there something to know of it, even when it has no URLs left?"""
        return bool(self.has_urls or self.leased or self.express or self.is_held)

    @property
    def level(self) -> int:
        """The level of the URL that is handed out next."""
        near, is_loaded = self.near, not self.bundle or self.is_near_on_disk
        if near and is_loaded and not self.lines:
            return near[0][0]
        levels = [*self.lines, *(level for level, _, _ in near[:1])]
        return min(levels if is_loaded else [*levels, self.bundle_level])

    @property
    def weight(self) -> int:
        """Bytes of memory."""
        return HOST_OVERHEAD + self.near_weight + self.head_weight

    def append(self, level: int, record: bytes, chunks: Chunks) -> None:
        """Put a URL last in its level."""
        if self.is_near_on_disk:
            self._forget_bundle(chunks)
        heappush(self.near, (level, self.serial, record))
        self.serial += 1
        self.near_weight += len(record) + ENTRY_OVERHEAD

    def put_first(self, level: int, record: bytes, chunks: Chunks) -> None:
        """Put a URL before all others of its level."""
        if self.is_near_on_disk:
            self._forget_bundle(chunks)
        self.first -= 1
        heappush(self.near, (level, self.first, record))
        self.near_weight += len(record) + ENTRY_OVERHEAD

    def pop(self, chunks: Chunks, level: int | None = None) -> bytes:
        """Hand out a URL: of this level, if one is named and has any."""
        if self.bundle and not self.is_near_on_disk:
            self.load(chunks)
        if level is not None and (record := self._pop_of(level, chunks)) is not None:
            return record
        near = self.near
        if self.lines and (level := self._line_before_near()) is not None:
            return self._pop_line(level, chunks)
        record = heappop(near)[2]
        self.near_weight -= len(record) + ENTRY_OVERHEAD
        if self.is_near_on_disk:
            self.taken += 1
            if not near:
                self._forget_bundle(chunks)
        if not near:
            self.serial = 0
        return record

    def load(self, chunks: Chunks) -> None:
        """Read the bundle: what is in it came before what is in the heap."""
        if not self.bundle or self.is_near_on_disk:
            return
        records = chunks.read(self.bundle)[self.taken :]
        self.near_weight += _weigh(records)
        entries = [
            (read_level(record), number - len(records), record)
            for number, record in enumerate(records)
        ]
        if self.near:
            self.near += entries
            heapify(self.near)
            self._forget_bundle(chunks)
        else:
            self.near = entries
            self.is_near_on_disk = True

    def replace(self, entries: list[Entry], chunks: Chunks) -> None:
        """Have these URLs in the heap instead of those that are in it."""
        if self.is_near_on_disk:
            self._forget_bundle(chunks)
        heapify(entries)
        self.near = entries
        self.near_weight = _weigh(record for _, _, record in entries)

    def replace_chunk(self, level: int, at: int, records: list[bytes], chunks: Chunks) -> None:
        """Have these URLs instead of what is left of a chunk of the level's line."""
        line = self.lines[level]
        line.replace_chunk(at, records, chunks)
        if not line:
            del self.lines[level]
        self.head_weight = sum(line.weigh() for line in self.lines.values())

    def restore(self, near: list[Entry], chains: dict[int, tuple[int, bytearray]]) -> None:
        """Take over what a checkpoint had."""
        self.near, self.near_weight = near, _weigh(record for _, _, record in near)
        self.lines = {level: HostLine(chain, taken) for level, (taken, chain) in chains.items()}
        self.head_weight = LINE_OVERHEAD * len(self.lines)

    def write_most(self, chunks: Chunks) -> None:
        """Bring half of what is in the heap to disk, or more: that of levels with the most URLs."""
        self.load(chunks)
        size = self.near_weight - ENTRY_OVERHEAD * len(self.near)
        self._write_lines(chunks, size // (2 * len({level for level, _, _ in self.near}) or 1))

    def write_all(self, chunks: Chunks) -> None:
        """Leave nothing in memory but addresses."""
        if not self.is_near_on_disk and self.near:
            self.load(chunks)
            self._write_lines(chunks, _LONG)
            self._write_first(chunks)
        if not self.is_near_on_disk and self.near:
            entries = sorted(self.near)
            self.bundle, self.taken = chunks.append([record for _, _, record in entries]), 0
            self.bundle_level = entries[0][0]
        elif self.near:
            self.bundle_level = self.near[0][0]
        for line in self.lines.values():
            line.drop_head()
        self.near, self.near_weight, self.serial = [], 0, 0
        self.head_weight = LINE_OVERHEAD * len(self.lines)
        self.is_near_on_disk = False

    def park(self) -> bytes:
        """The few bytes to come back from, when all URLs are on disk."""
        fixed = _PARKED.pack(
            self.ready,
            self.level,
            self.bundle_level,
            self.taken,
            self.is_held,
            self.is_scheduled,
            self.bundle or _NO_BUNDLE,
        )
        if not self.lines:
            return fixed
        return fixed + _encode({n: (line.taken, line.chain) for n, line in self.lines.items()})

    # Inside.

    def _line_before_near(self) -> int | None:
        """The level of the line whose turn it is; None when it is the heap's."""
        level = min(self.lines)
        if not self.near:
            return level
        best, number, _ = self.near[0]
        is_before = level < best or (level == best and number >= _FIRST)
        return level if is_before else None

    def _pop_of(self, level: int, chunks: Chunks) -> bytes | None:
        """The first URL of a level, from the midst of the heap; None when there is none."""
        entry = min((one for one in self.near if one[0] == level), default=None)
        if level in self.lines and (entry is None or entry[1] >= _FIRST):
            return self._pop_line(level, chunks)
        if entry is None:
            return None
        self.replace([one for one in self.near if one is not entry], chunks)
        return entry[2]

    def _pop_line(self, level: int, chunks: Chunks) -> bytes:
        line = self.lines[level]
        if not line.head:
            self.head_weight += line.fill_head(chunks)
        record = line.pop(chunks)
        self.head_weight -= len(record) + RECORD_OVERHEAD
        if not line:
            del self.lines[level]
            self.head_weight -= LINE_OVERHEAD
        return record

    def _write_lines(self, chunks: Chunks, least: int) -> None:
        """Bring to disk what is in the heap of levels with this many bytes."""
        entries = sorted(self.near)
        left: list[Entry] = []
        try:
            while entries:
                level = entries[-1][0]
                at = next(n for n, entry in enumerate(entries) if entry[0] == level)
                if not self._write_line(level, entries[at:], least, chunks):
                    left += entries[at:]
                del entries[at:]
        finally:
            if len(entries) + len(left) < len(self.near):
                self.replace(entries + left, chunks)
            self.head_weight = sum(line.weigh() for line in self.lines.values())

    def _write_line(self, level: int, entries: list[Entry], least: int, chunks: Chunks) -> bool:
        """Bring URLs of a level to its line, if they are many and none was put first."""
        records = [record for _, _, record in entries]
        if sum(map(len, records)) < least or entries[0][1] < _FIRST:
            return False
        line = self.lines.get(level)
        if line is None:
            line = HostLine()
        line.append_chunks(records, chunks)
        self.lines[level] = line
        return True

    def _write_first(self, chunks: Chunks) -> None:
        """Bring URLs that were put first to the line of their level, if it has one."""
        for level, line in self.lines.items():
            first = [entry for entry in self.near if entry[0] == level and entry[1] < _FIRST]
            if first:
                line.put_before([record for _, _, record in sorted(first)], chunks)
                self.replace([entry for entry in self.near if entry not in first], chunks)

    def _forget_bundle(self, chunks: Chunks) -> None:
        chunks.forget(self.bundle)
        self.bundle, self.taken, self.is_near_on_disk = b"", 0, False


def unpark(name: str, parked: bytes) -> Host:
    """
    >>> host = Host("a.test", ready=5.0)
    >>> host.lines[3] = HostLine(bytearray(12))
    >>> again = unpark("a.test", host.park())
    >>> again.ready, again.level
    (5.0, 3)
    """
    ready, _, bundle_level, taken, is_held, is_scheduled, bundle = _PARKED.unpack_from(parked)
    host = Host(name, ready, is_held=is_held, is_scheduled=is_scheduled)
    if bundle != _NO_BUNDLE:
        host.bundle, host.bundle_level, host.taken = bundle, bundle_level, taken
    if len(parked) > _PARKED.size:
        host.restore([], _decode(memoryview(parked)[_PARKED.size :]))
    return host


def glance(parked: bytes) -> tuple[float, int]:
    """The time when a parked host may be asked, and its best level."""
    ready, level, *_ = _PARKED.unpack_from(parked)
    return ready, level


def let_go(parked: bytes) -> bytes:
    """The same parked host, not on hold and with an entry.

    >>> host = Host("a.test", ready=5.0, is_held=True)
    >>> host.lines[3] = HostLine(bytearray(12))
    >>> again = unpark("a.test", let_go(host.park()))
    >>> again.is_held, again.is_scheduled
    (False, True)
    """
    ready, level, bundle_level, taken, _, _, bundle = _PARKED.unpack_from(parked)
    fixed = _PARKED.pack(ready, level, bundle_level, taken, False, True, bundle)
    return fixed + parked[_PARKED.size :]


def _weigh(records: Iterable[bytes]) -> int:
    return sum(len(record) + ENTRY_OVERHEAD for record in records)

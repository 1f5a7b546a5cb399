"""A host with waiting URLs: its back queue while it is in memory, a few bytes while it is not."""

from struct import Struct as Layout

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from gossamer.base.disk.chunks import Chunks
from gossamer.cycle.frontier.line import LINE_OVERHEAD, RECORD_OVERHEAD, Line

HOST_OVERHEAD = 700
"""Bytes of memory that a host takes up beside its lines."""

_PARKED = Layout("<di")
"""From when on a parked host may be asked, and the level of its best URL."""

_encode = Encoder().encode
_decode = Decoder(dict[int, tuple[int, bytearray]]).decode


class Host(Struct, eq=False, gc=False):
    """Hands out the URLs of one host, best level first, and first in first out within a level."""

    name: str
    ready: float
    """From when on the host may be asked."""
    leased: int = 0
    is_held: bool = False
    is_scheduled: bool = False
    """It has an entry in one of the frontier's heaps."""
    lines: dict[int, Line] = {}
    """By level; none is empty."""
    weight: int = HOST_OVERHEAD
    """Bytes of memory."""

    @property
    def is_busy(self) -> bool:
        return self.leased > 0 or self.is_held

    @property
    def level(self) -> int:
        """The level of the URL that is handed out next."""
        return min(self.lines)

    def append(self, level: int, record: bytes) -> bool:
        """Put a URL last in its line; is the line long enough now to be written?"""
        line = self.lines.get(level)
        if line is None:
            line = self._begin_line(level)
        line.append(record)
        self.weight += len(record) + RECORD_OVERHEAD
        return line.is_full

    def put_first(self, level: int, record: bytes, chunks: Chunks) -> None:
        """Put a URL before all others of its level."""
        line = self.lines.get(level)
        if line is None:
            line = self._begin_line(level)
        self.weight -= line.weigh()
        line.put_first(record, chunks)
        self.weight += line.weigh()

    def pop(self, chunks: Chunks) -> bytes:
        level = min(self.lines)
        line = self.lines[level]
        if not line.head:
            self.weight += line.fill_head(chunks)
        record = line.pop(chunks)
        self.weight -= len(record) + RECORD_OVERHEAD
        if not line.head and not line:
            del self.lines[level]
            self.weight -= LINE_OVERHEAD
        return record

    def write(self, chunks: Chunks, *, full_lines_only: bool) -> None:
        """Bring URLs to disk: those of long lines, or all."""
        try:
            for line in self.lines.values():
                if not full_lines_only:
                    line.write_all(chunks)
                elif line.is_full:
                    line.write_tail(chunks)
        finally:
            self.weight = HOST_OVERHEAD + sum(line.weigh() for line in self.lines.values())

    def park(self) -> bytes:
        """The few bytes to come back from, when all URLs are on disk."""
        chains = {level: (line.taken, line.chain) for level, line in self.lines.items()}
        return _PARKED.pack(self.ready, self.level) + _encode(chains)

    def _begin_line(self, level: int) -> Line:
        self.weight += LINE_OVERHEAD
        line = self.lines[level] = Line()
        return line


def unpark(name: str, parked: bytes) -> Host:
    """
    >>> host = Host("a.test", ready=5.0)
    >>> host.lines[3] = Line(bytearray(12))
    >>> again = unpark("a.test", host.park())
    >>> again.ready, again.level
    (5.0, 3)
    """
    host = Host(name, glance(parked)[0])
    chains = _decode(memoryview(parked)[_PARKED.size :])
    host.lines = {level: Line(chain, taken) for level, (taken, chain) in chains.items()}
    host.weight += LINE_OVERHEAD * len(host.lines)
    host.is_scheduled = True
    return host


def glance(parked: bytes) -> tuple[float, int]:
    """When a parked host may be asked, and its best level."""
    ready, level = _PARKED.unpack_from(parked)
    return ready, level

"""A host with waiting URLs: its back queue while it is in memory, a few bytes while it is not."""

from struct import Struct as Layout

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from gossamer.base.disk.chunks import Chunks
from gossamer.cycle.frontier.line import LINE_OVERHEAD, RECORD_OVERHEAD, Line

HOST_OVERHEAD = 700
"""Bytes of memory that a host takes up beside its lines."""

_PARKED = Layout("<di??")
"""From when on a parked host may be asked, the level of its best URL, and whether the host is on hold
and has an entry in the heaps."""

_pack = _PARKED.pack
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
    """It has an entry in one of the frontier's heaps."""
    lines: dict[int, Line] = {}
    """By level; none is empty."""
    weight: int = HOST_OVERHEAD
    """Bytes of memory."""

    @property
    def connections(self) -> int:
        return self.leased + self.express

    @property
    def is_needed(self) -> bool:
        """Is there something to know of it, even when it has no URLs left?"""
        return bool(self.lines or self.leased or self.express or self.is_held)

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
        return _pack(self.ready, self.level, self.is_held, self.is_scheduled) + _encode(chains)

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
    ready, _, is_held, is_scheduled = _PARKED.unpack_from(parked)
    host = Host(name, ready, is_held=is_held, is_scheduled=is_scheduled)
    chains = _decode(memoryview(parked)[_PARKED.size :])
    host.lines = {level: Line(chain, taken) for level, (taken, chain) in chains.items()}
    host.weight += LINE_OVERHEAD * len(host.lines)
    return host


def glance(parked: bytes) -> tuple[float, int]:
    """When a parked host may be asked, and its best level."""
    ready, level, _, _ = _PARKED.unpack_from(parked)
    return ready, level


def let_go(parked: bytes) -> bytes:
    """The same parked host, not on hold and with an entry.

    >>> host = Host("a.test", ready=5.0, is_held=True)
    >>> host.lines[3] = Line(bytearray(12))
    >>> again = unpark("a.test", let_go(host.park()))
    >>> again.is_held, again.is_scheduled
    (False, True)
    """
    ready, level = glance(parked)
    return _pack(ready, level, False, True) + parked[_PARKED.size :]

"""The schedule: URLs that are due at a moment to come, in seconds or in years.

A wheel of wheels (Varghese and Lauck, 1987). What is due soon is in memory, in order. All else stands in
lines on disk, each for a span of time; the later, the longer the span. When the time of a long span comes
near, its line is read once and dealt out to lines of shorter spans, a piece at a time:

    years ─▶ 49 days ─▶ 18 hours ─▶ 17 minutes ─▶ 16 seconds ─▶ memory ─▶ take_due

So each URL is written and read at most five times, however many there are. What stands in memory are the
ends of some hundred lines, and what is due in the next seconds.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from pathlib import Path
from struct import Struct as Layout

from msgspec import Struct, field

from gossamer.core.disk.chunks import ADDRESS_SIZE, Chunks, ChunksState

WIDTHS = (1 << 4, 1 << 10, 1 << 16, 1 << 22, 1 << 28)
"""How long the spans of each wheel are, in seconds."""
_AHEAD = (0, *(width // 2 for width in WIDTHS[1:]))
"""So long before it begins, a span is dealt out to shorter ones."""
_CHUNK = 32 << 10
"""Bytes of a line that are written together."""
_MOST_NEAR = 50_000
"""URLs in memory beyond which those that are overdue stay on disk."""
_STEPS = 4
"""Chunks that are dealt out at a time."""
DUE = Layout("<d")
_LATEST = float(WIDTHS[-1] << 20)

Timed = tuple[float, int, bytes]
"""When it is due, a number that tells those of one moment apart, and the record."""
Place = tuple[int, int]
"""A wheel, and the number of a span on it."""


class SpanLine(Struct, eq=False, gc=False):
    """All that is due in one span, in no order."""

    chain: bytearray = field(default_factory=bytearray)
    """Addresses of chunks."""
    tail: list[bytes] = field(default_factory=list)
    tail_bytes: int = 0

    def append(self, record: bytes) -> None:
        self.tail.append(record)
        self.tail_bytes += len(record)


class ScheduleState(Struct, frozen=True, array_like=True):
    """A schedule at a checkpoint, but for what is in memory."""

    size: int
    opened: list[int]
    chunks: list[ChunksState]


class ScheduleLine(Struct, frozen=True, array_like=True):
    """A line at a checkpoint: the wheel, the span, and what is there."""

    wheel: int
    span: int
    chain: bytearray
    tail: list[bytes]


class Schedule:
    """Records by the time when they are due.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     schedule = Schedule(Path(folder))
    ...     for day in (400, 2, 30):
    ...         schedule.add(86_400.0 * day, b"day %d" % day)
    ...     [*schedule.take_due(now=86_400.0 * 31, most=10)], len(schedule)
    ([b'day 2', b'day 30'], 1)
    """

    def __init__(self, folder: Path, state: ScheduleState | None = None) -> None:
        states = state.chunks if state else [None] * len(WIDTHS)
        self._chunks = [
            Chunks(folder / f"schedule-{wheel}", states[wheel]) for wheel in range(len(WIDTHS))
        ]
        self._size = state.size if state else 0
        self._open_until(state.opened if state else [0] * len(WIDTHS))
        self._near: list[Timed] = []
        self._lines: dict[Place, SpanLine] = {}
        self._spans: list[list[int]] = [[] for _ in WIDTHS]
        """On each wheel, a heap of the spans that have a line; some have none any more."""
        self._full: set[Place] = set()
        self._serial = 0

    def __len__(self) -> int:
        return self._size

    @property
    def disk_bytes(self) -> int:
        return sum(chunks.disk_bytes for chunks in self._chunks)

    def _open_until(self, spans: Iterable[int]) -> None:
        self._opened = list(spans)
        """On each wheel, spans before this one are dealt out, or being dealt out."""
        self._closed = [span * width for span, width in zip(self._opened, WIDTHS, strict=True)]
        """When these begin: the longer the spans of a wheel, the later."""

    # In.

    def add(self, due: float, record: bytes) -> None:
        """Take in a record; `write_overflow` must be called now and then."""
        self._size += 1
        due = min(max(due, 0.0), _LATEST)
        self._place(due, DUE.pack(due) + record)

    def write_overflow(self) -> None:
        """Write long lines to disk; if that fails, nothing is lost."""
        while self._full:
            wheel, span = place = next(iter(self._full))
            if (line := self._lines.get(place)) is not None:
                self._write_tail(wheel, line)
            self._full.discard((wheel, span))

    def _place(self, due: float, timed: bytes) -> None:
        """Put a record where it belongs by when it is due, which stands before it."""
        wheel = bisect_right(self._closed, due) - 1
        if wheel < 0:
            self._serial += 1
            heappush(self._near, (due, self._serial, timed[DUE.size :]))
            return
        place = wheel, int(due // WIDTHS[wheel])
        line = self._lines.get(place) or self._open_line(place)
        line.append(timed)
        if line.tail_bytes >= _CHUNK:
            self._full.add(place)

    def _open_line(self, place: Place, chain: bytearray | None = None) -> SpanLine:
        line = self._lines[place] = SpanLine(bytearray() if chain is None else chain)
        heappush(self._spans[place[0]], place[1])
        return line

    def _write_tail(self, wheel: int, line: SpanLine) -> None:
        line.chain += self._chunks[wheel].append(line.tail)
        line.tail, line.tail_bytes = [], 0

    # Out.

    def take_due(self, now: float, most: int) -> Iterator[bytes]:
        """Take out records whose time has come, at most this many, the earliest first.

        Those that come from a line with very many of them come in any order.
        """
        for _ in range(most):
            if not self._near or self._near[0][0] > now:
                self.advance(now)
            if not self._near or self._near[0][0] > now:
                return
            self._size -= 1
            yield heappop(self._near)[2]

    def next_due(self) -> float | None:
        """The time when the next record is due; or a little before that, while it is on disk.

        When memory is full, what is on disk has to wait for that.
        """
        if self._is_full:
            return self._near[0][0]
        times = [wheel_start(place) for place in self._first_places()]
        if self._near:
            times.append(self._near[0][0])
        return min(times, default=None)

    def advance(self, now: float) -> None:
        """Deal out a few chunks of the lines whose time has come, or comes soon."""
        before = self._opened[0]
        self._open_until(
            int((now + ahead) // width) + 1 for ahead, width in zip(_AHEAD, WIDTHS, strict=True)
        )
        if self._opened[0] < before:
            self._deal_in()
        for _ in range(_STEPS):
            place = self._next_to_deal(now)
            if place is None:
                return
            self._deal(place)

    def _deal_in(self) -> None:
        """The clock was set back, so what was due soon may be due late: it goes back to its line."""
        near, self._near = self._near, []
        for due, _, record in near:
            self._place(due, DUE.pack(due) + record)

    @property
    def _is_full(self) -> bool:
        return len(self._near) >= _MOST_NEAR

    def _next_to_deal(self, now: float) -> Place | None:
        """The line that is dealt out next. When memory is full, what is overdue has to wait."""
        is_full = self._is_full
        ready = [
            place
            for place in self._first_places()
            if place[1] < self._opened[place[0]] and not (is_full and wheel_start(place) <= now)
        ]
        return min(ready, key=wheel_start, default=None)

    def _first_places(self) -> Iterator[Place]:
        """The first line of each wheel."""
        for wheel, spans in enumerate(self._spans):
            while spans and (wheel, spans[0]) not in self._lines:
                heappop(spans)
            if spans:
                yield wheel, spans[0]

    def _deal(self, place: Place) -> None:
        """Deal out one chunk of a line; its tail when there is none."""
        self.write_overflow()
        line = self._lines[place]
        if line.chain:
            address = bytes(line.chain[:ADDRESS_SIZE])
            records = self._chunks[place[0]].take(address)
            del line.chain[:ADDRESS_SIZE]
        else:
            records, line.tail, line.tail_bytes = line.tail, [], 0
        if not line.chain and not line.tail:
            del self._lines[place]
            self._full.discard(place)
        for timed in records:
            self._place(DUE.unpack_from(timed)[0], timed)

    # From checkpoint to checkpoint.

    def checkpoint(self) -> ScheduleState:
        """Make what is on disk durable; what is in memory is in `near` and `lines`."""
        return ScheduleState(
            self._size, self._opened.copy(), [chunks.checkpoint() for chunks in self._chunks]
        )

    @property
    def near(self) -> list[Timed]:
        return self._near

    def lines(self) -> Iterator[ScheduleLine]:
        for (wheel, span), line in self._lines.items():
            yield ScheduleLine(wheel, span, line.chain, line.tail)

    def restore(self, near: list[Timed], lines: list[ScheduleLine]) -> None:
        """Take over what a checkpoint had in memory."""
        self._near += near
        heapify(self._near)
        self._serial = max([self._serial, *(serial for _, serial, _ in near)])
        for schedule_line in lines:
            line = self._open_line((schedule_line.wheel, schedule_line.span), schedule_line.chain)
            for record in schedule_line.tail:
                line.append(record)

    def checkpoint_published(self) -> None:
        for chunks in self._chunks:
            chunks.checkpoint_published()

    def verify(self) -> None:
        for chunks in self._chunks:
            chunks.verify()

    def close(self) -> None:
        for chunks in self._chunks:
            chunks.close()


def wheel_start(place: Place) -> float:
    """The begin of a span."""
    wheel, span = place
    return float(span * WIDTHS[wheel])

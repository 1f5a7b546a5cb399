"""The waiting room: visits that are to be tried, or tried again, from some time on."""

from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush

from gossamer.core.disk.chunks import Chunks
from gossamer.pipeline.frontier.waiting_line import HostLine

_SPAN = 8.0
"""Seconds of one line on disk."""


class Later:
    """Visits by the time from which on they may be tried.

    The first `most` are in memory and come out at their time. Beyond that they stand in lines by
    time, each for a span of a few seconds, and come out when the span is over: a dead host with
    ten million URLs does not fill the memory.
    """

    def __init__(self, chunks: Chunks, most: int) -> None:
        self.chunks = chunks
        self._most = most
        self.near: list[tuple[float, int, bytes]] = []
        self.far: dict[int, HostLine] = {}
        """By the number of the span at whose beginning the visits may come out."""
        self._next_far: int | None = None
        self._serial = 0
        self._full: set[int] = set()

    def add(self, again: float, record: bytes) -> None:
        if len(self.near) < self._most:
            self._serial += 1
            heappush(self.near, (again, self._serial, record))
            return
        span = int(again // _SPAN) + 1
        line = self.far.setdefault(span, HostLine())
        line.append(record)
        if line.is_full:
            self._full.add(span)
        self._next_far = span if self._next_far is None else min(span, self._next_far)

    def write_overflow(self) -> None:
        """Write long lines to disk."""
        while self._full:
            span = next(iter(self._full))
            if span in self.far:
                self.far[span].write_tail(self.chunks)
            self._full.discard(span)

    def next_due(self) -> float | None:
        near = self.near[0][0] if self.near else None
        if self._next_far is None:
            return near
        far = self._next_far * _SPAN
        return far if near is None else min(near, far)

    def take_due(self, now: float, most: int) -> Iterator[bytes]:
        """Take out visits whose time has come, at most this many."""
        for _ in range(most):
            if self.near and self.near[0][0] <= now:
                yield heappop(self.near)[2]
            elif self._next_far is not None and self._next_far * _SPAN <= now:
                yield self._pop_far(self._next_far)
            else:
                return

    def call_back(self, is_wanted: Callable[[bytes], bool], now: float) -> None:
        """Have those in memory that are wanted come out now."""
        self.near = [
            (min(again, now) if again > now and is_wanted(record) else again, serial, record)
            for again, serial, record in self.near
        ]
        heapify(self.near)

    def restore(self, near: list[tuple[float, int, bytes]], far: dict[int, HostLine]) -> None:
        """Take over what a checkpoint had."""
        for again, serial, record in near:
            heappush(self.near, (again, serial, record))
            self._serial = max(self._serial, serial)
        self.far.update(far)
        self._next_far = min(self.far, default=None)
        self._full.update(span for span, line in far.items() if line.is_full)

    def _pop_far(self, span: int) -> bytes:
        line = self.far[span]
        if not line.head:
            line.fill_head(self.chunks)
        record = line.pop(self.chunks)
        if not line:
            del self.far[span]
            self._next_far = min(self.far, default=None)
        return record

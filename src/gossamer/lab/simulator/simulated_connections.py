"""Lines between a supervisor and partitions that live in one process, and what may happen on the way."""

from math import inf
from random import Random

from msgspec import Struct

from gossamer.cluster.frames import Frame, FrameKind
from gossamer.core.clock import VirtualClock
from gossamer.core.poller import Poller
from gossamer.lab.simulator.virtual_poller import VirtualPoller

_TRAVEL = 0.0005
"""Seconds that a frame takes."""
_DELICATE = frozenset({FrameKind.BATCH, FrameKind.ACK})
"""Frames that may get lost, late, doubled or out of order; the others travel as over a real wire."""


class Mishaps(Struct, frozen=True):
    """Probabilities of faults for a batch or its acknowledgement."""

    lost: float = 0.0
    doubled: float = 0.0
    late: float = 0.0
    longest_delay: float = 20.0


class Direction:
    """One direction of a line: filled by its sender, emptied by its receiver."""

    def __init__(self, clock: VirtualClock, chance: Random, mishaps: Mishaps) -> None:
        self._clock = clock
        self._chance = chance
        self._mishaps = mishaps
        self._under_way: list[tuple[float, int, Frame]] = []
        self._count = 0
        self._closed_at = inf
        self.receiver: VirtualPoller | None = None

    def send(self, frame: Frame) -> None:
        now = self._clock.now()
        for delay in self._fates(frame):
            self._under_way.append((now + _TRAVEL + delay, self._count, frame))
            self._count += 1
            self._notify(now + _TRAVEL + delay)

    def _fates(self, frame: Frame) -> list[float]:
        """The delays of the copies of a frame: usually one, in time."""
        mishaps, chance = self._mishaps, self._chance
        if frame.kind not in _DELICATE:
            return [0.0]
        if chance.random() < mishaps.lost:
            return []
        copies = 2 if chance.random() < mishaps.doubled else 1
        return [
            chance.uniform(0, mishaps.longest_delay) if chance.random() < mishaps.late else 0.0
            for _ in range(copies)
        ]

    def close(self) -> None:
        """Its sender has gone: what was sent in time arrives, and then nothing."""
        self._closed_at = min(self._closed_at, self._clock.now() + _TRAVEL)
        self._notify(self._closed_at)

    def listen(self, poller: VirtualPoller) -> None:
        self.receiver = poller
        for due, _, _ in self._under_way:
            poller.call_at(due, _nothing)

    def arrived(self, until: float | None = None) -> list[Frame]:
        """Take out what has arrived by then, or by now."""
        until = self._clock.now() if until is None else until
        ready = sorted(one for one in self._under_way if one[0] <= until)
        self._under_way = [one for one in self._under_way if one[0] > until]
        return [frame for _, _, frame in ready]

    @property
    def has_arrived(self) -> bool:
        now = self._clock.now()
        return any(due <= now for due, _, _ in self._under_way)

    @property
    def is_over(self) -> bool:
        return self._clock.now() >= self._closed_at and not self.has_arrived

    def _notify(self, due: float) -> None:
        if self.receiver is not None and not self.receiver.is_closed:
            self.receiver.call_at(due, _nothing)


class VirtualConnection:
    """One end of a line."""

    waiting_bytes = 0

    def __init__(self, inward: Direction, outward: Direction) -> None:
        self._in = inward
        self._out = outward
        self._is_left = False

    @property
    def is_closed(self) -> bool:
        return self._is_left or self._in.is_over

    def send(self, frame: Frame) -> None:
        if not self.is_closed:
            self._out.send(frame)

    def send_last(self, frame: Frame, seconds: float) -> None:
        self.send(frame)

    def frames(self) -> list[Frame]:
        return self._in.arrived()

    @property
    def has_frames(self) -> bool:
        return self._in.has_arrived

    def drain(self) -> list[Frame]:
        return [*self.frames(), *self._in.arrived(inf)]

    def close(self) -> None:
        self._is_left = True
        self._out.close()


class VirtualEnd:
    """A partition's end of a line, before it has a poller."""

    def __init__(self, inward: Direction, outward: Direction) -> None:
        self._in = inward
        self.line = VirtualConnection(inward, outward)

    def connect(self, poller: Poller) -> VirtualConnection:
        assert isinstance(poller, VirtualPoller)
        self._in.listen(poller)
        return self.line

    def say(self, frame: Frame) -> None:
        self.line.send(frame)


def _nothing() -> None:
    """It is enough that the poller wakes."""

"""The supervisor's end of a connection over the network.

It counts as closed when the incarnation at its other end is surely over: it has said that it is gone, or
its lease has run out, or it never had one and never will. That a connection broke says little: the
partition may go on for a while, and ask hosts.
"""

from collections import deque

import msgspec

from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.partition_report import Failure
from gossamer.cluster.remote.connection_listener import Seat
from gossamer.cluster.remote.launcher import Launched
from gossamer.cluster.wire import Wire
from gossamer.core.poller import Poller


class SupervisorConnection:
    """Fulfils `WorkerConnection`. What is said before the incarnation has called waits."""

    def __init__(self, seat: Seat, launched: Launched, poller: Poller) -> None:
        self._seat = seat
        self._launched = launched
        self._poller = poller
        self._wire: Wire | None = None
        self._early: deque[Frame] = deque()
        self._arrived: list[Frame] = []
        self.has_gone = self._is_left = False
        self._is_stillborn = False

    @property
    def is_closed(self) -> bool:
        if self._is_left:
            return True
        self._take_in()
        is_over = self.has_gone or self._seat.has_run_out or self._has_died_unborn()
        return is_over and not self._arrived

    @property
    def waiting_bytes(self) -> int:
        return self._wire.waiting_bytes if self._wire is not None else 0

    @property
    def has_frames(self) -> bool:
        self._take_in()
        return bool(self._arrived)

    def send(self, frame: Frame) -> None:
        self._connect()
        if self._wire is None:
            self._early.append(frame)
        else:
            self._wire.send(frame)

    def send_last(self, frame: Frame, seconds: float) -> None:
        if self._wire is not None:
            self._wire.send_last(frame, seconds)

    def frames(self) -> list[Frame]:
        self._take_in()
        found, self._arrived = self._arrived, []
        return found

    def drain(self) -> list[Frame]:
        if self._wire is not None:
            self._sort(self._wire.drain())
        return self.frames()

    def close(self) -> None:
        self._is_left = True
        self._seat.close()
        if self._wire is not None:
            self._wire.close()

    def _connect(self) -> None:
        if self._wire is None and (line := self._seat.line()) is not None:
            self._wire = Wire(line, self._poller)
            while self._early:
                self._wire.send(self._early.popleft())

    def _take_in(self) -> None:
        self._connect()
        if self._wire is not None:
            self._sort(self._wire.frames())

    def _sort(self, frames: list[Frame]) -> None:
        for frame in frames:
            if frame.kind == FrameKind.GONE:
                self.has_gone = True
            else:
                self._arrived.append(frame)

    def _has_died_unborn(self) -> bool:
        """Has it ended without having called? If it knows why, the supervisor is told, as by itself."""
        if (
            self._wire is not None
            or not self._seat.is_free
            or (ended := self._launched.ended()) is None
        ):
            return False
        self._connect()  # it may have called just before
        if self._wire is not None:
            return False
        is_passing = ended.may_pass and self._seat.has_called  # it had got through once
        if ended.said and not is_passing and not self._is_stillborn:
            self._arrived.append(
                Frame(FrameKind.FAILED, body=msgspec.msgpack.encode(Failure(ended.said)))
            )
        self._is_stillborn = True
        return True

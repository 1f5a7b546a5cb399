"""The contract between the supervisor and the workers of partitions: start, watch, end.

The supervisor and the partition are the same whatever carries them: a process (`partition_processes.py`),
an actor elsewhere, or nothing at all in the simulator. Each carrier passes
`tests/conformance/carrier_suite.py`.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from gossamer.cluster.frames import Frame
from gossamer.core.poller import Poller

UNHEARD = -1000
"""The status of an incarnation that is over, though nobody heard how it ended."""


class WorkerConnection(Protocol):
    """One end of the line between a partition and the supervisor. No call waits, except `send_last`."""

    @property
    def is_closed(self) -> bool:
        """Has the other end gone?"""

    @property
    def waiting_bytes(self) -> int:
        """Bytes that the other end has no room for yet."""

    def send(self, frame: Frame) -> None:
        """Send a frame, now or when there is room. What is sent on a closed line is lost."""

    def send_last(self, frame: Frame, seconds: float) -> None:
        """Send a frame and wait: until it is sent, connection lost, or the time is over."""

    def frames(self) -> list[Frame]:
        """Return the frames that arrived since the last call, in the order they were sent."""

    @property
    def has_frames(self) -> bool: ...

    def drain(self) -> list[Frame]:
        """Read what is left of a line whose other end has gone."""

    def close(self) -> None: ...


class End(Protocol):
    """A partition's end of the line, before it has anything to wait with."""

    def connect(self, poller: Poller) -> WorkerConnection:
        """Begin to listen."""

    def say(self, frame: Frame) -> None:
        """Send the only frame of a partition that cannot begin: the reason."""


Live = Callable[[End], Iterator[None]]
"""What a partition does: step by step, so that its carrier can do something else in between.

A carrier that reaches other machines sends it there, so it must be able to travel (pickle)."""


class Incarnation(Protocol):
    """A partition that was brought to life, as its supervisor sees it."""

    @property
    def line(self) -> WorkerConnection: ...

    @property
    def pid(self) -> int: ...

    @property
    def machine(self) -> str:
        """The name of its machine, for people, once it is known; empty on the machine of the supervisor."""

    def kill(self) -> None:
        """End it, whatever it is doing."""

    def bury(self) -> int:
        """Wait for one whose end of the line is closed; returns its exit status."""


class Carrier(Protocol):
    """Brings partitions to life."""

    is_remote: bool
    """Do partitions live on other machines, without the memory and the disk of this one?"""

    def start(self, number: int, live: Live) -> Incarnation:
        """Bring partition number n to life."""

    def misplaced(self) -> int | None:
        """A partition that should end here and begin elsewhere; None when all are where they should be."""

    def close(self) -> None:
        """No partition is left."""

"""A partition, as the supervisor knows it."""

from gossamer.cluster.carrier import Incarnation
from gossamer.cluster.frames import Frame
from gossamer.cluster.partition_report import Report


class Member:
    """A partition that was started, and its last report."""

    def __init__(self, number: int, incarnation: Incarnation) -> None:
        self.number = number
        self.report: Report | None = None
        """The last one; None before it has come up."""
        self.ordered = 0
        """The number of the last order that it was sent."""
        self.is_hung = False
        """Was it killed because it was silent for too long?"""
        self.is_moving = False
        """Was it told to end here, so that it can go on elsewhere?"""
        self._incarnation = incarnation
        self.line = incarnation.line
        self.pid = incarnation.pid
        self.kill = incarnation.kill
        self.bury = incarnation.bury

    @property
    def machine(self) -> str:
        return self._incarnation.machine

    @property
    def name(self) -> str:
        """As people read it.

        On one machine it does not matter to them which one it was."""
        where = f" on {self.machine}" if self.machine else ""
        return f"partition {self.number}{where}"

    @property
    def is_up(self) -> bool:
        return self.report is not None

    def send(self, frame: Frame) -> None:
        self.line.send(frame)

"""A cluster may start one life twice: on a machine that it took for dead, and elsewhere."""

import os
from collections.abc import Iterator
from pathlib import Path

from gossamer.base.clock import SystemClock
from gossamer.base.poller import Poller
from gossamer.cluster.carrier import End, Live
from gossamer.cluster.far.attend import FAILED
from gossamer.cluster.far.far_carrier import FarCarrier
from gossamer.cluster.far.launcher import LifeEnded, Ticket
from gossamer.cluster.frames import Frame, FrameKind
from tests.cluster.far.forks import ForkedLife, Forks
from tests.processes import wait_until


class Twins(Forks):
    """Starts each life once more than was wanted."""

    def launch(self, ticket: Ticket, live: Live) -> ForkedLife:
        life = super().launch(ticket, live)
        super().launch(ticket, live)
        return life


def test_only_one_of_two_begins(tmp_path: Path) -> None:
    def live(end: End) -> Iterator[None]:
        poller = Poller()
        line = end.connect(poller)
        (tmp_path / f"{os.getpid()}").touch()
        while not any(frame.kind == FrameKind.STOP for frame in line.frames()):
            poller.wait(1.0)
            yield

    twins, poller = Twins(), Poller()
    carrier = FarCarrier(poller, twins, SystemClock(), crawl="test", lease=600.0)
    life = carrier.start(0, live)
    try:
        refused: list[LifeEnded] = []

        def is_one_refused() -> bool:
            poller.wait(0.01)
            refused[:] = [ended for one in twins.lives if (ended := one.ended()) is not None]
            return bool(refused)

        wait_until(is_one_refused)
        assert refused == [LifeEnded(FAILED, refused[0].said)]
        assert "came too late" in refused[0].said
        wait_until(lambda: len(list(tmp_path.iterdir())) == 1)
        assert not life.line.is_closed, "the other one goes on"
        life.line.send(Frame(FrameKind.STOP))
        wait_until(lambda: not poller.wait(0.01) and life.line.is_closed)
        life.bury()
        assert len(list(tmp_path.iterdir())) == 1
    finally:
        carrier.close()

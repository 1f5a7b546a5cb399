"""A cluster may start one incarnation twice: on a machine that it took for dead, and elsewhere."""

import os
from collections.abc import Iterator
from pathlib import Path

from gossamer.cluster.carrier import End, Live
from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.remote.launcher import IncarnationEnded, Ticket
from gossamer.cluster.remote.remote_carrier import RemoteCarrier
from gossamer.cluster.remote.remote_worker import FAILED
from gossamer.core.clock import SystemClock
from gossamer.core.poller import Poller
from tests.cluster.remote.remote_forks import ForkedIncarnation, Forks
from tests.processes import wait_until


class Twins(Forks):
    """Starts each incarnation once more than was wanted."""

    def launch(self, ticket: Ticket, live: Live) -> ForkedIncarnation:
        incarnation = super().launch(ticket, live)
        super().launch(ticket, live)
        return incarnation


def test_only_one_of_two_begins(tmp_path: Path) -> None:
    def live(end: End) -> Iterator[None]:
        poller = Poller()
        line = end.connect(poller)
        (tmp_path / f"{os.getpid()}").touch()
        while not any(frame.kind == FrameKind.STOP for frame in line.frames()):
            poller.wait(1.0)
            yield

    twins, poller = Twins(), Poller()
    carrier = RemoteCarrier(poller, twins, SystemClock(), crawl="test", lease=600.0)
    incarnation = carrier.start(0, live)
    try:
        refused: list[IncarnationEnded] = []

        def is_one_refused() -> bool:
            poller.wait(0.01)
            refused[:] = [ended for one in twins.incarnations if (ended := one.ended()) is not None]
            return bool(refused)

        wait_until(is_one_refused)
        assert refused == [IncarnationEnded(FAILED, refused[0].said)]
        assert "connected too late" in refused[0].said
        wait_until(lambda: len(list(tmp_path.iterdir())) == 1)
        assert not incarnation.line.is_closed, "the other one goes on"
        incarnation.line.send(Frame(FrameKind.STOP))
        wait_until(lambda: not poller.wait(0.01) and incarnation.line.is_closed)
        incarnation.bury()
        assert len(list(tmp_path.iterdir())) == 1
    finally:
        carrier.close()

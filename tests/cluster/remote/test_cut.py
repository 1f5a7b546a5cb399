"""The network between the supervisor and the nodes is cut, and comes back."""

import os
from pathlib import Path
from select import select
from socket import create_connection, create_server, socket
from threading import Event, Thread, Timer

import pytest

from gossamer.cluster.carrier import Live
from gossamer.cluster.remote.launcher import Ticket
from gossamer.cluster.remote.remote_worker import FAILED
from gossamer.lab import Web, serve
from tests.cluster.remote.remote_checking import Politeness, assert_complete
from tests.cluster.remote.remote_crawling import begin, disk, download
from tests.cluster.remote.remote_forks import ForkedIncarnation, Forks
from tests.engine.engine_crawling import asked

GAP = 0.05
pytestmark = pytest.mark.skipif(
    not os.environ.get("GOSSAMER_FAR"),
    reason="these crawls wait for leases to run out; make test-ray and make soak run them",
)


class Cable:
    """Passes on what two ends say, until it is cut; nobody is told."""

    def __init__(self, goal: tuple[str, int]) -> None:
        self._goal = goal
        self._server = create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self._server.getsockname()[:2]
        self.whole = Event()
        self.whole.set()
        Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            line, _ = self._server.accept()
            other = create_connection(self._goal)
            for pair in ((line, other), (other, line)):
                Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket, goal: socket) -> None:
        try:
            while select([source], [], []) and (piece := source.recv(1 << 16)):
                self.whole.wait()
                goal.sendall(piece)
            self.whole.wait()
            goal.shutdown(1)
        except OSError:
            pass


class CutForks(Forks):
    """All lines go through one cable. It is mended when the first successor is launched, or after a time."""

    cable: Cable | None = None
    mends = True

    def launch(self, ticket: Ticket, live: Live) -> ForkedIncarnation:
        if self.cable is None:
            self.cable = Cable((ticket.host, ticket.port))
        if self.mends:
            self.cable.whole.set()
        host, port = self.cable.address
        return super().launch(ticket._replace(host=host, port=port), live)


def test_a_cut_that_outlasts_the_leases(tmp_path: Path) -> None:
    """The old lives end by themselves, before others begin; what they say afterwards changes nothing."""
    forks = CutForks(disk(tmp_path, "node"))
    with serve(Web(seed=5, pages=100, hosts=3)) as served:  # the gaps alone take over a second
        knobs = {"delay": GAP, "address_delay": GAP, "factor": 0.0, "per_address": 1}
        crawl = begin(served, tmp_path, forks, **knobs)
        is_cut = False
        for _ in crawl.turns():
            if not is_cut and crawl.summary().pages >= 30:
                is_cut = True
                assert forks.cable is not None
                forks.cable.whole.clear()
        summary = crawl.summary()
        assert summary.stopped_by == "finished"
        assert_complete(served, download(tmp_path))
        Politeness(served.requests()).check(GAP)
    assert is_cut
    assert len(forks.incarnations) >= 4
    ended = [incarnation.ended() for incarnation in forks.incarnations[:2]]
    assert all(one is not None and one.status in (0, FAILED) for one in ended), "by themselves"


CUTS = [
    (20.0, 5.0, True),
    (2.0, 5.0, False),
    *([(2.0, 20.0, False), (2.0, 60.0, False)] if os.environ.get("GOSSAMER_FAR") == "long" else []),
]


@pytest.mark.parametrize(("lease", "seconds", "is_bridged"), CUTS)
def test_cuts_of_some_seconds(
    tmp_path: Path, lease: float, seconds: float, is_bridged: bool
) -> None:
    """One that is shorter than a lease costs nothing but time; after a longer one others have begun."""
    forks = CutForks(disk(tmp_path, "node"))
    forks.mends = False
    with serve(Web(seed=5, pages=200, hosts=6)) as served:
        knobs = {"delay": GAP, "address_delay": GAP, "factor": 0.0, "per_address": 1}
        crawl = begin(served, tmp_path, forks, lease=lease, **knobs)
        is_cut = False
        for _ in crawl.turns():
            if not is_cut and crawl.summary().pages >= 30:
                is_cut = True
                assert forks.cable is not None
                forks.cable.whole.clear()
                Timer(seconds, forks.cable.whole.set).start()
        summary = crawl.summary()
        assert (is_cut, summary.stopped_by) == (True, "finished")
        assert_complete(served, download(tmp_path))
        politeness = Politeness(served.requests())
        again = sum(asked(served).values()) - summary.pages
        print(f"\nlease {lease:g} s, cut {seconds:g} s: {len(forks.incarnations)} lives, ", end="")
        print(f"{again} requests more than pages; {politeness}")
        politeness.check(GAP)
    assert (len(forks.incarnations) == 2) == is_bridged

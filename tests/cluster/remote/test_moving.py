"""Partitions move to machines that join, cleanly, while the crawl goes on."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest

import gossamer
from gossamer.cluster import supervisor
from gossamer.cluster.carrier import Live
from gossamer.cluster.remote.balance import emptiest
from gossamer.cluster.remote.launcher import Ticket
from gossamer.lab import Web, serve
from tests.cluster.remote.remote_checking import assert_complete
from tests.cluster.remote.remote_crawling import begin, disk, download, home_of
from tests.cluster.remote.remote_forks import ForkedIncarnation, Forks
from tests.engine.engine_crawling import asked

PARTITIONS = 4


class Machines(Forks):
    """Forks that pretend to be on machines, of which there is one at first."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.names = ["first"]

    def places(self) -> Collection[str]:
        return self.names

    def launch(self, ticket: Ticket, live: Live) -> ForkedIncarnation:
        taken = [
            incarnation.place for incarnation in self.incarnations if incarnation.ended() is None
        ]
        incarnation = super().launch(ticket, live)
        incarnation.place = emptiest(self.names, taken)
        return incarnation

    def running(self) -> list[str]:
        return sorted(
            incarnation.place for incarnation in self.incarnations if incarnation.ended() is None
        )


def test_partitions_move_to_a_machine_that_joins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "_MOVE_EVERY", 0.05)
    machines, node = Machines(disk(tmp_path, "node")), tmp_path / "node"
    with serve(Web(seed=5, pages=120, hosts=12)) as served:
        begin(served, tmp_path, machines, partitions=PARTITIONS, lease=600.0, max_pages=40).run()
        home_of(tmp_path).make_shell(tmp_path / "again")
        crawl = gossamer.Crawl.resume(tmp_path / "again", max_pages=0)
        crawl.go_remote(machines)
        crawl.pause()  # before it goes on: however slow the supervisor is, there is something left to move
        turns = crawl.turns()
        _go_on(turns, lambda: machines.running() == ["first"] * PARTITIONS)
        machines.names.append("second")
        _go_on(turns, lambda: machines.running() == ["first"] * 2 + ["second"] * 2)
        crawl.go_on()
        for _ in turns:
            pass
        summary = crawl.summary()
        assert (summary.stopped_by, set(asked(served).values())) == ("finished", {1})
        assert_complete(served, download(tmp_path))
    assert summary.exchange["restarts"] == 0, "nobody died"
    assert len(machines.incarnations) == 2 * PARTITIONS + 2
    assert list(node.iterdir()) == []


def _go_on(turns: Iterator[object], is_enough: Callable[[], bool]) -> None:
    next(turns)
    while not is_enough():
        next(turns)

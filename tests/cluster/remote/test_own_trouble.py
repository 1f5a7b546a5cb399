"""A machine whose disk fails is its own trouble: its partitions go on elsewhere."""

import os
import shutil
from pathlib import Path

import pytest

from gossamer.cluster.carrier import Live
from gossamer.cluster.remote.launcher import Ticket
from gossamer.lab import Web, serve
from tests.cluster.remote.mishaps import after_pages
from tests.cluster.remote.remote_checking import assert_complete
from tests.cluster.remote.remote_crawling import begin, disk, download
from tests.cluster.remote.remote_forks import ForkedIncarnation, Forks

pytestmark = pytest.mark.skipif(
    not os.environ.get("GOSSAMER_FAR"),
    reason="hosts rest for ten seconds after it; make test-ray and make soak run it",
)


class EmptiedDisk(Forks):
    """What the first incarnation has on its disk goes while it runs."""

    def launch(self, ticket: Ticket, live: Live) -> ForkedIncarnation:
        if self.incarnations:
            return super().launch(ticket, live)
        with after_pages(self._empty):
            return super().launch(ticket, live)

    def _empty(self) -> None:
        assert self._disk is not None
        for folder in self._disk.glob("gossamer-*-00000-*"):
            shutil.rmtree(folder)


def test_a_disk_that_is_gone_does_not_stop_the_crawl(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serve(Web(seed=5, pages=120, hosts=12)) as served:
        disks = EmptiedDisk(disk(tmp_path, "node"))
        summary = begin(served, tmp_path, disks, lease=600.0, checkpoint_every=0.2).run()
        assert summary.stopped_by == "finished"
        assert_complete(served, download(tmp_path))
    assert summary.exchange["restarts"] == 1
    (said,) = (one for one in caplog.messages if "this machine fails" in one)
    assert said.startswith("partition 0 on ")
    assert "[Errno 2]" in said

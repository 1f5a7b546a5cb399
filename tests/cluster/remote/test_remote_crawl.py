"""Partitions on other machines bring the same pages; lives end, and the next ones go on from remote
storage."""

import os
import signal
from pathlib import Path

import pytest

import gossamer
from gossamer.engine.event_log import read_log
from gossamer.engine.timeline import read_timeline
from gossamer.lab import Web, serve
from tests.cluster.remote.mishaps import Mishaps, supervisor_dies
from tests.cluster.remote.remote_checking import Politeness, assert_complete
from tests.cluster.remote.remote_crawling import begin, disk, download, home_of
from tests.cluster.remote.remote_forks import Forks
from tests.engine.engine_crawling import asked

WEB = Web(seed=5, pages=160, hosts=12)
SMALL_FILES = {"rows": 120, "warc_size": 30_000, "checkpoint_every": 0.3}
"""Many are full, and are in remote storage only when the next incarnation begins."""
pytestmark = pytest.mark.skipif(
    not os.environ.get("GOSSAMER_FAR"),
    reason="these crawls wait for leases to run out; make test-ray and make soak run them",
)


def test_all_pages_come_once(tmp_path: Path) -> None:
    node = disk(tmp_path, "node")
    with serve(WEB) as served:
        summary = begin(served, tmp_path, Forks(node), lease=60.0).run()
        assert (summary.stopped_by, set(asked(served).values())) == ("finished", {1})
        assert_complete(served, download(tmp_path))
    assert summary.exchange["sent"] == summary.exchange["received"] > 0
    assert list(node.iterdir()) == [], "nothing is left on the node"
    assert home_of(tmp_path).summary().stopped_by == "finished"
    assert (tmp_path / "storage" / "warc" / "index.cdxj").exists()


def test_one_is_killed_and_one_only_seems_dead(tmp_path: Path) -> None:
    """The one that was stopped wakes up when its successor begins, and asks nobody any more."""
    gap = 0.03
    forks = Mishaps(disk(tmp_path, "node"), signals={0: signal.SIGKILL, 1: signal.SIGSTOP})
    with serve(WEB) as served:
        knobs = {"delay": gap, "address_delay": gap, "factor": 0.0, "per_address": 1}
        summary = begin(served, tmp_path, forks, **knobs, **SMALL_FILES).run()
        assert summary.stopped_by == "finished"
        assert forks.are_over
        assert_complete(served, download(tmp_path))
        Politeness(served.requests()).check(gap)
    assert len(forks.incarnations) >= 4
    for folder in ("warc", "pages", "links"):
        assert len(list((tmp_path / "storage" / folder).glob("*-00001.*"))) > 0, "some are full"


def test_the_supervisor_dies_and_the_crawl_goes_on_elsewhere(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """First far, then on one machine, then far again."""
    with serve(WEB) as served:
        if not (pid := os.fork()):
            with supervisor_dies():
                begin(served, tmp_path, Forks(disk(tmp_path, "first")), max_pages=70).run()
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL

        home_of(tmp_path).make_shell(tmp_path / "second-shell")
        second = gossamer.Crawl.resume(tmp_path / "second-shell", max_pages=100)
        second.go_remote(Forks(disk(tmp_path, "second")))
        assert second.run().pages == 100
        assert "did not end cleanly; waiting 2 s until its partitions have stopped" in caplog.text

        one = gossamer.Crawl.resume(download(tmp_path, "one"), max_pages=120).run()
        assert (one.pages, one.partitions) == (120, 2)

        home_of(tmp_path).make_shell(tmp_path / "third-shell")
        third = gossamer.Crawl.resume(tmp_path / "third-shell", max_pages=0)
        third.go_remote(Forks(disk(tmp_path, "third")))
        assert third.run().stopped_by == "finished"
        assert caplog.text.count("did not end cleanly") == 1
        out = download(tmp_path)
        assert_complete(served, out)
    told = [one for one in read_log(out) if one.event in ("started", "resumed", "stopped")]
    assert [one.event for one in told] == ["started", *["resumed", "stopped"] * 3], "one log of all"
    assert told[1].message.endswith("the last run ended by: killed")
    assert read_timeline(out).column("pages")[-1] == third.summary().pages

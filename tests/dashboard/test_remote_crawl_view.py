"""Crawls that are at their home: the dashboard beside one whose partitions are elsewhere, and a look from
afar."""

import os
import re
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace

from gossamer.cluster.storage import storage_snapshot
from gossamer.cluster.storage.crawl_storage import _SentStatus
from gossamer.dashboard.remote_crawl_view import RemoteCrawlView
from gossamer.engine.status_file import crawl_of, decode_checked, encode_status
from gossamer.lab import ServedWeb, Web, serve
from tests.cluster.remote.remote_crawling import begin, disk, home_of
from tests.cluster.remote.remote_forks import Forks
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.live import wait_until
from tests.engine.engine_forks import Begun
from tests.processes import status_of

SHOWN = re.compile(r"is shown at (http://127\.0\.0\.1:\d+)/")
OFTEN = {"checkpoint_every": 0.5, "tables_every": 0.3, "delay": 0.05, "factor": 0.0, "lease": 60.0}


@contextmanager
def remote_crawl(served: ServedWeb, path: Path) -> Iterator[None]:
    """A crawl in a process of its own, whose partitions have nothing but their home in common."""
    if not (pid := os.fork()):
        status = 70
        try:
            os.setsid()
            summary = begin(served, path, Forks(disk(path, "node")), **OFTEN).run()
            status = 0 if summary.stopped_by == "user" else 1
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    try:
        wait_until(lambda: (path / "shell" / "state" / "control.sock").exists())
        yield
        assert status_of(pid) == 0
    finally:  # with its partitions
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)


def test_a_far_crawl_is_shown_while_it_runs_and_afterwards(tmp_path: Path) -> None:
    shell, url = tmp_path / "shell", home_of(tmp_path).url
    with serve(Web(seed=5, pages=100_000, hosts=10)) as served, remote_crawl(served, tmp_path):
        in_storage = RemoteCrawlView(url, shell, is_beside=True)
        with shown(shell, in_storage=in_storage) as visitor:
            look_while_it_runs(visitor, in_storage)
            token = visitor.token()
            assert visitor.post("/control", {"token": token, "order": "stop"}).status == 303
    in_storage = RemoteCrawlView(url, tmp_path / "look", is_beside=False)
    with shown(tmp_path / "look", in_storage=in_storage) as visitor:
        look_from_afar(visitor, in_storage, tmp_path)


def look_while_it_runs(visitor: Visitor, in_storage: RemoteCrawlView) -> None:
    url = in_storage.url
    assert (
        f"Pages, links and records are being downloaded from {url}." in visitor.get("/pages").text
    )

    def is_there() -> bool:
        """Tables, a checkpoint of each partition, and where they are."""
        in_storage.refresh()
        pages = visitor.get("/api/pages?status=200").json["lines"]
        waiting = visitor.get("/api/frontier").json.get("waiting")
        return bool(pages and waiting) and len(visitor.get("/api/").json["partitions"]) == 2

    def has_record() -> bool:
        """What was swept in remote storage meanwhile is found again after another look."""
        in_storage.refresh()
        page = visitor.get("/api/pages?status=200").json["lines"][-1]["url"]
        record = record_of(visitor, page)
        return record is not None and record["text"].startswith("WARC/1.")

    wait_until(is_there)
    overview = visitor.get("/api/").json
    assert overview["is_running"]
    assert not overview["is_here"]
    assert sorted(n for one in overview["machines"] for n in one["partitions"]) == [0, 1]
    assert overview["notes"][0].startswith(f"Pages, links and records are read from {url}, as it")
    assert {one["machine"] for one in overview["partitions"]} == {
        one["name"] for one in overview["machines"]
    }
    metrics = visitor.get("/metrics").text
    assert re.search(r'gossamer_partition_pages_total{partition="1",machine="[^"]+"} \d+', metrics)
    wait_until(lambda: visitor.get("/api/hosts").json["is_live"])
    wait_until(has_record)
    assert visitor.get("/frontier").status == 200
    assert "started" in visitor.get("/log").text
    for path, command in (("/search?q=a", "index"), ("/graph", "graph build")):
        advice = f"`gossamer download {url} -o DIR`, then `gossamer {command} DIR`"
        assert advice in visitor.get(f"/api{path}").text


def record_of(visitor: Visitor, url: str) -> Any:
    return visitor.get(f"/api/page?{urlencode({'url': url})}").json["record"]


def look_from_afar(visitor: Visitor, in_storage: RemoteCrawlView, path: Path) -> None:
    in_storage.refresh()
    overview, told = visitor.get("/api/").json, home_of(path).summary()
    assert (overview["is_running"], overview["summary"]["stopped_by"]) == (False, "user")
    assert (
        overview["summary"]["pages"]
        == told.pages
        == sum(one["pages"] for one in overview["partitions"])
    )
    assert overview["notes"][0].startswith(
        f"All that is shown is read from {in_storage.url}, as it"
    )
    listed = visitor.get("/api/pages").json["outcomes"]
    assert listed["fetched"] == told.pages
    log = [one["event"] for one in visitor.get("/api/log").json["entries"]]
    assert (log[0], log[-1]) == ("stopped", "started")
    assert "order" in log
    page = visitor.get("/api/pages?status=200").json["lines"][0]["url"]
    assert record_of(visitor, page)["text"].startswith("WARC/1.")
    refused = visitor.post("/control", {"token": visitor.token(), "order": "pause"})
    assert refused.status == 400
    assert f"this is a view of {in_storage.url}" in refused.text


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a crawl on one machine, which has ended and is lost; its remote storage is there."""
    path = tmp_path_factory.mktemp("ended")
    with serve(Web(seed=5, pages=60, hosts=4)) as served:
        crawl = begin(served, path, Forks(), partitions=1, max_pages=30, lease=60.0)
        crawl.run()
    return path


@pytest.mark.parametrize("is_brought", [False, True])
def test_a_home_is_shown_by_its_url(ended: Path, tmp_path: Path, is_brought: bool) -> None:
    url = home_of(ended).url
    out = ("-o", str(tmp_path / "brought")) if is_brought else ()
    dashboard = Begun("serve", url, *out, "--port", "0", "--no-password")
    try:
        wait_until(lambda: bool(SHOWN.search(dashboard.out)) or dashboard.poll() is not None)
        found = SHOWN.search(dashboard.out)
        assert found, dashboard.err
        visitor = Visitor(found[1])
        assert visitor.get("/api/").json["summary"]["pages"] == 30
        wait_until(lambda: len(visitor.get("/api/pages").json["lines"]) >= 30)
    finally:
        dashboard.send(15)
        dashboard.end()
    assert (tmp_path / "brought" / "crawl.toml").exists() == is_brought


@pytest.fixture
def storage(ended: Path, tmp_path: Path) -> Path:
    """A home that may be changed."""
    return Path(shutil.copytree(ended / "storage", tmp_path / "storage"))


def test_a_home_that_is_out_of_reach_is_told_and_what_is_here_is_shown(
    storage: Path, tmp_path: Path
) -> None:
    in_storage = RemoteCrawlView(f"file://{storage}", tmp_path / "look", is_beside=False)
    in_storage.refresh()
    storage.rename(tmp_path / "gone")
    in_storage.refresh()
    with shown(tmp_path / "look", in_storage=in_storage) as visitor:
        assert f"file://{storage} cannot be read at the moment: " in visitor.get("/pages").text
        lines = visitor.get("/api/pages?status=200").json["lines"]
        assert lines
        record = record_of(visitor, lines[0]["url"])
        assert record["trouble"].endswith("; load the page again"), record
        (tmp_path / "gone").rename(storage)
        in_storage.refresh()
        assert "at the moment" not in visitor.get("/pages").text
        record = record_of(visitor, lines[0]["url"])
        assert record["text"].startswith("WARC/1.")


@pytest.mark.parametrize(("age", "stopped_by"), [(5.0, ""), (4000.0, "killed")])
def test_a_crawl_that_spoke_a_moment_ago_runs(
    storage: Path, tmp_path: Path, age: float, stopped_by: str
) -> None:
    """And one that was silent for long was killed."""
    data = (storage / "status.json").read_bytes()
    told = replace(decode_checked(data, _SentStatus), stopped_by="", sent_at=time.time() - age)
    (storage / "status.json").write_bytes(encode_status(told, crawl_of(data)))
    in_storage = RemoteCrawlView(f"file://{storage}", tmp_path / "look", is_beside=False)
    with shown(tmp_path / "look", in_storage=in_storage) as visitor:
        overview = visitor.get("/api/").json
        assert overview["summary"]["stopped_by"] == stopped_by
        assert overview["is_running"] == (not stopped_by)


def test_tables_and_frontiers_that_are_too_large_are_told(
    storage: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage_snapshot, "RESERVE", 1 << 60)
    monkeypatch.setattr(storage_snapshot, "MOST_FRONTIER", -1)
    in_storage = RemoteCrawlView(f"file://{storage}", tmp_path / "look", is_beside=False)
    in_storage.refresh()
    with shown(tmp_path / "look", in_storage=in_storage) as visitor:
        assert "do not fit on this disk: lists are incomplete." in visitor.get("/hosts").text
        waiting = visitor.get("/api/frontier")
    assert waiting.status == 409
    assert f"`gossamer download {in_storage.url} -o DIR`" in waiting.json["error"]


def test_a_url_without_a_crawl_is_told_in_one_line(tmp_path: Path) -> None:
    ended = Begun("serve", f"file://{tmp_path}/nowhere").end()
    assert ended.status == 1
    assert ended.complaints == [
        f"gossamer: file://{tmp_path}/nowhere holds no crawl; give the URL that was named with --storage"
    ]

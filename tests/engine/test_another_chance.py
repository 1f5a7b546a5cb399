"""After a start that failed, a crawl can go on when its cause is mended."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import gossamer
from gossamer.engine.ledger import Ledger
from gossamer.lab import Web, serve
from gossamer.pipeline.robots import KnownRobots
from tests.engine.engine_crawling import asked, query
from tests.engine.static import serve_static
from tests.engine.test_known import Site, site

__all__ = ["site"]

STORAGE = {"/": ("text/html", b"<title>home</title>")}


@pytest.fixture
def nobody() -> Iterator[str]:
    """An origin where connections are refused."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


def _outcomes(out: Path) -> list[str]:
    return [outcome for (outcome,) in query(out, "select outcome from pages order by fetched_at")]


@pytest.mark.parametrize("partitions", [1, 2])
def test_a_seed_at_a_private_address(tmp_path: Path, partitions: int) -> None:
    out = tmp_path / "out"
    with serve_static(STORAGE) as site:
        summary = gossamer.Crawl(site.origin, out=out, delay=0, partitions=partitions).run()
        assert (summary.pages, summary.refused) == (0, {"private_address": 1})
        again = gossamer.Crawl.resume(out, allow_private=True).run()
    assert again.pages == 1
    assert _outcomes(out) == ["private_address", "fetched"]


def test_a_name_server_that_was_wrong(tmp_path: Path, nobody: str) -> None:
    out, wrong = tmp_path / "out", nobody.removeprefix("http://")
    with serve(Web(seed=3, pages=30, hosts=3)) as served:
        knobs: dict[str, Any] = {"delay": 0, "allow_private": True, "scope": "all", "retries": 0}
        settings = gossamer.Settings(
            dns=type(gossamer.Settings().dns)(servers=(wrong,), attempts=1)
        )
        gossamer.Crawl(served.seed_url, out=out, settings=settings, **knobs).run()
        gossamer.Crawl.resume(out, changes={"dns.servers": [served.dns_address]}).run()
        assert set(asked(served)) == served.web.expected()


def test_a_name_that_did_not_exist(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=30, hosts=3)) as served:
        seed = served.seed_url.replace("://", "://unknown-")
        knobs: dict[str, Any] = {"servers": [served.dns_address], "delay": 0, "allow_private": True}
        gossamer.Crawl(seed, out=out, **knobs).run()
        assert _outcomes(out) == ["dns_not_found"]
        gossamer.Crawl.resume(out).run()
        assert _outcomes(out) == ["dns_not_found"] * 2, "it is asked for again"
        changes = {"crawl.seeds": [served.seed_url]}
        gossamer.Crawl.resume(out, changes=changes).run()
    assert _outcomes(out)[:3] == ["dns_not_found"] * 2 + ["fetched"], "it is no seed any more"


def test_a_seed_that_robots_txt_forbids(tmp_path: Path) -> None:
    out = tmp_path / "out"
    rules = {"/robots.txt": ("text/plain", b"User-agent: *\nDisallow: /")}
    with serve_static(STORAGE | rules) as site:
        gossamer.Crawl(site.origin, out=out, delay=0, allow_private=True).run()
        gossamer.Crawl.resume(out, obey=False).run()
    assert _outcomes(out) == ["robots_disallowed", "fetched"]


def test_a_seed_that_the_scope_excluded(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve_static(STORAGE) as site:
        knobs: dict[str, Any] = {"delay": 0, "allow_private": True}
        gossamer.Crawl(site.origin, out=out, exclude=["/$"], **knobs).run()
        gossamer.Crawl.resume(out, exclude=[]).run()
    assert _outcomes(out) == ["fetched"]


def test_a_server_that_was_down(tmp_path: Path, nobody: str) -> None:
    """Its robots.txt was given up; it is asked for at once when the crawl goes on."""
    out = tmp_path / "out"
    gossamer.Crawl(nobody, out=out, delay=0, allow_private=True, give_up=1).run()
    [known] = _read_robots(out)
    assert known.failures == 1
    gossamer.Crawl.resume(out).run()
    [known] = _read_robots(out)
    assert known.failures == 2, "it was asked, and its failures are not forgotten"


def test_a_page_that_was_not_there(tmp_path: Path) -> None:
    out = tmp_path / "out"
    pages: dict[str, tuple[str, bytes]] = {}
    with serve_static(pages) as site:
        gossamer.Crawl(site.origin, out=out, delay=0, allow_private=True).run()
        pages.update(STORAGE)
        summary = gossamer.Crawl.resume(out).run()
    assert summary.statuses == {"200": 1, "404": 1}


def test_what_a_seed_redirects_to(site: Site, tmp_path: Path) -> None:
    """The seed is answered, but leads to where nobody may go."""
    out, target = tmp_path / "out", site.url.replace("127.0.0.1", "127.0.0.2")
    site.redirects[site.url.removeprefix("http://").rstrip("/")] = target
    knobs: dict[str, Any] = {"delay": 0, "obey": False, "retries": 0, "hold_after": 9}
    gossamer.Crawl(site.url, out=out, allow_addresses=["127.0.0.1"], **knobs).run()
    gossamer.Crawl.resume(out, allow_addresses=["127.0.0.1", "127.0.0.2"]).run()
    found = query(out, f"select outcome from pages where url = '{target}' order by fetched_at")
    assert found == [("private_address",), ("connect_failed",)]
    assert len([path for path, _ in site.answers]) == 0, "the seed itself brought what it has"


def test_a_crawl_that_was_interrupted_asks_nobody_again(tmp_path: Path) -> None:
    out = tmp_path / "out"
    job = gossamer.Crawl("http://127.0.0.1:1/", "http://127.0.0.2:1/", out=out, delay=0)
    for _ in job.turns():
        if sum(job.summary().refused.values()) == 2:
            job.stop("interrupted")
    gossamer.Crawl.resume(out, max_pages=7).run()
    assert _outcomes(out) == ["private_address"] * 2
    gossamer.Crawl.resume(out, max_pages=8).run()
    assert _outcomes(out) == ["private_address"] * 4, "by then the crawl had come to its end"


def test_crashes_on_the_way(tmp_path: Path) -> None:
    """One when the seed has ended without a checkpoint, one when it waits for its second chance."""
    out = tmp_path / "out"
    with serve_static(STORAGE) as site:
        _crash(gossamer.Crawl(site.origin, out=out, delay=0), "private_address")
        _crash(gossamer.Crawl.resume(out, allow_private=True), "")
        summary = gossamer.Crawl.resume(out).run()
        assert site.asked["/"] == 1
    assert summary.pages == 1
    assert _outcomes(out) == ["private_address", "fetched"]


def _read_robots(out: Path) -> list[KnownRobots]:
    """What is known of robots.txt files, by the last checkpoint."""
    state = Ledger.read_checkpoint(out / "state" / "00000").components["robots"]
    return msgspec.msgpack.decode(state, type=list[KnownRobots])


def _crash(job: gossamer.Crawl, refused: str) -> None:
    """Run a crawl in a process that dies when this was refused and is recorded."""
    child = os.fork()
    if not child:
        for _ in job.turns():
            if not refused or job.summary().refused.get(refused):
                assert job.ring is not None
                job.ring.recorder.commit(1.0)
                os._exit(9)
    job.close()
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 9

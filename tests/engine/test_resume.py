"""Stopping and going on, in all the ways that are no crash."""

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import gossamer
from gossamer.engine.ledger import FORMAT, Ledger
from gossamer.lab import Web, serve
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import asked, crawl, query
from tests.engine.static import serve_static
from tests.engine.test_known import Site, site

__all__ = ["site"]


def test_a_limit_can_be_raised(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=900, hosts=20)) as served:
        assert crawl(served, out, max_pages=100).pages == 100
        assert gossamer.Crawl.resume(out).run().pages == 100, "the limit still holds"
        assert gossamer.Crawl.resume(out, max_pages=350).run().pages == 350
        summary = gossamer.Crawl.resume(out, max_pages=0).run()
        counts = asked(served)
        assert set(counts) == served.web.expected()
    assert summary.stopped_by == "finished"
    assert set(counts.values()) == {1}
    assert_valid(out)


def test_leaving_the_loop_and_going_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=400, hosts=20)) as served:
        crawl(served, out, max_pages=1)
        job = gossamer.Crawl.resume(out, max_pages=0)
        runs = 0
        while job.stopped_by != "finished":
            runs += 1
            for number, _ in enumerate(job):
                if number == 50:
                    break
            if job.stopped_by == "abandoned":
                job = gossamer.Crawl.resume(out)
        counts = asked(served)
        assert set(counts) == served.web.expected()
    assert runs > 3
    assert set(counts.values()) <= {1, 2}, "only what was under way is asked for again"
    assert_valid(out)


def test_what_a_seed_redirects_to_stays_in_the_scope(site: Site, tmp_path: Path) -> None:
    """The seed is a name that redirects to an address; that address is home after a restart, too."""
    site.pages["/"] = '<a href="/one">'
    out = tmp_path / "out"
    moved = site.url.replace("127.0.0.1", "localhost")
    site.redirects[moved.partition("://")[2].rstrip("/")] = site.url
    gossamer.Crawl(moved, out=out, delay=0, allow_private=True, max_pages=2).run()
    gossamer.Crawl.resume(out, max_pages=0).run()
    urls = {url for (url,) in query(out, "select url from pages")}
    assert {site.url, site.url + "one", site.url + "two"} <= urls


def test_a_directory_is_for_one_process(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=300, hosts=5)) as served:
        crawl(served, out, max_pages=10)
        for _ in gossamer.Crawl.resume(out, max_pages=0):
            done = subprocess.run(
                [sys.executable, "-m", "gossamer.cli", "resume", str(out)],
                capture_output=True,
                text=True,
                check=False,
            )
            break
    assert done.returncode == 1
    assert "is in use by process" in done.stderr


def test_a_directory_of_another_format_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=30, hosts=2)) as served:
        crawl(served, out, max_pages=10)
    checkpoint = out / "state" / "00000" / "checkpoint"
    data = bytearray(checkpoint.read_bytes())
    data[4] = 99
    checkpoint.write_bytes(data)
    with pytest.raises(gossamer.DirectoryError, match="written by another version of Gossamer"):
        gossamer.Crawl.resume(out).run()
    data[4], data[-1] = FORMAT, data[-1] ^ 1
    checkpoint.write_bytes(data)
    with pytest.raises(gossamer.DirectoryError, match="is damaged"):
        gossamer.Crawl.resume(out).run()


def test_a_crawl_directory_is_portable(tmp_path: Path) -> None:
    out, moved = tmp_path / "out", tmp_path / "elsewhere" / "moved"
    with serve(Web(seed=3, pages=300, hosts=5)) as served:
        crawl(served, out, max_pages=50)
        moved.parent.mkdir()
        out.rename(moved)
        gossamer.Crawl.resume(moved, max_pages=0).run()
        assert set(asked(served)) == served.web.expected()
    assert_valid(moved)


def test_what_a_program_brought_along_is_needed_again(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=60, hosts=4)) as served:
        storage = served.seed_url

        def in_storage(link: gossamer.Link) -> bool:
            return link.target.text.startswith(storage)

        knobs: dict[str, Any] = {"servers": [served.dns_address], "allow_private": True, "delay": 0}
        gossamer.Crawl(storage, out=out, scope=in_storage, max_pages=5, **knobs).run()
        with pytest.raises(gossamer.DirectoryError, match=r"its own scope; .*resume.*scope=…"):
            gossamer.Crawl.resume(out)
        summary = gossamer.Crawl.resume(out, scope=in_storage, max_pages=0).run()
    assert summary.refused["custom"] > 0


def test_what_a_program_brings_along_when_it_goes_on_is_needed_from_then_on(tmp_path: Path) -> None:
    out, page = tmp_path / "out", ("text/html", b"home")
    with serve_static({"/": page}) as site:
        gossamer.Crawl(site.origin, out=out, delay=0, allow_private=True).run()
    gossamer.Crawl.resume(out, scope=lambda link: True).run()
    gossamer.Crawl.resume(
        out, scope=lambda link: True, parsers={"text/html": lambda page: gossamer.Document(page)}
    ).run()
    with pytest.raises(gossamer.DirectoryError, match="its own scope and parsers"):
        gossamer.Crawl.resume(out)


def test_an_order_is_for_life(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=60, hosts=4)) as served:
        knobs: dict[str, Any] = {"servers": [served.dns_address], "allow_private": True, "delay": 0}
        gossamer.Crawl(served.seed_url, out=out, order="backlinks", max_pages=9, **knobs).run()
        before = (out / "crawl.toml").read_bytes()
        with pytest.raises(gossamer.SettingsError, match="is backlinks and cannot be changed"):
            gossamer.Crawl.resume(out, changes={"order.name": "opic"})
        assert (out / "crawl.toml").read_bytes() == before
        assert gossamer.Crawl.resume(out, max_pages=20).run().pages == 20


def test_an_order_that_does_not_exist_is_found_out_at_once(tmp_path: Path) -> None:
    with pytest.raises(gossamer.SettingsError, match="there is no order nonsense"):
        gossamer.Crawl("http://a.test/", out=tmp_path / "x", order="nonsense")


def test_how_often_a_host_has_failed_is_not_forgotten(tmp_path: Path) -> None:
    """Otherwise a host that has been dead for days would be asked as eagerly as a new one."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # without listening: connections are refused
        seeds = [f"http://127.0.0.1:{nobody.getsockname()[1]}/{n}" for n in range(3)]
        knobs: dict[str, Any] = {"delay": 0, "allow_private": True, "obey": False, "retries": 0}
        gossamer.Crawl(*seeds, out=tmp_path / "out", hold_after=9, **knobs).run()
        state = tmp_path / "out" / "state" / "00000"
        assert _failures(state) == {"127.0.0.1": 3}
        gossamer.Crawl.resume(tmp_path / "out").run()
        assert _failures(state) == {"127.0.0.1": 6}, "they are asked again"


def _failures(state: Path) -> dict[str, int]:
    """Failed visits in a row, by the last checkpoint."""
    return msgspec.msgpack.decode(
        Ledger.read_checkpoint(state).components["rests"], type=dict[str, int]
    )

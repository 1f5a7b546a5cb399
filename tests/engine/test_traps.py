"""Servers that try to lead a crawl astray, and crawls that must not end too early."""

import socket
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

import gossamer
from gossamer.core.directory import Directory
from gossamer.core.settings import BudgetSettings, SeenSettings
from gossamer.engine.ledger import Ledger
from gossamer.lab import Web, serve
from tests.engine.engine_crawling import DNS, asked, query
from tests.engine.test_engine_discovery import Server, server, visited
from tests.present import present

__all__ = ["server"]


def test_a_sitemap_cannot_widen_the_scope(server: Server, tmp_path: Path) -> None:
    elsewhere = server.url.replace("127.0.0.1", "localhost")
    server.page("/robots.txt", f"Sitemap: {server.url}/s1", "text/plain")
    server.page("/", f'<a href="{elsewhere}/secret">')
    server.answers["/s1"] = (302, {"Location": "/s2"}, "")
    server.answers["/s2"] = (302, {"Location": elsewhere + "/s3"}, "")
    server.page("/secret")
    summary = server.crawl(tmp_path / "out")
    assert visited(tmp_path / "out").keys() == {"/"}
    assert summary.refused == {"out_of_scope": 2}


@pytest.mark.parametrize("scope", ["host", "all"])
def test_the_web_cannot_point_to_our_files(server: Server, tmp_path: Path, scope: str) -> None:
    (tmp_path / "secret.html").write_text("secret")
    target = f"file://{tmp_path}/secret.html"
    server.page("/", f'<a href="{target}">')
    server.answers["/moved"] = (302, {"Location": target}, "")
    for seed in ("/", "/moved"):
        out = tmp_path / f"out{len(seed)}"
        summary = gossamer.Crawl(
            server.url + seed,
            out=out,
            scope=scope,
            delay=0,
            allow_private=True,
            schemes=["http", "file"],
        ).run()
        assert summary.refused == {"scheme": 1}
        assert summary.pages == 1


def test_the_environment_cannot_lead_round_the_proxy(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy answers for the web; what it links to on this machine is not asked, by no way."""
    monkeypatch.setenv("no_proxy", "localhost,127.0.0.1")
    inside = server.url.replace("127.0.0.1", "localhost")
    answer = f'<a href="{inside}/admin"><a href="{server.url}/admin">'
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        thread = threading.Thread(target=_answer_all, args=(proxy, answer), daemon=True)
        thread.start()
        summary = gossamer.Crawl(
            "http://web.test/",
            out=tmp_path / "out",
            scope="all",
            delay=0,
            proxy=f"http://127.0.0.1:{proxy.getsockname()[1]}",
        ).run()
        proxy.shutdown(socket.SHUT_RDWR)  # else the thread would wait for ever
        thread.join()
    assert summary.pages == 1
    assert summary.refused == {"private_address": 2}
    assert server.requests == []


def _answer_all(listener: socket.socket, body: str) -> None:
    head = f"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection:
            request = connection.recv(65536)
            if b"robots.txt" in request:
                connection.sendall(b"HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            else:
                connection.sendall((head + body).encode())


def test_urls_outlast_an_outage_of_robots_txt(server: Server, tmp_path: Path) -> None:
    server.answers["/robots.txt"] = (500, {}, "")
    for number in range(20):
        server.page(f"/{number}")
    server.page("/", "".join(f"<a href=/{number}>" for number in range(20)))

    def recover() -> None:
        while len(server.requests) < 3:
            time.sleep(0.01)
        server.answers["/robots.txt"] = (404, {}, "")

    threading.Thread(target=recover, daemon=True).start()
    summary = server.crawl(tmp_path / "out", failure_wait=0.1)
    assert summary.pages == 21
    assert summary.errors == {}


def test_a_robots_txt_that_never_comes_can_be_given_up(server: Server, tmp_path: Path) -> None:
    server.answers["/robots.txt"] = (500, {}, "")
    summary = server.crawl(tmp_path / "out", failure_wait=0.1, give_up=2)
    assert summary.errors == {"robots_unreachable": 1}
    assert len(server.requests) == 2
    [(detail,)] = query(tmp_path / "out", "select detail from pages")
    assert "status 500" in detail


def test_a_known_robots_txt_is_asked_for_without_conditions(server: Server, tmp_path: Path) -> None:
    """Somebody linked to robots.txt, so the first crawl knows it as a page with an ETag."""
    server.page("/robots.txt", "User-agent: *\nAllow: /", "text/plain", ETag='"r"')
    server.page("/", "<a href=/robots.txt>", ETag='"ü"')
    assert server.crawl(tmp_path / "one").pages == 2
    assert server.crawl(tmp_path / "two", known=str(tmp_path / "one")).pages == 2


def test_a_crawl_that_had_budgets_keeps_them(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=5, pages=300, hosts=6)) as served:
        settings = gossamer.Settings(
            dns=DNS(servers=(served.dns_address,)),
            budget=BudgetSettings(function="equal", lowest=5),
        )
        options: dict[str, Any] = {
            "scope": "all",
            "delay": 0,
            "allow_private": True,
            "settings": settings,
        }
        first = gossamer.Crawl(served.seed_url, out=out, max_pages=40, **options).run()
        assert first.deferred > 0
        off = {"budget.kind": "off", "crawl.max_pages": 0}
        last = gossamer.Crawl.resume(out, changes=off).run()
        assert set(asked(served)) == served.web.expected()
    assert last.pages == 300


def test_who_links_to_whom_is_on_record(tmp_path: Path) -> None:
    with serve(Web(seed=5, pages=100, hosts=6)) as served:
        settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
        job = gossamer.Crawl(
            served.seed_url, out=tmp_path / "out", settings=settings, scope="all", delay=0,
            allow_private=True, max_pages=50,
        )  # fmt: skip
        turns = job.turns()
        while job.stopped_by == "" and next(turns, None) is not None and job.summary().pages < 20:
            pass
        present(job.ring).recorder.commit(0.0)  # and then the process is gone
        notes = Ledger.read(Directory(job.out).state).notes("budget")
        turns.close()
    edges = [edge for note in notes for edge in msgspec.msgpack.decode(note)]
    assert {source for source, _ in edges} <= set(served.web.names)
    assert len(edges) >= 20


def test_a_host_on_hold_does_not_end_the_crawl_of_others(server: Server, tmp_path: Path) -> None:
    """What the seen set keeps back is asked for before a crawl says that all is on hold."""
    with serve(Web(seed=5, pages=200, hosts=1)) as served:
        server.answers["/"] = (503, {"Retry-After": "3000"}, "")
        job = gossamer.Crawl(
            server.url,
            served.seed_url,
            out=tmp_path / "out",
            settings=gossamer.Settings(
                dns=DNS(servers=(served.dns_address,)), seen=SeenSettings(memory=1 << 20)
            ),
            scope="all",
            delay=0,
            allow_private=True,
        )
        summary = job.run()
    assert summary.stopped_by == "on_hold"
    assert summary.statuses == {"200": 200}
    assert summary.waiting == 1

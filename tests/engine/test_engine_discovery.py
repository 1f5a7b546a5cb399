"""What a crawl learns from robots.txt, sitemaps, feeds and headers."""

import gzip
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import gossamer
from tests.engine.engine_crawling import query
from tests.engine.listening import Answering, Listening
from tests.engine.static import serve_static


class Server:
    """Answers by path; each answer is a status, header fields and a body."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        self.answers: dict[str, tuple[int, dict[str, str], str]] = {}
        self.default: tuple[int, dict[str, str], str] = (404, {}, "")
        self.requests: list[tuple[str, float]] = []
        server = self

        class Handler(Answering):
            def answer(self) -> None:
                server.requests.append((self.path, time.time()))
                status, fields, body = server.answers.get(self.path, server.default)
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

        self.server = Listening(Handler, address)
        self.url = f"http://{address}:{self.server.server_port}"

    def page(self, path: str, body: str = "", kind: str = "text/html", **fields: str) -> None:
        extra = {name.replace("_", "-"): value for name, value in fields.items()}
        self.answers[path] = (200, {"Content-Type": kind, **extra}, body)

    def crawl(self, out: Path, **knobs: Any) -> gossamer.Summary:
        settings = {"delay": 0, "allow_private": True, **knobs}
        return gossamer.Crawl(self.url + "/", out=out, **settings).run()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.server.end()


def visited(out: Path) -> dict[str, str]:
    rows = query(out, "select url, via from pages where status = 200")
    return {"/" + url.split("/", 3)[3]: via for url, via in rows}


def test_sitemaps_and_feeds_lead_to_pages_that_nobody_links_to(
    server: Server, tmp_path: Path
) -> None:
    url = server.url
    server.page("/robots.txt", f"User-agent: *\nSitemap: {url}/index.xml\n", "text/plain")
    server.page("/index.xml", f"<sitemapindex><sitemap><loc>{url}/map.xml</loc></sitemap></sitemapindex>",
                "application/xml")  # fmt: skip
    server.page("/map.xml", f"<urlset><url><loc>{url}/hidden</loc></url></urlset>", "text/xml")
    server.page("/", '<link rel=alternate type="application/rss+xml" href="/feed">')
    server.page("/feed", f"<rss><channel><item><link>{url}/news</link></item></channel></rss>",
                "application/rss+xml")  # fmt: skip
    server.page("/hidden")
    server.page("/news")
    server.crawl(tmp_path / "out")
    via = visited(tmp_path / "out")
    assert via.keys() == {"/", "/index.xml", "/map.xml", "/hidden", "/feed", "/news"}
    assert (via["/hidden"], via["/news"]) == ("sitemap", "feed")
    server.crawl(tmp_path / "without", sitemaps=False)
    assert visited(tmp_path / "without").keys() == {"/", "/feed", "/news"}


def test_sitemaps_are_read_whatever_the_server_calls_them(tmp_path: Path) -> None:
    content: dict[str, tuple[str, bytes]] = {}
    with serve_static(content) as site:
        maps = ("/packed", "/unpacked.xml.gz", "/list")
        urls = [f"{site.origin}/page{number}".encode() for number in range(len(maps))]
        sets = [b"<urlset><url><loc>%b</loc></url></urlset>" % url for url in urls]
        named = "".join(f"<sitemap><loc>{path}</loc></sitemap>" for path in maps).encode()
        content["/robots.txt"] = "text/plain", f"Sitemap: {site.origin}/maps".encode()
        content["/maps"] = "text/plain", b"<sitemapindex>%b</sitemapindex>" % named
        content["/packed"] = "application/xml", gzip.compress(sets[0])
        content["/unpacked.xml.gz"] = "application/x-gzip", sets[1]
        content["/list"] = "application/octet-stream", urls[2]
        pages = {"/", *(f"/page{number}" for number in range(len(maps)))}
        content |= dict.fromkeys(pages, ("text/html", b"<p>Nothing leads on."))
        out = tmp_path / "out"
        gossamer.Crawl(site.origin + "/", out=out, delay=0, allow_private=True).run()
    assert visited(tmp_path / "out").keys() == {*pages, *maps, "/maps"}


def test_directives_in_headers_are_obeyed(server: Server, tmp_path: Path) -> None:
    server.page("/", "<a href=/closed><a href=/open>")
    server.page("/closed", "<a href=/secret>", X_Robots_Tag="gossamer: noindex, nofollow")
    server.page("/open", "<a href=/public>", X_Robots_Tag="otherbot: nofollow")
    server.page("/secret")
    server.page("/public")
    server.crawl(tmp_path / "out")
    assert visited(tmp_path / "out").keys() == {"/", "/closed", "/open", "/public"}
    flags = dict(query(tmp_path / "out", "select url, is_indexable from pages"))
    assert not flags[server.url + "/closed"]
    assert flags[server.url + "/open"]


def test_retry_after_is_waited_for_also_across_a_restart(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "out"
    server.page("/", "<a href=/busy><a href=/later>")
    server.answers["/busy"] = (503, {"Retry-After": "3"}, "")
    server.page("/later")
    job = gossamer.Crawl(server.url, out=out, delay=0.05, factor=0.0, allow_private=True)
    for _ in job.turns():
        if job.summary().troubles:
            job.stop("enough")
    server.page("/busy", "at last")
    summary = gossamer.Crawl.resume(out).run()
    assert summary.stopped_by == "finished"
    assert visited(out).keys() == {"/", "/busy", "/later"}
    times = [(path, at) for path, at in server.requests if path != "/robots.txt"]
    asked = next(number for number, (path, _) in enumerate(times) if path == "/busy")
    after = pairwise(at for _, at in times[asked:])
    assert next(later - earlier for earlier, later in after) >= 3.0, "the whole host was left alone"


def test_a_host_in_trouble_keeps_its_urls_waiting(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "out"
    server.page("/", "<a href=/busy><a href=/later>")
    server.answers["/busy"] = (429, {"Retry-After": "3000"}, "")
    server.page("/later")
    summary = server.crawl(out, delay=0.05, factor=0.0)
    assert summary.stopped_by == "on_hold"
    assert summary.waiting == 2, "they wait for another run"


def test_redirects_end_with_a_named_reason(server: Server, tmp_path: Path) -> None:
    links = "<a href=/self><a href=/a><a href=/chain0><a href=/out><a href=/bad>"
    server.page("/", links)
    targets = {
        "/self": "/self",
        "/a": "/b",
        "/b": "/a",
        "/out": "http://other.test/",
        "/bad": "http://[",
    }
    targets |= {f"/chain{number}": f"/chain{number + 1}" for number in range(20)}
    for path, target in targets.items():
        server.answers[path] = (302, {"Location": target}, "")
    summary = server.crawl(tmp_path / "out")
    assert summary.refused == {
        "redirect_loop": 1,
        "too_many_redirects": 1,
        "out_of_scope": 1,
        "bad_url": 1,
    }


def test_page_requisites_load_others(server: Server, tmp_path: Path) -> None:
    server.page("/", "<script type=module src=/a.js></script><img src=/d.svg><a href=/b.js>x</a>")
    server.page("/a.js", "import './c.js'", "text/javascript")
    server.page("/c.js", "import('./missing.js')", "text/javascript")
    server.page("/d.svg", "<svg><image href='e.png'/></svg>", "image/svg+xml")
    server.crawl(tmp_path / "out", page_requisites=True)
    found = {path for path, _ in server.requests if path != "/robots.txt"}
    assert found == {"/", "/a.js", "/b.js", "/c.js", "/d.svg", "/e.png", "/missing.js"}


def test_page_requisites_come_from_anywhere_and_lead_nowhere(
    server: Server, tmp_path: Path
) -> None:
    other = Server("127.0.0.2")  # out of scope: another host
    elsewhere = other.url
    server.page(
        "/",
        f"<link rel=stylesheet href={elsewhere}/s.css><img src=/i.png><a href={elsewhere}/page>x</a>"
        f"<img src={elsewhere}/moved.png><a href=/next>next</a>",
    )
    server.page("/next", f"<script src={elsewhere}/j.js></script>")
    server.page("/i.png", "<a href=/never>no page</a><img src=/never.png>")
    other.page("/s.css", "@import 't.css'; a { background: url(b.png) }", "text/css")
    other.page("/t.css", "a { background: url(c.png) }", "text/css")
    other.answers["/moved.png"] = (302, {"Location": "/here.png"}, "")
    summary = server.crawl(tmp_path / "out", page_requisites=True, max_depth=1)
    ours = sorted(path for path, _ in server.requests if path != "/robots.txt")
    theirs = sorted(path for path, _ in other.requests if path != "/robots.txt")
    assert ours == ["/", "/i.png", "/next"]
    assert theirs == ["/b.png", "/c.png", "/here.png", "/j.js", "/moved.png", "/s.css", "/t.css"]
    assert summary.refused == {"out_of_scope": 1, "requisite": 2}  # those on the picture
    vias = dict(query(tmp_path / "out", "select url, via from pages"))
    assert vias[elsewhere + "/b.png"] == vias[elsewhere + "/here.png"] == "requisite"
    other.server.end()

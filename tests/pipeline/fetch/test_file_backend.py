"""Directories that stand for hosts: all that is in them, and nothing else."""

import os
from pathlib import Path

import pytest

import gossamer
from gossamer.core.clock import SystemClock
from gossamer.core.errors import SettingsError
from gossamer.core.poller import Poller
from gossamer.core.records import Page
from gossamer.core.settings import FetchSettings
from gossamer.pipeline.fetch import open_fetcher
from gossamer.pipeline.fetch.backend import Backend
from gossamer.pipeline.fetch.file_backend import FileBackend
from gossamer.pipeline.fetch.schemes import open_schemes
from tests.conformance.backend_suite import BackendSuite, fetch
from tests.engine.engine_crawling import query

HOST = "http://docs.test"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    (root / "sub").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".well-known").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "site-secret").mkdir()
    (tmp_path / "site-secret" / "x.txt").write_text("secret")
    (root / "index.html").write_text("<title>home</title><a href=sub/>sub</a><a href=gone>gone</a>")
    (root / "sub" / "a&b.html").write_text("<title>A</title>")
    (root / "sub" / "image.png").write_bytes(b"\x89PNG")
    (root / ".git" / "config").write_text("secret")
    (root / ".env").write_text("secret")
    (root / ".well-known" / "security.txt").write_text("Contact: me")
    return root


def one(root: Path, path: str, most: int = 1000) -> Page:
    [page] = fetch(FileBackend({"docs.test": root.resolve()}, most, SystemClock()), HOST + path)
    return page


def test_files_and_directories(site: Path) -> None:
    home = one(site, "/")
    assert (home.status, home.media_type, home.protocol) == (200, "text/html", "file")
    assert home.body.startswith(b"<title>home")
    listing = one(site, "/sub/")
    assert b'<a href="./a%26b.html">a&amp;b.html</a>' in listing.body
    moved = one(site, "/sub?x=1")
    assert (moved.status, moved.location) == (301, "/sub/")
    assert one(site, "/sub/a%26b.html?v=2").body == b"<title>A</title>"
    assert one(site, "/sub/image.png").media_type == "image/png"
    assert one(site, "/.well-known/security.txt").status == 200
    cut = one(site, "/index.html", most=10)
    assert (len(cut.body), cut.truncated) == (10, "length")
    assert home.head == (
        b"HTTP/1.1 200 \r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(home.body)
    )


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/sub/..%2f..%2fsecret.txt",
        "/%2e%2e%2fsite-secret/x.txt",
        "/sub/%2e%2e/%2e%2e/secret.txt",
        "//secret.txt",
        "/.git/config",
        "/%2egit/config",
        "/.env",
        "/sub/.hidden",
        "/a%00b",
        "/index.html/",
        "/index.html/x",
        "/out.txt",
        "/out/secret.txt",
        "/round",
        "/" + "x" * 300,
    ],
)
def test_nothing_else_is_served(site: Path, path: str) -> None:
    (site / "out.txt").symlink_to("../secret.txt")
    (site / "out").symlink_to("..")
    (site / "round").symlink_to("round")
    page = one(site, path)
    assert page.status in (403, 404)
    assert page.body == b""


def test_absolute_paths_are_below_the_directory(site: Path) -> None:
    assert one(site, "/etc/hostname").status == 404
    assert one(site, f"/{site.parent / 'secret.txt'}").status == 404


def test_a_link_within_the_directory_is_followed(site: Path) -> None:
    (site / "in.html").symlink_to("index.html")
    assert one(site, "/in.html").status == 200


def test_a_pipe_is_not_read(site: Path) -> None:
    os.mkfifo(site / "pipe")
    assert one(site, "/pipe").status == 403


def test_a_list_names_nothing_hidden(site: Path) -> None:
    (site / "index.html").unlink()
    body = one(site, "/").body
    assert b"sub/" in body
    assert b".well-known/" in body
    assert b".git" not in body
    assert b".env" not in body


@pytest.mark.parametrize(
    ("routes", "said"),
    [
        ({"a.test": "files:/no/such"}, "fetch.routes: '/no/such' is not the whole path"),
        ({"a.test": "files:"}, "fetch.routes: '' is not the whole path"),
        ({"a.test": "files:src"}, "fetch.routes: 'src' is not the whole path"),
        ({"a.test": "filse:/tmp"}, "'filse:/tmp' names no backend; known are files"),
        ({"a.test": "/tmp"}, "'/tmp' names no backend; known are files"),
    ],
)
def test_a_bad_route_is_one_line(tmp_path: Path, routes: dict[str, str], said: str) -> None:
    with pytest.raises(SettingsError) as error:
        gossamer.Crawl("http://a.test/", out=tmp_path / "out", routes=routes).run()
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "out" / "crawl.toml").exists()


def test_a_crawl_of_a_directory(site: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    routes = {"Docs.test": f"files:{site}"}
    request = gossamer.Request(f"{HOST}/index.html", body="x=1")
    gossamer.Crawl(f"{HOST}/", request, out=out, delay=0, routes=routes).run()
    rows = dict(query(out, "select url, status from pages where method is null"))
    assert rows == {
        f"{HOST}/": 200,
        f"{HOST}/gone": 404,
        f"{HOST}/sub/": 200,
        f"{HOST}/sub/a%26b.html": 200,
        f"{HOST}/sub/image.png": 200,
    }
    assert query(out, "select status from pages where method = 'POST'") == [(405,)]
    assert query(out, "select distinct outcome, address from pages") == [("fetched", None)]


def test_more_files_than_there_is_room_for(tmp_path: Path) -> None:
    root, out = tmp_path / "many", tmp_path / "out"
    root.mkdir()
    hosts = [f"h{number}.test" for number in range(300)]
    (root / "index.html").write_text("<title>x</title>")
    routes = dict.fromkeys(hosts, f"files:{root}")
    seeds = [f"http://{host}/" for host in hosts]
    summary = gossamer.Crawl(seeds, out=out, delay=0, routes=routes).run()
    assert (summary.pages, summary.stopped_by) == (300, "finished")


def test_without_routes_there_is_no_router() -> None:
    poller = Poller()
    fetcher = open_fetcher(FetchSettings(), "Gossamer/test", poller, SystemClock())
    assert fetcher.routing is None
    fetcher.close()
    poller.close()


class TestFiles(BackendSuite):
    urls = tuple(f"{HOST}/{name}" for name in ("", "a", "b"))

    @pytest.fixture(autouse=True)
    def _root(self, tmp_path: Path) -> None:
        self.root = tmp_path

    def make(self) -> Backend:
        return FileBackend({"docs.test": self.root}, 1000, SystemClock())


class TestSchemes(BackendSuite):
    urls = ("file:///no/such/a", "file:///no/such/b")

    def make(self) -> Backend:
        backend = open_schemes(FetchSettings(schemes=("http", "file")), SystemClock())
        assert backend is not None
        return backend

"""Crawling again: only what changed is sent again, and the links of the rest are remembered."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

import gossamer
from tests.crawl.crawling import query


class Site:
    """Three pages in a chain; each has an ETag that changes with its text."""

    def __init__(self) -> None:
        self.pages = {
            "/": "<title>root</title><a href=/one>one</a>",
            "/one": "<title>one</title><a href=/two>two</a>",
            "/two": "<title>two</title>",
        }
        self.answers: list[tuple[str, int]] = []
        self.redirects: dict[str, str] = {}
        """Host headers that are sent elsewhere."""
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                if self.path == "/" and self.headers["Host"] in site.redirects:
                    self.send_response(301)
                    self.send_header("Location", site.redirects[self.headers["Host"]])
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                text = site.pages.get(self.path, "")
                etag = f'"{hash(text)}"'
                status = 200 if text else 404
                if text and self.headers["If-None-Match"] == etag:
                    status, text = 304, ""
                site.answers.append((self.path, status))
                self.send_response(status)
                self.send_header("ETag", etag)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.server.shutdown()
    site.server.server_close()


def crawl(site: Site, out: Path, **knobs) -> gossamer.Summary:
    return gossamer.Crawl(site.url, out=out, delay=0, allow_private=True, **knobs).run()


def test_unchanged_pages_are_not_sent_again(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "one")
    assert [status for _, status in site.answers] == [404, 200, 200, 200]
    site.answers.clear()
    site.pages["/one"] = "<title>one, changed</title><a href=/two>two</a>"
    summary = crawl(site, tmp_path / "two", known=str(tmp_path / "one"))
    assert site.answers == [("/robots.txt", 404), ("/", 304), ("/one", 200), ("/two", 304)]
    assert summary.pages == 3, "the links of an unchanged page are followed"
    assert summary.duplicates == 0
    records = _records(tmp_path / "two")
    assert records == {
        site.url + "robots.txt": "response",
        site.url: "revisit",
        site.url + "one": "response",
        site.url + "two": "revisit",
    }
    links = query(tmp_path / "two", "select source, target from links order by all")
    assert links == [(site.url, site.url + "one"), (site.url + "one", site.url + "two")]


def _records(out: Path) -> dict[str, str]:
    kinds = {}
    for path in (out / "warc").glob("*.warc.gz"):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type in ("response", "revisit"):
                    headers = record.rec_headers
                    kinds[headers["WARC-Target-URI"]] = record.rec_type
                    if record.rec_type == "revisit":
                        assert headers["WARC-Profile"].endswith("server-not-modified")
                        assert headers["WARC-Refers-To-Target-URI"] == headers["WARC-Target-URI"]
                        assert headers["WARC-Refers-To-Date"] < headers["WARC-Date"]
    return kinds


def test_a_directory_that_holds_no_crawl_is_one_clear_line(site: Site, tmp_path: Path) -> None:
    with pytest.raises(gossamer.DirectoryError, match="has no pages table; --known names"):
        crawl(site, tmp_path / "out", known=str(tmp_path))
    assert not (tmp_path / "out").exists()

"""Crawls with all that is made of them: graph, ranks, shape, text index."""

import shutil
from html import escape
from pathlib import Path

import pytest

import gossamer
from gossamer.cli import run
from gossamer.text import text_build
from tests.engine.listening import Answering, Listening
from tests.search.build.build_reading import ReadHere

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "</title></svg><svg onload=alert(3)>",
    "{{ 7 * 7 }} ${alert(4)} \u202e nmulov",
)
"""What titles and texts of pages may be, each a page of its own."""


def study(crawl: Path) -> Path:
    """Make everything of a crawl that the dashboard can show."""
    orders = (
        ["graph", "build", "-q"],
        ["graph", "rank", "-q", "--by", "pagerank,degrees,harmonic"],
        ["graph", "shape"],
        ["index", "-q"],
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_build, "ProcessPoolExecutor", ReadHere)
        for words in orders:
            assert run([*words, str(crawl)]) == 0
    return crawl


def copy_and_study(crawl: Path, place: Path) -> Path:
    return study(Path(shutil.copytree(crawl, place)))


def crawl_hostile_pages(out: Path) -> Path:
    """A site whose titles, words and paths are markup."""

    class Hostile(Answering):
        def answer(self) -> None:
            number = self.path[1:2]
            body = b"nothing is here"
            if number.isdigit():
                body = _page(HOSTILE[int(number)])
            elif self.path == "/":
                body = _front()
            self.send_response(200 if b"<title>" in body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = Listening(Hostile)
    try:
        seed = f"http://127.0.0.1:{server.server_port}/"
        gossamer.Crawl(seed, out=out, delay=0, allow_private=True).run()
    finally:
        server.end()
    return study(out)


def _front() -> bytes:
    links = (f'<a href="/{n}?{escape(one)}">{escape(one)}</a>' for n, one in enumerate(HOSTILE))
    return f"<title>front door</title><h1>front</h1><p>{' '.join(links)}".encode()


def _page(title: str) -> bytes:
    said = escape(title)
    words = f"The needle of this page is {said}, and nothing else is said here but that."
    return f'<title>{said}</title><h1>{said}</h1><p>{words} <a href="/">front</a></p>'.encode()

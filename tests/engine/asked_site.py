"""A site that answers requests by POST, and remembers all that it was asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import gossamer
from tests.engine.listening import Answering, Listening


class Asked(NamedTuple):
    method: str
    path: str
    body: bytes
    cookie: str = ""


class AskedSite:
    """`/s` shows its body, `/see`, `/same` and `/away` redirect, `/drop` and `/late` break the connection."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.robots = ""
        self.statuses: dict[str, list[int]] = {}
        """Statuses that paths have first, one after the other."""
        site = self

        class Handler(Answering):
            def do_POST(self) -> None:  # noqa: N802 (as the library calls it)
                self.answer()

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                cookie = self.headers["Cookie"] or ""
                site.asked.append(Asked(self.command, self.path, body, cookie))
                if self.path in ("/drop", "/late"):
                    self.close_connection = True
                    return
                status, fields, text = site.say(self.command, self.path, body)
                self.send_response(status)
                for name, value in {"Content-Type": "text/html", **fields}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

        self.server = Listening(Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def say(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, str], str]:
        if some := self.statuses.get(path):
            return some.pop(0), {}, ""
        if path == "/robots.txt":
            return (200 if self.robots else 404), {"Content-Type": "text/plain"}, self.robots
        if path in ("/see", "/same", "/away"):
            where = {"/see": "/seen", "/same": "/s", "/away": f"{self.elsewhere}/s"}[path]
            return (303 if path == "/see" else 307), {"Location": where}, ""
        if path == "/copy":
            return 200, {}, "<title>copy</title>the same whoever asks, and long enough to be text"
        shown = f"{method} {path} {len(body)} bytes"
        return (
            200,
            {},
            f"<title>{shown}</title>{shown} <a href='/item{len(body)}'>x</a><a href=''>y</a>",
        )

    @property
    def elsewhere(self) -> str:
        return self.url.replace("127.0.0.1", "localhost")

    @property
    def posts(self) -> list[Asked]:
        return [one for one in self.asked if one.method == "POST"]

    def crawl(self, out: Path, *seeds: gossamer.Request | str, **knobs: Any) -> gossamer.Summary:
        return self.open(out, *seeds, **knobs).run()

    def open(self, out: Path, *seeds: gossamer.Request | str, **knobs: Any) -> gossamer.Crawl:
        knobs = {"delay": 0, "allow_private": True, "retry_wait": 0.01, **knobs}
        return gossamer.Crawl(*seeds, out=out, **knobs)


@pytest.fixture
def asked_site() -> Iterator[AskedSite]:
    site = AskedSite()
    yield site
    site.server.end()

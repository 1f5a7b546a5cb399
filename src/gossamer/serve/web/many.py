"""Several crawls on one server: each below /crawls/NAME/, and a page that lists them all.

Below its path each crawl has the pages and the API that it has alone. A visitor logs in once.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from gossamer.base.errors import GossamerError
from gossamer.crawl.control.state import look as look_at_orders
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.web.apologies import Apologies
from gossamer.serve.web.door import Doors
from gossamer.serve.web.entering import Entering
from gossamer.serve.web.html import render
from gossamer.serve.web.proxy import NO_PROXIES, BehindProxy

BELOW = "/crawls/"
_ODD = re.compile(r"[^A-Za-z0-9._~-]+")


def name_crawls(paths: Sequence[Path]) -> dict[str, Path]:
    """A name for each crawl, as it stands in addresses.

    >>> [*name_crawls([Path("a/news"), Path("b/news"), Path("my crawl")])]
    ['news', 'news-2', 'my-crawl']
    """
    named: dict[str, Path] = {}
    for path in paths:
        own = _ODD.sub("-", path.resolve().name).strip(".") or "crawl"
        names = (own, *(f"{own}-{number}" for number in range(2, len(paths) + 2)))
        named[next(name for name in names if name not in named)] = path
    return named


class ManyFaces:
    """Hands requests to the face of the crawl that the path names."""

    def __init__(self, faces: Mapping[str, ASGIApp], index: ASGIApp) -> None:
        self._faces = {
            name: BehindProxy(face, NO_PROXIES, f"{BELOW}{name}") for name, face in faces.items()
        }
        self._index = index

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        face = self._index
        if scope["type"] == "http" and scope["path"].startswith(BELOW):
            name, slash, _ = scope["path"].removeprefix(BELOW).partition("/")
            if name in self._faces and not slash:
                await RedirectResponse(f"{BELOW}{name}/", 303)(scope, receive, send)
                return
            if name in self._faces:
                face = self._faces[name]
                scope = {**scope, "gossamer.door": scope.get("gossamer.root", "")}
        await face(scope, receive, send)


class CrawlLine(Struct, frozen=True):
    """A crawl of several, and how it is."""

    name: str
    path: str
    """Below which its pages and its API are."""
    state: str
    """running, paused, or why it ended."""
    is_running: bool
    pages: int = 0
    pages_per_second: float = 0.0
    waiting: int = 0
    bytes: int = 0
    seconds: float = 0.0
    trouble: str = ""
    """Why nothing can be said of it."""


class CrawlList(Apologies):
    """The page that lists the crawls."""

    def __init__(self, crawls: Mapping[str, ShownCrawl], doors: Doors) -> None:
        super().__init__(self._answer_error)
        self._crawls = crawls
        self._doors = doors

    def routes(self) -> list[Route]:
        return [
            Route("/", self._page),
            Route("/api/crawls", self._json),
            Route("/healthz", self._health),
            *Entering(self._doors).routes(),
        ]

    def look(self) -> list[CrawlLine]:
        return [_line(name, crawl) for name, crawl in self._crawls.items()]

    async def _page(self, request: Request) -> Response:
        lines = await run_in_threadpool(self.look)
        return HTMLResponse(self._render(request, "crawls.html", lines=lines))

    async def _json(self, request: Request) -> Response:
        lines = await run_in_threadpool(self.look)
        return Response(msgspec.json.encode({"crawls": lines}), media_type="application/json")

    async def _health(self, request: Request) -> Response:
        running = sum(crawl.is_running for crawl in self._crawls.values())
        return PlainTextResponse(f"well; {running} of {len(self._crawls)} crawls run\n")

    def _answer_error(self, request: Request, said: str, status: int) -> Response:
        if request.url.path.startswith("/api/"):
            body = msgspec.json.encode({"error": said})
            return Response(body, status, media_type="application/json")
        return HTMLResponse(
            self._render(request, "crawls.html", lines=[], said=said, status=status), status
        )

    def _render(self, request: Request, template: str, **seen: object) -> str:
        around = {"token": self._doors.token_for(request), "said": "", "status": 200}
        is_guarded = self._doors.entrance.is_guarded
        return render(template, is_guarded=is_guarded, **{**around, **seen})


def _line(name: str, crawl: ShownCrawl) -> CrawlLine:
    try:
        summary, is_running = crawl.summary(), crawl.is_running
        is_paused = is_running and look_at_orders(crawl.path).in_force.is_paused
    except (GossamerError, OSError) as error:
        return CrawlLine(name, f"{BELOW}{name}/", "cannot be read", False, trouble=str(error))
    ended = f"ended: {summary.stopped_by}" if summary.stopped_by else "not running"
    return CrawlLine(
        name,
        f"{BELOW}{name}/",
        "paused" if is_paused else "running" if is_running else ended,
        is_running,
        summary.pages,
        summary.pages_per_second,
        summary.waiting,
        summary.bytes,
        summary.seconds,
    )

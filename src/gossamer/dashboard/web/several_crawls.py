"""Several crawls on one server: each below /crawls/NAME/, and a page that lists them all.

Below its path each crawl has the pages and the API that it has alone. A visitor logs in once. The live parts
of all crawls come by one event stream, because a browser opens only six connections to a server.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from gossamer.core.errors import GossamerError
from gossamer.dashboard.crawl_snapshot import snapshot_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import NotThereError, SortableAsked
from gossamer.dashboard.web.error_pages import ErrorPages
from gossamer.dashboard.web.event_stream import LiveFeed, answer_events
from gossamer.dashboard.web.html_templates import render
from gossamer.dashboard.web.live_questions import convert, read_query
from gossamer.dashboard.web.login import Entering
from gossamer.dashboard.web.request_gate import RequestGate
from gossamer.dashboard.web.reverse_proxy import NO_PROXIES, BehindProxy, move_below
from gossamer.dashboard.web.view_rendering import Showing
from gossamer.engine.crawl_health import CrawlState, judge

BELOW = "/crawls/"
_LIST = "crawls"
"""The live part with the list of all crawls."""
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


class SeveralDashboards:
    """Hands requests to the dashboard of the crawl that the path names."""

    def __init__(self, dashboards: Mapping[str, ASGIApp], index: ASGIApp) -> None:
        self._dashboards = {
            name: BehindProxy(dashboard, NO_PROXIES, f"{BELOW}{name}")
            for name, dashboard in dashboards.items()
        }
        self._index = index

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        dashboard = self._index
        if scope["type"] == "http" and scope["path"].startswith(BELOW):
            name, slash, _ = scope["path"].removeprefix(BELOW).partition("/")
            if name in self._dashboards and not slash:
                await RedirectResponse(f"{BELOW}{name}/", 303)(scope, receive, send)
                return
            if name in self._dashboards:
                dashboard = self._dashboards[name]
                scope = {**scope, "gossamer.door": scope.get("gossamer.root", "")}
        await dashboard(scope, receive, send)


class CrawlLine(Struct, frozen=True):
    """A crawl of several, and how it is."""

    name: str
    path: str
    """Below which its pages and its API are."""
    state: CrawlState
    cause: str
    """One sentence."""
    tone: str
    """How loud it is to be said: good, calm, warning or bad."""
    is_running: bool
    pages: int = 0
    pages_per_second: float = 0.0
    """Now."""
    waiting: int = 0
    bytes: int = 0
    seconds: float = 0.0
    alarms: tuple[str, ...] = ()
    """Warnings in addition to the state."""


class CrawlList(ErrorPages):
    """The page that lists the crawls, and the event stream of all of them."""

    def __init__(
        self,
        crawls: Mapping[str, ShownCrawl],
        request_gate: RequestGate,
        showings: Mapping[str, Showing],
        feed: LiveFeed,
    ) -> None:
        super().__init__(self._answer_error)
        self._crawls = crawls
        self._request_gate = request_gate
        self._showings = showings
        self._feed = feed

    def routes(self) -> list[Route]:
        return [
            Route("/", self._page),
            Route("/api/crawls", self._json),
            Route("/events", self._events),
            Route("/healthz", self._health),
            *Entering(self._request_gate).routes(),
        ]

    def look(self) -> list[CrawlLine]:
        return [_line(name, crawl) for name, crawl in self._crawls.items()]

    def draw_live(self, name: str, is_json: bool) -> Callable[[], str]:
        """Return the function that draws a live part: `crawls`, or one of a crawl, such as `news:state`."""
        listed, _, query = name.partition("?")
        if listed == _LIST:
            asked = convert(dict(parse_qsl(query)), SortableAsked)
            assert isinstance(asked, SortableAsked)
            return lambda: self._draw_json() if is_json else self._draw(asked)
        own, _, part = name.partition(":")
        if own not in self._showings:
            raise NotThereError(
                f"of: name {_LIST}, or a crawl and a live page, as NAME:/ or NAME:state"
            )
        draw = self._showings[own].draw_live(part, is_json)
        return draw if is_json else lambda: move_below(f"{BELOW}{own}", draw())

    async def _page(self, request: Request) -> Response:
        asked = read_query(request, SortableAsked)
        lines = await run_in_threadpool(self.look)
        return HTMLResponse(self._render(request, lines=lines, asked=asked))

    async def _json(self, request: Request) -> Response:
        return Response(await run_in_threadpool(self._draw_json), media_type="application/json")

    async def _events(self, request: Request) -> Response:
        return answer_events(request, self._feed, self.draw_live)

    async def _health(self, request: Request) -> Response:
        lines = await run_in_threadpool(self.look)
        running = sum(line.is_running for line in lines)
        states = Counter(line.state.words for line in lines)
        said = ", ".join(f"{count} {words}" for words, count in states.items())
        return PlainTextResponse(f"well; {running} of {len(lines)} crawls run: {said}\n")

    def _draw(self, asked: SortableAsked) -> str:
        return render("crawls.live.html", lines=self.look(), asked=asked)

    def _draw_json(self) -> str:
        return msgspec.json.encode({"crawls": self.look()}).decode()

    def _answer_error(self, request: Request, said: str, status: int) -> Response:
        if request.url.path.startswith("/api/"):
            body = msgspec.json.encode({"error": said})
            return Response(body, status, media_type="application/json")
        return HTMLResponse(self._render(request, said=said, status=status), status)

    def _render(self, request: Request, **seen: object) -> str:
        around = {"token": self._request_gate.token_for(request), "said": "", "status": 200}
        around |= {"lines": [], "asked": SortableAsked()}
        is_guarded = self._request_gate.entrance.is_guarded
        return render("crawls.html", is_guarded=is_guarded, **{**around, **seen})


def _line(name: str, crawl: ShownCrawl) -> CrawlLine:
    """By the same snapshot and verdict as the pages of the crawl."""
    path = f"{BELOW}{name}/"
    try:
        at = snapshot_of(crawl)
    except (GossamerError, OSError) as error:
        said = f"The crawl cannot be read: {error}."
        return CrawlLine(name, path, CrawlState.CONNECTION_LOST, said, "bad", False)
    verdict, summary = judge(at), at.summary
    return CrawlLine(
        name,
        path,
        verdict.state,
        verdict.cause,
        verdict.tone,
        at.is_running,
        summary.pages,
        at.pages_per_second,
        summary.waiting,
        summary.bytes,
        summary.seconds,
        verdict.alarms,
    )

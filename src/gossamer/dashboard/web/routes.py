"""The application: routes, doors, and what is said when something cannot be shown."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType

import anyio
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    JSONResponse,
    PlainTextResponse,
    Response,
)
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from gossamer.core.errors import GossamerError
from gossamer.dashboard.crawl_snapshot import snapshot_of, verdict_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.views import VIEWS
from gossamer.dashboard.views.shares import by_partition
from gossamer.dashboard.web.archive_routes import ArchivedCopies
from gossamer.dashboard.web.control_actions import ANSWERS, STEERING, Steering
from gossamer.dashboard.web.error_pages import ErrorPages
from gossamer.dashboard.web.event_stream import LiveFeed, answer_events
from gossamer.dashboard.web.live_questions import MOST_BODY
from gossamer.dashboard.web.login import Entering
from gossamer.dashboard.web.openapi import describe
from gossamer.dashboard.web.prometheus import TYPE, write_metrics
from gossamer.dashboard.web.request_gate import (
    BehindGate,
    RequestGate,
    SecuredAnswers,
)
from gossamer.dashboard.web.reverse_proxy import NO_PROXIES, BehindPrivatePath, BehindProxy, Proxies
from gossamer.dashboard.web.several_crawls import CrawlList, SeveralDashboards
from gossamer.dashboard.web.view_rendering import Showing
from gossamer.engine.crawl_health import judge
from gossamer.engine.timeline import read_timeline

_STATIC = Path(__file__).parent.parent / "static"
_THREADS = 4
"""Looks that are taken at once; others wait. A crawl beside needs the processor, too."""


def make_app(
    crawl: ShownCrawl,
    request_gate: RequestGate,
    proxies: Proxies = NO_PROXIES,
    root_path: str = "",
    feed: LiveFeed | None = None,
) -> ASGIApp:
    """The dashboard of one crawl."""
    dashboard = _behind_gate(DashboardRoutes(crawl, request_gate, feed or LiveFeed()), request_gate)
    private = BehindPrivatePath(SecuredAnswers(dashboard), request_gate.private_path)
    return BehindProxy(private, proxies, root_path)


def make_app_of_many(
    crawls: Mapping[str, ShownCrawl],
    request_gate: RequestGate,
    proxies: Proxies = NO_PROXIES,
    root_path: str = "",
    feeds: Mapping[str, LiveFeed] = MappingProxyType({}),
    feed: LiveFeed | None = None,
) -> ASGIApp:
    """The dashboards of several crawls, each below a path of its own, and a page that lists them.

    `feeds`: of each crawl; `feed`: of all of them.
    """
    routes = {
        name: DashboardRoutes(
            crawl,
            RequestGate(request_gate.names, request_gate.entrance, request_gate.private_path),
            feeds.get(name) or LiveFeed(),
        )
        for name, crawl in crawls.items()
    }
    dashboards = {
        name: _behind_gate(dashboard, dashboard.request_gate) for name, dashboard in routes.items()
    }
    showings = {name: dashboard.showing for name, dashboard in routes.items()}
    index = _behind_gate(
        CrawlList(crawls, request_gate, showings, feed or LiveFeed()), request_gate
    )
    several = SecuredAnswers(SeveralDashboards(dashboards, index))
    return BehindProxy(BehindPrivatePath(several, request_gate.private_path), proxies, root_path)


def _behind_gate(dashboard: "DashboardRoutes | CrawlList", request_gate: RequestGate) -> ASGIApp:
    return Starlette(
        routes=[*dashboard.routes(), Mount("/static", StaticFiles(directory=_STATIC))],
        middleware=[Middleware(BehindGate, request_gate=request_gate)],
        exception_handlers={
            GossamerError: dashboard.refuse,
            OSError: dashboard.give_up,
            HTTPException: dashboard.answer_http,
            Exception: dashboard.apologize,
        },
        lifespan=_few_threads,
        max_body_size=MOST_BODY,
    )


@asynccontextmanager
async def _few_threads(app: Starlette) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
    yield


class DashboardRoutes(ErrorPages):
    """Answers requests for one crawl."""

    def __init__(self, crawl: ShownCrawl, request_gate: RequestGate, feed: LiveFeed) -> None:
        self._crawl = crawl
        self.request_gate = request_gate
        self.showing = Showing(crawl, VIEWS, request_gate)
        super().__init__(self.showing.answer_error)
        self._feed = feed

    def routes(self) -> list[BaseRoute]:
        return [
            *self.showing.routes(),
            *Steering(self._crawl, self.showing, self.request_gate).routes(),
            *ArchivedCopies(self._crawl, self.request_gate).routes(),
            Route("/events", self._events),
            *Entering(self.request_gate).routes(),
            Route("/healthz", self._health),
            Route("/metrics", self._metrics),
            Route("/api/openapi.json", self._describe),
        ]

    # Who and what.

    async def _health(self, request: Request) -> Response:
        state = await run_in_threadpool(lambda: verdict_of(self._crawl).state)
        return PlainTextResponse(f"well; the crawl: {state.words}\n")

    async def _metrics(self, request: Request) -> Response:
        return Response(await run_in_threadpool(self._measure), media_type=TYPE)

    def _measure(self) -> str:
        crawl, at = self._crawl, snapshot_of(self._crawl)
        crawl.attend()
        shares = by_partition(read_timeline(crawl.path), at.summary, crawl.present)
        return write_metrics(at, judge(at), shares)

    async def _describe(self, request: Request) -> Response:
        return JSONResponse(describe(VIEWS, STEERING, ANSWERS))

    # Live.

    async def _events(self, request: Request) -> Response:
        return answer_events(request, self._feed, self.showing.draw_live)

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

from gossamer.base.errors import GossamerError
from gossamer.crawl.timeline import read_timeline
from gossamer.crawl.verdict import judge
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.snapshot import snapshot_of, verdict_of
from gossamer.serve.subjects import SUBJECTS
from gossamer.serve.subjects.shares import by_partition
from gossamer.serve.web.apologies import Apologies
from gossamer.serve.web.archive import ArchivedCopies
from gossamer.serve.web.asking import MOST_BODY
from gossamer.serve.web.door import (
    BehindDoors,
    Doors,
    SecuredAnswers,
)
from gossamer.serve.web.entering import Entering
from gossamer.serve.web.events import LiveFeed, answer_events
from gossamer.serve.web.many import CrawlList, ManyFaces
from gossamer.serve.web.metrics import TYPE, write_metrics
from gossamer.serve.web.openapi import describe
from gossamer.serve.web.proxy import NO_PROXIES, BehindProxy, Proxies
from gossamer.serve.web.showing import Showing
from gossamer.serve.web.steering import STEERING, Steering

_STATIC = Path(__file__).parent.parent / "static"
_THREADS = 4
"""Looks that are taken at once; others wait. A crawl beside needs the processor, too."""


def make_app(
    crawl: ShownCrawl,
    doors: Doors,
    proxies: Proxies = NO_PROXIES,
    root_path: str = "",
    feed: LiveFeed | None = None,
) -> ASGIApp:
    """The face of one crawl."""
    face = _behind_doors(FaceRoutes(crawl, doors, feed or LiveFeed()), doors)
    return BehindProxy(SecuredAnswers(face), proxies, root_path)


def make_app_of_many(
    crawls: Mapping[str, ShownCrawl],
    doors: Doors,
    proxies: Proxies = NO_PROXIES,
    root_path: str = "",
    feeds: Mapping[str, LiveFeed] = MappingProxyType({}),
    feed: LiveFeed | None = None,
) -> ASGIApp:
    """The faces of several crawls, each below a path of its own, and a page that lists them.

    `feeds`: of each crawl; `feed`: of all of them.
    """
    routes = {
        name: FaceRoutes(crawl, Doors(doors.names, doors.entrance), feeds.get(name) or LiveFeed())
        for name, crawl in crawls.items()
    }
    faces = {name: _behind_doors(face, face.doors) for name, face in routes.items()}
    showings = {name: face.showing for name, face in routes.items()}
    index = _behind_doors(CrawlList(crawls, doors, showings, feed or LiveFeed()), doors)
    return BehindProxy(SecuredAnswers(ManyFaces(faces, index)), proxies, root_path)


def _behind_doors(face: "FaceRoutes | CrawlList", doors: Doors) -> ASGIApp:
    return Starlette(
        routes=[*face.routes(), Mount("/static", StaticFiles(directory=_STATIC))],
        middleware=[Middleware(BehindDoors, doors=doors)],
        exception_handlers={
            GossamerError: face.refuse,
            OSError: face.give_up,
            HTTPException: face.answer_http,
            Exception: face.apologize,
        },
        lifespan=_few_threads,
        max_body_size=MOST_BODY,
    )


@asynccontextmanager
async def _few_threads(app: Starlette) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
    yield


class FaceRoutes(Apologies):
    """What answers requests."""

    def __init__(self, crawl: ShownCrawl, doors: Doors, feed: LiveFeed) -> None:
        self._crawl = crawl
        self.doors = doors
        self.showing = Showing(crawl, SUBJECTS, doors)
        super().__init__(self.showing.answer_error)
        self._feed = feed

    def routes(self) -> list[BaseRoute]:
        return [
            *self.showing.routes(),
            *Steering(self._crawl, self.showing, self.doors).routes(),
            *ArchivedCopies(self._crawl, self.doors).routes(),
            Route("/events", self._events),
            *Entering(self.doors).routes(),
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
        return JSONResponse(describe(SUBJECTS, STEERING))

    # Live.

    async def _events(self, request: Request) -> Response:
        return answer_events(request, self._feed, self.showing.draw_live)

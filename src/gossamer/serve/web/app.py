"""The application: routes, doors, and what is said when something cannot be shown."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from gossamer.base.errors import GossamerError
from gossamer.crawl.timeline import read_timeline
from gossamer.crawl.verdict import judge
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.snapshot import snapshot_of, verdict_of
from gossamer.serve.subject import NotThereError
from gossamer.serve.subjects import SUBJECTS
from gossamer.serve.subjects.shares import by_partition
from gossamer.serve.web.archive import ArchivedCopies
from gossamer.serve.web.asking import MOST_BODY, AskedWronglyError, read_form
from gossamer.serve.web.door import (
    FAILED,
    TOO_MANY,
    BehindDoors,
    Doors,
    SecuredAnswers,
    address_of,
    cookie_name,
)
from gossamer.serve.web.events import LiveFeed
from gossamer.serve.web.html import render
from gossamer.serve.web.metrics import TYPE, write_metrics
from gossamer.serve.web.openapi import describe
from gossamer.serve.web.proxy import NO_PROXIES, BehindProxy, Proxies
from gossamer.serve.web.showing import Showing
from gossamer.serve.web.steering import STEERING, Steering

_STATIC = Path(__file__).parent.parent / "static"
_MOST_LIVE = 20
"""Subjects of one event stream."""
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
    face = FaceRoutes(crawl, doors, feed or LiveFeed())
    app = Starlette(
        routes=face.routes(),
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
    return BehindProxy(SecuredAnswers(app), proxies, root_path)


@asynccontextmanager
async def _few_threads(app: Starlette) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
    yield


class FaceRoutes:
    """What answers requests."""

    def __init__(self, crawl: ShownCrawl, doors: Doors, feed: LiveFeed) -> None:
        self._crawl = crawl
        self._doors = doors
        self._showing = Showing(crawl, SUBJECTS, doors)
        self._feed = feed

    def routes(self) -> list[BaseRoute]:
        return [
            *self._showing.routes(),
            *Steering(self._crawl, self._showing, self._doors).routes(),
            *ArchivedCopies(self._crawl, self._doors).routes(),
            Route("/events", self._events),
            Route("/login", self._log_in, methods=["GET", "POST"]),
            Route("/logout", self._log_out, methods=["POST"]),
            Route("/healthz", self._health),
            Route("/metrics", self._metrics),
            Route("/api/openapi.json", self._describe),
            Route("/api/token", self._token),
            Mount("/static", StaticFiles(directory=_STATIC)),
        ]

    # Who and what.

    async def _log_in(self, request: Request) -> Response:
        entrance, said = self._doors.entrance, ""
        if request.method == "POST":
            try:
                password = (await read_form(request)).get("password", "")
            except AskedWronglyError as error:
                return HTMLResponse(render("login.html", said=str(error)), 400)
            address = address_of(request)
            session = entrance.log_in(password, address, time.monotonic())
            if session is not None:
                answer = RedirectResponse("/", 303)
                self._doors.set_cookie(request, answer, session)
                return answer
            is_closed = entrance.is_closed(address, time.monotonic())
            said = TOO_MANY if is_closed else "wrong password or key"
        elif "used" in request.query_params:
            said = "this link was opened before, or is of an earlier run; give the key"
        status = 401 if said else 200
        return HTMLResponse(render("login.html", said=said), status)

    async def _log_out(self, request: Request) -> Response:
        form = await read_form(request)
        if self._doors.is_wanted(request, form.get("token", "")):
            self._doors.entrance.log_out(request.cookies.get(cookie_name(request), ""))
        return RedirectResponse("/login", 303)

    async def _token(self, request: Request) -> Response:
        return JSONResponse({"token": self._doors.token_for(request)})

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
        asked = request.query_params
        is_json = asked.get("as", "html") == "json"
        wanted = [
            (name, self._showing.draw_live(name, is_json))
            for name in asked.getlist("of")[:_MOST_LIVE]
        ]
        if self._feed.is_full:
            return PlainTextResponse("too many live pages are open\n", 503)
        return StreamingResponse(self._feed.listen(wanted, is_json), media_type="text/event-stream")

    # What cannot be shown.

    async def refuse(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, GossamerError)
        return self._showing.refuse(request, error)

    async def give_up(self, request: Request, error: Exception) -> Response:
        """The disk refuses, or the crawl directory has gone."""
        return self._showing.refuse(request, GossamerError(f"the crawl cannot be read: {error}"))

    async def apologize(self, request: Request, error: Exception) -> Response:
        """An error that nobody expected; the framework raises it again, so that the server logs it."""
        return self._showing.answer_error(request, FAILED.strip(), 500)

    async def answer_http(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            return self._showing.refuse(request, NotThereError("there is no such page"))
        return PlainTextResponse(f"{error.detail}\n", error.status_code)

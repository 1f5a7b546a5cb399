"""A subject as a page of the browser, and as JSON for programs."""

import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gossamer.core.errors import GossamerError
from gossamer.dashboard.access.request_forgery import ForgedError
from gossamer.dashboard.crawl_snapshot import verdict_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import Asked, NotThereError, View
from gossamer.dashboard.web.crawl_switcher import switch_from
from gossamer.dashboard.web.html_templates import render
from gossamer.dashboard.web.live_questions import AskedWronglyError, convert, read_query
from gossamer.dashboard.web.request_gate import RequestGate
from gossamer.engine.control.command_patterns import CommandError
from gossamer.graph.published_graph import find_published
from gossamer.search.index_manifest import MANIFEST

Handler = Callable[[Request], Awaitable[Response]]

STATE = "state"
"""The live part that is in the head of every page."""

_encode = msgspec.json.Encoder(enc_hook=str).encode


class Showing:
    """Makes pages and JSON of subjects."""

    def __init__(
        self, crawl: ShownCrawl, views: tuple[View, ...], request_gate: RequestGate
    ) -> None:
        self._crawl = crawl
        self._views = views
        self._request_gate = request_gate

    def routes(self) -> list[Route]:
        pages = [Route(view.path, self._page(view), name=view.title) for view in self._views]
        return [*pages, *(Route(f"/api{view.path}", self._json(view)) for view in self._views)]

    def frame(self, request: Request | None, title: str) -> dict[str, object]:
        """The parts that every page has around its view."""
        return {
            "title": title,
            "menu": [view for view in self._views if view.is_in_menu],
            "here": request.url.path if request is not None else "",
            "crawl_name": self._crawl.name,
            "crawl_path": self._crawl.own_name,
            "loaded": round(time.time()),
            "notes": self._crawl.notes,
            "is_running": self._crawl.is_running,
            "verdict": verdict_of(self._crawl),
            **self._for_remedies(
                self._request_gate.token_for(request) if request is not None else ""
            ),
            "is_guarded": self._request_gate.entrance.is_guarded,
            "missing": [*_missing(self._crawl)],
            "switch": [*switch_from(self._crawl.siblings, self._crawl.own_name, request)],
        }

    def show(
        self,
        request: Request,
        view: View,
        refused: str = "",
        more: Mapping[str, object] = {"foreseen": None, "fields": {}},
    ) -> str:
        """The whole page; `refused` says why what was wanted on it was not done.

        `more`: for the page after a form, what would be done, and the fields of the form.
        """
        asked = read_query(request, view.asked)
        seen = self._look(view, asked)
        around = self.frame(request, view.title) | {"refused": refused, **more}
        return render(view.template, seen=seen, asked=asked, view=view, **around)

    def draw_live(self, name: str, is_json: bool) -> Callable[[], str]:
        """Return the function that draws the live part of a page, for all its readers.

        The name is the path of a subject, with its query; or `state`, which is in the head of every page.
        """
        if name == STATE:
            return self._draw_state_json if is_json else self._draw_state
        path, _, query = name.partition("?")
        view = next((one for one in self._views if one.path == path and one.live), None)
        if view is None:
            raise NotThereError("of: name a page that is live, such as /events?of=/")
        asked = convert(dict(parse_qsl(query)), view.asked)
        if is_json:
            return lambda: _encode(self._look(view, asked)).decode()
        return lambda: render(view.live, seen=self._look(view, asked), asked=asked, view=view)

    def _draw_state(self) -> str:
        return render("state.live.html", verdict=verdict_of(self._crawl), **self._for_remedies())

    def _for_remedies(self, token: str = "") -> dict[str, object]:
        """The parts around the verdict; without a token, those that are the same for all readers."""
        can_resume = self._crawl.in_storage is None and not self._crawl.is_running
        return {"token": token, "can_resume": can_resume}

    def _draw_state_json(self) -> str:
        return _encode(verdict_of(self._crawl)).decode()

    def _look(self, view: View, asked: Asked) -> Any:
        self._crawl.attend()
        return view.look(self._crawl, asked)

    def answer_error(self, request: Request, said: str, status: int) -> Response:
        """A line that says why there is nothing else, with its status."""
        if request.url.path.startswith("/api/"):
            return Response(_encode({"error": said}), status, media_type="application/json")
        around = self.frame(request, "Not shown")
        return HTMLResponse(render("error.html", said=said, status=status, **around), status)

    def _page(self, view: View) -> Handler:
        async def page(request: Request) -> Response:
            return HTMLResponse(await run_in_threadpool(self.show, request, view))

        return page

    def _json(self, view: View) -> Handler:
        def look(request: Request) -> bytes:
            return _encode(self._look(view, read_query(request, view.asked)))

        async def answer(request: Request) -> Response:
            return Response(await run_in_threadpool(look, request), media_type="application/json")

        return answer


def _missing(crawl: ShownCrawl) -> Iterator[str]:
    """The jobs that can be started here and whose result does not exist."""
    if crawl.in_storage is None:
        if not (crawl.path / "index" / MANIFEST).exists():
            yield "index"
        if find_published(crawl.path) is None:
            yield "graph"


def status_of(error: GossamerError) -> int:
    return next((status for kind, status in _STATUSES.items() if isinstance(error, kind)), 409)


_STATUSES = {NotThereError: 404, AskedWronglyError: 400, CommandError: 400, ForgedError: 403}
"""By what went wrong; whatever else it is, the crawl is not in a state for it."""

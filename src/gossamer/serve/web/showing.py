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

from gossamer.base.errors import GossamerError
from gossamer.crawl.control.patterns import OrderError
from gossamer.harvest.graph.published import find_published
from gossamer.harvest.index.manifest import MANIFEST
from gossamer.serve.guard.forgery import ForgedError
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.snapshot import verdict_of
from gossamer.serve.subject import Asked, NotThereError, Subject
from gossamer.serve.web.asking import AskedWronglyError, convert, read_query
from gossamer.serve.web.door import Doors
from gossamer.serve.web.html import render
from gossamer.serve.web.switch import switch_from

Handler = Callable[[Request], Awaitable[Response]]

STATE = "state"
"""The live part that is in the head of every page."""

_encode = msgspec.json.Encoder(enc_hook=str).encode


class Showing:
    """Makes pages and JSON of subjects."""

    def __init__(self, crawl: ShownCrawl, subjects: tuple[Subject, ...], doors: Doors) -> None:
        self._crawl = crawl
        self._subjects = subjects
        self._doors = doors

    def routes(self) -> list[Route]:
        pages = [Route(one.path, self._page(one), name=one.title) for one in self._subjects]
        return [*pages, *(Route(f"/api{one.path}", self._json(one)) for one in self._subjects)]

    def frame(self, request: Request | None, title: str) -> dict[str, object]:
        """What every page has around its subject."""
        return {
            "title": title,
            "menu": [one for one in self._subjects if one.is_in_menu],
            "here": request.url.path if request is not None else "",
            "crawl_name": self._crawl.name,
            "crawl_path": self._crawl.own_name,
            "loaded": round(time.time()),
            "notes": self._crawl.notes,
            "is_running": self._crawl.is_running,
            "verdict": verdict_of(self._crawl),
            **self._for_remedies(self._doors.token_for(request) if request is not None else ""),
            "is_guarded": self._doors.entrance.is_guarded,
            "missing": [*_missing(self._crawl)],
            "switch": [*switch_from(self._crawl.siblings, self._crawl.own_name, request)],
        }

    def show(
        self,
        request: Request,
        subject: Subject,
        refused: str = "",
        more: Mapping[str, object] = {"foreseen": None, "fields": {}},
    ) -> str:
        """The whole page; `refused` says why what was wanted on it was not done.

        `more`: for the page after a form, what would be done, and the fields of the form.
        """
        asked = read_query(request, subject.asked)
        seen = self._look(subject, asked)
        around = self.frame(request, subject.title) | {"refused": refused, **more}
        return render(subject.template, seen=seen, asked=asked, subject=subject, **around)

    def draw_live(self, name: str, is_json: bool) -> Callable[[], str]:
        """How the live part of a page is drawn, for everybody who looks at it.

        The name is the path of a subject, with its query; or `state`, which is in the head of every page.
        """
        if name == STATE:
            return self._draw_state_json if is_json else self._draw_state
        path, _, query = name.partition("?")
        subject = next((one for one in self._subjects if one.path == path and one.live), None)
        if subject is None or not name.isprintable():
            raise NotThereError("of: name a page that is live, such as /events?of=/")
        asked = convert(dict(parse_qsl(query)), subject.asked)
        if is_json:
            return lambda: _encode(self._look(subject, asked)).decode()
        return lambda: render(
            subject.live, seen=self._look(subject, asked), asked=asked, subject=subject
        )

    def _draw_state(self) -> str:
        return render("state.live.html", verdict=verdict_of(self._crawl), **self._for_remedies())

    def _for_remedies(self, token: str = "") -> dict[str, object]:
        """What is around the verdict; without a token, what is the same to all readers."""
        can_resume = self._crawl.at_home is None and not self._crawl.is_running
        return {"token": token, "can_resume": can_resume}

    def _draw_state_json(self) -> str:
        return _encode(verdict_of(self._crawl)).decode()

    def _look(self, subject: Subject, asked: Asked) -> Any:
        self._crawl.attend()
        return subject.look(self._crawl, asked)

    def answer_error(self, request: Request, said: str, status: int) -> Response:
        """A line that says why there is nothing else, with its status."""
        if request.url.path.startswith("/api/"):
            return Response(_encode({"error": said}), status, media_type="application/json")
        around = self.frame(request, "Not shown")
        return HTMLResponse(render("error.html", said=said, status=status, **around), status)

    def _page(self, subject: Subject) -> Handler:
        async def page(request: Request) -> Response:
            return HTMLResponse(await run_in_threadpool(self.show, request, subject))

        return page

    def _json(self, subject: Subject) -> Handler:
        def look(request: Request) -> bytes:
            return _encode(self._look(subject, read_query(request, subject.asked)))

        async def answer(request: Request) -> Response:
            return Response(await run_in_threadpool(look, request), media_type="application/json")

        return answer


def _missing(crawl: ShownCrawl) -> Iterator[str]:
    """What can be built from here, and is not there."""
    if crawl.at_home is None:
        if not (crawl.path / "index" / MANIFEST).exists():
            yield "index"
        if find_published(crawl.path) is None:
            yield "graph"


def status_of(error: GossamerError) -> int:
    return next((status for kind, status in _STATUSES.items() if isinstance(error, kind)), 409)


_STATUSES = {NotThereError: 404, AskedWronglyError: 400, OrderError: 400, ForgedError: 403}
"""By what went wrong; whatever else it is, the crawl is not in a state for it."""

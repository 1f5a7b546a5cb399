"""Orders from the browser and from programs, handed to the control channel of the crawl."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from gossamer.core.errors import GossamerError
from gossamer.dashboard.access.request_forgery import ForgedError
from gossamer.dashboard.command_preview import CommandPreview, foresee_in_words
from gossamer.dashboard.jobs import JobState
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.views.control_view import CONTROL
from gossamer.dashboard.web.live_questions import AskedWronglyError, read_form
from gossamer.dashboard.web.request_gate import RequestGate, address_of
from gossamer.dashboard.web.view_rendering import Showing
from gossamer.engine.control import read_command
from gossamer.engine.control.control_client import send_command
from gossamer.engine.control.control_messages import Reply

_SECONDS = 10.0
"""For so long a crawl is waited for."""
_FIELDS = ("token", "order", "what", "value", "back", "dry_run")
_BACK = re.compile(r"/(replay|act)\?[!-~]+")
"""Pages of ours that say what was ordered on them."""
_JSON = "application/json"


class Steering:
    """Takes orders by POST, if they were wanted by who sent them."""

    def __init__(self, crawl: ShownCrawl, showing: Showing, request_gate: RequestGate) -> None:
        self._crawl = crawl
        self._showing = showing
        self._request_gate = request_gate

    def routes(self) -> list[Route]:
        return [
            Route("/control", self._from_browser, methods=["POST"]),
            Route("/api/control", self._from_program, methods=["POST"]),
            Route("/control/job", self._job_from_browser, methods=["POST"]),
            Route("/api/control/job", self._job_from_program, methods=["POST"]),
        ]

    async def _from_browser(self, request: Request) -> Response:
        """On to a page that says what was ordered; or back, with what was wrong or would be done."""
        command_preview, fields = None, dict[str, str]()
        try:
            fields = await self._read(request)
            if not fields.get("dry_run"):
                reply = await self._take(request, fields)
                return RedirectResponse(_place(fields.get("back", ""), reply.number), 303)
            command_preview, refused = await self._foresee(fields), ""
        except ForgedError:
            raise
        except GossamerError as error:
            refused = str(error)
        more = {"foreseen": command_preview, "fields": fields}
        page = await run_in_threadpool(self._showing.show, request, CONTROL, refused, more)
        return HTMLResponse(page, 400 if refused else 200)

    async def _from_program(self, request: Request) -> Response:
        fields = await self._read(request)
        is_dry = fields.get("dry_run")
        reply = await (self._foresee(fields) if is_dry else self._take(request, fields))
        return Response(msgspec.json.encode(reply), media_type=_JSON)

    async def _job_from_browser(self, request: Request) -> Response:
        try:
            await self._begin_job(request)
        except ForgedError:
            raise
        except GossamerError as error:
            page = await run_in_threadpool(self._showing.show, request, CONTROL, str(error))
            return HTMLResponse(page, 409)
        return RedirectResponse("/control#build", 303)

    async def _job_from_program(self, request: Request) -> Response:
        await self._begin_job(request)
        return Response(msgspec.json.encode(self._crawl.jobs.state), media_type=_JSON)

    async def _begin_job(self, request: Request) -> None:
        fields = await read_form(request)
        self._request_gate.check_wanted(request, fields.get("token", ""))
        if strange := sorted(set(fields) - {"token", "job"}):
            raise AskedWronglyError(f"there is no field {strange[0]}; known: token, job")
        self._crawl.check_is_here()
        jobs, name = self._crawl.jobs, fields.get("job", "").strip()
        if name == "end":
            jobs.end()
        else:
            await run_in_threadpool(jobs.begin, name)

    async def _read(self, request: Request) -> dict[str, str]:
        """Read the form of a change, and check that it comes from the session that sent it."""
        fields = await read_form(request)
        self._request_gate.check_wanted(request, fields.get("token", ""))
        if strange := sorted(set(fields) - set(_FIELDS)):
            raise AskedWronglyError(f"there is no field {strange[0]}; known: {', '.join(_FIELDS)}")
        return fields

    async def _take(self, request: Request, fields: dict[str, str]) -> Reply:
        self._crawl.check_accepts_commands()
        order, origin = read_command(_words(fields)), f"browser {address_of(request)}"
        return await run_in_threadpool(send_command, self._crawl.path, order, origin, _SECONDS)

    async def _foresee(self, fields: dict[str, str]) -> CommandPreview:
        order = read_command(_words(fields))
        return await run_in_threadpool(foresee_in_words, self._crawl, order)


def _place(back: str, number: int) -> str:
    """The page to go to when a command is recorded: never one of another site.

    >>> _place("/act?what=a.test", 7), _place("//evil.test/act?x", 7), _place("", 7)
    ('/act?what=a.test&given=7', '/control?number=7', '/control?number=7')
    """
    return f"{back}&given={number}" if _BACK.fullmatch(back) else f"/control?number={number}"


def _words(fields: dict[str, str]) -> list[str]:
    """The words of a command: all of them in one field, or one to a field, as forms have them.

    >>> _words({"order": "block example.org"}), _words({"order": "delay", "what": "a.test", "value": "2"})
    (['block', 'example.org'], ['delay', 'a.test', '2'])
    >>> _words({"order": "set", "what": "order.name", "value": "a b"})
    ['set', 'order.name=a b']
    """
    order, what, value = (fields.get(name, "").strip() for name in ("order", "what", "value"))
    if order == "set" and what:
        return [order, f"{what}={value}"]
    if order.startswith("set ") and not what:
        return ["set", order.removeprefix("set ").strip()]
    return [*order.split(), *what.split(), *([value] if value else [])]


def _posting(summary: str, fields: Sequence[str], needed: str, said: str) -> dict[str, Any]:
    """The description of something that changes something."""
    schema = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in fields},
        "required": [needed],
        "additionalProperties": False,
    }
    kinds = (_JSON, "application/x-www-form-urlencoded")
    return {
        "post": {
            "summary": summary,
            "requestBody": {
                "required": True,
                "content": {kind: {"schema": schema} for kind in kinds},
            },
            "responses": {
                "200": {"description": said},
                "400": {"description": "The command was not understood."},
                "403": {"description": "The token is missing or wrong."},
                "409": {"description": "The crawl is not in a state for it."},
            },
        }
    }


STEERING: dict[str, Any] = {
    "/api/control": _posting(
        "Give a command to the crawl, in the words of `gossamer control`.",
        _FIELDS,
        "order",
        "The command is recorded; `said` describes its effect. With `dry_run` it is not: `said` and "
        "`reached` say how many waiting URLs it would set aside.",
    ),
    "/api/control/job": _posting(
        "Resume the crawl, build its text index or its graph, or end a build; GET /api/control says how far "
        "it is.",
        ("token", "job"),
        "job",
        "The job was started (resume, index, graph), or is being ended (end).",
    ),
}
"""The description of what changes something, for OpenAPI."""
ANSWERS: dict[str, tuple[type, ...]] = {
    "/api/control": (Reply, CommandPreview),
    "/api/control/job": (JobState,),
}
"""The answers to these, when all went well: one of these records."""

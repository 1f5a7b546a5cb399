"""Orders from the browser and from programs, handed to the control channel of the crawl."""

from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from gossamer.base.errors import GossamerError
from gossamer.crawl.control import read_order
from gossamer.crawl.control.client import tell
from gossamer.crawl.control.messages import Reply
from gossamer.serve.guard.forgery import ForgedError
from gossamer.serve.shown_crawl import ShownCrawl
from gossamer.serve.subjects.control import CONTROL
from gossamer.serve.web.asking import AskedWronglyError, read_form
from gossamer.serve.web.door import Doors, address_of
from gossamer.serve.web.showing import Showing

_SECONDS = 10.0
"""For so long a crawl is waited for."""
_FIELDS = ("token", "order", "what", "value")
_JSON = "application/json"


class Steering:
    """Takes orders by POST, if they were wanted by who sent them."""

    def __init__(self, crawl: ShownCrawl, showing: Showing, doors: Doors) -> None:
        self._crawl = crawl
        self._showing = showing
        self._doors = doors

    def routes(self) -> list[Route]:
        return [
            Route("/control", self._from_browser, methods=["POST"]),
            Route("/api/control", self._from_program, methods=["POST"]),
        ]

    async def _from_browser(self, request: Request) -> Response:
        """On to the list of orders, which has it; or the page once more, with what was wrong."""
        try:
            reply = await self._take(request)
        except ForgedError:
            raise
        except GossamerError as error:
            page = await run_in_threadpool(self._showing.show, request, CONTROL, str(error))
            return HTMLResponse(page, 400)
        return RedirectResponse(f"/control?number={reply.number}", 303)

    async def _from_program(self, request: Request) -> Response:
        reply = await self._take(request)
        return Response(msgspec.json.encode(reply), media_type=_JSON)

    async def _take(self, request: Request) -> Reply:
        fields = await read_form(request)
        token = fields.get("token", "") or request.headers.get("x-gossamer-token", "")
        if not self._doors.is_wanted(request, token):
            raise ForgedError(
                "this change did not come from a page of ours, or the page is old: load it again; "
                "programs find a token at /api/token"
            )
        self._crawl.check_can_be_told()
        order, origin = read_order(_words(fields)), f"browser {address_of(request)}"
        return await run_in_threadpool(tell, self._crawl.path, order, origin, _SECONDS)


def _words(fields: dict[str, str]) -> list[str]:
    """The words of an order: all of them in one field, or one to a field, as forms have them.

    >>> _words({"order": "block example.org"}), _words({"order": "delay", "what": "a.test", "value": "2"})
    (['block', 'example.org'], ['delay', 'a.test', '2'])
    >>> _words({"order": "set", "what": "order.name", "value": "a b"})
    ['set', 'order.name=a b']
    """
    if strange := sorted(set(fields) - set(_FIELDS)):
        raise AskedWronglyError(f"there is no field {strange[0]}; known: {', '.join(_FIELDS)}")
    order, what, value = (fields.get(name, "").strip() for name in _FIELDS[1:])
    if order == "set" and what:
        return [order, f"{what}={value}"]
    if order.startswith("set ") and not what:
        return ["set", order.removeprefix("set ").strip()]
    return [*order.split(), *what.split(), *([value] if value else [])]


STEERING: dict[str, Any] = {
    "/api/control": {
        "post": {
            "summary": "Give an order to the crawl, in the words of `gossamer tell`.",
            "operationId": "post_control",
            "requestBody": {
                "required": True,
                "content": {
                    _JSON: {
                        "schema": {
                            "type": "object",
                            "properties": {name: {"type": "string"} for name in _FIELDS},
                            "required": ["order"],
                            "additionalProperties": False,
                        }
                    }
                },
            },
            "responses": {
                "200": {"description": "It is on record; `said` says what follows."},
                "400": {"description": "It was not understood."},
                "403": {"description": "The token is missing or wrong."},
            },
        }
    }
}
"""The description of what changes something, for OpenAPI."""

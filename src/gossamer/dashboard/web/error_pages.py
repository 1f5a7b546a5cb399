"""Error pages of the dashboard."""

from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from gossamer.core.errors import GossamerError
from gossamer.dashboard.web.request_gate import FAILED
from gossamer.dashboard.web.view_rendering import status_of

Answer = Callable[[Request, str, int], Response]
"""A line that says why there is nothing else, with its status."""


class ErrorPages:
    """Handlers of the errors of an application."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    async def refuse(self, request: Request, error: Exception) -> Response:
        """One line: what, where, what to do; for who reads and for who programs."""
        assert isinstance(error, GossamerError)
        return self._answer(request, str(error), status_of(error))

    async def give_up(self, request: Request, error: Exception) -> Response:
        """The disk refuses, or the crawl directory has gone."""
        return self._answer(request, f"the crawl cannot be read: {error}", 409)

    async def apologize(self, request: Request, error: Exception) -> Response:
        """An error that nobody expected; the framework raises it again, so that the server logs it."""
        return self._answer(request, FAILED.strip(), 500)

    async def answer_http(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            return self._answer(request, "there is no such page", 404)
        return PlainTextResponse(f"{error.detail}\n", error.status_code)

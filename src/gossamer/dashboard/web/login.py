"""Logging in and out, and the token that changes have to carry."""

import time

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from gossamer.dashboard.web.html_templates import render
from gossamer.dashboard.web.live_questions import AskedWronglyError, read_form
from gossamer.dashboard.web.request_gate import TOO_MANY, RequestGate, address_of, session_cookie


class Entering:
    """Lets visitors in by the password or the key, and out again."""

    def __init__(self, request_gate: RequestGate) -> None:
        self._request_gate = request_gate

    def routes(self) -> list[Route]:
        return [
            Route("/login", self._log_in, methods=["GET", "POST"]),
            Route("/logout", self._log_out, methods=["POST"]),
            Route("/api/token", self._token),
        ]

    async def _log_in(self, request: Request) -> Response:
        entrance, said = self._request_gate.entrance, ""
        if request.method == "POST":
            try:
                password = (await read_form(request)).get("password", "")
            except AskedWronglyError as error:
                return HTMLResponse(render("login.html", said=str(error)), 400)
            address = address_of(request)
            session = entrance.log_in(password, address, time.monotonic())
            if session is not None:
                answer = RedirectResponse("/", 303)
                self._request_gate.set_cookie(request, answer, session)
                return answer
            is_closed = entrance.is_closed(address, time.monotonic())
            said = TOO_MANY if is_closed else "wrong password or key"
        elif "used" in request.query_params:
            said = "this link was already used, or is from an earlier run; give the key"
        status = 401 if said else 200
        return HTMLResponse(render("login.html", said=said), status)

    async def _log_out(self, request: Request) -> Response:
        form = await read_form(request)
        if self._request_gate.is_wanted(request, form.get("token", "")):
            self._request_gate.entrance.log_out(session_cookie(request))
        return RedirectResponse("/login", 303)

    async def _token(self, request: Request) -> Response:
        return JSONResponse({"token": self._request_gate.token_for(request)})

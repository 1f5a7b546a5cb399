"""Checks of every request before anything is done for it, and header fields of every answer."""

import time
from html import escape
from urllib.parse import urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gossamer.dashboard.access.content_security import ALL_HEADERS
from gossamer.dashboard.access.copy_keys import CopyKeys
from gossamer.dashboard.access.host_header import Names
from gossamer.dashboard.access.request_forgery import ForgedError, Forgery, comes_from_elsewhere
from gossamer.dashboard.access.session_store import Session, SessionStore, read_authorization

OPEN_TO_ALL = ("/healthz", "/login", "/static/style.css", "/static/entrance.js")
LINK = "token"
"""The field of the query that a link has which opens once."""
"""Paths for who has not shown the password."""
COPIES = "/archive/copy"
"""Copies of archived pages, for who has shown the password, or has the key of the copy."""
FROM_COPIES = "/replay"
"""Where links on copies lead: a copy has an origin of its own, so that the cookie does not come with them."""
_READING = ("GET", "HEAD")
TOO_MANY = "too many wrong passwords from this address; wait a minute"
FAILED = "this page failed with an internal error; see the terminal of the server\n"
"""What is said of an error that nobody expected."""


class RequestGate:
    """Names, password, forms and the private path of one server."""

    def __init__(self, names: Names, entrance: SessionStore, private_path: str = "") -> None:
        """`private_path`: below which sessions hold; empty when everybody may come in."""
        self.names = names
        self.entrance = entrance
        self.private_path = private_path
        self.forgery = Forgery()
        self.copy_keys = CopyKeys()

    def token_for(self, request: Request) -> str:
        """The token that a form must send for this visitor."""
        entry: Session = request.scope["entry"]
        return self.forgery.token(entry.session)

    def is_wanted(self, request: Request, token: str) -> bool:
        """Did this visitor want this change himself?"""
        if comes_from_elsewhere(request.headers):
            return False
        entry: Session = request.scope["entry"]
        return entry.is_program or self.forgery.is_genuine(entry.session, token)

    def check_wanted(self, request: Request, token: str) -> None:
        """Complain of a change that this visitor did not want himself."""
        if not self.is_wanted(request, token or request.headers.get("x-gossamer-token", "")):
            raise ForgedError(
                "this change did not come from a page of the dashboard, or the page is old: "
                "load it again; programs get a token at /api/token"
            )

    def opens_copy(self, request: Request) -> bool:
        """Does this request for an archived copy carry its key?"""
        asked = request.query_params
        is_copy = request.url.path == COPIES and request.method in _READING
        return is_copy and self.copy_keys.opens(asked.get("url", ""), asked.get("key", ""))

    def set_cookie(self, request: Request, answer: Response, session: str) -> None:
        answer.set_cookie(
            cookie_name(request),
            session,
            path=f"{self._root_of_cookies(request)}/",
            httponly=True,
            samesite="strict",
            secure=request.scope["scheme"] == "https",
        )

    def _root_of_cookies(self, request: Request) -> str:
        """The path below which sessions of this server hold; one login counts for all of its crawls."""
        scope = request.scope
        root: str = scope.get("gossamer.door", scope.get("gossamer.root", ""))
        return root if scope.get("gossamer.is_private") else root + self.private_path


_ONCE_MORE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Replay</title>'
    '<meta http-equiv="refresh" content="0;url=?{query}"><p><a href="?{query}">To the copy</a>'
)
"""A page of ours that asks for the same address: the browser sends the cookie with what we ask for."""


def _leaves_a_copy(request: Request) -> bool:
    """Was a link on a copy clicked? The browser sends no cookie then, even if it has one."""
    fields = request.headers
    is_replay = request.method == "GET" and request.url.path == FROM_COPIES
    is_remote = fields.get("sec-fetch-site") == "cross-site"
    return is_replay and is_remote and fields.get("sec-fetch-mode") == "navigate"


def address_of(request: Request) -> str:
    """The client's address, from the connection or from a trusted proxy."""
    return request.client.host if request.client is not None else ""


def cookie_name(request: Request) -> str:
    """Cookies do not know ports: each dashboard on a machine has a name of its own for its cookie."""
    _, port = request.scope.get("server") or ("", 0)
    return f"gossamer-{port}"


def session_cookie(request: Request) -> str:
    """The number of the session that the browser sends. A server at another port can set a cookie of the same
    name, but not for our path, and browsers send that of the longest path first."""
    pairs = (one.strip().partition("=") for one in request.headers.get("cookie", "").split(";"))
    return next((value for name, _, value in pairs if name == cookie_name(request)), "")


class SecuredAnswers:
    """An application whose answers all have the security headers, also when it fails before it answers.

    It stands outside everything else: the pages for errors that nobody expected are made by the outermost
    layer of the framework.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def send_secured(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                fields = MutableHeaders(scope=message)
                for name, value in ALL_HEADERS.items():
                    fields.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, receive, send_secured)
        except Exception:
            if not has_begun:
                await PlainTextResponse(FAILED, 500)(scope, receive, send_secured)
            raise  # for the log of the server


class BehindGate:
    """An application behind doors; the number of the visitor's session is `scope["entry"]`."""

    def __init__(self, app: ASGIApp, request_gate: RequestGate) -> None:
        self._app = app
        self._request_gate = request_gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        refusal, cookie = self._judge(request)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                fields = MutableHeaders(scope=message)
                if cookie and "set-cookie" not in fields:
                    fields.append("set-cookie", cookie)
            await send(message)

        await (refusal or self._app)(scope, receive, send_with_cookie)

    def _judge(self, request: Request) -> tuple[Response | None, str]:
        """The reason to refuse a request, or None; and the cookie of a session that begins with it."""
        headers = request.headers
        if not self._request_gate.names.are_ours(headers.get("host", "")):
            said = "this server does not have that name; start it with --name NAME to allow it\n"
            return PlainTextResponse(said, 421), ""
        if request.method not in (*_READING, "POST"):
            return PlainTextResponse("only GET and POST are allowed\n", 405), ""
        known = session_cookie(request)
        entry = self._admit(request, known)
        if not known and _leaves_a_copy(request):
            return HTMLResponse(_ONCE_MORE.format(query=escape(request.url.query, quote=True))), ""
        is_link = request.method == "GET" and LINK in request.query_params
        if is_link and self._request_gate.entrance.is_guarded:
            return self._open_link(request, entry), ""
        is_open = request.url.path in OPEN_TO_ALL or self._request_gate.opens_copy(request)
        if entry is None and not is_open:
            return self._send_away(request), ""
        request.scope["entry"] = entry or Session("")
        is_new = entry is not None and not entry.is_program and entry.session != known
        return None, self._cookie(request, entry.session) if entry is not None and is_new else ""

    def _admit(self, request: Request, cookie: str) -> Session | None:
        said = request.headers.get("x-gossamer-key", "")
        said = said or read_authorization(request.headers.get("authorization", ""))
        return self._request_gate.entrance.admit(
            cookie, said, address_of(request), time.monotonic()
        )

    def _open_link(self, request: Request, entry: Session | None) -> Response:
        """The link becomes a cookie at once, so that it is in no history, and nobody opens it again."""
        asked = [(name, one) for name, one in request.query_params.multi_items() if name != LINK]
        path = "/" + request.url.path.lstrip("/")
        answer = RedirectResponse(f"{path}?{urlencode(asked)}" if asked else path, 303)
        if entry is None:
            token = request.query_params[LINK]
            session = self._request_gate.entrance.open_link(token, time.monotonic())
            if session is None:
                answer = RedirectResponse("/login?used=1", 303)
            else:
                self._request_gate.set_cookie(request, answer, session)
        answer.headers["Referrer-Policy"] = "no-referrer"
        return answer

    def _cookie(self, request: Request, session: str) -> str:
        answer = Response()
        self._request_gate.set_cookie(request, answer, session)
        return answer.headers["set-cookie"]

    def _send_away(self, request: Request) -> Response:
        """A browser is asked for the password; a program is told that it needs one."""
        is_page = request.method == "GET" and not request.url.path.startswith(
            ("/api/", "/metrics", "/events")
        )
        if is_page:
            return RedirectResponse("/login", 303)
        if self._request_gate.entrance.is_closed(address_of(request), time.monotonic()):
            return PlainTextResponse(f"{TOO_MANY}\n", 429, {"Retry-After": "60"})
        said = "a key is needed: send the line in state/dashboard.key of the crawl as X-Gossamer-Key: KEY\n"
        return PlainTextResponse(said, 401, {"WWW-Authenticate": 'Bearer realm="gossamer"'})

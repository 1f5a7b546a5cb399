"""Behind a proxy: who asks, by which scheme, and below which path.

What the proxy says of that counts only if the proxy is one of those that were named: from anybody else, such
headers are a lie or a mistake.

Below a path, all that leads to our own pages is given that path on the way out: redirects, cookies, and the
addresses in pages, styles and scripts. So no page has to know where it is. Copies of archived pages are not
touched: their addresses are written with the path, and their words are those of the archive.
"""

import re
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gossamer.core.errors import SettingsError

_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)+")
_EVENTS = "text/event-stream"
_IN_MARKUP = re.compile(rb'((?:href|src|action)=")(/(?![/\\]))')
"""Addresses in attributes; in texts, quotes are escaped, so that none looks like this."""
_IN_SCRIPTS = re.compile(rb"((?<=[\"'`]))(/(?:archive|crawls|events|static|api)[/?])")
_IN_STYLES = re.compile(rb"(url\([\"']?)(/(?![/\\]))")
_OWN = {
    "text/html": _IN_MARKUP,
    _EVENTS: _IN_MARKUP,
    "text/css": _IN_STYLES,
    "text/javascript": _IN_SCRIPTS,
    "application/javascript": _IN_SCRIPTS,
}
"""Where our own addresses are, by media type."""


def move_below(root: str, markup: str) -> str:
    """The addresses of ours in a piece of a page, below a path.

    >>> move_below("/x", '<a href="/pages">/static/</a> <a href="//a.test/">a</a>')
    '<a href="/x/pages">/static/</a> <a href="//a.test/">a</a>'
    """
    return _IN_MARKUP.sub(rb"\g<1>" + root.encode() + rb"\g<2>", markup.encode()).decode()


def root_of(scope: Scope) -> str:
    """The whole path below which the dashboard of a crawl is: of the proxy, and of the crawl among
    several."""
    return f"{scope.get('gossamer.door', '')}{scope.get('gossamer.root', '')}"


class Proxies:
    """Addresses of proxies that are believed.

    >>> proxies = Proxies(["127.0.0.1", "10.0.0.0/8"])
    >>> proxies.are_believed("10.1.2.3"), proxies.are_believed("192.0.2.1"), proxies.are_believed("")
    (True, False, False)
    >>> proxies.find_client("10.1.2.3", "203.0.113.9, 192.0.2.1, 10.9.9.9")
    '192.0.2.1'
    """

    def __init__(self, trusted: Sequence[str] = ()) -> None:
        self._networks: list[IPv4Network | IPv6Network] = [_read(one) for one in trusted]

    def __bool__(self) -> bool:
        return bool(self._networks)

    def are_believed(self, address: str) -> bool:
        try:
            known = ip_address(address)
        except ValueError:
            return False
        return any(known in network for network in self._networks)

    def find_client(self, peer: str, forwarded: str) -> str:
        """The last address that no proxy of ours wrote down for one of ours; the peer, if there is none."""
        client = peer
        for one in reversed(forwarded.split(",")):
            if not self.are_believed(client):
                break
            try:
                client = str(ip_address(one.strip()))
            except ValueError:
                break
        return client


NO_PROXIES = Proxies()


def read_root_path(text: str) -> str:
    """A path without a slash at its end.

    >>> read_root_path("/crawls/news/"), read_root_path(""), read_root_path("/")
    ('/crawls/news', '', '')
    """
    path = text.rstrip("/")
    if path and not _PATH.fullmatch(path):
        raise SettingsError(f"--root-path: {text!r} is not a path; write e.g. /crawls/news")
    return path


def _read(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        raise SettingsError(
            f"--trusted-proxy: {text!r} is not an address; write e.g. 127.0.0.1 or 10.0.0.0/8"
        ) from None


class BehindProxy:
    """An application that a proxy may stand in front of."""

    def __init__(self, app: ASGIApp, proxies: Proxies, root_path: str = "") -> None:
        self._app = app
        self._proxies = proxies
        self._root = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not (self._proxies or self._root):
            await self._app(scope, receive, send)
            return
        scope, root = dict(scope), self._root
        host, port = scope.get("client") or ("", 0)
        if self._proxies.are_believed(host):
            headers = Headers(scope=scope)
            forwarded = ",".join(headers.getlist("x-forwarded-for"))
            scope["client"] = self._proxies.find_client(host, forwarded), port
            scheme = headers.get("x-forwarded-proto", "").strip().lower()
            scope["scheme"] = scheme if scheme in ("http", "https") else scope["scheme"]
            prefix = headers.get("x-forwarded-prefix", "").strip().rstrip("/")
            root = prefix if _PATH.fullmatch(prefix) else root
        if root:
            scope["gossamer.root"] = root
            path = scope["path"]
            if is_below(path, root):  # this proxy passes on the whole path
                scope["path"] = path.removeprefix(root) or "/"
            send = _Below(root, send).send
        await self._app(scope, receive, send)


class BehindPrivatePath:
    """An application that visitors who have logged in find below a path that nobody else knows.

    Without the path it answers all the same: the login page, links that open once, and programs with a key.
    Who comes in there is led to the path.
    """

    def __init__(self, app: ASGIApp, path: str) -> None:
        self._app = app
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self._path:
            await self._app(scope, receive, send)
            return

        async def lead_in(message: Message) -> None:
            if message["type"] == "http.response.start":
                fields = MutableHeaders(scope=message)
                to = fields.get("location", "")
                if "set-cookie" in fields and to.startswith("/"):
                    fields["location"] = self._path + to
            await send(message)

        if not is_below(scope["path"], self._path):
            await self._app(scope, receive, lead_in)
            return
        below = {
            "path": scope["path"].removeprefix(self._path) or "/",
            "gossamer.root": scope.get("gossamer.root", "") + self._path,
            "gossamer.is_private": True,
        }
        await self._app({**scope, **below}, receive, _Below(self._path, send).send)


def is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(f"{root}/")


class _Below:
    """An answer on its way to below a path."""

    def __init__(self, root: str, send: Send) -> None:
        self._root = root
        self._new = rb"\g<1>" + root.encode() + rb"\g<2>"
        self._own: re.Pattern[bytes] | None = None
        self._send = send
        self._begin: Message | None = None
        """Kept back until the length of the text is known."""
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self._start(message)
        elif message["type"] != "http.response.body" or self._own is None:
            await self._send(message)
        elif self._begin is None:  # events, each of them whole
            await self._send({**message, "body": self._rewrite(message.get("body", b""))})
        else:
            await self._collect(message)

    async def _start(self, message: Message) -> None:
        fields = MutableHeaders(scope=message)
        if (to := fields.get("location", "")).startswith("/") and not to.startswith("//"):
            fields["location"] = self._root + to
        kind = fields.get("content-type", "").partition(";")[0].strip().lower()
        is_copy = fields.get("content-security-policy", "").startswith("sandbox")
        self._own = None if is_copy else _OWN.get(kind)
        if self._own is not None and kind != _EVENTS:
            self._begin = message
        else:
            await self._send(message)

    async def _collect(self, message: Message) -> None:
        assert self._begin is not None, "the answer has begun"
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        if self._body:  # an answer to HEAD has none, and says how long it would be
            body = self._rewrite(bytes(self._body))
            MutableHeaders(scope=self._begin)["content-length"] = str(len(body))
        else:
            body = b""
        await self._send(self._begin)
        await self._send({**message, "body": body})

    def _rewrite(self, text: bytes) -> bytes:
        assert self._own is not None, "other texts are not collected"
        return self._own.sub(self._new, text)

"""The server: where it listens, and how it begins and ends."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from gossamer.core.errors import SettingsError
from gossamer.dashboard.access.host_header import Names, is_loopback
from gossamer.dashboard.access.key_file import read_key
from gossamer.dashboard.access.private_path import make_private_path
from gossamer.dashboard.access.session_store import SHORTEST, SessionStore
from gossamer.dashboard.early_answer import PromptProtocol
from gossamer.dashboard.remote_crawl_view import RemoteCrawlView
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.warm_up import warm_up
from gossamer.dashboard.web.event_stream import LiveFeed
from gossamer.dashboard.web.request_gate import LINK, RequestGate
from gossamer.dashboard.web.reverse_proxy import Proxies, read_root_path
from gossamer.dashboard.web.routes import make_app, make_app_of_many
from gossamer.dashboard.web.several_crawls import name_crawls

_BACKLOG = 128
_LAST_SECONDS = 3
"""Until connections that are still open are cut at the end."""


class DashboardServer:
    """Serves the dashboard of a crawl, or of several, until `stop` is called."""

    def __init__(
        self,
        crawl: Path | Sequence[Path],
        address: str = "127.0.0.1",
        port: int = 0,
        *,
        names: list[str] | None = None,
        password: str = "",
        is_open: bool = False,
        trusted_proxies: Sequence[str] = (),
        root_path: str = "",
        certificate: str = "",
        key: str = "",
        in_storage: RemoteCrawlView | None = None,
        key_folder: Path | None = None,
    ) -> None:
        """`is_open`: everybody who reaches the address may come in, see all and steer the crawl.
        `key_folder`: where the key for programs is, if not in `state/`.

        `in_storage`: the crawl is there, and in this directory only what is needed to show it."""
        _check(address, password, is_open)
        proxies, root_path = Proxies(trusted_proxies), read_root_path(root_path)
        paths = [crawl] if isinstance(crawl, Path) else [*crawl]
        folders = (
            [] if is_open else [key_folder] if key_folder else [path / "state" for path in paths]
        )
        keys = [read_key(folder) for folder in folders]
        self.key_file = keys[0][1] if keys else None
        self._address = address
        self._wanted_port = port
        self._certificate, self._key = certificate or None, key or None
        self._entrance = SessionStore(password, *(key for key, _ in keys), is_open=is_open)
        self.private_path = "" if is_open else make_private_path(keys[0][0])
        """Below which browsers find it that have logged in; empty when everybody may come in."""
        request_gate = RequestGate(Names(address, names or []), self._entrance, self.private_path)
        self._crawls, self._feeds, self._app = _make_app(
            paths, in_storage, request_gate, proxies, root_path
        )
        self.port = 0

    @property
    def url(self) -> str:
        """The URL for browsers on this machine."""
        host = "127.0.0.1" if self._address in ("0.0.0.0", "::") else self._address
        host = f"[{host}]" if ":" in host else host
        return f"{'https' if self._certificate else 'http'}://{host}:{self.port}/"

    @property
    def link(self) -> str:
        """The same, with what lets in who opens it first."""
        token = self._entrance.link_token
        return f"{self.url}?{LINK}={token}" if token else self.url

    def run(self, begun: Callable[[], None]) -> None:
        """Serve until `stop` is called, or the process is told to end; `begun` when it listens."""
        listening = self._listen()
        config = uvicorn.Config(
            self._app,
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            http=PromptProtocol,
            loop="asyncio",
            ws="none",
            timeout_graceful_shutdown=_LAST_SECONDS,
            ssl_certfile=self._certificate,
            ssl_keyfile=self._key,
        )
        self._server = _EndsStreams(config, self._feeds)
        begun()
        for crawl in self._crawls:
            warm_up(crawl)
        try:
            with listening:
                asyncio.run(self._server.serve([listening]))
        finally:
            for crawl in self._crawls:
                crawl.jobs.close()

    def stop(self) -> None:
        """End it; any thread may call this."""
        self._server.should_exit = True

    def _listen(self) -> socket.socket:
        try:
            family = socket.AF_INET6 if ":" in self._address else socket.AF_INET
            listening = socket.create_server(
                (self._address, self._wanted_port), family=family, backlog=_BACKLOG
            )
        except OSError as error:
            where = f"{self._address} port {self._wanted_port}"
            raise SettingsError(
                f"cannot listen on {where}: {error.strerror or error}; choose another --address or --port"
            ) from None
        self.port = listening.getsockname()[1]
        return listening


class _EndsStreams(uvicorn.Server):
    """A server that ends its event streams when it ends; browsers would keep them open."""

    def __init__(self, config: uvicorn.Config, feeds: Sequence[LiveFeed]) -> None:
        super().__init__(config)
        self._feeds = feeds

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for feed in self._feeds:
            feed.end()
        await super().shutdown(sockets)


def _make_app(
    paths: Sequence[Path],
    in_storage: RemoteCrawlView | None,
    request_gate: RequestGate,
    proxies: Proxies,
    root_path: str,
) -> tuple[list[ShownCrawl], list[LiveFeed], ASGIApp]:
    """The crawls that are shown, their live feeds, and the application; one crawl has no list around it."""
    if len(paths) == 1:
        crawl, feed = ShownCrawl(paths[0], in_storage), LiveFeed()
        return [crawl], [feed], make_app(crawl, request_gate, proxies, root_path, feed)
    named = {name: ShownCrawl(path) for name, path in name_crawls(paths).items()}
    for name, crawl in named.items():
        crawl.own_name, crawl.siblings = name, (*named,)
    feeds, whole = {name: LiveFeed() for name in named}, LiveFeed()
    app = make_app_of_many(named, request_gate, proxies, root_path, feeds, whole)
    return [*named.values()], [*feeds.values(), whole], app


def _check(address: str, password: str, is_open: bool) -> None:
    """Beyond this machine nobody comes in without a password."""
    if password and is_open:
        raise SettingsError("--no-password and a password are both given; remove one of them")
    if password and len(password) < SHORTEST:
        raise SettingsError(f"the password is too short; take {SHORTEST} characters or more")
    if not is_loopback(address) and not password:
        raise SettingsError(
            f"{address} can be reached from other machines: give a password with --password-file FILE, or "
            "in the variable GOSSAMER_PASSWORD"
        )

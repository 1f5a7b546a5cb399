"""Connections: this many at once, each for one request, each within its time."""

import asyncio
import logging
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from gossamer.core.errors import SettingsError
from gossamer.core.settings import ListenSettings
from gossamer.push.abuse import Abuse, Counts, RefusedError
from gossamer.push.push_http import MOST_HEAD, HttpAnswer, HttpRequest, read_request

_log = logging.getLogger("gossamer")

Handler = Callable[[HttpRequest], Awaitable[HttpAnswer]]
Routes = Mapping[str, Mapping[str, Handler]]
"""By the first part of a path, then by method."""

_LINGER, _PIECES = 1.0, 64
"""Seconds, and pieces of 64 KB, that are still received of a client that was answered."""
_LATER = 600
"""Seconds after which a client that was too fast may try again."""


class Doorkeeper:
    """Serves routes at an address until it is closed."""

    def __init__(self, settings: ListenSettings, routes: Routes, counts: Counts) -> None:
        self._settings = settings
        self._routes = routes
        self._counts = counts
        self._clients = 0

    async def open(self) -> int:
        """Listen from now on; returns the port."""
        settings = self._settings
        try:
            self._server = await asyncio.start_server(
                self._serve, settings.listen_address, settings.listen_port, limit=MOST_HEAD
            )
        except OSError as error:
            where = f"{settings.listen_address} port {settings.listen_port}"
            raise SettingsError(
                f"cannot listen on {where}: {error.strerror or error}; choose another --address or --port"
            ) from None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._clients += 1
        try:
            answer = await self._answer(reader)
            if answer is not None:
                writer.write(answer.encode())
                async with asyncio.timeout(self._settings.request_seconds):
                    await writer.drain()
                await _linger(reader, writer)
        except (OSError, TimeoutError):
            pass  # it has gone; there is nobody to tell
        finally:
            self._clients -= 1
            writer.close()
            with suppress(OSError, TimeoutError):
                await writer.wait_closed()

    async def _answer(self, reader: StreamReader) -> HttpAnswer | None:
        settings = self._settings
        try:
            if self._clients > settings.max_clients:
                raise RefusedError(503, Abuse.TOO_MANY_CLIENTS)
            try:
                async with asyncio.timeout(settings.request_seconds):
                    request = await read_request(reader, settings.max_request)
            except TimeoutError:
                raise RefusedError(408, Abuse.SLOW_CLIENT) from None
            return None if request is None else await self._find(request)(request)
        except ConnectionError:
            return None
        except RefusedError as refused:
            self._counts.refuse(refused.abuse, refused.said)
            is_later = refused.status in (429, 503)
            return HttpAnswer(refused.status, f"{refused.said}\n", _LATER if is_later else 0)
        except OSError as error:  # a full disk, for one
            _log.warning("announcements cannot be saved: %s", error)
            return HttpAnswer(503, "try again later\n", _LATER)

    def _find(self, request: HttpRequest) -> Handler:
        methods = self._routes.get(request.path.split("/")[1])
        if methods is None:
            raise RefusedError(404, Abuse.BAD_PATH)
        if request.method not in methods:
            raise RefusedError(405, Abuse.BAD_METHOD)
        return methods[request.method]


async def _linger(reader: StreamReader, writer: StreamWriter) -> None:
    """Let a client read the answer that has not sent all: to close at once would take it away from him."""
    writer.write_eof()
    async with asyncio.timeout(_LINGER):
        for _ in range(_PIECES):
            if not await reader.read(1 << 16):
                return

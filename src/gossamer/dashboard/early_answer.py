"""Connections with limits in time and number; refusals have the security headers of all answers."""

import asyncio
from typing import Any

import h11
from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

from gossamer.dashboard.access.content_security import ALL_HEADERS

SILENT = 10.0
"""Seconds for the first request of a connection to be complete, but for its body."""


MOST_CONNECTIONS = 400
"""A request on one more is answered 503 at once."""
_BUSY = PlainTextResponse(
    "too many connections are open; try again in a moment\n",
    503,
    {**ALL_HEADERS, "Connection": "close", "Retry-After": "5"},
)
_UNREADABLE = b"this is no HTTP request\n"


class PromptProtocol(H11Protocol):
    """Ends connections that were opened and not used. Without that, who opens many shuts out all others."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._silence = self.loop.call_later(SILENT, self._end_if_silent)

    def handle_events(self) -> None:
        is_full = max(len(self.connections), len(self.tasks)) > MOST_CONNECTIONS
        self.app = _BUSY if is_full else self.config.loaded_app
        super().handle_events()

    def send_400_response(self, msg: str) -> None:
        fields = {"Content-Type": "text/plain; charset=utf-8", **ALL_HEADERS, "Connection": "close"}
        event = h11.Response(status_code=400, headers=[*fields.items()], reason=b"Bad Request")
        for one in (event, h11.Data(data=_UNREADABLE), h11.EndOfMessage()):
            self.transport.write(self.conn.send(one) or b"")
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._silence.cancel()
        super().connection_lost(exc)

    def _end_if_silent(self) -> None:
        cycle: Any = self.cycle
        if cycle is None:
            self.transport.close()

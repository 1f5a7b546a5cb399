"""Connections whose clients say something: those that are silent make room for others."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

SILENT = 10.0
"""Seconds for the first request of a connection to be complete, but for its body."""


class PromptProtocol(H11Protocol):
    """Ends connections that were opened and not used. Without that, who opens many shuts out all others."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._silence = self.loop.call_later(SILENT, self._end_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        self._silence.cancel()
        super().connection_lost(exc)

    def _end_if_silent(self) -> None:
        cycle: Any = self.cycle
        if cycle is None:
            self.transport.close()

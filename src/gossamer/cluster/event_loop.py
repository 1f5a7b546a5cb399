"""The turns of a crawl beside an event loop: in a thread of their own, one at a time.

A turn waits for the network for up to a second, and reads whatever has come; a loop that did this itself
would be deaf meanwhile. The thread does nothing while the loop works on what a turn brought.
"""

import asyncio
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor

from gossamer.core.records import Judged

Turns = Generator[list[Judged], None, None]


class Aside:
    """Runs turns when asked to. It must be closed, or else the crawl keeps its directory."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._thread = ThreadPoolExecutor(1, "gossamer")
        self._is_open = True

    async def step(self) -> list[Judged] | None:
        """The result of one turn; None when the crawl is over."""
        return await asyncio.wrap_future(self._thread.submit(next, self._turns, None))

    async def close(self) -> None:
        """End the crawl cleanly after the turn under way, even if nobody waits for it."""
        if self._is_open:
            self._is_open = False
            ending = self._thread.submit(self._turns.close)
            self._thread.shutdown(wait=False)
            await asyncio.shield(asyncio.wrap_future(ending))

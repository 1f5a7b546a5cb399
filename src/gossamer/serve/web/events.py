"""Live pages: what has changed is drawn once and sent to everybody who looks at it.

Ten open dashboards cost the crawl hardly more than one: each second one picture is made of each subject
that somebody looks at, in a thread, and only if it differs from the last.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from starlette.concurrency import run_in_threadpool

from gossamer.base.errors import GossamerError

EVERY = 1.0
"""Seconds between two pictures."""
MOST_LISTENERS = 200
_MOST_WAITING = 2
"""Pictures that a slow listener may be behind; he misses those between."""

Draw = Callable[[], str]


class LiveChannel:
    """The pictures of one subject, and who wants them."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._listeners: set[asyncio.Queue[str]] = set()
        self._last = ""
        self._work: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._listeners)

    async def listen(self) -> AsyncIterator[str]:
        """Pictures as they come, as server-sent events."""
        own: asyncio.Queue[str] = asyncio.Queue(_MOST_WAITING)
        self._listeners.add(own)
        if self._last:
            own.put_nowait(self._last)
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._work_on())
        try:
            yield "retry: 3000\n\n"
            while True:
                yield _event(await own.get())
        finally:
            self._listeners.discard(own)

    async def _work_on(self) -> None:
        """Draw as long as somebody looks."""
        while self._listeners:
            picture = self._last
            with suppress(GossamerError, OSError):  # the crawl may be gone for a moment
                picture = await run_in_threadpool(self._draw)
            if picture != self._last:
                self._last = picture
                for one in self._listeners:
                    _hand_over(one, picture)
            await asyncio.sleep(EVERY)
        self._last = ""


def _hand_over(queue: asyncio.Queue[str], picture: str) -> None:
    if queue.full():
        with suppress(asyncio.QueueEmpty):
            queue.get_nowait()
    queue.put_nowait(picture)


def _event(text: str) -> str:
    r"""
    >>> _event("a\nb")
    'data: a\ndata: b\n\n'
    """
    return "".join(f"data: {line}\n" for line in text.splitlines()) + "\n"

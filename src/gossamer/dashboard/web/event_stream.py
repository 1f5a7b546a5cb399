"""Live pages: server-sent events, drawn once for everybody who looks.

In: subjects by name, and how each is drawn. Out: one stream for each listener, of any number of subjects.
Ten open dashboards cost the crawl hardly more than one: each second one picture is made of each subject
that a browser shows, in a thread, and it is sent only if it differs from the last.

Every stream has a beat as well: a listener who hears none for some seconds knows that the server is gone.
"""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from gossamer.core.errors import GossamerError
from gossamer.dashboard.view_protocol import NotThereError

EVERY = 1.0
"""Seconds between two pictures."""
BEAT = 2.0
"""Seconds between two beats, at most."""
MOST_LISTENERS = 200
MOST_SUBJECTS = 40
"""Of one event stream: all tabs of a browser share it."""
MOST_DRAWN = 80
"""Views that are drawn at a time, for all listeners together."""
_THREADS = 2
"""That draw; pages are made by others, and never wait for these."""
_REST = 4.0
"""A picture that took long, or had to wait for others, is made again after this many times as long."""
TROUBLE = "trouble"
"""The event that says why a picture could not be made."""

Draw = Callable[[], str]

_LINE_END = re.compile("\r\n|\r|\n")
"""Of server-sent events: JSON may have other characters that end lines of texts, such as U+2028."""

_log = logging.getLogger("uvicorn.error")


class UnseenPictures:
    """The updates that one listener has not received yet; a slow one gets only the last."""

    def __init__(self) -> None:
        self._pictures: dict[str, str] = {}
        self._has_come = asyncio.Event()

    def put(self, name: str, picture: str) -> None:
        self._pictures[name] = picture
        self._has_come.set()

    def wake(self) -> None:
        """Wake those who wait for updates."""
        self._has_come.set()

    async def take(self, seconds: float) -> dict[str, str]:
        """All that is there; when there is nothing, wait so long for something."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._has_come.wait()
        self._has_come.clear()
        found, self._pictures = self._pictures, {}
        return found


class LiveChannel:
    """The pictures of one subject, and who wants them."""

    def __init__(self, name: str, draw: Draw, limiter: CapacityLimiter) -> None:
        self._name = name
        self._limiter = limiter
        self._trouble = trouble_of(name)
        self._draw = draw
        self._listeners: set[UnseenPictures] = set()
        self._last = ""
        self._work: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._listeners)

    def add(self, listener: UnseenPictures) -> None:
        self._listeners.add(listener)
        if self._last:
            listener.put(self._name, self._last)
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._work_on())

    def remove(self, listener: UnseenPictures) -> None:
        self._listeners.discard(listener)

    async def _work_on(self) -> None:
        """Draw as long as a browser listens."""
        while self._listeners:
            begun = time.monotonic()
            name, picture = await self._make()
            if name == self._trouble or picture != self._last:
                self._last = "" if name == self._trouble else picture
                for pictures in self._listeners:
                    pictures.put(name, picture)
            await asyncio.sleep(max(EVERY, _REST * (time.monotonic() - begun)))
        self._last = ""

    async def _make(self) -> tuple[str, str]:
        """A picture; or the reason why there is none, such as a crawl that is gone for a moment."""
        try:
            return self._name, await to_thread.run_sync(self._draw, limiter=self._limiter)
        except (GossamerError, OSError) as error:
            return self._trouble, str(error)
        except Exception:
            _log.exception("live picture of %s", self._name)
            return self._trouble, "internal error; see the terminal of the server"


class LiveFeed:
    """All channels with listeners."""

    def __init__(self) -> None:
        self._channels: dict[tuple[str, bool], LiveChannel] = {}
        self._has_ended = False
        self._limiter = CapacityLimiter(_THREADS)
        self._open: set[UnseenPictures] = set()

    def end(self) -> None:
        """The server ends: so do all streams, at once."""
        self._has_ended = True
        for pictures in self._open:
            pictures.wake()

    def has_room(self, names: Sequence[str], is_json: bool) -> bool:
        """For one more listener, to these subjects."""
        drawn = {key for key, channel in self._channels.items() if len(channel)}
        drawn |= {(name, is_json) for name in names}
        return len(self._open) < MOST_LISTENERS and len(drawn) <= MOST_DRAWN

    async def listen(self, wanted: Sequence[tuple[str, Draw]], is_json: bool) -> AsyncIterator[str]:
        """Pictures of these subjects as they come, each an event with the name of its subject."""
        own = UnseenPictures()
        self._open.add(own)
        self._channels = {key: channel for key, channel in self._channels.items() if len(channel)}
        channels = [self._channel(name, draw, is_json) for name, draw in dict(wanted).items()]
        for channel in channels:
            channel.add(own)
        try:
            yield "retry: 2000\n\n" + write_event("beat", f"{time.time():.3f}")
            while not self._has_ended:
                for name, picture in (await own.take(BEAT)).items():
                    yield write_event(name, picture)
                yield write_event("beat", f"{time.time():.3f}")
        finally:
            self._open.discard(own)
            for channel in channels:
                channel.remove(own)

    def _channel(self, name: str, draw: Draw, is_json: bool) -> LiveChannel:
        return self._channels.setdefault((name, is_json), LiveChannel(name, draw, self._limiter))


def answer_events(request: Request, feed: LiveFeed, find: Callable[[str, bool], Draw]) -> Response:
    """The stream of what a request names with `of`; `find` says how a subject is drawn, or refuses it."""
    asked = request.query_params
    is_json = asked.get("as", "html") == "json"
    names = dict.fromkeys(asked.getlist("of"))
    if len(names) > MOST_SUBJECTS:
        return PlainTextResponse(f"of: at most {MOST_SUBJECTS} for one stream\n", 400)
    if not all(map(str.isprintable, names)):  # a line end would be a field of the stream
        raise NotThereError("of: name a page that is live, such as /events?of=/")
    wanted = [(name, find(name, is_json)) for name in names]
    if not feed.has_room([*names], is_json):
        return PlainTextResponse("too many live pages are open\n", 503)
    return StreamingResponse(feed.listen(wanted, is_json), media_type="text/event-stream")


def trouble_of(name: str) -> str:
    """The event that says why a subject could not be drawn: of its crawl, if there are several.

    >>> trouble_of("/log?level=a:b"), trouble_of("news:/log")
    ('trouble', 'news:trouble')
    """
    crawl, colon, _ = name.partition(":")
    return f"{crawl}:{TROUBLE}" if colon and not crawl.startswith("/") else TROUBLE


def write_event(name: str, text: str) -> str:
    r"""
    >>> write_event("/log", "a\nb")
    'event: /log\ndata: a\ndata: b\n\n'
    """
    lines = "".join(f"data: {line}\n" for line in _LINE_END.split(text.rstrip("\r\n")))
    return f"event: {name}\n{lines}\n"

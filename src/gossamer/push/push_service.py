"""All parts of `gossamer listen`, put together for one crawl."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from gossamer.core.clock import SystemClock
from gossamer.core.directory import Directory
from gossamer.core.errors import GossamerError, SettingsError
from gossamer.core.settings import ListenSettings
from gossamer.core.url import parse
from gossamer.engine.inbox import InboxWriter
from gossamer.push.abuse import Counts
from gossamer.push.hubs import FoundHub, HubSearch
from gossamer.push.index_now import IndexNow
from gossamer.push.push_intake import Gathering
from gossamer.push.push_requests import Asker
from gossamer.push.push_server import Doorkeeper, Routes
from gossamer.push.subscriptions import Subscriptions
from gossamer.push.territory import Territory
from gossamer.push.web_sub import WebSub

_log = logging.getLogger("gossamer")


class ListeningService:
    """Listens for one crawl until it is stopped."""

    def __init__(self, path: Path, changes: ListenSettings | None = None) -> None:
        """`changes` are settings in the place of the crawl's own."""
        settings = Directory(path).look()
        self._settings = listen = changes or settings.listen
        if not settings.listen.announced:
            raise SettingsError(
                f"{path} accepts no announcements; turn them on when resuming it: "
                f"gossamer resume {path} --set listen.announced=true"
            )
        if listen.public_url and parse(listen.public_url) is None:
            raise SettingsError(
                f"listen.public_url: {listen.public_url!r} is not a URL; write e.g. https://example.org/push"
            )
        self.counts = Counts()
        self._path, self._spelling = path, Territory(path, settings, SystemClock()).spelling
        self._crawl_settings = settings
        self.port = 0
        """Where it listens, as soon as it does."""
        self._stopped: asyncio.Event | None = None

    async def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Listen until `stop`; `ready` is called when requests can come."""
        self._stopped = asyncio.Event()
        inbox = Directory(self._path).inbox
        writer, asker = InboxWriter(inbox), Asker(self._crawl_settings)
        try:
            await self._serve(inbox, writer, asker, ready)
        finally:
            asker.close()
            writer.close()

    def stop(self) -> None:
        """End it, from the thread that runs it."""
        if self._stopped is not None:
            self._stopped.set()

    @property
    def url(self) -> str:
        """The URL for other servers."""
        host = self._settings.listen_address
        host = f"[{host}]" if ":" in host else host
        return self._settings.public_url.rstrip("/") or f"http://{host}:{self.port}"

    async def _serve(
        self, inbox: Path, writer: InboxWriter, asker: Asker, ready: Callable[[], None]
    ) -> None:
        settings, clock, counts = self._settings, SystemClock(), self.counts
        territory = Territory(self._path, self._crawl_settings, clock)
        gathering = Gathering(settings, territory, writer, clock, counts)
        known = Subscriptions(inbox / "subscriptions.json", settings.max_subscriptions)
        index = IndexNow(settings, self._spelling, gathering, asker, clock, counts)
        web_sub = WebSub(settings, self._spelling, known, gathering, asker, clock, counts)
        door = Doorkeeper(settings, self._routes(index, web_sub), counts)
        self.port = await door.open()
        tasks = [asyncio.create_task(self._stop_called())]
        if settings.websub:
            tasks.append(asyncio.create_task(web_sub.keep_alive(self._callback)))
            tasks.append(asyncio.create_task(self._search(web_sub, territory)))
        ready()
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await door.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _routes(self, index: IndexNow, web_sub: WebSub) -> Routes:
        routes = {}
        if self._settings.indexnow:
            routes["indexnow"] = {"GET": index.get, "POST": index.post}
        if self._settings.websub:
            routes["websub"] = {"GET": web_sub.get, "POST": web_sub.post}
        return routes

    def _callback(self, name: str) -> str:
        return f"{self.url}/websub/{name}"

    async def _stop_called(self) -> None:
        assert self._stopped is not None, "it runs"
        await self._stopped.wait()

    async def _search(self, web_sub: WebSub, territory: Territory) -> None:
        """Look for hubs in what is new in the crawl, again and again."""
        search = HubSearch(self._path)
        while True:
            found: list[FoundHub] = []
            with suppress(GossamerError, OSError):  # a crawl that tidies up right now: next time
                found = await asyncio.to_thread(search.look)
            for topic, hub in found:
                url = self._spelling.parse(topic)
                if url is not None and territory.holds(url, hub):
                    web_sub.add(topic, hub)
            await asyncio.sleep(self._settings.hubs_every)


def change_listening(settings: ListenSettings, address: str, port: int, url: str) -> ListenSettings:
    """Settings with what a command line says; what is empty or negative stays as it is."""
    changes = {
        **({"listen_address": address} if address else {}),
        **({"listen_port": port} if port >= 0 else {}),
        **({"public_url": url} if url else {}),
    }
    return replace(settings, **changes)

"""A listener in a thread, and requests to it over real sockets."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from msgspec.structs import replace

from gossamer.core import settings_file
from gossamer.push import ListeningService
from tests.patience import PATIENCE


class ListenerUnderTest:
    """A listener, and how to speak to it."""

    def __init__(self, service: ListeningService) -> None:
        self.service = service

    @property
    def taken(self) -> dict[str, int]:
        return dict(self.service.counts.taken)

    @property
    def refused(self) -> dict[str, int]:
        return dict(self.service.counts.refused)

    def ask(
        self, method: str, path: str, body: bytes | str = b"", **fields: str
    ) -> tuple[int, str]:
        """The status and the text of an answer."""
        connection = HTTPConnection("127.0.0.1", self.service.port, timeout=PATIENCE)
        try:
            names = {name.replace("_", "-"): value for name, value in fields.items()}
            connection.request(method, path, body or None, names)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def index_now(self, url: str, key: str, **more: str) -> int:
        query = urlencode({"url": url, "key": key, **more})
        return self.ask("GET", f"/indexnow?{query}")[0]

    def index_many(self, host: str, key: str, urls: Sequence[str], **more: Any) -> int:
        body = {"host": host, "key": key, "urlList": urls, **more}
        return self.ask("POST", "/indexnow", json.dumps(body), Content_Type="application/json")[0]

    def send(self, data: bytes) -> bytes:
        """What is said to these bytes, of a client that then says nothing more, and does not go."""
        with socket.create_connection(("127.0.0.1", self.service.port), timeout=PATIENCE) as line:
            line.sendall(data)
            return b"".join(iter(lambda: line.recv(65536), b""))


@contextmanager
def listening(out: Path, **changes: Any) -> Iterator[ListenerUnderTest]:
    """Listen for a crawl, on any free port of loopback."""
    own = settings_file.read(out / "crawl.toml").listen
    service = ListeningService(out, replace(own, listen_port=0, **changes))
    ready, loop = threading.Event(), asyncio.new_event_loop()
    failures: list[BaseException] = []

    def run() -> None:
        try:
            loop.run_until_complete(service.run(ready.set))
        except BaseException as error:
            failures.append(error)
            ready.set()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield ListenerUnderTest(service)
    finally:
        if not failures:
            loop.call_soon_threadsafe(service.stop)
        thread.join(150)
        loop.close()
    assert failures == []

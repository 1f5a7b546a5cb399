"""Faces of crawls on real sockets, asked by a real client."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import msgspec

from gossamer.dashboard.dashboard_server import DashboardServer
from tests.patience import PATIENCE


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    """By names in small letters."""
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Visitor:
    """Asks one face, and keeps its cookie as a browser does."""

    def __init__(self, url: str, private_path: str = "") -> None:
        self.url = url.rstrip("/")
        self.home = self.url + private_path
        """Where a browser is led that has logged in."""
        self.cookie = ""

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self.ask("GET", path, None, headers)

    def status(self, path: str) -> int:
        """Of an answer whose body may have no end."""
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE)
        connection.request("GET", path, headers={"Cookie": self.cookie} if self.cookie else {})
        status = connection.getresponse().status
        connection.close()
        return status

    def get_read(self, path: str) -> Any:
        """The JSON of a view that reads in the background, once that is read."""
        deadline = time.monotonic() + PATIENCE
        while (found := self.get(path).json)["is_reading"]:
            assert time.monotonic() < deadline, f"{path} is read without end"
        return found

    def post(
        self, path: str, fields: Mapping[str, str], headers: Mapping[str, str] | None = None
    ) -> Answer:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode(fields), {**kind, **(headers or {})})

    def token(self, below: str = "") -> str:
        """What forms have to carry."""
        token: str = self.get(f"{below}/api/token").json["token"]
        return token

    def ask(
        self,
        method: str,
        path: str,
        body: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE)
        own = {"Cookie": self.cookie} if self.cookie else {}
        connection.request(method, path, body, {**own, **(headers or {})})
        answer = connection.getresponse()
        fields = {name.lower(): value for name, value in answer.getheaders()}
        if "set-cookie" in fields:
            self.cookie = fields["set-cookie"].partition(";")[0]
        found = Answer(answer.status, fields, answer.read())
        connection.close()
        return found


@contextmanager
def shown(crawl: Path, **options: Any) -> Iterator[Visitor]:
    """The dashboard of a crawl, in a thread of this process; it is open unless there is a password."""
    with TemporaryDirectory() as folder:  # the crawl may be shared, and nothing is written there
        own: dict[str, Any] = {"is_open": "password" not in options, "key_folder": Path(folder)}
        with serving(DashboardServer(crawl, **(own | options))) as server:
            yield Visitor(server.url, server.private_path)


@contextmanager
def serving(server: DashboardServer) -> Iterator[DashboardServer]:
    begun = Event()
    thread = Thread(target=server.run, args=(begun.set,))
    thread.start()
    try:
        assert begun.wait(PATIENCE), "the server did not begin"
        yield server
    finally:
        server.stop()
        thread.join()

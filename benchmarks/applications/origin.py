"""Who answers: one function from a target to a reply."""

import http.client
import re
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

_OF_THE_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "date", "server"}
_CHANGING = {"set-cookie", "expires", "cache-control", "pragma", "etag"}
"""Fields that differ between two answers to the same question, or that a proxy makes again."""


class Reply(NamedTuple):
    status: int
    fields: tuple[tuple[str, str], ...]
    body: bytes

    def field(self, name: str) -> str:
        """The value of a header field; empty when there is none."""
        return next((value for key, value in self.fields if key.lower() == name), "")

    @property
    def is_html(self) -> bool:
        return self.field("content-type").partition(";")[0] in (
            "text/html",
            "application/xhtml+xml",
        )


Origin = Callable[[str], Reply]


def behind_socket(path: Path, host: str) -> Origin:
    """The origin that a web server at a Unix socket is; each thread has its connection."""
    own = threading.local()

    def ask(target: str) -> Reply:
        for _ in range(2):  # a connection that was idle may be gone
            try:
                own.connection = getattr(own, "connection", None) or _Connection(path)
                return _exchange(own.connection, target, host)
            except (http.client.HTTPException, OSError) as error:
                own.connection, failure = None, error
        raise failure

    return ask


def _exchange(connection: http.client.HTTPConnection, target: str, host: str) -> Reply:
    connection.request("GET", target, headers={"Host": host, "Accept": "*/*"})
    response = connection.getresponse()
    fields = tuple(
        (name, value)
        for name, value in response.getheaders()
        if name.lower() not in _OF_THE_HOP | _CHANGING
    )
    return Reply(response.status, fields, response.read())


class _Connection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=120)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def without_nofollow(origin: Origin) -> Origin:
    """The same pages as from a template that knows no nofollow, as many have been written."""

    def ask(target: str) -> Reply:
        reply = origin(target)
        if not reply.is_html:
            return reply
        body = re.sub(rb'rel="nofollow ?', b'rel="', reply.body)
        return reply._replace(body=re.sub(rb"(no)?index, ?nofollow", rb"\1index,follow", body))

    return ask

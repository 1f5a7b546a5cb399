"""Stands between a crawler and an application, and notes what was fetched, in order.

A crawler that is a process of its own comes to it as to a proxy. So the application has a name of its
own (`http://dokuwiki.test/`) without any name server, and its URLs are the same in each run.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import urlsplit

from benchmarks.applications.application import Application
from benchmarks.applications.origin import Origin, Reply


class Fetch(NamedTuple):
    target: str
    status: int
    item: str | None
    others: tuple[str, ...] = ()
    """Further items that the same answer shows."""

    @property
    def items(self) -> tuple[str, ...]:
        """All items that it shows."""
        return self.others if self.item is None else (self.item, *self.others)


class Witness:
    """Notes each fetch, robots.txt apart."""

    def __init__(self, application: Application, origin: Origin) -> None:
        self.fetches: list[Fetch] = []
        self._application = application
        self._origin = origin

    def ask(self, target: str) -> Reply:
        reply = self._origin(target)
        if target != "/robots.txt":
            self.fetches.append(self._seen(target, reply))
        return reply

    def _seen(self, target: str, reply: Reply) -> Fetch:
        if reply.status != 200:
            return Fetch(target, reply.status, None)
        shown = self._application
        return Fetch(target, 200, shown.item_of(target, reply), shown.others_of(target, reply))


@contextmanager
def proxied(witness: Witness, host: str) -> Iterator[str]:
    """A proxy on loopback that knows one host; yields its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(witness, host)) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def _handler(witness: Witness, host: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            if asked.netloc != host:
                self.send_error(502, "This proxy knows one host only")
                return
            target = self.path.partition(host)[2] or "/"
            self._send(witness.ask(target))

        def _send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.fields:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler

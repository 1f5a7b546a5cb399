"""Small web servers on loopback, in a thread each, that keep nobody waiting."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_LOOK_EVERY = 0.02
"""Seconds between two looks whether the server is to end; Python's own half second adds up."""


class Answering(BaseHTTPRequestHandler):
    """Sends head and body together.

    One after the other, the body would wait until the head is acknowledged, which takes 40 ms for each page.
    """

    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self) -> None:
        self.answer()

    def answer(self) -> None:
        """Whatever the site has to say to `self.path`."""
        raise NotImplementedError

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Listening(ThreadingHTTPServer):
    """Serves from the beginning until `end`, at a free port or at a door that has one already."""

    def __init__(
        self,
        handler: type[BaseHTTPRequestHandler],
        address: str = "127.0.0.1",
        door: socket.socket | None = None,
    ) -> None:
        super().__init__((address, 0), handler, bind_and_activate=door is None)
        if door is not None:
            self._take(door)
        threading.Thread(target=self.serve_forever, args=(_LOOK_EVERY,), daemon=True).start()

    def _take(self, door: socket.socket) -> None:
        self.socket.close()
        self.socket = door
        self.server_port = door.getsockname()[1]
        self.server_activate()

    def end(self) -> None:
        self.shutdown()
        self.server_close()

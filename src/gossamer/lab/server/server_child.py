"""A served web in a process of its own, which ends when its parent does.

The parent sends what to serve and then commands on the child's standard input, one a line; when
that input ends, for whatever reason, the child ends too.
"""

import json
import os
import pickle
import signal
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol

from gossamer.core.errors import GossamerError, SettingsError
from gossamer.lab.server.request_log import LoggedRequest, read_log
from gossamer.lab.server.web_server import Server
from gossamer.lab.simulated_web import Web

_SIZE = struct.Struct("!I")
_CHILD = "from gossamer.lab.server.server_child import main; main()"
_FLUSH = b"flush\n"


class Child(Protocol):
    """A process that is told what to do on its standard input, and answers on its standard output."""

    pid: int

    @property
    def stdin(self) -> IO[bytes] | None: ...

    @property
    def stdout(self) -> IO[bytes] | None: ...

    def poll(self) -> int | None: ...

    def wait(self) -> int: ...


def start() -> Child:
    """A child that calls `main`."""
    return subprocess.Popen(
        [sys.executable, "-c", _CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


class ServedWeb:
    """A web that is being served by a child process. Use it with `with`.

    `web` is the web at the port it is served on, so that its URLs are the real ones.
    """

    def __init__(self, web: Web, **options: Any) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gossamer-lab-")
        self._log = Path(self._folder.name) / "requests.tsv"
        self._process = start()
        started = self._introduce(pickle.dumps((web, {"log": self._log, **options})))
        self._log = Path(options.get("log") or self._log)
        self.http_port: int = started["http_port"]
        self.dns_port: int = started["dns_port"]
        self.web = web.at(self.http_port)

    def _introduce(self, recipe: bytes) -> dict[str, Any]:
        started = self._ask(_SIZE.pack(len(recipe)) + recipe)
        if "error" in started:
            self.close()
            raise SettingsError(started["error"])
        return started

    def _ask(self, message: bytes) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(message)
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the simulated web ended unexpectedly")
        answer: dict[str, Any] = json.loads(line)
        return answer

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def seed_url(self) -> str:
        return self.web.seed_url

    @property
    def dns_address(self) -> str:
        return f"127.0.0.1:{self.dns_port}"

    def requests(self) -> list[LoggedRequest]:
        """All requests that have been answered so far, in the order they ended."""
        if self._process.poll() is None:
            self._ask(_FLUSH)
        return read_log(self._log)

    def close(self) -> None:
        """End the child and remove its log."""
        if self._process.poll() is None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._folder.cleanup()

    def __enter__(self) -> "ServedWeb":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def serve(web: Web, **options: Any) -> ServedWeb:
    """Serve a web from a child process; options are those of `Server`.

    >>> with serve(Web(pages=30, hosts=3)) as served:
    ...     served.requests()
    []
    """
    return ServedWeb(web, **options)


def _read_exactly(size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = os.read(sys.stdin.fileno(), size - len(data))
        if not piece:
            raise SystemExit(0)  # the parent is gone
        data += piece
    return data


def _send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _handle_command(server: Server, fd: int, events: int) -> None:
    """Do as the parent says."""
    commands = os.read(fd, 4096)
    if not commands:
        server.stop()
    for _ in range(commands.count(_FLUSH)):
        server.log.flush()
        _send({"flushed": True})


def main() -> None:
    """The child: read what to serve, serve it, end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to handle
    (size,) = _SIZE.unpack(_read_exactly(_SIZE.size))
    web, options = pickle.loads(_read_exactly(size))
    try:
        server = Server(web, **options)
    except GossamerError as error:
        _send({"error": str(error)})
        return
    server.watch(sys.stdin.fileno(), lambda fd, events: _handle_command(server, fd, events))
    _send({"http_port": server.http_port, "dns_port": server.dns_port})
    server.run()

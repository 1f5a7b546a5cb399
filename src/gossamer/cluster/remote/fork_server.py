"""Fork the workers of one machine from a process that has loaded everything.

What every partition needs (compiled kernels, tables, libraries) takes well over a hundred megabytes. Forks
share it. An actor of Ray cannot be forked, because it has threads; so it stays small, and asks the machine's
fork server for an incarnation, over a socket in the file system. It waits for the end of that incarnation;
the incarnation ends with it.

    actor ── ticket, task ────▶ fork server ── fork ──▶ worker
      ◀──────── how it ended ───────────────────────┘

The first actor that finds no fork server starts one. A fork server without workers ends after half a minute.
"""

import fcntl
import gc
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from struct import Struct as Layout
from threading import Thread
from typing import Any

from xxhash import xxh3_64_hexdigest

from gossamer.cluster.remote.launcher import IncarnationEnded, Ticket
from gossamer.core.agent import VERSION

_SIZE = Layout("<Q")
_IDLE = 30.0
"""Seconds after which a fork server without lives ends."""
_TIMEOUT = 120.0
"""Seconds that a fork server has to begin."""
_STEP = 0.5
_HUGE_PAGES = "NUMPY_MADVISE_HUGEPAGE"
"""With them, tables that are nearly empty take up 2 MB wherever they are touched."""
_MOST_FILES = 4096
_LOST = IncarnationEnded(-9)


class ForkServerError(OSError):
    """There is no fork server, and none can be made."""


def be_born(ticket: Ticket, live: bytes) -> IncarnationEnded:
    """Have an incarnation with this task (pickled) forked, and wait for its end."""
    with _reach(fork_server_folder()) as line:
        order = (tuple(ticket), live, dict(os.environ), sys.path, os.getcwd())
        _send(line, pickle.dumps(order))
        try:
            return IncarnationEnded(*pickle.loads(_receive(line)))
        except (OSError, EOFError):
            return _LOST


def fork_server_folder() -> Path:
    """One for each user, version and interpreter."""
    key = xxh3_64_hexdigest(f"{os.getuid()} {VERSION} {sys.executable}".encode())
    return Path(tempfile.gettempdir()) / f"fork-server-{key}"


def _reach(folder: Path) -> socket.socket:
    """A connection to the fork server, which is started if need be, by one of those who want it."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise ForkServerError(f"{folder} belongs to another user")
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (line := _connect(folder)) is None:
            _start(folder)
            line = _wait_for(folder)
    return line


def _connect(folder: Path) -> socket.socket | None:
    line = socket.socket(socket.AF_UNIX)
    try:
        with _short(folder) as place:
            line.connect(place)
    except OSError:
        line.close()
        return None
    return line


@contextmanager
def _short(folder: Path) -> Iterator[str]:
    """The socket's name, as short as the system wants it."""
    number = os.open(folder, os.O_PATH)
    try:
        yield f"/proc/self/fd/{number}/socket"
    finally:
        os.close(number)


def _wait_for(folder: Path) -> socket.socket:
    deadline = time.monotonic() + _TIMEOUT
    while (line := _connect(folder)) is None:
        if time.monotonic() > deadline:
            raise ForkServerError(f"no fork server started in {folder}")
        time.sleep(0.02)
    return line


def _start(folder: Path) -> None:
    """Not as a child of this process, for Ray ends those with their parents."""
    command = [sys.executable, "-m", __spec__.name if __spec__ else __name__, str(folder)]
    code = "import subprocess, sys; subprocess.Popen(sys.argv[1:], start_new_session=True)"
    subprocess.run(
        [sys.executable, "-c", code, *command],
        check=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, _HUGE_PAGES: "0"},
    )


class ForkServer:
    """Forks lives until none has been wanted for a while."""

    def __init__(self, folder: Path, idle: float = _IDLE) -> None:
        self._place = folder / "socket"
        self._place.unlink(missing_ok=True)
        self._server = socket.socket(socket.AF_UNIX)
        with _short(folder) as place:
            self._server.bind(place)
        self._server.listen(64)
        self._server.settimeout(_STEP)
        self._identity = self._place.stat().st_ino
        self._idle = idle
        self._incarnations: set[int] = set()

    def run(self) -> None:
        last = time.monotonic()
        while self._incarnations or time.monotonic() < last + self._idle:
            with suppress(TimeoutError):
                self._fork(self._server.accept()[0])
            if self._incarnations:
                last = time.monotonic()
            self._bury()
            if not self._is_known():
                self._server.close()  # the disk was emptied, or another fork server was made
                self._wait_for_incarnations()
                return
        self._place.unlink(missing_ok=True)

    def _fork(self, line: socket.socket) -> None:
        if pid := os.fork():
            self._incarnations.add(pid)
            line.close()
        else:
            self._server.close()
            _live(line)

    def _bury(self) -> None:
        with suppress(ChildProcessError):
            while (pid := os.waitpid(-1, os.WNOHANG)[0]) > 0:
                self._incarnations.discard(pid)

    def _is_known(self) -> bool:
        try:
            return self._place.stat().st_ino == self._identity
        except OSError:
            return False

    def _wait_for_incarnations(self) -> None:
        while self._incarnations:
            time.sleep(_STEP)
            self._bury()


def _live(line: socket.socket) -> None:
    """The whole life of a fork."""
    status = 70
    try:
        ticket, live, environment, path, folder = pickle.loads(_receive(line))
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:] = path
        tempfile.tempdir = None
        with suppress(OSError):
            os.chdir(folder)
        Thread(target=_end_with, args=(line,), daemon=True).start()
        ended = _attend(Ticket(*ticket), live)
        status = ended.status
        _send(line, pickle.dumps(tuple(ended)))
    finally:
        os._exit(status)


def _attend(ticket: Ticket, live: bytes) -> IncarnationEnded:
    from gossamer.cluster.remote.remote_worker import attend

    return attend(ticket, pickle.loads(live))


def _end_with(line: socket.socket) -> None:
    """End this incarnation at once when its actor has gone, as if it were killed."""
    with suppress(OSError):
        if not line.recv(1):
            os.kill(os.getpid(), signal.SIGKILL)


def _send(line: socket.socket, data: bytes) -> None:
    line.sendall(_SIZE.pack(len(data)) + data)


def _receive(line: socket.socket) -> bytes:
    (size,) = _SIZE.unpack(_read(line, _SIZE.size))
    return _read(line, size)


def _read(line: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = line.recv(min(1 << 20, size - len(data)))
        if not piece:
            raise EOFError("connection lost")
        data += piece
    return bytes(data)


def main(folder: str, *more: Any) -> None:
    from gossamer.cluster.remote import remote_task
    from gossamer.core.kernel import load_kept
    from gossamer.engine.warm import load

    assert remote_task is not None, "it brings all components"
    load()
    load_kept()
    gc.collect()
    gc.freeze()
    os.closerange(3, _MOST_FILES)
    ForkServer(Path(folder)).run()


if __name__ == "__main__":
    main(*sys.argv[1:])

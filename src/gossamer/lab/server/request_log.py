"""The request log: who asked for what, from when until when."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

_ESCAPES = str.maketrans({"\t": "%09", "\r": "%0D", "\n": "%0A"})


class LoggedRequest(NamedTuple):
    """One request. Times are seconds since 1970, comparable with `time.time()` on this machine."""

    start: float
    """When the request had been read."""
    end: float
    """When the last byte was handed to the kernel."""
    host: str
    path: str
    method: str
    status: int
    """0 when nothing was answered."""
    peer: str
    """The client's address and port."""
    address: str
    """The server's address."""


class RequestLog:
    """Keeps requests in a list, or in a file of tab-separated lines, or nowhere."""

    def __init__(self, path: Path | None = None, keep: bool = False) -> None:
        self._file: TextIO | None = path.open("w", encoding="utf-8") if path else None
        self._keep = keep
        self._entries: list[LoggedRequest] = []
        self.is_on = keep or path is not None

    def add(self, request: LoggedRequest) -> None:
        if self._keep:
            self._entries.append(request)
        if self._file is not None:
            self._file.write(_line(request))

    def __iter__(self) -> Iterator[LoggedRequest]:
        return iter(self._entries)

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _line(request: LoggedRequest) -> str:
    start, end, host, path, method, status, peer, address = request
    if "\t" in path or "\r" in path or "\n" in path:
        path = path.translate(_ESCAPES)
    return f"{start:.6f}\t{end:.6f}\t{host}\t{path}\t{method}\t{status}\t{peer}\t{address}\n"


def read_log(path: Path) -> list[LoggedRequest]:
    """Read a log file back."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        return list(_parse(lines))


def _parse(lines: Iterable[str]) -> Iterator[LoggedRequest]:
    for line in lines:
        start, end, host, path, method, status, peer, address = line.rstrip("\n").split("\t")
        yield LoggedRequest(
            float(start), float(end), host, path, method, int(status), peer, address
        )

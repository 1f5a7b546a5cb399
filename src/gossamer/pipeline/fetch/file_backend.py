"""Hosts that are directories of this machine: the route `docs.test = "files:/srv/docs"`.

Nothing is asked of anybody, so there is no address and no robots.txt. A file is a page, a directory is its
`index.html`, or a list of what is in it. Nothing but the directory can be read: no path leads out of it, no
symbolic link does, and names that begin with a dot (`.git`, `.env`) are not there, `.well-known` apart.
"""

import html
import mimetypes
import os
import stat
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

from gossamer.core.clock import Clock
from gossamer.core.errors import SettingsError
from gossamer.core.outcomes import Outcome, Truncation
from gossamer.core.poller import Poller
from gossamer.core.records import Headers, Page, Visit
from gossamer.core.request import RequestUrl
from gossamer.core.settings import FetchSettings

_AT_ONCE = 32
"""Files that are read in one turn."""
_MOST_WAITING = 256
_INDEX = "index.html"
_HTML = "text/html; charset=utf-8"


def open_files(
    routes: Mapping[str, str], settings: FetchSettings, poller: Poller, clock: Clock
) -> "FileBackend":
    """The directories of hosts. Each must be there, with its whole path: a crawl may be resumed elsewhere."""
    for host, folder in routes.items():
        if not (os.path.isabs(folder) and os.path.isdir(folder)):
            raise SettingsError(
                f"fetch.routes: {folder!r} is not the whole path of a directory; "
                f'write e.g. {host} = "files:/srv/site"'
            )
    roots = {host: Path(folder).resolve() for host, folder in routes.items()}
    return FileBackend(roots, settings.max_body, clock)


class FileBackend:
    """Reads files of directories that stand for hosts."""

    is_local = True

    def __init__(self, roots: Mapping[str, Path], most: int, clock: Clock) -> None:
        self._roots = roots
        self._most = most
        self._clock = clock
        self._waiting: deque[Visit] = deque()

    def wants(self, visit: Visit) -> bool:
        return visit.url.host in self._roots

    @property
    def in_flight(self) -> int:
        return len(self._waiting)

    def free_slots(self) -> int:
        return _MOST_WAITING - len(self._waiting)

    def start(
        self, visit: Visit, address: str, fields: tuple[str, ...] = (), most: int | None = None
    ) -> None:
        self._waiting.append(visit)

    def finished(self) -> list[Page]:
        count = min(_AT_ONCE, len(self._waiting))
        return [self._read(self._waiting.popleft()) for _ in range(count)]

    def hosts_in_flight(self) -> dict[str, float]:
        return {}

    def next_timeout(self) -> float | None:
        return 0.0 if self._waiting else None

    def tick(self) -> None:
        """Files come at once."""

    def close(self) -> None:
        self._waiting.clear()

    def _read(self, visit: Visit) -> Page:
        url = visit.url
        root = self._roots[url.host]
        if isinstance(url, RequestUrl) and url.sent.method != "GET":
            answer = FileAnswer(405, "text/plain", b"")
        else:
            path = url.path.partition("?")[0]
            answer = read_below(root, path, self._most)
        return answer.page(visit, self._clock.now())


class FileAnswer(NamedTuple):
    """The answer of a server to a request for a file."""

    status: int
    media_type: str
    body: bytes
    is_cut: bool = False
    location: str = ""

    def page(self, visit: Visit, now: float) -> Page:
        fields = [("Content-Type", self.media_type), ("Content-Length", str(len(self.body)))]
        if self.location:
            fields.append(("Location", self.location))
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
        return Page(
            visit,
            Outcome.FETCHED,
            now,
            status=self.status,
            headers=Headers(fields),
            head=f"HTTP/1.1 {self.status} \r\n{lines}\r\n".encode(),
            payload=self.body,
            body=self.body,
            truncated=Truncation.LENGTH if self.is_cut else Truncation.NONE,
            protocol="file",
        )


_MISSING = FileAnswer(404, "text/plain", b"")
_FORBIDDEN = FileAnswer(403, "text/plain", b"")


def read_below(root: Path, path: str, most: int) -> FileAnswer:
    """Read the file at the path of a URL below a directory, up to a number of bytes."""
    # Escapes are decoded after the path was taken apart: %2F is no slash, but a character of a name.
    names = [os.fsdecode(unquote_to_bytes(name)) for name in path.split("/") if name]
    if any(_is_hidden(name) for name in names):
        return _MISSING
    place = root.joinpath(*names)
    try:
        real = place.resolve(strict=True)
        if not real.is_relative_to(root):
            return _MISSING
        if not real.is_dir():
            return _MISSING if path.endswith("/") else read_regular(real, most)
        if not path.endswith("/"):
            return FileAnswer(301, "text/plain", b"", location=f"{path}/")
        index = (real / _INDEX).resolve()
        if index.is_file() and index.is_relative_to(root):
            return read_regular(index, most)
        return FileAnswer(200, _HTML, list_folder(real))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return _MISSING
    except (OSError, RuntimeError):  # the latter for symbolic links that lead in a circle
        return _FORBIDDEN


def _is_hidden(name: str) -> bool:
    """Is a name none of a file that is to be seen?

    >>> [_is_hidden(name) for name in (".git", "..", "a/b", "", ".well-known", "a.html")]
    [True, True, True, True, False, False]
    """
    return not name or "/" in name or "\0" in name or (name[0] == "." and name != ".well-known")


def read_regular(path: Path, most: int) -> FileAnswer:
    """A regular file. A pipe or a device could be read for ever."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return _FORBIDDEN
        body = file.read(most + 1)
    return FileAnswer(200, _media_type(path.name), body[:most], len(body) > most)


def _media_type(name: str) -> str:
    kind, encoding = mimetypes.guess_type(name)
    return "application/gzip" if encoding == "gzip" else kind or "application/octet-stream"


def list_folder(path: Path) -> bytes:
    """A page that links to what is in a directory."""
    entries = sorted(
        entry.name + ("/" if entry.is_dir() else "")
        for entry in path.iterdir()
        if not _is_hidden(entry.name)
    )
    items = "".join(
        f'<li><a href="./{html.escape(quote(os.fsencode(name)))}">{html.escape(name)}</a>'
        for name in entries
    )
    title = html.escape(path.name)
    return f"<!doctype html><title>{title}</title><ul>{items}</ul>".encode("utf-8", "replace")

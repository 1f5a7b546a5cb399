"""Files of this machine as pages: `file:///some/folder/`.

A folder is a page that links to what is in it. Only for crawls that switch the scheme on.
"""

import html
import mimetypes
from pathlib import Path
from urllib.parse import quote, unquote

from gossamer.core.outcomes import Outcome, Truncation
from gossamer.core.records import Headers, Page, Visit


def fetch_file(visit: Visit, now: float, limit: int) -> Page:
    """Read a file, or list a folder; what cannot be read is a 404 or a 403."""
    path = Path(unquote(visit.url.text.partition("://")[2].partition("?")[0]))
    try:
        if path.is_dir():
            return _page(visit, now, 200, "text/html; charset=utf-8", _list_folder(path))
        if path.exists() and not path.is_file():  # a pipe or a device could be read for ever
            return _page(visit, now, 403, "text/plain", b"")
        with open(path, "rb") as file:
            body = file.read(limit + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return _page(visit, now, 404, "text/plain", b"")
    except OSError:
        return _page(visit, now, 403, "text/plain", b"")
    kind, encoding = mimetypes.guess_type(path.name)
    media_type = "application/gzip" if encoding == "gzip" else kind or "application/octet-stream"
    return _page(visit, now, 200, media_type, body[:limit], len(body) > limit)


def _list_folder(path: Path) -> bytes:
    entries = sorted(entry.name + ("/" if entry.is_dir() else "") for entry in path.iterdir())
    items = "".join(
        f'<li><a href="./{html.escape(quote(name))}">{html.escape(name)}</a>' for name in entries
    )
    title = html.escape(path.name)
    return f"<!doctype html><title>{title}</title><ul>{items}</ul>".encode("utf-8", "replace")


def _page(
    visit: Visit, now: float, status: int, media_type: str, body: bytes, is_cut: bool = False
) -> Page:
    head = (
        f"HTTP/1.1 {status} \r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return Page(
        visit,
        Outcome.FETCHED,
        now,
        status=status,
        headers=Headers([("Content-Type", media_type), ("Content-Length", str(len(body)))]),
        head=head.encode(),
        payload=body,
        body=body,
        truncated=Truncation.LENGTH if is_cut else Truncation.NONE,
        protocol="file",
    )

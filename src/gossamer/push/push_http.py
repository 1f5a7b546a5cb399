"""HTTP/1.1, as much of it as announcements need: one request per connection, whole, within limits."""

from asyncio import IncompleteReadError, LimitOverrunError, StreamReader
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote

from msgspec import Struct

from gossamer.push.abuse import Abuse, RefusedError

MOST_HEAD = 16 << 10
"""Bytes of a request's head."""


class HttpRequest(Struct, frozen=True):
    """The request of a client."""

    method: str
    path: str
    query: dict[str, str]
    """Of two parameters with one name, the last counts."""
    fields: dict[str, str]
    """By names in lower case."""
    body: bytes = b""


class HttpAnswer(Struct, frozen=True):
    """The answer to a client: always plain text, so that no browser runs it."""

    status: int
    text: str = ""
    retry_after: int = 0

    def encode(self) -> bytes:
        """
        >>> HttpAnswer(202).encode().splitlines()[0]
        b'HTTP/1.1 202 Accepted'
        """
        body = self.text.encode("utf-8", "replace")
        lines = [
            f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}",
            "Content-Type: text/plain; charset=utf-8",
            "X-Content-Type-Options: nosniff",
            f"Content-Length: {len(body)}",
            "Connection: close",
            *([f"Retry-After: {self.retry_after}"] if self.retry_after else []),
        ]
        return "\r\n".join([*lines, "\r\n"]).encode("ascii") + body


async def read_request(reader: StreamReader, most: int) -> HttpRequest | None:
    """The request, with a body of this many bytes at most; None when none came."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except LimitOverrunError:
        raise RefusedError(431, Abuse.TOO_LARGE) from None
    except IncompleteReadError as error:
        if not error.partial:
            return None
        raise RefusedError(400, Abuse.BAD_REQUEST) from None
    request = read_head(head)
    length = _read_length(request)
    if length > most:
        raise RefusedError(413, Abuse.TOO_LARGE, f"at most {most} bytes")
    try:
        body = await reader.readexactly(length)
    except IncompleteReadError:
        raise RefusedError(400, Abuse.BAD_REQUEST, "the body is cut short") from None
    return HttpRequest(request.method, request.path, request.query, request.fields, body)


def read_head(head: bytes) -> HttpRequest:
    """
    >>> request = read_head(b"GET /a%20b?c=d%26e HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
    >>> request.method, request.path, request.query, request.fields
    ('GET', '/a b', {'c': 'd&e'}, {'host': 'x'})
    """
    first, *lines = head.decode("latin-1").split("\r\n")
    method, _, rest = first.partition(" ")
    target, _, version = rest.partition(" ")
    if not version.startswith("HTTP/1.") or not target.startswith("/"):
        raise RefusedError(400, Abuse.BAD_REQUEST)
    path, _, query = target.partition("?")
    fields = {}
    for line in filter(None, lines):
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise RefusedError(400, Abuse.BAD_REQUEST)
        if name.lower() in ("content-length", "transfer-encoding") and name.lower() in fields:
            raise RefusedError(400, Abuse.BAD_REQUEST)
        fields[name.lower()] = value.strip()
    return HttpRequest(method, unquote(path), _read_query(query), fields)


def _read_query(query: str) -> dict[str, str]:
    try:
        return dict(parse_qsl(query, keep_blank_values=True, max_num_fields=50))
    except ValueError:
        raise RefusedError(400, Abuse.BAD_REQUEST, "too many parameters") from None


def _read_length(request: HttpRequest) -> int:
    """Read the length of the body; a body without a length is refused. A body whose length is not said is
    not read."""
    if "transfer-encoding" in request.fields:
        raise RefusedError(411, Abuse.BAD_REQUEST, "send a Content-Length")
    length = request.fields.get("content-length", "0")
    if not (length.isascii() and length.isdigit()) or len(length) > 18:
        raise RefusedError(400, Abuse.BAD_REQUEST)
    return int(length)

"""From a request head to the steps of an answer: HTTP/1.1 without any socket."""

from http import HTTPStatus
from typing import NamedTuple

from isal import isal_zlib

from gossamer.lab.response_transfer import WHOLE, Steps, TransferEnd
from gossamer.lab.server.conditional import (
    UNCONDITIONAL,
    Conditions,
    is_still_good,
    read_conditions,
)
from gossamer.lab.simulated_web import Web
from gossamer.lab.url_answer import Answer

_GZIP = 31  # zlib's window bits for a gzip wrapping
_STATUS_LINES = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\nServer: gossamer-lab\r\n".encode()
    for status in HTTPStatus
}
_PLAIN_HEAD = _STATUS_LINES[200] + b"Content-Type: text/html; charset=utf-8\r\n"


class AskedPage(NamedTuple):
    """The page that a request asks for."""

    method: str
    host: str
    target: str
    accepts_gzip: bool = False
    keeps_alive: bool = True
    conditions: Conditions = UNCONDITIONAL


def read_request(head: bytes) -> AskedPage | None:
    """Read a request head, given without its empty line; None when it is malformed.

    >>> read_request(b"GET /a HTTP/1.1\\r\\nHost: Example.test:8080").host
    'example.test'
    """
    words = head.partition(b"\r\n")[0].split(b" ")
    if len(words) != 3:
        return None
    method, target, version = words
    lower = head.lower()
    host = _field(lower, b"\r\nhost:").partition(b":")[0].decode("latin-1")
    accepts_gzip = b"gzip" in _field(lower, b"\r\naccept-encoding:")
    keeps_alive = version == b"HTTP/1.1" and _field(lower, b"\r\nconnection:") != b"close"
    path = _path_of(target.decode("latin-1"))
    conditions = UNCONDITIONAL
    if b"\r\nif-" in lower:
        conditions = read_conditions(head.decode("latin-1").split("\r\n")[1:])
    return AskedPage(method.decode("latin-1"), host, path, accepts_gzip, keeps_alive, conditions)


def _path_of(target: str) -> str:
    """A request target may also be a whole URL (RFC 9112, 3.2.2)."""
    if target.startswith("http://"):
        return "/" + target[7:].partition("/")[2]
    return target


def _field(lower: bytes, name: bytes) -> bytes:
    """The value of a field in a head in lower case; empty when it is missing."""
    place = lower.find(name)
    if place < 0:
        return b""
    start = place + len(name)
    end = lower.find(b"\r\n", start)
    return (lower[start:end] if end >= 0 else lower[start:]).strip()


class ServerResponse(NamedTuple):
    """The status for the log (0 when nothing is answered), and what to do."""

    status: int
    steps: Steps


def respond(web: Web, asked: AskedPage) -> ServerResponse:
    """Return the web's answer, as steps."""
    site = web.site_named(asked.host)
    if site < 0:
        return _refuse(421, b"No such host here.\n")
    if asked.method not in ("GET", "HEAD"):
        return _refuse(405, b"Only GET and HEAD.\n")
    answer = web.answer_at(site, asked.target)
    if answer.validators is not None and is_still_good(asked.conditions, answer.validators):
        return _not_modified(answer)
    body = web.body_of(answer)
    if answer.is_ordinary and asked.method == "GET" and _is_plain(answer):
        return ServerResponse(200, answer.transfer.steps(_PLAIN_HEAD, body))
    return _respond_specially(answer, body, asked)


def _is_plain(answer: Answer) -> bool:
    """Is there nothing that changes the head or takes time?"""
    return not (
        answer.is_packed
        or answer.wait
        or answer.pause
        or answer.fields
        or answer.tongue is not None
    )


def _respond_specially(answer: Answer, body: bytes, asked: AskedPage) -> ServerResponse:
    head = _head_of(answer)
    if answer.is_packed and asked.accepts_gzip:
        head += b"Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n"
        body = isal_zlib.compress(body, 1, _GZIP)
    steps = answer.transfer.steps(head, body)
    is_answered = any(isinstance(step, bytes) for step in steps)
    if asked.method == "HEAD" and is_answered:
        steps = [b"%bContent-Length: %d\r\n\r\n" % (head, len(body))]
    return ServerResponse(answer.status if is_answered else 0, _take_time(answer, steps))


def _not_modified(answer: Answer) -> ServerResponse:
    """No body, but the fields that tell how good the copy is."""
    steps: Steps = [_STATUS_LINES[304] + answer.fields + b"\r\n"]
    return ServerResponse(304, _take_time(answer, steps))


def _head_of(answer: Answer) -> bytes:
    charset = "utf-8"
    if answer.tongue is not None:
        charset = answer.tongue.charset if answer.tongue.in_header else ""
    media_type = f"{answer.media_type}; charset={charset}" if charset else answer.media_type
    location = f"Location: {answer.location}\r\n" if answer.location else ""
    fields = f"Content-Type: {media_type}\r\n{location}".encode()
    return _STATUS_LINES[answer.status] + fields + answer.fields


def _take_time(answer: Answer, steps: Steps) -> Steps:
    """Put in the wait before the first byte and the pause in the middle."""
    first = steps[0]
    if answer.pause and isinstance(first, bytes):
        half = len(first) // 2
        steps = [first[:half], answer.pause, first[half:], *steps[1:]]
    return [answer.wait, *steps] if answer.wait else steps


def _refuse(status: int, text: bytes) -> ServerResponse:
    head = _STATUS_LINES[status] + b"Content-Type: text/plain\r\nConnection: close\r\n"
    return ServerResponse(status, [*WHOLE.steps(head, text), TransferEnd.CLOSE])

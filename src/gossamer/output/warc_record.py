"""One WARC record as bytes: what stands in it is decided here, where it is written is not.

The format is WARC 1.1 (ISO 28500:2017). A visit becomes a capture and a request:

- a `response` with the message as it came over the wire;
- a `revisit` with the header fields only, when the same payload is in an archive already
  (profile identical-payload-digest);
- a `revisit` with nothing at all, when the server said so with a 304 (server-not-modified): readers
  show the header fields of a record if it has any, and those of a 304 belong to no content;
- a `request` with what was sent, concurrent to the capture.

What was sent is kept with one exception: an archive is given away more easily than a password, so
the values of Authorization, Cookie and Proxy-Authorization are replaced by `[not kept]`, and so are
those of secret fields in the body of a request (`store.secret_fields`). For the same reason
`warcinfo` masks logins, cookies and a proxy's password among the settings.

The identity of a record is made of chance from outside, which is the operating system's, whatever seed
the crawl was given: no two records of any two archives may share one.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from hashlib import sha1

import numpy as np

from gossamer.core.records import Judged, Original, Page
from gossamer.core.request import NOT_KEPT, RequestUrl
from gossamer.output.digest import base32
from gossamer.output.warc_date import warc_date

_PROFILES = "http://netpreserve.org/warc/1.1/revisit/"
_RESPONSE = "application/http; msgtype=response"
_REQUEST = "application/http; msgtype=request"
_END = b"\r\n\r\n"

# Some readers end the header fields at the first line of white space only, wherever it stands.
_BLANK_LINE = re.compile(rb"\n[ \t\r\v\f\x1c-\x1f]*\n")

_SECRET_FIELD = re.compile(
    rb"^(authorization|cookie|proxy-authorization):[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*",
    re.IGNORECASE | re.MULTILINE,
)

_LENGTH = re.compile(rb"^(Content-Length: )\d+", re.MULTILINE)

_IDENTITIES_AT_ONCE = 256

Draw = Callable[[int], bytes]
"""Gives as many random bytes as it is asked for."""


class RecordKind(Enum):
    """The kind of capture that a visit becomes."""

    RESPONSE = auto()
    SAME_PAYLOAD = auto()
    NOT_MODIFIED = auto()


def kind_of(judged: Judged) -> RecordKind:
    """Decide how a visit that brought a response is kept.

    An empty payload is never replaced by a pointer: it would save nothing, and a redirect would
    need another record to be replayed. A 304 that stands for nothing we know is kept as it came.
    """
    page = judged.document.page
    if page.status == 304 and judged.archived is not None:
        return RecordKind.NOT_MODIFIED
    if page.payload and original_of(judged) is not None:
        return RecordKind.SAME_PAYLOAD
    return RecordKind.RESPONSE


def original_of(judged: Judged) -> Original | None:
    """The capture that has the payload already; that of an earlier crawl is a response for sure."""
    return judged.archived or judged.original


class Records:
    """Spells records, and gives each an identity of its own."""

    def __init__(self, draw: Draw = os.urandom, secret_fields: Sequence[str] = ()) -> None:
        """`draw` gives as many random bytes as it is asked for."""
        self._identities = _identities(draw)
        self._secret_fields = secret_fields

    def warcinfo(self, filename: str, date: float, fields: bytes) -> bytes:
        """The first record of a file: who made it, and how."""
        lines = f"WARC-Date: {warc_date(date)}\r\nWARC-Filename: {filename}\r\n"
        identity = next(self._identities)
        return _assemble("warcinfo", identity, lines, "application/warc-fields", fields)

    def exchange(self, judged: Judged, kind: RecordKind, digest: str) -> list[bytes]:
        """The capture, and the request when it is known.

        `digest` is the payload's, spelled; it may be empty.
        """
        page = judged.document.page
        identity = next(self._identities)
        shared = _shared_fields(page)
        records = [_capture(judged, kind, identity, shared, digest)]
        if page.request:
            joined = f"{shared}WARC-Concurrent-To: {identity}\r\n"
            sent = _without_secrets(page.request)
            if isinstance(url := page.visit.url, RequestUrl):
                sent = _written_request(page.request, url, self._secret_fields)
            records.append(_assemble("request", next(self._identities), joined, _REQUEST, sent))
        return records


def _identities(draw: Draw) -> Iterator[str]:
    """Random UUIDs (version 4), drawn many at a time."""
    while True:
        block = np.frombuffer(bytearray(draw(16 * _IDENTITIES_AT_ONCE)), np.uint8)
        numbers = block.reshape(-1, 16)
        numbers[:, 6] = numbers[:, 6] & 0x0F | 0x40
        numbers[:, 8] = numbers[:, 8] & 0x3F | 0x80
        digits = block.tobytes().hex()
        for start in range(0, len(digits), 32):
            text = digits[start : start + 32]
            yield f"<urn:uuid:{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}>"


def _without_secrets(request: bytes) -> bytes:
    lowered = request.lower()
    if b"cookie:" not in lowered and b"authorization:" not in lowered:
        return request  # nearly always, so that it should cost nearly nothing
    return _SECRET_FIELD.sub(rb"\1: " + NOT_KEPT.encode(), request)


def _written_request(request: bytes, url: RequestUrl, secret_fields: Sequence[str]) -> bytes:
    """A request with a body as it is kept. Its Content-Length is that of the body as it is kept."""
    head, gap, _ = request.partition(_END[:4])
    body = url.written_body(secret_fields)
    head = _without_secrets(head)
    return _LENGTH.sub(rb"\g<1>%d" % len(body), head) + gap + body


def _shared_fields(page: Page) -> str:
    address = f"WARC-IP-Address: {page.address}\r\n" if page.address else ""
    date = warc_date(page.started)
    spoken = "" if page.protocol == "http/1.1" else f"WARC-Protocol: {page.protocol}\r\n"
    return f"WARC-Date: {date}\r\nWARC-Target-URI: {page.visit.url.text}\r\n{address}{spoken}"


def _capture(judged: Judged, kind: RecordKind, identity: str, shared: str, digest: str) -> bytes:
    if kind is RecordKind.RESPONSE:
        return _response(judged, identity, shared, digest)
    if kind is RecordKind.SAME_PAYLOAD:
        return _same_payload(judged, identity, shared, digest)
    return _not_modified(judged, identity, shared, digest)


def _response(judged: Judged, identity: str, shared: str, digest: str) -> bytes:
    page = judged.document.page
    if digest and _has_clear_end(page.head):
        shared += f"WARC-Payload-Digest: {digest}\r\n"
    if page.truncated:
        shared += f"WARC-Truncated: {page.truncated}\r\n"
    return _assemble("response", identity, shared, _RESPONSE, page.head, page.payload)


def _same_payload(judged: Judged, identity: str, shared: str, digest: str) -> bytes:
    fields = (
        f"{shared}WARC-Profile: {_PROFILES}identical-payload-digest\r\n"
        f"{_refers_to(judged)}WARC-Payload-Digest: {digest}\r\n"
        # The standard asks for this whenever an identical payload is left out.
        "WARC-Truncated: length\r\n"
    )
    return _assemble("revisit", identity, fields, _RESPONSE, judged.document.page.head)


def _not_modified(judged: Judged, identity: str, shared: str, digest: str) -> bytes:
    """The payload of such a record is the original's (WARC 1.1, 6.7.3), so its digest is, too."""
    fields = (
        f"{shared}WARC-Profile: {_PROFILES}server-not-modified\r\n"
        f"{_refers_to(judged)}WARC-Payload-Digest: {digest}\r\n"
    )
    return _assemble("revisit", identity, fields, _RESPONSE, b"")


def _refers_to(judged: Judged) -> str:
    original = original_of(judged)
    assert original is not None, "a pointer points to something"
    return (
        f"WARC-Refers-To-Target-URI: {original.url}\r\n"
        f"WARC-Refers-To-Date: {warc_date(original.date)}\r\n"
    )


def _has_clear_end(head: bytes) -> bool:
    """Do all readers find the payload right behind these header fields?

    They differ in what they take for an empty line. Where that matters, a payload digest would
    only make some of them report a broken record.
    """
    if not head.endswith(_END) or head[:1].isspace():
        return False
    blank = _BLANK_LINE.search(head)
    return blank is not None and blank.end() == len(head)


def _assemble(
    kind: str, identity: str, fields: str, content: str, head: bytes, payload: bytes = b""
) -> bytes:
    block = sha1(head, usedforsecurity=False)
    block.update(payload)
    lines = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {identity}\r\n{fields}"
        f"WARC-Block-Digest: sha1:{base32(block.digest())}\r\n"
        f"Content-Type: {content}\r\nContent-Length: {len(head) + len(payload)}\r\n\r\n"
    )
    return b"".join((lines.encode("utf-8", "replace"), head, payload, _END))

"""A record of the archive becomes a page again."""

import zlib
from pathlib import Path

from gossamer.base.http import content_codings, is_chunked
from gossamer.base.outcomes import Outcome
from gossamer.base.records import Page, Visit
from gossamer.base.url import parse
from gossamer.cycle.fetch.decode import dechunk, decode
from gossamer.cycle.fetch.head import parse_fields, parse_status
from gossamer.texts.plan import Capture

_GZIP = 31
_MAX_RECORD = 1 << 28
"""Bytes of a record, decompressed: a crawl keeps bodies of this size only if told so."""


def read_capture(folder: Path, capture: Capture, max_decoded: int) -> Page | None:
    """The page as the crawl had it; None when there is no such response in the archive."""
    with open(folder / capture.file, "rb") as file:
        file.seek(capture.offset)
        member = file.read(capture.length)
    try:
        record = zlib.decompressobj(_GZIP).decompress(member, _MAX_RECORD)
    except zlib.error:
        return None
    head, _, block = record.partition(b"\r\n\r\n")
    url = parse(capture.url)
    if url is None or b"\r\nWARC-Type: response\r\n" not in head:
        return None
    payload_end = len(block) - 4  # two empty lines end a record
    is_binary = b"\r\nWARC-Protocol: h2\r\n" in head or b"\r\nWARC-Protocol: h3\r\n" in head
    return _page(Visit(url), block[:payload_end], capture, max_decoded, is_binary)


def _page(
    visit: Visit, message: bytes, capture: Capture, max_decoded: int, is_binary: bool
) -> Page:
    """Read an HTTP message; HTTP/2 and 3 have no chunks, whatever the fields say."""
    head, payload = _split(message)
    lines = head.splitlines()
    headers = parse_fields(lines[1:])
    body = payload
    if not is_binary and is_chunked(headers):
        body = dechunk(payload).body
    if encodings := content_codings(headers):
        body = decode(body, encodings, max_decoded).body
    status = parse_status(lines[0]) if lines else 0
    started = capture.fetched_at / 1e6
    return Page(visit, Outcome.FETCHED, started, status=status, headers=headers, body=body)


def _split(message: bytes) -> tuple[bytes, bytes]:
    """Header fields and payload, at the first empty line."""
    ends = [(message.find(mark), len(mark)) for mark in (b"\r\n\r\n", b"\n\n")]
    place, width = min(((at, width) for at, width in ends if at >= 0), default=(len(message), 0))
    return message[:place], message[place + width :]

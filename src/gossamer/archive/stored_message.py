"""A record of the archive becomes an HTTP message again, decoded as the crawl did."""

import re
from pathlib import Path
from typing import cast

from isal import isal_zlib
from msgspec import Struct

from gossamer.core.http import content_codings, is_chunked
from gossamer.core.records import Headers
from gossamer.pipeline.fetch.decode import dechunk, decode
from gossamer.pipeline.fetch.response_head import parse_fields, parse_status

_GZIP = 31
_DAMAGED = cast("type[Exception]", isal_zlib.error)  # its stubs call the class an instance
_REVISIT = b"\r\nWARC-Type: revisit\r\n"
_EMPTY_LINE = re.compile(rb"\n\r?\n").search
_MAX_RECORD = 1 << 28
"""Bytes of a record, decompressed: a crawl keeps bodies of this size only if told so."""


class StoredMessage(Struct, frozen=True):
    """A response as it was received, or of a revisit its header fields alone."""

    head: bytes
    """Status line and header fields, with the empty line."""
    payload: bytes
    """The body as sent."""
    protocol: str = "http/1.1"
    is_revisit: bool = False

    @property
    def status(self) -> int:
        return parse_status(self.head.partition(b"\n")[0].strip())

    @property
    def headers(self) -> Headers:
        return parse_fields(self.head.splitlines()[1:])

    def body(self, headers: Headers, max_decoded: int) -> bytes:
        """The payload, decoded; HTTP/2 and 3 have no chunks, whatever the fields say."""
        body, is_binary = self.payload, self.protocol in ("h2", "h3")
        if not is_binary and is_chunked(headers):
            body = dechunk(body).body
        encodings = content_codings(headers)
        return decode(body, encodings, max_decoded).body if encodings else body


def read_message(warc: Path, file: str, offset: int, length: int) -> StoredMessage:
    """The message in a record; one that is damaged raises `ValueError`, a missing file `OSError`."""
    with open(warc / file, "rb") as stream:
        stream.seek(offset)
        member = stream.read(length)
    fields, _, block = _inflate(member, f"warc/{file}: the record at byte {offset}").partition(
        b"\r\n\r\n"
    )
    is_capture = b"\r\nWARC-Type: response\r\n" in fields or _REVISIT in fields
    if not is_capture:
        raise ValueError(f"warc/{file}: the record at byte {offset} is not a response")
    return message_of(fields, block)


def message_of(fields: bytes, block: bytes) -> StoredMessage:
    """The message in the block of a record, given with the two empty lines that end it."""
    head, payload = _split(block[:-4])
    return StoredMessage(head, payload, _protocol(fields), _REVISIT in fields)


def _inflate(member: bytes, what: str) -> bytes:
    inflater = isal_zlib.decompressobj(_GZIP)
    try:
        record = inflater.decompress(member, _MAX_RECORD)
    except _DAMAGED as error:
        raise ValueError(f"{what} is damaged: {error}") from None
    if not inflater.eof and not inflater.unconsumed_tail:
        raise ValueError(f"{what} is cut short")
    return record


def _protocol(fields: bytes) -> str:
    after = fields.partition(b"\r\nWARC-Protocol: ")[2]
    return after.partition(b"\r\n")[0].decode("ascii", "replace") or "http/1.1"


def _split(message: bytes) -> tuple[bytes, bytes]:
    """Header fields and payload, at the first empty line, however its lines end."""
    found = _EMPTY_LINE(message)
    end = found.end() if found else len(message)
    return message[:end], message[end:]

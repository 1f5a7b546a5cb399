"""From the payload as sent to the body as meant: chunking and compression undone, within limits.

A few kilobytes can decompress to gigabytes, so every step is given the number of bytes it may
put out. What could be decoded before an error is kept, as a browser keeps it.
"""

import re
import zlib
from collections.abc import Callable
from typing import NamedTuple, cast

import brotli
import zstandard
from isal import igzip_lib, isal_zlib


class Decoded(NamedTuple):
    body: bytes
    is_cut: bool = False
    """The limit was reached."""
    problem: str = ""
    """What was wrong with the encoding; empty when nothing was."""
    is_damaged: bool = False
    """Some of the body could not be decoded."""


Decoder = Callable[[bytes, int], Decoded]

_DAMAGED = cast("type[Exception]", igzip_lib.IsalError)  # its stubs call the class an instance
_MOST_ENCODINGS = 5
_MOST_MEMBERS = 100_000
_MOST_CHUNKS = 500_000
"""A body in tiny pieces costs us more than its sender; no honest one has that many."""

_CHUNK_SIZE = re.compile(rb"[0-9A-Fa-f]{1,16}")
_CONTROLS = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
"""Bytes that no text has: the binary data bytes of the WHATWG MIME Sniffing standard."""


def decode(payload: bytes, encodings: str, limit: int) -> Decoded:
    """Undo the encodings that a Content-Encoding field names, the last one first.

    >>> import zlib
    >>> decode(zlib.compress(b"hello"), "deflate", 100).body
    b'hello'
    """
    names = [name for name in (part.strip().lower() for part in encodings.split(",")) if name]
    if len(names) > _MOST_ENCODINGS:
        return Decoded(payload, problem=f"{len(names)} content encodings", is_damaged=True)
    body, is_cut = payload, False
    for name in reversed(names):
        decoder = _DECODERS.get(name)
        if decoder is None:
            problem = f"unknown content encoding {name[:40]!r}"
            return Decoded(body, is_cut, problem, not _is_text(body))
        step = decoder(body, limit)
        body, is_cut = step.body, is_cut or step.is_cut
        if step.problem:
            return Decoded(body, is_cut, f"bad {name}: {step.problem}", is_damaged=True)
    return Decoded(body, is_cut)


def _is_text(body: bytes) -> bool:
    """Is it text as it is? Some servers name a charset, or `none`, where an encoding belongs."""
    return not _CONTROLS.search(body)


def dechunk(payload: bytes) -> Decoded:
    """Undo chunked transfer coding (RFC 9112, section 7.1).

    >>> dechunk(b"5\\r\\nhello\\r\\n0\\r\\n\\r\\n").body
    b'hello'
    """
    pieces: list[bytes] = []
    position = 0
    for _ in range(_MOST_CHUNKS):
        end = payload.find(b"\n", position)
        if end < 0:
            return Decoded(b"".join(pieces), problem="chunks end early")
        size = _chunk_size(payload[position:end])
        if size is None:
            return Decoded(b"".join(pieces), problem="bad chunk size")
        if size == 0:
            return Decoded(b"".join(pieces))
        position = end + 1 + size
        pieces.append(payload[end + 1 : position])
        if position > len(payload):
            return Decoded(b"".join(pieces), problem="chunks end early")
        position += 2 if payload[position : position + 2] == b"\r\n" else 1
    return Decoded(b"".join(pieces), problem=f"more than {_MOST_CHUNKS} chunks")


def _chunk_size(line: bytes) -> int | None:
    digits = line.partition(b";")[0].strip()
    return int(digits, 16) if _CHUNK_SIZE.fullmatch(digits) else None


def _identity(data: bytes, limit: int) -> Decoded:
    return Decoded(data[:limit], len(data) > limit)


def _gunzip(data: bytes, limit: int) -> Decoded:
    """All members of a gzip stream; garbage after the first is ignored, as browsers do."""
    pieces: list[bytes] = []
    space, start = limit, 0
    for _ in range(_MOST_MEMBERS):
        step, start = _inflate(data, space, 31, start)
        if step.problem and pieces:
            break
        pieces.append(step.body)
        space -= len(step.body)
        if step.is_cut or step.problem or start >= len(data):
            return Decoded(b"".join(pieces), step.is_cut, step.problem)
    return Decoded(b"".join(pieces))


def _undeflate(data: bytes, limit: int) -> Decoded:
    """zlib's format as the standard says, or bare deflate as many servers send it.

    Bare deflate has no checksum, and some plain texts begin like it; so it must go on to the end.
    """
    step, _ = _inflate(data, limit, 15)
    if step.problem and not step.body:
        bare, end = _inflate(data, limit, -15)
        if not bare.problem and end >= len(data):
            return bare
    return step


def _inflate(data: bytes, limit: int, window: int, start: int = 0) -> tuple[Decoded, int]:
    """Decompress one stream of `data` from `start` on; also where the next one would begin.

    The input is given in growing slices, because what follows a short stream is copied.
    """
    inflater = isal_zlib.decompressobj(window)
    pieces: list[bytes] = []
    size, position, width = 0, start, 1 << 12
    try:
        while not inflater.eof and position < len(data):
            piece = inflater.decompress(data[position : position + width], limit - size + 1)
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                return Decoded(b"".join(pieces)[:limit], True), len(data)
            position, width = position + width, min(2 * width, 1 << 20)
    except _DAMAGED:
        return _inflate_slowly(data[start:], limit, window), len(data)
    problem = "" if inflater.eof else "ends early"
    end = min(position, len(data)) - len(inflater.unused_data)
    return Decoded(b"".join(pieces), problem=problem), end


def _inflate_slowly(data: bytes, limit: int, window: int) -> Decoded:
    """Decompress a damaged stream in ever smaller steps, to keep what comes before the damage."""
    inflater = zlib.decompressobj(window)
    pieces: list[bytes] = []
    size, position, width = 0, 0, 1 << 10
    while position < len(data) and not inflater.eof:
        before = inflater.copy()
        try:
            piece = inflater.decompress(data[position : position + width], limit - size + 1)
        except zlib.error as error:
            if width == 1:
                return Decoded(b"".join(pieces), problem=str(error))
            inflater, width = before, width // 4
            continue
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            return Decoded(b"".join(pieces)[:limit], True)
        position += width
    return Decoded(b"".join(pieces), problem="" if inflater.eof else "ends early")


def _unbrotli(data: bytes, limit: int) -> Decoded:
    decompressor = brotli.Decompressor()
    pieces: list[bytes] = []
    size = 0
    try:
        piece = decompressor.process(data, output_buffer_limit=_STEP)
        while True:
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                return Decoded(b"".join(pieces)[:limit], True)
            if decompressor.is_finished():
                return Decoded(b"".join(pieces))
            if not piece and decompressor.can_accept_more_data():
                return Decoded(b"".join(pieces), problem="ends early")
            piece = decompressor.process(b"", output_buffer_limit=_STEP)
    except brotli.error as error:
        return Decoded(b"".join(pieces), problem=str(error))


def _unzstd(data: bytes, limit: int) -> Decoded:
    # RFC 9659: a web client need not accept windows over 8 MB. Small steps bound what one puts out.
    decompressor = zstandard.ZstdDecompressor(max_window_size=8 << 20)
    frame = decompressor.decompressobj()
    pieces: list[bytes] = []
    size = 0
    try:
        for start in range(0, len(data), 256):
            step = data[start : start + 256]
            while step:
                if frame.eof:
                    frame = decompressor.decompressobj()
                piece = frame.decompress(step)
                pieces.append(piece)
                size += len(piece)
                if size > limit:
                    return Decoded(b"".join(pieces)[:limit], True)
                step = frame.unused_data if frame.eof else b""
    except zstandard.ZstdError as error:
        return Decoded(b"".join(pieces), problem=str(error))
    return Decoded(b"".join(pieces), problem="" if frame.eof else "ends early")


_STEP = 1 << 18

_DECODERS: dict[str, Decoder] = {
    "identity": _identity,
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _undeflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}

ACCEPTED = "gzip, deflate, br, zstd"

"""A block: a batch of records as one checked, compressed piece of a file."""

from collections.abc import Iterator, Sequence
from struct import Struct
from threading import local
from zlib import crc32

from msgspec.msgpack import Decoder, Encoder
from zstandard import ZstdCompressor, ZstdDecompressor

from gossamer.core.errors import DamageError

_HEADER = Struct("<IIB")
"""Length and CRC-32 of the body, and how it is written."""

HEADER_SIZE = _HEADER.size

_PLAIN, _ZSTD = 0, 1
_MAGIC = 0x474F5342
_WORTH_COMPRESSING = 512
"""Bytes; below that, compressing takes longer than writing, and gains nothing."""

_encode = Encoder().encode
_decode = Decoder(list[bytes]).decode


class _Zstd(local):
    """Contexts of zstd, for each thread its own: two threads that use one crash the process.

    Crawls have one thread; the dashboard reads their files in several.
    """

    def __init__(self) -> None:
        self.compress = ZstdCompressor(level=1).compress
        self.decompress = ZstdDecompressor().decompress


_zstd = _Zstd()


def pack(records: list[bytes]) -> bytes:
    """Make one block of these records.

    >>> unpack(pack([b"one", b"two"]))
    [b'one', b'two']
    """
    body, form = _encode(records), _PLAIN
    if len(body) >= _WORTH_COMPRESSING:
        body, form = _zstd.compress(body), _ZSTD
    return _HEADER.pack(len(body), _checksum(body, form), form) + body


def split(records: Sequence[bytes], size: int) -> Iterator[list[bytes]]:
    """Cut a long batch into batches of `size` bytes or little more.

    >>> list(split([b"one", b"two", b"six"], 5))
    [[b'one', b'two'], [b'six']]
    """
    begin = total = 0
    for end, record in enumerate(records, 1):
        total += len(record)
        if total >= size:
            yield list(records[begin:end])
            begin, total = end, 0
    if begin < len(records):
        yield list(records[begin:])


def block_size(header: bytes, path: object = "a block") -> int:
    """Read the length of a block from its header, in the file at `path`."""
    if len(header) < HEADER_SIZE:
        raise DamageError(path, "is damaged: a block's header is cut short")
    return HEADER_SIZE + int(_HEADER.unpack_from(header)[0])


def unpack(block: bytes, path: object = "a block") -> list[bytes]:
    """The records of a block of the file at `path`, or `DamageError` when it is not what was written."""
    if len(block) < HEADER_SIZE:
        raise DamageError(path, "is damaged: a block's header is cut short")
    length, checksum, form = _HEADER.unpack_from(block)
    body = block[HEADER_SIZE:]
    if len(body) != length or _checksum(body, form) != checksum:
        raise DamageError(path, "is damaged: a block's checksum is wrong")
    return _decode(_zstd.decompress(body) if form == _ZSTD else body)


def _checksum(body: bytes, form: int) -> int:
    """Not 0 for a block of zeros, which is what a disk may give back for one that was never written."""
    return crc32(body, _MAGIC + form)

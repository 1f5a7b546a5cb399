"""Compressed sitemaps: `.xml.gz` files that the server sends as they are."""

import zlib

_GZIP = 16 + zlib.MAX_WBITS
"""Window bits that tell the library to expect gzip's header."""
_MOST_MEMBERS = 10_000
"""Each costs us more than its sender; no honest file has that many."""
_CHUNK = 64 << 10
"""Compressed bytes taken at a time, so that an error loses only what comes after it."""


def is_gzip(data: bytes) -> bool:
    return data.startswith(b"\x1f\x8b\x08")


def gunzip(data: bytes, limit: int) -> bytes:
    """Decompress at most `limit` bytes; of a broken file, what comes before the break.

    >>> import gzip
    >>> gunzip(gzip.compress(b"x" * 1_000_000), 10)
    b'xxxxxxxxxx'
    """
    parts: list[bytes] = []
    space, members = limit, 0
    rest = memoryview(data)
    while space > 0 and members < _MOST_MEMBERS and is_gzip(rest[:3].tobytes()):
        members += 1
        taken, got = _inflate(rest, space, parts)
        space -= got
        rest = rest[taken:]
    return b"".join(parts)


def _inflate(data: memoryview, space: int, parts: list[bytes]) -> tuple[int, int]:
    """Append what one gzip member holds; returns how many bytes that took and gave."""
    member = zlib.decompressobj(_GZIP)
    taken = got = 0
    while taken < len(data) and got < space and not member.eof:
        chunk = data[taken : taken + _CHUNK]
        try:
            part = member.decompress(chunk, space - got)
        except zlib.error:
            return len(data), got
        taken += len(chunk) - len(member.unconsumed_tail) - len(member.unused_data)
        parts.append(part)
        got += len(part)
    return taken, got

"""An index in compressed blocks, and a list of the blocks: a reader loads a large one piece by piece.

The format is the WACZ specification's (`indexes/index.cdx.gz`, `indexes/index.idx`).
"""

import gzip
import hashlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import msgspec

_LINES = 3000
"""Lines of a block."""


def write_blocks(lines: Iterable[bytes], name: str, into: BinaryIO) -> bytes:
    """Write sorted CDXJ lines as blocks of a file of this name; returns the list of them.

    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> listed = write_blocks([b'org,example)/ 20270101000000 {"url": ""}\\n'], "index.cdx.gz", file)
    >>> gzip.decompress(file.getvalue())[:28], listed.count(b"\\n")
    (b'org,example)/ 20270101000000', 2)
    """
    head = msgspec.json.encode({"format": "cdxj-gzip-1.0", "filename": name})
    listed, start = [b"!meta 0 " + head], 0
    for block in _blocks(lines):
        packed = gzip.compress(b"".join(block), mtime=0)
        into.write(packed)
        about = {
            "offset": start,
            "length": len(packed),
            "digest": f"sha256:{hashlib.sha256(packed).hexdigest()}",
            "filename": name,
        }
        key = b" ".join(block[0].split(b" ", 2)[:2])
        listed.append(key + b" " + msgspec.json.encode(about))
        start += len(packed)
    return b"".join(line + b"\n" for line in listed)


def _blocks(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    block: list[bytes] = []
    for line in lines:
        block.append(line)
        if len(block) == _LINES:
            yield block
            block = []
    if block:
        yield block

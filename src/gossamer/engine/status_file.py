"""`state/status.json`: the summary of a crawl, its identity, and the CRC-32 of all bytes before that.

It is one line of JSON that other programs read, too. Files of earlier versions have no checksum.
"""

import re
from pathlib import Path
from typing import TypeVar

import msgspec
from isal import isal_zlib
from msgspec.structs import replace

from gossamer.core.crawl_identity import check_belongs
from gossamer.core.directory import Directory, check_is_crawl
from gossamer.core.errors import DirectoryError
from gossamer.engine.summary import Summary

_Status = TypeVar("_Status", bound=Summary)
_CHECK = re.compile(rb'(?:,"crawl":"(\w+)")?(,"crc32":(\d+)}\Z)')


def encode_status(summary: Summary, crawl: str = "") -> bytes:
    """
    >>> from gossamer.engine.summary import NOTHING
    >>> decode_status(encode_status(NOTHING)) == NOTHING
    True
    """
    body = msgspec.json.encode(summary)[:-1]
    if crawl:
        body += b',"crawl":"%s"' % crawl.encode()
    return body + b',"crc32":%d}' % isal_zlib.crc32(body)


def decode_status(data: bytes) -> Summary:
    """Decode the file; `ValueError` if it is not what was written."""
    return decode_checked(data, Summary)


def decode_checked(data: bytes, kind: type[_Status]) -> _Status:
    """The same for a summary with more in it."""
    try:
        summary = msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None
    found = _CHECK.search(data)
    if found is None and not msgspec.json.decode(data).keys() <= set(kind.__struct_fields__):
        raise ValueError("it has no checksum at its end")
    if found is not None and int(found[3]) != isal_zlib.crc32(data[: found.start(2)]):
        raise ValueError("its checksum is wrong")
    return summary


def crawl_of(data: bytes) -> str:
    """The identity of the crawl whose status it is; empty when it says none."""
    found = _CHECK.search(data)
    return (found[1] or b"").decode() if found is not None else ""


def read_summary(path: Path) -> Summary:
    """Read the summary that a crawl wrote last, about once a second while pages come."""
    check_is_crawl(path)
    file = Directory(path).status
    try:
        data = file.read_bytes()
        summary = decode_status(data)
    except OSError:
        raise DirectoryError(
            f"{path} has no status yet; wait, or continue with `gossamer resume {path}`"
        ) from None
    except ValueError as error:
        raise DirectoryError(
            f"{file} is damaged: {error}; `gossamer resume {path}` writes it again"
        ) from None
    check_belongs(path, file, crawl_of(data))
    if "://" not in summary.directory:  # it may have been copied or moved since
        summary = replace(summary, directory=str(path))
    if not summary.stopped_by and not Directory(path).is_in_use:
        return replace(summary, stopped_by="killed")
    return summary

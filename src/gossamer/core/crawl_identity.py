"""The identity of a crawl, by which a file of another crawl is distinguished.

It is drawn when a crawl begins, and stands in

    crawl.toml                        the last line
    state/status.json                 `crawl`
    state/00000/output/_files.jsonl   the first line, and so for `text`, `index` and the rankings
    state/control/journal-000000.log  each file's first record

and in the manifests of the text index and of a graph. All are compared with `crawl.toml`. A crawl that an
earlier version began has none, and gets none: then nothing in its directory has one.

The last line of `crawl.toml` also has the CRC-32 of the lines before. The file may be changed by hand, so
another checksum is no damage; but `gossamer verify` says that it is not what was written.
"""

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from gossamer.core.disk.disk_manifest import MANIFEST, crawl_named_in
from gossamer.core.errors import DamageError

SETTINGS = "crawl.toml"
_END = "This line is the last: a file that ends before it was cut short."
_LAST_LINE = re.compile(rb"# (?:Crawl ([0-9a-f]{16}), CRC-32 ([0-9a-f]{8})\. )?" + _END.encode())
_TAIL = 512
"""Bytes that have the last line, with room for what editors leave behind it."""


class LastLine(NamedTuple):
    """The last line of a `crawl.toml`."""

    crawl: str
    """The identity; empty in a file of an earlier version."""
    check: int
    length: int
    """Bytes before it."""

    def is_of(self, text: bytes) -> bool:
        """Are the lines before it those that were written with it?"""
        return not self.crawl or crc32(text[: self.length]) == self.check


def with_last_line(text: str, crawl: str) -> bytes:
    """The text of a `crawl.toml` with its last line.

    >>> read_last_line(with_last_line("[crawl]\\n", "00112233445566ff")).crawl
    '00112233445566ff'
    """
    data = text.encode()
    named = f"Crawl {crawl}, CRC-32 {crc32(data):08x}. " if crawl else ""
    return data + f"# {named}{_END}\n".encode()


def read_last_line(text: bytes) -> LastLine | None:
    """The last line of a `crawl.toml`; None of one that was cut short, or that never had it."""
    data = text.rstrip()
    length = data.rfind(b"\n") + 1
    found = _LAST_LINE.fullmatch(data, length)
    if found is None:
        return None
    crawl, check = (part.decode() for part in found.groups(b""))
    return LastLine(crawl, int(check or "0", 16), length)


def identity_of(crawl: Path) -> str:
    """The identity of the crawl in a directory; empty when it has none, or its `crawl.toml` is not there."""
    with suppress(OSError), open(crawl / SETTINGS, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
        last = read_last_line(file.read())
        return last.crawl if last is not None else ""
    return ""


def check_belongs(crawl: Path, file: Path, named: str) -> None:
    """Raise `DamageError` when a file in a crawl directory names another crawl than `crawl.toml`.

    Partitions are the witnesses which of the two does not belong there.
    """
    own = identity_of(crawl)
    if named == own:
        return
    manifests = crawl.glob(f"state/{'[0-9]' * 5}/output/{MANIFEST}")
    stranger = file if own in map(crawl_named_in, manifests) else crawl / SETTINGS
    raise DamageError(stranger, "belongs to another crawl")


def check_manifest_belongs(crawl: Path, manifest: Path, named: str) -> None:
    """The same for the manifest of a partition; a power cut may leave one without its first line."""
    if named:
        check_belongs(crawl, manifest, named)

"""Watermarks of a command journal: how it tells a command that was answered from one that a power cut tore.

A power cut may leave a file with its full length and holes in it. A damaged command looks the same. So when a
group of records is durable, a watermark is written behind it and made durable, too, and only then is anybody
answered. What cannot be read is torn when no watermark stands behind it, and damaged when one does.

A watermark says where it stands, and has a checksum of its own: it is found whatever stands before it. It
begins with bytes that no text has.
"""

from pathlib import Path
from struct import Struct as Layout
from zlib import crc32

from gossamer.core.disk.disk_files import open_file

_MAGIC = b"\xff\xfeGOSA"
_WATERMARK = Layout("<6sQI")
_BEFORE = 9
"""Bytes of a record before its payload."""


def watermark(group_end: int) -> bytes:
    """The bytes written behind a group that ends there."""
    return _WATERMARK.pack(_MAGIC, group_end, crc32(_MAGIC + group_end.to_bytes(8, "little")))


def holds_answer(path: Path, end: int, size: int) -> bool:
    """Is there a watermark of a group that ends behind this place of a file, in its first `size` bytes?

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "journal"
    ...     _ = path.write_bytes(bytes(5 + _BEFORE) + watermark(5))
    ...     holds_answer(path, 4, 99), holds_answer(path, 5, 99), holds_answer(path, 4, 20)
    (True, False, False)
    """
    with open_file(path) as file:
        file.seek(end)
        rest = file.read(max(0, size - end))
    at = rest.find(_MAGIC, _BEFORE + 1)
    while at >= 0:
        if rest[at : at + _WATERMARK.size] == watermark(end + at - _BEFORE):
            return True
        at = rest.find(_MAGIC, at + 1)
    return False

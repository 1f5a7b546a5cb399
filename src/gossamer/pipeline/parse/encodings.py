"""From bytes to an encoding, in the order in which browsers ask.

A byte order mark or what is as plain, then the charset of the Content-Type, then what the page says
about itself, then a look at the bytes (`detection`).
"""

import codecs

from gossamer.pipeline.parse.charset_prescan import prescan
from gossamer.pipeline.parse.detection import detect
from gossamer.pipeline.parse.labels import decode, encoding_of

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    ("<?x".encode("utf-16be"), "utf-16be"),
    ("<?x".encode("utf-16le"), "utf-16le"),
)
"""Byte order marks, and how XML in UTF-16 begins without one: nothing else begins so."""


def sniff_encoding(data: bytes, header: str = "", declared: str | None = None) -> str:
    """The encoding of a page: `header` is the label in its Content-Type.

    `declared` is the encoding that the content names; None has it searched for in a `meta`.

    >>> sniff_encoding(b"<meta charset=latin1>caf\\xe9")
    'windows-1252'
    >>> sniff_encoding("日本".encode())
    'utf-8'
    """
    return (
        _marked(data)
        or encoding_of(header)
        or (prescan(data) if declared is None else declared)
        or detect(data)
    )


def to_utf8(data: bytes, encoding: str) -> bytes:
    """The same text in UTF-8, without a byte order mark; UTF-8 is not touched, valid or not."""
    if encoding == "utf-8" or (data.isascii() and not encoding.startswith(_NOT_ASCII)):
        return data[3:] if data.startswith(codecs.BOM_UTF8) else data
    return decode(data, encoding).removeprefix("\ufeff").encode("utf-8", "replace")


_NOT_ASCII = ("utf-16", "iso-2022", "replacement")
"""Encodings in which ASCII bytes do not mean ASCII characters."""


def _marked(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    return ""
